"""Tables and targets of the parts `train` and `forward`."""

from __future__ import annotations

import math
from typing import Any

from .sheets import Named, Sheet, ms, us

Target = tuple[str, float, str, float]
"""Name, measured, comparison, wanted."""

METHODS = {
    "ours absolute": "**Wheelwork, absolute**, `rk4`",
    "ours reduced": "**Wheelwork, reduced**, `rk4`",
    "exudyn coordinates": "Exudyn, bodies, angles tied directly",
    "exudyn relative": "Exudyn, bodies with Tait-Bryan angles",
    "exudyn lie group": "Exudyn, bodies with rotation vectors",
    "exudyn euler parameters": "Exudyn, bodies with Euler parameters",
    "exudyn tree": "Exudyn, kinematic tree",
    "mujoco RK4": "MuJoCo, RK4",
    "mujoco Euler": "MuJoCo, Euler",
}
SHORT = {name: text.replace("**", "").replace(", `rk4`", "") for name, text in METHODS.items()}

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


def train(part: list[dict[str, Any]]) -> Named:
    """Time of a step and its errors, ratios, and time at equal error, of each housing."""
    for housing in dict.fromkeys(row["housing"] for row in part):
        rows = [row for row in part if row["housing"] == housing]
        wheels = [f"N = {row['wheels']}" for row in rows]
        title = f"Train of N wheels, {housing} housing"
        names = [name for name in METHODS if any(name in row["methods"] for row in rows)]
        last, lines = rows[-1]["methods"], []
        for name in names:
            errors = [f"{last[name][of]:.0e}" for of in ("gear", "motion")]
            lines.append([METHODS[name], *(us(row["methods"][name]["seconds"]) for row in rows), *errors])
        heads = ["a step of 1 ms [µs]", *wheels, "gear error [rad]", "motion [rad]"]
        yield f"train-{housing}", Sheet(title, heads, lines)
        lines = []
        for ours, theirs in STEP_RATIOS:
            if all(theirs in row["methods"] for row in rows):
                pairs = [(row["methods"][ours]["seconds"], row["methods"][theirs]["seconds"]) for row in rows]
                lines.append([f"{SHORT[ours]} / {SHORT[theirs]}", *(f"{a / b:.2g}" for a, b in pairs)])
        yield f"ratios-{housing}", Sheet(title, ["time of ours / theirs", *wheels], lines)
        lines = [
            [METHODS[name], *(_reached(row["reach"][name]) for row in rows)]
            for name in names
            if all(name in row["reach"] for row in rows)
        ]
        yield f"reach-{housing}", Sheet(title, ["1 s within 1e-5 rad [ms]", *wheels], lines)


def forward(part: dict[str, Any]) -> Named:
    """Times, ratios and growth."""
    rows = part["rows"]
    found = [best(row) for row in rows]
    sizes = (f"{r['coordinates']} / {r['hinges']} / {r['bodies']}" for r in rows)
    lines = [["coordinates / hinges / bodies", *sizes]]
    for side, title in FORWARD.items():
        if any(side in of for of in found):
            name = f"**{title}**" if side == "ours" else title.strip()
            lines.append([name, *(_against(x, side) for x in found)])
    heads = ["accelerations from a state [µs]", *(row["name"] for row in rows)]
    yield "forward", Sheet("Forward dynamics (ours / theirs)", heads, lines)
    if "exponents" in part:
        titles = {"ours": "ours", "pinocchio aba world": "Pinocchio's `aba`", "mujoco": "`mj_forward`"}
        grown = {
            title: part["exponents"][side] for side, title in titles.items() if side in part["exponents"]
        }
        words = ", ".join(f"{title} {growth['all']:.2f}" for title, growth in grown.items())
        text = f"Growth with the chain, exponent of N from 6 to 43: {words}."
        yield "forward-growth", Sheet("", (), (), text)


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


def _reached(reached: dict[str, Any]) -> str:
    return ("≈ " if reached["extrapolated"] else "") + ms(reached["seconds"])


def _against(sides: dict[str, float], side: str) -> str:
    if side not in sides:
        return "-"
    if side.startswith("ours") or side == "pinocchio call":
        return us(sides[side])
    return f"{us(sides[side])} ({sides['ours'] / sides[side]:.2g})"
