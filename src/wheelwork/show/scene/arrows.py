"""Forces as arrows over time: those of joints and elastic bearings on body b at their points, those of teeth on wheel b
where they touch.

Tooth forces are those without friction, as the signals `force.tangential` and `force.radial`; wheels that do not touch,
as those of belts and chains, have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from wheelwork.system.motion import Motion
from wheelwork.system.signal_values import reaction


@dataclass(frozen=True)
class Arrows:
    """names, kinds (K): of joints, bearings too, and meshes; points [m], vectors [N]: (frames, K, 3), in the world."""

    names: list[str]
    kinds: list[Literal["joint", "mesh"]]
    points: np.ndarray
    vectors: np.ndarray

    @property
    def largest(self) -> float:
        """Size of the largest force at any time [N]; 0 where there is none."""
        size = np.linalg.norm(self.vectors, axis=2)
        return float(np.max(size[np.isfinite(size)], initial=0.0))

    def scale(self, length: float) -> float:
        """Metres for each newton that make the largest arrow this long [m]."""
        return length / self.largest if self.largest > 0 else 0.0


def arrows(result: Any) -> Arrows:
    """Forces of all joints, bearings and gear meshes of a result (or its motion), at each of its times."""
    motion: Motion = getattr(result, "motion", result)
    found: list[tuple[str, Literal["joint", "mesh"], np.ndarray, np.ndarray]] = []
    for name, view in motion.program.joints.items():
        use = motion.program.constraints[view.constraint]
        point = _point(motion, use.b, use.data + 12)
        found.append((name, "joint", point, reaction(motion, view.constraint)[0]))
    for k, use in enumerate(motion.program.forces):
        if getattr(use.kernel.equations, "is_bearing", False):
            found.append((use.name, "joint", _point(motion, use.bodies[1], use.data + 12), _on_b(motion, k)))
    for place in (*_rigid(motion), *_compliant(motion)):
        found.append((place[0], "mesh", place[1], place[2]))
    shape = (motion.count, 0, 3)
    return Arrows(
        [name for name, *_ in found],
        [kind for _, kind, *_ in found],
        np.stack([point for *_, point, _ in found], axis=1) if found else np.zeros(shape),
        np.stack([vector for *_, vector in found], axis=1) if found else np.zeros(shape),
    )


def _point(motion: Motion, body: int, data: int) -> np.ndarray:
    """Where a marker is over time (N, 3)."""
    frame = motion.frames[:, body]
    return frame[:, :3] + frame[:, 3:12].reshape(-1, 3, 3) @ motion.numbers.data[data : data + 3]


def _rigid(motion: Motion) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    for use in motion.program.meshes:
        if not use.geometry.mesh.wheels_touch:
            continue
        a, b, data, *_ = motion.constraint_arguments(use.constraint)
        force = motion.multipliers[:, motion.program.constraints[use.constraint].first_row]
        both = motion.evaluate(use.kernel.tooth_force, [a, b, data, force[None, :]])[0].T
        yield (use.name, both[:, :3], both[:, 3:])


def _on_b(motion: Motion, index: int) -> np.ndarray:
    """Force on the second body of a force element over time (N, 3)."""
    use, space = motion.program.forces[index], motion.program.space
    wrench = motion.evaluate(use.kernel.wrench, motion.force_arguments(index))[0]
    return space.raised(wrench[space.V : 2 * space.V].T)[:, :3]


def _compliant(motion: Motion) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Teeth that are forces: the wrench on wheel b, drawn at the pitch point."""
    out, meshes = [], motion.program.flat.meshes
    for k, use in enumerate(motion.program.forces):
        mesh = meshes[use.name].element if use.name in meshes else None
        if mesh is None or not mesh.wheels_touch:
            continue
        force = _on_b(motion, k)
        r_a, r_b = motion.numbers.data[use.data + 24 : use.data + 26]
        p_a, p_b = (_point(motion, body, use.data + 12 * side) for side, body in enumerate(use.bodies[:2]))
        if mesh.b_is_rack:
            y = motion.numbers.data[use.data + 15 : use.data + 24].reshape(3, 3)[:, 1]
            point = p_a - r_a * (motion.frames[:, use.bodies[1], 3:12].reshape(-1, 3, 3) @ y)
        else:
            point = p_a + (p_b - p_a) * (r_a / (r_a + (-r_b if mesh.b_is_ring else r_b)))
        out.append((use.name, point, force))
    return out
