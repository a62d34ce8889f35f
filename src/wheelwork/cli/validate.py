"""`wheelwork validate`"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from wheelwork.description.whole_file import write_whole
from wheelwork.validation import chosen, run_cases
from wheelwork.validation.finding import digits
from wheelwork.validation.page import page
from wheelwork.validation.runner import as_data

from . import FAILED, GOOD, INTERRUPTED
from .options import Json
from .show import console, facts, print_json, progress_bar, table

if TYPE_CHECKING:
    from rich.console import Console

    from wheelwork.validation import Case, CaseOutcome

NARROW = 110
"""Columns of a terminal below which the table has none for the origins of tolerances."""


def validate(
    *,
    only: list[str] = [],  # noqa: B006
    every: Annotated[bool, Parameter("--all")] = False,
    listing: Annotated[bool, Parameter("--list")] = False,
    html: Path | None = None,
    json: Json = False,
) -> int:
    """Run published cases in every formulation and mesh model that can express them; compare with the sources.

    Ctrl-C keeps what is done. The exit code is 1 if anything fails.

    Args:
        only: Cases whose names begin with this text. May be repeated.
        every: Every way of running a case, not only the one that comes nearest to its tolerance.
        listing: List the cases, run none.
        html: File for the whole table as a page.
    """
    cases = chosen(only)
    if listing:
        _list(cases, json)
        return GOOD
    outcomes: list[CaseOutcome] = []
    out, complete, shown = console(), False, 0
    try:
        with progress_bar() as bar:
            for outcome in run_cases(cases, lambda done, total, c, way: bar(done, total, f"{c.name}: {way}")):
                outcomes.append(outcome)
                last = outcome.way is outcome.case.ways[-1]
                if last and not json:
                    _show(out, outcome.case, outcomes[shown:], every)
                    shown = len(outcomes)
            complete = True
    except KeyboardInterrupt:
        if shown < len(outcomes) and not json:
            _show(out, outcomes[shown].case, outcomes[shown:], every)
    data = as_data(cases, outcomes, complete)
    if html is not None:
        write_whole(html, page(data).encode())
    if json:
        print_json(data)
    else:
        _summary(out, cases, outcomes, complete, html)
    if not complete:
        return INTERRUPTED
    return GOOD if data["passed"] else FAILED


def _list(cases: Sequence[Case], as_json: bool) -> None:
    if as_json:
        print_json([{"name": c.name, "title": c.title, "source": c.source} for c in cases])
        return
    rows = [(case.name, case.title, str(len(case.ways))) for case in cases]
    console().print(table(f"Cases ({len(rows)})", ["name", "what", "ways"], rows, right=[2]))


def _show(out: Console, case: Case, outcomes: Sequence[CaseOutcome], every: bool) -> None:
    """One case: its source, its quantities, how it was run and how it could not be."""
    rows: dict[str, tuple[float, tuple[str, ...]]] = {}
    for outcome in outcomes:
        for f in outcome.findings:
            used = f.error / f.tolerance if f.tolerance else (0.0 if f.passed else float("inf"))
            used = used if used == used else float("inf")
            quantity = f.quantity + (f" [{f.unit}]" if f.unit else "")
            numbers = (digits(f.reference, f.error), digits(f.ours, f.error))
            verdict = "pass" if f.passed else "FAIL"
            errors = (f"{f.error:.1e}", f"{f.tolerance:.1e}")
            line = (quantity, *numbers, *errors, f.origin, str(outcome.way), verdict)
            key = f"{quantity}|{outcome.way}" if every else quantity
            if key not in rows or used > rows[key][0]:
                rows[key] = (used, line)
    columns = ["quantity", "reference", "ours", "error", "tolerance", "which comes from", "run", ""]
    if not every and len(outcomes) > 1:
        columns[6] = "worst run"
    lines = [line for _, line in rows.values()]
    origins: dict[str, list[str]] = {}
    if out.width < NARROW:  # no room for the sentences in a column: below the table, each once
        for line in lines:
            if line[0] not in origins.setdefault(line[5], []):
                origins[line[5]].append(line[0])
        columns, lines = columns[:5] + columns[6:], [line[:5] + line[6:] for line in lines]
    out.print()
    out.print(table(f"{case.title} ({case.name})", columns, lines, right=[1, 2, 3, 4]))
    notes = [("source", case.source), ("run", "; ".join(str(outcome.way) for outcome in outcomes))]
    notes += [("tolerance", f"{', '.join(names)}: {origin}") for origin, names in origins.items()]
    notes += [("not run", f"{refusal}: {refusal.why}") for refusal in case.refusals]
    notes += [("FAIL", f"{outcome.way}: {outcome.error}") for outcome in outcomes if outcome.error]
    out.print(facts(notes))


def _summary(
    out: Console, cases: Sequence[Case], outcomes: Sequence[CaseOutcome], complete: bool, html: Path | None
) -> None:
    failed = [outcome for outcome in outcomes if not outcome.passed]
    findings = sum(len(outcome.findings) for outcome in outcomes)
    seconds = sum(outcome.seconds for outcome in outcomes)
    out.print()
    done = len({outcome.case.name for outcome in outcomes})
    words = f"{done} cases, {len(outcomes)} runs, {findings} quantities in {seconds:.0f} s of processor time"
    out.print(words, style="bold")
    if html is not None:
        out.print(f"written: {html}", markup=False)
    if not complete:
        out.print(
            f"interrupted: {done} of {len(cases)} cases were begun; what was done is above", style="yellow"
        )
    for outcome in failed:
        out.print(f"FAIL {outcome.case.name}: {outcome.way}", style="bold red", markup=False)
    if complete and not failed:
        out.print("all pass", style="green")
