"""The mechanism resolved: everything that follows from its description and the values of its parameters alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.description import Description, Flat
from wheelwork.description.base import PLANAR
from wheelwork.description.changes import flat_with
from wheelwork.description.registry import find
from wheelwork.description.values import ORIGIN
from wheelwork.equations.joint_equations import JointUse
from wheelwork.equations.placement import WORLD, BodyPlacement, Place, Placement
from wheelwork.equations.rotations import rotation
from wheelwork.equations.values import ParameterSymbols
from wheelwork.layout.meshes import MeshGeometry, resolve_meshes
from wheelwork.layout.meshes.axes import rigid_pairs
from wheelwork.lazy import Keeping, train_of_layout, trains
from wheelwork.lazy import casadi as ca

from .teeth import MeshTeeth, TeethAt

if TYPE_CHECKING:
    from wheelwork.description import Placed, Pose


class Layout(Keeping):
    """A mechanism at its given position. Nothing in it changes; each property is worked out when it is first read.

    Lengths, directions and markers are expressions in the parameters (`parameters.column`), so that they hold for other
    values too; what is chosen or checked (axes, teeth, the gear train) is so with the values that the parameters have.
    """

    def __init__(self, flat: Flat):
        self.flat = flat
        self.parameters = ParameterSymbols(flat.parameters)
        self._joints: dict[str, JointUse] = {}
        self._kept: dict[Any, Any] = {}
        self._other_teeth: TeethAt | None = None

    def number(self, expression: Any, values: Mapping[str, float] | None = None) -> np.ndarray:
        """The numbers of an expression in the parameters, as a flat array; `values`: others than the description's."""
        if not isinstance(expression, ca.SX):
            expression = ca.SX(expression)
        if expression.is_constant():
            if expression.is_dense() and expression.is_column():
                numbers: list[Any] = expression.nonzeros()
                return np.array([float(x) for x in numbers])
            return np.array(ca.DM(expression)).ravel()
        self.parameters.note_read(expression)
        function = ca.Function("value", [self.parameters.column], [ca.densify(expression)])
        return np.array(function(self._column if values is None else self._numbers(values))).ravel()

    def _numbers(self, values: Mapping[str, float]) -> ca.DM:
        return ca.DM([values[name] for name in self.parameters.names])

    @cached_property
    def _column(self) -> ca.DM:
        return self._numbers(self.flat.values)

    # -- places

    @property
    def bodies(self) -> Mapping[str, BodyPlacement]:
        """All bodies and `ground` at the given position."""
        return self._bodies

    @cached_property
    def _bodies(self) -> Mapping[str, BodyPlacement]:
        found = {"ground": BodyPlacement(WORLD, ca.SX(3, 1))}
        for name, placed in self.flat.bodies.items():
            frame = self._inside(self.outer(placed.placement), placed.element)
            body = placed.element
            if body.center_of_mass is None and body.weighs_geometry:
                center = ca.vertcat(*body.center(self.parameters.value))
                if self.flat.kind == PLANAR:  # a solid may reach out of the plane; its mass is in it
                    center[2] = 0.0
            else:
                center = self.parameters.vector(body.center_of_mass or ORIGIN)
            found[name] = BodyPlacement(frame, center)
        return found

    def outer(self, poses: Sequence[Pose]) -> Placement:
        """The mechanism frame in which an element was written."""
        frame = WORLD
        for pose in poses:
            frame = self._inside(frame, pose)
        return frame

    def _inside(self, outer: Placement, pose: Any) -> Placement:
        return outer.then(self.parameters.vector(pose.position), rotation(pose.orientation, self.parameters))

    def angle(self, body: str) -> ca.SX:
        """The angle of a body of a planar mechanism as given, which may be more than half a turn."""
        if body == "ground":
            return ca.SX(0)
        placed = self.flat.bodies[body]
        orientations = [pose.orientation for pose in placed.placement] + [placed.element.orientation]
        given = [turned.angle for turned in orientations if turned.angle is not None]
        return sum((self.parameters.value(angle) for angle in given), ca.SX(0))

    def place(self, placed: Placed[Any]) -> Place:
        """What one element needs to find its frames."""
        sides = {side: self.outer(poses) for side, poses in placed.in_world.items()}
        return Place(self, self.outer(placed.placement), sides)

    def marker_of_frame(self, name: str) -> tuple[str, ca.SX]:
        """The body that a named frame is fixed to, and its marker record there."""
        placed = self.flat.frames[name]
        body = placed.element.body
        if "body" in placed.in_world:
            pose = self._inside(self.outer(placed.in_world["body"]), placed.element)
            return body, self.bodies[body].marker_at(pose.position, pose.axes)
        pose = self._inside(WORLD, placed.element)
        return body, self.bodies[body].marker(pose.position, pose.axes)

    def in_world(self, body: str, record: ca.SX) -> Placement:
        """Origin and axes of a marker in the world."""
        return self.bodies[body].in_world(record)

    def joint(self, name: str) -> JointUse:
        """A joint with its markers."""
        if name not in self._joints:
            placed = self.flat.joints[name]
            cls = find("joints", placed.element.type)
            equations = cls.equations(self.flat.kind).chosen(placed.element)
            markers = equations.markers(placed.element, self.place(placed))
            self._joints[name] = JointUse(name, list(placed.element.bodies), markers, equations)
        return self._joints[name]

    @cached_property
    def rigid_pairs(self) -> Sequence[tuple[str, str]]:
        """Bodies that are held to each other."""
        return rigid_pairs(self)

    # -- gears

    @cached_property
    def meshes(self) -> Mapping[str, MeshGeometry]:
        """Geometry of every mesh; `ModelError` with everything that does not fit."""
        return resolve_meshes(self)

    @cached_property
    def teeth(self) -> TeethAt:
        """Shapes, phases, backlash and stiffness of the teeth."""
        return TeethAt(self, self.flat.values)

    def teeth_at(self, values: Mapping[str, float]) -> TeethAt:
        """The same for other values of the parameters; the last ones are kept, as all meshes ask for them in turn."""
        if values == self.flat.values:
            return self.teeth
        if self._other_teeth is None or self._other_teeth.values != values:
            self._other_teeth = TeethAt(self, values)
        return self._other_teeth

    @cached_property
    def mesh_teeth(self) -> Sequence[MeshTeeth]:
        """The teeth of every mesh, as `wheelwork.gears` takes them."""
        return [self.teeth.teeth(name) for name in self.meshes]

    @cached_property
    def gear_train(self) -> trains.GearTrain:
        """Links, joints with their axes, gear pairs."""
        return train_of_layout.gear_train(self)

    @cached_property
    def train_graph(self) -> trains.TrainGraph:
        """The gear train as a graph, to be asked for ratios and more."""
        return trains.TrainGraph(self.gear_train)


def layout_of(source: Description | Flat, parameters: Mapping[str, Any] | None = None) -> Layout:
    """The layout of a mechanism, made once for a description and values of its parameters, and kept with it.

    parameters: values that replace the description's, by their full names; everything wrong is a `ModelError`

    >>> import wheelwork as ww
    >>> from wheelwork import examples
    >>> m = ww.load(examples.path("planetary"))
    >>> layout_of(m) is layout_of(m)
    True
    """
    flat = flat_with(source, parameters) if isinstance(source, Description) else source
    if "layout" not in flat.kept:
        flat.kept["layout"] = Layout(flat)
    return flat.kept["layout"]
