"""Coupler: a linear relation of any number of joint coordinates, as tendons, linkages and mimic joints make it.

    sum of c_k x_k = offset        x_k: angle (over any number of turns) or displacement of joint k

It is rigid: one equation, whose multiplier lambda gives the effort -c_k lambda along each coordinate. Together these
do no work. The tendon that runs over pulleys of radius r_k has c_k = r_k, and pulls with lambda; a mimic joint of URDF,
x_1 = multiplier x_2 + offset, has the factors 1 and -multiplier. It takes one of the minimal coordinates away, as a
gear ratio does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from wheelwork.description.base import Evaluate, Issue, Part, Ref
from wheelwork.description.dimensions import ANGLE, LENGTH, NUMBER, Dimension, exponents
from wheelwork.description.values import NumberField, Value
from wheelwork.elements.forces.base import Load
from wheelwork.equations.forces import EFFORT
from wheelwork.equations.joint_equations import Driven
from wheelwork.equations.relation import Relation
from wheelwork.trains.train import Coupling, rational

# Of lengths and angles alone, whatever the sum is in; a radius is a length as well as one for each radian.
_RADIUS = Dimension(
    LENGTH.words, LENGTH.unit, LENGTH.example, LENGTH.exponents, also=((exponents(1, 0, 0, -1), 1.0),)
)
_PER_LENGTH = Dimension(
    "one over a length", "1/m", "50 1/m", exponents(-1), also=((exponents(-1, 0, 0, 1), 1.0),)
)
_ARC = Dimension(
    LENGTH.words, LENGTH.unit, LENGTH.example, LENGTH.exponents, also=((exponents(1, 0, 0, 1), 1.0),)
)
Factor = Annotated[Value, NumberField((NUMBER, _RADIUS, _PER_LENGTH))]
Sum = Annotated[Value, NumberField((NUMBER, ANGLE, _ARC))]


class CoupledJoint(Part):
    """A joint coordinate in a coupler.

    Fields:
        joint: its name
        coordinate: `angle` or `displacement`, of a joint that has both
        factor [SI]: with which it stands in the sum
    """

    joint: Annotated[str, Ref("joint")]
    coordinate: Literal["angle", "displacement"] | None = None
    factor: Factor


class Coupler(Load):
    """Linear relation of joint coordinates: the sum of factor times coordinate is the offset.

    Fields:
        joints: two or more joints with their factors
        offset [SI]: what the sum is
    """

    noun = "coupler"
    drive_symbol = "coupler"
    type: Literal["coupler"] = "coupler"
    joints: tuple[CoupledJoint, ...]
    offset: Sum = 0.0

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if len(self.joints) < 2:
            yield Issue(
                "joints",
                f"a coupler needs two or more joints, but has {len(self.joints)}",
                "to hold one joint in place, use a driver",
            )
        seen: set[tuple[str, str | None]] = set()
        for k, one in enumerate(self.joints):
            if value(one.factor) == 0:
                yield Issue(f"joints.{k}.factor", "must not be zero: the joint would not be coupled")
            if (one.joint, one.coordinate) in seen:
                yield Issue(f"joints.{k}.joint", f"`{one.joint}` is listed twice: add its factors up")
            seen.add((one.joint, one.coordinate))

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> None:
        """None: it acts on joints alone, which bodies without joints do not have."""

    @property
    def is_rigid(self) -> bool:
        return True

    def bind(self, context):
        raise TypeError("a coupler is a constraint, not a force")

    @staticmethod
    def effect(arguments):
        raise TypeError("a coupler is a constraint, not a force")

    def join_train(self, train, layout, placed):
        place, factors = layout.place(placed), {}
        for one in self.joints:
            pair = train.pairs.get(one.joint)
            moves = {"turning": "angle", "sliding": "displacement"}.get(pair.kind if pair else "")
            if layout.joint(one.joint).coordinate(one.coordinate) != moves:
                train.left_out[placed.name] = (
                    f"coupler: `{one.joint}` is not a turning or sliding pair of the train"
                )
                return
            factors[one.joint] = rational(float(layout.number(place.value(one.factor))[0]))
        train.add_coupling(Coupling(placed.name, factors, placed))

    def add_to(self, builder: Any, placed: Any) -> None:
        registry, value = builder.registry, builder.layout.place(placed).value
        terms, labels = [], []
        inside = f"{placed.name.rpartition('.')[0]}."  # the component that both are in
        for one in self.joints:
            joint = registry.joint(one.joint)
            coordinate = joint.coordinate(one.coordinate)
            turn = registry.joint_turn(one.joint) if coordinate == "angle" else -1
            terms.append(Driven(joint.equations, coordinate, joint.bodies, joint.markers, turn))
            labels.append(f"{one.joint.removeprefix(inside)}.{EFFORT[coordinate][0]}")
        factors = [value(one.factor) for one in self.joints]
        builder.add_relation(placed, Relation(factors, terms, value(self.offset), labels=labels))
