"""Dog clutch and synchroniser: teeth that slide into each other and hold two shafts together, with any torque.

With the slip w = w_b - w_a and the angle phi from a to b, n dogs on each side that fit where phi = phi_0 + 2 pi k/n,
with the play p between them: asked to close, they slide in where |w| <= w_c and |phi - phi_0 - 2 pi k/n| <= p/2, and
the impulse of their flanks takes what is left of the slip: J w^2/2 is lost, with J = J_1 J_2/(J_1 + J_2) of the two
inertias. Closed dogs hold w = 0; their play is not in the equations any more. Asked to open, they open at once, under
any torque.

Dogs that are asked to close at |w| > w_c end the run, with what was computed: in a machine they grind. A synchroniser
blocks them instead until the speeds agree: a cone, a friction clutch as in :mod:`wheelwork.elements.forces.clutch`,
brings the shafts to one speed while it is asked to close; when the cone sticks, the dogs go in. Its blocking ring turns
the dogs to where they fit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue, not_negative, without_effect
from wheelwork.description.table import Table
from wheelwork.description.values import Angle, AngularSpeed, Condition, VaryingTorque
from wheelwork.elements.forces.clutch import Slipping, slip, slipping_effect
from wheelwork.elements.forces.shafts import BetweenShafts
from wheelwork.equations.forces import Binding, DogValues, Effect, FrictionLimits, SignalExpression, along
from wheelwork.equations.rows import turn_about_axis
from wheelwork.lazy import casadi as ca

CLOSED = "1", "1 while the dogs hold, else 0"


class DogClutch(BetweenShafts):
    """Dog clutch: closes where speeds agree and the dogs fit, and then holds with any torque.

    Fields:
        closed [1]: whether it is to be: true, false, formula of `t` and signals, or table, where more than 0.5 is true
        closing_speed [rad/s]: difference of speeds up to which the dogs slide in
        dogs: how many there are on each side; they fit at any angle where left out
        play [rad]: by which the angle may be off for the dogs to slide in; a tenth of their pitch where left out
        fit_angle [rad]: an angle from a to b at which the dogs fit
    """

    noun = "dog clutch"
    drive_symbol = "dogs"
    type: Literal["dog_clutch"] = "dog_clutch"
    closed: Condition
    closing_speed: AngularSpeed = 1.0
    dogs: int | None = None
    play: Angle | None = None
    fit_angle: Angle = 0.0
    positive = ("closing_speed", "dogs", "play")
    sample_fields: ClassVar = {"closed": 0.0, "dogs": 6}

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        play = value(self.play) if self.play is not None else None
        if self.dogs is None and self.play is not None:
            yield Issue("play", "requires `dogs`, the number of dogs")
        elif self.dogs and play is not None and play >= 2 * math.pi / self.dogs:
            yield Issue("play", f"must be less than the pitch of {self.dogs} dogs, {360 / self.dogs:.4g} deg")

        if self.dogs is None:
            yield from without_effect(
                self, "where dogs fit at any angle: give `dogs`, their number", "fit_angle"
            )

    def add_to(self, builder: Any, placed: Any) -> None:
        context = builder.context(placed)
        speed = context.place.value(self.closing_speed)
        builder.add_locking(placed, self.bind(context), speed, 0.0, self._play(context) if self.dogs else 0.0)

    def bind(self, context):
        bodies, markers, turn = self.shafts(context)
        value = context.place.value
        data = [*markers, value(self.closing_speed), self._play(context), value(self.fit_angle)]
        return Binding(bodies, data, [self.closed], [turn], (self.dogs or 0,))

    def _play(self, context: Any) -> Any:
        if self.play is not None:
            return context.place.value(self.play)
        return ca.SX(0.2 * math.pi / max(self.dogs or 0, 1))

    @staticmethod
    def effect(arguments):
        (dogs,) = arguments.options
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        speed, play, fits_at = ca.vertsplit(arguments.data[24:27])
        row = turn_about_axis(a, b, arguments.turns[0])
        rate, asked = row.rate(a, b), arguments.inputs[0] - 0.5
        slow = speed - ca.fabs(rate)
        fits = ca.cos(dogs * (row.value - fits_at)) - ca.cos(dogs * play / 2) if dogs else ca.SX(1)
        wanted = asked > 0
        values = DogValues(
            asked, ca.if_else(wanted, ca.fmin(slow, fits), -1.0), ca.if_else(wanted, slow, 1.0)
        )
        none = ca.SX(0)
        return Effect(
            along(row, none),
            signals={
                "slip": (rate, "rad/s", "speed of b minus that of a"),
                # dogs that can close do so at once; closed ones stay where they fitted, to round-off
                "closed": (wanted * (ca.fmin(slow, fits + 1e-9) > 0), *CLOSED),
            },
            friction=FrictionLimits(none, none, none, none, values),
        )


class Synchroniser(Slipping):
    """Synchroniser: a cone brings two shafts to one speed, then dogs close and hold with any torque.

    Fields:
        closed [1]: whether it is to be: true, false, formula of `t` and signals, or table, where more than 0.5 is true
        torque [N m]: of the cone while it slips and is to be closed; number, formula or table
    """

    noun = "synchroniser"
    drive_symbol = "synchroniser"
    type: Literal["synchroniser"] = "synchroniser"
    closed: Condition
    torque: VaryingTorque
    sample_fields: ClassVar = {"closed": 1.0, "torque": 3.0, "static_ratio": 1.2, "drag": 0.2}

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if not isinstance(self.torque, Table):
            yield from not_negative(self, value, "torque")

    def add_to(self, builder: Any, placed: Any) -> None:
        builder.add_locking(placed, self.bind(builder.context(placed)), 0.0, 1.0, 0.0)

    def bind(self, context):
        return self.slipping(context, [self.closed, self.torque])

    @staticmethod
    def effect(arguments):
        closed, torque = arguments.inputs
        _, rate = slip(arguments)
        asked = closed - 0.5
        # the cone has stuck where the rate is what round-off leaves of zero
        values = DogValues(asked, ca.if_else(asked > 0, AGREE - ca.fabs(rate), -1.0), ca.SX(1))
        effect = slipping_effect(arguments, ca.if_else(asked > 0, torque, 0.0), dogs=values)
        effect.signals["closed"] = SignalExpression(values.ready > 0, *CLOSED)
        return effect


AGREE = 1e-8
"""rad/s: speeds that agree."""
