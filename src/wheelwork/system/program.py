"""A mechanism as tables: the result of deriving its equations, and all that the kernels and solvers need.

Names of bodies and elements appear here only as labels. Body index -1 is ground.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.equations.frames import MARKER_RECORD
from wheelwork.lazy import Keeping, dataclass, formula
from wheelwork.lazy import casadi as ca

from .corner_times import corner_times
from .given_speeds import GivenSpeed
from .space import SPATIAL, Space
from .uses import (
    ComputedData,
    ConstraintUse,
    ContactUse,
    CurveUse,
    ElasticMesh,
    FollowUse,
    ForceUse,
    FrictionUse,
    GivenCoordinate,
    JointSignals,
    JointView,
    MeshUse,
    RelationUse,
    TableUse,
    TurnUse,
)

if TYPE_CHECKING:
    from wheelwork.description import Flat, Formula


@dataclass(frozen=True)
class Numbers:
    """All numbers of a program for one set of parameters."""

    data: np.ndarray
    """Of the elements, one after the other; `data` of each row of the tables is where its own begin."""
    mass: np.ndarray
    """(bodies), kg."""
    inertia: np.ndarray
    """(bodies, 3, 3), about the centre of mass in body axes."""
    gravity: np.ndarray
    """(bodies, 3), in world axes: none for bodies that have no weight."""
    center: np.ndarray
    """Centre of mass in the body frame."""
    state: np.ndarray
    """The given position and velocity: q, v, turns; see :class:`Program`."""
    parameters: dict[str, float]

    def marker(self, start: int) -> tuple[np.ndarray, np.ndarray]:
        """Origin and axes of the marker whose record begins there."""
        return self.data[start : start + 3], self.data[start + 3 : start + MARKER_RECORD].reshape(3, 3)

    def value(self, given: float | Formula) -> float:
        """Of a field of the description."""
        return formula.number_of(given, self.parameters)


REMEMBERED = 8
"""Of each thing that follows from a program and some of its numbers."""


@dataclass
class Program(Keeping):
    """Tables of a mechanism. State y = (q, v, z): coordinates of the bodies, their velocities, and the counted
    angles and followed parameters.

    In space a body has 7 coordinates (centre of mass, Euler parameters) and 6 velocities (linear of the centre of mass,
    angular; world axes), in the plane 3 and 3: (x, y, phi) and (vx, vy, w).
    """

    flat: Flat
    bodies: list[str]
    parameter_names: list[str]
    space: Space = SPATIAL
    constraints: list[ConstraintUse] = field(default_factory=list)
    forces: list[ForceUse] = field(default_factory=list)
    turns: list[TurnUse] = field(default_factory=list)
    follows: list[FollowUse] = field(default_factory=list)
    curves: list[CurveUse] = field(default_factory=list)
    frictions: list[FrictionUse] = field(default_factory=list)
    contacts: list[ContactUse] = field(default_factory=list)
    meshes: list[MeshUse] = field(default_factory=list)
    elastic_meshes: list[ElasticMesh] = field(default_factory=list)
    relations: list[RelationUse] = field(default_factory=list)
    tables: list[TableUse] = field(default_factory=list)
    computed: list[ComputedData] = field(default_factory=list)
    joints: dict[str, JointView] = field(default_factory=dict)
    joint_signals: list[JointSignals] = field(default_factory=list)
    driver_constraints: dict[str, int] = field(default_factory=dict)
    given_speeds: list[GivenSpeed] = field(default_factory=list)
    given_coordinates: list[GivenCoordinate] = field(default_factory=list)
    measured: list[str] = field(default_factory=list)
    """Signals that formulas read once the accelerations are known; forces find them behind the states (`turns`)."""
    measuring: ca.Function | None = None
    """These, from the symbols of a moment (:mod:`.symbolic_motion`)."""
    formulas: ca.Function | None = None
    """(t, parameters) -> value, first and second derivative of each function of time."""
    formula_inputs: list[int] = field(default_factory=list)
    switches: ca.Function | None = None
    """(t, parameters) -> functions whose zeros are corners of functions of time (:mod:`.corners`)."""
    knots: np.ndarray = field(default_factory=lambda: np.empty(0))
    """Corners of tables [s]."""
    inputs: int = 0
    data_size: int = 0
    numbers_function: ca.Function = field(default=None, repr=False)  # type: ignore[assignment]
    read: frozenset[str] = frozenset()
    """Parameters whose numbers deriving looked at: the equations hold for these numbers alone; others may vary."""
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """What follows from the equations, the same for all numbers."""

    def holding(self, multipliers: np.ndarray) -> np.ndarray:
        """Dry friction (..., frictions) of what sticks, from multipliers (..., rows)."""
        rows = [self.constraints[use.row].first_row for use in self.frictions]
        return -multipliers[..., rows] if rows else np.zeros((*multipliers.shape[:-1], 0))

    def same_equations(self, other: Program) -> bool:
        """Whether two programs come from one derivation."""
        return self._kept is other._kept

    def recent(self, what: str, content: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """What follows from the equations and from `content`; the last few are remembered."""
        remembered = self.once(("recent", what), dict)
        if content not in remembered:
            found = make()
            for old in list(remembered)[: max(0, len(remembered) - REMEMBERED + 1)]:
                remembered.pop(old, None)
            remembered[content] = found
            return found
        return remembered[content]

    def kinematic(self, numbers: Numbers) -> tuple[bytes, ...]:
        """All numbers but those of forces: what positions, joints, ratios and inertia are made from."""
        return _bytes(numbers, self.once("kinematic", self._kinematic_data))

    def settled(self, numbers: Numbers) -> tuple[bytes, ...]:
        """What may not change in a run: numbers of joints and meshes, masses, the start."""
        return _bytes(numbers, self.once("settled", self._settled_data))

    def _settled_data(self) -> np.ndarray:
        kept = self._not_of_forces()
        for friction in self.frictions:
            kept[friction.data : friction.data + 3] = False
        for contact in self.contacts:
            kept[contact.data : contact.data + 2] = False
        return np.flatnonzero(kept)

    def _not_of_forces(self) -> np.ndarray:
        """Which of the data are neither parameters nor numbers of forces."""
        kept = np.ones(self.data_size, bool)
        kept[: len(self.parameter_names)] = False
        for use in self.forces:
            kept[use.data : use.data + use.kernel.data_size] = False
        return kept

    def _kinematic_data(self) -> np.ndarray:
        kept = self._not_of_forces()
        kept[self.rolling_data] = True
        if self.formulas is not None and any(use.input >= 0 for use in self.constraints):
            # functions of time that they take may take parameters
            kept[self.formulas.jac_sparsity(0, 1).get_triplet()[1]] = True
        return np.flatnonzero(kept)

    @property
    def rolling_data(self) -> np.ndarray:
        """Entries of the data of elastic meshes that speeds at the start follow: markers and ratios."""
        rows = [np.arange(mesh.data, mesh.data + mesh.kernel.data_size) for mesh in self.elastic_meshes]
        return np.concatenate([np.zeros(0, int), *rows])

    @property
    def computed_rows(self) -> np.ndarray:
        """Entries of the data that no formula gives: the stiffness of teeth, for instance."""
        return np.array([k for computed in self.computed for k in computed.indices], int)

    @property
    def rotors(self) -> Mapping[str, str]:
        """Bearings of the rotors, by name."""
        return self.flat.rotors

    @property
    def rows(self) -> int:
        return self.constraints[-1].first_row + self.constraints[-1].rows if self.constraints else 0

    def constraint_of(self, row: int) -> ConstraintUse:
        """Whose row it is."""
        return next(use for use in self.constraints if use.first_row <= row < use.first_row + use.rows)

    @property
    def nq(self) -> int:
        return self.space.Q * len(self.bodies)

    @property
    def nv(self) -> int:
        return self.space.V * len(self.bodies)

    @property
    def followed(self) -> int:
        """Followed parameters: z is the counted angles, then these."""
        return sum(use.count for use in self.follows)

    @property
    def states(self) -> int:
        """States that elements have of their own: z is the counted angles, the followed parameters, then these."""
        return self.forces[-1].first_state + self.forces[-1].kernel.states if self.forces else 0

    @property
    def changing(self) -> list[ForceUse]:
        """Elements whose own states change by themselves."""
        own = [use for use in self.forces if use.kernel.states]
        return [use for use in own if use.kernel.effect.rates is not None or use.kernel.updates]

    @property
    def with_rates(self) -> list[str]:
        """Those of them whose states act on the motion, or on what others do."""
        return [use.name for use in self.changing if use.kernel.states_act or self._seen_by_others(use)]

    def _seen_by_others(self, use: ForceUse) -> bool:
        first = len(self.turns) + self.followed + use.first_state
        places = set(range(first, first + use.kernel.states))
        return any(places & set(other.turns) for other in self.forces if other is not use)

    @property
    def first_state(self) -> int:
        """Where these begin in a state."""
        return self.nq + self.nv + len(self.turns) + self.followed

    @property
    def n(self) -> int:
        return self.first_state + self.states

    @property
    def first_measured(self) -> int:
        """Where forces find what is measured, among counted angles, followed parameters and states."""
        return len(self.turns) + self.followed + self.states

    @property
    def events(self) -> int:
        return self.forces[-1].first_event + self.forces[-1].kernel.events if self.forces else 0

    def coordinates(self, y: np.ndarray) -> np.ndarray:
        """Coordinates of a state, one row per body."""
        return y[: self.nq].reshape(len(self.bodies), self.space.Q)

    def rotation(self, y: np.ndarray, body: int) -> np.ndarray:
        """Rotation matrix of a body at a state; -1: ground."""
        return np.eye(3) if body < 0 else self.space.poses(self.coordinates(y)[body])[1]

    def displaced(self, y: np.ndarray, step: np.ndarray) -> np.ndarray:
        """The state after a small motion of each body: displacement and rotation (world axes), V numbers each."""
        out = np.array(y)
        motion = step.reshape(len(self.bodies), self.space.V)
        out[: self.nq] = self.space.displaced(self.coordinates(y), motion).ravel()
        return out

    def largest_turn(self, step: np.ndarray) -> float:
        """The largest rotation of a body in a small motion."""
        turns = step.reshape(len(self.bodies), self.space.V)[:, self.space.angular]
        return float(np.max(np.linalg.norm(turns, axis=1), initial=0.0))

    def body_index(self, name: str) -> int:
        return -1 if name == "ground" else self.bodies.index(name)

    def finest_tooth(self, numbers: Numbers) -> tuple[float, float]:
        """Of the rigid meshes: least tooth angle of a wheel [rad], least tooth of a rack [m]; infinite without."""
        angle = length = np.inf
        for mesh in self.meshes:
            if not mesh.geometry.mesh.wheels_touch or mesh.geometry.counted is not None:
                continue
            teeth = max(mesh.geometry.teeth)
            angle = min(angle, 2 * np.pi / teeth)
            if mesh.geometry.mesh.b_is_rack:
                radius = mesh.kernel.equations.extras.index("r_a")
                data = self.constraints[mesh.constraint].data + 2 * MARKER_RECORD
                length = min(length, 2 * np.pi / teeth * float(numbers.data[data + radius]))
        return angle, length

    def outline_spans(self, numbers: Numbers) -> np.ndarray:
        """How far each followed parameter goes from one end of its outline to the other, or once around."""
        out = []
        for follow in self.follows:
            cam = follow.kernel.cam
            place = self.constraints[follow.constraint].data + 2 * MARKER_RECORD + cam.own_numbers
            for outline in cam.outlines:
                out.append(numbers.data[place + 1])
                place += outline.numbers
        return np.array(out)

    def corners(self, numbers: Numbers, start: float, end: float) -> tuple[float, ...]:
        """Times from start to end at which functions of time jump or bend."""
        switches = self.switches
        if switches is None:
            return corner_times(None, self.knots, start, end)
        t = ca.SX.sym("t")
        given = ca.DM([numbers.parameters[name] for name in self.parameter_names])
        at_t = switches(t, given)  # many times, one set of parameters
        if ca.is_linear(at_t, t):
            slope, offset = (
                np.array(ca.DM(part)) for part in (ca.jacobian(at_t, t), ca.substitute(at_t, t, 0))
            )
            return corner_times(lambda t: slope * t + offset, self.knots, start, end)
        of_time = ca.Function("switches", [t], [at_t])

        def c(t: np.ndarray) -> np.ndarray:
            return np.array(of_time(t.reshape(1, -1)))

        return corner_times(c, self.knots, start, end)

    def samples(self, numbers: Numbers, start: float, end: float) -> np.ndarray:
        """Times from start to end at which elements' own states are sampled."""
        found = [np.zeros(0)]
        for use in self.forces:
            if use.sample >= 0:
                every, first = numbers.data[use.sample : use.sample + 2]
                low, high = np.ceil((start - first) / every - 1e-9), np.floor((end - first) / every + 1e-9)
                found.append(first + every * np.arange(low, high + 1))
        return np.unique(np.concatenate(found))

    def numbers(self, overrides: Mapping[str, Any] | None = None) -> Numbers:
        """Everything numeric, for the default parameters or others; nothing is derived or compiled again."""
        resolved = self.flat.resolve_parameters(overrides)
        p = np.array([resolved[name] for name in self.parameter_names])
        numbers = numbers_of(_results(self.numbers_function, p), self.space, resolved)
        for computed in self.computed if overrides else ():
            numbers.data[computed.indices] = computed.values(resolved)
        return numbers


