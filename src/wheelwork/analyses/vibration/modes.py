"""Modes of vibration about an operating point.

From the linear equations eta'' + C eta' + K eta = 0 (`linearise`; eta have unit mass, the motion of all bodies is
x = N eta):

    undamped   (K + omega^2 ... ) without dissipation, see `eigen`; shape X with X* M X = 1
    damped     lambda = -zeta omega_n +- i omega_d of the whole problem
    kinetic energy of body k      m_k |x_k|^2 + theta_k* J_k theta_k        (parts of X* M X = 1)
    strain energy of element e    X* K_e X, over the sum of all             (K = sum of K_e; see `tangent_parts`)
    damping by element            zeta_e = X* C_e X/(2 omega)               (first order in the damping)
    effective mass along d        |sum_k m_k d.x_k|^2/sum_k m_k             (base excitation)
    whirl of the orbits           -Im(conj(x) cross x).w, by body, over |x|^2 |w|, weighed by mass; rotations with J
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.analyses.vibration.files import Saved, modes_dataset
from wheelwork.description import Description
from wheelwork.lazy import figures
from wheelwork.notebook import grid

from ..assemble import Assembled
from ..kinks import check_smooth
from ..linear_equations import Linearised
from ..linearise import about_motion
from ..operating_point import operating_point
from ..prepare import Prepared
from ..small_algebra import by_one_blas_thread
from .eigen import eigen, rolling_eigen
from .energies import element_energies
from .mode import Mode
from .planets import Stage, kind_of, shares, stages
from .seen import from_the_world, lines_of, tell_apart, whirl

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure


MOST_SHOWN = 12
"""Modes that a notebook lists."""


@dataclass(frozen=True)
class Modes(Saved):
    """All modes about an operating point, by frequency: `modes[0]`, `modes.frequencies`, `for mode in modes`."""

    linear: Linearised = field(repr=False)
    """The linear equations."""
    bodies: tuple[str, ...]
    all: tuple[Mode, ...] = field(repr=False)
    stages: tuple[Stage, ...] = field(repr=False)
    """Planetary stages that were found."""
    lengths: np.ndarray = field(repr=False)
    """Radius of gyration of each body, m: a length for its rotations."""
    control: np.ndarray = field(default_factory=lambda: np.zeros(0, complex), repr=False)
    """Eigenvalues that belong to states of a control, 1/s; those of the modes are then of the closed loop. Of what
    rolls on: those that its path coordinates add."""

    def __len__(self) -> int:
        return len(self.all)

    def __getitem__(self, index: int) -> Mode:
        return self.all[index]

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.all)

    @property
    def frame(self) -> str:
        """From where frequencies are seen, in words: `world`, `carrier`, `world (motor), carrier (planet1)`."""
        return "world" if self.linear.from_world else self.linear.frame

    @property
    def natural_frequencies(self) -> np.ndarray:
        """Without damping, Hz, ascending."""
        return np.array([mode.natural_frequency for mode in self.all])

    @property
    def frequencies(self) -> np.ndarray:
        """With damping, Hz, in the order of the modes."""
        return np.array([mode.frequency for mode in self.all])

    @property
    def damping(self) -> np.ndarray:
        """Damping ratios."""
        return np.array([mode.damping for mode in self.all])

    @property
    def dataset(self) -> xr.Dataset:
        """Everything as arrays over mode, body and element, with units."""
        return modes_dataset(self)

    def __repr__(self) -> str:
        return f"<{len(self.all)} modes of {len(self.bodies)} bodies>"

    def __str__(self) -> str:
        """A line for each of the first modes."""
        lines = [
            f"{k:>4} {mode.frequency:>14.6g} {mode.damping:>14.4g}"
            for k, mode in enumerate(self.all[:MOST_SHOWN], 1)
        ]
        more = [f"     and {len(self.all) - len(lines)} more"] if len(self.all) > len(lines) else []
        if len(self.control):
            what = (
                "path coordinates of rolling bodies" if self.linear.ways.shape[1] else "states of the control"
            )
            more.append(f"and of {what}: {', '.join(f'{x:.4g}' for x in self.control)} 1/s")
        more += [f"{words}: {names}" for words, names in self.linear.assumptions]
        return "\n".join(["mode frequency [Hz]  damping ratio", *lines, *more])

    def _repr_html_(self) -> str:
        """For notebooks."""
        rows = [
            (k, f"{mode.frequency:.6g}", f"{mode.damping:.4g}")
            for k, mode in enumerate(self.all[:MOST_SHOWN], 1)
        ]
        more = len(self.all) - len(rows)
        told = "".join(f"{words}: {names}; " for words, names in self.linear.assumptions)
        note = f"{f'and {more} more; ' if more else ''}{told}modes.plot() draws shapes"
        headings = ("mode", "frequency [Hz]", "damping ratio")
        return grid(f"{len(self.all)} modes", headings, rows, note)

    def plot(self, *numbers: int, theme: figures.ThemeName = "light") -> Figure:
        """Shapes of some modes (numbers from 1; default: the first that vibrate) as a picture."""
        return figures.mode_shapes(self, numbers, theme=theme)


def modes(
    description: Description,
    *,
    at: Assembled | str = "assembled",
    parameters: Mapping[str, Any] | None = None,
    time: float = 0.0,
    settle: float | None = None,
    planets: Sequence[str] | None = None,
    at_phase: float | None = None,
    frame: str | None = None,
) -> Modes:
    """Natural frequencies, damping and shapes of small vibrations.

    `at` is the operating point: `assembled` (the given position and speeds; a rotor that turns keeps turning),
    `equilibrium`, `steady` (the steady motion near the given one), or a state from `assemble` or `equilibrium`.
    `settle` [s]: simulate this time first, and take the state at the end: a steady rotation under load. Teeth need to
    carry load there: where flanks just touch, small vibrations see another stiffness to either side, and a ModelError
    says so. `planets`: names of the planets of a stage, for the kinds of its modes; found from the meshes where left
    out.

    States of continuous controls and filters take part: damping and frequencies are those of the closed loop, the
    eigenvalues that they add are in `control`. Without damping (`natural_frequencies`) they are held.

    Clutches, dogs and brakes that hold at the operating point are joints; dry friction is left out. Which these are is
    in `linear.closed`, `linear.slipping` and `linear.left_out`.

    In motion, modes are those as seen from axes from which the motion is steady, found for each body: a carrier's, a
    rotor's, or the world (`frame`, `linear.seen_from`). `frame`: a body whose axes are taken wherever they will do, or
    `world`: each mode with the frequency at which it is seen most from the world (all are in `mode.lines`), as is also
    done where a rotor's own axes differ from the world by a small unbalance alone. A motion that is steady from nowhere
    is refused, unless it is asked for as the `world` sees it at the moment.

    What rolls may be at rest or in steady motion; in motion frequencies are those of the whole problem, dissipation
    and all. Seen from a frame that turns with a steady circle, what stays in place turns: such a motion has this speed
    as a frequency.
    """
    state = operating_point(description, at, parameters, time, settle)
    return modes_at(state, planets, at_phase, frame, at == "steady")


@by_one_blas_thread
def modes_at(
    point: Assembled,
    planets: Sequence[str] | None = None,
    at_phase: float | None = None,
    frame: str | None = None,
    balanced: bool = False,
) -> Modes:
    """The same for a state; balanced: or for the steady motion near it."""
    linear = about_motion(point, frame, at_phase, balanced, moment=False)
    check_smooth(linear)
    at = linear.at
    prepared, motion = at.prepared, at.motion
    program, numbers = prepared.program, prepared.numbers
    R = motion.R[0]
    inertia = R @ numbers.inertia @ R.swapaxes(1, 2)
    rolling, equations = linear.ways.shape[1], (linear.C, linear.K, linear.coupling)
    spin = motion.v[0, :, 3:]
    fastest = float(np.linalg.norm(spin, axis=1).max(initial=0.0))
    found = rolling_eigen(*equations, rolling) if rolling else eigen(*equations, fastest)
    groups = stages(at, planets)
    everything, motions = [], np.hstack([linear.basis, linear.ways])
    weights = np.column_stack([numbers.mass, np.trace(inertia, axis1=1, axis2=2) / 3])
    if np.any(linear.turning):

        def apart(values: np.ndarray, vectors: np.ndarray) -> np.ndarray:
            shapes = np.array([_raised(prepared, motions @ vector) for vector in vectors.T])
            return vectors @ tell_apart(values, np.moveaxis(shapes, 0, 2), linear.turning, weights)

        vectors = apart(found.undamped, found.vectors)
        found = replace(
            found, vectors=vectors, damped_vectors=apart(found.damped[:, 0], found.damped_vectors)
        )
    strain, damping = element_energies(linear, found.undamped, found.vectors)
    for k, value in enumerate(found.undamped):
        shape, damped_shape = (
            _raised(prepared, motions @ vectors[:, k]) for vectors in (found.vectors, found.damped_vectors)
        )
        moving = numbers.mass * np.sum(np.abs(shape[:, :3]) ** 2, axis=1)
        turning = np.real(np.einsum("ki,kij,kj->k", shape[:, 3:].conj(), inertia, shape[:, 3:]))
        total = float(np.sum(moving + turning)) or 1.0
        kinds = [shares(stage, shape, numbers.mass, inertia) for stage in groups]
        stored = sum(values[k] for values in strain.values())
        omega = abs(value.imag)
        everything.append(
            Mode(
                number=k + 1,
                undamped=complex(value),
                eigenvalues=found.damped[k],
                shape=shape,
                damped_shape=damped_shape,
                kinetic={
                    name: (float(a) / total, float(b) / total)
                    for name, a, b in zip(program.bodies, moving, turning, strict=True)
                },
                strain={name: float(v[k] / stored) for name, v in strain.items()} if omega else {},
                dissipation={name: float(v[k]) for name, v in damping.items()} if omega else {},
                effective_mass=np.abs(numbers.mass @ shape[:, :3]) ** 2 / np.sum(numbers.mass),
                kind=_kind(value, kinds),
                kinds={kind: sum(one[kind] for one in kinds) for kind in (kinds[0] if kinds else ())},
                whirl=whirl(value, shape, linear.turning, spin, weights),
                # with damping, which tells two modes of one frequency apart
                lines=lines_of(value, damped_shape, linear.turning, weights),
            )
        )
    if linear.from_world:
        seen = sorted(map(from_the_world, everything), key=lambda mode: mode.natural_frequency)
        everything = [replace(mode, number=k) for k, mode in enumerate(seen, 1)]
    lengths = np.sqrt(np.trace(inertia, axis1=1, axis2=2) / 3 / numbers.mass)
    return Modes(linear, tuple(program.bodies), tuple(everything), tuple(groups), lengths, found.others)


def _raised(prepared: Prepared, motion: np.ndarray) -> np.ndarray:
    """(bodies, 6) from the motion of all bodies; complex numbers too."""
    space = prepared.program.space
    out = np.zeros((len(prepared.program.bodies), 6), motion.dtype)
    out[:, list(space.velocities)] = motion.reshape(-1, space.V)
    return out


def _kind(value: complex, kinds: list[dict[str, float]]) -> str:
    if value.real > 0:
        return "unstable"
    named = [kind for kind in map(kind_of, kinds) if kind]
    if value == 0:
        return ", ".join([*named, "rigid"])
    return ", ".join(named)
