"""Compliant contact of a ball with a plane or another ball: spring and damper while they overlap.

With gap h (negative: overlap) along the normal n from the partner to the ball, depth d = -h and closing speed d':
N = k d^e + c d' while d > 0, never pulling; friction -mu N u / sqrt(u^2 + u0^2) with the sliding velocity u and slip
speed u0. Both act at the ball's lowest point along n. Stored energy k d^(e+1)/(e+1). The gap is an event,
because N has a kink there (and a jump, if there is damping).

This friction creeps: a load below mu N moves the ball at up to u0. One that sticks is carried by a bristle, a spring
k_t with a damper c_t beside it, that stands on the ball and whose tip rests or slides on the partner. Its deflection s
is a state, in the partner's axes:

    F = limited(k_t s + c_t u, mu N),   s' = (F - k_t s)/c_t,   friction on the ball -F                            (1)

where `limited` shortens a vector to a length. Below the limit s' = u: the tip rests, and a ball that is held does not
creep, however long. Above it the tip slides, the friction is mu N, and c_t s'^2 + mu N |u - s'| becomes heat; k_t s^2/2
is stored. Where surfaces part s fades within c_t/k_t. The limit is an event.

Impact with restitution is not a force but a jump of velocity (:mod:`wheelwork.equations.contact`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar, Literal

from wheelwork.description import dimensions
from wheelwork.description.base import AT_LEAST_ONE, PLANAR, Evaluate, Issue, Part, Ref, between
from wheelwork.description.in_body import InBody
from wheelwork.description.registry import find
from wheelwork.description.union import ByType
from wheelwork.description.units import Quantity
from wheelwork.description.values import (
    Y_AXIS,
    Z_AXIS,
    Damping,
    Direction,
    Length,
    Number,
    NumberField,
    Speed,
    Stiffness,
    Value,
)
from wheelwork.elements.forces.base import Load
from wheelwork.equations.contact import contact_markers, gap_row, normal_of
from wheelwork.equations.forces import Binding, Effect, at_point
from wheelwork.lazy import casadi as ca

# N/m^n: the exponent n of the law is not known while this field is read, so `Compliant.issues` looks at it again.
_BY_EXPONENT = tuple(
    dimensions.Dimension(
        "a contact stiffness", f"N/m^{n:g}", f"1e9 N/m^{n:g}", dimensions.exponents(1 - n, 1, -2)
    )
    for n in (1, 1.5, 2, 2.5, 3)
)
ContactStiffness = Annotated[Value, NumberField(_BY_EXPONENT)]

STICK_TIME = 1e-3
"""s: damping over stiffness along a surface that sticks, where no damping is given."""
_NO_FORCE = 1e-9
"""N: keeps the size of a force differentiable where there is none."""


class ContactSphere(InBody):
    """A ball on a body, in the plane a disc; radius 0 is a point.

    Fields:
        body: name of the body
        point_in_body [m]: centre, in the body frame; its origin where left out
        radius [m]: of the ball
    """

    type: Literal["sphere"] = "sphere"
    body: Annotated[str, Ref("body")]
    radius: Length = 0.0
    not_negative = ("radius",)


class ContactPlane(InBody):
    """A plane on a body, in the plane a line; the ball stays on the side the normal points to.

    Fields:
        body: name of the body
        point_in_body [m]: a point of the plane, in the body frame; its origin where left out
        normal_in_body [1]: in the body frame, any length; z, or y in a planar mechanism, where left out
    """

    type: Literal["plane"] = "plane"
    body: Annotated[str, Ref("body")] = "ground"
    normal_in_body: Direction | None = None

    def filled(self, kind: str) -> dict[str, Any]:
        given = self.normal_in_body is not None
        return {} if given else {"normal_in_body": Y_AXIS if kind == PLANAR else Z_AXIS}


class BallLaw(Part):
    """What two surfaces do when they meet: a force while they overlap, or an impact.

    A law is one class, ours or a user's own with `wheelwork.elements.register`: its fields, `given` (their numbers),
    and `normal_force` and `stored_energy`, which get symbols for these; `friction_force` or `bristle` where it has any.
    """

    family: ClassVar[str] = "contact_laws"
    # Whether it is an impact, which has no duration: a jump of velocity with the fields `coefficient` and `rest_speed`.
    is_impact: ClassVar[bool] = False
    # Its fields in the tests of all laws, where they have no defaults.
    sample: ClassVar[dict[str, Any]] = {}

    def given(self, value: Callable[[Any], ca.SX]) -> list[ca.SX]:
        """Numbers of its fields."""
        return []

    def options(self) -> tuple[Any, ...]:
        """What changes its equations and not only their numbers."""
        return ()

    @classmethod
    def normal_force(cls, depth: ca.SX, closing: ca.SX, given: ca.SX, options: tuple[Any, ...]) -> ca.SX:
        """Force [N] that pushes apart at a depth [m], not negative, and its rate [m/s]; asked while they overlap."""
        raise NotImplementedError

    @classmethod
    def lets_go(cls, depth: ca.SX, closing: ca.SX, given: ca.SX, options: tuple[Any, ...]) -> ca.SX | None:
        """What falls below zero where the force ends while they overlap; None where it does not."""
        return None

    @classmethod
    def stored_energy(cls, depth: ca.SX, given: ca.SX, options: tuple[Any, ...]) -> ca.SX:
        """Integral [J] of the force over depth, of what comes back."""
        raise NotImplementedError

    @classmethod
    def friction_force(
        cls, normal: ca.SX, sliding: ca.SX, given: ca.SX, options: tuple[Any, ...]
    ) -> ca.SX | None:
        """Force [N] on the ball, against the velocity [m/s] with which it slides on its partner; None without."""
        return None

    @classmethod
    def bristle(cls, given: ca.SX, options: tuple[Any, ...]) -> tuple[ca.SX, ca.SX, ca.SX] | None:
        """Coefficient of friction [1], stiffness [N/m] and damping [N s/m] of a bristle where friction sticks."""
        return None

    @classmethod
    def lacking(cls) -> Iterator[str]:
        yield from super().lacking()
        for name in () if cls.is_impact else ("normal_force", "stored_energy"):
            if next(base for base in cls.__mro__ if name in vars(base)) is BallLaw:
                yield name


class Restitution(BallLaw):
    """Impact without duration: the speed of separation is `coefficient` times that of approach.

    Fields:
        coefficient [1]: 0 (no rebound) to 1 (no loss)
        rest_speed [m/s]: a rebound slower than this does not happen: the contact lasts
    """

    type: Literal["restitution"] = "restitution"
    is_impact = True
    sample: ClassVar = {"coefficient": 0.5}
    coefficient: Number
    rest_speed: Speed = 1e-3
    not_negative = ("rest_speed",)
    ranges: ClassVar = {"coefficient": between(0, 1)}


class Compliant(BallLaw):
    """Elastic contact: normal force from penetration depth and its rate, friction from the sliding speed.

    Fields:
        stiffness [N/m^exponent]: force for each unit of depth^exponent
        damping [N s/m]: force for each unit of approach speed
        exponent [1]: 1 for a linear contact, 1.5 for Hertz's ball
        friction [1]: coefficient of dry friction
        slip_speed [m/s]: sliding speed at which dry friction is fully there; smaller loads creep
        stick_stiffness [N/m]: along the surface while it sticks, in place of `slip_speed`: nothing creeps
        stick_damping [N s/m]: beside it; 1 ms times the stiffness where left out
    """

    type: Literal["compliant"] = "compliant"
    sample: ClassVar = {"stiffness": 1e5, "damping": 20.0, "exponent": 1.5, "friction": 0.3}
    stiffness: ContactStiffness
    damping: Damping = 0.0
    exponent: Number = 1.0
    friction: Number = 0.0
    slip_speed: Speed = 1e-3
    stick_stiffness: Stiffness | None = None
    stick_damping: Damping | None = None
    positive = ("stick_stiffness", "stick_damping", "slip_speed")
    not_negative = ("stiffness", "damping", "friction")
    ranges: ClassVar = {"exponent": AT_LEAST_ONE}

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if self.stick_stiffness is None:
            if self.stick_damping is not None:
                yield Issue("stick_damping", "belongs to `stick_stiffness`, which is not given")
        elif "slip_speed" in self.model_fields_set:
            yield Issue(
                "slip_speed", "is for regularised friction: leave it out where there is `stick_stiffness`"
            )
        elif value(self.friction) == 0:
            yield Issue("friction", "is 0: `stick_stiffness` needs a coefficient of friction above zero")
        exponent = value(self.exponent)
        if isinstance(self.stiffness, Quantity) and exponent is not None:
            needed = dimensions.exponents(1 - exponent, 1, -2)
            if self.stiffness.exponents != needed:
                given = dimensions.si_unit(self.stiffness.exponents)
                yield Issue(
                    "stiffness", f"needs N/m^{exponent:g} with exponent {exponent:g}, but is in {given}"
                )

    def given(self, value):
        first = [value(x) for x in (self.stiffness, self.damping, self.exponent, self.friction)]
        if self.stick_stiffness is None:
            return [*first, value(self.slip_speed)]
        stiffness, damping = value(self.stick_stiffness), self.stick_damping
        return [*first, stiffness, STICK_TIME * stiffness if damping is None else value(damping)]

    def options(self):
        """Whether it is linear, whether there is friction, and whether this sticks."""
        linear = isinstance(self.exponent, int | float) and self.exponent == 1
        rubs = not (isinstance(self.friction, int | float) and self.friction == 0)
        return linear, rubs, self.stick_stiffness is not None

    @classmethod
    def normal_force(cls, depth, closing, given, options):
        return ca.fmax(cls.lets_go(depth, closing, given, options), 0.0)

    @classmethod
    def lets_go(cls, depth, closing, given, options):
        elastic = given[0] * depth if options[0] else given[0] * depth ** given[2]
        return elastic + given[1] * closing

    @classmethod
    def stored_energy(cls, depth, given, options):
        power = 1.0 if options[0] else given[2]
        return given[0] * depth ** (power + 1) / (power + 1)

    @classmethod
    def friction_force(cls, normal, sliding, given, options):
        if not options[1] or options[2]:
            return None
        return -given[3] * normal * sliding / ca.sqrt(ca.dot(sliding, sliding) + given[4] ** 2)

    @classmethod
    def bristle(cls, given, options):
        return (given[3], given[4], given[5]) if options[2] else None


class Contact(Load):
    """Contact of a ball with a plane or with another ball.

    Fields:
        a: the ball
        b: plane or ball
        law: `restitution`, `compliant`, or one of your own
    """

    type: Literal["contact"] = "contact"
    a: ContactSphere
    b: Annotated[ContactPlane | ContactSphere, ByType(default="plane")]
    law: Annotated[Any, ByType(family="contact_laws")]
    load_signals = ("force.normal", "force")

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if self.a.body == self.b.body:
            yield Issue(
                "b.body",
                f"is the body `{self.a.body}` of the ball itself; a contact needs two different bodies",
            )

    @property
    def is_rigid(self) -> bool:
        return self.law.is_impact

    def add_to(self, builder, placed):
        if self.law.is_impact:
            builder.add_impact(placed)
        else:
            super().add_to(builder, placed)

    def bind(self, context):
        place, law = context.place, self.law
        bodies, markers, reach = contact_markers(self, place)
        given, options = law.given(place.value), law.options()
        sticks = law.bristle(ca.vertcat(ca.SX(0, 1), *given), options) is not None
        return Binding(
            bodies,
            [*markers, reach, place.value(self.a.radius), *given],
            options=(self.b.type, law.type, *options),
            # one for each axis of a deflection along the surface: the third of a plane is its normal
            states=[0.0] * ((2 if self.b.type == "plane" else 3) if sticks else 0),
        )

    @staticmethod
    def effect(arguments):
        partner, name, *options = arguments.options
        law, options, given = find("contact_laws", name), tuple(options), arguments.data[26:]
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)  # a: partner, b: ball
        reach, radius = ca.vertsplit(arguments.data[24:26])
        row = gap_row(partner, a, b, reach)
        gap, closing = row.value, -row.rate(a, b)
        depth = ca.fmax(-gap, 0.0)
        normal_force = ca.if_else(gap < 0, law.normal_force(depth, closing, given, options), 0.0)
        n = normal_of(partner, a, b)
        point = b.p - radius * n
        force = normal_force * n
        signals = {
            "gap": (gap, "m", "distance of the surfaces (negative: overlap)"),
            "force.normal": (normal_force, "N", "normal force (positive: pushes apart)"),
        }
        at_b = b.body.v + ca.cross(b.body.w, point - b.body.x)
        at_a = a.body.v + ca.cross(a.body.w, point - a.body.x)
        sliding = at_b - at_a
        sliding = sliding - ca.dot(sliding, n) * n
        rub = law.friction_force(normal_force, sliding, given, options)
        deep = ca.SX.sym("depth")
        elastic = ca.substitute(ca.jacobian(law.stored_energy(deep, given, options), deep), deep, depth)
        stored, events, rates = law.stored_energy(depth, given, options), [-gap], None
        heat, mode = (
            ca.if_else(gap < 0, (normal_force - elastic) * closing, 0.0),
            ca.if_else(gap < 0, 1.0, 0.0),
        )
        lets_go = law.lets_go(depth, closing, given, options)
        if lets_go is not None:
            events.append(ca.if_else(gap < 0, lets_go, 1.0))
        bristle = law.bristle(given, options)
        if bristle is not None:
            coefficient, stiffness, damping = bristle
            axes = [a.ex, a.ey, a.ez][: len(arguments.states)]
            deflection = sum((s * e for s, e in zip(arguments.states, axes, strict=True)), ca.SX.zeros(3, 1))
            deflection = deflection - ca.dot(deflection, n) * n
            wanted = stiffness * deflection + damping * sliding
            size = ca.sqrt(ca.dot(wanted, wanted) + _NO_FORCE**2)
            most = coefficient * normal_force
            rub = -wanted * ca.fmin(1.0, most / size)
            change = (-rub - stiffness * deflection) / damping  # (1)
            rates = [ca.dot(change, e) for e in axes]
            stored = stored + stiffness * ca.dot(deflection, deflection) / 2
            heat = heat - stiffness * ca.dot(deflection, change)  # what it stores comes back
            events.append(most - size)
            holds = ca.if_else(ca.logic_and(gap < 0, size < most), 1.0, 0.0)
            mode = mode + holds
            signals["sticks"] = (holds, "1", "1 while friction holds, 0 while it slides")
        if rub is not None:
            force = force + rub
            heat = heat - ca.dot(rub, sliding)
            signals["force.friction"] = (ca.norm_2(rub), "N", "friction force")
            signals["sliding"] = (ca.norm_2(sliding), "m/s", "speed with which the surfaces slide")
        signals["heat"] = (heat, "W", "power lost in damping and friction")
        signals["mode"] = (mode, "1", "0: apart; 1: touches; 2: and friction holds")
        return Effect(
            [at_point(a.body, point, -force), at_point(b.body, point, force)],
            potential=stored,
            signals=signals,
            events=events,
            touches=1,
            rates=rates,
        )
