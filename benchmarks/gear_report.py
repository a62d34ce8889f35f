"""Tables and targets of the parts `train` and `forward`."""

from __future__ import annotations

import math
from typing import Any

from rich.console import Console

from .tables import ms, ratio, table, us
from .train import LEVEL, STEP

Target = tuple[str, float, str, float]
"""Name, measured, comparison, wanted."""

STEP_RATIOS = (
    ("ours absolute", "exudyn coordinates"),
    ("ours absolute", "exudyn relative"),
    ("ours absolute", "exudyn lie group"),
    ("ours absolute", "exudyn euler parameters"),
    ("ours reduced", "exudyn tree"),
    ("ours reduced", "mujoco RK4"),
    ("ours reduced", "mujoco Euler"),
)
FORWARD = {
    "ours": "ours",
    "pinocchio": "Pinocchio, same equations",
    "mujoco": "MuJoCo, all of mj_forward",
    "mujoco bare": "MuJoCo, bare calls, no gears",
    "pinocchio aba": "Pinocchio aba, no gears",
    "pinocchio aba lumped": "Pinocchio aba, wheels lumped",
    "mujoco lumped": "MuJoCo, wheels lumped",
    "pinocchio aba from Python": "Pinocchio aba from Python",
    "pinocchio call": "  of which a call, about",
    "ours general": "ours, equations of any tree",
    "ours absolute": "ours, absolute coordinates",
}
AIMED = {"wrist": 8, "robot": 6}
"""Times faster than Pinocchio; chains 3."""


def show_train(part: list[dict[str, Any]], console: Console) -> None:
    """One step and its errors; ratios; time at equal error."""
    for housing in dict.fromkeys(row["housing"] for row in part):
        rows = [row for row in part if row["housing"] == housing]
        heads = [f"N = {row['wheels']}" for row in rows]
        made = table(
            f"Train of N wheels, {housing} housing: one step of {STEP * 1e3:g} ms [us] / "
            "gear error / error of the motion after 1 s [rad]",
            "method", *heads,
        )  # fmt: skip
        for name in _methods(rows, "methods"):
            made.add_row(_bold(name), *(_step(row["methods"].get(name)) for row in rows))
        made.add_section()
        for ours, theirs in STEP_RATIOS:
            pairs = [(row["methods"].get(ours), row["methods"].get(theirs)) for row in rows]
            if any(a and b for a, b in pairs):
                made.add_row(
                    f"{ours} / {theirs}", *(ratio(a and a["seconds"], b and b["seconds"]) for a, b in pairs)
                )
        console.print(made)
        if any(row["reach"] for row in rows):
            made = table(
                f"{housing} housing: time to simulate 1 s within {LEVEL:.0e} rad [ms]", "method", *heads,
                caption="with the largest step that reaches it. Ours: the whole call; others without initialisation. "
                "~: beyond the most exact run, extrapolated",
            )  # fmt: skip
            for name in _methods(rows, "reach"):
                made.add_row(_bold(name), *(_reached(row["reach"].get(name)) for row in rows))
            console.print(made)
        console.print()


def show_forward(part: dict[str, Any], console: Console) -> None:
    """Times, ratios and growth."""
    rows = part["rows"]
    made = table(
        "Forward dynamics: accelerations from a state [us] (ours / theirs)",
        "", *(row["name"] for row in rows),
        caption="No gears: all bodies, the meshes left out. Lumped: wheels fixed to their carriers, their spin as "
        "armature. Both are other mechanisms. From Python: of the tree without gears.",
    )  # fmt: skip
    for text, key in (("coordinates", "coordinates"), ("hinges", "hinges"), ("bodies", "bodies")):
        made.add_row(text, *(str(row[key]) for row in rows))
    made.add_section()
    found = [best(row) for row in rows]
    for side, title in FORWARD.items():
        if any(side in sides for sides in found):
            made.add_row(_bold(title), *(_against(sides, side) for sides in found))
    made.add_section()
    off = [apart(row) for row in rows]
    for side in ("pinocchio", "mujoco"):
        if any(side in x for x in off):
            cells = (f"{x[side]:.0e}" if side in x else "-" for x in off)
            made.add_row(f"accelerations apart, {side}", *cells)
    console.print(made)
    for side, growth in part.get("exponents", {}).items():
        if "Python" not in side and "call" not in side:
            local = ", ".join(f"{p:.2f}" for p in growth["local"])
            console.print(
                f"{side} grows with the chain as N^{growth['all']:.2f} (from each N to the next: {local})"
            )
    console.print()


