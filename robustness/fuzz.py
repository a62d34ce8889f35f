"""Spoilt model files, read and checked as `wheelwork check` does: every one is either good or refused with words.

Time and memory of each are measured: a file of a few kilobytes must not take seconds or hundreds of megabytes.
"""

from __future__ import annotations

import resource
import signal
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from wheelwork import examples
from wheelwork.description import ModelError
from wheelwork.mechanism import loads

from .mutations import spoilt_text

PATIENCE = 20  # s
MEMORY = 500  # MB more than before


@dataclass(frozen=True)
class Spoilt:
    """What became of one spoilt file.

    seed, file, done: which it is, what it was, what was done to it
    verdict: `good`, `refused` or `wrong`
    words: of the refusal, or of what is wrong
    seconds, megabytes: what it took
    """

    seed: int
    file: str
    done: str
    verdict: str
    words: str
    seconds: float
    megabytes: float


class Hung(Exception):
    """It takes too long."""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raise after so long, where the system has alarms."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Hung(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def bundled() -> dict[str, str]:
    """Texts of the bundled models that stand alone."""
    texts = {name: examples.path(name).read_text(encoding="utf-8") for name in examples.names()}
    return {name: text for name, text in texts.items() if "file:" not in text and len(text) < 20_000}


def read_spoilt(seed: int, texts: dict[str, str] | None = None) -> Spoilt:
    """Spoil a file, read it, check it; nothing that it does ends in an exception."""
    file, done, text = spoilt_text(seed, texts or bundled())
    began, memory = time.process_time(), _memory()
    try:
        with at_most(PATIENCE), warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            verdict, words = _read(text)
        foreign = [w for w in warned if not w.category.__module__.startswith("wheelwork")]
        if foreign:
            verdict, words = "wrong", f"{foreign[0].category.__name__}: {foreign[0].message}"
    except Exception as error:
        verdict, words = "wrong", f"{type(error).__name__}: {error}"
    took, grown = time.process_time() - began, _memory() - memory
    if verdict != "wrong" and grown > MEMORY:
        verdict, words = "wrong", f"took {grown:.0f} MB"
    return Spoilt(seed, file, done, verdict, words, took, grown)


def _read(text: str) -> tuple[str, str]:
    try:
        loads(text).check()
    except ModelError as error:
        str(error).encode()  # what cannot be printed is no message
        said = bool(error.problems) and all(problem.message.strip() for problem in error.problems)
        return ("refused", str(error)) if said else ("wrong", "refused without words")
    return "good", ""


def _memory() -> float:
    """Largest memory that this process had so far [MB]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
