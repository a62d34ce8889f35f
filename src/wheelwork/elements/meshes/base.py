"""What gear meshes share: two wheels, where their axes are, and what is lost between the teeth.

The axis of each wheel is that of the joint which carries it: a revolute joint as a rule. Such joints are found by
themselves where the mechanism leaves no doubt; else they are named by `joints`, or the axes are given:

- in the world, by `point_a` and `axis_a`, `point_b` and `axis_b` at the assembled position; a point without its axis
  is the wheel's centre on the axis of the joint;
- by `frame_a` and `frame_b`, a frame in each body with its origin at the wheel's centre and z along its axis.

Either side may be given alone. A body may be named by an attachment frame, which then stands for its frame.

A mesh limits the relative rotation of the wheels only; other joints hold the axes. How to add one: CONTRIBUTING.md.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import ConfigDict

from wheelwork.description.base import (
    PLANAR,
    SHARE,
    SPATIAL,
    Evaluate,
    Issue,
    Part,
    Range,
    Ref,
    lacking_in,
    positive,
    radians_hint,
)
from wheelwork.description.connection import Connection
from wheelwork.description.registry import family
from wheelwork.description.union import ByNameOrType
from wheelwork.description.values import Z_AXIS, Angle, Axis, Length, Number, Point
from wheelwork.elements.meshes.teeth.rigid import RigidTeeth
from wheelwork.equations.mesh_equations import MeshEquations

if TYPE_CHECKING:
    from wheelwork.gears import GearPair, RackPair
    from wheelwork.layout.meshes import MeshGeometry, MeshPlace
    from wheelwork.layout.teeth import MeshNumbers, TeethAt, ToothShape

PRESSURE_ANGLE = math.radians(20)


class Mesh(Connection):
    """Two wheels in mesh.

    Fields:
        bodies: names of wheel a and wheel b
        joints: names of the joints that carry a and b; found where left out
        point_a [m]: centre of a (where the axes cross, any point of its axis), in the world at the assembled position
        axis_a [1]: direction of a's axis in the world, any length; that of the joint where left out
        point_b [m]: a point of b's axis, in the world at the assembled position
        axis_b [1]: direction of b's axis in the world, any length; that of the joint where left out
        frame_a: frame in body a, origin at the centre of a, z along its axis
        frame_b: frame in body b, origin at the centre of b, z along its axis
        efficiency [1]: power that leaves the mesh over power that enters it, more than 0 and at most 1
        model: how the teeth, or what a mesh has in their place, are modelled: `rigid`, or where the type of mesh has it
            `compliant`, `contact`, `pins`, `strands`, `links` or `traction`
    """

    # Models of teeth are gathered when the first mesh is made: they import this room.
    model_config = ConfigDict(defer_build=True)
    collection: ClassVar[str] = "meshes"
    noun: ClassVar[str] = "mesh"
    world: ClassVar[tuple[str, ...]] = ("point_a", "axis_a", "point_b", "axis_b")
    optional: ClassVar[tuple[str, ...]] = world
    known_in_plane: ClassVar[tuple[str, ...]] = ("axis_a", "axis_b")

    # Its equations, and the variants of them: `helical`, or `height` of a rack; empty for the plain ones.
    Equations: ClassVar[type[MeshEquations]]
    variants: ClassVar[tuple[str, ...]] = ("",)
    # Whether the wheels touch each other, at a point that tooth forces act at; a belt's do not.
    wheels_touch: ClassVar[bool] = True
    # Whether the axes are parallel; whether b is a ring around a; whether b is a rack, which slides and has no radius.
    parallel: ClassVar[bool] = False
    b_is_ring: ClassVar[bool] = False
    b_is_rack: ClassVar[bool] = False
    # Whether involute flanks touch along a path in the transverse section, so that teeth have a phase and a stiffness.
    has_path: ClassVar[bool] = False
    # Whether strands of a belt run over the wheels; whether links of a chain do, whose `drive` says how many: rollers
    # are corners of polygons, and the ratio swings about that of the teeth.
    has_strands: ClassVar[bool] = False
    has_links: ClassVar[bool] = False
    # Whether pins run on lobes or in holes: `pin_contacts` of its equations says where each of them is; which of both.
    has_pins: ClassVar[bool] = False
    has_lobes: ClassVar[bool] = False

    joints: Annotated[tuple[str, str] | None, Ref("joint")] = None
    point_a: Point | None = None
    axis_a: Axis | None = None
    point_b: Point | None = None
    axis_b: Axis | None = None
    efficiency: Number | None = None
    model: Annotated[Any, ByNameOrType(family="tooth_models")] = RigidTeeth()
    ranges: ClassVar = {"efficiency": SHARE}

    @classmethod
    @cache
    def equations(cls, variant: str = "") -> MeshEquations:
        """Its equations, or a variant of them."""
        name = cls.model_fields["type"].default
        return cls.Equations(f"{name}:{variant}" if variant else name)

    @classmethod
    def lacking(cls) -> Iterator[str]:
        yield from super().lacking()
        written = getattr(cls, "Equations", None)
        if written is None:
            yield "Equations"
            return
        yield from lacking_in(written, "Equations", "extras")
        for one, needed in (
            ("clearance", cls.has_path),
            ("line_of_action", cls.has_path),
            ("sliding", written.slides),
            ("angle_of_a", not cls.b_is_rack),
        ):
            if needed and getattr(written, one) is getattr(MeshEquations, one):
                yield f"Equations.{one}"

    # -- what the layout asks for

    @property
    def turns_same_way(self) -> bool:
        """Whether the wheels turn the same way about the axes of their markers; a rack: along its x axis."""
        return self.b_is_ring

    @property
    def only_pulls(self) -> int:
        """Of a constraint that may pull but not push, the sign of its multiplier while it pulls; 0: it may do both."""
        return 0

    @classmethod
    def takes_teeth(cls) -> bool:
        """Whether a user may give numbers of teeth; friction wheels have none."""
        return "teeth" in cls.model_fields

    @property
    def has_teeth(self) -> bool:
        """Whether tooth numbers are given, or follow from a module."""
        return getattr(self, "teeth", None) is not None or getattr(self, "module", None) is not None

    @abstractmethod
    def geometry(self, place: MeshPlace) -> MeshGeometry:
        """Axes, centres, pitch radii and teeth; a `MeshFault` for what does not fit together."""

    @abstractmethod
    def tooth_shape(self, numbers: MeshNumbers) -> ToothShape:
        """Its teeth as :mod:`wheelwork.gears` has them; a `GeometryError` where there are none."""

    def loss_pair(self, name: str, teeth: TeethAt) -> GearPair | RackPair | None:
        """The teeth that its losses to friction follow from; None where there are none."""
        return teeth.pair(name)

    def filled(self, kind: str) -> dict[str, Any]:
        """Axes at a right angle to the plane, for wheels placed in the world without them."""
        sides = [axis[-1] for axis in self.known_in_plane if kind == PLANAR and self.joints is None]
        given = [s for s in sides if getattr(self, f"point_{s}") is not None]
        return {f"axis_{s}": Z_AXIS for s in given if getattr(self, f"axis_{s}") is None}

    def placement_fault(self, attached: tuple[bool, bool], kind: str = SPATIAL) -> Issue | None:
        """A mesh has no place of its own: the axes are those of the joints that carry the wheels."""
        return None

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        names = ("axis_a", "axis_b", "frame_a", "frame_b")
        given = [name for name in names if getattr(self, name) is not None]
        if self.joints is not None and given:
            text = f"the axes are given twice: by `joints` and by `{given[0]}`"
            yield Issue(given[0], text, "give one or the other")
        for side in "ab":
            point, axis = getattr(self, f"point_{side}"), getattr(self, f"axis_{side}")
            if axis is not None and point is None:
                yield Issue(f"axis_{side}", f"`point_{side}` is missing beside `axis_{side}`")
        if not self.model.suits(self):
            models = sorted(family("tooth_models").values(), key=lambda model: model.needs_path)
            known = " or ".join(f"`{cls.model_fields['type'].default}`" for cls in models if cls.suits(self))
            yield Issue("model", f"must be {known} for this type of mesh, but is `{self.model.type}`")
        if (
            any(getattr(self, "thickness_allowance", ()))
            and getattr(self.model, "backlash", None) is not None
        ):
            text = "the backlash is given twice: by the thickness of the teeth and by `backlash` of the model"
            yield Issue("thickness_allowance", text, "give one or the other")


class ToothedMesh(Mesh):
    """A mesh of gear teeth.

    Fields:
        pressure_angle [rad]: of the normal section
        friction [1]: coefficient of friction between the teeth; instead of `efficiency`
    """

    pressure_angle: Angle = PRESSURE_ANGLE
    friction: Number | None = None
    ranges: ClassVar = {"friction": Range("be at least 0 and less than 1", lambda x: 0 <= x < 1)}

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        angle = value(self.pressure_angle)
        if angle is not None and not 0 <= angle < math.radians(45):
            degrees = math.degrees(angle)
            text = f"must be at least 0 and less than 45 deg, but is {degrees:g} deg"
            yield Issue("pressure_angle", text, radians_hint(self.pressure_angle))
        if self.friction is not None and self.efficiency is not None:
            yield Issue("friction", "losses are given twice: by `efficiency` and by `friction`", "give one")


class WheelPair(ToothedMesh):
    """A mesh of two toothed wheels, sized by teeth, pitch radii or ratio.

    Fields:
        teeth [1]: of wheel a and wheel b, whole numbers
        radii [m]: pitch radii of wheel a and wheel b
        ratio [1]: teeth of b over teeth of a, which is the speed of a over the speed of b against the carrier
        module [m]: pitch diameter over teeth
        phase [rad]: directions from the centres of wheel a and wheel b to the points of their pitch circles that touch
            each other, in the middle of a tooth of a and of a space of b; from the x axis of each body about the axis
            of its wheel as it is given, on parallel axes about that of wheel a (theta_i, theta_j of Haug); as the
            wheels stand at the given position where left out
    """

    teeth: tuple[Number, Number] | None = None
    radii: tuple[Length, Length] | None = None
    ratio: Number | None = None
    module: Length | None = None
    phase: tuple[Angle, Angle] | None = None
    positive = ("radii", "module")

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if self.teeth is None and self.radii is None and self.ratio is None:
            yield Issue("teeth", "the wheels have no size: give `teeth`, `radii` or `ratio`")
        yield from tooth_issues(self.teeth, value)
        yield from phase_issues(self)
        hint = "the direction in which the wheels turn follows from the type of mesh and the axes"
        yield from positive(self, value, "ratio", hint=hint)


def phase_issues(mesh: Any) -> Iterator[Issue]:
    """There is one phase of a mesh; without teeth, two points of rigid pitch circles that touch each other."""
    if mesh.phase is None:
        return
    if not mesh.has_teeth and mesh.model.equations() is not None:
        yield Issue(
            "phase", f"`teeth` is missing beside `phase`, which teeth that are `{mesh.model.type}` need"
        )
    if getattr(mesh.model, "phase", None) is not None:
        yield Issue("phase", "is given twice: here and in `model`", "give one or the other")


def tooth_issues(teeth: tuple[Any, ...] | None, value: Evaluate) -> Iterator[Issue]:
    """Teeth are whole numbers from 1."""
    for i, entry in enumerate(teeth or ()):
        number = value(entry)
        if number is not None and (number < 1 or number != round(number)):
            name = "teeth" if teeth is not None and len(teeth) == 1 else f"teeth.{i}"
            yield Issue(name, f"needs a whole number of teeth, at least 1, but is {number:g}")


def angle_issues(part: Part, value: Evaluate, name: str, low: float, high: float) -> Iterator[Issue]:
    """An issue for each angle of a field that is not between low and high [deg]."""
    given = getattr(part, name)
    for i, entry in enumerate(given if isinstance(given, tuple) else (given,)):
        angle = None if entry is None else value(entry)
        if entry is not None and angle is not None and not math.radians(low) < angle < math.radians(high):
            field = f"{name}.{i}" if isinstance(given, tuple) else name
            degrees = math.degrees(angle)
            text = f"must be between {low:g} and {high:g} deg, but is {degrees:g} deg"
            yield Issue(field, text, radians_hint(entry))
