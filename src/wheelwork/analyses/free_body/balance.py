"""Balances of links, one after the other: what each link still needs is what its unknown edges give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from wheelwork.system.motion import Motion
from wheelwork.system.uses import ConstraintKind
from wheelwork.trains.forces import BalanceStep, ForceEdge, SolutionOrder, Solvability, solution_order
from wheelwork.trains.train import GROUND

from .edges import ActuatorEdge, BalanceEdge, ConstraintEdge, Tangent
from .loads import needed_wrenches

SOUND = 1e-9
"""Singular values of balance equations below this part of the largest count as zero."""
WELL = 1e-6
"""Equations with a larger ratio lose no more than six digits."""
SAMPLES = 25
"""Moments at which that is judged."""

Forces = dict[int, np.ndarray]
"""Tangential forces (N) of meshes by the number of the edge."""


class Balance:
    """Wrenches that the bodies of a motion need, and those of the edges found so far.

    edges: all that transmits unknown forces
    found: unknowns of edges (N, unknowns) by name
    needed: (N, bodies, 6) what the bodies need of the edges that are not found yet
    """

    def __init__(self, motion: Motion, actuators: Sequence[str] = ()) -> None:
        self.motion = motion
        self.edges: dict[str, BalanceEdge] = {}
        for c, use in enumerate(motion.program.constraints):
            if use.kind is ConstraintKind.BILATERAL:
                self.edges[use.name] = ConstraintEdge.of(motion, c)
        for joint in actuators:
            edge = ActuatorEdge.of(motion, joint)
            self.edges[edge.name] = edge
        self.found: dict[str, np.ndarray] = {}
        self.needed, self._largest = needed_wrenches(motion)
        self._keep = list(motion.program.space.velocities)

    def solve(self, link_of: Mapping[str, str], major: Sequence[str] = ()) -> SolutionOrder:
        """Balance all links; edges that are known or inside a link are left alone.

        link_of: link of each body, and of ground
        major: links of the open-loop chain
        """
        names = [*self.motion.program.bodies, GROUND]
        members = _members(link_of, self.motion)
        edges = [
            ForceEdge(name, tuple(link_of[names[body]] for body in edge.bodies), edge.unknowns)
            for name, edge in self.edges.items()
            if name not in self.found
        ]

        def judge(links: tuple[str, ...], cut: Sequence[ForceEdge]) -> Solvability:
            return self._soundness([members[link] for link in links], [edge.name for edge in cut])

        order = solution_order(
            edges, held=link_of[GROUND], major=major, equations=len(self._keep), judge=judge
        )
        for step in order.steps:
            self._solve(step, [members[link] for link in step.links])
        return order

    @property
    def size(self) -> np.ndarray:
        """The largest force or torque of all, at each time."""
        found = [np.abs(values).max(axis=1, initial=0.0) for values in self.found.values()]
        return np.max([self._largest, *found], axis=0)

    def left_over(self, link_of: Mapping[str, str]) -> tuple[list[str], np.ndarray]:
        """Links that move, and what they need besides all that was found (N, links): largest force or torque."""
        members = _members(link_of, self.motion)
        links = [link for link in members if link != link_of[GROUND]]
        needs = [np.abs(self._gathered([members[link]], self.needed)).max(axis=1) for link in links]
        return links, np.array(needs).reshape(len(links), self.motion.count).T

    # -- one step

    def _soundness(self, groups: list[list[int]], names: Sequence[str]) -> Solvability:
        """Whether unknowns follow from the balances of groups of bodies."""
        count = self.motion.count
        moments = np.unique(np.linspace(0, count - 1, SAMPLES).round().astype(int))
        edges = [self.edges[name] for name in names]
        A = self._columns(groups, edges, self._tangents(edges), moments)
        ratio = _conditions(_scaled(A, self._turning(len(groups)))[0])
        if np.all(ratio > WELL):
            return Solvability.ALWAYS
        return Solvability.SOMETIMES if np.any(ratio > WELL) else Solvability.NEVER

    def _solve(self, step: BalanceStep, groups: list[list[int]]) -> None:
        edges = [self.edges[edge.name] for edge in step.solves]
        if not edges:
            return
        first = np.cumsum([0, *(edge.unknowns for edge in edges)])
        forces: Forces = {
            k: np.ones(self.motion.count) for k, edge in enumerate(edges) if edge.mesh is not None
        }
        # What pushes wheels apart is made of straight pieces: they are tried until each is where it was taken to be.
        x, tangents = self._solved(groups, edges, forces)
        for _ in range(2 * len(edges) + 1):
            found = {k: x[:, first[k]] for k in forces}
            wrong = self._elsewhere(edges, tangents, found)
            if not wrong.any():
                break
            forces = {k: np.where(wrong, found[k], forces[k]) for k in forces}
            x, tangents = self._solved(groups, edges, forces)
        x[self._elsewhere(edges, tangents, {k: x[:, first[k]] for k in forces})] = np.nan  # none fits
        for k, (edge, at) in enumerate(zip(edges, tangents, strict=True)):
            values = x[:, first[k] : first[k + 1]]
            self.found[edge.name] = values
            self._take(self.needed, edge, at)
            for body, columns in edge.columns(at):
                if body >= 0:
                    self.needed[:, body] -= np.einsum("ncu,nu->nc", columns, values)

    def _solved(
        self, groups: list[list[int]], edges: Sequence[BalanceEdge], forces: Forces
    ) -> tuple[np.ndarray, list[Tangent | None]]:
        """Unknowns (N, unknowns) where separating forces are the tangents at given tangential forces, and these."""
        tangents = self._tangents(edges, forces)
        needed = self.needed.copy()
        for edge, at in zip(edges, tangents, strict=True):
            self._take(needed, edge, at)
        A = self._columns(groups, edges, tangents, slice(None))
        # Chen (18), (19): sum F_e = m a - F, sum (r_e x F_e + T_e) = J alpha + w x J w - T
        return _least(A, self._gathered(groups, needed), self._turning(len(groups))), tangents

    def _tangents(self, edges: Sequence[BalanceEdge], forces: Forces | None = None) -> list[Tangent | None]:
        """Of the separating forces of meshes, at tangential forces of the edges by number; at 1 N without any."""
        one = np.ones(self.motion.count)
        return [
            None if edge.mesh is None else edge.mesh.tangent(one if forces is None else forces[k])
            for k, edge in enumerate(edges)
        ]

    def _elsewhere(
        self, edges: Sequence[BalanceEdge], tangents: Sequence[Tangent | None], found: Forces
    ) -> np.ndarray:
        """(N) where a separating force is not what its tangent says of the tangential force found."""
        wrong = np.zeros(self.motion.count, dtype=bool)
        for k, force in found.items():
            mesh, at = edges[k].mesh, tangents[k]
            assert mesh is not None
            assert at is not None
            true = mesh.wrenches(force)
            off = np.abs(true - at.offset - at.slope * force[:, None]).max(axis=(0, 2))
            wrong |= off > 1e-11 * (np.abs(true).max(axis=(0, 2)) + self._largest)
        return wrong

    def _take(self, needed: np.ndarray, edge: BalanceEdge, at: Tangent | None) -> None:
        """Leave out the part of a separating force that is not proportional to the tangential one."""
        if at is not None:
            for body, offset in zip(edge.bodies, at.offset, strict=True):
                if body >= 0:
                    needed[:, body] -= offset

    def _turning(self, groups: int) -> np.ndarray:
        return np.tile(np.array(self._keep) >= 3, groups)

    def _columns(
        self,
        groups: list[list[int]],
        edges: Sequence[BalanceEdge],
        tangents: Sequence[Tangent | None],
        moments: Any,
    ) -> np.ndarray:
        """(moments, equations, unknowns): wrenches on groups of bodies for unit unknowns."""
        x = self.motion.x[moments]
        first = np.cumsum([0, *(edge.unknowns for edge in edges)])
        out = np.zeros((len(x), len(groups), 6, first[-1]))
        for k, edge in enumerate(edges):
            for body, columns in edge.columns(tangents[k], moments):
                for g, bodies in enumerate(groups):
                    if body in bodies:
                        arm = (x[:, body] - x[:, bodies[0]])[:, :, None]
                        place = out[:, g, :, first[k] : first[k + 1]]
                        place[:, :3] += columns[:, :3]
                        place[:, 3:] += columns[:, 3:] + np.cross(arm, columns[:, :3], axis=1)
        return out[:, :, self._keep].reshape(len(x), -1, first[-1])

    def _gathered(self, groups: Iterable[list[int]], wrenches: np.ndarray) -> np.ndarray:
        """Wrenches on bodies (N, bodies, 6) brought together at one point of each group: (N, equations)."""
        parts = []
        x = self.motion.x
        for bodies in groups:
            here = wrenches[:, bodies]
            arm = x[:, bodies] - x[:, bodies[:1]]
            moment = here[..., 3:] + np.cross(arm, here[..., :3])
            parts.append(np.concatenate([here[..., :3], moment], axis=-1).sum(axis=1)[:, self._keep])
        return np.concatenate(parts, axis=-1)


def _members(link_of: Mapping[str, str], motion: Motion) -> dict[str, list[int]]:
    out: dict[str, list[int]] = {}
    for k, name in enumerate(motion.program.bodies):
        out.setdefault(link_of[name], []).append(k)
    return out


def _scaled(A: np.ndarray, turning: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Equations and unknowns brought to one size: A = rows[:, None] scaled columns[None, :].

    turning: which of the equations are moments; these are taken in units of the longest arm of a force
    """
    force, moment = (np.linalg.norm(A[:, which], axis=1) for which in (~turning, turning))
    with np.errstate(divide="ignore", invalid="ignore"):
        arm = np.where(force > 1e-9 * moment, moment / force, 0.0).max(axis=1)
    rows = np.where(turning, np.where(arm > 0, arm, 1.0)[:, None], 1.0)
    A = A / rows[:, :, None]
    columns = np.linalg.norm(A, axis=1)
    columns = np.where(columns > 0, columns, 1.0)
    return A / columns[:, None, :], rows, columns


def _conditions(A: np.ndarray) -> np.ndarray:
    """Smallest singular value beside the largest, of each matrix."""
    values = np.linalg.svd(A, compute_uv=False)
    return values[:, -1] / np.maximum(values[:, 0], 1e-300)


def _least(A: np.ndarray, b: np.ndarray, turning: np.ndarray) -> np.ndarray:
    """Solutions of A x = b at all moments, refined once; least squares where equations are left over; nan where
    unknowns do not follow."""
    scaled, rows, columns = _scaled(A, turning)
    inverse = np.linalg.pinv(scaled, rcond=SOUND)

    def solved(right: np.ndarray) -> np.ndarray:
        return (inverse @ (right / rows)[:, :, None])[:, :, 0] / columns

    x = solved(b)
    x = x + solved(b - (A @ x[:, :, None])[:, :, 0])
    x[_conditions(scaled) <= SOUND] = np.nan
    return x
