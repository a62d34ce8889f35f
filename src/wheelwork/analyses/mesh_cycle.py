r"""Teeth at other phases of their mesh, for linear equations: a stiffness that varies counts with its mean.

A mesh that turns goes through its cycle far faster than, or about as fast as, it vibrates: what small motions see of a
stiffness k(tau) is in first order its mean over the cycle, and not that of the moment at which somebody looks. (Where
tau goes on near twice a natural frequency over a whole number, the variation itself makes motions grow:
:mod:`wheelwork.analyses.stability`.)

Nothing moves while the phase goes on. At each phase teeth are pressed with the force F that they have at the operating
point, by so much less or more depth x as this phase needs:

    F(tau, g + x) = F(tau_0, g),    K = mean of -df/dq over tau at x(tau)

so that accelerations and reactions stay what they are, and stiffness that depends on the load is that at this load. A
stiffness k(tau) by itself (`compliant`) has K = k_mean d d^T + terms of the load; flanks in contact are
integrated piece by piece, from one change of the number of pairs to the next. Teeth without a load stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace

import numpy as np

from wheelwork.description import ModelError
from wheelwork.elements.meshes.teeth.mesh_force import MeshForce
from wheelwork.equations.frames import MARKER_RECORD
from wheelwork.equations.mesh_equations import mesh_equations
from wheelwork.lazy import dataclass
from wheelwork.system.motion import Motion, evaluate
from wheelwork.system.program import Numbers
from wheelwork.system.uses import ForceUse

from .assemble import Assembled

GRID = 128
"""Parts of a mesh cycle in which changes of the number of pairs in contact are sought."""
NODES = 8
"""Of Gauss in a piece of a mesh cycle: between such changes, and of a quarter at most."""
EXACT = 1e-9
"""Of a force: a stiffness that follows from it is then as exact."""
ROUND_OFF = 1e-11
"""Of the pitch: a deflection below it is none."""
ROUNDS = 60
"""Of doubling a bracket, and of regula falsi."""


@dataclass(frozen=True)
class MeanTeeth:
    """How the teeth of all meshes count in linear equations."""

    phases: dict[str, float | None] = field(default_factory=dict)
    """By mesh whose stiffness varies: the phase that is taken, in mesh cycles; None: the mean over the cycle."""
    standing: list[str] = field(default_factory=list)
    """Meshes that count as they stand at the operating point: pins and strands, whose stiffness varies with it too."""
    data: dict[int, np.ndarray] = field(default_factory=dict, repr=False)
    """By index of the force: its numbers at each phase that is taken (numbers, phases)."""
    shares: dict[int, np.ndarray] = field(default_factory=dict, repr=False)
    """By index of the force: of the mesh cycle that each phase stands for; they add up to 1."""

    @property
    def words(self) -> list[tuple[str, str]]:
        """To print: what is taken, and meshes."""
        mean = [name for name, phase in self.phases.items() if phase is None]
        one = [f"{name} at {phase:.4g}" for name, phase in self.phases.items() if phase is not None]
        found = {"mesh stiffness, mean over the mesh cycle": mean, "mesh stiffness at a phase": one}
        found["mesh stiffness as it stands"] = self.standing
        return [(what, ", ".join(names)) for what, names in found.items() if names]

    def jacobian(self, motion: Motion, index: int) -> np.ndarray:
        """Derivatives of the wrenches of a force by small motions and twists, at a motion of one moment."""
        kernel = motion.program.forces[index].kernel
        if index not in self.data:
            return evaluate(kernel.jacobian, motion.force_arguments(index))[0][:, :, 0]
        return evaluate(kernel.jacobian, _with_data(motion, index, self.data[index]))[0] @ self.shares[index]

    def mean(self, at: Assembled, of: Callable[[Assembled], np.ndarray]) -> np.ndarray:
        """Of what follows linearly from the forces of all meshes, by the equations of motion: each mesh goes through
        its cycle with the others as they are at their first phase."""
        prepared = at.prepared
        total, first = None, None
        try:
            for share, numbers in self._numbers(at):
                prepared.engine.set_numbers(numbers)
                found = of(replace(at, prepared=replace(prepared, numbers=numbers)))
                first = found if first is None else first
                total = found if total is None else total + share * (found - first)
        finally:
            prepared.engine.set_numbers(prepared.numbers)
        assert total is not None
        return total

    def _numbers(self, at: Assembled) -> Iterator[tuple[float, Numbers]]:
        numbers, forces = at.prepared.numbers, at.prepared.program.forces
        base = np.array(numbers.data)
        for index, columns in self.data.items():
            base[forces[index].data :][: len(columns)] = columns[:, 0]
        yield 1.0, replace(numbers, data=base)
        for index, columns in self.data.items():
            for share, column in zip(self.shares[index][1:], columns.T[1:], strict=True):
                data = np.array(base)
                data[forces[index].data :][: len(column)] = column
                yield float(share), replace(numbers, data=data)


def mesh_cycle(at: Assembled, at_phase: float | None = None) -> MeanTeeth:
    """Teeth over the mesh cycle at a state; at_phase: only where the first mesh that varies is at this phase, and the
    others stand to it as they do at the state."""
    motion, found, shift = at.motion, MeanTeeth(), None
    for use in motion.program.forces:
        if isinstance(use.kernel.equations, MeshForce) and use.kernel.equations.stands:
            found.standing.append(use.name)
    for mesh in varying_meshes(motion):
        phase, taken, shares = float(mesh.now["phase"][0]), np.zeros(1), np.ones(1)
        flat = mesh.use.kernel.equations.at_mean(mesh.numbers, mesh.use.kernel.options)
        if at_phase is not None:
            shift = at_phase - phase if shift is None else shift
            taken = np.array([shift])
        elif flat is None:
            taken, shares = _pieces(mesh)
        else:
            mesh = replace(mesh, numbers=flat)
        found.phases[mesh.use.name] = None if at_phase is None else (phase + float(taken[0])) % 1
        found.data[mesh.index], found.shares[mesh.index] = mesh.at(taken), shares
    if at_phase is not None and not found.phases:
        why = "no mesh has teeth whose stiffness varies over the mesh cycle, so that there are no phases to choose from"
        raise ModelError(why, path="at_phase", hint="leave it out")
    return found


def varying_meshes(motion: Motion, errors: bool = False) -> Iterator[VaryingMesh]:
    """Those whose stiffness varies over the mesh cycle, at a motion of one moment; errors: or whose error does."""
    for index, use in enumerate(motion.program.forces):
        equations, place = use.kernel.equations, None
        if isinstance(equations, MeshForce):
            place = (equations.cycle_place if errors else equations.phase_place)(use.kernel.options)
        if place is not None:
            arguments = motion.force_arguments(index)
            now = _signals(motion, index, arguments)
            yield VaryingMesh(motion, index, place, arguments[len(use.bodies)][:, 0], now)


@dataclass(frozen=True)
class VaryingMesh:
    """The force of one mesh at a motion of one moment."""

    motion: Motion
    index: int
    place: int
    """Of its phase among its numbers."""
    numbers: np.ndarray
    now: dict[str, np.ndarray]
    """Its signals as it stands."""

    def at(self, phases: np.ndarray) -> np.ndarray:
        """Its numbers where the phase has gone on by so much, pressed by the same force (numbers, phases)."""
        columns = np.repeat(self.numbers[:, None], len(phases), axis=1)
        columns[self.place] += phases
        force, depth = (abs(float(self.now[name][0])) for name in ("force.transverse", "deflection"))
        if not force or depth < ROUND_OFF * self.numbers[self._place("pitch")]:
            return columns
        row = self._place("phase")

        def pushed(x: np.ndarray) -> np.ndarray:
            moved = np.array(columns)
            moved[row] -= x
            return self.signals(moved)["force.transverse"]

        columns[row] -= _where(pushed, float(self.now["force.transverse"][0]), depth, len(phases))
        return columns

    @property
    def use(self) -> ForceUse:
        """In the tables of the program."""
        return self.motion.program.forces[self.index]

    @property
    def rate(self) -> float:
        """Mesh cycles per second, along the phase."""
        return float(self.now["rolling"][0] / self.numbers[self._place("pitch")])

    def _place(self, name: str) -> int:
        """Of a number of the mesh itself."""
        return 2 * MARKER_RECORD + mesh_equations(self.use.kernel.options[0]).extras.index(name)

    def jacobian(self, phases: np.ndarray) -> np.ndarray:
        """Derivatives of its wrenches where the phase has gone on by so much, under the same force (.., .., phases)."""
        columns = _with_data(self.motion, self.index, self.at(phases))
        return evaluate(self.use.kernel.jacobian, columns)[0]

    def signals(self, data: np.ndarray) -> dict[str, np.ndarray]:
        """With other numbers, in each column."""
        return _signals(self.motion, self.index, _with_data(self.motion, self.index, data))


def _signals(motion: Motion, index: int, arguments: list[np.ndarray]) -> dict[str, np.ndarray]:
    kernel = motion.program.forces[index].kernel
    values = evaluate(kernel.signals, arguments)[0]
    return dict(zip(kernel.signal_names, values[1:], strict=True))  # the first is the stored energy


def _pieces(teeth: VaryingMesh) -> tuple[np.ndarray, np.ndarray]:
    """Phases from the present one on, and their shares in the cycle."""

    def pairs(phases: np.ndarray) -> np.ndarray:
        return teeth.signals(teeth.at(phases)).get("pairs", np.zeros(len(phases)))

    grid = np.linspace(0.0, 1.0, GRID + 1)
    count = pairs(grid)
    changes = np.flatnonzero(np.diff(count))
    low, high = grid[changes], grid[changes + 1]
    for _ in range(12 if len(changes) else 0):
        middle = (low + high) / 2
        before = pairs(middle) == count[changes]
        low, high = np.where(before, middle, low), np.where(before, high, middle)
    ends = np.unique([*np.linspace(0.0, 1.0, 5), *low])
    x, w = np.polynomial.legendre.leggauss(NODES)
    lengths = np.diff(ends)[:, None]
    return (ends[:-1, None] + lengths * (x + 1) / 2).ravel(), (lengths * w / 2).ravel()


def _with_data(motion: Motion, index: int, data: np.ndarray) -> list[np.ndarray]:
    """Arguments of a force with other numbers in each column."""
    arguments = [np.repeat(x, data.shape[1], axis=1) for x in motion.force_arguments(index)]
    arguments[len(motion.program.forces[index].bodies)] = data
    return arguments


def _where(of: Callable[[np.ndarray], np.ndarray], wanted: float, step: float, count: int) -> np.ndarray:
    """x at which functions that rise are as wanted, by the Illinois variant of regula falsi (M. Dowell, P. Jarratt, BIT
    11, 1971); step: how far it may be, for a beginning."""
    low, high = np.full(count, -step), np.full(count, step)
    below, above = of(low) - wanted, of(high) - wanted
    for _ in range(ROUNDS):
        if np.all(below <= 0) and np.all(above >= 0):
            break
        low, high = np.where(below > 0, 2 * low, low), np.where(above < 0, 2 * high, high)
        below, above = of(low) - wanted, of(high) - wanted
    x, last = (low + high) / 2, None
    for _ in range(ROUNDS):
        with np.errstate(invalid="ignore", divide="ignore"):
            x = np.where(above > below, (low * above - high * below) / (above - below), x)
        error = of(x) - wanted
        if np.all(np.abs(error) <= EXACT * abs(wanted)):
            break
        up = error >= 0
        again = np.where(up == last, 0.5, 1.0)  # an end that stays twice counts half
        above, below, last = np.where(up, error, above * again), np.where(up, below * again, error), up
        high, low = np.where(up, x, high), np.where(up, low, x)
    return x
