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

from collections.abc import Iterator, Sequence
from itertools import chain

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
    constraints = wrenches_of_constraints(m, ConstraintKind.BILATERAL)
    for name, body, wrench in chain(constraints, _beside_constraints(m, m.program.meshes)):
        given, power = out.setdefault(name, {}), _power(m, body, wrench)
        given[body] = given[body] + power if body in given else power
    return {name: list(given.items()) for name, given in out.items()}


def from_outside(m: Motion) -> dict[str, np.ndarray]:
    """What forces, drivers, friction and rigid meshes of wheels that can move apart give to all bodies together [W]."""
    out = {name: driver_power(m, c) for name, c in m.program.driver_constraints.items()}
    out |= {use.name: np.zeros(m.count) for use in m.program.forces}
    apart = [mesh for mesh in m.program.meshes if _moves_wheels(m, mesh)]
    for name, body, wrench in _beside_constraints(m, apart):
        out[name] = out.get(name, 0.0) + _power(m, body, wrench)
    return out


def potentials(m: Motion) -> dict[str, np.ndarray]:
    """Potential energy that each force holds [J]."""
    return {use.name: force_signals(m, k)[0] for k, use in enumerate(m.program.forces)}


def rubbing_speeds(m: Motion) -> np.ndarray:
    """Of each dry friction along its coordinate (N, frictions), m/s or rad/s."""
    rows = [
        m.program.constraints[friction.row].by_body(jacobian(m, friction.row))
        for friction in m.program.frictions
    ]
    return np.array([sum(_power(m, body, G[0]) for body, G in row) for row in rows]).T


def _power(m: Motion, body: int, wrench: np.ndarray) -> np.ndarray:
    """Of a wrench (V, N) on a body."""
    return np.einsum("cn,nc->n", wrench, m.records[:, body, m.program.space.twist :])


# -- wrenches (V, N) on bodies: name of the element, body, wrench

Wrenches = Iterator[tuple[str, int, np.ndarray]]


def _beside_constraints(m: Motion, meshes: Sequence[MeshUse]) -> Wrenches:
    return chain(_of_separation(m, meshes), wrenches_of_forces(m), wrenches_of_friction(m))


def wrenches_of_constraints(m: Motion, kind: ConstraintKind) -> Wrenches:
    """-G^T lambda."""
    for k, use in enumerate(m.program.constraints):
        if use.kind is kind:
            multipliers = m.multipliers[:, use.first_row : use.first_row + use.rows]
            for body, G in use.by_body(jacobian(m, k)):
                yield use.name, body, -np.einsum("rcn,nr->cn", G[: use.rows], multipliers)


def _of_separation(m: Motion, meshes: Sequence[MeshUse]) -> Wrenches:
    for mesh in meshes:
        force = m.multipliers[None, :, m.program.constraints[mesh.constraint].first_row]
        yield from _separating(m, mesh, force)


def _separating(m: Motion, mesh: MeshUse, force: np.ndarray) -> Wrenches:
    """What separates the wheels of a mesh where the tooth force is `force` (1, N)."""
    use, V = m.program.constraints[mesh.constraint], m.program.space.V
    wrench = m.evaluate(mesh.kernel.separating, [*m.constraint_arguments(mesh.constraint)[:3], force])[0]
    yield use.name, use.a, wrench[:V]
    yield use.name, use.b, wrench[V:]


def _moves_wheels(m: Motion, mesh: MeshUse) -> bool:
    """Whether what separates the wheels does work, beside what the teeth carry, at 1 N either way.

    Where the axes are held it does none, and tooth forces, for which reactions have to be solved, do not matter.
    """
    sides = m.program.constraints[mesh.constraint].by_body(jacobian(m, mesh.constraint))
    carried = max(float(np.max(np.abs(_power(m, body, G[0])))) for body, G in sides)
    for force in (-1.0, 1.0):
        wrenches = _separating(m, mesh, np.full((1, m.count), force))
        power = np.sum([_power(m, body, wrench) for _, body, wrench in wrenches], axis=0)
        if np.max(np.abs(power)) > HELD * carried:
            return True
    return False


def wrenches_of_forces(m: Motion) -> Wrenches:
    """Of elements that are no constraints."""
    V = m.program.space.V
    for k, use in enumerate(m.program.forces):
        wrench = m.evaluate(use.kernel.wrench, m.force_arguments(k))[0]
        for i, body in enumerate(use.bodies[: use.kernel.acting]):
            yield use.name, body, wrench[V * i : V * (i + 1)]


def wrenches_of_friction(m: Motion) -> Wrenches:
    """Along the rows in which it rubs."""
    for k, friction in enumerate(m.program.frictions):
        for body, G in m.program.constraints[friction.row].by_body(jacobian(m, friction.row)):
            yield friction.name, body, G[0] * m.friction[:, k]
