"""Torques in a gear train that runs steadily, with losses in its meshes.

A gear pair transmits torques tau_a and tau_b to its wheels about their axes; the carrier takes the reaction. With the
rates d_a, d_b of the wheels against the carrier and sizes z_a, z_b (d_b z_b = sense z_a d_a), virtual work gives

    tau_a : tau_b = -sense z_a : z_b                without losses
    tau_a : tau_b = -sense z_a : eta_ab z_b         where a drives, -tau_a d_a > 0
    tau_a : tau_b = -sense z_a eta_ba : z_b         where b drives

since what is lost in rolling does not depend on how the carrier itself turns (the same force, the same sliding). Which
wheel drives is not known beforehand; it is found by iteration, and by trying all directions where that goes round in
circles. With G the rows of the rates of everything that transmits or applies a torque, balance is sum(G^T tau) = 0.

Further planets make more meshes than equations: load is then shared so that the sum of squares of the tooth forces is
smallest, which for equal planets means equally.

Sources: Bai (2.8)-(2.10); for losses by rolling power against the carrier: H. W. Mueller, Epicyclic Drive Trains, 1982.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from wheelwork.problems import ModelError, listed

from .carriers import Circuit, relative
from .exact import Row
from .graph import TrainGraph
from .names import row_named
from .speeds import Speeds

SMALL = 1e-9
"""Powers, speeds and torques below this part of the largest are nothing."""
MOST_ROUNDS = 200
"""Rounds in which efficiencies over the load settle."""
MOST_TRIED = 4096
"""Combinations of directions that are tried one by one."""


@dataclass(frozen=True)
class External:
    """A torque from outside, on a body about its axis, or in a joint.

    torque [N m, or N where it slides]: on the body, or on b of the joint
    speed [rad/s or m/s]; power [W]: into the train
    role: `input`, `held`, `load` or `output`
    """

    name: str
    role: str
    torque: float
    speed: float

    @property
    def power(self) -> float:
        return self.torque * self.speed


@dataclass(frozen=True)
class MeshLoad:
    """What a gear pair transmits.

    torques [N m]: on wheel a and wheel b, about their axes
    speeds [rad/s]: of the wheels against the carrier
    driver: `a` or `b`: which wheel drives, seen from the carrier; empty where nothing is transmitted in rolling
    rolling_power [W]: that enters the mesh, seen from the carrier
    loss [W]
    force [N]: tangential, at the pitch circles; None where no radius is known
    shared: the load is shared with other meshes by the rule of least squares
    """

    circuit: Circuit
    torques: tuple[float, float]
    speeds: tuple[float, float]
    driver: str
    rolling_power: float
    loss: float
    force: float | None
    shared: bool


@dataclass(frozen=True)
class CouplingLoad:
    """Efforts [N m or N] of a coupler along its joints, on b of each."""

    name: str
    efforts: dict[str, float]


@dataclass(frozen=True)
class Torques:
    """Torques of a train in steady motion.

    externals: what acts from outside; meshes: what the gear pairs transmit; couplings: what couplers do
    undetermined: names of unknown torques of which only combinations are settled
    """

    speeds: Speeds
    externals: tuple[External, ...]
    meshes: tuple[MeshLoad, ...]
    undetermined: tuple[str, ...] = ()
    couplings: tuple[CouplingLoad, ...] = ()

    @property
    def power_in(self) -> float:
        """[W] Sum of all powers that enter."""
        return sum(e.power for e in self._moving if e.power > 0)

    @property
    def power_out(self) -> float:
        """[W] Sum of all powers that leave."""
        return -sum(e.power for e in self._moving if e.power < 0)

    @property
    def loss(self) -> float:
        """[W] in the meshes"""
        return sum(m.loss for m in self.meshes)

    @property
    def efficiency(self) -> float | None:
        """Power out over power in; 0 for a train that is self-locking, None where no power goes in."""
        return self.power_out / self.power_in if self.power_in > 0 else None

    @property
    def locks_itself(self) -> bool:
        """Every torque that does any work would have to drive: the losses are larger than what the load can give."""
        return self.power_in > 0 and self.power_out == 0

    @property
    def resting(self) -> tuple[str, ...]:
        """Gear pairs with losses that carry torque without rolling: statics leaves friction open, here it is none."""
        limit = SMALL * max((abs(t) for m in self.meshes for t in m.torques), default=0.0)
        return tuple(
            m.circuit.name
            for m in self.meshes
            if not any(m.speeds)
            and max(map(abs, m.torques)) > limit
            and m.circuit.gear.efficiency_at(abs(m.torques[1])) != (1.0, 1.0)
        )

    @property
    def _moving(self) -> Iterable[External]:
        limit = SMALL * max((abs(e.power) for e in self.externals), default=0.0)
        return [e for e in self.externals if abs(e.power) > limit]


@dataclass(frozen=True)
class _Unknown:
    name: str
    role: str
    row: Row


def torques(
    speeds: Speeds, loads: Mapping[str, float], outputs: Sequence[str] = (), losses: bool = True
) -> Torques:
    """Torques everywhere for given loads.

    `speeds` come from `speeds`, with everything driven that has a torque. `loads` are torques [N m] on bodies about
    their axes, or in joints; a load on an input gives that input's torque. Unknown are the torques of held bodies, of
    inputs without a load, and of `outputs`; there must be one of them for each freedom. `losses` takes the
    efficiencies of the meshes into account.
    """
    graph = speeds.graph
    rates = np.nan_to_num(speeds.rates)
    wanted = [(p.name, "held" if p.held else "input") for p in speeds.prescribed]
    known = [row_named(graph, name)[0] for name in loads]
    unknown: list[_Unknown] = []
    for name, role in (*wanted, *((name, "output") for name in outputs)):
        # A body and the joint that carries it are the same thing by two names.
        row = row_named(graph, name)[0]
        if not any(_same(row, other) for other in (*known, *(u.row for u in unknown))):
            unknown.append(_Unknown(name, role, row))
    applied = np.zeros(len(rates))
    for name, torque in loads.items():
        applied += float(torque) * _dense(graph, row_named(graph, name)[0])
    system = _System(graph, rates, unknown, applied)
    solution = system.solve(losses)
    externals = [
        External(u.name, u.role, float(t), system.rate(u.row))
        for u, t in zip(unknown, solution.unknown, strict=True)
    ]
    driven = [row_named(graph, p.name)[0] for p in speeds.prescribed]
    for (name, torque), row in zip(loads.items(), known, strict=True):
        role = "input" if any(_same(row, other) for other in driven) else "load"
        externals.append(External(name, role, float(torque), system.rate(row)))
    return Torques(
        speeds,
        tuple(externals),
        tuple(system.loads(solution, losses)),
        solution.undetermined,
        tuple(system.coupled(solution)),
    )


@dataclass
class _Solution:
    forces: np.ndarray
    unknown: np.ndarray
    drives_a: list[bool | None]
    undetermined: tuple[str, ...]
    shared: np.ndarray
    ties: np.ndarray


class _System:
    """Balance of torques for all unknowns of the graph: matrix (rates x transmitted and unknown torques)."""

    def __init__(
        self, graph: TrainGraph, rates: np.ndarray, unknown: list[_Unknown], applied: np.ndarray
    ) -> None:
        self.graph, self.rates, self.unknown, self.applied = graph, rates, unknown, applied
        rows = [
            (relative(graph, c.a, c.carrier, c.axis_a), relative(graph, c.b, c.carrier, c.axis_b))
            for c in graph.circuits
        ]
        self.rows_a = [_dense(graph, a) for a, _ in rows]
        self.rows_b = [_dense(graph, b) for _, b in rows]
        # Speeds come from exact fractions: what is not exactly zero rolls.
        self.rolls = [bool(a @ rates) for a in self.rows_a]
        gears = [c.gear for c in graph.circuits]
        self.efficiencies = [gear.efficiency_at(0.0) for gear in gears]
        self.drag = [
            -gear.no_load_torque * float(np.sign(row @ rates))
            for gear, row in zip(gears, self.rows_a, strict=True)
        ]
        # Tooth numbers stand for radii where these are not known of all: wheels that mesh have the same module.
        known = all(gear.radii is not None for gear in gears if gear.carrier is None)
        sizes = [gear.radii if known and gear.radii is not None else gear.sizes for gear in gears]
        self.forces_per_unknown = np.array([1 / float(max(s)) for s in sizes])

    def rate(self, row: Row) -> float:
        return float(_dense(self.graph, row) @ self.rates)

    def shares(self, k: int, a_drives: bool | None, losses: bool) -> tuple[float, float]:
        """Torques on the wheels for a unit of the mesh's unknown, which is the torque on the larger wheel."""
        circuit = self.graph.circuits[k]
        za, zb = (float(z / max(circuit.gear.sizes)) for z in circuit.gear.sizes)
        ab, ba = self.efficiencies[k] if losses else (1.0, 1.0)
        if a_drives is None:
            ab = ba = 1.0
        return -circuit.sense * za * (1.0 if a_drives else ba), zb * (ab if a_drives else 1.0)

    def balance(self, drives_a: list[bool | None], losses: bool) -> _Solution:
        gears = [
            x * self.rows_a[k] + y * self.rows_b[k]
            for k, (x, y) in enumerate(self.shares(k, d, losses) for k, d in enumerate(drives_a))
        ]
        loops = [_dense(self.graph, row) for row in (*self.graph.ties, *self.graph.loops)]
        outside = [_dense(self.graph, u.row) for u in self.unknown]
        columns = np.array([*gears, *loops, *outside]).reshape(-1, len(self.rates)).T
        applied = self.applied.copy()
        for drag, row in zip(self.drag, self.rows_a, strict=True):
            applied += drag * row if losses else 0.0
        solution, null = _least(columns, -applied, self.forces_per_unknown)
        left = columns @ solution + applied
        limit = SMALL * float(np.abs(applied).max(initial=0.0))
        if np.abs(left).max(initial=0.0) > limit:
            names = [r.link for r, x in zip(self.graph.rates, left, strict=True) if abs(x) > limit]
            text = f"nothing balances the loads on {listed(dict.fromkeys(names))}"
            hint = "hold or drive one more body, or name one by `--output` whose torque may be what it must"
            raise ModelError(text, hint=hint)
        many = len(gears) + len(loops)
        open_ = np.abs(null[many:]).max(axis=1, initial=0.0) > SMALL
        return _Solution(
            solution[: len(gears)],
            solution[many:],
            drives_a,
            tuple(u.name for u, x in zip(self.unknown, open_, strict=True) if x),
            np.abs(null[: len(gears)]).max(axis=1, initial=0.0) > SMALL,
            solution[len(gears) : len(gears) + len(self.graph.ties)],
        )

    def directions(self, solution: _Solution) -> list[bool | None]:
        """Which wheel drives in each mesh: a does where it gives power to the mesh, -tau_a d_a > 0.

        Told from the tooth force, since a torque may be zero by an efficiency that is.
        """
        powers = [
            float(force) * c.sense * float(row @ self.rates)
            for force, c, row in zip(solution.forces, self.graph.circuits, self.rows_a, strict=True)
        ]
        limit = SMALL * max((abs(p) for p in powers), default=0.0)
        return [None if abs(p) <= limit else p > 0 for p in powers]

    def solve(self, losses: bool) -> _Solution:
        """With efficiencies that depend on the load: again until they are those of the load found."""
        solution = self._solve(losses)
        for _ in range(MOST_ROUNDS):
            loads = self.loads(solution, losses)
            found = [load.circuit.gear.efficiency_at(abs(load.torques[1])) for load in loads]
            if not losses or np.allclose(found, self.efficiencies, rtol=1e-13, atol=0):
                return solution
            self.efficiencies = found
            solution = self._solve(losses)
        text = (
            "efficiencies over the load do not settle: a little more load would change them by more than it"
        )
        raise ModelError(text, hint="give efficiencies that change less between two torques")

    def _solve(self, losses: bool) -> _Solution:
        count = len(self.graph.circuits)
        first = self.balance([None] * count, losses=False)
        directions = self.directions(first)
        tried: set[tuple[bool | None, ...]] = set()
        while tuple(directions) not in tried:
            tried.add(tuple(directions))
            solution = self.balance(directions, losses)
            found = self.directions(solution)
            if _agree(found, directions):
                return solution
            directions = found
        rolling = [k for k in range(count) if self.rolls[k]]
        if 2 ** len(rolling) <= MOST_TRIED:
            for choice in product((True, False), repeat=len(rolling)):
                ways = dict(zip(rolling, choice, strict=True))
                directions = [ways.get(k) for k in range(count)]
                solution = self.balance(directions, losses)
                if _agree(self.directions(solution), directions):
                    return solution
        text = "the train is self-locking: no direction of the power in its meshes fits these loads"
        raise ModelError(text, hint="drive it from the other side, or lower the losses")

    def loads(self, solution: _Solution, losses: bool) -> Iterable[MeshLoad]:
        for k, circuit in enumerate(self.graph.circuits):
            x, y = self.shares(k, solution.drives_a[k], losses)
            tau_a, tau_b = float(solution.forces[k] * x), float(solution.forces[k] * y)
            tau_a += self.drag[k] if losses else 0.0
            d_a, d_b = float(self.rows_a[k] @ self.rates), float(self.rows_b[k] @ self.rates)
            into = (-tau_a * d_a, -tau_b * d_b)
            driver = {True: "a", False: "b", None: ""}[solution.drives_a[k]]
            entering = max(*into, 0.0)
            yield MeshLoad(
                circuit,
                (tau_a, tau_b),
                (d_a, d_b),
                driver,
                entering,
                into[0] + into[1],
                _force(circuit, tau_a, tau_b, driver),
                bool(solution.shared[k]),
            )

    def coupled(self, solution: _Solution) -> Iterable[CouplingLoad]:
        for coupling, force in zip(self.graph.train.couplings.values(), solution.ties, strict=True):
            yield CouplingLoad(coupling.name, {j: float(force * x) for j, x in coupling.factors.items()})


