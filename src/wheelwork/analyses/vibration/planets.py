"""Planetary stages and the kinds of their modes.

A stage with N equal planets at equal angles stays the same when it is turned by 2 pi/N about its axis, so each of its
modes belongs to one harmonic h of that turn (C. Lin and R. G. Parker 1999 for the plane; here in space as well):

    rotational     h = 0: central members turn about the axis (or move along it), all planets move alike
    translational  h = 1: central members move across the axis (or tilt), in pairs of equal frequency
    planet         the others: only planets move; N - 3 of each, for N > 3

How a mode is shared between the kinds is measured by kinetic energy. The motion of planet i, in axes that are turned
with it and times the root of its mass and inertia, is u_i; its part in harmonic h is U_h = sum_i u_i exp(-2 pi j h i/N)
/sqrt(N), and the |U_h|^2 add up to the energy of all planets. So unequal stages too
get a sensible answer: `mixed`, with shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wheelwork.description import ModelError
from wheelwork.problems import did_you_mean
from wheelwork.system.attitude import about

from ..assemble import Assembled

PURE = 0.99
"""Share of the kinetic energy from which on a mode counts as being of one kind."""
KINDS = ("rotational", "translational", "planet")


@dataclass(frozen=True)
class Stage:
    """Planets in the order in which they go round the axis, and the members that share that axis."""

    planets: tuple[int, ...]
    central: tuple[int, ...]
    center: np.ndarray
    axis: np.ndarray
    angles: np.ndarray
    """Of the planets about the axis, rad."""

    @property
    def regular(self) -> bool:
        """Whether planets stand at equal angles."""
        gaps = np.diff(np.append(self.angles, self.angles[0] + 2 * np.pi))
        return bool(np.allclose(gaps, 2 * np.pi / len(self.planets), atol=1e-6))


def stages(at: Assembled, planets: Sequence[str] | None) -> list[Stage]:
    """The stages of a mechanism: of the bodies named as planets, or found from the meshes where None."""
    program = at.prepared.program
    if planets is None:
        groups = _groups(at)
    else:
        unknown = [name for name in planets if name not in program.bodies]
        if unknown:
            hint = did_you_mean(unknown[0], program.bodies)
            raise ModelError(f"there is no body `{unknown[0]}`", path="planets", hint=hint)
        groups = [[program.bodies.index(name) for name in planets]] if planets else []
    found = [_stage(at, group) for group in groups if len(group) > 1]
    return [stage for stage in found if stage is not None]


def _groups(at: Assembled) -> list[list[int]]:
    """Bodies that mesh with the same two or more others: one group for each set of those."""
    program = at.prepared.program
    partners: dict[str, set[str]] = {}
    for placed in at.prepared.flat.meshes.values():
        a, b = placed.element.bodies
        partners.setdefault(a, set()).add(b)
        partners.setdefault(b, set()).add(a)
    groups: dict[frozenset[str], list[int]] = {}
    for name, others in partners.items():
        if name in program.bodies and len(others) > 1:
            groups.setdefault(frozenset(others), []).append(program.bodies.index(name))

    return [
        sorted(members)
        for others, members in groups.items()
        if len(members) > 1 and not any(program.bodies[body] in others for body in members)
    ]


def _stage(at: Assembled, planets: list[int]) -> Stage | None:
    """The circle through the planets, and who else is on its axis; None where they are on no common circle."""
    program, motion = at.prepared.program, at.motion
    places = motion.x[0]
    here = places[planets]
    center = here.mean(axis=0)
    if program.space.V == 3:
        axis = np.array([0.0, 0.0, 1.0])
    elif len(planets) > 2:
        axis = np.linalg.svd(here - center)[2][2]
    else:
        return None
    if np.dot(axis, np.ones(3)) < 0:
        axis = -axis
    # any three points lie on a circle; the centre of it is where all distances are equal
    arms = here - center
    size = float(np.linalg.norm(arms, axis=1).max())
    if len(planets) > 2:
        flat = np.column_stack([2 * arms, np.zeros(len(arms))])
        flat[:, 3] = 1.0
        solution = np.linalg.lstsq(flat, np.sum(arms**2, axis=1), rcond=1e-9)[0]
        shift = solution[:3] - np.dot(solution[:3], axis) * axis
        center, arms = center + shift, arms - shift
    radii = np.linalg.norm(arms, axis=1)
    # sun and ring mesh with the same wheels as well, but on one axis
    if np.ptp(radii) > 1e-3 * size or size < 1e-6 * np.ptp(places, axis=0).max():
        return None
    across = arms[0] / radii[0]
    angles = np.arctan2(arms @ np.cross(axis, across), arms @ across) % (2 * np.pi)
    order = np.argsort(angles)
    away = places - center
    off = np.linalg.norm(away - np.outer(away @ axis, axis), axis=1)
    central = tuple(k for k in range(len(program.bodies)) if off[k] < 1e-3 * size and k not in planets)
    return Stage(tuple(planets[k] for k in order), central, center, axis, angles[order])


def shares(stage: Stage, shape: np.ndarray, mass: np.ndarray, inertia: np.ndarray) -> dict[str, float]:
    """Kinetic energy of a mode by kind, as parts of the whole; what other bodies have is in none.

    shape (bodies, 6): motion of each body; mass (bodies); inertia (bodies, 3, 3) in world axes.
    """
    total = _energy(shape, mass, inertia)
    along = np.outer(stage.axis, stage.axis)
    out = dict.fromkeys(KINDS, 0.0)
    for k in stage.central:
        part = np.concatenate([along @ shape[k, :3], along @ shape[k, 3:]])
        around = _energy(part[None], mass[[k]], inertia[[k]])
        out["rotational"] += around
        out["translational"] += _energy((shape[k] - part)[None], mass[[k]], inertia[[k]])
    n = len(stage.planets)
    turned = np.zeros((n, 6), complex)
    for i, (body, angle) in enumerate(zip(stage.planets, stage.angles, strict=True)):
        R = about(stage.axis, -angle)
        values, axes = np.linalg.eigh(R @ inertia[body] @ R.T)
        root = (axes * np.sqrt(values)) @ axes.T
        turned[i] = np.concatenate(
            [np.sqrt(mass[body]) * (R @ shape[body, :3]), root @ (R @ shape[body, 3:])]
        )
    steps = np.arange(n)
    for h in range(n):
        part = np.exp(-2j * np.pi * h * steps / n) @ turned / np.sqrt(n)
        kind = KINDS[0] if h == 0 else KINDS[1] if h in (1, n - 1) else KINDS[2]
        out[kind] += float(np.sum(np.abs(part) ** 2))
    return {kind: value / total for kind, value in out.items()}


def kind_of(found: dict[str, float]) -> str:
    """The kind that has nearly all of the energy; `mixed` where none has, empty where the stage is at rest."""
    if sum(found.values()) < 1 - PURE:
        return ""
    best = max(found, key=lambda kind: found[kind])
    return best if found[best] >= PURE else "mixed"


def _energy(shape: np.ndarray, mass: np.ndarray, inertia: np.ndarray) -> float:
    """Sum of m |v|^2 + w* J w."""
    moving = np.sum(mass * np.sum(np.abs(shape[:, :3]) ** 2, axis=1))
    turning = np.einsum("ki,kij,kj->", shape[:, 3:].conj(), inertia, shape[:, 3:])
    return float(moving + np.real(turning))
