"""The viewer: its page in a real browser, its clock and plots."""

from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import numpy as np
import pytest

from wheelwork.show.player import film, film_before_run
from wheelwork.show.player.viewer import Viewer

from .models import gear_pair
from .pictures import differ, orange, pixels


@pytest.fixture(scope="module")
def viewer(pair):
    viewer = Viewer(film(pair), pair, title="pair", port=8931)
    yield viewer
    viewer.stop()


@pytest.mark.slow
def test_page_shows_the_mechanism_and_obeys(watch, viewer):
    assert viewer.url.startswith("http://127.0.0.1:")
    assert viewer.server.get_host() == "127.0.0.1", "for this machine alone"
    watched = watch(viewer.url, width=1000, height=420)
    page = watched.page
    between_panels = {"x": 345, "y": 180, "width": 340, "height": 230}

    def until(wanted) -> np.ndarray:
        """The picture as soon as it is as wanted: the browser draws when it has time."""
        for _ in range(100):
            image = pixels(page.screenshot(clip=between_panels))
            if wanted(image):
                return image
            page.wait_for_timeout(100)
        raise AssertionError("the picture did not become what it should")

    first = until(lambda image: orange(image) > 0.03)
    box = page.get_by_text("time [s]", exact=True).first.locator(
        "xpath=following::input[not(@type='hidden')][1]"
    )
    box.fill("0.004")
    box.press("Enter")
    until(lambda image: differ(first, image) > 0.003)
    assert viewer.t == pytest.approx(0.004)
    assert page.locator(".u-over").count() == 2, "plots of two signals"

    page.get_by_text("wheel", exact=True).locator("xpath=following::input[@type='checkbox'][1]").uncheck()
    until(lambda image: orange(image) < 0.002)
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Pause", exact=True).click()
    assert viewer.t != pytest.approx(0.004)
    assert watched.complaints == []
    assert watched.foreign(viewer.url, viewer.url.replace("http", "ws").rstrip("/")) == []


def socket(viewer, path=None, host=None, **headers):
    """A web socket to the viewer, as a page opens it: what it sends first, or the status with which it is refused."""
    import viser
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    where = urlsplit(viewer.url)
    try:
        with connect(
            f"ws://{host or where.hostname}:{where.port}{where.path if path is None else path}",
            subprotocols=[f"viser-v{viser.__version__}"],
            max_size=None,
            **headers,
        ) as opened:
            return len(opened.recv(timeout=10))
    except InvalidStatus as refused:
        return refused.response.status_code


def test_the_web_socket_is_for_the_page_itself(viewer):
    """Any page on the net could open it, and read the model."""
    where = urlsplit(viewer.url)
    own = f"http://{where.netloc}"
    assert len(where.path.strip("/")) >= 20, "a token that cannot be guessed"
    assert socket(viewer, origin=own) > 1000
    assert socket(viewer, path=where.path.rstrip("/"), origin=own) > 1000
    assert socket(viewer, host="localhost", origin=f"http://localhost:{where.port}") > 1000
    for origin in (
        "http://evil.example",
        "https://127.0.0.1",
        f"http://evil.example:{where.port}",
        "null",
        "",
    ):
        assert socket(viewer, origin=origin) == 403
    for path in ("/", "", "/x/", f"/{'0' * 22}/", where.path[:-2] + "/", f"/?{where.path.strip('/')}"):
        assert socket(viewer, path=path, origin=own) == 403
    # a name of another site that was made to point to this machine
    rebound = {"Host": f"evil.example:{where.port}"}
    assert page_status(viewer.url, **rebound) == 403


def page_status(url, **headers):
    try:
        with urlopen(Request(url, headers=headers), timeout=10) as answer:
            assert b"viser" in answer.read().lower()
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            return answer.status
    except HTTPError as refused:
        return refused.code


def test_the_page_needs_the_token(viewer):
    where = urlsplit(viewer.url)
    root = f"http://{where.netloc}"
    assert page_status(viewer.url) == 200
    assert page_status(f"{viewer.url}?darkMode") == 200
    assert page_status(viewer.url, Origin=root) == 200
    assert page_status(viewer.url, Origin="http://evil.example") == 403
    for path in ("/", "/index.html", f"/{'0' * 22}/", "/../index.html"):
        assert page_status(root + path) == 403


def test_no_page_where_the_guard_is_not_asked(monkeypatch):
    """Another viser might serve by other means."""
    from wheelwork.show.player import viewer as module

    stopped = []

    class Server:
        def __init__(self, **_):
            pass

        def stop(self):
            stopped.append(self)

    monkeypatch.setattr(module, "need_viser", lambda: SimpleNamespace(ViserServer=Server))
    with pytest.raises(ImportError, match="pip install"):
        Viewer(film_before_run(gear_pair()), title="pair")
    assert len(stopped) == 1


def test_clock(viewer):
    viewer.show(0.0)
    viewer.speed = 0.1
    viewer.play()
    assert viewer.playing
    viewer._ended.wait(0.3)
    viewer.pause()
    assert 0 < viewer.t < 0.2


def test_signals_come_and_go(viewer, pair):
    plots = viewer.plots
    assert list(plots.plots) == ["pinion-bearing.w", "teeth.force.normal"]
    plots.add("wheel.position")
    plots.show(0.1)
    plot = plots.plots["wheel.position"]
    assert plot.chart.title.startswith("wheel.position = x 0.055, y ")
    times, whole, so_far, *_ = plot.chart.data
    np.testing.assert_allclose(whole, pair.at(times)["wheel.position.x"], atol=1e-12)
    assert np.isnan(so_far[times > 0.101]).all()
    assert not np.isnan(so_far[times < 0.099]).any()
    plots.drop("wheel.position")
    assert list(plots.plots) == ["pinion-bearing.w", "teeth.force.normal"]


def test_follow_forces_and_glass(viewer):
    viewer.show(0.05)
    viewer.follow("wheel")
    center, wheel = viewer.film.scene.center, viewer.film.pose(0.05)[0][1]
    np.testing.assert_allclose(viewer.scene.root.position, center - wheel, atol=1e-9)
    viewer.follow(None)
    np.testing.assert_array_equal(viewer.scene.root.position, 0)
    viewer.show_forces("mesh", True)
    viewer.scale_forces(2.0)
    ((start, end),) = viewer.scene.arrows["mesh"].points
    (force,) = [force for kind, _, force in viewer.film.forces(0.05) if kind == "mesh"]
    np.testing.assert_allclose(end - start, 2 * viewer.film.arrow_scale * force, rtol=1e-4, atol=1e-9)
    viewer.show_forces("mesh", False)
    viewer.scene.see_through(True)
    viewer.scene.see_through(False)


def test_port_that_is_taken_gives_the_next(viewer, pair):
    other = Viewer(film_before_run(gear_pair()), title="pair", port=viewer.server.get_port())
    try:
        assert other.url != viewer.url
        assert len([handle for handle in other.scene.names if handle.visible]) == 6, "three names, three axes"
        other.play()
        assert not other.playing, "nothing moves before a run"
    finally:
        other.stop()
    other.wait()  # returns: it has ended
