"""Watching a long run: progress bar with simulated time, speed and time left.

Ctrl-C, or a request to terminate (SIGTERM), stops it and loses nothing. A program's own handlers of
these stay in charge.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, Self

from wheelwork.lazy import rich_console, rich_progress


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C and SIGTERM are not listened to meanwhile."""
    here = threading.current_thread() is threading.main_thread()
    numbers = (signal.SIGINT, signal.SIGTERM) if here else ()
    before = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        restore(before)


def raise_interrupt(number: int, frame: FrameType | None) -> None:
    """Handler of SIGTERM that does what Ctrl-C does."""
    raise KeyboardInterrupt


def _is_usual(handler: Any) -> bool:
    """Whether a handler of Ctrl-C or SIGTERM is none that a program has set for itself."""
    usual = (None, signal.SIG_DFL, signal.SIG_IGN, signal.default_int_handler, raise_interrupt)
    return handler in usual or isinstance(getattr(handler, "__self__", None), Watch)


def restore(handlers: Mapping[Any, Any]) -> None:
    """Handlers of signals as they were."""
    for number, handler in handlers.items():
        signal.signal(number, signal.SIG_DFL if handler is None else handler)


def notebook() -> Any:
    """The display functions of IPython where this runs in a notebook; None elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return None if getattr(shell, "kernel", None) is None else sys.modules.get("IPython.display")


class NotebookBar:
    """A progress bar as HTML below a notebook's cell, which goes when the run is over; as rich's bar is used."""

    SECONDS = 0.2
    """From one drawing to the next."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._last = 0.0
        self._about: dict[str, Any] = {}

    def start(self) -> None:
        show = notebook()
        self._handle = show.display(show.HTML(""), display_id=True)

    def add_task(self, title: str, **about: Any) -> None:
        self._about = {"title": title, **about}

    def update(self, task: object, **about: Any) -> None:
        self._about |= about
        now = time.perf_counter()
        if now - self._last >= self.SECONDS:
            self._last = now
            self._handle.update(notebook().HTML(self.html()))

    def html(self) -> str:
        about = self._about
        share = min(max(about.get("completed", 0.0) / (about.get("total") or 1.0), 0.0), 1.0)
        title = str(about["title"]).replace("&", "&amp;").replace("<", "&lt;")
        return (
            f'<div>{title} <progress value="{share:.3f}" max="1"></progress> {share:.0%}, {about.get("t", "")}, '
            f"{about.get('speed', '')}</div>"
        )

    def stop(self) -> None:
        self._handle.update(notebook().HTML(""))


class Watch:
    """Use as a context; `step(t, steps)` is called now and then by the engine and says whether to stop."""

    _last_press = -1e9
    _terminated = False
    """Whether the process was asked to terminate: it may keep what the run has found, and begins no other."""

    def __init__(self, start: float, end: float, show: bool | None, title: str = ""):
        self.start, self.end, self.title = start, end, title or "simulating"
        terminal = sys.stderr is not None and sys.stderr.isatty()
        self.show = (terminal or notebook() is not None) if show is None else show
        self.presses, self._pressed = 0, -1e9
        self.seconds = 0.0
        """That the run took, when it is over."""
        self._bar: Any = None
        self._task: Any = None
        self._began = time.perf_counter()
        self._old_handlers: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if Watch._terminated:
            raise SystemExit(128 + signal.SIGTERM)
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if _is_usual(signal.getsignal(number)):
                    self._old_handlers[number] = signal.signal(number, self._interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self._began
        restore(self._old_handlers)
        if self._bar is not None:
            self._bar.stop()
        if self.presses == 0:
            return
        # one press ends the run and keeps it; a second, or one soon after another run was ended, means the program
        now = time.monotonic()
        again = now - Watch._last_press < 3.0
        Watch._last_press = now
        if self.presses > 1 or again:
            raise KeyboardInterrupt

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        del frame
        Watch._terminated = Watch._terminated or number == signal.SIGTERM
        now = time.monotonic()
        if now - self._pressed > 0.5:  # some programs that end others do so twice
            self.presses += 1
        self._pressed = now

    def step(self, t: float, steps: int) -> bool:
        if self.show:
            self._draw(t, steps)
        return self.presses > 0

    def _draw(self, t: float, steps: int) -> None:
        elapsed = time.perf_counter() - self._began
        if self._bar is None:
            if elapsed < 0.5:  # a run this short needs no bar
                return
            self._bar = self._make_bar() if notebook() is None else NotebookBar()
            self._bar.start()
            self._task = self._bar.add_task(self.title, total=self.end - self.start, t="", speed="")
        self._bar.update(self._task, completed=t - self.start, **self._texts(t, elapsed))

    def _texts(self, t: float, elapsed: float) -> dict[str, Any]:
        """What the bar says beside itself."""
        speed = (t - self.start) / max(elapsed, 1e-9)
        return {"t": f"{t:.4g} of {self.end:.4g} s", "speed": f"{speed:.3g}x real time"}

    @staticmethod
    def _make_bar() -> Any:
        return rich_progress.Progress(
            rich_progress.TextColumn("{task.description}"),
            rich_progress.BarColumn(),
            rich_progress.TextColumn("{task.fields[t]}"),
            rich_progress.TextColumn("{task.fields[speed]}"),
            rich_progress.TimeRemainingColumn(),
            console=rich_console.Console(stderr=True),
            transient=True,
        )
