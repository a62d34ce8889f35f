"""Laws of tooth contact: the fields `elastic`, `viscous` and `tangential` of the mesh model `contact`.

To add a law: one class here with its fields, in the union of its kind below, and one file of equations in the folder of
its kind under :mod:`wheelwork.equations.mesh_models.contact`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from wheelwork.description import dimensions
from wheelwork.description.base import Evaluate, Issue, Part
from wheelwork.description.meshes.by_name import ByNameOrType
from wheelwork.description.meshes.stiffness import LineLoad
from wheelwork.description.values import Damping, Force, Kind, Length, Number, Speed, Stiffness, Value

PerSpeed = Annotated[Value, Kind((dimensions.PER_SPEED,))]


def above_zero(part: Part, value: Evaluate, **units: str) -> Iterator[Issue]:
    """An issue for each field whose number is not greater than zero."""
    for name, unit in units.items():
        given = getattr(part, name)
        number = None if given is None else value(given)
        if number is not None and number <= 0:
            yield Issue(name, f"must be greater than zero, but is {number:g} {unit}".rstrip())


# -- elastic


class LinearContact(Part):
    """Force in proportion to depth.

    Fields:
        stiffness [N/m]: of one pair of teeth over the whole face, along the transverse line of action
    """

    type: Literal["linear"] = "linear"
    stiffness: Stiffness

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from above_zero(self, value, stiffness="N/m")


class PowerContact(Part):
    """Force as a power of depth: F = force (h/depth)^exponent.

    Fields:
        force [N]: of one pair of teeth over the whole face, along the transverse line of action
        depth [m]: at which the force is that
        exponent [1]: 3/2 for balls, 10/9 for lines of contact
    """

    type: Literal["power"] = "power"
    force: Force
    depth: Length
    exponent: Number = 1.5

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from above_zero(self, value, force="N", depth="m")
        exponent = value(self.exponent)
        if exponent is not None and exponent < 1:
            yield Issue("exponent", f"must be at least 1, but is {exponent:g}")


class JohnsonContact(Part):
    """Two elastic cylinders with the curvatures of the flanks, after Johnson. Not for racks, whose flanks are flat.

    Fields: none.
    """

    type: Literal["johnson"] = "johnson"


class WeberContact(Part):
    """Hertz's strip of contact on teeth that are rigid from some depth on, after Weber.

    Fields:
        depth [m]: below the flanks, at which teeth count as rigid; half a tooth's thickness (a quarter of the
            pitch) where left out
    """

    type: Literal["weber"] = "weber"
    depth: Length | None = None

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from above_zero(self, value, depth="m")


class ToothContact(Part):
    """The stiffness of a pair of teeth along the path of contact: bending, shear, body and contact in series.

    Fields:
        method: `energy` or `beam`
        line_load [N/m]: with `beam`, force over face width at which the contact is taken
    """

    type: Literal["teeth"] = "teeth"
    method: Literal["energy", "beam"] = "energy"
    line_load: LineLoad = 200e3

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from above_zero(self, value, line_load="N/m")


ElasticLaw = Annotated[
    LinearContact | PowerContact | JohnsonContact | WeberContact | ToothContact, ByNameOrType()
]

# -- viscous


class NoDamping(Part):
    """Nothing but the elastic force.

    Fields: none.
    """

    type: Literal["none"] = "none"


class HuntCrossley(Part):
    """Elastic force times (1 + factor x rate of depth), never pulling.

    Fields:
        factor [s/m]: of the rate of depth
    """

    type: Literal["hunt_crossley"] = "hunt_crossley"
    factor: PerSpeed

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from above_zero(self, value, factor="s/m")


class RampDamping(Part):
    """A damper that sets in with depth, smoothly, never pulling.

    Fields:
        damping [N s/m]: of one pair over the whole face, along the transverse line of action, from `depth` on
        depth [m]: at which the damper is fully there
    """

    type: Literal["ramp"] = "ramp"
    damping: Damping
    depth: Length

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from above_zero(self, value, damping="N s/m", depth="m")


ViscousLaw = Annotated[NoDamping | HuntCrossley | RampDamping, ByNameOrType()]

# -- tangential


class CoulombFriction(Part):
    """Friction against sliding, of the size `friction` of the mesh times the normal force.

    Fields:
        slip_speed [m/s]: speed of sliding at which most of the friction is there
    """

    type: Literal["coulomb"] = "coulomb"
    slip_speed: Speed = 1e-3

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from above_zero(self, value, slip_speed="m/s")


class FilmFriction(Part):
    """Friction of an oil film: in proportion to the speed of sliding up to `speed`, and there limited to `friction` of
    the mesh times the normal force.

    Fields:
        speed [m/s]: of sliding, at which the friction reaches its limit
    """

    type: Literal["film"] = "film"
    speed: Speed

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from above_zero(self, value, speed="m/s")


TangentialLaw = Annotated[CoulombFriction | FilmFriction, ByNameOrType()]
