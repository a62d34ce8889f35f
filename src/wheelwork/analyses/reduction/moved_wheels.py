"""Meshes whose teeth move their wheels apart, or whose belt draws its pulleys together.

The separating force of a mesh is not part of its no-slip row. Where the wheels' axes are held it does no work, and
minimal coordinates need not know of it. Where a wheel may move aside (on a slide, a cylindrical joint, a bushing, a
swinging arm) it does work w.J B on the coordinates, and as it follows the tooth force, the mesh must have a multiplier.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from wheelwork.engine.engine import Engine
from wheelwork.system.matrices import null_space
from wheelwork.system.motion import Motion, evaluate
from wheelwork.system.program import Program
from wheelwork.system.uses import MeshUse

HOLDS = 1e-7
"""Work of a separating force over what it would do in the direction of the motion, at which it counts as none."""


def mesh_that_moves_wheels(
    engine: Engine, t: float, state: np.ndarray, motions: np.ndarray, size: float, known: Collection[int]
) -> int | None:
    """The constraint of a mesh whose separating force does work, those in `known` left out.

    motions: (bodies, 6, coordinates), velocities of the bodies by the coordinates at `state`
    """
    meshes = [mesh for mesh in engine.program.meshes if mesh.constraint not in known]
    wrenches, speeds = (
        _wrenches(Motion.at_moment(engine.program, engine.numbers, t, state), meshes),
        _speeds(motions, size),
    )
    for mesh in meshes:
        if _does_work(engine.program, mesh, wrenches[mesh.constraint], motions, speeds):
            return mesh.constraint
    return None


def undetermined_mesh(
    engine: Engine, t: float, state: np.ndarray, motions: np.ndarray, size: float, rows: dict[int, np.ndarray]
) -> int | None:
    """The constraint of a mesh that moves its wheels with a tooth force that rigid bodies leave open.

    rows: of each cut constraint on the coordinates (rows, coordinates); those of the meshes among them are looked at
    """
    together = np.vstack([np.zeros((0, motions.shape[2])), *rows.values()])
    free = null_space(together)
    for mesh in engine.program.meshes:
        if mesh.constraint not in rows:
            continue
        others = [own if c != mesh.constraint else own[1:] for c, own in rows.items()]
        beside = np.vstack([np.zeros((0, motions.shape[2])), *others])
        shared = null_space(beside).shape[1] == free.shape[1]
        if not shared:
            continue
        left = motions @ free
        wrenches = _wrenches(Motion.at_moment(engine.program, engine.numbers, t, state), [mesh])[
            mesh.constraint
        ]
        if _does_work(engine.program, mesh, wrenches, left, _speeds(left, size)):
            return mesh.constraint
    return None


def _speeds(motions: np.ndarray, size: float) -> np.ndarray:
    """How fast something as far from a body's centre as the mechanism is large moves, (bodies, coordinates)."""
    return np.linalg.norm(motions[:, :3], axis=1) + size * np.linalg.norm(motions[:, 3:], axis=1)


def _wrenches(motion: Motion, meshes: Sequence[MeshUse]) -> dict[int, np.ndarray]:
    """What a tooth force of 1 N separates both wheels with, (2, 6), by constraint; meshes of one kind in one call."""
    program, found = motion.program, {}
    alike: dict[int, list[MeshUse]] = {}
    for mesh in meshes:
        alike.setdefault(id(mesh.kernel.separating), []).append(mesh)
    for group in alike.values():
        given = [motion.constraint_arguments(mesh.constraint)[:3] for mesh in group]
        columns = [np.hstack(parts) for parts in zip(*given, strict=True)]
        wrenches = evaluate(group[0].kernel.separating, [*columns, np.ones((1, len(group)))])[0]
        for mesh, own in zip(group, wrenches.T, strict=True):
            found[mesh.constraint] = program.space.raised(own.reshape(2, program.space.V))
    return found


def _does_work(
    program: Program, mesh: MeshUse, wrenches: np.ndarray, motions: np.ndarray, speeds: np.ndarray
) -> bool:
    use = program.constraints[mesh.constraint]
    work, most = np.zeros(motions.shape[2]), np.zeros(motions.shape[2])
    for body, wrench in zip((use.a, use.b), wrenches, strict=True):
        if body >= 0:
            work += wrench @ motions[body]
            most += np.linalg.norm(wrench[:3]) * speeds[body]
    return bool(np.any(np.abs(work) > HOLDS * most))
