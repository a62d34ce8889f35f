"""Threads: work on many points shared out among them, and one engine for one of them.

An engine keeps the state of the evaluation it is in (frames, factors, modes of friction), and its numbers. Two threads
in it at once, or one that sets numbers between another's `set_numbers` and run, would get trajectories of no model at
all. Both are refused.
"""

from __future__ import annotations

import functools
import itertools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from wheelwork.lazy import futures

LEAST = 128
"""Points that are worth a thread."""


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(part: Callable[[int, int], None], count: int) -> None:
    """Call `part(first, last)` until all points are done; what it calls must let others work meanwhile."""
    pieces = max(1, min(cores(), count // LEAST))
    edges = [count * k // pieces for k in range(pieces + 1)]
    if pieces == 1:
        part(0, count)
        return
    with futures.ThreadPoolExecutor(pieces) as pool:
        for done in [pool.submit(part, *edge) for edge in itertools.pairwise(edges)]:
            done.result()


LOOK = 0.1
"""Seconds between two looks at whether work that is shared out is to stop."""


def shared_out(
    work: Callable[[int, int, Callable[[], bool]], tuple[int, int]],
    count: int,
    size: int,
    threads: int,
    progress: Callable[[int, int], bool | None] | None,
) -> None:
    """Call `work(first, last, is_stopped)` for pieces of some size until all points are done, in threads.

    It returns how many it has done and how many of these failed, which `progress` is told; True from that stops.
    """
    lock, stop = threading.Lock(), threading.Event()
    following, done, failed = 0, 0, 0

    def pieces() -> None:
        nonlocal following, done, failed
        while not stop.is_set():
            with lock:
                first, following = following, min(count, following + size)
                last = following
            if first >= last:
                return
            more = work(first, last, stop.is_set)
            with lock:
                done, failed = done + more[0], failed + more[1]

    if threads == 1 and progress is None:
        return pieces()
    with futures.ThreadPoolExecutor(threads) as pool:
        tasks = [pool.submit(pieces) for _ in range(threads)]
        try:
            while futures.wait(tasks, LOOK).not_done:
                if progress is not None and progress(done, failed):
                    stop.set()
        finally:
            stop.set()
        for task in tasks:
            task.result()
    if progress is not None:
        progress(done, failed)


P = ParamSpec("P")
R = TypeVar("R")


class ThreadError(RuntimeError):
    """A compiled model is used by several threads."""


class OneThread:
    """Guards one engine."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers_of: int | None = None

    @contextmanager
    def use(self, sets_numbers: bool = False) -> Iterator[None]:
        """Be the only one in it; raises ThreadError where another is, or has set its numbers."""
        if not self._lock.acquire(blocking=False):
            raise ThreadError(
                "this compiled model is already at work, in another thread or around this call (`progress`); "
                "make one for each thread"
            )
        try:
            me = threading.get_ident()
            if sets_numbers:
                self._numbers_of = me
            elif self._numbers_of not in (None, me):
                raise ThreadError(
                    "another thread has set the numbers of this compiled model; make one for each thread, or set "
                    "its numbers in the thread that uses it"
                )
            yield
        finally:
            self._lock.release()

    def hand_over(self) -> None:
        """Whoever uses it next may: after it was made."""
        self._numbers_of = None


class Guarded(Protocol):
    """Something with a guard of its own."""

    alone: OneThread


S = TypeVar("S", bound=Guarded)


def by_one_thread(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """A method that uses what `alone` guards."""

    @functools.wraps(method)
    def guarded(self: Any, *args: P.args, **given: P.kwargs) -> R:
        with self.alone.use():
            return method(self, *args, **given)

    return guarded
