"""Small mechanisms to take kernels and numbers from."""

from typing import Any

import casadi as ca
import numpy as np
from scipy.spatial.transform import Rotation

import wheelwork as ww
from wheelwork.description import flatten
from wheelwork.equations.frames import BODY_RECORD
from wheelwork.system.build import build
from wheelwork.system.program import Numbers, Program

GROUND = np.concatenate([np.zeros(3), np.eye(3).ravel(), np.zeros(6)])


def program_of(mechanism: ww.Mechanism) -> Program:
    return build(flatten(mechanism))


def orientation(rng: np.random.Generator) -> ww.Orientation:
    return ww.Orientation(rotation_vector=tuple(Rotation.random(random_state=rng).as_rotvec()))


def point(rng: np.random.Generator) -> tuple[float, ...]:
    return tuple(0.5 * rng.normal(size=3))


def body(rng: np.random.Generator, **fields: Any) -> ww.Body:
    """A body with everything that can be other than zero."""
    given = {
        "mass": rng.uniform(1, 3),
        "inertia": tuple(rng.uniform(1, 1.5, size=3)),
        "center_of_mass": point(rng),
        "position": tuple(rng.normal(size=3)),
        "orientation": orientation(rng),
        "velocity": tuple(rng.normal(size=3)),
        "angular_velocity": tuple(rng.normal(size=3)),
    }
    return ww.Body(**(given | fields))


def two_bodies(rng: np.random.Generator, **fields: Any) -> ww.Mechanism:
    """Bodies `one`, `two`, `three`, and a cylindrical joint `slide` between the first two."""
    m = ww.Mechanism("two bodies", **fields)
    for name in ("one", "two", "three"):
        m.add(name, body(rng))
    axis = tuple(rng.normal(size=3))
    m.add("slide", ww.Cylindrical(bodies=("one", "two"), point=point(rng), axis=axis))
    return m


class ForceAt:
    """One force of a program, evaluated at body records of choice."""

    def __init__(self, program: Program, name: str, numbers: Numbers | None = None):
        self.use = next(use for use in program.forces if use.name == name)
        self.kernel = self.use.kernel
        numbers = program.numbers() if numbers is None else numbers
        size = self.kernel.wrench.size1_in(len(self.use.bodies))
        self.data = numbers.data[self.use.data : self.use.data + size]
        self.bodies = self.use.bodies

    def arguments(
        self, records: list[np.ndarray], turns: float = 0.0, t: float = 0.0, u: Any = ()
    ) -> list[ca.DM]:
        here = [GROUND if body < 0 else records[body] for body in self.bodies]
        counts = np.full(len(self.use.turns), turns)
        return [
            *(ca.DM(record) for record in here),
            ca.DM(self.data),
            ca.DM(list(u)),
            ca.DM(counts),
            ca.DM(t),
        ]

    def wrenches(self, records: list[np.ndarray], **more: Any) -> np.ndarray:
        """(acting bodies, 6)."""
        (column,) = self.kernel.wrench.call(self.arguments(records, **more))
        return np.array(column).reshape(-1, 6)

    def signals(self, records: list[np.ndarray], **more: Any) -> dict[str, float]:
        (column,) = self.kernel.signals.call(self.arguments(records, **more))
        return dict(zip(["potential", *self.kernel.signal_names], np.array(column).ravel(), strict=True))

    def jacobian(self, records: list[np.ndarray], **more: Any) -> np.ndarray:
        """(6 acting, 12 seen)."""
        return np.array(self.kernel.jacobian.call(self.arguments(records, **more))[0])

    def power(self, records: list[np.ndarray], **more: Any) -> float:
        """Of the wrenches on all moving bodies."""
        pairs = zip(self.bodies, self.wrenches(records, **more), strict=False)
        return sum(float(wrench @ records[body][12:]) for body, wrench in pairs if body >= 0)

    def potential_rate(self, records: list[np.ndarray], **more: Any) -> float:
        """Derivative of the stored energy along the motion, exactly, by CasADi."""
        function, arguments = self.kernel.signals, self.arguments(records, **more)
        symbols = [ca.SX.sym(f"x{k}", *function.size_in(k)) for k in range(function.n_in())]
        frames = symbols[: len(self.bodies)]
        rates = []
        for record in arguments[: len(self.bodies)]:
            r = np.array(record).ravel()
            spin = np.cross(np.eye(3), r[15:18])  # the matrix w~
            rates.append(np.concatenate([r[12:15], (spin @ r[3:12].reshape(3, 3)).ravel(), np.zeros(6)]))
        assert all(len(rate) == BODY_RECORD for rate in rates)
        potential = function.call(symbols)[0][0]
        rate = ca.jtimes(potential, ca.vertcat(*frames), ca.DM(np.concatenate(rates)))
        return float(ca.Function("rate", symbols, [rate]).call(arguments)[0])
