"""The viewer: its page in a real browser, its signals, and who may see it."""

import http.client
import json
import os
import socket
import struct
import time
from base64 import b64decode
from contextlib import suppress
from urllib.parse import quote, urlsplit

import numpy as np
import pytest

from wheelwork.show.player import film, film_before_run
from wheelwork.show.player.viewer import Viewer, _Handler

from .models import gear_pair
from .pictures import differ, pixels


@pytest.fixture(scope="module")
def viewer(pair):
    viewer = Viewer(film(pair), pair, title="pair", port=8931)
    yield viewer
    viewer.stop()


def asked(viewer, path=None, method="GET", **headers):
    """Status, headers and content that a request gets."""
    where = urlsplit(viewer.url)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=10)
    try:
        connection.request(method, where.path if path is None else path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


@pytest.mark.slow
def test_page_shows_the_mechanism_and_obeys(watch, viewer, pair):
    watched = watch(f"{viewer.url}?still&theme=light", width=1000, height=520)
    page = watched.page
    page.wait_for_function("document.querySelector('.player').player?.stage.now")
    names = [figure.get_attribute("data-signal") for figure in page.locator(".player-plots figure").all()]
    assert names == ["pinion-bearing.w", "teeth.force.normal"]

    choice = page.locator(".player-choice input")
    choice.fill("wheel.position")
    choice.press("Enter")
    page.locator("figure[data-signal='wheel.position']").wait_for()
    page.evaluate("document.querySelector('.player').player.setTime(0.1)")
    title = page.locator("figure[data-signal='wheel.position'] figcaption").inner_text()
    assert title.startswith("wheel.position = x 0.055, y ")
    plot = page.locator("figure[data-signal='pinion-bearing.w'] svg").bounding_box()
    page.mouse.click(plot["x"] + 6 / 286 * plot["width"], plot["y"] + 40)  # where the axis begins
    assert page.evaluate("document.querySelector('.player').player.time") == pytest.approx(0.0, abs=0.002)
    page.locator("figure[data-signal='wheel.position'] button").click()
    assert page.locator(".player-plots figure").count() == 2

    choice.fill("wheel.positoin")
    choice.press("Enter")
    assert page.locator(".player-choice small").inner_text() == "there is no signal wheel.positoin"
    canvas = page.locator(".player canvas")
    solid = pixels(canvas.screenshot())
    page.locator(".player-controls label", has_text="see-through").locator("input").check()
    assert differ(solid, pixels(canvas.screenshot())) > 0.02
    assert watched.complaints == []
    assert watched.foreign(viewer.url) == []


def test_signals_are_those_of_the_result(viewer, pair):
    status, headers, content = asked(viewer, f"/{viewer.token}/signal?name={quote('wheel.position')}")
    assert (status, headers["Content-Type"]) == (200, "application/json")
    data = json.loads(content)
    assert (data["unit"], data["parts"]) == ("m", ["x", "y", "z"])
    values = np.frombuffer(b64decode(data["values"]), "<f4").reshape(3, -1)
    times = np.linspace(viewer.film.start, viewer.film.end, values.shape[1])
    np.testing.assert_allclose(values.T, pair.at(times)["wheel.position"], rtol=1e-6, atol=1e-9)
    assert asked(viewer, f"/{viewer.token}/signal?name=nothing")[0] == 404
    assert asked(viewer, f"/{viewer.token}/../../etc/passwd")[0] == 404


def test_the_page_needs_the_token(viewer):
    assert len(viewer.token) >= 20, "it cannot be guessed"
    status, headers, content = asked(viewer)
    assert status == 200
    assert b"wheelworkPlayer" in content
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert asked(viewer, f"/{viewer.token}")[0] == 200
    token = viewer.token
    for path in (
        "/",
        "/index.html",
        f"/{'0' * 22}/",
        "/../index.html",
        f"/{token[:-2]}/",
        f"/?{token}",
        "/signal",
    ):
        assert asked(viewer, path)[0] == 403
    assert asked(viewer, method="POST")[0] == 501


def test_no_page_of_another_site_may_ask(viewer):
    """Any page on the net could send requests here, and read the model."""
    port = viewer.server.server_port
    own = f"http://127.0.0.1:{port}"
    assert asked(viewer, Origin=own)[0] == 200
    assert asked(viewer, Host=f"localhost:{port}", Origin=f"http://localhost:{port}")[0] == 200
    for origin in ("http://evil.example", "https://127.0.0.1", f"http://evil.example:{port}", "null"):
        status, _, content = asked(viewer, Origin=origin)
        assert (status, content) == (403, b"refused: pages of other sites may not look at it\n")
    # a name of another site that was made to point to this machine
    assert asked(viewer, Host=f"evil.example:{port}")[0] == 403


def test_requests_that_make_no_sense_are_answered(viewer, capfd):
    """No traceback in the user's terminal, and no connection that ends without an answer."""
    port, token = viewer.server.server_port, viewer.token
    assert asked(viewer, Host=f"[::1:{port}")[0] == 403
    assert asked(viewer, Origin="http://[::1")[0] == 403
    assert asked(viewer, f"/{token}//[::1")[0] == 404
    with socket.create_connection(("127.0.0.1", port)) as gone:  # a browser that is closed while it loads
        gone.setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("hh" if os.name == "nt" else "ii", 1, 0)
        )
        gone.sendall(f"GET /{token}/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode())
    assert asked(viewer)[0] == 200
    assert capfd.readouterr().err == ""


def test_port_that_is_taken_gives_the_next(viewer):
    other = Viewer(film_before_run(gear_pair()), title="pair", port=viewer.server.server_port)
    try:
        assert other.server.server_port == viewer.server.server_port + 1
        assert other.server.server_address[0] == "127.0.0.1", "for this machine alone"
        assert asked(other, f"/{other.token}/signal?name=pinion.w")[0] == 404, "no result, no signals"
    finally:
        other.stop()
    other.wait()  # returns: it has ended


@pytest.mark.parametrize(
    "host",
    [
        "x@127.0.0.1",
        "x@127.0.0.1:{port}",
        "127.0.0.1/x",
        "127.0.0.1#x",
        "127.0.0.1:{port}x",
        "",
        " ",
        "localhost?",
    ],
)
def test_a_host_that_is_no_plain_address_is_refused(viewer: Viewer, host: str) -> None:
    assert asked(viewer, Host=host.format(port=viewer.server.server_port))[0] in (400, 403)
    assert asked(viewer, Host="LOCALHOST")[0] == 200
    assert asked(viewer, Host="[::1]:80")[0] == 200


def test_a_client_that_sends_a_byte_now_and_then_is_cut_off(
    viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Handler, "timeout", 0.5)
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", viewer.server.server_port)) as slow:
        slow.settimeout(5)
        with suppress(OSError):
            while time.monotonic() - began < 5:
                slow.sendall(b"G")
                slow.settimeout(0.1)
                with suppress(TimeoutError):
                    if slow.recv(1) == b"":
                        break
    assert time.monotonic() - began < 3
