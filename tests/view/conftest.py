"""Results and films that the tests share; each is made once. And a real browser, where there is one."""

import os
import shutil
from dataclasses import dataclass, field
from typing import Any

import pytest

from wheelwork.show.player import film

from .models import gear_pair, swing

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# No graphics card is needed: SwiftShader draws on the processor. Nothing of Chromium's own may ask the network.
FLAGS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-background-networking",
]


@pytest.fixture(scope="session")
def pair():
    """Half a turn of the pinion and more, with forces."""
    return gear_pair().inverse(end=0.2, output=40)


@pytest.fixture(scope="session")
def pair_film(pair):
    return film(pair)


@pytest.fixture(scope="session")
def swinging():
    return swing().simulate(end=1, output=40)


@dataclass
class Watched:
    """A page, and everything it complained about or asked for."""

    page: Any
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def foreign(self, *own: str) -> list[str]:
        """Requests that go anywhere but to these places."""
        inside = ("data:", "blob:", *own)
        return [url for url in self.requests if not url.startswith(inside)]


@pytest.fixture(scope="module")
def browser():
    """Chromium of the system, driven by Playwright. Playwright's own browsers are never fetched.

    Where there is none these tests are skipped; on a machine that checks changes (CI=true) that is a failure.
    """
    program = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None
    if program is None or sync_playwright is None:
        missing = (
            "chromium (apt-get install chromium)"
            if program is None
            else "playwright (pip install playwright)"
        )
        if os.environ.get("CI") == "true":
            pytest.fail(f"the tests in a browser need {missing}")
        pytest.skip(f"needs {missing}")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=FLAGS, headless=True)
        yield started
        started.close()


@pytest.fixture
def watch(browser):
    """`watch(url)` opens a page and takes note of its errors, warnings and requests."""
    opened = []

    def start(url: str, width: int = 720, height: int = 480) -> Watched:
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
        page.set_default_timeout(20_000)
        watched = Watched(page)
        page.on("console", lambda m: watched.complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: watched.complaints.append(str(error)))
        page.on("request", lambda request: watched.requests.append(request.url))
        page.on("websocket", lambda socket: watched.requests.append(socket.url))
        page.goto(url)
        opened.append(page)
        return watched

    yield start
    for page in opened:
        page.close()
