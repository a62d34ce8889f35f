"""Progress of a study, in variants."""

from __future__ import annotations

from typing import Any

from wheelwork.engine.watch import Watch


class StudyWatch(Watch):
    """Progress in variants."""

    def __init__(self, count: int, show: bool | None, title: str, done: int = 0):
        super().__init__(float(done), float(count), show, title or "study")
        self._done, self._failed = done, 0

    def told(self, done: int, failed: int) -> bool:
        """In the chunk under way."""
        return self._tell(self._done + done, self._failed + failed)

    def chunk_done(self, done: int, failed: int) -> bool:
        self._done += done
        self._failed += failed
        return self._tell(self._done, self._failed)

    def _tell(self, done: int, failed: int) -> bool:
        self._failures = failed
        return self.step(float(done), done)

    def _texts(self, t: float, elapsed: float) -> dict[str, Any]:
        failures = f", {self._failures} failed" if self._failures else ""
        return {
            "t": f"{t:.0f} of {self.end:.0f} variants{failures}",
            "speed": f"{(t - self.start) / max(elapsed, 1e-9):.3g}/s",
        }
