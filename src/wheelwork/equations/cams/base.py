"""What cams share: a gap between two outlines as one constraint row, and curve parameters that follow the contact.

The contact of two outlines is where they have a common normal. Its curve parameters s are not unknowns of the
mechanism: they follow from the bodies' positions through the conditions of contact F(s, q) = 0, by Newton's method
from a value that is near. That value z is part of the state (a *followed parameter*): its rate s' = -F_s^-1 F_t is
integrated along, and whenever bodies are placed it is replaced by the root next to it, so that it cannot drift.
Which of several contacts is meant is therefore settled once, at the given position, and kept along the motion.

Equation (1): g = gap of the outlines along the common normal N = 0. At the contact g is stationary in s (that is
what the conditions of contact say), so that with P the point of contact, N out of a's surface, and v_a(P), v_b(P)
velocities of the material points at P::

    G^ v  = N . W,      W = v_b(P) - v_a(P)
    gamma = -(N' . W + N . (w_b x (P' - v_b) - w_a x (P' - v_a)))

where N' and P' are the rates of the normal and of the point of contact as it moves along the outlines (with s'),
and v_a, v_b are velocities of the centres of mass. nu = 0. The multiplier is minus the force that presses the
surfaces together (N).

The surfaces must part on both sides of the contact (g a minimum over the curves, and not only stationary): where they
no longer do, a hollow has closed over the contact, and there is no contact to follow. Its parameters are no numbers
then, which ends a run. That outlines touch in another place as well is not seen.

The row is that of a bilateral joint: it pulls as well. Look at the signal `force.normal`: where it is negative, the
follower would lift off.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

from ..frames import Marker
from ..joint_equations import JointEquations
from ..rotations import frame_about
from ..rows import Row
from .outline import OutlineCurve, outline_of

if TYPE_CHECKING:
    from wheelwork.equations.placement import Place

ROUNDS = 2
"""Newton steps inside a kernel, from a parameter that is right already: they carry its derivatives."""
FOLLOWING_ROUNDS = 4
"""Newton steps that bring a parameter from its integrated value to the contact."""
FURTHEST = 1 / 4
"""Part of the outline by which they may move it; a contact further away is another one."""


@dataclass(frozen=True)
class CamContact:
    """The contact at a position: the row, the curve parameters and their rates (columns), the point on a's outline.

    `clearance` is positive where the surfaces part on both sides of the contact, so that they only touch there.
    """

    row: Row
    parameters: ca.SX
    rates: ca.SX
    point: ca.SX
    clearance: ca.SX


class CamEquations(JointEquations):
    """Base of the cams. A class is the type; an instance with outlines is what a kernel is made from."""

    row_names = ("gap",)
    own_numbers: ClassVar[int] = 1
    """Numbers among the element's data before those of the outlines; the first is the side, 1 or -1."""

    follower: ClassVar[str] = ""
    """What touches the outline of a: a flat `face`, a `roller` (its radius the second number), or another outline."""

    def __init__(self, outlines: tuple[OutlineCurve, ...] = ()):
        self.outlines = outlines

    @property
    def key(self) -> str:
        return f"{self.type}:{'|'.join(outline.key for outline in self.outlines)}"

    @property
    def numbers(self) -> int:
        return self.own_numbers + sum(outline.numbers for outline in self.outlines)

    @property
    def inputs(self) -> int:
        """Input slots for pieces of splines."""
        return sum(outline.inputs for outline in self.outlines)

    @property
    def labels(self) -> tuple[str, ...]:
        """A word for each curve parameter."""
        return ("parameter",) if len(self.outlines) == 1 else ("parameter_a", "parameter_b")

    @property
    def followed(self) -> int:
        """Curve parameters: one for each outline."""
        return len(self.outlines)

    def chosen(self, joint: Any) -> JointEquations:
        names = [name for name in ("outline", "outline_a", "outline_b") if hasattr(joint, name)]
        return type(self)(tuple(outline_of(getattr(joint, name)) for name in names))

    def markers(self, joint: Any, place: Place) -> tuple[ca.SX, ca.SX]:
        """Frames with z along the cam's axis, x along the reference directions or the bodies' own x axes.

        Where a body's x axis is the cam's axis, its y axis stands in.
        """
        if joint.frame_a is not None or joint.frame_b is not None:
            return place.joint_frames(joint)
        z = place.direction(joint.axis)
        directions = joint.reference_a, getattr(joint, "direction", getattr(joint, "reference_b", None))
        records = []
        for body, point, given in zip(joint.bodies, (joint.point_a, joint.point_b), directions, strict=True):
            x = (
                self._own_x(place.layout.bodies[body].frame.axes, z)
                if given is None
                else place.direction(given)
            )
            records.append(place.world_marker(body, place.point(point), frame_about(z, x)))
        return records[0], records[1]

    @staticmethod
    def _own_x(axes: ca.SX, z: ca.SX) -> ca.SX:
        along = ca.fabs(ca.dot(axes[:, 0], z)) / ca.norm_2(z)
        return ca.if_else(along > 1 - 1e-9, axes[:, 1], axes[:, 0])

    @abstractmethod
    def contact(
        self, a: Marker, b: Marker, numbers: ca.SX, inputs: ca.SX, guess: ca.SX, rounds: int
    ) -> CamContact:
        """The contact next to the curve parameters `guess`."""

    @abstractmethod
    def start(self, joint: Any, place: Place, markers: tuple[ca.SX, ca.SX]) -> tuple[list[Any], list[ca.SX]]:
        """The element's own numbers, and the curve parameters of the nearest contact at the given position."""

    def parts(self, numbers: ca.SX, inputs: ca.SX) -> list[tuple[OutlineCurve, ca.SX, ca.SX]]:
        """Each outline with its numbers and its pieces."""
        out, number, slot = [], self.own_numbers, 0
        flat = ca.vec(inputs)
        for outline in self.outlines:
            own = numbers[number : number + outline.numbers]
            out.append((outline, own, flat[3 * slot : 3 * (slot + outline.inputs)]))
            number += outline.numbers
            slot += outline.inputs
        return out


def contact_row(
    a: Marker, b: Marker, gap: ca.SX, normal: ca.SX, normal_rate: ca.SX, point: ca.SX, point_rate: ca.SX
) -> Row:
    """The row of a contact; see the module's docstring."""
    arm_a, arm_b = point - a.body.x, point - b.body.x
    w_a, w_b = a.body.w, b.body.w
    closing = b.body.v + ca.cross(w_b, arm_b) - a.body.v - ca.cross(w_a, arm_a)
    change = ca.cross(w_b, point_rate - b.body.v) - ca.cross(w_a, point_rate - a.body.v)
    return Row(
        gap,
        a_linear=-normal,
        a_angular=-ca.cross(arm_a, normal),
        b_linear=normal,
        b_angular=ca.cross(arm_b, normal),
        gamma=-(ca.dot(normal_rate, closing) + ca.dot(normal, change)),
    )


def velocity_at(marker: Marker, point: ca.SX) -> ca.SX:
    """Velocity of the body's material point at a place in the world."""
    return marker.body.v + ca.cross(marker.body.w, point - marker.body.x)
