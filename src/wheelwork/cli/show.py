"""How things are printed: tables for people, JSON for machines, mistakes in red with the place they are at."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import ConsoleOptions

    from wheelwork.problems import ModelError

WIDTH_OF_A_PIPE = 120


def console(stderr: bool = False) -> Console:
    """For standard output. A pipe or a file has no width: give it one in which tables are readable."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, highlight=False, width=None if stream.isatty() else WIDTH_OF_A_PIPE)


def error_console() -> Console:
    return console(stderr=True)


def table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[int] = ()
) -> TableOfNumbers:
    """A plain table; `right` lists the columns of numbers."""
    return TableOfNumbers(title, list(columns), [list(row) for row in rows], frozenset(right))


@dataclass(frozen=True)
class TableOfNumbers:
    """A table that is continued below itself, with its first columns again, where the numbers do not fit in the width:
    a number is never cut over lines."""

    title: str
    columns: list[str]
    rows: list[list[Any]]
    right: frozenset[int]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table | str]:
        for k, part in enumerate(self.parts(options.max_width)):
            if k:
                yield ""
            yield self._table(part, self.title if k == 0 else "")

    def parts(self, width: int) -> list[list[int]]:
        """Columns of each piece."""
        count = len(self.columns)
        kept = next((k for k in range(count) if k in self.right), count) or 1
        numbers = list(range(kept, count))
        if not numbers or not self.right.issuperset(numbers):
            return [list(range(count))]
        wide = [self._widest(k) + 3 for k in range(count)]
        room = width - min(sum(wide[:kept]), width // 2)
        out: list[list[int]] = [[]]
        for k in numbers:
            if out[-1] and sum(wide[j] for j in out[-1]) + wide[k] > room:
                out.append([])
            out[-1].append(k)
        return [[*range(kept), *part] for part in out]

    def _widest(self, k: int) -> int:
        """Letters of a column's longest entry, or longest word of its heading."""
        return max(*map(len, self.columns[k].split() or [""]), *(len(str(row[k])) for row in self.rows), 1)

    def _table(self, part: list[int], title: str) -> Table:
        out = Table(
            title=_safe(title) if title else None,
            title_justify="left",
            title_style="bold",
            box=box.SIMPLE_HEAD,
            show_edge=False,
            pad_edge=False,
        )
        for k in part:
            number = k in self.right
            justify, least = ("right", self._widest(k)) if number else ("left", None)
            out.add_column(_safe(self.columns[k]), justify=justify, overflow="fold", min_width=least)
        for row in self.rows:
            out.add_row(*(_safe(row[k]) for k in part))
        return out


def facts(rows: Iterable[tuple[str, Any]]) -> Table:
    """Headings with what belongs to them, one per line."""
    out = Table.grid(padding=(0, 2))
    out.add_column(style="dim")
    out.add_column(overflow="fold")
    for heading, value in rows:
        out.add_row(heading, _safe(value))
    return out


def _safe(cell: Any) -> Any:
    """Texts from files are shown as they are: `[mm]` in a name is not markup."""
    if not isinstance(cell, str):
        return cell
    return Text(cell)


def number(value: float, digits: int = 5) -> str:
    """What rounding leaves of a zero is shown as zero."""
    return "0" if abs(value) < 1e-13 else f"{value:.{digits}g}"


def some_of(count: int, most: int) -> list[int]:
    """Places of at most so many lines of a long table, first and last among them."""
    return sorted({round(k * (count - 1) / max(1, min(most, count) - 1)) for k in range(min(most, count))})


def about_model(name: str, file: str) -> Table:
    """What a table is of."""
    return facts([("model", name or "(no name)"), ("file", file)])


def say_written(*paths: Path | None) -> None:
    """Which files there are now; None for one that was not asked for."""
    for path in paths:
        if path is not None:
            console().print(f"written  {path}", markup=False)


def print_json(data: Any) -> None:
    """For machines: one JSON document on standard output, whatever the terminal is like."""
    print(json.dumps(data, indent=2, ensure_ascii=False))


def show_problems(error: ModelError, as_json: bool = False) -> None:
    """All that is wrong with the input, each with its place and what to do about it."""
    if as_json:
        print_json({"problems": [vars(problem) for problem in error.problems]})
        return
    out = error_console()
    count = len(error.problems)
    out.print(Text("error" if count == 1 else f"{count} errors", style="bold red"))
    for problem in error.problems:
        line = Text("  ")
        if problem.where:
            line.append(f"{problem.where}: ", style="cyan")
        if problem.path:
            line.append(f"{problem.path}: ", style="bold")
        line.append(problem.message)
        if problem.hint:
            line.append(f" ({problem.hint})", style="green")
        out.print(line, soft_wrap=True)


def show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """In place of Python's own, which shows a line of our source."""
    if category.__name__ == "RunWarning":  # the outcome is shown with the result
        return
    error_console().print(Text.assemble(("warning: ", "bold yellow"), str(message)), soft_wrap=True)


@contextmanager
def progress_bar(lines: bool = False) -> Iterator[Callable[[int, int, str], None]]:
    """A bar on standard error, where that is a terminal; takes what is done, how many there are, and what is next.
    `lines`: elsewhere a line when something begins."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    out = error_console()
    if not out.is_terminal:
        yield lambda done, total, words: None if done or not lines else out.print(words, markup=False)
        return
    with Progress(*columns, console=out, transient=True) as bar:
        task = bar.add_task("", total=None)

        def watch(done: int, total: int, words: str) -> None:
            bar.update(task, completed=done, total=total, description=words)

        yield watch
