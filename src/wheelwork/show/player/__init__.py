"""Looking at mechanisms: in the browser, and as files to take away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wheelwork.lazy import names_of

from .film import Film, film, film_before_run, film_of_motion
from .player import InlinePlayer
from .plots import SignalPlots
from .save import save_film

if TYPE_CHECKING:
    from .modes import picture_of_mode
    from .viewer import Viewer, view_model, view_result

__all__ = [
    "Film", "InlinePlayer", "SignalPlots", "Viewer", "film", "film_before_run", "film_of_motion", "picture_of_mode",
    "save_film",
    "view_model", "view_result",
]  # fmt: skip

# its server takes 15 ms to load, which films and reports do without, and pictures of modes the painter
__getattr__ = names_of(
    __name__, {"modes": ["picture_of_mode"], "viewer": ["Viewer", "view_model", "view_result"]}
)
