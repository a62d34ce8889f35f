"""Powers that the elements of a mechanism give to its bodies.

    force             P = f . v + t . w for each of its bodies, wrench (f, t) about the centre of mass
    joint, mesh       the same with the wrench -G^T lambda; together nothing, as one body gets what the other gives
    teeth, belts      the same with what pushes wheels apart or draws pulleys together besides; together nothing where
                      the axes are held, and work where they can move
    driver            P = -lambda nu over both bodies, nu the prescribed rate
    dry friction      P = F s' over both bodies, s' the rate of the coordinate along which it rubs

With the potential energies V of gravity and of the forces (springs, compliant teeth) the energy E = T + V changes by

    dE/dt = sum over forces (P + dV/dt) + drivers + friction + teeth,   less what impacts take away.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .motion import Motion
from .signal_values import driver_power, force_signals, jacobian
from .uses import ConstraintKind, MeshUse

HELD = 1e-10
"""Power of what separates two wheels over what their teeth carry, up to which their axes count as held."""
Parts = dict[str, list[tuple[int, np.ndarray]]]
"""By element: body (index, -1 for ground) and power over time [W]."""


def to_bodies(m: Motion) -> Parts:
    """What each element gives to each of its bodies."""
    out: dict[str, dict[int, np.ndarray]] = {}
    for parts in (_of_constraints(m), _of_separation(m, m.program.meshes), _of_forces(m), _of_friction(m)):
        for name, own in parts.items():
            given = out.setdefault(name, {})
            for body, power in own:
                given[body] = given[body] + power if body in given else power
    return {name: list(given.items()) for name, given in out.items()}


def from_outside(m: Motion) -> dict[str, np.ndarray]:
    """What forces, drivers, friction and rigid meshes of wheels that can move apart give to all bodies together [W]."""
    out = {name: driver_power(m, c) for name, c in m.program.driver_constraints.items()}
    apart = [mesh for mesh in m.program.meshes if _moves_wheels(m, mesh)]
    for parts in (_of_separation(m, apart), _of_forces(m), _of_friction(m)):
        for name, own in parts.items():
            out[name] = sum((power for _, power in own), out.get(name, np.zeros(m.count)))
    return out


def potentials(m: Motion) -> dict[str, np.ndarray]:
    """Potential energy that each force holds [J]."""
    return {use.name: force_signals(m, k)[0] for k, use in enumerate(m.program.forces)}


def _power(m: Motion, body: int, wrench: np.ndarray) -> np.ndarray:
    """Of a wrench (V, N) on a body."""
    return np.einsum("cn,nc->n", wrench, m.records[:, body, m.program.space.twist :])


def _of_constraints(m: Motion) -> Parts:
    out: Parts = {}
    for k, use in enumerate(m.program.constraints):
        if use.kind is ConstraintKind.BILATERAL:
            multipliers = m.multipliers[:, use.first_row : use.first_row + use.rows]
            out.setdefault(use.name, []).extend(
                (body, _power(m, body, -np.einsum("rcn,nr->cn", G[: use.rows], multipliers)))
                for body, G in use.by_body(jacobian(m, k))
            )
    return out


def _of_separation(m: Motion, meshes: Sequence[MeshUse]) -> Parts:
    out: Parts = {}
    for mesh in meshes:
        use = m.program.constraints[mesh.constraint]
        wrenches = _separating(m, mesh, m.multipliers[None, :, use.first_row])
        out[use.name] = [(body, _power(m, body, wrench)) for body, wrench in wrenches]
    return out


def _separating(m: Motion, mesh: MeshUse, force: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """By wheel, the wrench that separates them where the tooth force is `force` (1, N)."""
    use, V = m.program.constraints[mesh.constraint], m.program.space.V
    wrench = m.evaluate(mesh.kernel.separating, [*m.constraint_arguments(mesh.constraint)[:3], force])[0]
    return [(use.a, wrench[:V]), (use.b, wrench[V:])]


def _moves_wheels(m: Motion, mesh: MeshUse) -> bool:
    """Whether what separates the wheels does work, beside what the teeth carry, at 1 N either way.

    Where the axes are held it does none, and tooth forces, for which reactions have to be solved, do not matter.
    """
    sides = m.program.constraints[mesh.constraint].by_body(jacobian(m, mesh.constraint))
    carried = max(float(np.max(np.abs(_power(m, body, G[0])))) for body, G in sides)
    for force in (-1.0, 1.0):
        wrenches = _separating(m, mesh, np.full((1, m.count), force))
        power = np.sum([_power(m, body, wrench) for body, wrench in wrenches], axis=0)
        if np.max(np.abs(power)) > HELD * carried:
            return True
    return False


def _of_forces(m: Motion) -> Parts:
    out: Parts = {}
    V = m.program.space.V
    for k, use in enumerate(m.program.forces):
        wrench = m.evaluate(use.kernel.wrench, m.force_arguments(k))[0]
        out.setdefault(use.name, []).extend(
            (body, _power(m, body, wrench[V * i : V * (i + 1)]))
            for i, body in enumerate(use.bodies[: use.kernel.acting])
        )
    return out


def _of_friction(m: Motion) -> Parts:
    out: Parts = {}
    for k, friction in enumerate(m.program.frictions):
        use = m.program.constraints[friction.row]
        out.setdefault(friction.name, []).extend(
            (body, _power(m, body, G[0] * m.friction[:, k]))
            for body, G in use.by_body(jacobian(m, friction.row))
        )
    return out
