r"""Pins of a flange b in the holes of a disc a: the output of a cycloidal drive, a coupling of parallel cranks.

The axes are parallel, at the distance e. n pins at the radius R in holes that are wider than the pins by the radius
e + c, c the clearance, hold both bodies to the same angle whichever way the line of centres l turns:

    g = R (psi_a - psi_b)

psi_i is the turn of body i against l. All pins press along l, half of them for each sense of the torque F_t R. With
forces in proportion to their arms they are F_max |sin(beta)|, F_max = 4 F_t/n in the mean (Malhotra and Parameswaran),
and together draw the bodies towards each other with 4 |F_t|/pi.

    r_a, r_b    R, of the circle of the pins' centres                                   m
    eccentric   e at the given position                                                 m
    clearance   c                                                                       m
    count       n, number of pins                                                       1
    turned      angle of the first pin from l at the given position                     rad

With the model `pins` each pin presses in its hole by itself: with H_i and Q_i the centres of hole and pin and
w = Q_i - H_i the depth is h = |w| - e - c, and b is pushed along -w.

Markers: z_b along z_a, x along l from a to b at the given position. The bodies do not roll on each other, and
`contact_point` is the centre of b, on the line of the force that draws it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import Length
from wheelwork.elements.meshes.cycloid import PinMesh
from wheelwork.elements.meshes.parallel import SeparateWheelEquations
from wheelwork.equations.vector_form import CENTRES, WHEELS, VectorForm
from wheelwork.layout.meshes.faults import MeshFault, millimetres
from wheelwork.lazy import casadi as ca


class PinCoupling(PinMesh):
    """Pins of a flange in wider holes of a disc, which hold both to the same angle. Removes 1 degree of freedom.

    Holes are wider than pins by the eccentricity, the distance of the axes, and the clearance.

    Fields:
        bodies: names of the disc with the holes (a) and the flange with the pins (b)
        pins [1]: how many, at least 3
        clearance [m]: radius of a hole less radius of a pin less eccentricity
        model: of the pins: `rigid` or `pins`
    """

    type: Literal["pin_coupling"] = "pin_coupling"
    pins: int
    clearance: Length = 0.0
    wheels_touch: ClassVar[bool] = False
    toothless = "pins in holes have no gear teeth"
    not_negative = ("clearance",)

    @property
    def turns_same_way(self) -> bool:
        return True

    @property
    def pin_count(self) -> int:
        return self.pins

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if self.pins < 3:
            text = f"must be a whole number, at least 3, but is {self.pins}"
            yield Issue("pins", text, "with fewer there are positions in which no pin holds the angle")

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> PinCoupling:
        return cls.sample_at(-3e-3, kind, bodies, pins=6, pin_circle=0.03, pin_radius=4e-3)

    def sizes(self, place, distance):
        n = place.number
        circle, clearance = place.value(self.pin_circle), place.value(self.clearance)
        hole = n(place.value(self.pin_radius) + distance + clearance)
        room = n(circle) * float(ca.sin(ca.pi / self.pins))
        if hole >= room:
            text = (
                f"the holes run into each other: their radius is {millimetres(hole)}, but {self.pins} of them on a "
                f"circle of radius {millimetres(n(circle))} have room for less than {millimetres(room)}"
            )
            raise MeshFault(text, "take fewer or thinner pins, or a larger circle", "pins")
        numbers = {
            "r_a": circle,
            "r_b": circle,
            "eccentric": distance,
            "clearance": clearance,
            "count": ca.SX(self.pins),
            "turned": ca.SX(0),
            "pitch": 2 * ca.pi * circle / self.pins,
            "pin_circle": circle,
        }
        return (self.pins, self.pins), numbers

    class Equations(SeparateWheelEquations):
        forces: ClassVar = {
            "force.tangential": ("N", "torque through the coupling over the radius of the pins' circle"),
            "force.radial": ("N", "force that draws the bodies together, by arms of equal pins"),
            "force.normal": ("N", "largest force on a pin, by arms of equal pins"),
        }
        units: ClassVar = {"turned": "rad", "count": "1"}
        extras = ("r_a", "r_b", "eccentric", "clearance", "count", "turned", "pitch", "phase")

        def driving_direction(self, a, b, x):
            """Nothing: in the row there is a couple alone."""
            return ca.SX(3, 1)

        def separating(self, a, b, x, force, spread=None):
            return -4 / ca.pi * ca.fabs(force) * self.directions(a, b, x).radial

        def wheel_forces(self, a, b, x, force, **spread):
            pull = 4 / ca.pi * ca.fabs(force)
            return ca.vertcat(-force, pull, 0), ca.vertcat(force, pull, 0)

        def normal_force(self, x, force):
            return 4 * ca.fabs(force) / x["count"]

        def force_signals(self, a, b, x, force, friction=None, **spread):
            return [force, 4 / ca.pi * ca.fabs(force), self.normal_force(x, force)]

        def pin_contacts(self, a, b, x, count):
            """Depth, outward normal of the hole's wall and centre of each pin."""
            for k in range(count):
                angle = x["turned"] + 2 * ca.pi * k / count
                hole, pin = (m.p + x["r_a"] * (m.ex * ca.cos(angle) + m.ey * ca.sin(angle)) for m in (a, b))
                w = pin - hole
                w = w - a.ez * ca.dot(a.ez, w)  # a body may have slid along its axis
                off = ca.norm_2(w)
                yield off - x["eccentric"] - x["clearance"], -w / off, pin

        def printed(self):
            return VectorForm(
                "r_a psi_a - r_b psi_b",
                ("0 z_a", "r_a z_a", "0 z_a", "-r_b z_b"),
                "0",
                CENTRES,
                (
                    *WHEELS[:2],
                    (
                        "psi_a, psi_b",
                        "turn of each body against the line of centres l, in the positive sense about its axis",
                    ),
                ),
                multiplier="the torque through the coupling over the radius of the pins' circle; the pins draw the "
                "bodies together besides",
            )
