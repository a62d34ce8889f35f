"""What is wrong with a description, reported so that the reader can repair it.

Five classes say that something is wrong; they differ in what is known where they are made. Users get a Problem:

    Problem     what users get, in a `ModelError` or a list: message, file and line, path, what to do
    Issue       of one element, from its `issues` method: the element knows its fields, and nothing of its place
    Fault       of reading values into fields (inside `description`): the path as far as it is known, key or value
    MeshFault   raised while a mesh is placed, which cannot go on then; the layout adds which mesh it is, and where
    Finding     of a gear pair by itself (`wheelwork.gears`), an error or a warning to its designer
"""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING

from wheelwork.lazy import dataclass, difflib, traceback

if TYPE_CHECKING:
    from types import TracebackType


@dataclass(frozen=True)
class Problem:
    """One thing wrong.

    message: what was needed and what was given
    where: `file:line:column`, or empty for a description made in Python
    path: the place in the description, such as `joints.hinge.axis`
    hint: what to do about it, often the nearest valid name
    """

    message: str
    where: str = ""
    path: str = ""
    hint: str = ""

    def __str__(self) -> str:
        place = ": ".join(part for part in (self.where, self.path) if part)
        text = f"{place}: {self.message}" if place else self.message
        return f"{text} ({self.hint})" if self.hint else text


class ModelError(Exception):
    """A description cannot be used; `problems` holds everything found, not only the first.

    where, path, hint: of a single problem, whose message is given as text
    """

    def __init__(
        self, problems: Iterable[Problem] | Problem | str, where: str = "", path: str = "", hint: str = ""
    ) -> None:
        if isinstance(problems, str):
            problems = Problem(problems, where, path, hint)
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        if len(self.problems) == 1:
            return str(self.problems[0])
        return "\n".join([f"{len(self.problems)} problems", *(f"  {problem}" for problem in self.problems)])

    def _render_traceback_(self) -> list[str]:
        """What IPython and notebooks show."""
        return "".join(short_traceback(self)).splitlines()


def short_traceback(error: BaseException) -> list[str]:
    """As Python prints it, without the lines inside Wheelwork, which say nothing about the description."""
    whole = traceback.TracebackException.from_exception(error)
    inside = os.path.dirname(__file__), contextlib.__file__, f"{os.sep}IPython{os.sep}"
    mine = [frame for frame in whole.stack if not any(room in frame.filename for room in inside)]
    whole.stack = traceback.StackSummary.from_list(mine or whole.stack)
    return list(whole.format())


def _show_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """In place of Python's own: a problem of the description needs the user's lines and the message alone."""
    if isinstance(error, ModelError):
        sys.stderr.write("".join(short_traceback(error)))
    else:
        sys.__excepthook__(kind, error, trace)


if sys.excepthook is sys.__excepthook__:  # a program that shows errors in its own way goes on doing so
    sys.excepthook = _show_uncaught


def in_file_order(problems: Iterable[Problem]) -> list[Problem]:
    """Problems as a reader meets them: files in the order they turned up, then by line and column."""
    problems = list(problems)
    files: dict[str, int] = {}

    def place(problem: Problem) -> tuple[int, int, int]:
        file, line, column = [*problem.where.rsplit(":", 2), "", ""][:3]
        if not (line.isdigit() and column.isdigit()):
            file, line, column = problem.where, "0", "0"
        return files.setdefault(file, len(files)), int(line), int(column)

    return sorted(problems, key=place)


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known names most like `name`, best first."""
    known = list(known)
    close = difflib.get_close_matches(name, known, n=count, cutoff=0.6)
    if close:
        # With a common prefix everything is similar; what is clearly less so than the best only distracts.
        scores = [difflib.SequenceMatcher(None, name, other).ratio() for other in close]
        return [other for other, score in zip(close, scores, strict=True) if score > scores[0] - 0.12]
    # A wrong capital or a forgotten prefix is a near miss too, though few characters agree.
    lower = name.lower()
    return [k for k in known if k.lower() == lower or k.lower().endswith("." + lower)][:count]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`did you mean `a` or `b`?`, or empty when nothing is near."""
    close = nearest(name, known)
    return f"did you mean {listed(close, 'or')}?" if close else ""


def listed(names: Iterable[str], last: str = "and") -> str:
    """Names as prose: `a`, `b` and `c`."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"


_given: list[type[Warning]] = []


def warn(text: str, category: type[Warning]) -> None:
    """At the user's line, and counted: what warned once is looked at again each time, never taken from the cache."""
    _given.append(category)
    warnings.warn(text, category, stacklevel=users_level())


def users_level() -> int:
    """`stacklevel` for a warning by who calls this, so that it shows the user's line that led there."""
    frame, level = sys._getframe(1), 1
    while frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "wheelwork":
        frame, level = frame.f_back, level + 1
    return level


def warnings_given() -> int:
    """Warnings so far."""
    return len(_given)
