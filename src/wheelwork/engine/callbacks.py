"""What is raised while machine code calls Python, which ctypes would print and forget."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any


class RaisedInCallbacks:
    """A context around a call of the runtime: what its callbacks raise ends the run, and is there to be raised again.

    Handlers of signals are called on the way into a callback, before any `try` inside it: what these raise comes by
    Python's hook for what nobody can catch.
    """

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def caught(self, call: Callable[..., Any], after: Any) -> Callable[..., Any]:
        """A callback that returns `after` once something was raised."""

        def guarded(*given: Any) -> Any:
            try:
                return call(*given) if self.error is None else after
            except BaseException as error:
                self.error = error
                return after

        return guarded

    def __enter__(self) -> None:
        self._before = sys.unraisablehook
        if threading.current_thread() is threading.main_thread():  # the one that handles signals
            sys.unraisablehook = self._unraisable

    def __exit__(self, *_: object) -> None:
        if threading.current_thread() is threading.main_thread():
            sys.unraisablehook = self._before

    def again(self) -> None:
        """Raise what was raised."""
        if self.error is not None:
            raise self.error

    def _unraisable(self, told: Any) -> None:
        here = threading.current_thread() is threading.main_thread()
        if here and told.exc_value is not None and "ctypes callback" in (told.err_msg or ""):
            self.error = self.error or told.exc_value
        else:
            self._before(told)
