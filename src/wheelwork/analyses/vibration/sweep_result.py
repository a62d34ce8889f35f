r"""What a sweep found, and what is read off it: dynamic factor, contact loss, regimes of impact, order spectra.

dynamic factor   max |F|/|mean F| of a tooth force at each value; the mean is the static load, because in a steady
                 motion accelerations have no mean
contact loss     neighbouring values at which a contact is open for part of the time
regime           of teeth, by which flanks touch (signal NAME.side): 0 always the same, 1 one flank is left for part
                 of the time (single-sided impact), 2 both flanks are struck (double-sided impact); after A.
                 Kahraman, R. Singh, Journal of Sound and Vibration 142(1):49-75, 1990
order spectrum   amplitudes of all orders that fit the measured span, 1/periods apart: Fourier sums over whole periods,
                 so that lines do not leak
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.analyses.vibration.files import Saved, about, array
from wheelwork.lazy import figures
from wheelwork.lazy import xarray as xr
from wheelwork.problems import did_you_mean, users_level
from wheelwork.results.spectra import spectrum

from .measures import LEAST, SHARES, STATISTICS, halved, steepest
from .settling import SETTLED

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..prepare import Prepared
    from .steady_point import Plan, Point


LEFT = "what is left of decays, as a part of the vibration"


@dataclass(frozen=True)
class Jump:
    """A steady motion ended between two neighbouring values."""

    direction: str
    before: float
    after: float
    change: float
    """Of what was measured."""


@dataclass(frozen=True)
class ContactLoss:
    """Neighbouring values of the parameter at which a contact is open for part of the time."""

    contact: str
    direction: str
    first: float
    last: float
    share: float
    """Of time without contact, the largest among them."""


@dataclass(frozen=True)
class Sweep(Saved):
    """Steady vibration over a parameter: `s["load.w"]` (a Dataset over direction and value), `s.dataset`, `s.plot`.

    Variables: `mean`, `rms`, `peak`, `least`, `greatest` (direction, value, signal); `amplitude`, `phase` (..., order);
    `section` (..., period), one sample per period; `open` (direction, value, contact), share of time without contact;
    `skipped` (direction, value), teeth that skipped, where the sweep went on (`skipping="count"`);
    `unsettled` (direction, value, signal), what is left of decays, as a part of the vibration: above 0.02 the value had
    not settled after `spans` (direction, value) times `settle` and `measure`;
    `between`, `between_mean` ... (direction, interval, halving[, signal]), values in intervals that were halved to find
    jumps, and what was measured there; `history` (..., sample) with `time_step` if kept. What was not reached is nan.
    """

    parameter: str
    dataset: xr.Dataset = field(repr=False)
    report: str
    """`complete`, with how many values had not settled; or why and where it stopped."""
    prepared: Prepared | None = field(default=None, repr=False, compare=False)
    """The mechanism at the first value; None where the sweep was read from a file."""

    @classmethod
    def of(
        cls,
        prepared: Prepared,
        plan: Plan,
        found: Mapping[str, list[Point]],
        between: Mapping[str, Mapping[int, list[Point]]],
        values: np.ndarray,
        report: str,
        histories: bool,
    ) -> Sweep:
        """From the points measured on each branch."""
        shape = (len(found), len(values))
        units = ", ".join(dict.fromkeys(signal.unit for signal in plan.signals))
        unit = prepared.flat.parameter_units.get(plan.parameter, "")

        def gathered(pick: Any, like: tuple[int, ...]) -> np.ndarray:
            out = np.full((*shape, *like), np.nan)
            for d, (name, points) in enumerate(found.items()):
                for k, point in enumerate(points):
                    out[d, k if name == "up" else len(values) - 1 - k] = pick(point)
            return out

        base, of_signal = ("direction", plan.parameter), ("direction", plan.parameter, "signal")
        n = len(plan.signals)
        data: dict[str, Any] = {
            name: array(gathered(lambda p, name=name: p.statistics[name], (n,)), of_signal, units, meaning)
            for name, meaning in STATISTICS.items()
        }
        coordinates: dict[str, Any] = {
            "direction": list(found),
            plan.parameter: (plan.parameter, values, {"units": unit}),
            "signal": [signal.name for signal in plan.signals],
            "unit": ("signal", [signal.unit for signal in plan.signals]),
        }

        def add(name: str, pick: Any, unit: str, meaning: str = "", **more: int) -> None:
            """Of each point, over further dimensions of these sizes."""
            data[name] = array(gathered(pick, tuple(more.values())), (*base, *more), unit, meaning)

        add("frequency", lambda p: p.frequency, "Hz")
        add("skipped", lambda p: p.skipped, "1", "teeth that skipped")
        add("unsettled", lambda p: p.unsettled, "1", LEFT, signal=n)
        add("spans", lambda p: p.spans, "1", "how often it was integrated for `settle` and `measure`")
        add("time_step", lambda p: p.step, "s")
        data |= _between(between, len(values), plan.parameter, n, units, unit)
        if count := len(plan.orders):
            add("amplitude", lambda p: np.abs(p.orders), units, order=count, signal=n)
            add("phase", lambda p: np.angle(p.orders), "rad", order=count, signal=n)
            coordinates["order"] = plan.orders
        if count := len(plan.contacts):
            add("open", lambda p: p.open, "1", "share of time without contact", contact=count)
            coordinates["contact"] = [signal.name for signal in plan.contacts]
        if plan.frequency is not None:
            periods = int(plan.measure)
            add("section", lambda p: p.section, units, "one sample per period", period=periods, signal=n)
        if histories:
            count = max((len(p.history) for points in found.values() for p in points), default=0)
            add("history", lambda p: p.history, units, sample=count, signal=n)
        attributes = about(prepared, "sweep") | {"parameter": plan.parameter, "report": report}
        return cls(plan.parameter, xr.Dataset(data, coords=coordinates, attrs=attributes), report, prepared)

    @property
    def values(self) -> np.ndarray:
        """Of the parameter, in the order of the upward branch."""
        return self.dataset[self.parameter].to_numpy()

    @property
    def complete(self) -> bool:
        """Whether all values were measured."""
        return self.report.startswith("complete")

    @property
    def signals(self) -> list[str]:
        """What was measured."""
        return [str(name) for name in self.dataset["signal"].to_numpy()]

    def find_unsettled(self, direction: str) -> np.ndarray:
        """Which values had not settled when they were measured, on the way up or down."""
        if "unsettled" not in self.dataset:  # of a file from before
            return np.zeros(len(self.values), bool)
        return (self.dataset["unsettled"].sel(direction=direction) > SETTLED).any("signal").to_numpy()

    def __getitem__(self, signal: str) -> xr.Dataset:
        """All that was measured of one signal."""
        if signal not in self.signals:
            raise KeyError(
                f"`{signal}` was not measured; {did_you_mean(signal, self.signals) or self.signals}"
            )
        return self.dataset.sel(signal=signal)

    def jumps(self, signal: str, what: str = "rms", least: float = LEAST) -> list[Jump]:
        """Where a measure changes at once by more than `least` of its greatest value: it stays as large when the
        interval is halved, which the sweep does where the rms of a signal changes by more than a fifth of its greatest.
        Elsewhere, for a smaller `least` or another measure: where it changes by three times as much as at the values
        after it, and clearly more than at the one before. Warns where intervals with changes beyond a fifth were not
        halved: a jump may hide there, and takes more values to be found.
        """
        out, open_intervals, intervals = [], 0, 0
        one, parts = self[signal], "between" in self.dataset
        for direction in self.dataset["direction"].to_numpy():
            x, y = self.values, one[what].sel(direction=direction).to_numpy()
            inner_x = inner_y = np.full((max(len(x) - 1, 0), 0), np.nan)
            if parts:
                inner_x = one["between"].sel(direction=direction).to_numpy()
                inner_y = one[f"between_{what}"].sel(direction=direction).to_numpy()
            if direction == "down":
                x, y, inner_x, inner_y = x[::-1], y[::-1], inner_x[::-1], inner_y[::-1]
            change = np.diff(y)
            intervals += len(change)
            known = np.nan_to_num(np.abs(change))  # nothing was measured where a run stopped
            for k in np.flatnonzero(known > least * np.max(np.nan_to_num(np.abs(y)), initial=0.0)):
                inside = np.isfinite(inner_y[k])
                places, measured = (
                    np.array([of[k], *inner[k][inside], of[k + 1]])
                    for of, inner in ((x, inner_x), (y, inner_y))
                )
                order = np.argsort(places * np.sign(x[k + 1] - x[k]))
                places, measured, at, jumps = places[order], measured[order], 0, steepest(change, int(k))
                if inside.any():
                    at, jumps = halved(places, measured)
                elif not jumps:
                    open_intervals += bool(known[k] > LEAST * np.nanmax(np.abs(y)))
                if jumps:
                    before, after = (float(v) for v in places[at : at + 2])
                    out.append(Jump(str(direction), before, after, float(measured[at + 1] - measured[at])))
        if open_intervals:
            text = f"the {what} of `{signal}` changes by more than {LEAST:.0%} in {open_intervals} of {intervals} "
            warnings.warn(
                f"{text}intervals that were not halved: jumps may be missed, sweep more values",
                stacklevel=users_level(),
            )
        return out

    def hysteresis(self, signal: str, what: str = "rms", least: float = 0.05) -> tuple[float, float] | None:
        """Range of values in which the upward and downward branches differ by more than `least` of the largest."""
        if "down" not in self.dataset["direction"]:
            raise ValueError("needs a sweep up and down: sweep(..., both=True)")
        up, down = (self[signal][what].sel(direction=way).to_numpy() for way in ("up", "down"))
        apart = np.abs(up - down) > least * np.nanmax(np.abs([up, down]))
        where = self.values[apart]
        return (float(where.min()), float(where.max())) if len(where) else None

    def spectrum(self, signal: str, value: float, direction: str = "up") -> xr.DataArray:
        """Amplitude by frequency of one steady motion (nearest value); needs `histories=True`."""
        if "history" not in self.dataset:
            raise ValueError("needs the samples: sweep(..., histories=True)")
        one = self[signal].sel({"direction": direction}).sel({self.parameter: value}, method="nearest")
        x = one["history"].to_numpy()
        x = x[np.isfinite(x)]
        f, amplitude = spectrum(x, float(one["time_step"]))
        coordinates = {"frequency": ("frequency", f, {"units": "Hz"})}
        return xr.DataArray(amplitude, dims="frequency", coords=coordinates, name=signal)

    def dynamic_factor(self, force: str) -> xr.DataArray:
        """Largest over mean size of a tooth force (direction, value); its mean is the static load."""
        found = self[force]
        mean, least, greatest = (abs(found[name]) for name in ("mean", "least", "greatest"))
        largest = greatest.where(greatest > least, least)
        out = (largest / mean).where(mean > 1e-9 * largest)
        return out.assign_attrs(units="1", long_name=f"dynamic factor of {force}").rename("dynamic_factor")

    def contact_loss(self, contact: str | None = None) -> list[ContactLoss]:
        """Ranges of values in which a watched contact is open for part of the time."""
        if "open" not in self.dataset:
            raise ValueError("needs contacts to be watched: sweep(..., contacts=['mesh.side'])")
        known = [str(name) for name in self.dataset["contact"].to_numpy()]
        if contact is not None and contact not in known:
            raise KeyError(f"`{contact}` was not watched; there are {known}")
        out = []
        for name in known if contact is None else [contact]:
            for way in self.dataset["direction"].to_numpy():
                share = self.dataset["open"].sel(direction=way, contact=name).to_numpy()
                lost = np.flatnonzero(share > 0)
                for part in np.split(lost, np.flatnonzero(np.diff(lost) > 1) + 1):
                    if len(part):
                        first, last = (float(self.values[part[k]]) for k in (0, -1))
                        out.append(ContactLoss(name, str(way), first, last, float(share[part].max())))
        return out

    def regimes(self, side: str) -> xr.DataArray:
        """0 contact, 1 single-sided impact, 2 double-sided impact, by the signal NAME.side of a mesh."""
        found = self[side]
        least, greatest = found["least"], found["greatest"]
        number = (least != greatest).astype(float) + ((least < 0) & (greatest > 0)).astype(float)
        out = number.where(np.isfinite(least))
        return out.assign_attrs(long_name="0 contact, 1 single-sided, 2 double-sided impact").rename("regime")

    def order_spectra(self, signal: str, direction: str = "up", most: float = 10.0) -> xr.DataArray:
        """Amplitudes by value and order, up to the order `most`; needs `histories=True` and a `frequency`."""
        if "history" not in self.dataset or "section" not in self.dataset:
            raise ValueError("needs the samples of whole periods: sweep(..., histories=True, frequency=...)")
        found = self[signal].sel(direction=direction)
        x = found["history"].to_numpy()
        periods, count = self.dataset.sizes["period"], x.shape[1]
        amplitude = 2 / count * np.abs(np.fft.rfft(x, axis=1))
        amplitude[:, 0] /= 2
        orders = np.arange(amplitude.shape[1]) / periods
        kept = orders <= most
        unit = str(found["unit"].item())
        return xr.DataArray(
            amplitude[:, kept],
            dims=(self.parameter, "order"),
            coords={self.parameter: self.dataset[self.parameter], "order": orders[kept]},
            name=signal,
            attrs={"units": unit, "long_name": f"amplitude of {signal}"},
        )

    def plot(self, *signals: str, what: str = "rms", theme: figures.ThemeName = "light") -> Figure:
        """Response curves up and down, one panel a signal."""
        return figures.response_curves(self, signals or tuple(self.signals), what, theme=theme)

    def plot_orbit(
        self, x: str, y: str, value: float, direction: str = "up", *, theme: figures.ThemeName = "light"
    ) -> Figure:
        """One steady motion (nearest value): y over x, with the Poincare section as dots; needs `histories=True`."""
        if "history" not in self.dataset:
            raise ValueError("needs the samples: sweep(..., histories=True)")
        return figures.orbit(self, x, y, value, direction, theme=theme)

    def plot_orders(
        self, signal: str, direction: str = "up", most: float = 6.0, *, theme: figures.ThemeName = "light"
    ) -> Figure:
        """Amplitudes by value and order as a map: order analysis; needs `histories=True`."""
        found = self.order_spectra(signal, direction, most)[:, 1:]
        moving = int(self.find_unsettled(direction).sum())
        words = f"; {moving} of {len(self.values)} values had not settled" if moving else ""
        return figures.order_map(found, f"{signal}, {direction}{words}", theme=theme)


def _between(
    between: Mapping[str, Mapping[int, list[Point]]],
    values: int,
    parameter: str,
    signals: int,
    units: str,
    unit: str,
) -> dict[str, Any]:
    """What was measured in halved intervals, numbered as on the way up."""
    dims, shape = ("direction", "interval", "halving"), (len(between), max(values - 1, 0), len(SHARES))
    places = np.full(shape, np.nan)
    measured = {name: np.full((*shape, signals), np.nan) for name in STATISTICS}
    for d, (way, intervals) in enumerate(between.items()):
        for k, points in intervals.items():
            for h, point in enumerate(points):
                where = d, k if way == "up" else shape[1] - 1 - k, h
                places[where] = point.value
                for name, values_of in measured.items():
                    values_of[where] = point.statistics[name]
    out = {"between": array(places, dims, unit, f"{parameter} in halved intervals")}
    for name, values_of in measured.items():
        out[f"between_{name}"] = array(values_of, (*dims, "signal"), units, STATISTICS[name])
    return out
