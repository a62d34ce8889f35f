"""The parts of a picture, as plain data: what is drawn, in which colour, fixed to which body, and where bodies are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from .solids import Solid, axes_along

GROUND = -1
COLORS = ["#2563b8", "#d9622b", "#26936a", "#8f4cc0", "#c02f50", "#0f8fa8", "#9a7512", "#6b7280"]
"""Of bodies, by index, over and over."""
STEEL = "#6d747e"
"""Of joints, and of what is fixed to the ground."""

PartKind = Literal["body", "link", "joint", "wheel", "rotor"]


@dataclass(frozen=True)
class ScenePart:
    """A solid fixed to a body.

    body: index, -1 for ground
    solid: corners about the body's centre of mass, in body axes; in the world for ground
    kind: `body` its shape, `link` a bar from it to a joint, `joint` a symbol, `wheel` with teeth, `rotor` a disc
    name: of the body, or of the joint; of a wheel the body and its teeth
    paint: a colour of its own; else it has that of the body
    """

    body: int
    solid: Solid
    kind: PartKind = "body"
    name: str = ""
    paint: str = ""

    @property
    def symbol(self) -> bool:
        """Whether it stands for a joint."""
        return self.kind == "joint"

    @property
    def color(self) -> str:
        """`#rrggbb`"""
        if self.paint:
            return self.paint
        return STEEL if self.symbol or self.body == GROUND else COLORS[self.body % len(COLORS)]


@dataclass(frozen=True)
class Line:
    """A rod or spring between points of two bodies, or a strand of a belt between two points of one (kind `belt`)."""

    kind: str
    ends: tuple[tuple[int, np.ndarray], tuple[int, np.ndarray]]


@dataclass(frozen=True)
class Label:
    """Where a joint or mesh is: to be written beside it, with its axis.

    kind: `joint` or `mesh`; type: of the description
    body: index of the body that point and axis are fixed to, -1 for ground
    point: about its centre of mass [m]; axis: direction, length 1, or None where it has none
    """

    name: str
    kind: Literal["joint", "mesh"]
    type: str
    body: int
    point: np.ndarray
    axis: np.ndarray | None


@dataclass
class Scene:
    """Parts and lines, and where the bodies are at each moment.

    position: (frames, bodies, 3); orientation: (frames, bodies, 4), Euler parameters
    labels: joints and meshes by name; notes: what the picture leaves out or assumes, in sentences
    up: direction against gravity; center and radius: a ball around everything; floor: height along `up`
    """

    names: list[str]
    t: np.ndarray
    position: np.ndarray
    orientation: np.ndarray
    parts: list[ScenePart] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    up: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    center: np.ndarray = field(default_factory=lambda: np.zeros(3))
    radius: float = 1.0
    floor: float = 0.0
    planar: bool = False
    movers: int = 0
    """How many of the last names are not bodies, but parts that move by themselves: links of a chain, elastic teeth."""

    def add_movers(self, names: list[str], position: np.ndarray, orientation: np.ndarray) -> int:
        """position: (frames, parts, 3); orientation: (frames, parts, 4). Returns the index of the first."""
        first = len(self.names)
        self.names = [*self.names, *names]
        self.position = np.concatenate([self.position, position], axis=1)
        self.orientation = np.concatenate([self.orientation, orientation], axis=1)
        self.movers += len(names)
        return first

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies alone."""
        return self.names[: len(self.names) - self.movers]

    @property
    def view(self) -> tuple[float, float]:
        """Yaw and pitch [rad] at first: from the side and above; on a plane from its front, slightly turned."""
        if not self.planar:
            return -1.05, 0.36
        front = upright(self.up) @ np.array([0.0, 0.0, 1.0])
        return float(np.arctan2(front[1], front[0])) + 0.18, 0.12


def upright(up: np.ndarray) -> np.ndarray:
    """Rotation (rows) from the world to axes whose z is up; none where z is up already."""
    if up[2] > 0.999:
        return np.eye(3)
    return axes_along(up).T
