r"""Downhill to an equilibrium in steps that neither stiff teeth nor free play throw off.

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

import numpy as np

from wheelwork.elements.meshes.teeth.mesh_force import MeshForce
from wheelwork.equations.frames import MARKER_RECORD
from wheelwork.equations.mesh_equations import mesh_equations
from wheelwork.lazy import dataclass
from wheelwork.system.matrices import mass_matrix
from wheelwork.system.motion import Motion, evaluate

from .assemble import POSITION_TOLERANCE, Assembled
from .linear_equations import linearised
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


def descend(at: Assembled, y: np.ndarray, tolerance: float, teeth: list[Teeth]) -> np.ndarray | None:
    """A state at rest whose accelerations are within `tolerance`, or as small as round-off lets them be; None where
    none is found.
    """
    prepared, state = at.prepared, np.array(y)
    best, last = state, np.inf
    small = False
    for _ in range(STEPS):
        acceleration = _accelerations(at, state)
        unrest = float(np.abs(acceleration).max(initial=0.0))
        if unrest <= tolerance:
            return state
        if small and unrest >= last:
            return best
        best, last = state, unrest
        linear = linearised(Assembled(prepared, state, [], at.t), statics=True)
        if not len(linear.K):
            return None
        stiffness, vectors = np.linalg.eigh((linear.K + linear.K.T) / 2)
        motions = linear.basis @ vectors
        forces = motions.T @ mass_times(prepared, state, acceleration)
        floor = 1e-12 * max(1.0, float(np.abs(stiffness).max()))
        parts = forces / np.maximum(np.abs(stiffness), floor)
        most = _reach(at, state, motions, teeth)
        small = bool(np.all(np.abs(parts) < SMALL * most))
        parts = np.clip(parts, -most, most)
        moved = _along(at, state, motions @ parts, float(forces @ parts))
        if moved is None:
            return None
        state = moved
    return None


def _along(at: Assembled, y: np.ndarray, step: np.ndarray, start: float) -> np.ndarray | None:
    """To the end of the step, or to where the force along it changes sign."""

    def phi(share: float) -> tuple[float, np.ndarray | None]:
        moved, done = at.prepared.engine.project(
            at.t, at.prepared.program.displaced(y, share * step), POSITION_TOLERANCE, 30
        )
        if not done:
            return np.nan, None
        state = at_rest(at, moved)
        return float(step @ mass_times(at.prepared, state, _accelerations(at, state))), state

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


def at_rest(at: Assembled, y: np.ndarray) -> np.ndarray:
    """The same position without velocities."""
    out, program = np.array(y), at.prepared.program
    out[program.nq : program.nq + program.nv] = 0.0
    return out


def _accelerations(at: Assembled, y: np.ndarray) -> np.ndarray:
    return at.prepared.engine.derivative(at.t, y)[1]


def mass_times(prepared: Prepared, y: np.ndarray, a: np.ndarray) -> np.ndarray:
    return mass_matrix(prepared.program, prepared.numbers, y) @ a


def _reach(at: Assembled, y: np.ndarray, motions: np.ndarray, teeth: list[Teeth]) -> np.ndarray:
    """How far each motion may go in one step."""
    program = at.prepared.program
    turns = np.array([program.largest_turn(motion) for motion in motions.T])
    size = NUDGE / np.abs(motions).max(axis=0)
    states = [y, *(program.displaced(y, h * motion) for h, motion in zip(size, motions.T, strict=True))]
    motion = Motion.at_moment(program, at.prepared.numbers, at.t, np.array(states))
    most = TURN / np.maximum(turns, 1e-300)
    for mesh in teeth:
        signals = evaluate(program.forces[mesh.force].kernel.signals, motion.force_arguments(mesh.force))[0]
        for place in mesh.places:
            moved = np.abs(signals[place, 1:] - signals[place, 0])
            moved = np.where(moved > mesh.pitch / 4, 0.0, moved)  # from one tooth to the next
            most = np.minimum(most, SHARE * mesh.pitch * size / np.maximum(moved, 1e-300))
    return most
