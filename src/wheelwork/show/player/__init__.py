"""Looking at mechanisms: in the browser, and as files to take away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .before import film_before_run
from .film import Film, film, film_of_motion
from .plots import SignalPlots
from .save import save_film

if TYPE_CHECKING:
    from wheelwork.description import Description
    from wheelwork.results import Result

    from .viewer import Viewer

__all__ = [
    "Film",
    "SignalPlots",
    "film",
    "film_before_run",
    "film_of_motion",
    "save_film",
    "view_model",
    "view_result",
]


def view_result(result: Result, *, browser: bool = True, **address: Any) -> Viewer:
    """Show a result in the browser. `host=` and `port=` as `wheelwork.show.player.viewer.Viewer` has them."""
    from .viewer import Viewer

    viewer = Viewer(film(result), result, title=result.provenance.name or "result", **address)
    if browser:
        viewer.open()
    return viewer


def view_model(description: Description, *, browser: bool = True, **address: Any) -> Viewer:
    """Show a mechanism before a run in the browser, assembled or, where it cannot be, as it is given."""
    from .viewer import Viewer

    viewer = Viewer(film_before_run(description), title=description.name or "mechanism", **address)
    if browser:
        viewer.open()
    return viewer
