"""Wheels and racks as true solids in STEP: flanks and fillets are splines through many points, circles are circles."""

from __future__ import annotations

from math import pi, tan
from pathlib import Path
from typing import Any

import numpy as np

from wheelwork.cad import write_step
from wheelwork.gears import Gear, RackPair
from wheelwork.gears.outline import cartesian, gear_outline, half_tooth
from wheelwork.show.scene.cylindrical import twist
from wheelwork.show.scene.wheel_parts import RackBar

FLANK, FILLET = 24, 24
"""Points of each curve; a cubic spline through them is within 1e-4 modules of it, in most gears within 1e-6."""
ALIKE = 1e-4
"""Share by which the volume of a solid may differ from the integral of its outline."""
MM = 1e3


def gear_plan(name: str, gear: Gear, back: float, file: Path) -> dict[str, Any]:
    """What `cad.step_worker` makes a wheel of."""
    return {
        "kind": "wheel",
        "name": name,
        "file": str(file),
        "pieces": _tooth(gear),
        "teeth": round(gear.teeth),
        "width": MM * gear.face_width,
        "slope": twist(gear) / MM,
        "back": MM * back,
        "internal": gear.internal,
        "expected": MM**3 * gear_volume(gear, back),
    }


def gear_volume(gear: Gear, back: float) -> float:
    """The integral over the outline, less the bore, or what the rim of a ring leaves of it, times the width [m^3]."""
    x, y = gear_outline(gear, flank=200, fillet=200, arc=40).T
    inside = abs(float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))) / 2
    return abs(inside - pi * back**2) * gear.face_width


def rack_plan(name: str, pair: RackPair, bar: RackBar, file: Path) -> dict[str, Any]:
    """The same of a rack, in the frame of its scene: x along the pitch line, y towards the pinion."""
    count = FILLET
    curve = pair.half_tooth(2, count)
    curve = curve - [pair.working_distance - pair.a.reference_diameter / 2, 0.0]
    fillet, flank = curve[:count], curve[count - 1 :]
    pitch = pair.a.transverse_pitch
    root = np.array([[fillet[0, 0], pitch / 2], fillet[0]])
    half = [root, fillet, flank]
    tip = np.array([flank[-1], flank[-1] * [1.0, -1.0]])
    pieces = [*(p * [1.0, -1.0] for p in half), tip[::-1], *(p[::-1] for p in half[::-1])]
    across = np.concatenate([*pieces[:1], *(piece[1:] for piece in pieces[1:])])
    teeth = float(np.sum((across[1:, 0] + across[:-1, 0]) / 2 * np.diff(across[:, 1])))
    return {
        "kind": "rack",
        "name": name,
        "file": str(file),
        "pieces": [_piece(piece[:, ::-1]) for piece in pieces if _long(piece)],
        "teeth": bar.teeth,
        "first": MM * bar.first,
        "pitch": MM * pitch,
        "width": MM * bar.width,
        "depth": MM * bar.depth,
        "slope": tan(pair.a.helix_angle),
        "expected": MM**3 * bar.teeth * (teeth + bar.depth * pitch) * bar.width,
    }


def write_plans(plans: list[dict[str, Any]]) -> dict[str, str]:
    """Write the files; for each wheel that could not be written, by its name, why.

    A solid whose volume is not that of its outline is not left behind.
    """
    wrong: dict[str, str] = {}
    done = write_step(plans) if plans else {}
    for plan in plans:
        name, found = plan["name"], done[plan["name"]]
        if "error" in found:
            wrong[name] = found["error"]
        elif abs(found["volume"] / plan["expected"] - 1) > ALIKE:
            wrong[name] = (
                f"its solid has {found['volume']:.6g} mm^3, but its outline gives {plan['expected']:.6g} mm^3"
            )
        if name in wrong:
            Path(plan["file"]).unlink(missing_ok=True)
    return wrong


def _tooth(gear: Gear) -> list[dict[str, Any]]:
    """One tooth from the middle of a gap to that of the next, the middle of the tooth on the x axis."""
    half = half_tooth(gear, FLANK, FILLET)
    root, tip, gap = half.fillet[0], half.flank[-1], pi / gear.teeth
    arcs = [cartesian(np.column_stack((np.full(7, r), np.linspace(a, b, 7)))) for r, a, b in (
        (root[0], gap, root[1]), (tip[0], tip[1], -tip[1]))]  # fmt: skip
    up = [arcs[0], cartesian(half.fillet), cartesian(half.flank)]
    pieces = [*(p * [1.0, -1.0] for p in up), arcs[1][::-1], *(p[::-1] for p in up[::-1])]
    round_ones = {0, 3, 6}
    return [_piece(p, k in round_ones) for k, p in enumerate(pieces) if _long(p)]


def _piece(points: np.ndarray, arc: bool = False) -> dict[str, Any]:
    return {"points": (MM * points).tolist(), "arc": arc}


def _long(points: np.ndarray) -> bool:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum()) > 1e-8
