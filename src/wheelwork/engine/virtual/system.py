"""Newton-Euler equations with multipliers in absolute coordinates:

    [ M  G^T ] [ a      ]   [ f     ]
    [ G  0   ] [ lambda ] = [ gamma ]

State y = (q, v, z): see :class:`~wheelwork.equations.program.Program`. Arrays over bodies have one more row
at the end, for ground. Rows of constraints are ordered by kernel; `program_rows` leads back to the program's
order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_matrix, csr_matrix

from wheelwork.equations.program import Kind, Numbers, Program

from .batch import Batch
from .bodies import body_function, moved_function, number_table, turn_function
from .elements import TimeFunctions, constraint_groups, force_groups
from .factor import Factor
from .friction import DryFriction
from .teeth import Teeth


@dataclass(frozen=True)
class Stabilisation:
    """How the constraints are kept; see :class:`~wheelwork.engine.engine.RunOptions`."""

    method: str = "projection"
    alpha: float = 0.0
    beta: float = 0.0
    penalty: float = 0.0
    omega: float = 0.0
    mu: float = 0.0
    tolerance: float = 0.0
    iterations: int = 0


class System:
    """A program's equations at one state; evaluating them again writes over what was there."""

    def __init__(self, program: Program, numbers: Numbers):
        self.program = program
        count = len(program.bodies)
        self.count, self.nq, self.nv, self.n = count, program.nq, program.nv, program.n
        self.stabilisation = Stabilisation()
        self.evaluations = self.factorisations = 0
        space = program.space
        self.Q, self.V, self.twist = space.Q, space.V, space.twist
        self.records = np.zeros((count + 1, space.record))
        self.records[-1] = space.ground()
        self.inverse_mass = np.zeros((count + 1, self.V, self.V))
        self.force = np.zeros((count + 1, self.V))
        self.bodies = Batch({"body": body_function(space)}, count)
        self._moved = Batch({"moved": moved_function(space)}, count)
        self.inputs = TimeFunctions(program)
        self._turns = Batch({"turn": turn_function(space)}, len(program.turns)) if program.turns else None
        self._turn_a, self._turn_b = ([getattr(turn, end) for turn in program.turns] for end in "ab")
        self.counted = np.zeros(len(program.turns) + program.followed + 1)
        self.turn_rates = np.zeros(len(program.turns) + program.followed)
        self.forces = force_groups(program)
        self._set_up_rows()
        self.friction = DryFriction(self)
        self.teeth = Teeth(self)
        self.set_numbers(numbers)

    def _set_up_rows(self) -> None:
        program, rows = self.program, self.program.rows
        self.constraints = constraint_groups(program)
        self.first_row = np.zeros(len(program.constraints), int)
        for group in self.constraints:
            self.first_row[group.members] = group.first_rows
        uses = program.constraints
        every = [first + np.arange(use.rows) for first, use in zip(self.first_row, uses, strict=True)]
        self.program_rows = np.concatenate([np.zeros(0, int), *every])
        self.constraint_of_row = np.zeros(rows, int)
        self.row_bodies = np.zeros((rows, 2), int)
        self.of_position = np.ones(rows, bool)
        for c, (use, own) in enumerate(zip(uses, every, strict=True)):
            self.constraint_of_row[own] = c
            self.row_bodies[own] = [body if body >= 0 else self.count for body in (use.a, use.b)]
            self.of_position[own] = use.kind is not Kind.FRICTION
        self.holds = np.array([use.kind is Kind.BILATERAL for use in uses], bool)
        """Whether each constraint is active."""
        self.active = np.zeros(rows, bool)
        self.g, self.gamma, self.nu, self.multipliers = (np.zeros(rows) for _ in range(4))
        V = self.V
        self.jacobian = np.zeros((rows, 2, V))
        columns = (V * self.row_bodies[:, :, None] + np.arange(V)).ravel()
        starts = 2 * V * np.arange(rows + 1)
        width = V * (self.count + 1)
        flat = self.jacobian.reshape(-1)
        # both share the numbers of `jacobian`
        self.G = csr_matrix((flat, columns, starts), shape=(rows, width), copy=False)
        self.G_transposed = csc_matrix((flat, columns, starts), shape=(width, rows), copy=False)
        self.factor = Factor(self.row_bodies, self.count)
        self.fewest_small: float = np.inf
        """Small eigenvalues of S, where there are fewest in the motion."""
        self.near_singular_since = False
        """Whether there were more in any evaluation since this was last set to False."""
        self.set_active(self.holds)

    def set_numbers(self, numbers: Numbers) -> None:
        self.bodies.arguments[2][:] = number_table(numbers)
        self.data = numbers.data
        for group in [*self.constraints, *self.forces]:
            group.set_data(numbers.data)
        self.inputs.set_data(numbers.data)
        self.friction.set_data(numbers.data)
        self.teeth.set_data(numbers.data)
        if self._turns is not None:
            starts = np.array([turn.data for turn in self.program.turns])
            self._turns.arguments[2][:] = numbers.data[starts[:, None] + np.arange(24)]

    def set_active(self, holds: np.ndarray) -> None:
        """Say which constraints hold."""
        self.holds = holds.copy()
        self.active = holds[self.constraint_of_row]

    # -- the state's derivative and its parts

    def derivative(self, t: float, y: np.ndarray) -> np.ndarray:
        """y'; afterwards `acceleration` and `multipliers` hold their values at (t, y)."""
        self.prepare(t, y)
        return self.finish(t, y)

    def prepare(self, t: float, y: np.ndarray) -> None:
        """All that comes before the forces: frames, G, gamma, the inverse of S."""
        self.inputs.evaluate(t)
        self.place(y)
        self.evaluate_constraints("full")
        self.assemble()

    def finish(self, t: float, y: np.ndarray) -> np.ndarray:
        """Forces, accelerations and multipliers at the state last prepared."""
        self.evaluations += 1
        self.apply_forces(t)
        self._solve()
        return self.rates()

    def _solve(self) -> None:
        """Accelerations and multipliers for the applied forces, and what depends on these."""
        self.force[:] = self.applied
        if self.friction.count or self.teeth.count:
            self.friction.solve()
        else:
            self.solve_for_force()

    def rates(self) -> np.ndarray:
        """y' from the accelerations at hand."""
        return np.concatenate(
            [self.bodies.results["body"][3].ravel(), self.acceleration[:-1].ravel(), self.turn_rates]
        )

    def place(self, y: np.ndarray) -> None:
        """Frames of the bodies; whole turns, followed parameters and their rates."""
        q, v, _ = self.bodies.arguments
        q[:] = y[: self.nq].reshape(self.count, self.Q)
        v[:] = y[self.nq : self.nq + self.nv].reshape(self.count, self.V)
        record, inverse_mass, _, _ = self.bodies("body")
        self.records[:-1] = record
        self.inverse_mass[:-1] = inverse_mass.reshape(-1, self.V, self.V)
        if self._turns is not None:
            self._turns.arguments[0][:] = self.records[self._turn_a]
            self._turns.arguments[1][:] = self.records[self._turn_b]
            self.turn_rates[: len(self._turn_a)] = self._turns("turn")[1][:, 0]
        self.counted[:-1] = y[self.nq + self.nv :]
        if self.program.follows:
            self._follow()

    def _follow(self) -> None:
        """Followed parameters at the contacts next to where they are, and their rates."""
        first = len(self.program.turns)
        for use in self.program.curves:
            piece = use.spline.piece(self.counted[first + use.parameter])
            self.inputs.values[use.input : use.input + 3] = piece.reshape(3, 3)
        for group in self.constraints:
            if group.follows:
                group.gather(self.records, self.inputs.values, self.counted)
                self.counted[group.turns], self.turn_rates[group.turns] = group.batch("follow")

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The state with its followed parameters where `place` found them."""
        if self.program.follows:
            y = y.copy()
            y[self.nq + self.nv :] = self.counted[:-1]
        return y

    def evaluate_constraints(self, what: str) -> None:
        """Evaluate one of the kernels' functions, `full`, `residual` or `gamma`, at the frames at hand."""
        for group in self.constraints:
            group.gather(self.records, self.inputs.values, self.counted)
            results = group.batch(what)
            if what == "full":
                g, on_a, on_b, gamma, nu = results
                self.g[group.rows], self.gamma[group.rows], self.nu[group.rows] = g.flat, gamma.flat, nu.flat
                self.jacobian[group.rows, 0], self.jacobian[group.rows, 1] = (
                    on_a.reshape(-1, self.V),
                    on_b.reshape(-1, self.V),
                )
            else:
                (self.g if what == "residual" else self.gamma)[group.rows] = results[0].flat

    def assemble(self) -> None:
        """The inverse of S = G M^-1 G^T, or of S + 1/penalty for the augmented Lagrangian."""
        self.factorisations += 1
        over_mass = np.einsum("rsi,rsij->rsj", self.jacobian, self.inverse_mass[self.row_bodies])
        self.factor.build(over_mass, self.jacobian, self.active)
        self.penalised = self.stabilisation.method == "augmented_lagrangian"
        self.factor.factorise(1 / self.stabilisation.penalty if self.penalised else 0.0)
        self.fewest_small = min(self.fewest_small, self.factor.small)
        self.near_singular_since |= self.factor.small > self.fewest_small

    def complete_reactions(self) -> None:
        """After an evaluation, for output: multipliers of redundant rows that do not depend on the axes of joints."""
        if self.factor.regular or not self.factor.finite or self.penalised or not len(self.active):
            return
        space = self.program.space
        self.factor.alike = self.constraint_of_row
        self.factor.linear = np.any(self.jacobian[:, :, space.linear] != 0, axis=(1, 2))
        moments = self.bodies.arguments[2][:, [9] if self.V == 3 else [1, 5, 9]]  # diagonal of J'
        turning = np.append(1 / np.mean(moments, axis=1), 0.0)
        sizes = np.sum(self.jacobian[:, :, space.angular] ** 2, axis=2)
        self.factor.turning = np.sum(turning[self.row_bodies] * sizes, axis=1)
        self.factor.factorise()
        self._solve()
        self.factor.alike = None

    def apply_forces(self, t: float) -> None:
        self.force[:-1] = self.bodies.results["body"][2]
        for group in self.forces:
            group.gather(t + self.inputs.origin, self.records, self.inputs.values, self.counted)
            wrench = group.batch("wrench")[0].reshape(*group.acting.shape, self.V)
            np.add.at(self.force, group.acting, wrench)
        self.force[-1] = 0.0
        self.applied = self.force.copy()

    # -- linear algebra

    def over_mass(self, force: np.ndarray) -> np.ndarray:
        """M^-1 times a force on each body."""
        return np.einsum("bij,bj->bi", self.inverse_mass, force)

    def transposed(self, multipliers: np.ndarray) -> np.ndarray:
        """G^T lambda of the active rows, for each body."""
        return (self.G_transposed @ np.where(self.active, multipliers, 0.0)).reshape(-1, self.V)

    def along_rows(self, motion: np.ndarray) -> np.ndarray:
        """G times a motion of each body, for all rows."""
        return self.G @ motion.ravel()

    def times_s(self, multipliers: np.ndarray) -> np.ndarray:
        """S lambda; 0 for rows that are not active."""
        return np.where(self.active, self.along_rows(self.over_mass(self.transposed(multipliers))), 0.0)

    def speeds(self) -> np.ndarray:
        """G v - nu of all rows, with the velocities in the records."""
        return self.along_rows(self.records[:, self.twist :]) - self.nu

    def feedback(self) -> tuple[float, float]:
        """Factors of G v - nu and of g by which the stabilisation changes the accelerations."""
        s = self.stabilisation
        if s.method == "baumgarte":
            return 2 * s.alpha, s.beta**2
        if s.method == "augmented_lagrangian":
            return 2 * s.omega * s.mu, s.omega**2
        return 0.0, 0.0

    def wanted_accelerations(self) -> np.ndarray:
        """What G a shall be: gamma, and the feedback of the stabilisation."""
        damping, stiffness = self.feedback()
        if not damping and not stiffness:
            return self.gamma
        return self.gamma - damping * self.speeds() - stiffness * np.where(self.of_position, self.g, 0.0)

    def solve_for_force(self) -> None:
        """a = M^-1 (f - G^T lambda) with G a as wanted, for the forces at hand."""
        free = self.over_mass(self.force)
        right = np.where(self.active, self.along_rows(free) - self.wanted_accelerations(), 0.0)
        self.multipliers = self._iterate(right) if self.penalised else self.factor.solve(right)
        self.acceleration = free - self.over_mass(self.transposed(self.multipliers))

    def is_held(self, row: int) -> bool:
        """Whether a row that is not active is held by those that are: whether a force along it moves nothing there."""
        force = np.zeros_like(self.force)
        np.add.at(force, self.row_bodies[row], self.jacobian[row])
        force[-1] = 0.0
        free = self.over_mass(force)
        right = np.where(self.active, self.along_rows(free), 0.0)
        multipliers = self._iterate(right) if self.penalised else self.factor.solve(right)
        moved = free - self.over_mass(self.transposed(multipliers))
        return bool(abs(self.along_rows(moved)[row]) < 1e-6 * self.along_rows(free)[row])

    def _iterate(self, right: np.ndarray) -> np.ndarray:
        """Multiplier iteration of the penalty method (Bai, eq. 1.18).

        With (M + G^T penalty G)^-1 written through S + 1/penalty it is lambda += (S + 1/penalty)^-1 (right - S lambda).
        """
        multipliers = np.zeros_like(right)
        for _ in range(self.stabilisation.iterations):
            change = self.factor.solve(right - self.times_s(multipliers))
            multipliers = multipliers + change
            if np.abs(change).max(initial=0) <= self.stabilisation.tolerance * np.abs(multipliers).max(
                initial=0
            ):
                break
        return multipliers

    def caps(self) -> np.ndarray:
        """Sizes from which on entries count as no larger, for the errors of steps: one radian for angles."""
        out = np.full(self.n, np.inf)
        if self.Q == self.V:
            out[2 : self.nq : self.Q] = 1.0
        return out

    # -- motions

    def moved(self, y: np.ndarray, step: np.ndarray) -> np.ndarray:
        """The state after a small motion of each body (world axes)."""
        self._moved.arguments[0][:] = y[: self.nq].reshape(self.count, self.Q)
        self._moved.arguments[1][:] = step[:-1]
        return np.concatenate([self._moved("moved")[0].ravel(), y[self.nq :]])

    def normalised(self, y: np.ndarray) -> np.ndarray:
        """The state with Euler parameters of length 1."""
        y = y.copy()
        if self.Q == self.V:  # in the plane there are none
            return y
        e = y[: self.nq].reshape(self.count, self.Q)[:, 3:]
        e /= np.sqrt(np.einsum("bi,bi->b", e, e))[:, None]
        return y
