"""Tables as heads and lines, for the terminal and for the docs alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .growth import MODELS as GROWTH_MODELS
from .growth import SIDES as GROWTH_SIDES
from .parts import TITLES
from .tables import mb, ms, us
from .whole import MODELS as WHOLE_MODELS

LEVELS = {
    "precision": {
        "wheelwork": "Wheelwork, absolute", "exudyn": "Exudyn, absolute",
        "wheelwork reduced": "Wheelwork, reduced", "exudyn tree": "Exudyn, tree", "mujoco": "MuJoCo",
    },
    "squeezer": {"wheelwork": "Wheelwork", "exudyn": "Exudyn"},
}  # fmt: skip
"""Sides of the parts that are compared at equal error, in the order of their columns."""


@dataclass(frozen=True)
class Sheet:
    """A table."""

    title: str
    heads: Sequence[str]
    lines: Sequence[Sequence[str]]
    caption: str = ""


def summary(rows: Sequence[dict[str, Any]]) -> Sheet:
    """All comparisons."""
    heads = (
        "model",
        "what [error]",
        "start",
        "ours",
        "error",
        "peer",
        "theirs",
        "error",
        "times faster",
        "peak MB",
    )
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
            line.append(f"{'≈ ' * run['extrapolated']}{ms(run['seconds'])} ({run['method']})" if run else "-")
            if side in peers_of:
                ours = level.get(peers_of[side])
                line.append(times(run["seconds"] / ours["seconds"]) if run and ours else "-")
        lines.append(line)
    return Sheet(
        title, heads, lines, "≈: beyond the most exact run, extrapolated with the order of the method"
    )


def precision(part: Sequence[dict[str, Any]]) -> Iterator[tuple[int, Sheet]]:
    """Of the chains, by number of rods."""
    against = {"exudyn": "wheelwork", "exudyn tree": "wheelwork reduced", "mujoco": "wheelwork reduced"}
    for row in part:
        title = f"Chain of {row['bodies']} rods: time of 1 s to come within an error of the rods' ends"
        yield row["bodies"], levels(title, "m", row["levels"], LEVELS["precision"], against)


def squeezer(part: dict[str, Any]) -> Sheet:
    title = "Andrews' squeezer: time of 30 ms of motion to come within an error of its angles"
    return levels(title, "rad", part["levels"], LEVELS["squeezer"], {"exudyn": "wheelwork"})


def growth(part: Sequence[dict[str, Any]]) -> Iterator[tuple[str, Sheet]]:
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
        yield (
            model["model"],
            Sheet(f"Growth, {model['model']}: N {GROWTH_MODELS[model['model']]}", heads, lines),
        )


def whole(part: Sequence[dict[str, Any]]) -> Sheet:
    """Whole tasks, all sides."""
    heads = (
        "task",
        "side",
        "cold [ms]",
        "cached [ms]",
        "warm [ms]",
        "error",
        "peak [MB]",
        "of it after imports [MB]",
    )
    lines = []
    for row in part:
        title, unit = WHOLE_MODELS[row["model"]]
        side = "Wheelwork" if row["side"] == "wheelwork" else TITLES[row["side"]]
        memory = [mb(row["peak"]), mb(row["peak"] - row["imports"])]
        spans = [ms(row[key]) for key in ("cold", "cached", "warm")]
        lines.append([title, side, *spans, f"{row['error']:.0e} {unit}", *memory])
    return Sheet(
        "Whole tasks in new processes, after imports", heads, lines,
        "cold: from an empty cache, with the compiler's time; cached: from a full one; warm: a run of a ready model. "
        "A peer has nothing to keep: cold is cached.",
    )  # fmt: skip


def times(value: float) -> str:
    """Two digits; the mark shows from afar where a peer is the faster."""
    return f"{value:.2g}" + (" (slower)" if value < 0.995 else "") if value < 100 else f"{value:.0f}"


def _time(seconds: float) -> str:
    return f"{us(seconds)} µs" if seconds < 1e-3 else f"{ms(seconds)} ms"


def _error(value: float | None) -> str:
    return "-" if value is None else f"{value:.0e}"


def start(part: dict[str, Any]) -> Sheet:
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
    return Sheet("Tasks in new processes [s]", ["task", *kinds.values()], lines, words)


def figures(found: Sequence[tuple[str, float, str, float]]) -> Sheet:
    """Measured beside wanted."""
    lines = [
        [what, f"{value:.3g}", f"{comparison} {wanted:g}", "met" if met else "**missed**"]
        for what, value, comparison, wanted in found
        for met in [value >= wanted if comparison == ">=" else value <= wanted]
    ]
    return Sheet("Figures that the engine was aimed at", ["what", "measured", "wanted", ""], lines)
