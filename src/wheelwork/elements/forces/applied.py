"""Force and torque on one body, in world or body axes.

Wrench on the body: force F at the point with arm s: (F, s x F); torque: (0, T). In body axes F = R F'.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from wheelwork.description.base import Ref
from wheelwork.description.in_body import InBody
from wheelwork.description.values import ForceVector, TorqueVector
from wheelwork.elements.forces.base import Load
from wheelwork.equations.forces import Binding, Effect, at_marker
from wheelwork.lazy import casadi as ca

if TYPE_CHECKING:
    from wheelwork.equations.placement import Place


class _Applied(Load):
    """On one body.

    Fields:
        body: name of the body
        frame: axes of the components: `world` (of the mechanism) or `body`
    """

    body: Annotated[str, Ref("moving body")]
    frame: Literal["world", "body"] = "world"

    def bound(self, place: Place, at: ca.SX, value: Sequence[Any]) -> Binding:
        """At a marker, with the axes of its components."""
        axes = ca.SX.eye(3) if self.frame == "body" else place.outer.axes
        return Binding([self.body], [at, ca.vec(axes.T)], list(value), options=(self.frame,))


class Force(InBody, _Applied):
    """A force at a point of a body.

    Fields:
        value [N]: three components, two in the plane; numbers, formulas of `t` and signals, or tables
        point_in_body [m]: where it acts, in the body frame; the centre of mass where left out
    """

    type: Literal["force"] = "force"
    value: ForceVector

    def bind(self, context):
        place = context.place
        at = (
            place.center_marker(self.body)
            if self.point_in_body is None
            else place.body_marker(self.body, self.point_in_body)
        )
        return self.bound(place, at, self.value)

    @staticmethod
    def effect(arguments):
        marker = arguments.marker(0, 0)
        value = ca.mtimes(_frame(arguments), ca.vertcat(*arguments.inputs))
        return Effect([at_marker(marker, value)], signals=_components(value, "N", "force"))


class Torque(_Applied):
    """A torque on a body.

    Fields:
        value [N m]: three components, in the plane one number, about z; numbers, formulas of `t` and signals, or tables
    """

    type: Literal["torque"] = "torque"
    value: TorqueVector

    def bind(self, context):
        return self.bound(context.place, context.place.center_marker(self.body), self.value)

    @staticmethod
    def effect(arguments):
        value = ca.mtimes(_frame(arguments), ca.vertcat(*arguments.inputs))
        return Effect([(ca.SX(3, 1), value)], signals=_components(value, "N m", "torque"))


def _components(vector: ca.SX, unit: str, what: str) -> dict[str, Any]:
    return {f"{what}.{axis}": (vector[k], unit, f"{what} along world {axis}") for k, axis in enumerate("xyz")}


def _frame(arguments) -> ca.SX:
    """Axes of the given components: those of the mechanism (data) or of the body."""
    given = ca.reshape(arguments.data[12:21], 3, 3).T
    return ca.mtimes(arguments.frames[0].R, given) if arguments.options[0] == "body" else given
