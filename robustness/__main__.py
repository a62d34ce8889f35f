"""`python -m robustness`, or `./wheelwork-dev robustness`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Annotated, Any

from cyclopts import App, Parameter

from wheelwork.cli import FAILED, GOOD, INTERRUPTED, main
from wheelwork.cli.app import new_app
from wheelwork.cli.options import Json
from wheelwork.cli.show import console, facts, print_json, progress_bar, table

from . import controls, judge_in_all_ways, read_spoilt
from .fuzz import bundled

FURTHER = {
    "yielding": "wheels that yield",
    "elastic": "teeth that give way",
    "switching": "joints that stick",
    "sampled": "elements of any type",
}
"""Families on top of those that are drawn by lot, and what their bars say."""


def robustness(
    *,
    mechanisms: Annotated[int, Parameter(help="Random mechanisms to run.")] = 500,
    files: Annotated[int, Parameter(help="Spoilt model files to read.")] = 1000,
    seed: Annotated[int, Parameter(name="--seed", help="Number of the first of both.")] = 0,
    json: Json = False,
) -> int:
    """Run mechanisms made at random and read model files spoilt at random; count what is sound and show what is not.

    Before that, motions and files with one right answer. Every mechanism is run in every formulation and by every
    method, which must agree; to those asked for come a seventh each whose wheels yield, whose teeth do, of several
    materials, in which joints stick and balls strike, and of elements of any types there are. After each the report is
    made: its texts and tables for all, film and plots for one in seven. The same numbers give the same mechanisms and
    files. The exit code is 1 if anything is wrong.
    """
    looked = list(controls())
    texts = bundled()
    ran, complete = _each(range(seed, seed + mechanisms), judge_in_all_ways, "mechanisms")
    further = range(seed, seed + mechanisms // 7)
    for family, noun in FURTHER.items():
        if complete:
            more, complete = _each(further, lambda k, of=family: judge_in_all_ways(k, of), noun)
            ran += more
    read: list[Any] = []
    if complete:
        read, complete = _each(range(seed, seed + files), lambda k: read_spoilt(k, texts), "files")
    wrong = [j for j in (*looked, *ran, *read) if j.verdict == "wrong"]
    if json:
        print_json(
            {
                "controls": [vars(j) for j in looked],
                "mechanisms": [vars(j) for j in ran],
                "files": [vars(j) for j in read],
                "passed": not wrong,
            }
        )
    else:
        _show(looked, ran, read, wrong)
    if not complete:
        return INTERRUPTED
    return FAILED if wrong else GOOD


def _each(seeds: range, look: Callable[[int], Any], noun: str) -> tuple[list[Any], bool]:
    """One after the other with a bar; Ctrl-C keeps what is done."""
    found: list[Any] = []
    try:
        with progress_bar() as watch:
            for k in seeds:
                watch(len(found), len(seeds), noun)
                found.append(look(k))
    except KeyboardInterrupt:
        return found, False
    return found, True


def _show(looked: list[Any], ran: list[Any], read: list[Any], wrong: list[Any]) -> None:
    out = console()
    right = sum(j.verdict == "right" for j in looked)
    out.print(facts([("controls", f"{right} of {len(looked)} have the right answer")]))
    out.print()
    if ran:
        rows = list(_families(ran))
        columns = ["family", "ran", "refused, rightly", "wrong", "largest residual", "energy left open"]
        out.print(table(f"Random mechanisms ({len(ran)})", columns, rows, right=[1, 2, 3, 4, 5]))
        out.print()
    if read:
        counts = Counter(j.verdict for j in read)
        out.print(table(f"Spoilt files ({len(read)})", ["read", "refused with words", "wrong", "longest [s]"],
                        [(str(counts["good"]), str(counts["refused"]), str(counts["wrong"]),
                          f"{max(j.seconds for j in read):.2f}")], right=[0, 1, 2, 3]))  # fmt: skip
        out.print()
    for j in wrong:
        if hasattr(j, "name"):
            which = f"control {j.name}"
        else:
            which = f"number {j.seed} ({getattr(j, 'family', None) or f'{j.file}: {j.done}'})"
        out.print(facts([("wrong", which), ("", j.words)]))
    if not wrong:
        out.print("nothing is wrong", style="green")


def _families(ran: list[Any]) -> Iterator[tuple[str, ...]]:
    for family in dict.fromkeys(j.family for j in ran):
        own = [j for j in ran if j.family == family]
        counts = Counter(j.verdict for j in own)
        sizes = [f"{max(getattr(j, name) for j in own):.1e}" for name in ("residual", "drift")]
        yield family, *(str(counts[verdict]) for verdict in ("ran", "refused", "wrong")), *sizes


def make_app() -> App:
    app = new_app("robustness")
    app.default(robustness)
    return app


def start() -> int:
    return main(make=make_app)


if __name__ == "__main__":
    sys.exit(start())
