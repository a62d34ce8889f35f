"""In a real browser: the page to take away and the report, as a person sees and handles them."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.show.player import film_before_run, save_film
from wheelwork.show.report import write_report

from .models import open_hinge
from .pictures import differ, orange, pixels

pytestmark = pytest.mark.slow


def seen(locator) -> np.ndarray:
    """What an element looks like, (height, width, 3)."""
    return pixels(locator.screenshot())


@pytest.fixture(scope="module")
def files(pair, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    pair.animate(folder / "film.html")
    write_report(pair, folder / "report.html")
    return folder


@pytest.mark.parametrize("name", ["film.html", "report.html"])
def test_page_plays_without_a_network(watch, files, name):
    watched = watch((files / name).as_uri() + "?still&theme=light")
    page, canvas = watched.page, watched.page.locator(".player canvas").first
    page.wait_for_function("document.querySelector('.player').player?.stage.now")
    first = seen(canvas)
    assert orange(first) > 0.05, "not blank: the wheel is there"
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 100, "lit from one side"

    slider = page.locator(".player input[aria-label=time]")
    slider.evaluate("(e) => { e.value = 20; e.dispatchEvent(new Event('input')); }")  # 2 % of 0.2 s: 0.08 rad
    moved = seen(canvas)
    assert differ(first, moved) > 0.005
    assert page.locator(".player output").first.inner_text() == "0.0040 s"

    page.locator(".player-bodies").evaluate("(e) => { e.open = true; }")
    page.locator("[data-body=wheel]").uncheck()
    assert orange(seen(canvas)) < 0.002
    page.locator("[data-body=wheel]").check()

    page.locator(".player-controls label", has_text="tooth forces").locator("input").check()
    assert differ(moved, seen(canvas)) > 0.0005, "an arrow"
    assert watched.complaints == []
    assert watched.foreign("file:") == []


def test_player_runs_turns_zooms_follows_and_goes_dark(watch, files):
    page = watch((files / "film.html").as_uri() + "?theme=light").page
    page.wait_for_function("document.querySelector('.player').player?.time > 0.001")  # it plays by itself
    page.locator(".player-play").click()
    assert page.locator(".player-play").inner_text() == "▶ Play"
    canvas = page.locator(".player canvas")
    first = seen(canvas)
    page.mouse.move(360, 250)
    page.mouse.down()
    page.mouse.move(440, 270)
    page.mouse.up()
    turned = seen(canvas)
    assert differ(first, turned) > 0.02
    page.mouse.wheel(0, -400)
    page.wait_for_function("document.querySelector('.player').player.stage.view.zoom > 2")
    closer = seen(canvas)
    assert orange(closer) > 1.2 * orange(turned)
    page.locator(".player-bodies button").nth(1).click()
    assert page.evaluate("document.querySelector('.player').player.stage.follow") == 1
    assert differ(closer, seen(canvas)) > 0.02
    at = page.evaluate("document.querySelector('.player').player.time")
    page.locator(".player canvas").press("ArrowRight")
    assert page.evaluate("document.querySelector('.player').player.time") > at
    canvas.dblclick(position={"x": 600, "y": 60})
    assert page.evaluate("document.querySelector('.player').player.stage.follow") is None
    page.locator("#theme").click()
    assert seen(canvas)[5, -5].max() < 60


def test_report_has_plots_that_move_with_the_film(watch, files):
    page = watch((files / "report.html").as_uri() + "?still&theme=light").page
    page.wait_for_function("document.querySelector('.player').player?.stage.now")
    plots = page.locator("figure[data-panel] svg")
    assert plots.count() >= 4
    lines = page.locator("figure[data-panel] svg path[style*='stroke: var(--c']")
    assert lines.count() >= 4
    cursor = page.locator("figure[data-panel] .cursor").first
    before = float(cursor.get_attribute("x1"))
    page.evaluate("document.querySelector('.player').player.setTime(0.1)")
    assert float(cursor.get_attribute("x1")) > before + 50

    zoom = "document.querySelector('.player').player.stage.view.zoom"
    first = page.evaluate(zoom)
    page.locator(".player canvas").hover()
    page.mouse.wheel(0, 100)
    page.wait_for_function("window.scrollY > 20")  # within a page the wheel scrolls
    assert page.evaluate(zoom) == first
    page.locator(".player canvas").click()
    page.mouse.wheel(0, -100)
    page.wait_for_function(f"{zoom} > {first}")  # until one takes hold of the picture


BOXES = "(e) => [...e.children].filter((c) => c.offsetParent && c.style.display !== 'none').map((c) => { \
    const b = c.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; })"


@pytest.mark.parametrize("model", ["planetary-gearbox", "robot"])
def test_names_do_not_cover_each_other(watch, tmp_path, model):
    """Joints and meshes of a stage lie on one axis, so that most of their places are nearly the same."""
    m = ww.load(examples.path(model))
    save_film(film_before_run(m), tmp_path / "before.html", named=True)
    page = watch((tmp_path / "before.html").as_uri() + "?still&theme=light", width=1000, height=700).page
    page.wait_for_function("document.querySelector('.player').player?.stage.now")
    names = page.locator(".player-names").first
    boxes = np.array(names.evaluate(BOXES))
    assert len(boxes) >= len(m.joints)
    low, high = boxes[:, None, :2], boxes[:, None, 2:]
    shared = np.minimum(high, high.swapaxes(0, 1)) - np.maximum(low, low.swapaxes(0, 1))
    covering = np.argwhere(np.triu((shared > 0.5).all(axis=2), 1))  # half a pixel
    assert len(covering) == 0, covering


COVERED = """() => {
  const player = document.querySelector('.player').player, stage = player.stage;
  Object.assign(stage.shown, { joint: true, mesh: true });
  player.showNames(true); player.setTime(0.05);
  const box = player.names.getBoundingClientRect();
  const tags = player.tags.filter((tag) => !tag.hidden).map((tag) => tag.getBoundingClientRect());
  const dots = stage.pushes(player.place).flatMap(({ at, force }) => [0, 0.2, 0.4, 0.6, 0.8, 1].map((s) =>
    stage.screen(at.map((v, i) => v + s * force[i]))));
  return [dots.length, dots.filter(([x, y]) => tags.some((tag) => x > tag.left - box.left && x < tag.right - box.left &&
    y > tag.top - box.top && y < tag.bottom - box.top)).length];
}"""


def test_names_do_not_cover_forces(watch, tmp_path):
    """Points along all arrows, and how many of them are under a name: a seventh, where names stood at their places."""
    ww.load(examples.path("planetary-gearbox")).simulate(end=0.1, output=4).animate(tmp_path / "film.html")
    page = watch((tmp_path / "film.html").as_uri() + "?still&theme=light", width=1000, height=800).page
    page.wait_for_function("document.querySelector('.player').player?.stage.now")
    points, under = page.evaluate(COVERED)
    assert points >= 60
    assert under <= 0.02 * points


def test_model_that_does_not_fit_is_shown_with_the_reason(watch, tmp_path):
    save_film(film_before_run(open_hinge()), tmp_path / "x.html", named=True)
    watched = watch((tmp_path / "x.html").as_uri() + "?theme=light")
    page = watched.page
    page.wait_for_function("document.querySelector('.player').player?.stage.now")
    assert "does not close at the given position" in page.locator(".player-problems").inner_text()
    assert page.locator(".player-names span").all_inner_texts() == [
        "hinge revolute",
        "hinge on ground revolute",
    ]
    assert page.locator(".player input[aria-label=time]").count() == 0
    assert watched.complaints == []
