"""Files to take away: which there are, what is in them, and what is said where one cannot be written."""

import re
import stat
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

import wheelwork as ww
from wheelwork.show.player import save_film
from wheelwork.show.player.player import page

ADDRESSES = re.compile(r"""(?:src|href)\s*=\s*["']([^"'#]+)|url\(([^)#]+)\)|@import|https?://[^\s"'<]+""")


def test_page_is_whole_in_one_file(pair, tmp_path):
    pair.animate(tmp_path / "x.html")
    text = (tmp_path / "x.html").read_text()
    assert ADDRESSES.findall(text) == []
    assert text.count("<script") == text.count("</script>") == 2
    assert "<title>pair · Wheelwork</title>" in text
    assert len(text) < 1_500_000


def test_texts_cannot_break_the_page(pair_film):
    bad = "</script><!--<script>alert(1)</script>"
    text = page(replace(pair_film, problems=[bad], note=bad), bad)
    assert "<script>alert" not in text
    assert "<!--" not in text
    assert text.count("</script>") == 2


@pytest.mark.slow
def test_still_and_moving_picture(pair, tmp_path):
    pair.animate(tmp_path / "x.png", time=0.1, size=(120, 80))
    with Image.open(tmp_path / "x.png") as still:
        assert still.size == (120, 80)
    pair.animate(tmp_path / "x.gif", seconds=0.3, size=(120, 80))
    with Image.open(tmp_path / "x.gif") as moving:
        assert moving.n_frames == 6
        assert moving.info["duration"] == 50
        pictures = []
        for k in range(6):
            moving.seek(k)
            pictures.append(np.asarray(moving.convert("RGB"), float))
    assert all(np.abs(b - a).max() > 50 for a, b in pairwise(pictures))


def test_film_goes_through_ffmpeg(pair_film, tmp_path, monkeypatch):
    """A stand-in that keeps what it is given: raw pictures of the size it is told."""
    fake = tmp_path / "ffmpeg"
    fake.write_text('#!/bin/sh\necho "$@" > "$(dirname "$0")/said"\nfor last; do :; done\ncat > "$last"\n')
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    save_film(pair_film, tmp_path / "x.mp4", seconds=0.1, size=(60, 40))
    assert (tmp_path / "x.mp4").stat().st_size == 3 * 60 * 40 * 3
    assert "-s 60x40 -r 30" in (tmp_path / "said").read_text()


def test_ffmpeg_that_fails_leaves_its_words_and_no_file(pair_film, tmp_path, monkeypatch):
    fake = tmp_path / "ffmpeg"
    fake.write_text("#!/bin/sh\necho no such codec >&2\nexit 1\n")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(ww.ModelError, match="could not write it: no such codec"):
        save_film(pair_film, tmp_path / "x.mp4", seconds=0.1, size=(60, 40))
    assert [path.name for path in tmp_path.iterdir()] == ["ffmpeg"]


def test_without_ffmpeg_it_is_said(pair_film, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ww.ModelError, match=r"needs the program `ffmpeg`.*take `\.gif` or `\.html`"):
        save_film(pair_film, tmp_path / "x.mp4")


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("x.avi", {}, r"needs an ending that says what to write: `\.html`.*it has `\.avi`"),
        ("x", {}, "it has none"),
        ("x.png", {"time": 7}, r"needs a time from 0 to 0\.2 s, which the motion lasts, but is 7"),
    ],
)
def test_mistakes(pair_film, tmp_path, name, options, words):
    with pytest.raises(ww.ModelError, match=words):
        save_film(pair_film, tmp_path / name, **options)
    assert list(tmp_path.iterdir()) == []


def test_folder_that_is_not_there(pair_film, tmp_path):
    with pytest.raises(FileNotFoundError):
        save_film(pair_film, tmp_path / "none" / "x.glb")
