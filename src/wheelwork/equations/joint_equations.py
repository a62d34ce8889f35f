"""The contract of a joint's equations: frames in, constraint rows out.

A joint of :mod:`wheelwork.elements.joints` has a class `InSpace`, `InPlane`, or both, derived from
:class:`JointEquations`. In the plane the same primitives act on the same frames: z is at a right angle to the plane,
and x along the joint's direction if it has one. Of a row only the columns for (vx, vy, w) of each body are used there,
so that rows need be right for motions in the plane only.

Symbols of the course (Haug, Computer Aided Kinematics and Dynamics, 1989, ch. 3; ME451 notes) and of this package::

    r_i, phi_i    position and angle of body i          a.body.x, a.body.angle
    A_i           rotation matrix of body i             a.body.R
    B_i           A_i R, its derivative by phi_i        e_z x
    s_i'^P        point P in body i                     a.local_position;  A_i s_i'^P is a.s
    v_i, v_i^     a direction of body i, and it turned by 90 degrees     a.ex, a.ey (of length 1 here)
    d_ij          r_j^P - r_i^P                          b.p - a.p
    Phi_q         Jacobian                              the columns of a Row
    nu, gamma     right-hand sides                      `nu` and `gamma` of a Row

Bodies i, j of the course are a, b here. Rows are differences "b minus a", so some have the opposite sign of the
book's, and all its vectors of a direction have length 1, so that multipliers are forces and torques.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

from .frames import Marker
from .rotations import frame_about
from .rows import Row, offset_along, turn_about_axis

if TYPE_CHECKING:
    import casadi as ca

    from .placement import Place


class JointEquations:
    """Base of the equations of all joints; `type` and `coordinates` are those of the joint it belongs to."""

    type: ClassVar[str]
    row_names: tuple[str, ...]
    """One word for each equation, six at most."""
    extras: ClassVar[tuple[str, ...]] = ()
    """Names of the joint's own numbers (a length, a lead), which `extra_values` gives."""
    units: ClassVar[Mapping[str, str]] = {}
    """Units of those that are not in metres (nor a sine, cosine or tangent by their name)."""
    coordinates: ClassVar[tuple[str, ...]] = ()
    """Coordinates that can be driven or measured: `angle`, `displacement`."""
    speeds: int = 0
    """How many of the equations, the last ones, hold speeds and no positions (nonholonomic): value zero."""
    signals: Mapping[str, tuple[str, str]] = MappingProxyType({})
    """Unit and meaning of further signals, which `signal_values` gives."""

    @property
    def key(self) -> str:
        """What tells its kernels from those of others."""
        return self.type

    def __repr__(self) -> str:
        """The key, so that it is part of the keys of kernels that are made with it."""
        return self.key

    def chosen(self, joint: Any) -> JointEquations:
        """The equations of one joint, where they depend on what is written in it (a coordinate, an outline)."""
        return self

    def equations(
        self, a: Marker, b: Marker, extras: Mapping[str, ca.SX], counted: ca.SX
    ) -> Sequence[Row] | ca.SX:
        """Rows where a closed form is at hand, or a column of residuals, from which Jacobian and right-hand sides are
        differentiated. counted: the joint's angle over whole turns
        """
        raise NotImplementedError

    def named(self, extras: ca.SX) -> dict[str, ca.SX]:
        """A joint's own numbers by name."""
        return {name: extras[k] for k, name in enumerate(self.extras)}

    def coordinate(self, name: str, a: Marker, b: Marker, counted: ca.SX | float) -> Row:
        """The joint coordinate `name` as a row: its value, how it changes with the twists, its gamma.

        Of those about and along a's z axis; in the plane a displacement is along a's x axis.
        """
        if name == "angle":
            return turn_about_axis(a, b, counted)
        return offset_along(a, a.ez if a.body.angle is None else a.ex, b)

    def signal_values(
        self, a: Marker, b: Marker, extras: Mapping[str, ca.SX], multipliers: ca.SX
    ) -> Sequence[ca.SX]:
        """Numbers, or vectors of three, in the order of `signals`, from the multipliers of the rows."""
        raise NotImplementedError

    def markers(self, joint: Any, place: Place) -> tuple[ca.SX, ca.SX]:
        """Records of the joint frames in a and b; the default is z along `axis` at `point`."""
        return place.joint_frames(joint)

    def extra_values(self, joint: Any, place: Place) -> list[Any]:
        """Values of `extras` for one joint, as expressions in the model's parameters."""
        return []


@dataclass(frozen=True)
class JointUse:
    """A joint of the mechanism as other elements see it."""

    name: str
    bodies: list[str]
    markers: tuple[ca.SX, ca.SX]
    equations: JointEquations

    def coordinate(self, name: str | None) -> str:
        """The coordinate meant: the one named, or the joint's only one."""
        offered = self.equations.coordinates
        if name is None and len(offered) == 1:
            return offered[0]
        if name in offered:
            return name
        listed = " and ".join(f"`{c}`" for c in offered) or "no coordinates"
        asked = f"coordinate `{name}`" if name else "one coordinate: say which one with `coordinate`"
        raise ValueError(f"joint `{self.name}` ({self.equations.type}) has {listed}, not {asked}")


def frames_along(joint: Any, place: Place) -> tuple[ca.SX, ca.SX]:
    """Marker records of a joint of the plane with x along its direction: at `point`, or given by frames."""
    if joint.frame_a is not None or joint.frame_b is not None:
        return place.joint_frames(joint)
    axes = frame_about(ca.SX([0, 0, 1]), place.direction(joint.axis))
    points = (joint.point, joint.point) if hasattr(joint, "point") else (joint.point_a, joint.point_b)
    first, second = (
        place.world_marker(body, place.point(point), axes)
        for body, point in zip(joint.bodies, points, strict=True)
    )
    return first, second


def data_sheet(equations: JointEquations) -> str:
    """What is written about equations: in their own class, or else in the file of the joint."""
    bases = "wheelwork.equations."
    own = (cls.__doc__ for cls in type(equations).__mro__[:-1] if not cls.__module__.startswith(bases))
    text = next((doc for doc in own if doc), None)
    return inspect.cleandoc(text or sys.modules[type(equations).__module__].__doc__ or "")


# -- which coordinate a driver prescribes, as equations with frames
#
# A driver's constraint is coordinate - u(t) = 0 (:func:`~wheelwork.system.kernels.driver_kernel`), with nu = u' and
# gamma = that of the coordinate + u''.


@dataclass(frozen=True)
class Driven:
    """A coordinate: whose equations have it, its name there, and between which frames. `turn`: -1, or its count."""

    equations: JointEquations
    coordinate: str
    bodies: list[str]
    markers: tuple[ca.SX, ca.SX]
    turn: int = -1
