"""Meshes on parallel axes: external, internal and belt.

The mesh lies in one plane at a right angle to the axes: through the centre of wheel a where that is given, else through
that of wheel b, else through the centre of mass of wheel a (of wheel b, if a is ground).
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from .axes import GIVE_AXES, Axis, Pair, Wanted
from .faults import TOLERANCE, MeshFault, agree, degrees, millimetres
from .geometry import MeshGeometry, WheelFrame
from .shifted import shifted
from .site import MeshPlace
from .sizes import Sizes
from .whole_numbers import sizes_of_ratio


def external(site: MeshPlace) -> MeshGeometry:
    return _gears(site, sign=1)


def internal(site: MeshPlace) -> MeshGeometry:
    return _gears(site, sign=-1)


def _gears(site: MeshPlace, sign: int) -> MeshGeometry:
    """sign: 1 for wheels side by side, -1 for a pinion in a ring"""
    reader = site.reader
    beta = site.helix_angle()
    cosines = ca.cos(beta), ca.cos(beta)
    radii = reader.given_radii(cosines)
    known = None if radii is None else site.number(radii[0] + sign * radii[1]) * sign
    axes = site.axes(Wanted("parallel axes", _are_apart, known))
    centers, l, distance = _centers(site, axes)
    tan_alpha_t = ca.tan(site.pressure_angle) / ca.cos(beta)
    if site.mesh.profile_shift is None:
        sizes = reader.wheels(cosines, distance, sign)
        r_a, r_b = reader.closed(sizes, distance, cosines, sign)
        tan_beta = ca.tan(beta)
    else:
        sizes, (r_a, r_b), spread = shifted(site, distance, cosines, sign)
        # working circles: base circles stay, so cos(alpha_wt) = cos(alpha_t)/spread; so does the lead
        tan_alpha_t = ca.sqrt(spread**2 * (1 + tan_alpha_t**2) - 1)
        tan_beta = spread * ca.tan(beta)
    return site.geometry(
        axes,
        _frames(axes, centers, l),
        sizes.teeth,
        {
            "r_a": r_a,
            "r_b": r_b,
            "tan_beta": tan_beta,
            "tan_alpha_t": tan_alpha_t,
            "pitch": 2 * ca.pi * r_a / sizes.counts[0],
        },
        distance,
        contact=centers[0] + (sign * r_a / distance) * l,
        helical=site.is_helical,
    )


def belt(site: MeshPlace) -> MeshGeometry:
    mesh, n = site.mesh, site.number
    axes = site.axes(Wanted("parallel axes", _are_apart))
    centers, l, distance = _centers(site, axes)
    sizes = _pulleys(site)
    assert sizes.radii is not None
    r_a, r_b = sizes.radii
    least = n(r_a + r_b) if mesh.crossed else abs(n(r_a - r_b))
    if n(distance) <= least:
        kind = "a crossed belt" if mesh.crossed else "a belt"
        text = (
            f"the axes are {millimetres(n(distance))} apart, but {kind} on radii of {millimetres(n(r_a))} and "
            f"{millimetres(n(r_b))} needs more than {millimetres(least)}"
        )
        raise MeshFault(text, "move the axes apart, or use smaller pulleys")
    return site.geometry(
        axes,
        _frames(axes, centers, l),
        sizes.teeth,
        {
            "r_a": r_a,
            "r_b": r_b,
            "sign": ca.SX(-1 if mesh.crossed else 1),
            "tension": site.place.value(mesh.tension),
            "pitch": 2 * ca.pi * r_a / sizes.counts[0],
        },
        distance,
        contact=centers[1],
    )


def _pulleys(site: MeshPlace) -> Sizes:
    """Radii as given or teeth * pitch/(2 pi); teeth as given or the smallest whole numbers with that ratio."""
    reader, n = site.reader, site.number
    radii, teeth, pitch = reader.pair("radii"), reader.pair("teeth"), reader.value("pitch")
    if teeth is not None and pitch is not None:
        made = tuple(z * pitch / (2 * ca.pi) for z in teeth)
        for side, (radius, other) in enumerate(zip(radii or made, made, strict=True)):
            if not agree(n(radius), n(other)):
                text = (
                    f"{n(teeth[side]):.0f} teeth with a pitch of {millimetres(n(pitch))} make a radius of "
                    f"{millimetres(n(other))} for `{site.mesh.bodies[side]}`, but `radii` has {millimetres(n(radius))}"
                )
                raise MeshFault(text, "leave out `radii`, or leave out `pitch`", "radii")
        radii = made[0], made[1]
    assert radii is not None
    if teeth is None:
        whole, teeth = sizes_of_ratio(radii[1] / radii[0], n)
        return Sizes(whole, teeth, (radii[0], radii[0] * teeth[1] / teeth[0]))
    if not agree(n(teeth[1] / teeth[0]), n(radii[1] / radii[0])):
        text = (
            f"{n(teeth[0]):.0f} and {n(teeth[1]):.0f} teeth make a ratio of {n(teeth[1] / teeth[0]):.9g}, but radii of "
            f"{millimetres(n(radii[0]))} and {millimetres(n(radii[1]))} make {n(radii[1] / radii[0]):.9g}"
        )
        raise MeshFault(text, "leave one of them out, or make them agree", "teeth")
    whole = round(n(teeth[0])), round(n(teeth[1]))
    return Sizes(whole, teeth, (radii[0], radii[0] * teeth[1] / teeth[0]))


def _are_apart(a: Axis, b: Axis) -> bool:
    """Parallel axes that are not one line."""
    return a.is_parallel(b) and a.distance(b) > TOLERANCE * float(np.linalg.norm(b.at - a.at))


def _centers(site: MeshPlace, axes: Pair) -> tuple[tuple[ca.SX, ca.SX], ca.SX, ca.SX]:
    """Centres of the wheels, the line from a to b, and its length; the axes are checked."""
    a, b = axes
    first, second = site.mesh.bodies
    if not a.is_parallel(b):
        angle = degrees(float(np.arcsin(min(a.sine(b), 1.0))))
        text = f"the axes of `{first}` ({a.source}) and `{second}` ({b.source}) are at {angle}, but must be parallel"
        raise MeshFault(
            text, "turn one of them; wheels whose axes meet are `bevel`, those that cross `crossed`"
        )
    if not _are_apart(a, b):
        text = f"`{first}` ({a.source}) and `{second}` ({b.source}) turn about the same axis"
        raise MeshFault(text, "wheels in mesh have axes of their own: move one, or " + GIVE_AXES)
    if not a.center_given and (b.center_given or site.is_ground(0)):
        center_b = site.center(b, 1)
        center_a = _foot(center_b, a)
    else:
        center_a = site.center(a, 0)
        center_b = _foot(center_a, b)
    l = center_b - center_a
    return (center_a, center_b), l, ca.norm_2(l)


def _foot(point: ca.SX, axis: Axis) -> ca.SX:
    """The point of an axis in the plane through `point` at a right angle to it."""
    return axis.point + axis.direction * ca.dot(axis.direction, point - axis.point)


def _frames(axes: Pair, centers: tuple[ca.SX, ca.SX], l: ca.SX) -> tuple[WheelFrame, WheelFrame]:
    z_a, z_b = (axis.direction for axis in axes)
    same_sense = ca.sign(ca.dot(z_a, z_b))
    return WheelFrame(centers[0], z_a, l), WheelFrame(centers[1], same_sense * z_b, l)
