"""The castings of the arm from base to flange, the six axes between them, and the load."""

from __future__ import annotations

import wheelwork as ww

from .assembly import UNIT, Assembly, AxisName
from .sizes import (
    ARM_MASS,
    BASE_MASS,
    COLUMN_MASS,
    ELBOW,
    FLANGE,
    FLANGE_MASS,
    FOREARM_MASS,
    PAYLOAD_DISTANCE,
    PAYLOAD_EDGE,
    SHOULDER,
    UPPER_ARM_MASS,
    WRIST,
    WRIST_MASS,
    Vector,
    mm,
)

LINKS = ("base", "column", "upper-arm", "arm", "forearm", "wrist", "flange")
"""Link k turns about axis k in link k - 1."""
AXES: tuple[tuple[Vector, AxisName], ...] = (
    ((0.0, 0.0, 0.36), "z"),
    (SHOULDER, "y"),
    (ELBOW, "y"),
    ((0.44, 0.0, WRIST[2]), "x"),
    (WRIST, "y"),
    ((FLANGE[0] - 0.04, 0.0, FLANGE[2]), "x"),
)
"""A point and the direction of each axis in the start position."""


def add_links(assembly: Assembly) -> None:
    """Seven castings, the base bolted to the ground."""
    body = assembly.body
    body("base", ww.Cylinder(radius=0.2, length=0.34), (0, 0, 0.17), BASE_MASS)
    body("column", ww.Box(size=(0.44, 0.17, 0.38)), (0.13, -0.06, 0.57), COLUMN_MASS)
    body("upper-arm", ww.Box(size=(0.16, 0.05, 0.85)), (ELBOW[0], 0.135, 0.99), UPPER_ARM_MASS)
    body("arm", ww.Box(size=(0.3, 0.15, 0.26)), (0.29, -0.035, 1.42), ARM_MASS)
    forearm = ww.Tube(outer_radius=mm(65), inner_radius=mm(50), length=0.4, axis="x")
    body("forearm", forearm, (0.66, 0, WRIST[2]), FOREARM_MASS)
    body("wrist", ww.Box(size=(0.15, 0.1, 0.1)), (0.925, 0, WRIST[2]), WRIST_MASS)
    flange = ww.Disc(radius=mm(50), thickness=mm(20), axis="x")
    body("flange", flange, (FLANGE[0] - 0.01, 0, FLANGE[2]), FLANGE_MASS)
    assembly.bolted("base", "ground", (0, 0, 0))


def add_axes(assembly: Assembly) -> None:
    """Main bearings; positive angles lean the arm forward, and turn the flange by the right hand about its outside."""
    for k, (point, axis) in enumerate(AXES):
        assembly.bearing(f"axis{k + 1}", LINKS[k], LINKS[k + 1], point, UNIT[axis])


def add_payload(assembly: Assembly) -> None:
    """A cube of the greatest load."""
    cube = ww.Box(size=(PAYLOAD_EDGE, PAYLOAD_EDGE, PAYLOAD_EDGE))
    assembly.body("payload", cube, (FLANGE[0] + PAYLOAD_DISTANCE, 0, FLANGE[2]), "payload_mass")
    assembly.welded("gripper", "payload", "flange", FLANGE)
