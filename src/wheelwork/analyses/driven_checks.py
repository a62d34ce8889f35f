"""What a driven motion is checked for on its way: singular positions, and where it locks."""

from __future__ import annotations

import numpy as np

from wheelwork.engine.engine import Engine
from wheelwork.engine.outcome import RunReport
from wheelwork.lazy import dataclass, scipy
from wheelwork.system.motion import Motion
from wheelwork.system.signals import SignalCatalogue

from .rank import scaled_jacobian

ROUNDS = 8
"""Of inverse iteration."""


@dataclass(frozen=True)
class KinematicReport(RunReport):
    """How a driven motion ended; `detail` says what was found."""

    detail: str = ""

    @property
    def text(self) -> str:
        base = f"t = {self.t:.6g} s: " + ("reached the end" if self.outcome.good else "")
        return base + self.detail


class SingularityMeasure:
    """The smallest singular value of the scaled Jacobian at one position after the other.

    With every freedom driven, the rows of a sound position span all velocities, however many of them are redundant;
    the least of nv singular values goes to zero where they do not. It comes from inverse iteration on G^T G with a
    sparse LU factorisation, which for some hundred rows is much less work than all singular values. From above it is
    right to a few percent, and exact where it is small against the next: good enough to see where it dips.
    """

    def __init__(self, engine: Engine):
        self.engine = engine
        # the same for every position, and without symmetries, which might leave out the direction that matters
        start = np.random.default_rng(0).normal(size=engine.program.nv)
        self._start = start / np.linalg.norm(start)

    def __call__(self, t: float, state: np.ndarray) -> float:
        G = scipy.sparse.csc_matrix(scaled_jacobian(self.engine, t, state))
        try:
            factor = scipy.sparse.linalg.splu(scipy.sparse.csc_matrix(G.T @ G))
        except RuntimeError:  # exactly singular
            return 0.0
        x, size = self._start, 1.0
        for _ in range(ROUNDS):
            x = factor.solve(x)
            size = float(np.linalg.norm(x))
            if not np.isfinite(size):
                return 0.0
            x = x / size
        return 1 / np.sqrt(size)


# -- where a mechanism cannot follow its drivers any further: how far a driver came, and where the bodies are


BODIES = 8
"""Bodies that are named with their positions at most."""


def driver_position(motion: Motion, driver: str) -> str:
    """The value that a driver has reached, with its unit."""
    use = motion.program.constraints[motion.program.driver_constraints[driver]]
    unit = "rad" if use.kernel.row_names[0] == "angle" else "m"
    return f"{motion.inputs[0, use.input, 0]:.6g} {unit}"


def body_positions(motion: Motion) -> str:
    """Where the bodies are: `crank at (0.05, 0) m, 0.3 rad; ...`; of rotors the angle alone."""
    signals, parts = SignalCatalogue(motion.program).signals, []
    for name in motion.program.bodies[:BODIES]:
        where = []
        if f"{name}.position" in signals:
            x = signals[f"{name}.position"].compute(motion)[0]
            where.append(f"({', '.join(f'{_clean(c):.6g}' for c in x)}) m")
        if f"{name}.angle" in signals:
            where.append(f"{_clean(signals[f'{name}.angle'].compute(motion)[0]):.6g} rad")
        parts.append(f"{name} at {', '.join(where)}")
    more = len(motion.program.bodies) - BODIES
    return "; ".join(parts) + (f"; and {more} more bodies" if more > 0 else "")


def _clean(value: float) -> float:
    """Zero for what is rounding."""
    return 0.0 if np.abs(value) < 1e-9 else float(value)
