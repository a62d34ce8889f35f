"""Where a mechanism cannot follow its drivers any further: how far a driver came, and where the bodies are."""

from __future__ import annotations

import numpy as np

from wheelwork.system.motion import Motion
from wheelwork.system.signals import SignalCatalogue

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
