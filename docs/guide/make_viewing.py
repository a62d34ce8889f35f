"""Make the pictures of `viewing.md`: `python docs/guide/make_viewing.py`.

Those of pages are taken in Chromium, which must be installed, through Playwright; the others need neither.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import wheelwork as ww
from wheelwork import examples
from wheelwork.show.player import film, film_before_run, save_film
from wheelwork.show.player.viewer import Viewer

FOLDER = Path(__file__).parents[1] / "_static" / "viewing"
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
EXAMPLE = "planetary-gearbox"


def stills(result: ww.Result) -> None:
    """Before a run with names, and in motion with forces; a few moments of a GIF that goes round without a jump."""
    before = film_before_run(ww.load(examples.path(EXAMPLE)))
    save_film(before, FOLDER / "before.png", named=True, size=(760, 500))
    result.animate(
        FOLDER / "forces.png", time=3.0, forces=("joint", "mesh"), size=(760, 500), hidden=("ring", "drum")
    )
    # steady: after a third of the carrier's turn, to the nearest tooth of the sun, all looks as before but for colours
    carrier, sun = (float(result.at(3.0)[f"{name}-bearing.w"]) for name in ("carrier", "sun"))
    third = 2 * np.pi / 3 / carrier
    teeth = round(third * sun / (2 * np.pi / 18)) * (2 * np.pi / 18) / sun
    moments = result.at(np.linspace(3.0, 3.0 + teeth, 200))
    save_film(film(moments, forces=False), FOLDER / "turning.gif", seconds=2.4, size=(400, 270))


def page(browser: Any, url: str, size: tuple[int, int]) -> Any:
    opened = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme="light")
    opened.goto(url)
    return opened


def shoot(opened: Any, name: str) -> None:
    """Fewer colours make the file small."""
    opened.screenshot(path=FOLDER / f"{name}.png")
    with Image.open(FOLDER / f"{name}.png") as picture:
        small = picture.convert("RGB").quantize(200)
    small.save(FOLDER / f"{name}.png", optimize=True)


def pages(result: ww.Result) -> None:
    """The viewer and the page to take away, as they look."""
    from playwright.sync_api import sync_playwright

    viewer = Viewer(film(result), result, title="planetary gearbox", port=8950)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        opened = page(browser, viewer.url + "?t=1.3&theme=light", (1320, 700))
        opened.locator(".player-choice input").fill("planet1.position")
        opened.locator(".player-choice input").press("Enter")
        opened.locator("figure[data-signal='planet1.position']").wait_for()
        shoot(opened, "viewer")
        taken = Path(folder) / "film.html"
        result.animate(taken)
        opened = page(browser, taken.as_uri() + "?t=1.3&theme=light", (900, 560))
        opened.locator(".player-bodies").evaluate("(e) => { e.open = true; }")
        opened.locator(".player-controls label", has_text="tooth forces").locator("input").check()
        opened.locator("[data-body=drum]").uncheck()
        shoot(opened, "player")
        browser.close()
    viewer.stop()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    result = ww.load(examples.path(EXAMPLE)).run()
    stills(result)
    pages(result)


if __name__ == "__main__":
    main()
