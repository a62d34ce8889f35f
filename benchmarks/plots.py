"""The pictures, from a file of results: time against error, growth with size, trains and accelerations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .gear_report import best
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


TRAIN: dict[str, Style] = {
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
        made.append(_train(results["train"], folder / "train.png"))
    if results.get("forward"):
        made.append(_forward(results["forward"], folder / "forward.png"))
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


def _grid(count: int, **shared: Any) -> tuple[Any, list[Any]]:
    from matplotlib import pyplot as plt

    columns = min(3, count)
    rows = -(-count // columns)
    size = (4.2 * columns if count > 1 else 5.5, 3.6 * rows + 1.0)
    figure, axes = plt.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained", **shared)
    for place in list(axes.flat)[count:]:
        place.axis("off")
    return figure, list(axes.flat)


def _curve(place: Any, x: list[float], y: list[float], style: Style, handles: dict[str, Any]) -> None:
    """One side's times over errors or sizes, both by their logarithms."""
    colour, marker, line, name = style
    look = {"color": colour, "marker": marker, "markersize": 4, "linestyle": line, "linewidth": 1.3}
    if x:
        (handles[name],) = place.loglog(x, y, **look)


def _named(place: Any, title: str, x: str, y: str = "") -> None:
    place.set_title(title, fontsize=10)
    place.set_xlabel(x, fontsize=8)
    place.set_ylabel(y, fontsize=8)
    place.tick_params(labelsize=8)
    place.grid(True, which="major", linewidth=0.3)


def _finish(figure: Any, handles: Mapping[str, Any], columns: int, path: Path) -> Path:
    from matplotlib import pyplot as plt

    where: dict[str, Any] = {"loc": "outside lower center", "ncols": columns, "fontsize": 8, "frameon": False}
    if handles:
        figure.legend(handles.values(), handles.keys(), **where)
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
        for key, style in styles.items():
            runs = [r for r in rows if (r["side"], r["method"]) == key]
            _curve(place, [r["error"] for r in runs], [r["seconds"] * 1e3 for r in runs], style, handles)
        place.invert_xaxis()
        _named(place, title, quantity, "time of the run [ms]")
    return _finish(figure, handles, 3 if len(panels) > 1 else 2, path)


def _growth(part: Sequence[dict[str, Any]], path: Path) -> Path:
    """Time of a step over the number of bodies, a panel for each model; grey: proportional to N."""
    figure, axes = _grid(len(part))
    handles: dict[str, Any] = {}
    for place, model in zip(axes, part, strict=False):
        for side, style in GROWTH.items():
            rows = [row for row in model["rows"] if row["side"] == side]
            _curve(place, [row["n"] for row in rows], [row["seconds"] * 1e6 for row in rows], style, handles)
        first = next(row for row in model["rows"] if row["side"].startswith("ours"))
        sizes = sorted({row["n"] for row in model["rows"]})
        (handles["proportional to N"],) = place.loglog(
            sizes, [first["seconds"] * 1e6 * n / first["n"] for n in sizes], color="#cccccc", linewidth=1
        )
        _named(place, model["model"], "N", "time of a step [us]")
    return _finish(figure, handles, 3, path)


def _train(part: Sequence[dict[str, Any]], path: Path) -> Path:
    """Time of a step over the number of wheels, a panel for each housing."""
    housings = list(dict.fromkeys(row["housing"] for row in part))
    figure, axes = _grid(len(housings), sharey=True)
    handles: dict[str, Any] = {}
    for place, housing in zip(axes, housings, strict=False):
        own = [row for row in part if row["housing"] == housing]
        for name, style in TRAIN.items():
            rows = [row for row in own if name in row["methods"]]
            times = [row["methods"][name]["seconds"] * 1e6 for row in rows]
            _curve(place, [row["wheels"] for row in rows], times, style, handles)
        place.set_xticks([row["wheels"] for row in own], [str(row["wheels"]) for row in own])
        place.minorticks_off()
        _named(place, f"{housing} housing", "wheels")
    axes[0].set_ylabel("time of a step of 1 ms [us]", fontsize=8)
    return _finish(figure, handles, 3, path)


def _forward(part: dict[str, Any], path: Path) -> Path:
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
        left = [i + (k - (len(sides) - 1) / 2) * width for i in at]
        place.bar(left, [found[i][side] * 1e6 for i in at], width, color=colour, label=label)
    place.set_xticks(range(len(rows)), [row["name"] for row in rows], fontsize=8)
    place.set_ylabel("time of the accelerations [us]", fontsize=8)
    place.grid(True, axis="y", which="major", linewidth=0.3)
    place.legend(fontsize=8, frameon=False)
    return _finish(figure, {}, 1, path)