def targets_of(results: dict[str, Any]) -> list[Target]:
    """What was aimed at in these two parts."""
    found: list[Target] = []
    for row in results.get("train", []):
        methods, where = row["methods"], f"train of {row['wheels']}, {row['housing']} housing"
        for ours, theirs, wanted in (
            ("ours absolute", "exudyn coordinates", 10), ("ours absolute", "exudyn relative", 10),
            ("ours absolute", "exudyn lie group", 10), ("ours absolute", "exudyn euler parameters", 10),
            ("ours reduced", "mujoco RK4", 5),
        ):  # fmt: skip
            if theirs in methods:
                times = methods[theirs]["seconds"] / methods[ours]["seconds"]
                found.append((f"{where}: {ours}, times faster a step than {theirs}", times, ">=", wanted))
        gear = max(methods[name]["gear"] for name in ("ours absolute", "ours reduced"))
        found.append((f"{where}: gear error [rad]", gear, "<=", 1e-12))
    for row in results.get("forward", {}).get("rows", []):
        sides = best(row)
        for side in ("pinocchio", "mujoco", "mujoco bare"):
            if side in sides and not (side == "mujoco bare" and row["hinges"] > row["coordinates"]):
                times = sides[side] / sides["ours"]
                wanted = AIMED.get(row["name"], 3) if side == "pinocchio" else 1
                found.append(
                    (f"forward dynamics, {row['name']}: times faster than {side}", times, ">=", wanted)
                )
    growth = results.get("forward", {}).get("exponents", {})
    if growth:
        # in proportion to the joints, but the code of a long chain leaves a processor's first cache
        found.append(("forward dynamics: growth with the chain, exponent", growth["ours"]["all"], "<=", 1.3))
    return found


def best(row: dict[str, Any]) -> dict[str, float]:
    """Seconds of each side of `FORWARD`: the faster convention; `pinocchio` solves the same equations as ours."""
    seconds = {name: side["seconds"] for name, side in row["sides"].items()}
    found: dict[str, float] = {}
    for name, value in seconds.items():
        short = name.removesuffix(" local").removesuffix(" world")
        found[short] = min(found.get(short, value), value)
    geared = row["hinges"] > row["coordinates"]
    same = [found.pop("pinocchio geared" if geared else "pinocchio aba", math.inf)]
    if not geared and "pinocchio aba from Python" in found:  # the package's own library may be the faster one
        same.append(found["pinocchio aba from Python"] - found["pinocchio call"])
    if min(same) < math.inf:
        found["pinocchio"] = min(same)
    return found


def apart(row: dict[str, Any]) -> dict[str, float]:
    """By program: how far its accelerations are from ours, relative, where the equations are the same."""
    found: dict[str, float] = {}
    for name, side in row["sides"].items():
        if "apart" in side:
            program = name.split()[0]
            found[program] = max(found.get(program, 0.0), side["apart"])
    return found


def _methods(rows: list[dict[str, Any]], key: str) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row[key]))


def _bold(name: str) -> str:
    return f"[bold]{name}[/]" if name.startswith("ours") else name


def _step(run: dict[str, Any] | None) -> str:
    return "-" if run is None else f"{us(run['seconds'])} / {run['gear']:.0e} / {run['motion']:.0e}"


def _reached(run: dict[str, Any] | None) -> str:
    return "-" if run is None else ("~" if run["extrapolated"] else "") + ms(run["seconds"])


def _against(sides: dict[str, float], side: str) -> str:
    if side not in sides:
        return "-"
    if side.startswith("ours") or side == "pinocchio call":
        return us(sides[side])
    return f"{us(sides[side])}  {ratio(sides['ours'], sides[side])}"