def _agree(found: Sequence[bool | None], assumed: Sequence[bool | None]) -> bool:
    """A mesh that transmits nothing agrees with any direction."""
    return all(f is None or f == a for f, a in zip(found, assumed, strict=True))


def _force(circuit: Circuit, tau_a: float, tau_b: float, driver: str) -> float | None:
    """Tangential force at the wheel that is driven from outside the mesh: the one without the loss in it."""
    radii = circuit.gear.radii
    if radii is None:
        return None
    return abs(tau_b) / radii[1] if driver == "b" else abs(tau_a) / radii[0]


def _least(columns: np.ndarray, right: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Solution of columns x = right with the least squares of weights * x[: len(weights)], and the null space."""
    if columns.shape[1] == 0:
        return np.zeros(0), np.zeros((0, 0))
    u, s, vt = np.linalg.svd(columns)
    rank = int((s > SMALL * s.max(initial=0.0)).sum())
    x = vt[:rank].T @ ((u[:, :rank].T @ right) / s[:rank])
    null = vt[rank:].T
    if null.shape[1]:
        forces = weights[:, None] * null[: len(weights)]
        x = x - null @ (np.linalg.pinv(forces) @ (weights * x[: len(weights)]))
    return x, null


def _same(a: Row, b: Row) -> bool:
    """Whether two rows are the same speed, or its opposite."""
    return a == b or a == {column: -entry for column, entry in b.items()}


def _dense(graph: TrainGraph, row: Row) -> np.ndarray:
    out = np.zeros(len(graph.rates))
    for column, entry in row.items():
        out[column] = float(entry)
    return out
