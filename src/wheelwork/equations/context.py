"""What an element may ask about the rest of the mechanism while it is bound: joints, rotors, relative rotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

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

    def coaxial(self, bodies: list[str], axis: Any) -> tuple[list[ca.SX], int]:
        """Markers with z along an axis and the index of their relative rotation: the difference of two rotors'
        angles, or 0 at the given position.
        """
        rotors = self._registry.flat.rotors
        if all(body in rotors for body in bodies):
            markers = [self.joint(rotors[body]).markers[1] for body in bodies]
            return markers, self.turn(bodies, markers, of_rotors=True)
        if axis is None:
            raise ValueError("needs `axis`: only between two rotors does it follow from them")
        axes = self.place.axes_along(axis)
        placed = self._registry.layout.bodies
        markers = [self.place.world_marker(b, placed[b].frame.position, axes) for b in bodies]
        return markers, self.turn(bodies, markers)
