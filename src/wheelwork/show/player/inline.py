"""The player inside a page of somebody else's: a cell of a notebook."""

from __future__ import annotations

from html import escape

from .film import Film
from .player import page
from .plots import SignalPlots


class InlinePlayer:
    """A film that a notebook shows where it is the value of a cell, in a frame of its own: the page of the report.

    Nothing is loaded from elsewhere, and the frame reaches nothing of the notebook.
    """

    def __init__(self, film: Film, title: str, height: int, plots: SignalPlots | None = None) -> None:
        self.html = page(film, title, plots=plots)
        """The whole page."""
        self._height = height
        self._title = title

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self._height}px; border: 1px solid #8884; border-radius: 6px"
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(self.html)}"></iframe>'

    def __repr__(self) -> str:
        return f"<player of {self._title!r}: notebooks show it; `animate` writes it to a file>"
