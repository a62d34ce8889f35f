"""Whether small motions about a steady or periodic motion grow, over one parameter or two: stability charts.

Exponents are those of :mod:`wheelwork.analyses.periodic_motion`. Zones of parametric resonance may be far narrower than
the steps of a chart, so over one parameter it is also looked where two modes of the mean equations have w_i + w_j = n w
between two values (:mod:`wheelwork.analyses.floquet`), and the edges of each zone are found by halving.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.analyses.vibration.files import Saved, stability_dataset
from wheelwork.description import Description, ModelError
from wheelwork.lazy import figures
from wheelwork.notebook import grid
from wheelwork.problems import users_level

from ..assemble import Assembled
from ..kinks import OperatingPointWarning
from ..periodic_motion import MotionExponents, find_exponents
from ..prepare import Prepared, prepare
from ..simulate import RunWarning
from .campbell import point_of, with_value
from .modes import operating_point
from .sweep import SweepWatch, frequency_formula

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

EXACT = 1e-5
"""Of the range of a parameter: how closely edges of zones are found."""
MOST_SOUGHT = 200
"""Places between values at which narrow zones are sought."""
ROUNDS = 4
"""Of regula falsi to such a place."""


@dataclass(frozen=True)
class Zone:
    """A range of a parameter in which some motion grows."""

    low: float
    high: float
    growth: float
    """The largest that was seen, 1/s."""
    value: float
    """Where that was."""
    cause: str
    """`(f_i + f_j)/n`: modes of the mean equations whose frequencies [Hz] add up to a multiple of 1/period."""
    along: float = np.nan
    """Value of the second parameter, of a chart over two."""


@dataclass(frozen=True)
class Stability(Saved):
    """Exponents of small motions, at one point or over one or two parameters."""

    parameters: tuple[str, ...]
    values: tuple[np.ndarray, ...]
    """Those that were given; of one parameter also those at which zones and their edges were sought."""
    growth: np.ndarray
    """By value of each parameter: of what grows fastest, 1/s; 0 or less: stable; nan: not answered."""
    exponents: np.ndarray = field(repr=False)
    """(.., exponents), 1/s, that with the largest growth first."""
    periods: np.ndarray = field(repr=False)
    """Of the coefficients, s; infinite where they are constant."""
    zones: tuple[Zone, ...]
    """Where motions grow; over two parameters those of each value of the second, to the nearest value."""
    first: MotionExponents = field(repr=False)
    """At the first point: its linear equations, multipliers, shapes."""
    report: str = "complete"
    """`complete`, or what is missing."""

    @property
    def stable(self) -> bool:
        """Whether no small motion grows anywhere."""
        return bool(np.all(self.growth <= 0))

    @property
    def multipliers(self) -> np.ndarray:
        """Of each exponent: by what a motion grows in a period; nan where coefficients are constant."""
        period = np.where(np.isfinite(self.periods), self.periods, np.nan)
        return np.exp(self.exponents * period[..., None])

    @property
    def unit(self) -> tuple[str, ...]:
        """Units of the parameters."""
        known = self.first.linear.at.prepared.flat.parameter_units
        return tuple(known.get(name, "") for name in self.parameters)

    @property
    def dataset(self) -> xr.Dataset:
        """Everything as arrays over the parameters."""
        return stability_dataset(self)

    def rows(self) -> list[tuple[str, ...]]:
        """The table of the zones: the second parameter, if there is one, from, to, largest growth, where, cause."""
        both = len(self.parameters) > 1
        out = []
        for zone in self.zones:
            numbers = [zone.along] if both else []
            numbers += [zone.low, zone.high, zone.growth, zone.value]
            out.append((*(f"{x:.7g}" for x in numbers), *([] if both else [zone.cause])))
        return out

    @property
    def columns(self) -> list[str]:
        """Headings of that table."""
        if not self.parameters:
            return []
        names = [
            f"{name} [{unit}]" if unit else name
            for name, unit in zip(self.parameters, self.unit, strict=True)
        ]
        first = [f"from {names[0]}", "to", "growth [1/s]", "at"]
        return [names[1], *first] if len(names) > 1 else [*first, "modes [Hz]"]

    def __str__(self) -> str:
        lines = [self.words]
        lines += ["  ".join(row) for row in ([tuple(self.columns), *self.rows()] if self.zones else [])]
        lines += [f"{what}: {names}" for what, names in self.assumptions]
        return "\n".join(lines)

    @property
    def assumptions(self) -> list[tuple[str, str]]:
        """What clutches and dry friction count as, to print; and teeth, where not as they roll."""
        teeth = self.first.linear.teeth.words if self.first.why != "steady" else []
        return [one for one in self.first.linear.assumptions if one not in teeth]

    @property
    def words(self) -> str:
        """How it is, in one sentence."""
        if not self.parameters:
            told = "stable" if self.stable else f"unstable: grows by {float(self.growth):.4g} 1/s"
            return f"{told}; {WHY[self.first.why]}{_period_words(float(self.periods))}"
        share = (
            float(np.mean(self.growth[np.isfinite(self.growth)] > 0))
            if np.isfinite(self.growth).any()
            else 0.0
        )
        many = f"{len(self.zones)} unstable zone{'' if len(self.zones) == 1 else 's'}"
        if len(self.parameters) > 1:
            many = f"unstable at {100 * share:.3g} % of the points"
        return f"{many} over {' and '.join(self.parameters)}; {WHY[self.first.why]}; {self.report}"

    def _repr_html_(self) -> str:
        """For notebooks."""
        if self.parameters:
            return grid(self.words, self.columns, self.rows(), "plot() draws the chart")
        rows = [(f"{x.real:.6g}", f"{abs(x.imag) / 2 / np.pi:.6g}") for x in self.exponents if x.imag >= 0]
        return grid(self.words, ("growth [1/s]", "frequency [Hz]"), rows, "")

    def plot(self, *, theme: figures.ThemeName = "light") -> Figure:
        """The chart: exponents over one parameter with the zones, or a map of the growth over two."""
        return figures.stability_chart(self, theme=theme)


WHY = {
    "steady": "about a steady motion, by eigenvalues",
    "teeth": "about a steady motion with teeth whose stiffness varies, by Floquet's theory",
    "motion": "about a periodic motion, by Floquet's theory",
}
"""What an answer is made from."""


def _period_words(period: float) -> str:
    return f", period {period:.6g} s" if np.isfinite(period) else ""


def stability(
    description: Description,
    *,
    at: Assembled | str = "assembled",
    period: float | str | None = None,
    over: Mapping[str, Sequence[float] | np.ndarray] | None = None,
    parameters: Mapping[str, Any] | None = None,
    time: float = 0.0,
    settle: float | None = None,
    progress: bool | None = None,
) -> Stability:
    """Exponents of the small motions about a steady or periodic motion: growth, frequencies, Floquet's multipliers.

    at, time, settle: the motion that goes on from an operating point, as for `modes`. Where it is steady, exponents are
    eigenvalues. Teeth whose stiffness varies over the mesh cycle go through it as they roll, and where the equations
    change with the motion (an unsymmetric rotor in unsymmetric bearings) they are followed through a period.
    period [s]: of the coefficients, a number or a formula of parameters such as `pi/speed`; found where left out.
    over: values (SI) of one parameter or two, for a chart: `{"speed": np.linspace(100, 160, 61)}`. Over one parameter
    narrow zones between the values are sought where two modes meet a multiple of 1/period, and edges are found to 1e-5
    of the range. Ctrl-C stops and keeps what there is.
    """
    ranges = {name: np.asarray(values, float) for name, values in (over or {}).items()}
    if len(ranges) > 2:
        raise ModelError(f"takes one parameter or two, but is given {len(ranges)}", path="over")
    for name, values in ranges.items():
        if values.ndim != 1 or len(values) < 2 or np.any(np.diff(values) <= 0):
            raise ModelError("needs two values or more, ascending", path=f"over.{name}")
        if isinstance(at, Assembled):
            raise ModelError("a state is one for all values: give its name for a chart", path="at")
    chart = _Chart(description, at, period, ranges, dict(parameters or {}), time, settle)
    shape = tuple(len(values) for values in ranges.values())
    found: dict[tuple[int, ...], MotionExponents] = {}
    failed: list[str] = []
    count, title = int(np.prod(shape, dtype=int)), f"stability of {description.name}"
    with SweepWatch(count, progress if shape else False, title) as watch, warnings.catch_warnings():
        warnings.simplefilter("once", OperatingPointWarning)
        for place in product(*map(range, shape)):
            here = [float(own[k]) for own, k in zip(ranges.values(), place, strict=True)]
            watch.begin(", ".join(f"{name} = {x:.5g}" for name, x in zip(ranges, here, strict=True)))
            try:
                found[place] = chart.at_values(here)
            except ModelError as error:
                if not found:
                    raise
                failed.append(f"{here}: {error}")
            watch.done()
            if watch.step(0.0, 0):
                break
        stopped = watch.presses > 0
        zones: tuple[Zone, ...] = ()
        unsought = 0
        if len(shape) == 1 and not stopped:
            (own,) = ranges.values()
            points = {float(own[k]): one for (k,), one in found.items()}
            try:
                zones, unsought = _zones_of_one(chart, points, watch)
            except ModelError as error:
                failed.append(f"a zone: {error}")
            ranges = {next(iter(ranges)): np.array(sorted(points))}
            shape = (len(points),)
            found = {(k,): points[x] for k, x in enumerate(sorted(points))}
    if failed:
        text = f"{len(failed)} of {count} values have no answer, the first at {failed[0]}"
        warnings.warn(text, RunWarning, stacklevel=users_level())
    if unsought:
        text = f"narrow zones were not sought at {unsought} of the places between values where modes meet a multiple "
        warnings.warn(text + "of 1/period: take a narrower range", RunWarning, stacklevel=users_level())
    report = f"interrupted after {len(found)} of {count}" if stopped or watch.presses else "complete"
    report += f", {len(failed)} without answer" if failed else ""
    report += f", {unsought} places not sought" if unsought else ""
    return _gathered(ranges, shape, found, zones, report)


@dataclass
class _Chart:
    """What is asked at each point."""

    description: Description
    where: Assembled | str
    period: float | str | None
    ranges: Mapping[str, np.ndarray]
    parameters: dict[str, Any]
    time: float
    settle: float | None
    prepared: Prepared | None = None

    def at_values(self, values: Sequence[float]) -> MotionExponents:
        if not self.ranges:
            state = operating_point(self.description, self.where, self.parameters, self.time, self.settle)
            return find_exponents(state, self._period(state.prepared), self.where == "steady")
        given = {**self.parameters, **dict(zip(self.ranges, map(float, values), strict=True))}
        name = list(self.ranges)[-1]
        if self.prepared is None:
            self.prepared = prepare(self.description, given)
        self.prepared = with_value(self.prepared, name, given[name], given)
        where = str(self.where)
        state = point_of(self.description, self.prepared, where, name, given[name], given, self.settle)
        return find_exponents(state, self._period(state.prepared), where == "steady")

    def _period(self, prepared: Prepared) -> float | None:
        found = frequency_formula(self.period, prepared, "period")
        return prepared.numbers.value(found) if found is not None else None


def _gathered(
    ranges: Mapping[str, np.ndarray],
    shape: tuple[int, ...],
    found: Mapping[tuple[int, ...], MotionExponents],
    zones: tuple[Zone, ...],
    report: str,
) -> Stability:
    most = max(len(one.floquet.exponents) for one in found.values())
    growth, periods = np.full(shape, np.nan), np.full(shape, np.nan)
    exponents = np.full((*shape, most), np.nan + 0j)
    for place, one in found.items():
        growth[place], periods[place] = one.floquet.growth, one.floquet.period
        exponents[place][: len(one.floquet.exponents)] = one.floquet.exponents
    if len(shape) == 2:
        first, second = ranges.values()
        zones = tuple(
            Zone(
                float(first[a]),
                float(first[b]),
                float(growth[top, j]),
                float(first[top]),
                "",
                float(second[j]),
            )
            for j in range(shape[1])
            for a, b in _runs(growth[:, j] > 0)
            for top in [a + int(np.nanargmax(growth[a : b + 1, j]))]
        )
    return Stability(
        tuple(ranges),
        tuple(ranges.values()),
        growth,
        exponents,
        periods,
        zones,
        next(iter(found.values())),
        report,
    )


def _runs(marked: np.ndarray) -> list[tuple[int, int]]:
    """First and last place of each unbroken run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(int)))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


