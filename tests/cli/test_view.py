"""`wheelwork view`: files to take away, the page in the browser, and what is said where there is neither."""

import os
import re
import signal
import sys
import urllib.request
import webbrowser
from pathlib import Path

import pytest
from processes import started

BROKEN = """\
wheelwork: 1
name: broken
bodies:
  arm: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, arm], frame_a: {}, frame_b: {position: [-0.9, 0, 0]}}
"""


@pytest.mark.parametrize("name", ["x.html", "x.glb", "x.png"])
def test_model_to_a_file(wheelwork, name):
    done = wheelwork("view", "pendulum.yaml", "--save", name, "--size", "90x60", "--set", "length=20cm")
    assert (done.code, done.out) == (0, f"written  {name}\n")
    assert Path(name).stat().st_size > 500


@pytest.mark.slow
def test_result_to_a_file_by_itself_or_in_its_folder(wheelwork):
    Path("run").mkdir()
    wheelwork("run", "pendulum.yaml", "-o", "run/result.nc")
    for given in ("run/result.nc", "run"):
        done = wheelwork(
            "view", given, "--save", "x.gif", "--seconds", "0.2", "--size", "60x40", "--forces", "--dark"
        )
        assert done.code == 0
        assert Path("x.gif").read_bytes()[:6] == b"GIF89a"
        Path("x.gif").unlink()


def test_model_that_does_not_fit_is_drawn_with_the_reason(wheelwork):
    Path("broken.yaml").write_text(BROKEN)
    done = wheelwork("view", "broken.yaml", "--save", "x.html")
    assert done.code == 1
    text = " ".join(done.out.split())
    assert "It does not fit together; this is the given position." in text
    assert "joints.hinge: the joint does not close at the given position: its points are 0.4 m apart" in text
    assert "its points are 0.4 m apart" in Path("x.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pendulum.yaml", "--save", "x.avi"], "x.avi: needs an ending that says what to write"),
        (["pendulum.yaml", "--save", "x.png", "--size", "big"], "--size: needs width and height"),
        (["pendulum.yaml", "--save", "x.png", "--time", "3"], "needs a time from 0 to 0 s"),
        (["none.yaml", "--save", "x.png"], "none.yaml: "),
        (["none.nc", "--save", "x.png"], "none.nc: there is no such file"),
    ],
)
def test_mistakes(wheelwork, arguments, words):
    done = wheelwork("view", *arguments)
    assert done.code == 2
    assert words in done.err
    assert [path.name for path in Path().iterdir()] == ["pendulum.yaml"]


def test_file_that_is_no_result(wheelwork):
    Path("bad.nc").write_text("something else")
    done = wheelwork("view", "bad.nc", "--save", "x.html")
    assert done.code == 2
    assert "bad.nc: not a result of Wheelwork, or damaged" in done.err


def test_page_without_a_screen(wheelwork, monkeypatch):
    from wheelwork.show.player.viewer import Viewer

    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(
        webbrowser, "open", lambda _: pytest.fail("a browser for text would take the terminal")
    )
    monkeypatch.setattr(Viewer, "wait", Viewer.stop)
    done = wheelwork("view", "pendulum.yaml", "--port", "8941")
    assert done.code == 0
    assert re.match(r"pendulum: http://127\.0\.0\.1:\d+/[\w-]{22}/   \(Ctrl-C ends it\)", done.out)
    assert "There is no screen here: open the address in a browser" in done.out


def test_page_opens_in_the_browser_unless_told_otherwise(wheelwork, monkeypatch):
    from wheelwork.show.player.viewer import Viewer

    opened = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(webbrowser, "open", lambda url: bool(opened.append(url)) or True)
    monkeypatch.setattr(Viewer, "wait", Viewer.stop)
    assert "no screen" not in wheelwork("view", "pendulum.yaml", "--port", "8942").out
    assert (
        wheelwork("view", "pendulum.yaml", "--no-browser", "--host", "localhost", "--port", "8943").code == 0
    )
    assert len(opened) == 1
    assert opened[0].startswith("http://127.0.0.1:")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--port", "70000"], "port: needs a number from 0 to 65535, but is 70000"),
        (["--host", "203.0.113.7"], "cannot serve at `203.0.113.7` and port 8080"),
        (["--host", "no such host"], "give another `host` or `port`"),
    ],
)
def test_an_address_that_cannot_be(wheelwork, given, words):
    done = wheelwork("view", "pendulum.yaml", "--no-browser", *given)
    assert done.code == 2
    assert words in done.err


VIEW = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background of a shell is told not to listen
from wheelwork.cli import main
sys.exit(main(["view", "pendulum.yaml", "--no-browser", "--port", "8944"]))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
def test_ctrl_c_ends_it_cleanly(wheelwork):
    with started(sys.executable, "-u", "-c", VIEW) as running:
        text = running.line()
        url = re.search(r"http://127\.0\.0\.1:\d+/[\w-]+/", text)
        assert url is not None, text
        with urllib.request.urlopen(url[0], timeout=10) as page:
            assert page.status == 200
        running.send_signal(signal.SIGINT)
        out, err = running.ended()
    assert running.returncode == 0
    assert "Traceback" not in out + err
