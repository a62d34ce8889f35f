"""The mechanism in motion, and a still of it for paper and for browsers without WebGL."""

from __future__ import annotations

import base64
import io

from wheelwork.lazy import Image
from wheelwork.show.player.film import Film
from wheelwork.show.player.player import fragment
from wheelwork.show.player.render import Painter

STILL = (800, 466)


def mechanism(film: Film) -> str:
    if not film.scene.names:
        return ""
    hint = "Drag to turn, wheel to zoom, double click to go back. Drag in a plot to choose the time."
    return (
        f'<section class="card stage">{fragment(film)}</section><img class="still" alt="the mechanism" '
        f'src="data:image/png;base64,{still(film)}"><p class="hint soft">{hint}</p>'
    )


def still(film: Film) -> str:
    """A picture in the middle of the film, as base64 of a PNG."""
    image = Image.fromarray(Painter(film, STILL).picture((film.start + film.end) / 2))
    out = io.BytesIO()
    image.quantize(64, dither=Image.Dither.NONE).save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode("ascii")
