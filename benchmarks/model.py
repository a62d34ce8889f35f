"""The spatial revolute chain as a description."""

from __future__ import annotations

import wheelwork as ww

GRAVITY = (0.0, 3.0, -9.81)
INERTIA = (0.01, 1 / 12 + 0.005, 1 / 12 + 0.005)
END_TIME = 1.0


def describe(n: int) -> ww.Mechanism:
    """The chain of n rods."""
    chain = ww.Mechanism(f"chain of {n}", gravity=GRAVITY)
    for k in range(n):
        chain.add(f"rod{k}", ww.Body(mass=1, inertia=INERTIA, center_of_mass=(0.5, 0, 0), position=(k, 0, 0)))
    for k in range(n):
        pair = (f"rod{k - 1}" if k else "ground", f"rod{k}")
        axis = (0, 0, 1) if k % 2 else (0, 1, 0)
        chain.add(f"joint{k}", ww.Revolute(bodies=pair, point=(k, 0, 0), axis=axis))
    return chain
