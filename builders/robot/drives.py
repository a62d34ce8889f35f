"""Motors, and the reducers of axes 1 to 5."""

from __future__ import annotations

from dataclasses import dataclass

import wheelwork as ww

from .assembly import UNIT, Assembly, AxisName, moved, reversed_axis
from .links import LINKS
from .sizes import (
    ELBOW,
    ELBOW_REDUCER,
    ELBOW_SPUR,
    FOREARM_REDUCER,
    FOREARM_SPUR,
    LARGE_MOTOR,
    LARGE_REDUCER,
    LARGE_SPUR,
    SHOULDER,
    SMALL_MOTOR,
    WRIST,
    GearSizes,
    MotorSize,
    Reducer,
    Vector,
    mm,
)

RIM = 3.5
"""Thickness of a ring beyond its pitch radius, in modules."""
GAP = mm(2)
"""Between wheels side by side, and between rotor and housing of a motor."""
PINION_DISTANCE = mm(15)
"""From the face of a motor to the middle of its pinion; the shaft goes on as far again, and as far at the back."""


def add_motor(
    assembly: Assembly,
    axis_number: int,
    holder: str,
    size: MotorSize,
    pinion: Vector,
    axis: AxisName,
    side: int,
) -> None:
    """Motor of an axis, bolted to `holder`.

    pinion: middle of the pinion's teeth
    axis, side: of the rotor; the motor is on that side of its pinion (1 or -1)

    The rotor's angle is counted about the negative axis, so that every axis turns the way of its motor.
    """
    motor, rotor = f"motor{axis_number}", f"rotor{axis_number}"
    face = moved(pinion, **{axis: side * PINION_DISTANCE})
    middle = moved(face, **{axis: side * size.length / 2})
    housing = ww.Tube(
        outer_radius=size.radius, inner_radius=size.rotor_radius + GAP, length=size.length, axis=axis
    )
    assembly.body(motor, housing, middle, size.housing_mass)
    iron = ww.GearBlank(
        pitch_radius=size.rotor_radius,
        face_width=size.rotor_length,
        hub_radius=size.shaft_radius,
        hub_length=size.length + 4 * PINION_DISTANCE,
        axis=axis,
    )
    assembly.body(rotor, iron, middle)
    assembly.bolted(motor, holder, face)
    assembly.bearing(f"rotor{axis_number}-bearing", motor, rotor, middle, reversed_axis(axis))


@dataclass(frozen=True)
class ReducerPlace:
    """Where the reducer of an axis stands.

    number: of its axis
    held: middle of the row whose ring is held by the link before the axis
    axis, side: direction from that row to the output row
    eccentric: direction of the crank in the start position
    wheel: middle of the wheel that drives the crank
    """

    number: int
    size: Reducer
    held: Vector
    axis: AxisName
    side: int
    eccentric: AxisName
    wheel: Vector

    @property
    def output(self) -> Vector:
        return moved(self.held, **{self.axis: self.side * (self.size.width + GAP)})

    def on_planet(self, row: Vector) -> Vector:
        """The middle of a row, on the planet's own axis."""
        return moved(row, **{self.eccentric: self.size.eccentricity})


def add_reducer(
    assembly: Assembly, place: ReducerPlace, crank: ww.GearBlank, own_output: bool = True
) -> None:
    """Crank, planet, held ring and output ring; without `own_output` the output ring is cut into the driven link.

    The crank has a counterweight: its centre of mass is so far on the other side of the axis that crank and planet
    together are balanced.
    """
    k, size, axis = place.number, place.size, place.axis
    carrier, driven = LINKS[k - 1], LINKS[k]
    planet, ring, output = f"planet{k}", f"ring{k}", f"output{k}" if own_output else driven
    middle = moved(place.held, **{axis: place.side * (size.width + GAP) / 2})
    assembly.body(
        planet,
        ww.Tube(
            outer_radius=size.planet_radius, inner_radius=size.bore, length=2 * size.width + GAP, axis=axis
        ),
        place.on_planet(middle),
    )
    assembly.body(f"crank{k}", crank, place.wheel)
    balance = size.eccentricity * assembly.mass(planet) / assembly.mass(f"crank{k}")
    assembly.mechanism.bodies[f"crank{k}"].position = moved(place.wheel, **{place.eccentric: -balance})
    assembly.bearing(f"crank{k}-bearing", carrier, f"crank{k}", place.wheel, UNIT[axis])
    assembly.bearing(f"planet{k}-bearing", f"crank{k}", planet, place.on_planet(middle), UNIT[axis])

    held, driving = size.rows
    for wheel, holder, pair, row in (
        (ring, carrier, held, place.held),
        (output, driven, driving, place.output),
    ):
        if wheel != driven:
            assembly.body(wheel, _ring(pair, axis), row)
            assembly.bolted(wheel, holder, row)
        assembly.internal(f"{planet}-in-{wheel}", (planet, wheel), pair, place.on_planet(row), UNIT[axis])


def _ring(pair: GearSizes, axis: AxisName) -> ww.Tube:
    inside = pair.radii[1]
    return ww.Tube(outer_radius=inside + RIM * pair.module, inner_radius=inside, length=pair.width, axis=axis)


def add_drive(
    assembly: Assembly,
    place: ReducerPlace,
    motor: MotorSize,
    spur: GearSizes,
    beside: AxisName,
    way: int,
    hole: float = 0.0,
) -> None:
    """Motor, spur pair and reducer of an axis from 1 to 4.

    beside, way: the direction from the crank to the motor
    hole: radius of the hole through the crank, for shafts that go through it
    """
    k, axis, carrier = place.number, place.axis, LINKS[place.number - 1]
    hub = 2 * abs(place.held["xyz".index(axis)] - place.wheel["xyz".index(axis)]) + place.size.width
    crank = ww.GearBlank(
        pitch_radius=spur.radii[1],
        face_width=spur.width,
        bore_radius=hole,
        hub_radius=place.size.shaft,
        hub_length=hub,
        axis=axis,
    )
    pinion = moved(place.wheel, **{beside: way * spur.distance})
    add_motor(assembly, k, carrier, motor, pinion, axis, -place.side)
    add_reducer(assembly, place, crank)
    assembly.spur(f"spur{k}", (f"rotor{k}", f"crank{k}"), spur, pinion, UNIT[axis])


def add_main_drives(assembly: Assembly) -> None:
    """Axes 1 to 4: motor in the link before the axis, spur pair, eccentric reducer."""
    waist = ReducerPlace(1, LARGE_REDUCER, (0, 0, 0.32), "z", 1, "x", (0, 0, 0.275))
    add_drive(assembly, waist, LARGE_MOTOR, LARGE_SPUR, "x", -1)
    shoulder = ReducerPlace(2, LARGE_REDUCER, moved(SHOULDER, y=0.045), "y", 1, "z", SHOULDER)
    add_drive(assembly, shoulder, LARGE_MOTOR, LARGE_SPUR, "x", -1)
    elbow = ReducerPlace(3, ELBOW_REDUCER, moved(ELBOW, y=0.095), "y", -1, "z", moved(ELBOW, y=0.135))
    add_drive(assembly, elbow, LARGE_MOTOR, ELBOW_SPUR, "z", -1)
    wheel, row = (0.33, 0.0, WRIST[2]), (0.39, 0.0, WRIST[2])
    forearm = ReducerPlace(4, FOREARM_REDUCER, row, "x", 1, "z", wheel)
    add_drive(assembly, forearm, SMALL_MOTOR, FOREARM_SPUR, "y", 1, hole=mm(22))
