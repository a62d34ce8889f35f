"""The pictures: time against error, and the growth of the right-hand side with the number of bodies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import gear_plots
from .precision import LEVELS

STYLES = {
    ("wheelwork", "rk4"): ("#0b3d91", "o", "-", "Wheelwork rk4"),
    ("wheelwork", "dopri5"): ("#1f77ff", "s", "-", "Wheelwork dopri5"),
    ("wheelwork", "sdirk4"): ("#7fb2ff", "^", "-", "Wheelwork sdirk4"),
    ("exudyn", "TrapezoidalIndex2"): ("#b02a00", "o", "--", "Exudyn trapezoidal, absolute"),
    ("exudyn", "GeneralizedAlpha"): ("#ff7f3f", "s", "--", "Exudyn generalized-alpha, absolute"),
    ("exudyn tree", "RK44"): ("#555555", "o", ":", "Exudyn tree RK4"),
    ("exudyn tree", "RK67"): ("#888888", "s", ":", "Exudyn tree RK67"),
    ("exudyn tree", "DOPRI5"): ("#bbbbbb", "^", ":", "Exudyn tree DOPRI5"),
}


def draw(results: dict[str, Any], folder: Path) -> list[Path]:
    """Write PNG files for what was measured."""
    import matplotlib

    matplotlib.use("Agg")
    made = []
    if results.get("precision"):
        made.append(_work_precision(results["precision"], folder / "work-precision.png"))
    if len(results.get("rhs", {}).get("rows", [])) > 1:
        made.append(_growth(results["rhs"], folder / "growth.png"))
    if results.get("train"):
        made.append(gear_plots.train(results["train"], folder / "train.png"))
    if results.get("forward"):
        made.append(gear_plots.forward(results["forward"], folder / "forward.png"))
    return made


def _work_precision(part: list[dict[str, Any]], path: Path) -> Path:
    from matplotlib import pyplot as plt

    count = len(part)
    columns = min(3, count)
    rows = -(-count // columns)
    figure, axes = plt.subplots(
        rows, columns, figsize=(4.2 * columns, 3.6 * rows), squeeze=False, layout="constrained"
    )
    handles: dict[str, Any] = {}
    for place, result in zip(axes.flat, part, strict=False):
        for (side, method), (colour, marker, line, label) in STYLES.items():
            runs = [r for r in result["runs"] if (r["side"], r["method"]) == (side, method)]
            if runs:
                (handles[label],) = place.loglog(
                    [r["error"] for r in runs],
                    [r["seconds"] * 1e3 for r in runs],
                    color=colour, marker=marker, markersize=4, linestyle=line, linewidth=1.3,
                )  # fmt: skip
        place.axvspan(LEVELS[-1], LEVELS[0], color="#f3f3f3", zorder=0)
        place.set_xlim(3e-2, 1e-12)
        place.set_title(f"{result['bodies']} rods", fontsize=10)
        place.set_xlabel("largest error of a rod's end at 1 s [m]", fontsize=8)
        place.set_ylabel("time of the run [ms]", fontsize=8)
        place.tick_params(labelsize=8)
        place.grid(True, which="major", linewidth=0.3)
    spare = list(axes.flat)[count:]
    for place in spare:
        place.axis("off")
    if spare:
        spare[0].legend(handles.values(), handles.keys(), loc="center", fontsize=8, frameon=False)
    else:
        figure.legend(
            handles.values(), handles.keys(), loc="outside lower center", ncols=3, fontsize=8, frameon=False
        )
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path


def _growth(part: dict[str, Any], path: Path) -> Path:
    from matplotlib import pyplot as plt

    figure, place = plt.subplots(figsize=(5, 3.6), layout="constrained")
    series = (
        ("ours", "#1f77ff", "o", "-", "Wheelwork"),
        ("terms", "#ff7f3f", "s", "--", "Exudyn: terms only, no solve"),
        ("accelerations", "#b02a00", "o", "--", "Exudyn: initial accelerations"),
        ("tree", "#777777", "^", ":", "Exudyn: kinematic tree, RK4 step / 4"),
    )
    for name, colour, marker, line, label in series:
        rows = [row for row in part["rows"] if name in row]
        if rows:
            place.loglog(
                [row["bodies"] for row in rows],
                [row[name] * 1e6 for row in rows],
                color=colour, marker=marker, linestyle=line, label=label, markersize=4, linewidth=1.3,
            )  # fmt: skip
    first = part["rows"][0]
    sizes = [row["bodies"] for row in part["rows"]]
    place.loglog(
        sizes,
        [first["ours"] * 1e6 * (n / first["bodies"]) ** 1.1 for n in sizes],
        color="#cccccc", linewidth=1, label="N^1.1",
    )  # fmt: skip
    place.set_xlabel("rods")
    place.set_ylabel("time of a right-hand side [us]")
    place.grid(True, which="major", linewidth=0.3)
    place.legend(fontsize=7, frameon=False)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path
