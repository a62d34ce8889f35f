"""Distance joint, and the massless rod with two spherical ends (a composite joint that saves a body).

Equation (1): |p_b - p_a| - length = 0. `length` must be positive; left out, it is the distance at the given
position. Written with the distance itself and not its square, the multiplier is the force in the rod (N, tension
positive). Source: Haug (1989), eq. 9.4.7 (there squared).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from wheelwork.description.base import PLANAR, SPATIAL, Evaluate, Issue, positive
from wheelwork.description.connection import BetweenPoints
from wheelwork.description.geometry import norm, numbers
from wheelwork.description.values import Length
from wheelwork.elements.joints.base import Joint
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rows import separation


class Link(BetweenPoints, Joint):
    """Two points at a distance."""

    length: Length | None = None

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        hint = "for zero, use a spherical joint, in the plane a revolute one"
        yield from positive(self, value, "length", hint=hint)
        if self.length is None and self.point_a is not None and self.point_b is not None:
            a, b = numbers(self.point_a, value), numbers(self.point_b, value)
            if a is not None and b is not None and norm([x - y for x, y in zip(a, b, strict=True)]) == 0:
                yield Issue("point_b", "is the same as `point_a`: the distance would be zero")


class Distance(Link):
    """A point of body a and a point of body b keep their distance. Removes 1 degree of freedom.

    Fields:
        length [m]: the distance; that of the given position where left out
    """

    type: Literal["distance"] = "distance"
    printed = ("length",)
    symbol = ("ball", "ball")
    has_rod = True

    class InSpace(JointEquations):
        row_names = ("length",)
        extras = ("length",)

        def equations(self, a, b, extras, counted):
            row = separation(a, b)
            return [replace(row, value=row.value - extras["length"])]

        def coordinate(self, name, a, b, counted):
            """The distance, where a driver prescribes it."""
            return separation(a, b)

        def markers(self, joint, place):
            return place.two_points(joint)

        def extra_values(self, joint, place):
            return [place.length_between(joint) if joint.length is None else place.value(joint.length)]

    class InPlane(InSpace):
        """Distance in the plane, and the revolute-revolute joint, which is the same equation: a massless rod with
        two hinges.

        Equation (1), with d = p_b - p_a, n = d/|d| and D = d' its rate::

            Phi   = |d| - length = 0
            Phi_q = [-n^T, -n . B_a s_a',  n^T, n . B_b s_b']
            nu    = 0
            gamma = -((|D|^2 - (n . D)^2)/|d| - n . (A_b s_b' w_b^2 - A_a s_a' w_a^2))

        Departure from the source (Haug, 1989, sec. 3.3): there the row is d . d - C^2. Written with the
        distance itself the multiplier is the force in the rod (N, tension positive), and Newton's method
        converges in one step along the rod. `length` must be positive; left out, it is the distance at the
        given position. A point of ground as the first makes it the course's absolute distance.
        """


class Rod(Link):
    """A massless rod with a ball joint at each end; saves the body and its two joints. Removes 1 degree of freedom.

    Fields:
        point_a [m]: ball joint on body a, in the world at the assembled position
        point_b [m]: ball joint on body b, in the world at the assembled position
        length [m]: of the rod; that of the given position where left out
        frame_a: frame in body a, its origin is the ball's centre
        frame_b: frame in body b, its origin is the ball's centre
    """

    type: Literal["rod"] = "rod"
    kinds = frozenset({SPATIAL})
    instead = "use `revolute_revolute`"
    printed = ("length",)
    symbol = ("ball", "ball")
    has_rod = True

    InSpace = Distance.InSpace


class RevoluteRevolute(Link):
    """A massless rod with a pin at each end. In the plane only; removes 1 degree of freedom.

    Fields:
        point_a [m]: pin on body a, in the world at the assembled position
        point_b [m]: pin on body b, in the world at the assembled position
        length [m]: of the rod; that of the given position where left out
        frame_a: frame in body a, its origin is the pin
        frame_b: frame in body b, its origin is the pin
    """

    type: Literal["revolute_revolute"] = "revolute_revolute"
    kinds = frozenset({PLANAR})
    instead = "use `rod`"

    InPlane = Distance.InPlane
