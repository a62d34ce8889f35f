"""`python -m benchmarks.markdown`: the tables of `train`, `forward` and `yaw` in the docs, anew from the last results.

A table stands between the lines `<!-- NAME -->` and `<!-- end -->` of ``docs/develop/benchmarks.md``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from . import yaw_report
from .__main__ import RESULTS
from .gear_report import FORWARD, STEP_RATIOS, best
from .start import ROOT
from .tables import ms, us

PAGE = ROOT / "docs" / "develop" / "benchmarks.md"
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


def main() -> None:
    results: dict[str, Any] = {}
    for path in sorted(RESULTS.glob("*.json")):
        found = json.loads(path.read_text())
        if found.keys() & {"train", "forward"}:
            results |= found
        elif "yaw" in found:
            results["yaw"] = found["yaw"]
    page = PAGE.read_text()
    for name, lines in tables(results):
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not pattern.search(page):
            raise SystemExit(f"there is no place for the table `{name}` in {PAGE}")
        text = "\n".join(lines)
        page = pattern.sub(lambda found, text=text: f"{found[1]}{text}\n{found[2]}", page)
    PAGE.write_text(page)


def tables(results: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Name and lines of each."""
    about = results["about"]
    peers = ", ".join(
        f"{title} {about['versions'][name]}"
        for name, title in (("exudyn", "Exudyn"), ("mujoco", "MuJoCo"), ("pin", "Pinocchio"))
    )
    where = f"{about['processor']}, {about['cores']} cores shared with other work (load {about['load_average'][0]:.0f})"
    made = f"{about['date'][:10]}, commit {about['commit']}, {about['compiler']}, Python {about['python']}"
    yield "machine", [f"{made}; {where}; {peers}."]
    for housing in ("fixed", "turning"):
        rows = [row for row in results["train"] if row["housing"] == housing]
        heads = [f"N = {row['wheels']}" for row in rows]
        names = [name for name in METHODS if any(name in row["methods"] for row in rows)]
        lines = [[METHODS[name], *(us(row["methods"][name]["seconds"]) for row in rows)] for name in names]
        last = rows[-1]["methods"]
        for line, name in zip(lines, names, strict=True):
            line += [f"{last[name]['gear']:.0e}", f"{last[name]['motion']:.0e}"]
        yield (
            f"train-{housing}",
            _table(["a step of 1 ms [µs]", *heads, "gear error [rad]", "motion [rad]"], lines),
        )
        lines = []
        for ours, theirs in STEP_RATIOS:
            if all(theirs in row["methods"] for row in rows):
                pairs = [(row["methods"][ours]["seconds"], row["methods"][theirs]["seconds"]) for row in rows]
                lines.append([f"{SHORT[ours]} / {SHORT[theirs]}", *(f"{a / b:.2g}" for a, b in pairs)])
        yield f"ratios-{housing}", _table(["time of ours / theirs", *heads], lines)
        lines = [
            [METHODS[name], *(_about(row["reach"][name]) for row in rows)]
            for name in names if all(name in row["reach"] for row in rows)
        ]  # fmt: skip
        yield f"reach-{housing}", _table(["1 s within 1e-5 rad [ms]", *heads], lines)
    for name, heads, made in (("rates", 0, yaw_report.rates), ("levels", 1, yaw_report.levels)):
        yield f"yaw-{name}", _table(yaw_report.HEADS[heads], list(made(results["yaw"])))
    rows = results["forward"]["rows"]
    found = [best(row) for row in rows]
    lines = [
        [
            "coordinates / hinges / bodies",
            *(f"{r['coordinates']} / {r['hinges']} / {r['bodies']}" for r in rows),
        ]
    ]
    for side, title in FORWARD.items():
        lines.append([f"**{title}**" if side == "ours" else title.strip(), *(_side(x, side) for x in found)])
    yield "forward", _table(["accelerations from a state [µs]", *(row["name"] for row in rows)], lines)
    growth = results["forward"]["exponents"]
    titles = {"ours": "ours", "pinocchio aba world": "Pinocchio's `aba`", "mujoco": "`mj_forward`"}
    yield (
        "growth",
        [
            "Growth with the chain, exponent of N from 6 to 43: "
            + ", ".join(
                f"{title} {growth[side]['all']:.2f}" for side, title in titles.items() if side in growth
            )
            + "."
        ],
    )


def _side(sides: dict[str, float], side: str) -> str:
    if side not in sides:
        return "-"
    if side in ("ours", "ours absolute", "pinocchio call"):
        return us(sides[side])
    return f"{us(sides[side])} ({sides['ours'] / sides[side]:.2g})"


def _about(reached: dict[str, Any]) -> str:
    return ("≈ " if reached["extrapolated"] else "") + ms(reached["seconds"])


def _table(heads: list[str], lines: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (heads, ["---", *["---:"] * (len(heads) - 1)], *lines)]


if __name__ == "__main__":
    main()
