"""What springs, clutches and stops between two shafts share: they act on the angle of a joint, or of two bodies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Self

from wheelwork.description.base import PLANAR, Evaluate, Issue, Ref
from wheelwork.description.formula import number_of
from wheelwork.description.values import Z_AXIS, Axis
from wheelwork.elements.forces.base import GearedRate, Load
from wheelwork.lazy import casadi as ca
from wheelwork.trains.train import ShaftCoupling


class BetweenShafts(Load):
    """A load on the angle of a joint, or on the angle between two bodies about an axis; the angle counts turns.

    Fields:
        joint: name of a joint with an angle; or `bodies`
        bodies: names of body a and body b
        axis [1]: axis in the world at the assembled position; that of the rotors where left out, z in the plane
    """

    joint: Annotated[str | None, Ref("joint")] = None
    bodies: Annotated[tuple[str, str] | None, Ref("body")] = None
    axis: Axis | None = None
    load_signals = ("torque",)
    between_shafts = True
    # Fields of a sample, besides; none where there is no sample.
    sample_fields: ClassVar[dict[str, Any]] = {}

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> Self | None:
        axis = None if kind == PLANAR else (0.2, 1.0, 0.4)
        return cls(bodies=bodies, axis=axis, **cls.sample_fields) if cls.sample_fields else None

    def filled(self, kind: str) -> dict[str, Any]:
        return {"axis": Z_AXIS} if kind == PLANAR and self.bodies is not None and self.axis is None else {}

    def takes_axis_of_rotors(self, kind: str) -> bool:
        return kind != PLANAR and self.bodies is not None and self.axis is None

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if (self.joint is None) == (self.bodies is None):
            yield Issue("joint", "acts on a `joint` or between two `bodies`: give one of them")
        if self.bodies is not None and self.bodies[0] == self.bodies[1]:
            yield Issue(
                "bodies", f"connects `{self.bodies[0]}` to itself; a {self.noun} needs two different bodies"
            )
        if self.joint is not None and self.axis is not None:
            yield Issue("axis", "belongs to `bodies`; a joint has its own axis")

    def join_train(self, train, layout, placed):
        place, number = layout.place(placed), layout.number
        a, b = self.bodies or layout.joint(self.joint or "").bodies
        train.closable[placed.name] = (a, b)
        if not self.holds_turning(lambda value: float(number(place.value(value))[0])):
            train.left_out[placed.name] = f"{self.noun}, which counts as open"
            return
        along = (
            self.joint if self.bodies is None else layout.flat.rotors.get(a) if self.axis is None else None
        )
        if along is not None and along not in train.pairs:
            train.left_out[placed.name] = f"{self.noun}: `{along}` is no turning pair of the train"
            return
        if along is None:
            direction = tuple(number(place.axes_along(self.axis)[:, 2]).tolist())
        else:
            direction = train.pairs[along].axis.direction
        first, second = (tuple(number(layout.bodies[body].frame.position).tolist()) for body in (a, b))
        train.shaft_couplings[placed.name] = ShaftCoupling(
            placed.name,
            (a, b),
            placed.element.type,
            (first, second),
            (direction, direction),
            elastic=True,
            source=placed,
        )

    def geared_rates(self, values):
        holds = self.holds_turning(lambda value: number_of(value, values))
        return (GearedRate(1.0, 1, 0, 0),) if holds else ()

    def shafts(self, context: Any) -> tuple[list[str], list[ca.SX], int]:
        """The two bodies, their markers with z along the axis, and the index of the angle between them."""
        if self.joint is not None:
            joint = context.joint(self.joint)
            joint.coordinate("angle")
            return joint.bodies, list(joint.markers), context.joint_turn(self.joint)
        bodies = list(self.bodies or ())
        return bodies, *context.coaxial(bodies, self.axis)
