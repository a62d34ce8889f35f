r"""Downhill to a balance of forces in steps that neither stiff teeth nor free play throw off.

Compliant teeth are stiff, and without any stiffness inside their backlash: Newton's method does not see a flank that
it has not reached, and one that it has jumped into throws it back. In mass-normalised coordinates of the free motions,
with K the stiffness at the present position (its symmetric part, eigenvalues k_i and vectors x_i) and f the forces:

    step = sum of x_i f_i/|k_i|,   each part moving teeth on teeth by no more than a tenth of a pitch      (1)

Turning negative k_i round makes every part go with its force, so the step goes downhill, also where K is that of free
play (k_i = 0) or of an unstable position. Along the step, phi(s) = f(s) . step falls; where it changes sign before the
end (a flank was met) the place of its zero is found, as far as the tooth, not beyond. Springs with play are piecewise
linear, so that (1) ends after few steps; near the end it is Newton's method.

Sources: modified Newton steps by the absolute values of eigenvalues, J. Nocedal, S. J. Wright, Numerical Optimization,
2006, sec. 3.4; zero by the Illinois variant of regula falsi, M. Dowell, P. Jarratt, BIT 11, 1971.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from wheelwork.elements.meshes.teeth.mesh_force import MeshForce
from wheelwork.equations.frames import MARKER_RECORD
from wheelwork.equations.mesh_equations import mesh_equations
from wheelwork.lazy import dataclass
from wheelwork.system.motion import Motion, evaluate

from .prepare import Prepared

STEPS = 200
SHARE = 0.1
"""Longest step, in pitches by which teeth move on each other: no tooth is stepped over."""
TURN = 0.2
"""Longest step, in radians by which a body turns."""
SMALL = 1e-9
"""A step that is so small beside the longest, and makes nothing better, is round-off."""
NUDGE = 1e-7
"""m or rad by which bodies are moved to see how teeth move on each other."""


class Slope(Protocol):
    """What is to be balanced."""

    def forces(self, y: np.ndarray) -> np.ndarray:
        """(V bodies) at a state: what small motions are driven by."""
        ...

    def unrest(self, y: np.ndarray, forces: np.ndarray) -> float:
        """How far a state is from balance."""
        ...

    def stiffness(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n, n) at a state, and the motions of unit mass (V bodies, n) that it is of."""
        ...

    def moved(self, y: np.ndarray, step: np.ndarray) -> np.ndarray | None:
        """The state after a step; None where there is none."""
        ...


@dataclass(frozen=True)
class Teeth:
    """A mesh whose teeth are a force: its index among the forces, its pitch [m], and the signals that tell how far the
    teeth are from each other."""

    force: int
    pitch: float
    places: list[int]


def meshes(prepared: Prepared) -> list[Teeth]:
    """Those of a mechanism."""
    program, data, found = prepared.program, prepared.numbers.data, []
    for index, use in enumerate(program.forces):
        kernel = use.kernel
        if not isinstance(kernel.equations, MeshForce):
            continue
        extras = mesh_equations(kernel.options[0]).extras
        pitch = data[use.data + 2 * MARKER_RECORD + extras.index("pitch")]
        # the first of a kernel's signals is the stored energy, which has no name
        places = [
            1 + kernel.signal_names.index(name)
            for name in ("transmission_error", "gap")
            if name in kernel.signal_names
        ]
        found.append(Teeth(index, abs(float(pitch)), places))
    return found


def descend(
    slope: Slope, prepared: Prepared, t: float, y: np.ndarray, tolerance: float, teeth: list[Teeth]
) -> np.ndarray | None:
    """A state whose unrest is within `tolerance`, or as small as round-off lets it be; None where none is found."""
    state = best = np.array(y)
    last, small = np.inf, False
    for _ in range(STEPS):
        present = slope.forces(state)
        unrest = slope.unrest(state, present)
        if unrest <= tolerance:
            return state
        if small and unrest >= last:
            return best
        best, last = state, unrest
        K, basis = slope.stiffness(state)
        if not len(K):
            return None
        stiffness, vectors = np.linalg.eigh((K + K.T) / 2)
        motions = basis @ vectors
        forces = motions.T @ present
        floor = 1e-12 * max(1.0, float(np.abs(stiffness).max()))
        parts = forces / np.maximum(np.abs(stiffness), floor)
        most = _reach(prepared, t, state, motions, teeth)
        small = bool(np.all(np.abs(parts) < SMALL * most))
        parts = np.clip(parts, -most, most)
        moved = _along(slope, state, motions @ parts, float(forces @ parts))
        if moved is None:
            return None
        state = moved
    return None


def _along(slope: Slope, y: np.ndarray, step: np.ndarray, start: float) -> np.ndarray | None:
    """To the end of the step, or to where the force along it changes sign."""

    def phi(share: float) -> tuple[float, np.ndarray | None]:
        state = slope.moved(y, share * step)
        return (np.nan, None) if state is None else (float(step @ slope.forces(state)), state)

    value, state = phi(1.0)
    if state is None or value > -0.5 * start:
        return state
    low, high, phi_low, phi_high = 0.0, 1.0, start, value
    for _ in range(60):
        share = (low * phi_high - high * phi_low) / (phi_high - phi_low)
        value, state = phi(share)
        if state is None or abs(value) <= 0.1 * start:
            return state
        if value > 0:
            low, phi_low, phi_high = share, value, phi_high / 2
        else:
            high, phi_high, phi_low = share, value, phi_low / 2
    return state


def _reach(
    prepared: Prepared, t: float, y: np.ndarray, motions: np.ndarray, teeth: list[Teeth]
) -> np.ndarray:
    """How far each motion may go in one step."""
    program = prepared.program
    turns = np.array([program.largest_turn(motion) for motion in motions.T])
    size = NUDGE / np.abs(motions).max(axis=0)
    states = [y, *(program.displaced(y, h * motion) for h, motion in zip(size, motions.T, strict=True))]
    motion = Motion.at_moment(program, prepared.numbers, t, np.array(states))
    most = TURN / np.maximum(turns, 1e-300)
    for mesh in teeth:
        signals = evaluate(program.forces[mesh.force].kernel.signals, motion.force_arguments(mesh.force))[0]
        for place in mesh.places:
            moved = np.abs(signals[place, 1:] - signals[place, 0])
            moved = np.where(moved > mesh.pitch / 4, 0.0, moved)  # from one tooth to the next
            most = np.minimum(most, SHARE * mesh.pitch * size / np.maximum(moved, 1e-300))
    return most
