"""The pictures, from a file of results: time against error, growth with size, trains and accelerations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import gear_plots
from .growth import SIDES

Style = tuple[str, str, str, str]
"""Colour, marker, line, name."""

CHAIN: dict[tuple[str, str], Style] = {
    ("wheelwork", "rk4"): ("#0b3d91", "o", "-", "Wheelwork rk4, absolute"),
    ("wheelwork", "dopri5"): ("#1f77ff", "s", "-", "Wheelwork dopri5, absolute"),
    ("wheelwork", "sdirk4"): ("#7fb2ff", "^", "-", "Wheelwork sdirk4, absolute"),
    ("wheelwork reduced", "rk4"): ("#5b2a91", "o", "-", "Wheelwork rk4, reduced"),
    ("wheelwork reduced", "dopri5"): ("#a06fe0", "s", "-", "Wheelwork dopri5, reduced"),
    ("wheelwork reduced", "dop853"): ("#c9a8f5", "^", "-", "Wheelwork dop853, reduced"),
    ("exudyn", "TrapezoidalIndex2"): ("#b02a00", "o", "--", "Exudyn trapezoidal, absolute"),
    ("exudyn", "GeneralizedAlpha"): ("#ff7f3f", "s", "--", "Exudyn generalized-alpha, absolute"),
    ("exudyn tree", "RK44"): ("#555555", "o", ":", "Exudyn tree RK4"),
    ("exudyn tree", "RK67"): ("#888888", "s", ":", "Exudyn tree RK67"),
    ("exudyn tree", "DOPRI5"): ("#bbbbbb", "^", ":", "Exudyn tree DOPRI5"),
    ("mujoco", "RK4"): ("#2a8a3a", "o", "-.", "MuJoCo RK4"),
}
SQUEEZER: dict[tuple[str, str], Style] = {
    key: (colour, marker, line, name.removesuffix(", absolute"))
    for key, (colour, marker, line, name) in CHAIN.items()
    if key[0] in ("wheelwork", "exudyn")
}
YAW: dict[tuple[str, str], Style] = {
    ("wheelwork", "rk4"): ("#0b3d91", "o", "-", "Wheelwork rk4"),
    ("wheelwork", "dopri5"): ("#1f77ff", "s", "-", "Wheelwork dopri5"),
    ("exudyn", "RK44"): ("#b02a00", "o", "--", "Exudyn RK4"),
    ("exudyn", "DOPRI5"): ("#ff7f3f", "s", "--", "Exudyn DOPRI5, fixed steps"),
    ("exudyn", "ExplicitMidpoint"): ("#ffbb88", "^", "--", "Exudyn explicit midpoint rule"),
    ("exudyn", "TrapezoidalIndex2"): ("#701a00", "D", "--", "Exudyn trapezoidal"),
    ("scipy", "RK45"): ("#333333", "o", ":", "SciPy RK45"),
    ("scipy", "DOP853"): ("#777777", "s", ":", "SciPy DOP853"),
    ("scipy", "LSODA"): ("#bbbbbb", "^", ":", "SciPy LSODA"),
}
TEETH: dict[tuple[str, str], Style] = {
    ("wheelwork", "absolute"): ("#0b3d91", "o", "-", "Wheelwork in space, absolute"),
    ("wheelwork", "reduced"): ("#1f77ff", "s", "-", "Wheelwork in space, reduced"),
    ("wheelwork in the plane", "absolute"): ("#5b2a91", "o", "-", "Wheelwork in the plane, absolute"),
    ("wheelwork in the plane", "reduced"): ("#a06fe0", "s", "-", "Wheelwork in the plane, reduced"),
    ("floats", "RK45"): ("#333333", "o", ":", "SciPy RK45"),
    ("floats", "DOP853"): ("#777777", "s", ":", "SciPy DOP853"),
    ("floats", "LSODA"): ("#bbbbbb", "^", ":", "SciPy LSODA"),
    ("arrays", "RK45"): ("#701a00", "o", "--", "SciPy RK45, NumPy arrays"),
    ("arrays", "LSODA"): ("#ff7f3f", "s", "--", "SciPy LSODA, NumPy arrays"),
    ("wheelwork", "reduced, dop853"): ("#5b2a91", "^", "-", "Wheelwork dop853, reduced"),
}
GROWTH: dict[str, Style] = {
    "ours reduced": ("#5b2a91", "o", "-", SIDES["ours reduced"]),
    "ours absolute": ("#1f77ff", "s", "-", SIDES["ours absolute"]),
    "exudyn bodies": ("#ff7f3f", "s", "--", SIDES["exudyn bodies"]),
    "exudyn tree": ("#777777", "^", ":", SIDES["exudyn tree"]),
    "mujoco": ("#2a8a3a", "o", "-.", SIDES["mujoco"]),
}


def draw(data: dict[str, Any], folder: Path) -> list[Path]:
    """Write PNG files of what was measured."""
    import matplotlib

    matplotlib.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    results = {name: part["results"] for name, part in data["parts"].items()}
    made = []
    for name, panels, styles, quantity in _diagrams(results):
        made.append(_work_precision(panels, styles, quantity, folder / f"precision-{name}.png"))
    if results.get("growth"):
        made.append(_growth(results["growth"], folder / "growth.png"))
    if results.get("train"):
        made.append(gear_plots.train(results["train"], folder / "train.png"))
    if results.get("forward"):
        made.append(gear_plots.forward(results["forward"], folder / "forward.png"))
    return made


Panels = list[tuple[str, Sequence[dict[str, Any]]]]
"""Title and runs of each."""


def _diagrams(results: dict[str, Any]) -> Iterable[tuple[str, Panels, Mapping[tuple[str, str], Style], str]]:
    if results.get("precision"):
        panels = [(f"{part['bodies']} rods", part["runs"]) for part in results["precision"]]
        yield "chain", panels, CHAIN, "largest error of a rod's end at 1 s [m]"
    if results.get("squeezer"):
        panels = [("Andrews' squeezer, 30 ms", results["squeezer"]["runs"])]
        yield "squeezer", panels, SQUEEZER, "largest error of an angle [rad]"
    if results.get("yaw"):
        yield (
            "yaw",
            [("yaw drive, 1 s", results["yaw"]["runs"])],
            YAW,
            "largest error of an angle at 1 s [rad]",
        )
    if results.get("teeth"):
        panels = [(f"bench, {part['teeth']} teeth, 10 s", part["runs"]) for part in results["teeth"]["bench"]]
        yield "teeth", panels, TEETH, "largest error of an arc [m]"


def _grid(count: int) -> tuple[Any, list[Any]]:
    from matplotlib import pyplot as plt

    columns = min(3, count)
    rows = -(-count // columns)
    wide = 4.2 * columns if count > 1 else 5.5
    figure, axes = plt.subplots(
        rows, columns, figsize=(wide, 3.6 * rows + 1.0), squeeze=False, layout="constrained"
    )
    for place in list(axes.flat)[count:]:
        place.axis("off")
    return figure, list(axes.flat)


def _finish(figure: Any, handles: Mapping[str, Any], columns: int, path: Path) -> Path:
    from matplotlib import pyplot as plt

    figure.legend(
        handles.values(), handles.keys(), loc="outside lower center", ncols=columns, fontsize=8, frameon=False
    )
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path


def _work_precision(
    panels: Panels, styles: Mapping[tuple[str, str], Style], quantity: str, path: Path
) -> Path:
    """Time of a run over its error, small errors to the right: the lower a line, the better."""
    figure, axes = _grid(len(panels))
    handles: dict[str, Any] = {}
    for place, (title, rows) in zip(axes, panels, strict=False):
        for (side, method), (colour, marker, line, name) in styles.items():
            runs = [r for r in rows if (r["side"], r["method"]) == (side, method)]
            if runs:
                (handles[name],) = place.loglog(
                    [r["error"] for r in runs],
                    [r["seconds"] * 1e3 for r in runs],
                    color=colour, marker=marker, markersize=4, linestyle=line, linewidth=1.3,
                )  # fmt: skip
        place.invert_xaxis()
        place.set_title(title, fontsize=10)
        place.set_xlabel(quantity, fontsize=8)
        place.set_ylabel("time of the run [ms]", fontsize=8)
        place.tick_params(labelsize=8)
        place.grid(True, which="major", linewidth=0.3)
    return _finish(figure, handles, 3 if len(panels) > 1 else 2, path)


def _growth(part: Sequence[dict[str, Any]], path: Path) -> Path:
    """Time of a step over the number of bodies, a panel for each model; grey: proportional to N."""
    figure, axes = _grid(len(part))
    handles: dict[str, Any] = {}
    for place, model in zip(axes, part, strict=False):
        for side, (colour, marker, line, name) in GROWTH.items():
            rows = [row for row in model["rows"] if row["side"] == side]
            if rows:
                (handles[name],) = place.loglog(
                    [row["n"] for row in rows],
                    [row["seconds"] * 1e6 for row in rows],
                    color=colour, marker=marker, markersize=4, linestyle=line, linewidth=1.3,
                )  # fmt: skip
        first = next(row for row in model["rows"] if row["side"].startswith("ours"))
        sizes = sorted({row["n"] for row in model["rows"]})
        (handles["proportional to N"],) = place.loglog(
            sizes, [first["seconds"] * 1e6 * n / first["n"] for n in sizes], color="#cccccc", linewidth=1
        )
        place.set_title(model["model"], fontsize=10)
        place.set_xlabel("N", fontsize=8)
        place.set_ylabel("time of a step [us]", fontsize=8)
        place.tick_params(labelsize=8)
        place.grid(True, which="major", linewidth=0.3)
    return _finish(figure, handles, 3, path)
