"""Linear equations of small motion about a state.

With a basis N of the motions that the constraints leave free (columns of length 1 in the metric of the mass
matrix), small motions N eta obey  M eta'' + C eta' + K eta = 0, where M = N^T M N = 1, C = -N^T (df/dv) N and K
= N^T (-df/dq + d(M a)/dq + d(G^T lambda)/dq) N: the last term is the stiffness that loaded joints have. All
derivatives are exact (differentiated expressions). In motion each body is seen from axes from which the motion is
steady, so that these are constant (:mod:`.frames`, :mod:`.small_motions`): the world where that will do, as for rotors
on fixed axes, or a carrier; a motion that is steady from nowhere is refused.

Forces act on eta through Z^T in place of N^T where ideal teeth press their wheels apart (:mod:`.free_motions`).

Rolling bodies (rows of speeds without positions) have further coordinates in motion, zeta: paths that they leave
only in the end, as sideways by steering. They are states with rates of their own, :mod:`.steady_rolling`; at rest
they stay.

States z of controllers and filters (:mod:`.control_states`) join the equations: eta'' has the further term
Z^T (df/dz) z, and z' = dh/dq x + dh/dv dv + dh/dz z with the changes x of positions and dv of speeds, dv = N eta' +
(R - W) N eta for a body that turns (:mod:`.small_motions`). Where h reads reactions or accelerations, what these
change by comes from the equations of motion beside the state, by differences (:mod:`.along_motions`).

Clutches, dogs and brakes that hold at the state are joints (:mod:`.closed`); dry friction of what slips is left out.
Teeth whose stiffness varies over the mesh cycle count with their mean (:mod:`.mesh_cycle`).
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from wheelwork.lazy import dataclass

from .along_motions import by_position, by_state, by_velocity
from .assemble import Assembled
from .closed import Closed, Condition, closed_at
from .control_states import ControlStates, control_states
from .frames import names_of
from .mesh_cycle import MeanTeeth, mesh_cycle
from .small_algebra import by_one_blas_thread
from .small_motions import SmallMotions, small_motions
from .state_matrix import Coupling, spectrum, state_matrix
from .steady_rolling import about_steady_rolling, rolls_on


@dataclass(frozen=True)
class Linearised(SmallMotions):
    """Small motions about a state: eta'' + C eta' + K eta = 0 in coordinates of unit mass."""

    at: Assembled = field(repr=False)
    """The state about which it moves."""
    control: ControlStates = field(repr=False)
    """States z of integrators, controllers and filters."""
    by_rate: np.ndarray = field(repr=False)
    """dz'/d eta', (states, freedoms)."""
    change: float = field(repr=False)
    """By what part the equations change while the fastest body turns by 1 rad; 0 at rest."""
    held: Assembled = field(repr=False)
    """`at` with what is closed as joints, which the equations are made from; not to be integrated."""
    locking: dict[str, Condition]
    """`closed`, `slipping` or `open`, of each clutch, brake, one-way clutch, synchroniser ... by name."""
    left_out: tuple[str, ...]
    """Joints, meshes and ratios with dry friction, which is not in the equations."""
    teeth: MeanTeeth
    """How teeth count whose stiffness varies over the mesh cycle: with its mean, or at one phase (`teeth.phases`)."""
    from_world: bool = False
    """Whether modes are told with the frequencies that the world sees, although their axes turn."""

    def __repr__(self) -> str:
        name, states = self.at.prepared.program.flat.name, self.own.shape[0]
        control = f", {states} states of its control" if states else ""
        what = f"{len(self.K)} coordinates{control}, seen from {self.frame}"
        return f"<linear equations of {name or 'a mechanism'}: {what}; matrices C and K>"

    @property
    def closed(self) -> tuple[str, ...]:
        """Clutches, dogs, brakes that hold at the state: small motions see them as joints."""
        return tuple(name for name, condition in self.locking.items() if condition == "closed")

    @property
    def slipping(self) -> tuple[str, ...]:
        """Those that slip at the state, or would from there on: their friction is not in the equations."""
        return tuple(name for name, condition in self.locking.items() if condition == "slipping")

    @property
    def seen_from(self) -> dict[str, str]:
        """By body: what turns as the axes do from which it is seen: `world`, or a body."""
        return dict(zip(self.at.prepared.program.bodies, names_of(self.at, self.turning), strict=True))

    @property
    def frame(self) -> str:
        """The same in words: `world`, `carrier`, `carrier (sun, planet1), world (motor)`."""
        groups: dict[str, list[str]] = {}
        for body, name in self.seen_from.items():
            groups.setdefault(name, []).append(body)
        own = {name: "each its own" for name in groups if groups[name] == [name]}
        told = (f"{name} ({', '.join(bodies)})" for name, bodies in groups.items() if name not in own)
        if len(groups) < 2:
            return next(iter(groups), "world")
        return ", ".join([*told, *([f"each its own ({', '.join(own)})"] if own else [])])

    @property
    def assumptions(self) -> list[tuple[str, str]]:
        """What clutches, dry friction and teeth count as, to print: a word, and names."""
        groups = {
            "closed, as joints": self.closed,
            "slipping, without friction": self.slipping,
            "open": tuple(name for name, condition in self.locking.items() if condition == "open"),
            "friction left out": self.left_out,
        }
        told = [(words, ", ".join(names)) for words, names in groups.items() if names] + self.teeth.words
        turns = [("steady as seen from", self.frame)] if np.any(self.turning) else []
        return [*turns, *([("frequencies", "as the world sees them")] if self.from_world else []), *told]

    @property
    def states(self) -> tuple[str, ...]:
        """Names of z, in the order of `A` after (eta, eta'); of the path coordinates of rolling bodies too: `way.1`."""
        return *self.control.names, *(f"way.{k + 1}" for k in range(self.ways.shape[1]))

    @property
    def A(self) -> np.ndarray:
        """State matrix of (eta, eta', z)."""
        return state_matrix(self.C, self.K, self.coupling)

    @property
    def coupling(self) -> Coupling:
        """Of the states with the motion, as `state_matrix` takes it."""
        return self.B, self.by_eta, self.by_rate, self.own

    @property
    def eigenvalues(self) -> np.ndarray:
        """1/s, sorted by size; positive real part: the motion grows."""
        values = spectrum(self.A) if self.ways.shape[1] else np.linalg.eigvals(self.A)
        return values[np.argsort(np.abs(values) + 1e-9 * np.imag(values))]

    @property
    def frequencies(self) -> np.ndarray:
        """Natural frequencies without damping, states of a control held (Hz); unstable ones are left out. Of rolling
        bodies in motion, in which nothing can be held, those of the eigenvalues."""
        if self.ways.shape[1]:
            turning = np.imag(self.eigenvalues)
            return np.sort(turning[turning > 0]) / (2 * np.pi)
        squares = np.real(np.linalg.eigvals(self.K))
        squares = np.sort(squares[squares > 0])
        return np.sqrt(squares) / (2 * np.pi)

    @property
    def stable(self) -> bool:
        """Whether no small motion grows."""
        scale = max(1.0, float(np.max(np.abs(self.eigenvalues), initial=0.0)))
        return bool(np.all(np.real(self.eigenvalues) < 1e-8 * scale))


