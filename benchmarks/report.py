"""The tables in the terminal, from a file of results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.markup import escape

from . import gear_report, sheets, study_report, teeth_report, yaw_report
from .figures import figures
from .sheets import Sheet
from .tables import mb, ratio, table, us

HEADLINE_BODIES = 43


def show(data: dict[str, Any], console: Console) -> None:
    """Print all that was measured: the parts' own tables, all comparisons in one, targets, and who is missing."""
    _about(data["about"], console)
    results = {name: part["results"] for name, part in data["parts"].items()}
    for name, part in (
        ("rhs", _rhs),
        ("steps", _steps),
        ("memory", _memory),
        ("train", gear_report.show_train),
        ("forward", gear_report.show_forward),
        ("yaw", yaw_report.show),
        ("teeth", teeth_report.show),
        ("study", study_report.show),
        ("sweep", _sweep),
    ):
        if name in results:
            part(results[name], console)
    for sheet in _sheets(results):
        show_sheet(sheet, console)
    for sheet in (sheets.summary(data["summary"]), sheets.absent(data["summary"])):
        show_sheet(sheet, console)
    _targets(results, console)


def _sheets(results: dict[str, Any]) -> Iterator[Sheet]:
    if "precision" in results:
        yield from (sheet for _, sheet in sheets.precision(results["precision"]))
    if "squeezer" in results:
        yield sheets.squeezer(results["squeezer"])
    if "growth" in results:
        yield from (sheet for _, sheet in sheets.growth(results["growth"]))
    if "whole" in results:
        yield sheets.whole(results["whole"])
    if "start" in results:
        yield sheets.start(results["start"])
    yield sheets.figures(list(figures(results)))


def show_sheet(sheet: Sheet, console: Console) -> None:
    if sheet.lines:
        made = table(sheet.title, *sheet.heads, caption=sheet.caption)
        for line in sheet.lines:
            made.add_row(*map(escape, line))
        console.print(made)
        console.print()


def _about(about: dict[str, Any], console: Console) -> None:
    versions = ", ".join(f"{name} {v}" for name, v in about["versions"].items() if v)
    where = f"{about['processor']}, {about['cores']} cores, load {about['load']}"
    made = f"commit {about['commit'] or 'unknown'}; {versions}; Python {about['python']}; {about['compiler']}"
    for line in (f"{about['date']}  {where}", made, *(f"{k}: {v}" for k, v in about["flags"].items())):
        console.print(line, markup=False)
    console.print()


def _rhs(part: dict[str, Any], console: Console) -> None:
    made = table(
        "Right-hand side [us], at the state of t = 1 s",
        "N", "ours", "ours / N", "Exudyn: terms only", "ours/theirs", "Exudyn: accelerations", "ours/theirs",
        "Exudyn: tree", "ours/theirs",
        caption="terms: M, f, g, G assembled, nothing solved. accelerations: terms, factorisation and solve, by code "
        "that Exudyn runs once a simulation. tree: minimal coordinates, a quarter of a step of RK4.",
    )  # fmt: skip
    for row in part["rows"]:
        cells = [str(row["bodies"]), us(row["ours"]), us(row["ours"] / row["bodies"])]
        for name in ("terms", "accelerations", "tree"):
            cells += [us(row.get(name)), ratio(row["ours"], row.get(name))]
        made.add_row(*cells)
    console.print(made)
    if "exponent" in part:
        local = ", ".join(f"{p:.2f}" for p in part["local_exponents"])
        console.print(f"ours grows as N^{part['exponent']:.2f} (from each N to the next: {local})\n")


