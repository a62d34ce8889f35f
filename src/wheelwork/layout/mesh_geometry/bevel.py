"""Bevel wheels: axes that meet at the apex O.

With u_a, u_b the directions from O to the wheels, sigma the angle between them and k = z_b/z_a::

    tan(delta_a) = sin(sigma)/(k + cos(sigma))        delta_b = sigma - delta_a
    f = (u_a sin(delta_b) + u_b sin(delta_a))/sin(sigma)       along the common line of the pitch cones
    P = O + R f,   r_i = R sin(delta_i),   centres O + R cos(delta_i) u_i

r_i = |a_j . l|/|a_i x a_j| of the paper, below (31), follows from the centres. R is r_a/sin(delta_a) with the radius
given or from the module, less half the face width, since the force acts in the middle of the teeth. Where no size is
given, wheel a's centre gives it: R = d_a/cos(delta_a), d_a its distance from the apex.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from .axes import Axis, Pair, Wanted
from .faults import TOLERANCE, MeshFault, degrees, millimetres
from .geometry import MeshGeometry, WheelFrame
from .site import MeshPlace


def bevel(site: MeshPlace) -> MeshGeometry:
    axes = site.axes(Wanted("axes that meet", site.meet))
    apex = _apex(site, axes)
    (d_a, u_a), (d_b, u_b) = (_outward(site, axis, side, apex) for side, axis in enumerate(axes))
    sizes = site.reader.wheels()
    cosine, sine = ca.dot(u_a, u_b), ca.norm_2(ca.cross(u_a, u_b))
    delta_a = ca.atan2(sine, sizes.ratio + cosine)
    delta_b = ca.atan2(sine, 1 / sizes.ratio + cosine)
    _check_cones(site, (delta_a, delta_b))
    if sizes.radii is not None:
        R = _in_the_middle(site, sizes.radii[0] / ca.sin(delta_a))
    else:
        R = d_a / ca.cos(delta_a)
        _check_centers(site, axes, d_b, R * ca.cos(delta_b), d_a)
    f = (u_a * ca.sin(delta_b) + u_b * ca.sin(delta_a)) / sine
    r_a = R * ca.sin(delta_a)
    r_b = r_a * sizes.ratio
    spiral = site.place.value(site.mesh.spiral_angle)
    wheels = tuple(
        WheelFrame(apex + R * ca.cos(delta) * u, u, f) for u, delta in ((u_a, delta_a), (u_b, delta_b))
    )
    return site.geometry(
        axes,
        (wheels[0], wheels[1]),
        sizes.teeth,
        {
            "r_a": r_a,
            "r_b": r_b,
            "tan_spiral": ca.tan(spiral),
            "tan_alpha_t": ca.tan(site.pressure_angle) / ca.cos(spiral),
            "pitch": 2 * ca.pi * r_a / sizes.counts[0],
        },
        ca.SX(0),
        contact=apex + R * f,
        cone_angles=(delta_a, delta_b),
    )


def _apex(site: MeshPlace, axes: Pair) -> ca.SX:
    """Where the axes meet: halfway between their nearest points. They are checked."""
    a, b = axes
    first, second = site.mesh.bodies
    names = f"the axes of `{first}` ({a.source}) and `{second}` ({b.source})"
    if a.is_parallel(b):
        raise MeshFault(f"{names} are parallel, but must meet", "wheels on parallel axes are `external`")
    if not site.meet(a, b):
        text = f"{names} pass each other {millimetres(a.distance(b))} apart, but must meet"
        raise MeshFault(text, "move one of them; wheels whose axes cross without meeting are `crossed`")
    near_a, near_b = nearest_points(a, b)
    return (near_a + near_b) / 2


def nearest_points(a: Axis, b: Axis) -> tuple[ca.SX, ca.SX]:
    """The points of two lines that are nearest to each other."""
    n = ca.cross(a.direction, b.direction)
    square = ca.dot(n, n)
    gap = b.point - a.point
    along_a = ca.dot(ca.cross(gap, b.direction), n) / square
    along_b = ca.dot(ca.cross(gap, a.direction), n) / square
    return a.point + a.direction * along_a, b.point + b.direction * along_b


def _outward(site: MeshPlace, axis: Axis, side: int, apex: ca.SX) -> tuple[ca.SX, ca.SX]:
    """Distance of a wheel from the apex, and the direction of its axis away from it."""
    letter, wheel = "ab"[side], site.mesh.bodies[side]
    points = [site.center(axis, side), axis.point]
    for point in points:
        along = ca.dot(axis.direction, point - apex)
        if abs(site.number(along)) > site.smallest:
            return ca.fabs(along), axis.direction * ca.sign(along)
    text = f"`{wheel}` is at the apex, where the axes meet: it is not clear on which side of it its teeth are"
    raise MeshFault(text, f"give `point_{letter}` and `axis_{letter}`, the point being the wheel's centre")


def _check_cones(site: MeshPlace, deltas: tuple[ca.SX, ca.SX]) -> None:
    angles = [site.number(delta) for delta in deltas]
    for side, angle in enumerate(angles):
        if angle > np.pi / 2 - TOLERANCE:
            text = (
                f"with axes at {degrees(sum(angles))} the pitch cone of `{site.mesh.bodies[side]}` has an angle of "
                f"{degrees(angle)}, but must have less than 90 deg"
            )
            raise MeshFault(text, "use another ratio, or put one of the wheels on the other side of the apex")


def _in_the_middle(site: MeshPlace, outer: ca.SX) -> ca.SX:
    """Cone distance of the middle of the teeth."""
    n, width = site.number, site.place.value(site.mesh.face_width)
    if n(width) >= n(outer):
        text = f"the teeth reach beyond the apex: the outer cone distance is {millimetres(n(outer))}, "
        raise MeshFault(f"{text}but the face width {millimetres(n(width))}", field="face_width")
    return outer - width / 2


def _check_centers(site: MeshPlace, axes: Pair, given: ca.SX, needed: ca.SX, first: ca.SX) -> None:
    """Two centres that are both given must have their pitch circles meet in a point."""
    n = site.number
    if not (axes[0].center_given and axes[1].center_given):
        return
    if abs(n(given) - n(needed)) > TOLERANCE * n(needed):
        a, b = site.mesh.bodies
        text = (
            f"the pitch circles do not meet: with `{a}` {millimetres(n(first))} from the apex, `{b}` must be "
            f"{millimetres(n(needed))} from it, but is at {millimetres(n(given))}"
        )
        raise MeshFault(text, "move one of the centres, or give `module` or `radii`: the centres then follow")
