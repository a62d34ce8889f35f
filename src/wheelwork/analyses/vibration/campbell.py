"""Campbell diagram: how frequencies depend on a speed, or on any parameter.

The equations are derived once; each value is new numbers for the same program. Modes are followed from value to value
by the likeness of their shapes in the metric of the mass (modal assurance |X_i* M X_j|^2): curves may cross. Order
lines are f = order * value/(2 pi); where one meets a mode is a critical value, found by linear interpolation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy  # which loads its parts when they are used

from wheelwork.analyses.vibration.files import Saved, campbell_dataset
from wheelwork.description import Description, ModelError
from wheelwork.lazy import figures
from wheelwork.problems import listed, warn

from ..assemble import Assembled, assembled
from ..frames import moves
from ..kinks import OperatingPointWarning
from ..operating_point import operating_point, settled
from ..prepare import Prepared, derived, prepare, with_engine
from .modes import Modes, modes_at

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Critical:
    """An excitation of some order meets a mode."""

    value: float
    """Of the parameter."""
    frequency: float
    """Hz."""
    order: float
    mode: int
    """Number of the curve, from 1."""
    whirl: float
    """Of the mode there, -1 to 1."""


@dataclass(frozen=True)
class Campbell(Saved):
    """Frequencies over a parameter; column k of the arrays is one mode, followed through all values."""

    parameter: str
    values: np.ndarray
    orders: tuple[float, ...]
    natural_frequencies: np.ndarray = field(repr=False)
    """(values, modes), Hz, without damping."""
    frequencies: np.ndarray = field(repr=False)
    """(values, modes), Hz."""
    damping: np.ndarray = field(repr=False)
    growth: np.ndarray = field(repr=False)
    """(values, modes), 1/s; positive: unstable there."""
    whirl: np.ndarray = field(repr=False)
    first: Modes = field(repr=False)
    """At the first value."""
    last: Modes = field(repr=False)
    """At the last value."""

    def __repr__(self) -> str:
        span = f"{len(self.values)} values of {self.parameter} from {self.values[0]:g} to {self.values[-1]:g}"
        return f"<Campbell diagram of {self.damping.shape[1]} modes: {span}>"

    @property
    def frame(self) -> str:
        """From where frequencies are seen, in words; order lines are those of excitations as seen from there."""
        return self.last.frame

    def criticals(self) -> list[Critical]:
        """Where order lines meet modes, by value. Orders count turns: f = order * value/(2 pi)."""
        found = []
        for order in self.orders:
            gap = self.natural_frequencies - order * self.values[:, None] / (2 * np.pi)
            for k in range(gap.shape[1]):
                for i in np.flatnonzero(gap[:-1, k] * gap[1:, k] < 0):
                    part = gap[i, k] / (gap[i, k] - gap[i + 1, k])
                    value = self.values[i] + part * (self.values[i + 1] - self.values[i])
                    whirl = self.whirl[i, k] + part * (self.whirl[i + 1, k] - self.whirl[i, k])
                    found.append(
                        Critical(
                            float(value), float(order * value / (2 * np.pi)), order, int(k) + 1, float(whirl)
                        )
                    )
        return sorted(found, key=lambda one: one.value)

    @property
    def dataset(self) -> xr.Dataset:
        """Everything as arrays over the parameter and mode."""
        return campbell_dataset(self)

    def plot(self, *, theme: figures.ThemeName = "light") -> Figure:
        """Frequencies and damping over the parameter, with order lines and critical values."""
        return figures.campbell_diagram(self, theme=theme)


def campbell(
    description: Description,
    parameter: str,
    values: Sequence[float] | np.ndarray,
    *,
    orders: Sequence[float] = (1.0,),
    at: str = "assembled",
    parameters: Mapping[str, Any] | None = None,
    settle: float | None = None,
    planets: Sequence[str] | None = None,
    at_phase: float | None = None,
    frame: str | None = None,
) -> Campbell:
    """Modes over a range of one parameter (SI values), such as the speed of a rotor.

    orders: excitations in multiples of the parameter, which is a speed in rad/s then. `at`, `settle`, `at_phase` and
    `frame` are as for `modes`; the operating point is found again at each value. Frequencies, and orders, are as seen
    from the axes that `frame` of the result tells: what excites once a turn of a carrier is at rest as seen from it.
    """
    if len(values) < 2:
        raise ModelError("needs at least two values", path=parameter)
    numbers = np.asarray(values, float)
    prepared = with_value(prepare(description, parameters), parameter, numbers[0], parameters)
    found: list[Modes] = []
    order: list[np.ndarray] = []
    for value in numbers:
        prepared = with_value(prepared, parameter, value, parameters)
        point = point_of(description, prepared, at, parameter, value, parameters, settle)
        one = modes_at(point, planets, at_phase, frame, at == "steady")
        if found and len(one) != len(found[0]):
            why = f"has another number of freedoms at {value:g} than at {numbers[0]:g}"
            here, there = (set(modes.linear.closed) for modes in (one, found[0]))
            hint = f"{listed(sorted(here ^ there))} closes or opens in between" if here ^ there else ""
            raise ModelError(why, path=parameter, hint=hint)
        order.append(_followed(found[-1], order[-1], one) if found else np.arange(len(one)))
        found.append(one)

    _say_where_seen(parameter, numbers, found)

    def table(pick: Any) -> np.ndarray:
        return np.array(
            [[pick(m[int(k)]) for k in o] for m, o in zip(found, order, strict=True)], float
        ).reshape(len(numbers), -1)

    return Campbell(
        parameter,
        numbers,
        tuple(float(x) for x in orders),
        table(lambda mode: mode.natural_frequency),
        table(lambda mode: mode.frequency),
        table(lambda mode: mode.damping),
        table(lambda mode: mode.growth),
        table(lambda mode: mode.whirl),
        found[0],
        found[-1],
    )


def _say_where_seen(parameter: str, values: np.ndarray, found: list[Modes]) -> None:
    """A warning where axes change on the way: curves jump there by the speed of the axes."""
    seen = [(one.frame, value) for one, value in zip(found, values, strict=True) if moves(one.linear.at)]
    for (before, _), (now, value) in pairwise(seen):
        if now != before:
            warn(
                f"frequencies are as seen from {before} below {parameter} = {value:g}, and from {now} there: curves "
                "may jump. `frame` takes one of these, or the `world`, for all values",
                OperatingPointWarning,
            )


def with_value(
    prepared: Prepared, parameter: str, value: float, parameters: Mapping[str, Any] | None
) -> Prepared:
    """The same with another value of a parameter; equations and engine stay, unless the value changes structure."""
    program = derived(prepared.description, {**(parameters or {}), parameter: float(value)})
    if not program.same_equations(prepared.program):
        return with_engine(program, prepared.description, prepared.engine.implicit)
    numbers = program.numbers()
    prepared.engine.set_numbers(numbers)
    return replace(prepared, flat=program.flat, program=program, numbers=numbers)


def point_of(
    description: Description,
    prepared: Prepared,
    at: str,
    parameter: str,
    value: float,
    parameters: Mapping[str, Any] | None,
    settle: float | None,
) -> Assembled:
    """The operating point where the mechanism has this value of the parameter."""
    if at in ("assembled", "steady"):
        state = assembled(prepared, 0.0)
        return state if settle is None else settled(state, settle)
    return operating_point(description, at, {**(parameters or {}), parameter: value}, 0.0, settle)


def _followed(last: Modes, order: np.ndarray, one: Modes) -> np.ndarray:
    """Which mode of `one` goes on with each curve: likeness of shapes, and nearness of frequency where several modes
    of one frequency may be mixed as they like.
    """
    root = np.sqrt(_weights(one))

    def shapes(modes: Modes, which: np.ndarray) -> np.ndarray:
        X = np.array([modes[int(k)].shape.ravel() for k in which]).T * root[:, None]
        return X / np.maximum(np.linalg.norm(X, axis=0), 1e-300)

    likeness = np.abs(shapes(last, order).conj().T @ shapes(one, np.arange(len(one)))) ** 2
    a, b = last.natural_frequencies[order], one.natural_frequencies
    apart = np.abs(a[:, None] - b[None, :]) / max(float(np.max(b, initial=0.0)), 1e-300)
    return scipy.optimize.linear_sum_assignment(-likeness + apart)[1]


def _weights(modes: Modes) -> list[float]:
    """Mass for displacements, mass times square of the radius of gyration for rotations."""
    mass = modes.linear.at.prepared.numbers.mass
    return [
        w for m, r in zip(mass, modes.lengths, strict=True) for w in (m, m, m, m * r**2, m * r**2, m * r**2)
    ]
