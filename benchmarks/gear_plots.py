"""Pictures of the parts `train` and `forward`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .gear_report import best

TRAIN = {
    "ours absolute": ("#1f77ff", "s", "-", "Wheelwork absolute, rk4"),
    "ours reduced": ("#0b3d91", "o", "-", "Wheelwork reduced, rk4"),
    "exudyn euler parameters": ("#701a00", "D", "--", "Exudyn bodies, Euler parameters"),
    "exudyn lie group": ("#b02a00", "^", "--", "Exudyn bodies, rotation vectors"),
    "exudyn relative": ("#ff7f3f", "s", "--", "Exudyn bodies, Tait-Bryan angles"),
    "exudyn coordinates": ("#ffbb88", "o", "--", "Exudyn bodies, angles tied directly"),
    "exudyn tree": ("#777777", "^", ":", "Exudyn kinematic tree"),
    "mujoco RK4": ("#2a8a3a", "o", "-.", "MuJoCo RK4"),
    "mujoco Euler": ("#8fd19e", "s", "-.", "MuJoCo Euler"),
}
FORWARD = {
    "ours": ("#0b3d91", "Wheelwork"),
    "pinocchio": ("#b02a00", "Pinocchio, same equations"),
    "mujoco": ("#2a8a3a", "MuJoCo mj_forward"),
    "mujoco bare": ("#8fd19e", "MuJoCo bare calls, no gears"),
    "pinocchio aba lumped": ("#ffbb88", "Pinocchio aba, wheels lumped"),
}


def train(part: list[dict[str, Any]], path: Path) -> Path:
    """Time of a step over the number of wheels, a panel for each housing."""
    from matplotlib import pyplot as plt

    housings = list(dict.fromkeys(row["housing"] for row in part))
    figure, axes = plt.subplots(
        1, len(housings), figsize=(4.2 * len(housings), 4.4), squeeze=False, sharey=True, layout="constrained"
    )
    handles: dict[str, Any] = {}
    for place, housing in zip(axes.flat, housings, strict=True):
        for name, (colour, marker, line, label) in TRAIN.items():
            rows = [row for row in part if row["housing"] == housing and name in row["methods"]]
            if rows:
                (handles[label],) = place.loglog(
                    [row["wheels"] for row in rows],
                    [row["methods"][name]["seconds"] * 1e6 for row in rows],
                    color=colour, marker=marker, markersize=4, linestyle=line, linewidth=1.3,
                )  # fmt: skip
        wheels = [row["wheels"] for row in part if row["housing"] == housing]
        place.set_xticks(wheels, [str(n) for n in wheels])
        place.minorticks_off()
        place.set_title(f"{housing} housing", fontsize=10)
        place.set_xlabel("wheels", fontsize=8)
        place.tick_params(labelsize=8)
        place.grid(True, which="major", linewidth=0.3)
    axes[0, 0].set_ylabel("time of a step of 1 ms [us]", fontsize=8)
    figure.legend(
        handles.values(), handles.keys(), loc="outside lower center", ncols=3, fontsize=8, frameon=False
    )
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path


def forward(part: dict[str, Any], path: Path) -> Path:
    """Time of an evaluation on every side, as bars."""
    from matplotlib import pyplot as plt

    rows = part["rows"]
    found = [best(row) for row in rows]
    sides = [side for side in FORWARD if any(side in x for x in found)]
    width = 0.8 / max(1, len(sides))
    figure, place = plt.subplots(figsize=(8, 3.6), layout="constrained")
    for k, side in enumerate(sides):
        colour, label = FORWARD[side]
        at = [i for i, x in enumerate(found) if side in x]
        place.bar(
            [i + (k - (len(sides) - 1) / 2) * width for i in at],
            [found[i][side] * 1e6 for i in at],
            width, color=colour, label=label,
        )  # fmt: skip
    place.set_xticks(range(len(rows)), [row["name"] for row in rows], fontsize=8)
    place.set_ylabel("time of the accelerations [us]", fontsize=8)
    place.grid(True, axis="y", which="major", linewidth=0.3)
    place.legend(fontsize=8, frameon=False)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path
