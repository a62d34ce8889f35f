"""Pictures of gear meshes: wheels with their true outlines, circles, and the line of action with its points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.gears import BevelPair, Gear, GearPair, RackPair, gear_outline
from wheelwork.gears.outline import tooth_outline

from .style import LIGHT, Theme, ThemeName, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

A, B, LINE = 0, 1, 4
"""In the theme's series: wheel a, wheel b, line of action."""
MM = 1e3


def gear_pairs(
    pairs: dict[str, GearPair | RackPair | BevelPair], *, theme: ThemeName | Theme = "light"
) -> Figure:
    """One row for each pair: the wheels as a whole, and the zone of contact."""
    with styled(theme) as look:
        figure = look.figure(0.49 * 1.25 * look.width * len(pairs), 1.25 * look.width)
        axes = figure.subplots(len(pairs), 2, squeeze=False, width_ratios=(1, 1.25))
        for row, (name, pair) in zip(axes, pairs.items(), strict=True):
            shown = pair.virtual_pair if isinstance(pair, BevelPair) else pair
            what = f"{name} (virtual pair)" if isinstance(pair, BevelPair) else name
            draw_wheels(row[0], shown, look=look)
            draw_contact(row[1], shown, look=look)
            row[0].set_title(what)
            row[1].set_title(f"zone of contact, {_ratios(shown)}")
    return figure


def _ratios(pair: GearPair | RackPair) -> str:
    text = f"$\\epsilon_\\alpha$ = {pair.transverse_contact_ratio:.3f}"
    if pair.a.helix_angle and pair.face_width:
        text += f", $\\epsilon_\\beta$ = {pair.overlap_ratio:.3f}"
    return text


def draw_wheels(
    axes: Any, pair: GearPair | RackPair, position: float | None = None, look: Theme = LIGHT
) -> None:
    """Both wheels, pinion in the origin, teeth in contact at `position` (the pitch point where it is left out)."""
    _millimetres(axes)
    a, b = look.series[A], look.series[B]
    own, other = pair.contact_angles(pair.path.pitch_point if position is None else position)
    _wheel(axes, pair.a, float(own), np.zeros(2), a)
    if isinstance(pair, RackPair):
        _rack(axes, pair, float(other), 4 + int(pair.a.tip_diameter / pair.a.transverse_pitch), b)
    else:
        tooth = float(other) + (np.pi / pair.b.teeth if pair.b.internal else 0.0)
        _wheel(axes, pair.b, tooth, pair.centre_b, b)
    axes.set_aspect("equal")
    axes.autoscale_view()


def draw_contact(
    axes: Any, pair: GearPair | RackPair, position: float | None = None, look: Theme = LIGHT
) -> None:
    """Some teeth around the pitch point, the circles, and the line of action with A to E."""
    _millimetres(axes)
    a, b = look.series[A], look.series[B]
    path = pair.path
    at = path.pitch_point if position is None else position
    own, other = (float(angle) for angle in pair.contact_angles(at))
    _teeth(axes, pair.a, own, np.zeros(2), a, 4)
    if isinstance(pair, RackPair):
        _rack(axes, pair, other, 9, b)
        circles = [(pair.a, np.zeros(2), pair.a.reference_diameter, a)]
    else:
        tooth = other + (np.pi / pair.b.teeth if pair.b.internal else 0.0)
        _teeth(axes, pair.b, tooth, pair.centre_b, b, 4)
        circles = [
            (gear, centre, working, color)
            for gear, centre, working, color in zip(
                (pair.a, pair.b), (np.zeros(2), pair.centre_b), pair.working_diameters, (a, b), strict=True
            )
        ]
    for gear, centre, working, color in circles:
        for diameter, style in ((gear.base_diameter, ":"), (working, "-."), (gear.tip_diameter, "--")):
            _circle(axes, centre, diameter / 2, color, style)
    _line_of_action(axes, pair, look)
    middle = pair.contact_point(np.array([path.start, path.end, path.pitch_point])) * MM
    reach = 1.15 * max(2.6 * pair.a.module * MM, float(np.ptp(middle[:, 1])))
    centre = middle.mean(axis=0)
    axes.set_xlim(centre[0] - 1.25 * reach, centre[0] + 1.25 * reach)
    axes.set_ylim(centre[1] - reach, centre[1] + reach)
    axes.set_aspect("equal")


