"""Tables as heads and lines, for the terminal and for the docs alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .growth import MODELS as GROWTH_MODELS
from .growth import SIDES as GROWTH_SIDES
from .parts import TITLES
from .whole import MODELS as WHOLE_MODELS

LEVELS = {
    "precision": {
        "wheelwork": "Wheelwork, absolute", "exudyn": "Exudyn, absolute",
        "wheelwork reduced": "Wheelwork, reduced", "exudyn tree": "Exudyn, tree", "mujoco": "MuJoCo",
    },
    "squeezer": {"wheelwork": "Wheelwork", "exudyn": "Exudyn"},
}  # fmt: skip
"""Sides of the parts that are compared at equal error, in the order of their columns."""


def us(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return f"{seconds * 1e6:.3g}" if seconds < 1e-3 else f"{seconds * 1e6:.0f}"


def ms(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1e3:.3g}" if seconds < 1 else f"{seconds * 1e3:.0f}"


def mb(size: float) -> str:
    return f"{size / 1e6:.0f}"


def ratio(ours: float | None, theirs: float | None) -> str:
    if ours is None or theirs is None:
        return "-"
    faster = theirs / ours
    return f"{ours / theirs:.3g} ({faster:.0f}x)" if faster >= 10 else f"{ours / theirs:.2g} ({faster:.2g}x)"


def reached(level: Mapping[str, Any], side: str) -> str:
    """The time of a side at an error, and its best method; ≈ where it is extrapolated."""
    found = level.get(side)
    return f"{'≈ ' * found['extrapolated']}{ms(found['seconds'])} ({found['method']})" if found else "-"


def times_of(level: Mapping[str, Any], side: str) -> str:
    """How many times as long it takes as Wheelwork."""
    return f"{level[side]['seconds'] / level['wheelwork']['seconds']:.3g}" if side in level else "-"


@dataclass(frozen=True)
class Sheet:
    """A table; its caption alone where it has no heads."""

    title: str
    heads: Sequence[str]
    lines: Sequence[Sequence[str]]
    caption: str = ""


Named = Iterator[tuple[str, Sheet]]
"""With the names of their places on the page of the docs; "" where there is none."""


def summary(rows: Sequence[dict[str, Any]]) -> Sheet:
    """All comparisons."""
    heads = (
        "model", "what [error]", "start", "ours", "error", "peer", "theirs", "error", "times faster", "peak MB",
    )  # fmt: skip
    lines = []
    for row in rows:
        if "ours" not in row:
            continue
        ours, theirs = row["ours"], row["theirs"]
        name = f"{TITLES[row['peer']]}{', ' + theirs['how'] if theirs['how'] else ''}"
        lines.append(
            [
                row["model"],
                row["what"],
                row["start"],
                f"{_time(ours['seconds'])}{' (' + ours['how'] + ')' if ours['how'] else ''}",
                _error(ours["error"]),
                name,
                ("≈ " if row["note"] else "") + _time(theirs["seconds"]),
                _error(theirs["error"]),
                times(row["times"]),
                f"{mb(ours['peak'])} / {mb(theirs['peak'])}" if "peak" in ours else "",
            ]
        )
    return Sheet(
        "Everything beside the peers", heads, lines,
        "times faster: theirs / ours; below 1 the peer is the faster. ≈: beyond its most exact run, extrapolated. "
        "warm: ready to run; cached: a new process, equations and compiled code kept from before; cold: nothing kept.",
    )  # fmt: skip


def absent(rows: Sequence[dict[str, Any]]) -> Sheet:
    """Who is not in which part, and why."""
    lines = [[row["part"], TITLES[row["peer"]], row["note"]] for row in rows if "ours" not in row]
    return Sheet("Not measured", ("part", "peer", "why"), lines)


def levels(
    title: str,
    unit: str,
    found: Sequence[dict[str, Any]],
    sides: Mapping[str, str],
    peers_of: Mapping[str, str],
) -> Sheet:
    """Time to come within an error; beside that of a peer, how many times faster ours is (`peers_of`: which one)."""
    there = [side for side in sides if any(side in level for level in found)]
    heads = [f"error [{unit}]"]
    for side in there:
        heads += [f"{sides[side]} [ms]"] + (["times"] if side in peers_of else [])
    lines = []
    for level in found:
        line = [f"{level['error']:.0e}"]
        for side in there:
            run = level.get(side)
            line.append(reached(level, side))
            if side in peers_of:
                ours = level.get(peers_of[side])
                line.append(times(run["seconds"] / ours["seconds"]) if run and ours else "-")
        lines.append(line)
    return Sheet(
        title, heads, lines, "≈: beyond the most exact run, extrapolated with the order of the method"
    )


def precision(part: Sequence[dict[str, Any]]) -> Named:
    """Of the chains, by number of rods."""
    against = {"exudyn": "wheelwork", "exudyn tree": "wheelwork reduced", "mujoco": "wheelwork reduced"}
    for row in part:
        title = f"Chain of {row['bodies']} rods: time of 1 s to come within an error of the rods' ends"
        yield "precision", levels(title, "m", row["levels"], LEVELS["precision"], against)


def squeezer(part: dict[str, Any]) -> Named:
    title = "Andrews' squeezer: time of 30 ms of motion to come within an error of its angles"
    yield "squeezer", levels(title, "rad", part["levels"], LEVELS["squeezer"], {"exudyn": "wheelwork"})


def growth(part: Sequence[dict[str, Any]]) -> Named:
    """Time of a step, exponents, time until ready and memory, by model."""
    for model in part:
        sizes = sorted({row["n"] for row in model["rows"]})
        by = {(row["side"], row["n"]): row for row in model["rows"]}
        heads = ["", *(f"N = {n}" for n in sizes), "exponent of N", "of the last two"]
        lines = []
        for what, key, cell in (
            ("a step [µs]", "seconds", us),
            ("until ready [s]", "ready", lambda x: f"{x:.2g}"),
            ("peak memory [MB]", "peak", mb),
        ):
            for side, title in GROWTH_SIDES.items():
                own = [by.get((side, n)) for n in sizes]
                if any(own) and not (key == "ready" and not side.startswith("ours")):
                    fit = model["exponents"].get(side) if key == "seconds" else None
                    cells = [cell(row[key]) if row else "-" for row in own]
                    fits = [f"{fit['all']:.2f}", f"{fit['last']:.2f}"] if fit else ["", ""]
                    lines.append([f"{title}: {what}", *cells, *fits])
        error = "motion" if any("motion" in row for row in model["rows"]) else "apart"
        for side, title in GROWTH_SIDES.items():
            own = [by.get((side, n)) for n in sizes]
            if any(own):
                cells = [_error(row.get(error)) if row else "-" for row in own]
                words = "error after 20 steps [rad]" if error == "motion" else "end apart after 20 steps [m]"
                lines.append([f"{title}: {words}", *cells, "", ""])
        name = model["model"]
        title = f"Growth, {name}: N {GROWTH_MODELS[name]}"
        yield f"growth-{name.replace(', ', '-').replace(' ', '-')}", Sheet(title, heads, lines)


def whole(part: Sequence[dict[str, Any]]) -> Named:
    """Whole tasks, all sides."""
    heads = (
        "task", "side", "cold [ms]", "cached [ms]", "warm [ms]", "error", "peak [MB]", "of it after imports [MB]",
    )  # fmt: skip
    lines = []
    for row in part:
        title, unit = WHOLE_MODELS[row["model"]]
        side = "Wheelwork" if row["side"] == "wheelwork" else TITLES[row["side"]]
        memory = [mb(row["peak"]), mb(row["peak"] - row["imports"])]
        spans = [ms(row[key]) for key in ("cold", "cached", "warm")]
        lines.append([title, side, *spans, f"{row['error']:.0e} {unit}", *memory])
    words = (
        "cold: from an empty cache, with the compiler's time; cached: from a full one; warm: a run of a ready model. "
        "A peer has nothing to keep: cold is cached."
    )
    yield "whole", Sheet("Whole tasks in new processes, after imports", heads, lines, words)


def times(value: float) -> str:
    """Two digits; the mark shows from afar where a peer is the faster."""
    return f"{value:.2g}" + (" (slower)" if value < 0.995 else "") if value < 100 else f"{value:.0f}"


def _time(seconds: float) -> str:
    return f"{us(seconds)} µs" if seconds < 1e-3 else f"{ms(seconds)} ms"


def _error(value: float | None) -> str:
    return "-" if value is None else f"{value:.0e}"


def start(part: dict[str, Any]) -> Named:
    """What a user waits for in a new process."""
    kinds = {"empty": "empty cache", "full": "full cache", "changed": "full cache, one number changed"}
    lines = [
        [name, *(f"{task[kind]['processor']:.3f} ({task[kind]['wall']:.3f})" for kind in kinds)]
        for name, task in part["tasks"].items()
    ]
    if "exudyn" in part:
        lines.append(
            [
                "Exudyn, chain of 43",
                f"{part['exudyn']['processor']:.3f} ({part['exudyn']['wall']:.3f})",
                "",
                "",
            ]
        )
    words = "Seconds of the processors (on the wall): import, load, simulate, read one series."
    yield "start", Sheet("Tasks in new processes [s]", ["task", *kinds.values()], lines, words)


def aims(title: str, what: str, found: Iterable[tuple[str, float, str, float]]) -> Sheet:
    """Measured beside wanted."""
    lines = [
        [name, f"{value:.3g}", f"{comparison} {wanted:g}", "met" if met else "**missed**"]
        for name, value, comparison, wanted in found
        for met in [value >= wanted if comparison == ">=" else value <= wanted]
    ]
    return Sheet(title, [what, "measured", "wanted", ""], lines)


def rhs(part: dict[str, Any]) -> Named:
    theirs = {"terms": "Exudyn: terms only", "accelerations": "Exudyn: accelerations", "tree": "Exudyn: tree"}
    heads = ["N", "ours", "ours / N", *(x for title in theirs.values() for x in (title, "ours/theirs"))]
    lines = []
    for row in part["rows"]:
        lines.append([str(row["bodies"]), us(row["ours"]), us(row["ours"] / row["bodies"])])
        for name in theirs:
            lines[-1] += [us(row.get(name)), ratio(row["ours"], row.get(name))]
    words = (
        "terms: M, f, g, G assembled, nothing solved. accelerations: terms, factorisation and solve, by code that "
        "Exudyn runs once a simulation. tree: minimal coordinates, a quarter of a step of RK4."
    )
    if "exponent" in part:
        local = ", ".join(f"{p:.2f}" for p in part["local_exponents"])
        words += f" ours grows as N^{part['exponent']:.2f} (from each N to the next: {local})"
    yield "", Sheet("Right-hand side [us], at the state of t = 1 s", heads, lines, words)


def steps(part: Sequence[dict[str, Any]]) -> Named:
    names = list(dict.fromkeys(name for row in part for name in row["methods"]))
    lines = []
    for name in names:
        found = [row["methods"].get(name) for row in part]
        lines.append([name, *(f"{us(run['seconds'])} / {run['error']:.0e}" if run else "-" for run in found)])
    for ours in ("rk4", "dopri5", "sdirk4"):
        for theirs in names:
            if theirs in ("exudyn best", "exudyn default tolerances") or (
                ours == "rk4" and theirs == "exudyn tree RK44"
            ):
                pairs = [(row["methods"][ours], row["methods"].get(theirs)) for row in part]
                cells = [ratio(a["seconds"], b and b["seconds"]) for a, b in pairs]
                lines.append([f"{ours} / {theirs}", *cells])
    words = "Fixed steps: 1 ms; kinematic tree: 10 ms. dopri5: tolerances 1e-8, 1e-10; sdirk4: 1e-6, 1e-8."
    heads = ["method", *(f"N = {row['bodies']}" for row in part)]
    yield "", Sheet("One step [us] / error at t = 1 s [m]", heads, lines, words)


def memory(part: dict[str, Any]) -> Named:
    moments = {"bare": "bare Python", "imported": "imports", "ready": "model ready", "ran": "after runs"}
    peaks = {"python": "peak Python", "compiler": "peak compiler", "together": "peak together"}
    lines = []
    for name, title in (("compiling", "empty cache"), ("running", "full cache"), ("exudyn", "Exudyn")):
        if name in part:
            run = part[name]
            cells = [mb(run[key]) if key in run else "-" for key in moments]
            lines.append([title, *cells, *(mb(run["peak"][key]) for key in peaks)])
    words = "compiler: sum over its processes (driver, cc1plus, assembler, linker), sampled every 2 ms"
    heads = ["", *moments.values(), *peaks.values()]
    yield "", Sheet(f"Resident memory, {part['bodies']} bodies [MB]", heads, lines, words)


SWEEPS = {
    "engine": "ours: the sweep alone",
    "call, many turns": "ours: all of m.kinematics(), {many} turns",
    "call, one turn": "ours: all of m.kinematics(), one turn",
    "fsolve loop": "fsolve: 2 loop equations, Jacobian given",
    "fsolve bodies": "fsolve: 9 equations of bodies, Jacobian given",
    "fsolve plain": "fsolve: the same 9 in NumPy, no Jacobian",
}


def sweep(part: Sequence[dict[str, Any]]) -> Named:
    heads = [f"{row['linkage']} [µs a position]" for row in part] + [
        f"{row['linkage']}, error" for row in part
    ]
    lines = []
    for side, title in SWEEPS.items():
        cells = [us(row["seconds"][side]) for row in part] + [f"{row['errors'][side]:.0e}" for row in part]
        lines.append([title.format(**part[0]), *cells])
    yield "sweep", Sheet("Positions of driven linkages", ["side", *heads], lines)
