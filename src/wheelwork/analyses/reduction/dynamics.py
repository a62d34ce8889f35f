"""Equations of motion in minimal coordinates, term by term.

    M(u) u'' + c(u, u') + g(u) = Q_a(u, u', t) + Q

    u    coordinates: angles [rad] and displacements [m] of some of the joints, counted from the assembled position,
         where they are zero; of a ball joint the four Euler parameters of its rotation
    u'   their rates; of a ball joint the angular velocity of what it carries against its carrier, in the carrier's axes
    M    mass matrix: kinetic energy T = u'.M u'/2
    c    Coriolis, centrifugal and gyroscopic terms
    g    weight: derivatives of the potential energy of gravity (Chen (5))
    Q_a  generalised forces of the elements: springs, motors, friction, loads
    Q    what is added to them: generalised forces that a controller or a motor not in the model gives

The tree's coordinates follow by q' = B u', with the constant matrix B of gear ratios (Chen (3)), and generalised forces
from torques T in the joints by Q = B^T T over their rows (Chen (13), the structure matrix).

M and f = Q_a - c - g come from the runtime (``core/reduced.hpp``): f with the weight and the elements switched off
is -c, so that every term is what the simulation uses, to the last digit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from wheelwork.analyses.assemble import Assembled, assembled, with_turns
from wheelwork.analyses.link_forces import balanced
from wheelwork.analyses.prepare import Prepared, derived, with_engine
from wheelwork.description import Description, ModelError
from wheelwork.engine.reduced import ReducedSystem
from wheelwork.problems import did_you_mean
from wheelwork.system.attitude import rotation_matrices
from wheelwork.system.frame_motion import FrameMotion

from .describe import tree_table
from .local_frames import LocalTree, local_tree
from .motion import body_motion, given_motion, provenance_of
from .recover import Coordinates, coordinates_of
from .reduce import NotReducible, Reduction, reduce, tables

if TYPE_CHECKING:
    from wheelwork.analyses.link_forces import LinkForces
    from wheelwork.results import Result

Values = Sequence[float] | np.ndarray


class Terms(NamedTuple):
    """Terms of the equations of motion at one state: mass u'' + coriolis + gravity = applied + Q."""

    mass: np.ndarray
    coriolis: np.ndarray
    gravity: np.ndarray
    applied: np.ndarray


def minimal_coordinates(
    description: Description, *, parameters: Mapping[str, Any] | None = None
) -> MinimalCoordinates:
    """A mechanism in minimal coordinates about its assembled position.

    Drivers are left out: what they would do is what `inverse` finds. A mechanism that has no minimal coordinates is a
    `ModelError` that says why.
    """
    return MinimalCoordinates(assembled(undriven(description, parameters), 0.0))


def undriven(description: Description, parameters: Mapping[str, Any] | None = None) -> Prepared:
    """A mechanism without its drivers, ready to run."""
    bare = description.model_copy(update={"outputs": None})
    return with_engine(derived(bare, parameters, drivers=False), bare)


class MinimalCoordinates:
    """A mechanism as an ordinary differential equation in its degrees of freedom.

    >>> import wheelwork as ww
    >>> from wheelwork import examples
    >>> r = ww.load(examples.path("double-pendulum")).reduced()
    >>> r.names
    ('shoulder.angle', 'elbow.angle')
    >>> r.mass_matrix([0.3, -0.2]).shape
    (2, 2)
    """

    def __init__(self, at: Assembled) -> None:
        engine = at.prepared.engine
        try:
            self.reduction: Reduction = reduce(engine, at.t, at.state)
        except NotReducible as reason:
            text = f"the mechanism cannot be written in minimal coordinates: {reason}"
            hint = (
                "a simulation with `formulation: reduced` has constraints on the coordinates for these; all else works "
                "in absolute coordinates"
            )
            raise ModelError(text, hint=hint) from None
        self.start = at
        """The assembled state, at which the coordinates are zero."""
        self._engine = engine

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes: they derive the terms again."""
        return MinimalCoordinates, (self.start,)

    # -- what the coordinates are

    @property
    def names(self) -> tuple[str, ...]:
        """Of the coordinates, by their rates: JOINT.angle, JOINT.displacement, and JOINT.x, .y, .z of a ball joint."""
        return tuple(self.reduction.names)

    @property
    def tree_names(self) -> tuple[str, ...]:
        """Of the coordinates of all joints in the tree: the rows of B."""
        return tuple(self.reduction.tree.names)

    @property
    def B(self) -> np.ndarray:
        """(tree coordinates, coordinates): rates of all joints of the tree by those of the coordinates (Chen (3))."""
        return self.reduction.B.copy()

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies, in the order of `motion`."""
        return tuple(self.start.prepared.program.bodies)

    @property
    def rest(self) -> np.ndarray:
        """The coordinates at the assembled position: zeros, and (1, 0, 0, 0) for each ball joint."""
        out = np.zeros(self._positions)
        out[self.reduction.scalars :: 4] = 1.0
        return out

    @property
    def rates(self) -> np.ndarray:
        """The rates at the assembled state."""
        return self.reduction.rates.copy()

    def table(self) -> str:
        """The tree as text: every joint, what it moves and carries, and its rate in those of the coordinates."""
        return tree_table(self.reduction)

    def row(self, joint: str) -> np.ndarray:
        """Rate of a joint's coordinate in those of the coordinates: a row of B. `z1` will do for `z1.angle`."""
        names = self.reduction.tree.names
        found = [k for k, name in enumerate(names) if joint in (name, name.rpartition(".")[0])]
        if len(found) != 1:
            several = f"it has several coordinates: {', '.join(names[k] for k in found)}" if found else ""
            raise KeyError(
                f"`{joint}` is not a coordinate of the tree; {several or did_you_mean(joint, names)}"
            )
        return self.reduction.B[found[0]].copy()

    def structure_matrix(self, actuators: Sequence[str]) -> np.ndarray:
        """(coordinates, actuators): generalised forces from torques or forces in joints, Q = S T (Chen (13))."""
        return np.array([self.row(joint) for joint in actuators]).reshape(len(actuators), -1).T

    # -- equations of motion

    def terms(self, u: Values | None = None, rates: Values | None = None, t: float = 0.0) -> Terms:
        """All terms of the equations of motion at one state."""
        still = np.zeros(len(self.names))
        M, inertial = self._equations("inertial", u, rates, t)
        weight = self._equations("weight", u, still, t)[1]
        without = self._equations("weight", u, rates, t)[1]
        # Chen (5): H(q) q'' + C(q, q') + G(q), with the additions of (6), (10), (12) for carried links
        return Terms(M, -inertial, -weight, self._equations("full", u, rates, t)[1] - without)

    def mass_matrix(self, u: Values | None = None) -> np.ndarray:
        """M(u)."""
        return self._equations("inertial", u, None, 0.0)[0]

    def coriolis(self, u: Values | None, rates: Values) -> np.ndarray:
        """c(u, u'): Coriolis, centrifugal and gyroscopic terms."""
        return -self._equations("inertial", u, rates, 0.0)[1]

    def gravity(self, u: Values | None = None) -> np.ndarray:
        """g(u): what holds the weight at rest."""
        return -self._equations("weight", u, np.zeros(len(self.names)), 0.0)[1]

    def applied(self, u: Values | None = None, rates: Values | None = None, t: float = 0.0) -> np.ndarray:
        """Q_a(u, u', t): generalised forces of springs, motors, friction and loads."""
        return self.terms(u, rates, t).applied

    def forward(
        self,
        u: Values | None = None,
        rates: Values | None = None,
        forces: Values | None = None,
        t: float = 0.0,
    ) -> np.ndarray:
        """Forward dynamics: accelerations u'' under the elements' forces and further generalised ones, Q."""
        M, f = self._equations("full", u, rates, t)
        extra = 0.0 if forces is None else self._of_rates(forces, "forces")
        return np.linalg.solve(M, f + extra)

    def inverse(
        self, u: Values | None, rates: Values | None, accelerations: Values, t: float = 0.0
    ) -> np.ndarray:
        """Inverse dynamics: generalised forces Q that it takes, besides those of the elements, to move like this."""
        M, f = self._equations("full", u, rates, t)
        return M @ self._of_rates(accelerations, "accelerations") - f

    def kinetic_energy(self, u: Values | None, rates: Values) -> float:
        """T = u'.M u'/2 [J]."""
        v = self._of_rates(rates, "rates")
        return float(0.5 * v @ self.mass_matrix(u) @ v)

    # -- bodies

    def motion(
        self, u: Values | None = None, rates: Values | None = None, accelerations: Values | None = None
    ) -> FrameMotion:
        """Positions, velocities and accelerations of the centres of mass, and rotations, of all bodies."""
        zero, positions = np.zeros(len(self.names)), self._of_positions(u)
        rate = zero if rates is None else self._of_rates(rates, "rates")
        quicker = zero if accelerations is None else self._of_rates(accelerations, "accelerations")
        return body_motion(self._local_tree, positions, rate, self.jacobians(positions), quicker)

    def jacobian(self, body: str, u: Values | None = None) -> np.ndarray:
        """(6, coordinates): velocity of a body's centre of mass and its angular velocity, world axes, by the rates."""
        if body not in self.bodies:
            raise KeyError(f"there is no body `{body}`; {did_you_mean(body, self.bodies)}")
        return self.jacobians(self._of_positions(u))[self.bodies.index(body)]

    def jacobians(self, positions: np.ndarray) -> np.ndarray:
        """The same of all bodies."""
        scalars, tree, B = self.reduction.scalars, self.reduction.tree, self.reduction.B
        return tree.place(B[:, :scalars] @ positions[:scalars], self.turns(positions))[2] @ B

    def at(self, u: Values | None = None, rates: Values | None = None, t: float = 0.0) -> Assembled:
        """The mechanism in this state, to be asked for signals: `r.at(u)["link4.position"]`."""
        return Assembled(self.start.prepared, self.absolute_state(u, rates), [], t)

    def absolute_state(self, u: Values | None = None, rates: Values | None = None) -> np.ndarray:
        """The same state in absolute coordinates, as engines have it."""
        program, scalars = self.start.prepared.program, self.reduction.scalars
        space, own = program.space, self._of_positions(u)[: self.reduction.scalars]
        moved = self.motion(u, self.rates if rates is None else rates)
        state = np.array(self.start.state)
        angles = program.coordinates(state)[:, -1] + self._turning @ own  # of bodies in the plane
        poses = [
            space.coordinates(x, R, float(angle))
            for x, R, angle in zip(moved.x, moved.R, angles, strict=True)
        ]
        state[: program.nq] = np.concatenate([np.zeros(0), *poses])
        twists = np.hstack([moved.v, moved.w])[:, list(space.velocities)]
        state[program.nq : program.nq + program.nv] = twists.ravel()
        if program.turns:
            # nearly how many turns they have made; the rest follows from the orientations
            first = program.nq + program.nv
            turned = np.nan_to_num(self.reduction.turns[:, :scalars]) @ own
            state[first : first + len(program.turns)] += turned
        return with_turns(program, self.start.prepared.numbers.data, state)

    def coordinates_of(self, result: Result) -> Coordinates:
        """Coordinates, rates and accelerations of a motion that was computed in absolute coordinates.

        Angles are followed from one output to the next: between two of them no joint may turn by half a turn.
        """
        return coordinates_of(self, result.motion)

    def link_forces(
        self,
        t: Values,
        u: np.ndarray,
        rates: np.ndarray,
        accelerations: np.ndarray,
        actuators: Sequence[str] = (),
    ) -> LinkForces:
        """Forces of all joints and meshes for a motion given at some times, link by link from free-body balances.

        u, rates, accelerations: a row for each time in `t` [s]
        actuators: joints with motors that are not in the model; their torques are found as well, as `efforts`

        >>> import wheelwork as ww
        >>> from wheelwork import examples
        >>> r = ww.load(examples.path("double-pendulum")).reduced()
        >>> forces = r.link_forces([0.0], [[0.1, 0.2]], [[1, 2]], [[3, 4]], actuators=["shoulder", "elbow"])
        >>> forces.order.links
        ('lower', 'upper')
        """
        return balanced(given_motion(self, t, u, rates, accelerations), provenance_of(self, t), actuators)

    # -- inside

    @property
    def _positions(self) -> int:
        return self.reduction.scalars + 4 * self.reduction.tree.balls

    def _of_positions(self, u: Values | None) -> np.ndarray:
        return self.rest if u is None else _vector(u, self._positions, "coordinates", self.names)

    def _of_rates(self, values: Values, what: str) -> np.ndarray:
        return _vector(values, len(self.names), what, self.names)

    def turns(self, positions: np.ndarray) -> dict[int, np.ndarray]:
        """Rotation of each ball joint, by node of the tree."""
        e = positions[self.reduction.scalars :].reshape(-1, 4)
        nodes = self.reduction.tree.nodes
        return {i: rotation_matrices(e[node.ball]) for i, node in enumerate(nodes) if node.ball >= 0}

    @cached_property
    def _turning(self) -> np.ndarray:
        """(bodies, scalar coordinates): angular velocities about z by the rates, at rest."""
        tree = self.reduction.tree
        return tree.place(np.zeros(tree.rows), {})[2][:, 5] @ self.reduction.B[:, : self.reduction.scalars]

    @cached_property
    def _local_tree(self) -> LocalTree:
        return local_tree(self.reduction, self._engine)

    @cached_property
    def _systems(self) -> dict[str, ReducedSystem]:
        """The runtime's equations as they are, and without the elements' forces, with and without weight."""
        whole = tables(self.reduction, self._engine)
        body = np.array(whole["body"])
        body["framed"] = 0  # no body's frame is needed: nothing acts on them
        variants = {
            "full": whole,
            "weight": {**whole, "body": body},
            "inertial": {**whole, "body": body, "gravity": np.zeros(3)},
        }
        return {
            name: ReducedSystem(self._engine.system, one, self.reduction.rates)
            for name, one in variants.items()
        }

    def _equations(
        self, which: str, u: Values | None, rates: Values | None, t: float
    ) -> tuple[np.ndarray, np.ndarray]:
        speed = self.rates if rates is None else self._of_rates(rates, "rates")
        system, positions = self._systems[which], self._of_positions(u)
        y = system.start(self.start.state, speed)
        y[: len(positions)] = positions
        if len(y) > len(positions) + len(speed):  # angles that have to be integrated
            y[len(positions) + len(speed) :] = self.absolute_state(u, speed)[self._integrated]
        return system.equations(t, y)

    @cached_property
    def _integrated(self) -> np.ndarray:
        """Places in the absolute state of the counted angles that are not constant ratios of coordinates."""
        program = self.start.prepared.program
        state = np.asarray(tables(self.reduction, self._engine)["turn_state"])
        order = np.argsort(state[state >= 0])
        return program.nq + program.nv + np.flatnonzero(state >= 0)[order]


def _vector(values: Values, length: int, what: str, names: Sequence[str]) -> np.ndarray:
    out = np.asarray(values, float)
    if out.shape != (length,):
        raise ValueError(
            f"`{what}` needs {length} numbers ({', '.join(names)}), but has the shape {out.shape}"
        )
    return out