# -- zones over one parameter


def _zones_of_one(
    chart: _Chart, points: dict[float, MotionExponents], watch: SweepWatch
) -> tuple[tuple[Zone, ...], int]:
    """Zones with their edges, narrow ones between the values too; `points` get all that was looked at. And at how many
    places a narrow one was not sought."""
    least = EXACT * (max(points) - min(points))

    def look(value: float) -> MotionExponents:
        if value not in points:
            points[value] = chart.at_values([value])
        return points[value]

    places = _meetings(points)
    for low, high, k in places[:MOST_SOUGHT]:
        watch.begin("narrow zones")
        _seek(look, low, high, k, least)
        if watch.step(0.0, 0):
            return (), 0
    zones: list[Zone] = []
    given = sorted(points)
    for a, b in _runs(np.array([points[x].floquet.growth > 0 for x in given])):
        watch.begin("edges of zones")
        low = given[a] if a == 0 else _edge(look, given[a], given[a - 1], least)
        high = given[b] if b == len(given) - 1 else _edge(look, given[b], given[b + 1], least)
        look((low + high) / 2)
        inside = [x for x in points if low <= x <= high]
        top = max(inside, key=lambda x: points[x].floquet.growth)
        zones.append(Zone(low, high, points[top].floquet.growth, top, _cause(points[top])))
        if watch.step(0.0, 0):
            break
    return tuple(zones), max(len(places) - MOST_SOUGHT, 0)


