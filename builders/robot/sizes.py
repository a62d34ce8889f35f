"""Sizes of the arm: lengths and masses of the class of the KR 15/2, and the gears that drive its axes.

From the maker's data sheet are the lengths between the axes (reach: 300 + 650 + sqrt(600^2 + 155^2) mm = 1570 mm to the
middle of the wrist), the payload, the mass and the greatest speeds of the axes (152, 152, 152, 284, 293 and 604 deg/s).
Makers do not publish teeth, nor how the mass is spread; those are ours, chosen so that motors which turn at 3000 rpm
move the axes at these speeds, and that the parts add up to the mass.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

STEEL = 7850.0  # kg/m^3


def mm(length: float) -> float:
    """Millimetres in metres."""
    return length / 1000


# Lengths between axes [m]; in the start position the upper arm stands upright and the forearm lies level.
SHOULDER_HEIGHT = 0.675
SHOULDER_OFFSET = 0.300
UPPER_ARM = 0.650
ELBOW_OFFSET = 0.155
FOREARM = 0.600
FLANGE_DISTANCE = 0.140

Vector = tuple[float, float, float]
SHOULDER: Vector = (SHOULDER_OFFSET, 0.0, SHOULDER_HEIGHT)
ELBOW: Vector = (SHOULDER_OFFSET, 0.0, SHOULDER_HEIGHT + UPPER_ARM)
WRIST: Vector = (SHOULDER_OFFSET + FOREARM, 0.0, ELBOW[2] + ELBOW_OFFSET)
FLANGE: Vector = (WRIST[0] + FLANGE_DISTANCE, 0.0, WRIST[2])
REACH = SHOULDER_OFFSET + UPPER_ARM + math.hypot(FOREARM, ELBOW_OFFSET)

# The load on the flange.
PAYLOAD = 15.0  # kg
PAYLOAD_EDGE = 0.14  # m, of a cube
PAYLOAD_DISTANCE = 0.12  # m, from the flange to its middle

# Masses of the castings [kg]; motors and gears come on top, 222 kg in all.
BASE_MASS = 46.0
COLUMN_MASS = 38.0
UPPER_ARM_MASS = 20.0
ARM_MASS = 20.0
FOREARM_MASS = 9.0
WRIST_MASS = 4.5
FLANGE_MASS = 1.2


@dataclass(frozen=True)
class MotorSize:
    """A servo motor: a housing, and a steel rotor whose shaft carries the pinion."""

    housing_mass: float
    radius: float
    length: float
    rotor_radius: float

    @property
    def rotor_length(self) -> float:
        return 0.75 * self.length

    @property
    def shaft_radius(self) -> float:
        return 0.5 * self.rotor_radius


LARGE_MOTOR = MotorSize(housing_mass=7.5, radius=mm(70), length=mm(200), rotor_radius=mm(30))
SMALL_MOTOR = MotorSize(housing_mass=3.0, radius=mm(45), length=mm(130), rotor_radius=mm(20))


@dataclass(frozen=True)
class GearSizes:
    """Two wheels in mesh: `teeth` of the driving and the driven one."""

    teeth: tuple[int, int]
    module: float
    width: float

    @property
    def radii(self) -> tuple[float, float]:
        return self.teeth[0] * self.module / 2, self.teeth[1] * self.module / 2

    @property
    def distance(self) -> float:
        """Between the axes, side by side."""
        return sum(self.radii)

    @property
    def ratio(self) -> Fraction:
        """Speed of the driving wheel over that of the driven one, against what carries them, without its sign."""
        return Fraction(self.teeth[1], self.teeth[0])


# Teeth of the reducers. With a difference of but 10 teeth, those of the usual shape would strike each other, as
# `wheelwork gears` finds: these are steeper and shorter.
RING_PRESSURE_ANGLE = "25 deg"
RING_TIPS = -0.25  # modules, added to the tips
RING_ROOT_RADIUS = 0.3  # modules; there is no room for more between flanks of that angle


@dataclass(frozen=True)
class Reducer:
    """An eccentric reducer: a crank carries a planet with two rows of teeth, which roll in two rings.

    The first ring is held, the second is the output. `held` and `output` are the teeth of planet and ring in each row;
    both rows have the same module and the same difference d of teeth, so the same eccentricity e = m d/2. With the held
    ring at rest::

        planet:   w_p - w_c = (z_r1/z_p1) (0 - w_c)
        output:   w_o - w_c = (z_p2/z_r2) (w_p - w_c)
        ratio:    w_c/w_o = 1/(1 - z_p2 z_r1/(z_r2 z_p1)) = z_p1 z_r2/(d (z_p1 - z_p2))
    """

    held: tuple[int, int]
    output: tuple[int, int]
    module: float
    width: float
    bore: float
    """Radius of the hole in the planet, in which the crank turns."""
    shaft: float
    """Radius of the crank's shaft."""

    @property
    def rows(self) -> tuple[GearSizes, GearSizes]:
        """Planet and ring of the held and of the output row."""
        return GearSizes(self.held, self.module, self.width), GearSizes(self.output, self.module, self.width)

    @property
    def planet_radius(self) -> float:
        """Mean of the pitch radii of its two rows."""
        return (self.held[0] + self.output[0]) * self.module / 4

    @property
    def eccentricity(self) -> float:
        return (self.held[1] - self.held[0]) * self.module / 2

    @property
    def ratio(self) -> Fraction:
        return 1 / (1 - Fraction(self.output[0] * self.held[1], self.output[1] * self.held[0]))


# Axes 1 to 3: a spur pair and a reducer each.
LARGE_SPUR = GearSizes((22, 47), mm(2), mm(25))
LARGE_REDUCER = Reducer((50, 60), (45, 55), mm(3), mm(30), bore=mm(52), shaft=mm(36))
ELBOW_SPUR = GearSizes((22, 47), mm(1.5), mm(20))
ELBOW_REDUCER = Reducer((50, 60), (45, 55), mm(2.5), mm(25), bore=mm(42), shaft=mm(28))
# Axis 4: the same with a hollow crank, through which the shafts of axes 5 and 6 go.
FOREARM_SPUR = GearSizes((24, 61), mm(1.5), mm(15))
FOREARM_REDUCER = Reducer((50, 60), (40, 50), mm(1.75), mm(18), bore=mm(31), shaft=mm(29))
# Axis 5: spur pair, bevel pair in the wrist, reducer.
WRIST_SPUR = GearSizes((31, 37), mm(2), mm(12))
WRIST_BEVEL = GearSizes((17, 35), mm(1.5), mm(8))
WRIST_REDUCER = Reducer((50, 60), (40, 50), mm(1.25), mm(10), bore=mm(18), shaft=mm(11))
# Axis 6: two spur pairs, a bevel pair into the wrist and one out of it to the flange.
FLANGE_SPURS = (GearSizes((19, 47), mm(1.5), mm(12)), GearSizes((20, 49), mm(1.5), mm(12)))
FLANGE_BEVELS = (GearSizes((17, 35), mm(1.25), mm(7)), GearSizes((17, 41), mm(1.5), mm(9)))
