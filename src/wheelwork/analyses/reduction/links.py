"""Links: bodies that are rigid with each other, and the chains of joints between them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field
from typing import NamedTuple

import numpy as np

from wheelwork.lazy import dataclass
from wheelwork.system.matrices import null_space
from wheelwork.system.program import Program
from wheelwork.system.space import PLANAR

from .joints import Step, step_of_twist, steps_of

GROUND = -1


@dataclass
class JointLinks:
    """Bodies sorted into links. `of[body]` is the link of a body; link -1 is ground with all that is fixed to it."""

    of: list[int]

    @property
    def members(self) -> dict[int, list[int]]:
        out: dict[int, list[int]] = {}
        for body, link in enumerate(self.of):
            out.setdefault(link, []).append(body)
        return out

    def link(self, body: int) -> int:
        return GROUND if body < 0 else self.of[body]

    def merge(self, a: int, b: int) -> None:
        keep, gone = min(a, b), max(a, b)
        self.of = [keep if link == gone else link for link in self.of]


@dataclass
class Edge:
    """All joints between two links, and what they let free from the first to the second."""

    links: tuple[int, int]
    joints: list[str] = field(default_factory=list)
    steps: list[Step] | None = None

    def steps_from(self, link: int) -> list[Step]:
        """The steps in the order and sense in which they lead away from a link."""
        assert self.steps is not None
        if link == self.links[0]:
            return self.steps
        return [step.reversed() for step in reversed(self.steps)]


def in_space(program: Program, G: np.ndarray) -> np.ndarray:
    """Jacobian rows of the bodies of each constraint, (rows, 6 for each), linear and angular, from V for each."""
    V = program.space.V
    raised = (program.space.raised(G[:, k : k + V]) for k in range(0, G.shape[1], V))
    return np.hstack([np.zeros((len(G), 0)), *raised])


def on_coordinates(program: Program, G: np.ndarray, J: np.ndarray) -> np.ndarray:
    """(rows, coordinates) from rows in space and the bodies' velocities by coordinates, J (bodies, 6, coordinates).

    Constraint by constraint: as one matrix on all bodies, G would be far larger than what it does.
    """
    out = np.zeros((len(G), J.shape[2]))
    for use in program.constraints:
        rows = slice(use.first_row, use.first_row + use.rows)
        for body, block in use.blocks(G, 6):
            if body >= 0:
                out[rows] += block @ J[body]
    return out


def find_links(
    program: Program,
    data: np.ndarray,
    x: np.ndarray,
    R: np.ndarray,
    G: np.ndarray,
    size: float,
    apart: Collection[str] = (),
) -> tuple[JointLinks, list[Edge]]:
    """Links and the edges between them; joints that together leave nothing free make one link of two.

    Joints that together leave one freedom are taken as one turn, slide or screw about the axis that this freedom has
    now, which need not be its axis elsewhere (a ball joint and two rods); `apart` names joints found to be such.
    """
    at = _Position(program, data, x, R, G, size)
    links = JointLinks(list(range(len(program.bodies))))
    curved = {follow.constraint for follow in program.follows}  # leave other motions free elsewhere
    while True:
        edges: dict[tuple[int, int], Edge] = {}
        for name, view in program.joints.items():
            use = program.constraints[view.constraint]
            if view.constraint in curved or not use.holonomic:
                continue
            pair = (links.link(use.a), links.link(use.b))
            if pair[0] == pair[1]:
                continue
            key = (min(pair), max(pair))
            edges.setdefault(key, Edge(key)).joints.append(name)
        rigid = None
        for edge in edges.values():
            edge.steps = _free(at, links, edge, apart)
            if edge.steps == []:
                rigid = edge
                break
        if rigid is None:
            return links, list(edges.values())
        links.merge(*rigid.links)


class _Position(NamedTuple):
    """Where the links are sought: numbers, places and rows of a program there; size [m] of the mechanism."""

    program: Program
    data: np.ndarray
    x: np.ndarray
    R: np.ndarray
    G: np.ndarray
    size: float


def _free(at: _Position, links: JointLinks, edge: Edge, apart: Collection[str]) -> list[Step] | None:
    if len(edge.joints) == 1:
        return _oriented(at, links, edge, edge.joints[0])
    program, size = at.program, at.size
    rows = np.concatenate([_twist_rows(at, links, edge, name) for name in edge.joints])
    if program.space is PLANAR:  # nothing leaves the plane
        rows = np.vstack([rows, np.eye(6)[2:5]])
    rows[:, 3:] /= size
    free = null_space(rows).T
    if len(free) == 0:
        return []
    if len(free) == 1 and not any(name in apart for name in edge.joints):
        twist = np.concatenate([free[0, :3], free[0, 3:] / size])
        return step_of_twist(twist, size, edge.joints[0])
    # those of the joint that says most; the others are checked to say nothing new
    ranked = sorted(edge.joints, key=lambda name: -program.constraints[program.joints[name].constraint].rows)
    for name in ranked:
        steps = _oriented(at, links, edge, name)
        if steps is not None:
            return steps
    return None


def _oriented(at: _Position, links: JointLinks, edge: Edge, joint: str) -> list[Step] | None:
    """Steps of a joint from the edge's first link to its second."""
    program = at.program
    steps = steps_of(program, at.data, at.x, at.R, joint)
    use = program.constraints[program.joints[joint].constraint]
    if steps is None or links.link(use.a) == edge.links[0]:
        return steps
    return [step.reversed() for step in reversed(steps)]


def _twist_rows(at: _Position, links: JointLinks, edge: Edge, joint: str) -> np.ndarray:
    """Rows of a joint on the twist of the second link against the first (velocity at the world's origin, angular)."""
    use = at.program.constraints[at.program.joints[joint].constraint]
    of_a, of_b = use.blocks(at.G, 6)
    body, block = of_b if links.link(use.b) == edge.links[1] else of_a
    place = np.zeros(3) if body < 0 else at.x[body]
    return np.hstack([block[:, :3], np.cross(place, block[:, :3]) + block[:, 3:]])


def needs_constraints(program: Program) -> str:
    """Why a program cannot do without constraints on its coordinates; empty if nothing speaks against it."""
    if program.driver_constraints:
        return f"driver `{next(iter(program.driver_constraints))}` prescribes a motion"
    if program.frictions:
        return f"dry friction `{program.frictions[0].name}` may stick"
    if program.contacts:
        return f"contact `{program.contacts[0].name}` closes and opens"
    speeds = next((use for use in program.constraints if not use.holonomic), None)
    if speeds is not None:
        return f"{speeds.label} constrains speeds, not positions"
    if program.follows:
        return f"{program.constraints[program.follows[0].constraint].label} follows a curve"
    return ""