def numbers_of(parts: Sequence[np.ndarray], space: Space, parameters: dict[str, float]) -> Numbers:
    """From the results of a program's function of its parameters."""
    data, mass, inertia, gravity, center, positions, axes, angles, velocities, hints = parts
    inertia, axes = (x.reshape(3, 3, -1, order="F").transpose(2, 0, 1) for x in (inertia, axes))
    placed = zip(positions.T, axes, angles.ravel().tolist(), strict=True)
    q = [space.coordinates(*place) for place in placed]
    v = velocities[list(space.velocities)].ravel(order="F")
    state = np.concatenate([*q, v, hints.ravel()])
    return Numbers(data.ravel(), mass.ravel(), inertia, gravity.T.copy(), center.T.copy(), state, parameters)


def _bytes(numbers: Numbers, kept: np.ndarray) -> tuple[bytes, ...]:
    """Some of the data, and all numbers of the bodies."""
    parts = (numbers.data[kept], numbers.mass, numbers.inertia, numbers.gravity, numbers.state)
    return tuple(part.tobytes() for part in parts)


def _results(function: ca.Function, argument: np.ndarray) -> list[np.ndarray]:
    """Of a function with dense results, which its own matrices take five times as long to bring."""
    found: Any = function.buffer()
    buffer, evaluate = found
    out = [np.empty(function.size_out(k), order="F") for k in range(function.n_out())]
    buffer.set_arg(0, argument.data)
    for k, result in enumerate(out):
        buffer.set_res(k, result.ravel(order="K").data)
    evaluate()
    return out