def _line_of_action(axes: Any, pair: GearPair | RackPair, look: Theme) -> None:
    path = pair.path
    ends = pair.contact_point(
        np.array([0.0, path.tangent_length if 0 < path.tangent_length < np.inf else 2 * path.end])
    )
    axes.plot(*(ends * MM).T, "-", color=look.line, linewidth=0.9, zorder=4)
    used = pair.contact_point(np.array([path.start, path.end])) * MM
    axes.plot(*used.T, "-", color=look.series[LINE], linewidth=2.2, zorder=5)
    across = np.array([np.cos(pair.working_pressure_angle), -np.sin(pair.working_pressure_angle)])
    for k, (letter, place) in enumerate(path.points.items()):
        point = pair.contact_point(place) * MM
        side = 1 if k % 2 else -1
        axes.plot(*point, "o", color=look.series[LINE], markersize=4, zorder=6)
        axes.annotate(
            letter,
            point,
            point + side * across * 0.45 * pair.a.module * MM,
            color=look.ink,
            fontsize=9,
            ha="center",
            va="center",
            zorder=7,
            bbox={"boxstyle": "circle,pad=0.12", "facecolor": look.paper, "edgecolor": "none", "alpha": 0.8},
        )


def _wheel(axes: Any, gear: Gear, angle: float, centre: np.ndarray, color: str) -> None:
    if gear.teeth != round(gear.teeth):
        _teeth(axes, gear, angle, centre, color, int(gear.teeth) // 2)
        return
    line = (gear_outline(gear, angle, 10, 6, 3) + centre) * MM
    if gear.internal:
        rim = gear.root_diameter / 2 + 2.5 * gear.module
        turn = np.linspace(0, 2 * np.pi, 181)
        outside = (centre + rim * np.column_stack((np.cos(turn), np.sin(turn)))) * MM
        axes.fill(*np.concatenate((outside, line[::-1])).T, facecolor=color, alpha=0.22, linewidth=0)
        axes.plot(*outside.T, "-", color=color, linewidth=0.9)
    else:
        axes.fill(*line.T, facecolor=color, alpha=0.22, linewidth=0)
    axes.plot(*line.T, "-", color=color, linewidth=0.9)
    axes.plot(*(centre * MM), "+", color=color, markersize=7)


def _teeth(axes: Any, gear: Gear, angle: float, centre: np.ndarray, color: str, count: int) -> None:
    """`count` teeth to either side of one, on a piece of their body."""
    one = tooth_outline(gear, 40, 24, 6)
    turns = angle + 2 * np.pi / gear.teeth * np.arange(-count, count + 1)
    lines = [
        np.column_stack(
            (one[:, 0] * np.cos(t) - one[:, 1] * np.sin(t), one[:, 0] * np.sin(t) + one[:, 1] * np.cos(t))
        )
        for t in turns
    ]
    line = np.concatenate(lines)
    far = gear.root_diameter / 2 + (1 if gear.internal else -1) * 3 * gear.module
    ends = np.linspace(turns[-1], turns[0], 40)
    back = far * np.column_stack((np.cos(ends), np.sin(ends)))
    axes.fill(*((np.concatenate((line, back)) + centre) * MM).T, facecolor=color, alpha=0.22, linewidth=0)
    axes.plot(*((line + centre) * MM).T, "-", color=color, linewidth=1.3, zorder=3)


def _rack(axes: Any, pair: RackPair, middle: float, teeth: int, color: str) -> None:
    along, height = pair.outline(2 * teeth + 1).T
    line = np.column_stack((pair.working_distance - height, middle + along - teeth * pair.a.transverse_pitch))
    back = pair.working_distance + 4 * pair.a.module
    body = np.concatenate((line, [[back, line[-1, 1]], [back, line[0, 1]]]))
    axes.fill(*(body * MM).T, facecolor=color, alpha=0.22, linewidth=0)
    axes.plot(*(line * MM).T, "-", color=color, linewidth=1.2, zorder=3)


def _circle(axes: Any, centre: np.ndarray, radius: float, color: str, style: str) -> None:
    turn = np.linspace(0, 2 * np.pi, 721)
    line = (centre + radius * np.column_stack((np.cos(turn), np.sin(turn)))) * MM
    axes.plot(*line.T, style, color=color, linewidth=0.7, alpha=0.8)


def _millimetres(axes: Any) -> None:
    axes.set_xlabel("x [mm]")
    axes.set_ylabel("y [mm]")
    axes.grid(False)