def _meetings(points: Mapping[float, MotionExponents]) -> list[tuple[float, float, int]]:
    """Between which values w_i + w_j = n w, and which resonance that is; those first that may grow most."""
    out = []
    for low, high in pairwise(sorted(points)):
        before, after = (points[x].floquet.resonances for x in (low, high))
        if len(before) != len(after) or all(points[x].floquet.growth > 0 for x in (low, high)):
            continue
        for k, (one, other) in enumerate(zip(before, after, strict=True)):
            if one.off * other.off < 0 and (grows := max(one.growth, other.growth)) > 0:
                out.append((grows, low, high, k))
    return [(low, high, k) for _, low, high, k in sorted(out, reverse=True)]


def _seek(look: Any, low: float, high: float, k: int, least: float) -> None:
    """Look at the place where a resonance is met."""
    for _ in range(ROUNDS):
        a, b = (look(x).floquet.resonances for x in (low, high))
        if max(len(a), len(b)) <= k or len(a) != len(b) or a[k].off * b[k].off >= 0:
            return
        middle = low + (high - low) * a[k].off / (a[k].off - b[k].off)
        here = look(middle).floquet
        if here.growth > 0 or min(middle - low, high - middle) < least or len(here.resonances) != len(a):
            return
        if abs(here.resonances[k].off) < 0.1 * max(here.resonances[k].growth, 0.0):
            return
        low, high = (middle, high) if here.resonances[k].off * a[k].off > 0 else (low, middle)


def _edge(look: Any, inside: float, outside: float, least: float) -> float:
    """Where growth ends."""
    while abs(outside - inside) > least:
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if look(middle).floquet.growth > 0 else (inside, middle)
    return (inside + outside) / 2


def _cause(one: MotionExponents) -> str:
    """The resonance that is nearest, measured by how far its growth reaches."""
    near = [r for r in one.floquet.resonances if r.growth > 0]
    if not near:
        return ""
    best = min(near, key=lambda r: abs(r.off) / r.growth)
    f, g = (w / 2 / np.pi for w in best.frequencies)
    total = f"{f:.5g} + {g:.5g}" if f != g else f"2 × {f:.5g}"
    return f"({total})/{best.order}" if best.order > 1 else total