@by_one_blas_thread
def linearised(
    point: Assembled,
    at_phase: float | None = None,
    statics: bool = False,
    turning: np.ndarray | None = None,
    basis: np.ndarray | None = None,
) -> Linearised:
    """statics: as equilibria see it: what locks and holds at the state is open, teeth are as they stand.

    turning, basis: of the axes from which bodies are seen, and the motions to use, as `small_motions` takes them.
    """
    closed = Closed(point, {}, ()) if statics else closed_at(point)
    at = closed.at
    teeth = MeanTeeth() if statics else mesh_cycle(at, at_phase)
    control = control_states(at.motion)
    rolls = rolls_on(at)
    small = about_steady_rolling(at, point, at_phase) if rolls else small_motions(at, turning, basis, teeth)
    by_eta = control.by_position @ small.basis + control.by_velocity @ small.speeds
    by_rate, own = control.by_velocity @ small.basis, control.own
    by_way = control.by_position @ small.ways + control.by_velocity @ small.way_speeds
    if control.by_measured.any():
        H, read = control.by_measured, lambda motion: motion.measured[:, 0]
        by_eta = by_eta + H @ teeth.mean(at, lambda at: by_position(at, read, small.basis, small.speeds))
        by_rate = by_rate + H @ teeth.mean(at, lambda at: by_velocity(at, read, small.basis))
        by_way = by_way + H @ teeth.mean(at, lambda at: by_position(at, read, small.ways, small.way_speeds))
        own = own + H @ teeth.mean(at, lambda at: by_state(at, read, control.places))
    still = np.zeros((small.ways.shape[1], len(control)))
    coupled: dict[str, Any] = {
        "B": np.hstack([small.left.T @ control.force, small.B]),
        "by_eta": np.vstack([by_eta, small.by_eta]),
        "own": np.block([[own, by_way], [still, small.own]]),
    }
    return Linearised(
        **vars(small) | coupled,
        at=point,
        control=control,
        by_rate=np.vstack([by_rate, np.zeros_like(small.by_eta)]),
        change=0.0,
        held=at,
        locking=closed.locking,
        left_out=closed.left_out,
        teeth=teeth,
    )