def _steps(part: list[dict[str, Any]], console: Console) -> None:
    made = table(
        "One step [us] / error at t = 1 s [m]",
        "method", *(f"N = {row['bodies']}" for row in part),
        caption="Fixed steps: 1 ms; kinematic tree: 10 ms. dopri5: tolerances 1e-8, 1e-10; sdirk4: 1e-6, 1e-8.",
    )  # fmt: skip
    names = list(dict.fromkeys(name for row in part for name in row["methods"]))
    for name in names:
        found = [row["methods"].get(name) for row in part]
        cells = ["-" if run is None else f"{us(run['seconds'])} / {run['error']:.0e}" for run in found]
        made.add_row(name if name.startswith("exudyn") else f"[bold]{name}[/]", *cells)
    made.add_section()
    for ours in ("rk4", "dopri5", "sdirk4"):
        for theirs in names:
            if theirs in ("exudyn best", "exudyn default tolerances") or (
                ours == "rk4" and theirs == "exudyn tree RK44"
            ):
                pairs = [(row["methods"][ours], row["methods"].get(theirs)) for row in part]
                cells = [ratio(a["seconds"], b and b["seconds"]) for a, b in pairs]
                made.add_row(f"{ours} / {theirs}", *cells)
    console.print(made)
    console.print()


def _memory(part: dict[str, Any], console: Console) -> None:
    made = table(
        f"Resident memory, {part['bodies']} bodies [MB]",
        "", "bare Python", "imports", "model ready", "after runs", "peak Python", "peak compiler", "peak together",
        caption="compiler: sum over its processes (driver, cc1plus, assembler, linker), sampled every 2 ms",
    )  # fmt: skip
    for name, title in (("compiling", "empty cache"), ("running", "full cache"), ("exudyn", "Exudyn")):
        if name in part:
            run = part[name]
            cells = [mb(run[key]) if key in run else "-" for key in ("bare", "imported", "ready", "ran")]
            cells += [mb(run["peak"][key]) for key in ("python", "compiler", "together")]
            made.add_row(title, *cells)
    console.print(made)
    console.print()


SIDES = {
    "engine": "ours: the sweep alone",
    "call, many turns": "ours: all of m.kinematics(), {many} turns",
    "call, one turn": "ours: all of m.kinematics(), one turn",
    "fsolve loop": "fsolve: 2 loop equations, Jacobian given",
    "fsolve bodies": "fsolve: 9 equations of bodies, Jacobian given",
    "fsolve plain": "fsolve: the same 9 in NumPy, no Jacobian",
}


def _sweep(part: list[dict[str, Any]], console: Console) -> None:
    peers = [side for side in SIDES if side.startswith("fsolve")]
    for row in part:
        made = table(
            f"Positions of a driven {row['linkage']}, {row['turn']} a turn",
            "side", "us a position", "positions/s", "error", *(f"times {side}" for side in peers),
            caption="ours: with velocities, accelerations, torques and reactions; fsolve: positions alone. "
            "m.kinematics(): description, equations, loading and result included.",
        )  # fmt: skip
        for side, title in SIDES.items():
            seconds = row["seconds"][side]
            times = ["" if side in peers else f"{row['seconds'][p] / seconds:.3g}" for p in peers]
            cells = [us(seconds), f"{1 / seconds:.3g}", f"{row['errors'][side]:.0e}", *times]
            made.add_row(title.format(**row), *cells)
        console.print(made)
        console.print()


def targets(results: dict[str, Any]) -> list[tuple[str, float, str, float, bool]]:
    """What was aimed at: name, measured, comparison, wanted, whether met."""
    found: list[tuple[str, float, str, float]] = []
    for row in results.get("steps", []):
        if row["bodies"] == HEADLINE_BODIES and "exudyn best" in row["methods"]:
            ours = row["methods"]["rk4"]["seconds"]
            for theirs in ("exudyn best", "exudyn default tolerances"):
                found.append(
                    (
                        f"times faster a step, rk4, {theirs}",
                        row["methods"][theirs]["seconds"] / ours,
                        ">=",
                        10,
                    )
                )
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
    return [(*f, f[1] >= f[3] if f[2] == ">=" else f[1] <= f[3]) for f in found]


def _targets(results: dict[str, Any], console: Console) -> None:
    made = table(f"Against the targets (chain: N = {HEADLINE_BODIES})", "", "measured", "wanted", "")
    for name, value, comparison, wanted, met in targets(results):
        made.add_row(
            escape(name),
            f"{value:.3g}",
            f"{comparison} {wanted:g}",
            "[green]met[/]" if met else "[red]missed[/]",
        )
    if made.row_count:
        console.print(made)
