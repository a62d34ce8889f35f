"""Symbols of joints as solids: pins, sliders, balls, rails and plates.

A symbol is in the joint's frame on one side: z along its axis, or at a right angle to its plane.

    revolute                 pin (b)
    cylindrical, screw       sleeve (b) on a rail (a)
    prismatic, translational slider (b) on a rail (a)
    universal                one arm of the cross on each side
    spherical                ball (b)
    point_on_line            ball (b) on a rail (a)
    planar, point_on_plane   slider or ball (b) on a plate (a)
    distance, rod            balls at both ends
    cam_point                ball (b), inside the roller if there is one
    fixed, other cams        nothing
"""

from __future__ import annotations

from .solids import Solid, box, cylinder, sphere

SLIDING = ("prismatic", "translational", "point_on_line")
"""Joints along a line, which in the plane is the x axis of the frame."""
ON_RAILS = (*SLIDING, "cylindrical", "screw")
ON_PLATES = ("planar", "point_on_plane")


def joint_symbol(kind: str, side: int, thin: float) -> Solid | None:
    """For side a (0) or b (1) of a joint; thin: how thick bars are [m]."""
    if kind == "universal":
        return cylinder(0.6 * thin, 5 * thin, 10, toned=False)
    if kind in ("fixed", "cam_flat", "cam_cam"):
        return None
    if side == 0:
        return _support(kind, thin)
    if kind in ("revolute", "cylindrical", "screw"):
        return cylinder(1.5 * thin, 3.4 * thin, 14, toned=False)
    if kind in ("prismatic", "translational"):
        return box((2.6 * thin, 2.6 * thin, 4 * thin))
    if kind == "planar":
        return cylinder(1.5 * thin, thin, 14, toned=False).placed((0, 0, 0.7 * thin))
    return sphere(1.3 * thin, 10, toned=False)


def _support(kind: str, thin: float) -> Solid | None:
    """What the other side slides on."""
    if kind in ON_RAILS:
        return cylinder(0.45 * thin, 12 * thin, 8, toned=False)
    if kind in ON_PLATES:
        return box((8 * thin, 8 * thin, 0.4 * thin))
    return sphere(1.3 * thin, 10, toned=False) if kind in ("distance", "rod") else None
