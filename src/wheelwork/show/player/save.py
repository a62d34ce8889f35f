"""Films as files: a page that plays, a GLB, a still, or a moving picture."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from wheelwork.description.whole_file import Draft
from wheelwork.lazy import Image
from wheelwork.problems import ModelError

from .film import Film
from .glb import glb
from .player import page, playing_speeds
from .plots import SignalPlots
from .render import Painter

KINDS = {
    ".html": "a page that plays it, whole in one file",
    ".glb": "solids and motion for other programs (glTF 2.0)",
    ".png": "a still picture",
    ".gif": "a moving picture",
    ".mp4": "a film; needs ffmpeg",
}
MOST_SECONDS = 6.0
RATES = {".gif": 20, ".mp4": 30}
"""Pictures in a second."""


def save_film(
    film: Film,
    path: str | os.PathLike[str],
    title: str = "mechanism",
    *,
    time: float | None = None,
    seconds: float | None = None,
    size: tuple[int, int] = (960, 640),
    plots: SignalPlots | None = None,
    **look: Any,
) -> None:
    """Write a film to a file; its ending chooses what: .html, .glb, .png, .gif or .mp4.

    time [s]: of the still; the start where left out
    seconds: that a moving picture lasts; what real time or the player's own speed makes it, at most 6
    size: pixels of pictures
    plots: signals that a page plots beside it
    look: `yaw`, `pitch` [rad], `dark`, `forces`, `hidden`, `named`: as `wheelwork.show.player.render.Painter` has them
    """
    target = Path(path)
    kind = target.suffix.lower()
    possible(target)
    if time is not None and not film.start <= time <= film.end:
        why = f"needs a time from {film.start:g} to {film.end:g} s, which the motion lasts, but is {time:g}"
        raise ModelError(why, path="time")
    with Draft(target) as draft:
        if kind == ".html":
            text = page(film, title, named=bool(look.get("named")), plots=plots)
            draft.write_text(text, encoding="utf-8", newline="\n")
        elif kind == ".glb":
            draft.write_bytes(glb(film, title))
        else:
            _paint(film, draft, kind, time, seconds, size, look)


def possible(target: Path) -> None:
    """Before any work: whether there is such a kind of file, and what it takes."""
    kind = target.suffix.lower()
    if kind not in KINDS:
        kinds = ", ".join(f"`{ending}` ({what})" for ending, what in KINDS.items())
        given = f"`{kind}`" if kind else "none"
        raise ModelError(f"needs an ending that says what to write: {kinds}; it has {given}", str(target))
    if kind == ".mp4" and shutil.which("ffmpeg") is None:
        hint = "install ffmpeg, or take `.gif` or `.html`, which need nothing else"
        raise ModelError("MP4 needs the program `ffmpeg`, which is not on the path", str(target), "", hint)


def _paint(
    film: Film,
    target: Path,
    kind: str,
    time: float | None,
    seconds: float | None,
    size: tuple[int, int],
    look: dict[str, Any],
) -> None:
    painter = Painter(film, size, **look)
    if kind == ".png":
        Image.fromarray(painter.picture(film.start if time is None else time)).save(target)
        return
    span = film.end - film.start
    lasts = min(span / playing_speeds(span)[0], MOST_SECONDS) if seconds is None else seconds
    count = max(2, round(lasts * RATES[kind])) if span > 0 else 1
    # the picture after the last is the first again
    times = np.linspace(film.start, film.end, count, endpoint=count == 1)
    pictures = (painter.picture(float(t)) for t in times)
    (_gif if kind == ".gif" else _mp4)(pictures, target, size, RATES[kind])


def _gif(pictures: Iterator[np.ndarray], target: Path, size: tuple[int, int], rate: int) -> None:
    """All pictures have the colours of the first: what moves keeps its colour, so they suffice."""
    first = Image.fromarray(next(pictures)).quantize(128, dither=Image.Dither.NONE)
    rest = [Image.fromarray(p).quantize(palette=first, dither=Image.Dither.NONE) for p in pictures]
    first.save(target, save_all=True, append_images=rest, duration=round(1000 / rate), loop=0, optimize=False)


def _mp4(pictures: Iterator[np.ndarray], target: Path, size: tuple[int, int], rate: int) -> None:
    width, height = size
    given = f"-f rawvideo -pix_fmt rgb24 -s {width}x{height} -r {rate} -i -"
    made = "-vf crop=trunc(iw/2)*2:trunc(ih/2)*2 -pix_fmt yuv420p"
    command = f"ffmpeg -loglevel error -y {given} {made}".split()
    with subprocess.Popen([*command, str(target)], stdin=subprocess.PIPE, stderr=subprocess.PIPE) as ffmpeg:
        assert ffmpeg.stdin is not None
        assert ffmpeg.stderr is not None
        try:
            for picture in pictures:
                ffmpeg.stdin.write(picture.tobytes())
            ffmpeg.stdin.close()
        except BrokenPipeError:
            pass  # ffmpeg has given up and says why
        words = ffmpeg.stderr.read().decode(errors="replace").strip()
    if ffmpeg.returncode != 0:
        raise ModelError(f"ffmpeg could not write it: {words}", str(target), "", "take `.gif` or `.html`")
