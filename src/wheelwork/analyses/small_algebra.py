"""Linear algebra of small matrices by one thread.

NumPy's OpenBLAS shares out even matrices of some 60 rows among threads, which wait for each other: a pseudo-inverse
that takes 1 ms took 100 ms on two processors that had other work. Matrices of large mechanisms are left to all threads.
"""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np

SMALL = 300
"""Velocities of a mechanism below which threads do not pay."""

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")


class _Threads:
    """How many threads OpenBLAS uses, where NumPy came with one; they are those of the whole process."""

    def __init__(self, library: Any) -> None:
        self.get: Callable[[], int] = library.scipy_openblas_get_num_threads64_
        self.set: Callable[[int], None] = library.scipy_openblas_set_num_threads64_
        self._lock, self._users, self._before = threading.Lock(), 0, 1

    @contextmanager
    def limit_to_one(self) -> Iterator[None]:
        """Until the last of those that asked for it has done."""
        with self._lock:
            if self._users == 0:
                self._before = self.get()
                self.set(1)
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    self.set(self._before)


@functools.cache
def openblas() -> _Threads | None:
    """None where NumPy uses another library."""
    folder = Path(np.__file__).parent
    for places in (folder.parent / "numpy.libs", folder / ".dylibs"):
        for path in places.glob("*openblas*"):
            try:
                return _Threads(ctypes.CDLL(str(path)))
            except (OSError, AttributeError):  # one with other names
                continue
    return None


def by_one_blas_thread(work: Callable[Concatenate[A, P], R]) -> Callable[Concatenate[A, P], R]:
    """Work on a mechanism, prepared or assembled, which is its first argument."""

    @functools.wraps(work)
    def limited(at: A, *args: P.args, **given: P.kwargs) -> R:
        threads = openblas()
        prepared: Any = getattr(at, "prepared", at)
        if threads is None or prepared.program.nv >= SMALL:
            return work(at, *args, **given)
        with threads.limit_to_one():
            return work(at, *args, **given)

    return limited
