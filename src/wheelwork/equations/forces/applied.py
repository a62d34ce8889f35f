"""Force and torque on one body, in world or body axes.

Wrench on the body: force F at the point with arm s: (F, s x F); torque: (0, T). In body axes F = R F'.
"""

from __future__ import annotations

import casadi as ca

from .base import Binding, Effect, ForceEquations, SignalExpression, at_marker


def _components(vector: ca.SX, unit: str, what: str) -> dict[str, SignalExpression]:
    return {
        f"{what}.{axis}": SignalExpression(vector[k], unit, f"{what} along world {axis}")
        for k, axis in enumerate("xyz")
    }


def _frame(arguments) -> ca.SX:
    """Axes of the given components: those of the mechanism (data) or of the body."""
    given = ca.reshape(arguments.data[12:21], 3, 3).T
    return ca.mtimes(arguments.frames[0].R, given) if arguments.options[0] == "body" else given


class Force(ForceEquations):
    type = "force"

    def bind(self, force, context):
        place = context.place
        at = (
            place.center_marker(force.body)
            if force.in_body() is None
            else place.body_marker(force.body, force.in_body())
        )
        axes = ca.SX.eye(3) if force.frame == "body" else place.outer.axes
        return Binding([force.body], [at, ca.vec(axes.T)], list(force.value), options=(force.frame,))

    def effect(self, arguments):
        marker = arguments.marker(0, 0)
        value = ca.mtimes(_frame(arguments), ca.vertcat(*arguments.inputs))
        return Effect([at_marker(marker, value)], signals=_components(value, "N", "force"))


class Torque(ForceEquations):
    type = "torque"

    def bind(self, force, context):
        axes = ca.SX.eye(3) if force.frame == "body" else context.place.outer.axes
        data = [context.place.center_marker(force.body), ca.vec(axes.T)]
        return Binding([force.body], data, list(force.value), options=(force.frame,))

    def effect(self, arguments):
        value = ca.mtimes(_frame(arguments), ca.vertcat(*arguments.inputs))
        return Effect([(ca.SX(3, 1), value)], signals=_components(value, "N m", "torque"))
