"""Progress of a sweep: values done and time left; Ctrl-C stops it and loses nothing."""

from __future__ import annotations

from typing import Any

from wheelwork.engine.watch import Watch


class SweepWatch(Watch):
    """A watch over `count` values."""

    def __init__(self, count: int, show: bool | None, title: str = ""):
        super().__init__(0.0, float(count), show, title)
        self._done = 0
        self._words = ""

    def begin(self, words: str) -> None:
        """A new value begins."""
        self._words = words

    def done(self) -> None:
        """A value is done."""
        self._done += 1

    def step(self, t: float, steps: int) -> bool:
        """`t`: part of the present value that is done, 0 to 1."""
        return super().step(self._done + t, steps)

    def _texts(self, t: float, elapsed: float) -> dict[str, Any]:
        del elapsed
        return {"t": f"{self._done} of {self.end:.0f}", "speed": self._words}
