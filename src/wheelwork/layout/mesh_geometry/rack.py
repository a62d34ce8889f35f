"""Rack and pinion: the pitch line touches the pinion's pitch circle.

The pitch line is the axis of the joint on which the rack slides, or is given by `point_b` and `axis_b`. The mesh lies
in the plane at a right angle to the pinion's axis through its centre, which is given or where its centre of mass is.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from .axes import Axis, Wanted
from .faults import TOLERANCE, MeshFault, agree, degrees, millimetres
from .geometry import MeshGeometry, WheelFrame
from .site import MeshPlace


def rack(site: MeshPlace) -> MeshGeometry:
    mesh = site.mesh
    if mesh.holds_distance and not site.planar:
        text = "is for planar mechanisms: in space the joints hold the pinion at its distance"
        raise MeshFault(text, field="holds_distance")
    beta = site.helix_angle()
    radius = _given_radius(site, beta)
    known = None if radius is None else site.number(radius)
    axes = site.axes(
        Wanted("axes at a right angle", _are_square, known, slides=True, free=mesh.holds_distance)
    )
    pinion, line = axes
    center = site.center(pinion, 0)
    toward, distance = _to_line(site, pinion, line, center)
    radius = distance if radius is None else _checked(site, radius, distance, line)
    whole, count = _teeth(site, radius, beta)
    z, y = pinion.direction, -toward
    contact = center + radius * toward
    return site.geometry(
        axes,
        (WheelFrame(center, z, toward), WheelFrame(contact, z, ca.cross(y, z))),
        (whole, 0),
        {
            "r_a": radius,
            "tan_beta": ca.tan(beta),
            "tan_alpha_t": ca.tan(site.pressure_angle) / ca.cos(beta),
            "pitch": 2 * ca.pi * radius / count,
        },
        distance,
        contact=contact,
        helical=site.is_helical,
        holds_distance=mesh.holds_distance,
    )


def _are_square(pinion: Axis, line: Axis) -> bool:
    return abs(float(pinion.along @ line.along)) <= TOLERANCE


def _to_line(site: MeshPlace, pinion: Axis, line: Axis, center: ca.SX) -> tuple[ca.SX, ca.SX]:
    """Direction from the pinion's centre to the pitch line, and its distance; the lines are checked."""
    first, second = site.mesh.bodies
    where = f"the pitch line of `{second}` ({line.source})"
    if not _are_square(pinion, line):
        cosine = min(abs(float(pinion.along @ line.along)), 1.0)
        text = (
            f"{where} and the axis of `{first}` ({pinion.source}) are at {degrees(float(np.arccos(cosine)))}"
        )
        raise MeshFault(f"{text}, but must be at a right angle", "turn one of them")
    gap = line.point - center
    for direction in (line.direction, pinion.direction):
        gap = gap - direction * ca.dot(direction, gap)
    if pinion.distance(line) <= max(TOLERANCE * float(np.linalg.norm(line.at - pinion.at)), site.smallest):
        text = (
            f"{where} goes through the axis of `{first}` ({pinion.source}), but must touch its pitch circle"
        )
        raise MeshFault(
            text, "move the point that the pitch line goes through, or give `point_b` and `axis_b`"
        )
    distance = ca.norm_2(gap)
    return gap / distance, distance


def _given_radius(site: MeshPlace, beta: ca.SX) -> ca.SX | None:
    """As given, or teeth * module/(2 cos beta)."""
    reader, n = site.reader, site.number
    radius, module, teeth = (reader.value(name) for name in ("radius", "module", "teeth"))
    if module is None or teeth is None:
        return radius
    made = teeth * module / (2 * ca.cos(beta))
    if radius is not None and not agree(n(radius), n(made)):
        text = (
            f"{n(teeth):.0f} teeth and a module of {millimetres(n(module))} make a pitch radius of "
            f"{millimetres(n(made))}, but `radius` is {millimetres(n(radius))}"
        )
        wanted = millimetres(n(module) * n(radius) / n(made))
        raise MeshFault(text, f"leave out `radius`, or use a module of {wanted}", "radius")
    return made


def _checked(site: MeshPlace, radius: ca.SX, distance: ca.SX, line: Axis) -> ca.SX:
    n, (first, second) = site.number, site.mesh.bodies
    if not abs(n(radius) - n(distance)) <= TOLERANCE * n(distance):
        text = (
            f"the pitch line of `{second}` ({line.source}) is {millimetres(n(distance))} from the axis of `{first}`, "
            f"but the pitch radius is {millimetres(n(radius))}"
        )
        hint = f"move the pitch line to {millimetres(n(radius))}, or give its place by `point_b` and `axis_b`"
        module = site.reader.value("module")
        if module is not None:
            wanted = millimetres(n(module) * n(distance) / n(radius))
            hint += f", or use a module of {wanted}"
        raise MeshFault(text, hint)
    return radius


def _teeth(site: MeshPlace, radius: ca.SX, beta: ca.SX) -> tuple[int, ca.SX]:
    """Teeth of the pinion: given, or from module and radius; else 1, the pitch being the circumference."""
    n, teeth, module = site.number, site.reader.value("teeth"), site.reader.value("module")
    if teeth is None and module is not None:
        count = 2 * n(radius) * n(ca.cos(beta)) / n(module)
        if round(count) < 1 or not agree(count, round(count)):
            text = (
                f"a module of {millimetres(n(module))} and a pitch radius of {millimetres(n(radius))} make "
                f"{count:.9g} teeth, which is not a whole number"
            )
            raise MeshFault(text, "give `teeth`, or another module", "module")
        teeth = ca.SX(round(count))
    teeth = ca.SX(1) if teeth is None else teeth
    return round(n(teeth)), teeth
