"""Axes 5 and 6: motors at the back of the arm, shafts one in the other through the forearm, bevel gears in the wrist.

Both shafts turn in the arm, while the wheels they drive are carried by the forearm: when axis 4 turns and the motors of
axes 5 and 6 stand still, these axes move too. The controller of such an arm takes that into account; see `ratios`.
"""

from __future__ import annotations

import wheelwork as ww

from .assembly import UNIT, Assembly, moved
from .drives import ReducerPlace, add_motor, add_reducer
from .sizes import (
    FLANGE_BEVELS,
    FLANGE_SPURS,
    SMALL_MOTOR,
    WRIST,
    WRIST_BEVEL,
    WRIST_REDUCER,
    WRIST_SPUR,
    mm,
)


def add_bend_drive(assembly: Assembly) -> None:
    """Axis 5: motor, spur pair, hollow shaft, bevel pair, reducer whose output ring is part of the wrist."""
    back = (0.295, 0.0, WRIST[2])
    pinion = moved(back, y=-WRIST_SPUR.distance)
    add_motor(assembly, 5, "arm", SMALL_MOTOR, pinion, "x", -1)
    shaft = ww.Tube(outer_radius=mm(19), inner_radius=mm(14), length=0.58, axis="x")
    assembly.body("shaft5", shaft, (0.585, 0, WRIST[2]))
    assembly.bearing("shaft5-bearing", "arm", "shaft5", back, UNIT["x"])
    assembly.spur("spur5", ("rotor5", "shaft5"), WRIST_SPUR, pinion, UNIT["x"])

    place = ReducerPlace(5, WRIST_REDUCER, moved(WRIST, y=0.05), "y", 1, "z", moved(WRIST, y=0.03))
    crank = ww.GearBlank(
        pitch_radius=WRIST_BEVEL.radii[1],
        face_width=WRIST_BEVEL.width,
        hub_radius=WRIST_REDUCER.shaft,
        hub_length=mm(60),
        axis="y",
    )
    add_reducer(assembly, place, crank, own_output=False)
    assembly.bevel("bevel5", ("shaft5", "crank5"), WRIST_BEVEL)


def add_flange_drive(assembly: Assembly) -> None:
    """Axis 6: motor, two spur pairs over a layshaft, inner shaft, idler on axis 5 with two bevel wheels, flange."""
    first, second = FLANGE_SPURS
    back, front = 0.24, 0.265
    inner = (front, 0.0, WRIST[2])
    lay_front = moved(inner, z=second.distance)
    lay_back = (back, *lay_front[1:])
    pinion = moved(lay_back, z=first.distance)
    add_motor(assembly, 6, "arm", SMALL_MOTOR, pinion, "x", -1)
    lay = ww.GearBlank(
        pitch_radius=first.radii[1],
        face_width=first.width,
        hub_radius=second.radii[0],
        hub_length=mm(60),
        axis="x",
    )
    assembly.body("layshaft6", lay, lay_back)
    assembly.bearing("layshaft6-bearing", "arm", "layshaft6", lay_back, UNIT["x"])
    assembly.body("shaft6", ww.Cylinder(radius=mm(11), length=0.63, axis="x"), (0.565, 0, WRIST[2]))
    assembly.bearing("shaft6-bearing", "arm", "shaft6", inner, UNIT["x"])
    assembly.spur("spur6a", ("rotor6", "layshaft6"), first, pinion, UNIT["x"])
    assembly.spur("spur6b", ("layshaft6", "shaft6"), second, lay_front, UNIT["x"])

    into, out = FLANGE_BEVELS
    middle = moved(WRIST, y=-0.03)
    idler = ww.GearBlank(
        pitch_radius=into.radii[1],
        face_width=into.width,
        hub_radius=mm(10),
        hub_length=mm(40),
        axis="y",
    )
    assembly.body("idler6", idler, middle)
    assembly.bearing("idler6-bearing", "forearm", "idler6", middle, UNIT["y"])
    assembly.bevel("bevel6a", ("shaft6", "idler6"), into)
    assembly.bevel("bevel6b", ("idler6", "flange"), out)
