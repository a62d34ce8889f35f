"""The contract of a joint: frames in, constraint rows out.

To add a joint:

1. Describe it in ``wheelwork.description.joints`` (its fields, their units).
2. Add one file here with a subclass of :class:`JointEquations`: set `type` to the description's type name and
   `row_names` to one word for each equation.
3. Write :meth:`JointEquations.equations`. Return :class:`~wheelwork.equations.rows.Row` objects where a closed form is
   at hand, or a column of residual expressions, from which Jacobian and right-hand sides are differentiated.
4. If the joint frames are not "z along `axis` at `point`", override :meth:`JointEquations.markers`; if it has
   numbers of its own (a length, a lead), list them in `extras` and give them in :meth:`JointEquations.extra_values`.
5. If it has coordinates that can be driven or measured (`angle`, `displacement`), list them in `coordinates`, here and
   in the description. Override :meth:`JointEquations.coordinate` if they are not those about and along a's z axis.
6. Add it to the registry in ``joints/__init__.py``. Tests pick it up from there: Jacobian and right-hand
   sides are compared with differentiation at random states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import casadi as ca

from ..frames import Marker
from ..rows import Row, offset_along, turn_about_axis

if TYPE_CHECKING:
    from wheelwork.layout.placement import Place

COORDINATE_UNITS = {"angle": "rad", "displacement": "m"}


class JointEquations:
    """Base of all joints; see the module's docstring for how to write one."""

    type: ClassVar[str]
    row_names: tuple[str, ...]
    extras: ClassVar[tuple[str, ...]] = ()
    coordinates: ClassVar[tuple[str, ...]] = ()
    uses_turns: ClassVar[bool] = False
    """Whether `equations` needs the count of whole turns of the joint angle (a screw does)."""

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
        raise NotImplementedError

    def coordinate(self, name: str, a: Marker, b: Marker, counted: ca.SX | float) -> Row:
        """The joint coordinate `name` as a row: its value, how it changes with the twists, its gamma."""
        if name == "angle":
            return turn_about_axis(a, b, counted)
        return offset_along(a, a.ez, b)

    def markers(self, joint: Any, place: Place) -> tuple[ca.SX, ca.SX]:
        """Records of the joint frames in a and b; the default is z along `axis` at `point`."""
        return place.joint_frames(joint)

    def extra_values(self, joint: Any, place: Place) -> list[Any]:
        """Values of `extras` for one joint, as expressions in the model's parameters."""
        return []

    def reaction_marker(self, a: Marker, b: Marker) -> Marker:
        """The frame in which joint reactions are reported: the joint frame on b."""
        return b
