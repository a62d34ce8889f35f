"""All comparisons in one form: our time and error, theirs, how many times faster we are; who is missing, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .parts import remedy

Row = dict[str, Any]
"""part, model, what (with the unit of the error), start (warm, cold or cached), peer, ours and theirs (seconds, error,
how; of whole tasks peak memory), times (theirs / ours), note."""


def rows(data: dict[str, Any]) -> list[Row]:
    """Of all parts in a file of results."""
    found: list[Row] = []
    for name, part in data["parts"].items():
        results = part["results"]
        found += MAKERS[name](results) if name in MAKERS and results else []
        found += [_absent(name, peer, remedy(peer)) for peer in part["missing"]]
        found += [_absent(name, peer, why) for peer, why in part["without"].items()]
    return found


def _absent(part: str, peer: str, note: str) -> Row:
    return {"part": part, "peer": peer, "note": note}


def _row(
    part: str, model: str, what: str, peer: str, ours: Row, theirs: Row, start: str = "warm", note: str = ""
) -> Row:
    return {
        "part": part,
        "model": model,
        "what": what,
        "start": start,
        "peer": peer,
        "ours": ours,
        "theirs": theirs,
        "times": theirs["seconds"] / ours["seconds"],
        "note": note,
    }


def _at(level: Row, side: str) -> Row:
    """A side at an error that is compared."""
    found = level[side]
    about = "extrapolated" if found["extrapolated"] else ""
    return {"seconds": found["seconds"], "error": level["error"], "how": found["method"], "note": about}


def _levels(
    part: str, model: str, unit: str, levels: list[Row], pairs: tuple[tuple[str, str, str], ...], chosen: int
) -> Iterator[Row]:
    """Time at equal error for pairs of sides (ours, theirs, program), at one of the errors."""
    level = levels[min(chosen, len(levels) - 1)]
    for ours, theirs, program in pairs:
        if ours in level and theirs in level:
            a, b = _at(level, ours), _at(level, theirs)
            b["how"] = f"{theirs.removeprefix(program).strip()} {b['how']}".strip()
            a["how"] = f"{ours.removeprefix('wheelwork').strip()} {a['how']}".strip()
            note = "theirs extrapolated" if b["note"] else ""
            yield _row(part, model, f"at equal error [{unit}]", program, a, b, note=note)


def _precision(results: list[Row]) -> Iterator[Row]:
    pairs = (
        ("wheelwork", "exudyn", "exudyn"),
        ("wheelwork reduced", "exudyn tree", "exudyn"),
        ("wheelwork reduced", "mujoco", "mujoco"),
    )
    for row in results:
        yield from _levels("precision", f"chain of {row['bodies']} rods", "m", row["levels"], pairs, 3)


def _squeezer(results: Row) -> Iterator[Row]:
    pairs = (("wheelwork", "exudyn", "exudyn"),)
    for chosen in (1, 3):
        yield from _levels("squeezer", "Andrews' squeezer", "rad", results["levels"], pairs, chosen)


def _yaw(results: Row) -> Iterator[Row]:
    pairs = (("wheelwork", "exudyn", "exudyn"), ("wheelwork", "scipy", "scipy"))
    for chosen in (1, 3):
        yield from _levels("yaw", "yaw drive", "rad", results["levels"], pairs, chosen)


def _teeth(results: Row) -> Iterator[Row]:
    pairs = (("wheelwork", "floats", "scipy"), ("wheelwork in the plane", "floats", "scipy"))
    for row in results["bench"]:
        model = f"tooth contact, {row['teeth']} teeth"
        yield from _levels("teeth", model, "m", row["levels"], pairs, 1)


def _train(results: list[Row]) -> Iterator[Row]:
    pairs = (
        ("ours absolute", "exudyn relative"),
        ("ours reduced", "exudyn tree"),
        ("ours reduced", "mujoco RK4"),
    )
    for row in results:
        model = f"train of {row['wheels']}, {row['housing']} housing"
        for ours, theirs in pairs:
            program, _, form = theirs.partition(" ")
            if theirs in row["methods"]:
                sides = [row["methods"][name] for name in (ours, theirs)]
                a, b = ({"seconds": s["seconds"], "error": s["motion"]} for s in sides)
                a["how"], b["how"] = ours.removeprefix("ours ") + " rk4", form
                yield _row("train", model, "a step of 1 ms [rad]", program, a, b)


def _forward(results: Row) -> Iterator[Row]:
    for row in results["rows"]:
        from .gear_report import apart, best

        times, off = best(row), apart(row)
        for side in ("pinocchio", "mujoco"):
            if side in times:
                ours = {"seconds": times["ours"], "error": 0.0, "how": "reduced"}
                theirs = {"seconds": times[side], "error": off.get(side), "how": "same equations"}
                words = "accelerations [how far apart, relative]"
                yield _row("forward", row["name"], words, side, ours, theirs)


def _sweep(results: list[Row]) -> Iterator[Row]:
    for row in results:
        for ours, start in (("engine", "warm"), ("call, one turn", "cached")):
            sides = [
                {"seconds": row["seconds"][name], "error": row["errors"][name], "how": name}
                for name in (ours, "fsolve loop")
            ]
            yield _row("sweep", row["linkage"], "a position [rad or m]", "scipy", sides[0], sides[1], start)


def _growth(results: list[Row]) -> Iterator[Row]:
    for model in results:
        by = {(row["side"], row["n"]): row for row in model["rows"]}
        for side in dict.fromkeys(row["side"] for row in model["rows"] if not row["side"].startswith("ours")):
            ours = "ours absolute" if side == "exudyn bodies" else "ours reduced"
            n = max(n for name, n in by if name == side and (ours, n) in by)
            sides = [
                {
                    "seconds": by[name, n]["seconds"],
                    "error": by[name, n].get("motion", by[name, n].get("apart")),
                    "how": "RK4" if name == "mujoco" else name.partition(" ")[2],
                    "peak": by[name, n]["peak"],
                }
                for name in (ours, side)
            ]
            unit = "m" if model["model"] == "chain" else "rad"
            words = f"a step of 1 ms [{unit}]"
            yield _row("growth", f"{model['model']}, N = {n}", words, side.split()[0], sides[0], sides[1])


def _whole(results: list[Row]) -> Iterator[Row]:
    from .whole import MODELS

    by = {(row["model"], row["side"]): row for row in results}
    for (model, side), theirs in by.items():
        ours = by[model, "wheelwork"]
        title, unit = MODELS[model]
        for start in ("cold", "cached", "warm") if side != "wheelwork" else ():
            sides = [
                {"seconds": row[start], "error": row["error"], "how": "", "peak": row["peak"]}
                for row in (ours, theirs)
            ]
            yield _row("whole", title, f"whole task [{unit}]", side, sides[0], sides[1], start)


MAKERS: dict[str, Callable[[Any], Iterator[Row]]] = {
    "precision": _precision, "squeezer": _squeezer, "sweep": _sweep, "train": _train, "forward": _forward,
    "yaw": _yaw, "teeth": _teeth, "growth": _growth, "whole": _whole,
}  # fmt: skip
