"""What each element stores and dissipates in modes.

An element answers small motions x = N eta, dv = N eta' + U eta (U: `speeds`) with -(K_e x + C_e dv): its parts of the
equations are K_e N + C_e U and C_e N. What is left of the stiffness is of the inertia of bodies in motion, as seen
from axes that turn: M (R - W) R.
"""

from __future__ import annotations

import numpy as np

from wheelwork.system.attitude import skew

from ..linear_equations import Linearised
from ..small_motions import of_bodies
from ..tangents import tangent_parts, turning_frame

ROUND_OFF = 1e-13
"""Of the largest strain energy: what loads that are zero but for round-off store is left out."""


def element_energies(
    linear: Linearised, values: np.ndarray, vectors: np.ndarray
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """By element, for all modes: X* K_e X, and what it adds to the damping ratio, to first order.

    With i omega of the undamped problem: zeta_e = (X* C_e X + Im(X* K_e X)/omega)/(2 n), n = omega + Im(X* C X)/2 with
    the gyroscopic part of C.
    """
    X = np.hstack([linear.basis, linear.ways]) @ vectors
    U = np.hstack([linear.speeds, linear.way_speeds]) @ vectors
    strain: dict[str, np.ndarray] = {}
    damping: dict[str, np.ndarray] = {}
    none = np.zeros(X.shape[1])
    omega = np.where(np.imag(values) != 0, np.imag(values), np.inf)
    freedoms = vectors[: len(linear.C)]
    spinning = np.imag(np.sum(freedoms.conj() * ((linear.C - linear.C.T) / 2 @ freedoms), axis=0))
    rate = omega + (0.0 if linear.ways.shape[1] else spinning / 2)
    if np.any(linear.turning) and not linear.ways.shape[1]:
        M, W, _ = turning_frame(linear.held)
        R = of_bodies(linear.held, [skew(w) for w in linear.turning])
        strain["motion (load)"] = np.real(np.sum(X.conj() * (M @ (R - W) @ R @ X), axis=0))
    for part in tangent_parts(linear.held.motion, linear.teeth):
        left, right = X[part.rows].conj(), X[part.columns]
        stiff = np.sum(left * (part.K @ right + part.C @ U[part.columns]), axis=0)
        if np.any(part.K) or np.any(part.C @ U[part.columns]):
            name = f"{part.element or 'motion'} (load)" if part.load else part.element
            strain[name] = strain.get(name, none) + np.real(stiff)
        if part.element and np.any(part.C):
            lost = np.real(np.sum(left * (part.C @ right), axis=0)) + np.imag(stiff) / omega
            damping[part.element] = damping.get(part.element, none) + lost / (2 * rate) * np.sign(omega)
    least = ROUND_OFF * max((float(np.max(np.abs(v), initial=0.0)) for v in strain.values()), default=0.0)
    loaded = {name: v for name, v in strain.items() if "(load)" not in name or np.any(np.abs(v) > least)}
    return loaded, damping
