"""Dry friction in a joint: what presses, and so how much friction there can be.

Friction force or torque along a joint coordinate: at most  F = F0 + mu N  while sliding and `static_ratio`
times that while sticking, with N from the joint's reaction (Bai (1.19), (1.20)). While a joint sticks, the rate
of its coordinate is held at zero by a constraint whose multiplier is the friction needed; when that exceeds the
limit the joint slides, with F against the motion. The load N, from reaction force f and torque m (about the
joint's point) in joint axes with z along the coordinate:

    angle         r |f|                      a journal of radius r that carries all of the force
    displacement  hypot(f_x, f_y) + |m| / r  a guide; m counts only where a radius r is given (half its length)
"""

from __future__ import annotations

from wheelwork.equations.frames import Marker
from wheelwork.lazy import casadi as ca

from .kernels import short_name
from .space import SPATIAL, Space


def load_function(coordinate: str, with_radius: bool, space: Space = SPATIAL) -> ca.Function:
    """(body b, (marker on b, radius), wrench on b about its centre of mass) -> load."""
    record, data, given = ca.SX.sym("b", space.record), ca.SX.sym("d", 13), ca.SX.sym("f", space.V)
    marker = Marker.from_record(space.frame(record), data[:12])
    wrench = space.in_space(given)
    force, torque = wrench[:3], wrench[3:] - ca.cross(marker.s, wrench[:3])
    radius = data[12]
    if coordinate == "angle":
        load = radius * ca.norm_2(force)
    else:
        load = ca.sqrt(ca.dot(marker.ex, force) ** 2 + ca.dot(marker.ey, force) ** 2)
        if with_radius:
            load = load + ca.norm_2(torque) / radius
    name = short_name("load", space.key(f"{coordinate}:{with_radius}"))
    return ca.Function(name, [record, data, given], [load])
