"""What an element may ask about the rest of the mechanism while it is bound: joints, rotors, relative rotations."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

from .relation import PARALLEL, tilt

if TYPE_CHECKING:
    from .joint_equations import JointUse
    from .placement import Place, Surroundings


@dataclass(frozen=True)
class Turn:
    """A relative rotation that is counted over whole turns."""

    name: str
    bodies: tuple[str, str]
    markers: tuple[ca.SX, ca.SX]
    of_rotors: bool = True
    """Whether it starts at the difference of the angles that rotors are given, whole turns included."""


class Registry:
    """Joints and turns of a mechanism while its equations are built."""

    def __init__(self, layout: Surroundings):
        self.layout = layout
        self.flat = layout.flat
        self.joint = layout.joint
        self.turns: list[Turn] = []
        self._turn_of_joint: dict[str, int] = {}
        self.states: dict[str, tuple[int, list[Any]]] = {}
        """Of each element that has any: the number of its first, and their values at the start."""
        self._states = 0

    @cached_property
    def carriers(self) -> dict[str, dict[str, JointUse]]:
        """Of each body those on which it turns about an axis, and the joints in which it does."""
        found: dict[str, dict[str, JointUse]] = defaultdict(dict)
        for name in self.flat.joints:
            joint = self.joint(name)
            if "angle" in joint.equations.coordinates:
                a, b = joint.bodies
                found[a][b] = found[b][a] = joint
        return found

    def joint_turn(self, name: str) -> int:
        if name not in self._turn_of_joint:
            joint = self.joint(name)
            self._turn_of_joint[name] = self.add_turn(name, joint.bodies, joint.markers)
        return self._turn_of_joint[name]

    def own_states(self, name: str, values: Sequence[Any]) -> list[int]:
        """Places of an element's own states: negative until the turns, which come before them, are known."""
        if values and name not in self.states:
            self.states[name] = self._states, list(values)
            self._states += len(values)
        first = self.states[name][0] if values else 0
        return [-1 - first - k for k in range(len(values))]

    def add_turn(
        self, name: str, bodies: list[str], markers: tuple[ca.SX, ca.SX], *, of_rotors: bool = True
    ) -> int:
        self.turns.append(Turn(name, (bodies[0], bodies[1]), markers, of_rotors))
        return len(self.turns) - 1


class Context:
    """The view of one element: its own place, and the registry."""

    def __init__(self, name: str, place: Place, registry: Registry):
        self.name = name
        self.place = place
        self._registry = registry

    def joint(self, name: str) -> JointUse:
        return self._registry.joint(name)

    def joint_turn(self, name: str) -> int:
        """Index of the relative rotation of a joint."""
        return self._registry.joint_turn(name)

    def turn(self, bodies: list[str], markers: Sequence[ca.SX], *, of_rotors: bool = False) -> int:
        """Index of a relative rotation between two bodies; at the start within half a turn, but `of_rotors`."""
        return self._registry.add_turn(self.name, bodies, (markers[0], markers[1]), of_rotors=of_rotors)

    def bearing(self, rotor: str) -> str:
        """The joint that carries a rotor."""
        return self._registry.flat.rotors[rotor]

    def axes(self, joint: JointUse) -> ca.SX:
        """World axes of a joint at the given position, z along its own."""
        return self._registry.layout.bodies[joint.bodies[0]].in_world(joint.markers[0]).axes

    def check_axis(self, bodies: Sequence[str], axes: ca.SX) -> None:
        """A ValueError where one of these bodies turns on another, or on one that carries two of them, about an axis
        that is not parallel to z of `axes`: between such shafts no angle is defined."""
        carriers = self._registry.carriers
        for body in bodies:
            for carrier, joint in carriers.get(body, {}).items():
                others = (carriers.get(other, {}) for other in bodies if other != body)
                if carrier not in bodies and not any(carrier in on for on in others):
                    continue
                if (off := tilt(self.place, axes, self.axes(joint))) > PARALLEL:
                    raise ValueError(
                        f"its shafts must turn about one direction, but `{body}` turns on `{carrier}` about an axis at "
                        f"{math.degrees(off):.3g} degrees to {self._direction(axes)}: turn one of them; between "
                        "shafts at an angle take a joint (`universal`, `constant_velocity`) or a bevel mesh"
                    )

    def _direction(self, axes: ca.SX) -> str:
        return "({:.4g}, {:.4g}, {:.4g})".format(*self.place.layout.number(axes[:, 2]).round(9) + 0.0)

    def coaxial(self, bodies: list[str], axis: Any) -> tuple[list[ca.SX], int]:
        """Markers with z along an axis and the index of their relative rotation: the difference of two rotors'
        angles, or 0 at the given position.
        """
        rotors = self._registry.flat.rotors
        if all(body in rotors for body in bodies):
            bearings = [self.joint(rotors[body]) for body in bodies]
            first, *others = (self.axes(bearing) for bearing in bearings)
            given = [("`axis` is", self.place.axes_along(axis))] if axis is not None else []
            self.check_axis(bodies, given[0][1] if given else first)
            for what, axes in (*given, (f"`{bodies[1]}` turns about", others[0])):
                if self.place.layout.number(ca.dot(first[:, 2], axes[:, 2]))[0] < 0:
                    raise ValueError(
                        f"{what} {self._direction(axes)}, against {self._direction(first)} of `{bodies[0]}`: turn one "
                        "round, with the signs of its angles, speeds and torques"
                    )
            markers = [bearing.markers[1] for bearing in bearings]
            return markers, self.turn(bodies, markers, of_rotors=True)
        if axis is None:
            raise ValueError("needs `axis`: only between two rotors does it follow from them")
        axes = self.place.axes_along(axis)
        self.check_axis(bodies, axes)
        placed = self._registry.layout.bodies
        markers = [self.place.world_marker(b, placed[b].frame.position, axes) for b in bodies]
        return markers, self.turn(bodies, markers)
