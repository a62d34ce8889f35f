"""Settings of one integration, in the engine's terms."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class RunOptions:
    """Settings of one integration; SI units."""

    end: float
    start: float = 0.0
    method: str = "dopri5"
    step: float | None = None
    rtol: float = 1e-8
    atol: float = 1e-10
    max_steps: int = 10_000_000
    stabilisation: str = "projection"
    stabilisation_values: tuple[float, ...] = (0.0,) * 6
    """alpha, beta, penalty, omega, mu, tolerance."""
    stabilisation_iterations: int = 0
    projection_tolerance: float = 1e-11
    event_tolerance: float = 1e-10
    smallest_step: float = 1e-13
    largest_step: float = math.inf
    store_steps: bool = False
