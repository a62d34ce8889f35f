"""The tables in the terminal, from a file of results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from . import gear_report, sheets, study_report, teeth_report, yaw_report
from .figures import figures
from .sheets import Named, Sheet

HEADLINE_BODIES = 43

SHEETS: dict[str, Callable[[Any], Named]] = {
    "rhs": sheets.rhs, "steps": sheets.steps, "memory": sheets.memory, "train": gear_report.train,
    "forward": gear_report.forward, "yaw": yaw_report.sheets, "teeth": teeth_report.sheets,
    "study": study_report.sheets, "sweep": sheets.sweep, "precision": sheets.precision, "squeezer": sheets.squeezer,
    "growth": sheets.growth, "whole": sheets.whole, "start": sheets.start,
}  # fmt: skip
"""Tables of each part."""


def all_sheets(data: dict[str, Any]) -> Named:
    """Of the parts that there are, all comparisons in one, aims, and who is missing."""
    results = {name: part["results"] for name, part in data["parts"].items()}
    for name, make in SHEETS.items():
        if name in results:
            yield from make(results[name])
    yield "figures", sheets.aims("Figures that the engine was aimed at", "what", figures(results))
    yield "summary", sheets.summary(data["summary"])
    yield "absent", sheets.absent(data["summary"])
    title = f"Against the targets (chain: N = {HEADLINE_BODIES})"
    yield "targets", sheets.aims(title, "aim", targets(results))


def show(data: dict[str, Any], console: Console) -> None:
    """Print all that was measured."""
    _about(data["about"], console)
    for _, sheet in all_sheets(data):
        if sheet.lines:
            console.print(_table(sheet))
            console.print()
        elif not sheet.heads:
            console.print(sheet.caption, markup=False)


def _table(sheet: Sheet) -> Table:
    made = Table(
        title=escape(sheet.title),
        caption=escape(sheet.caption),
        title_justify="left",
        caption_justify="left",
    )
    for k, head in enumerate(sheet.heads):
        made.add_column(escape(head), justify="right" if k else "left")
    for line in sheet.lines:
        made.add_row(*(escape(cell.replace("**", "")) for cell in line))
    return made


def _about(about: dict[str, Any], console: Console) -> None:
    versions = ", ".join(f"{name} {v}" for name, v in about["versions"].items() if v)
    where = f"{about['processor']}, {about['cores']} cores, load {about['load']}"
    made = f"commit {about['commit'] or 'unknown'}; {versions}; Python {about['python']}; {about['compiler']}"
    for line in (f"{about['date']}  {where}", made, *(f"{k}: {v}" for k, v in about["flags"].items())):
        console.print(line, markup=False)
    console.print()


def targets(results: dict[str, Any]) -> list[tuple[str, float, str, float]]:
    """What was aimed at: name, measured, comparison, wanted."""
    found: list[tuple[str, float, str, float]] = []
    for row in results.get("steps", []):
        if row["bodies"] == HEADLINE_BODIES and "exudyn best" in row["methods"]:
            ours = row["methods"]["rk4"]["seconds"]
            for theirs in ("exudyn best", "exudyn default tolerances"):
                times = row["methods"][theirs]["seconds"] / ours
                found.append((f"times faster a step, rk4, {theirs}", times, ">=", 10))
    for part in results.get("precision", []):
        if part["bodies"] == HEADLINE_BODIES and "exudyn" in part["levels"][0]:
            for level in part["levels"]:
                times = level["exudyn"]["seconds"] / level["wheelwork"]["seconds"]
                found.append((f"times faster at an error of {level['error']:.0e} m", times, ">=", 30))
    if "exponent" in results.get("rhs", {}):
        found.append(("growth of the right-hand side, exponent", results["rhs"]["exponent"], "<=", 1.1))
    if "memory" in results:
        compiling, running = results["memory"]["compiling"], results["memory"]["running"]
        found.append(("memory while compiling [MB]", compiling["peak"]["together"] / 1e6, "<=", 500))
        found.append(("memory while running [MB]", running["peak"]["python"] / 1e6, "<=", 150))
        more = (running["peak"]["python"] - running["imported"]) / 1e6
        found.append(("memory while running, beyond imports [MB]", more, "<=", 150))
    for row in results.get("sweep", []):
        for ours in ("engine", "call, many turns", "call, one turn"):
            for theirs in ("fsolve loop", "fsolve bodies", "fsolve plain"):
                times = row["seconds"][theirs] / row["seconds"][ours]
                found.append((f"times faster, {row['linkage']} sweep, {ours}, {theirs}", times, ">=", 100))
    for level in results.get("squeezer", {}).get("levels", []):
        if "exudyn" in level:
            times = level["exudyn"]["seconds"] / level["wheelwork"]["seconds"]
            found.append((f"times faster, squeezer at an error of {level['error']:.0e} rad", times, ">=", 20))
    found += gear_report.targets_of(results)
    found += yaw_report.targets(results["yaw"]) if "yaw" in results else []
    found += teeth_report.targets(results["teeth"]) if "teeth" in results else []
    found += study_report.targets(results["study"]) if "study" in results else []
    return found
