"""What can be looked at in a mesh with tooth contact."""

from __future__ import annotations

from typing import Any

from wheelwork.elements.meshes.teeth.flank import Flank, ToothPair
from wheelwork.equations.mesh_equations import FORCES, SPEEDS
from wheelwork.equations.tooth_section import Section
from wheelwork.lazy import casadi as ca

Words = tuple[Any, str, str]


def contact_signals(
    flanks: tuple[Flank, Flank], lead: ca.SX, rolling: ca.SX, tau: ca.SX, known_width: bool
) -> dict[str, Any]:
    """lead: g cos(alpha_0); rolling: its speed; tau: phase of the mesh; known_width: whether the face width is"""
    front, back = flanks
    section = front.section
    out: dict[str, Words] = dict(_forces(flanks, section, rolling))
    free = ca.logic_and(front.depth <= 0, back.depth <= 0)
    out |= {
        "force.transverse": (
            front.normal_sum - back.normal_sum,
            "N",
            "force along the transverse line of action; positive: on the front flanks of a",
        ),
        "deflection": (
            ca.fmax(front.depth, 0) - ca.fmax(back.depth, 0),
            "m",
            "of the teeth along the line of action; positive: front flanks of a",
        ),
        "gap": (
            -ca.fmax(front.depth, back.depth),
            "m",
            "distance of the nearer flanks along the line of action (negative: pressed)",
        ),
        "side": (
            ca.if_else(free, 0.0, ca.sign(front.depth - back.depth)),
            "1",
            "which flanks of a touch: 1 front, -1 back, 0 none",
        ),
        "transmission_error": (lead, "m", "by how much a is ahead of b along the line of action"),
        "phase": (tau - ca.floor(tau), "1", "of the mesh, in mesh cycles"),
        "pairs": (
            ca.SX(sum(_pairs(f) for f in flanks)),
            "1",
            "how many pairs of teeth are in contact anywhere across the face",
        ),
        "distance": (
            section.distance,
            "m",
            "of the axes; of the pinion's axis from the pitch line of a rack",
        ),
        "pressure_angle": (section.angle, "rad", "of the transverse line of action"),
        "backlash": (
            2 * section.half,
            "m",
            "clearance along the transverse line of action, both sides together",
        ),
        "path.start": (section.start, "m", "where pairs enter, from the foot of the line of action on a (A)"),
        "path.end": (section.end, "m", "where pairs leave, from the foot of the line of action on a (E)"),
        "power.loss": (front.lost + back.lost, "W", "power lost in the mesh"),
        "power.elastic": (front.stored + back.stored, "W", "power that goes into the teeth as springs"),
    }
    for word, flank in (("front", front), ("back", back)):
        for i, pair in enumerate(flank.pairs):
            out |= {
                f"{word}.{i + 1}.{label}": words for label, words in _pair(flank, pair, known_width).items()
            }
    return {label: (ca.SX(value), unit, meaning) for label, (value, unit, meaning) in out.items()}


def _forces(flanks: tuple[Flank, Flank], section: Section, rolling: ca.SX) -> list[tuple[str, Words]]:
    """The signals of all meshes: tangential forces on the wheels are their torques over the rolling radii."""
    front, back = flanks
    without = front.normal_sum * front.direction + back.normal_sum * back.direction
    force, torque = front.force + back.force, front.couple[2] + back.couple[2]
    outward, forward, axial = ca.vertsplit(force)
    radius_a = section.base / section.cosine
    values = [without[1], without[0], without[2], sum(f.normal_sum * ca.norm_2(f.direction) for f in flanks)]
    values += [-torque / radius_a, -outward, -axial]
    if section.tangent is None:
        values += [forward, -outward, axial]
    else:
        radius_b = section.tangent / section.sine - radius_a  # negative for a ring
        # about the centre of b, which is at (radius_a + radius_b) o
        about_b = torque - (radius_a + radius_b) * forward
        values += [about_b / ca.fabs(radius_b), -ca.sign(radius_b) * outward, axial]
    words = {**FORCES, **SPEEDS}
    return [
        (label, (value, *words[label]))
        for label, value in zip(words, [*values, rolling, without[1] * rolling], strict=True)
    ]


def _pairs(flank: Flank) -> ca.SX:
    """Pairs of teeth of which some slice touches."""
    total = ca.SX(0)
    for pair in flank.pairs:
        touching = ca.SX(0)
        for one in pair.slices:
            touching = ca.fmax(touching, one.touches)
        total += touching
    return total


def _pair(flank: Flank, pair: ToothPair, known_width: bool) -> dict[str, Words]:
    """Signals of one pair of teeth; depth, pressure and half width are the largest of its slices."""
    depth = pressure = half_width = ca.SX(0)
    for one in pair.slices:
        t = one.slice
        depth = ca.fmax(depth, ca.if_else(one.touches, t.depth, 0.0))
        if not known_width:
            continue
        # for unit length of the line of contact, and curvature in the normal section
        load = ca.if_else(one.touches, one.normal / (t.width * t.covered), 0.0)
        strip = ca.sqrt(4 * load * ca.fmax(t.radius, 0.0) / t.cos_helix / (ca.pi * t.modulus))
        half_width = ca.fmax(half_width, strip)
        pressure = ca.fmax(pressure, ca.if_else(strip > 0, 2 * load / (ca.pi * strip), 0.0))
    normal = sum((one.normal / one.slice.cos_helix for one in pair.slices), ca.SX(0))
    friction = sum((one.friction for one in pair.slices), ca.SX(0))
    out: dict[str, Words] = {
        "depth": (depth, "m", "to which this pair is pressed, along the transverse line of action"),
        "force.normal": (normal, "N", "of this pair, along the common normal"),
        "force.friction": (friction, "N", "of this pair on b, across the line of action"),
        "position": (
            pair.place,
            "m",
            "of this pair on the line of action, from its foot on a; of a helical pair the middle of what touches of "
            "it; between path.start and path.end it can touch",
        ),
        "sliding": (
            flank.sliding_at(pair.place, pair.w),
            "m/s",
            "speed of a's flank against b's where this pair is",
        ),
    }
    if known_width:
        out["pressure"] = (pressure, "Pa", "Hertz's pressure of this pair")
        out["half_width"] = (half_width, "m", "of Hertz's strip of contact of this pair")
    return out
