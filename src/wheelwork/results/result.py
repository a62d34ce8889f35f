"""A result: every quantity of a run by its name."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from wheelwork.engine.engine import Ending, Event, EventKind
from wheelwork.engine.kept_run import KeptProgram
from wheelwork.engine.outcome import Outcome, RunReport
from wheelwork.engine.recorded import RecordedMotion, recorded
from wheelwork.engine.retrace import Retrace
from wheelwork.lazy import described, figures, player
from wheelwork.lazy import xarray as xr
from wheelwork.notebook import short_table
from wheelwork.problems import did_you_mean, listed
from wheelwork.system.frame_motion import ANGLES, OF_FRAMES, euler_parameters, frame_motion
from wheelwork.system.motion import Motion
from wheelwork.system.signal_values import Axes, Side, reaction
from wheelwork.system.signals import Signal, SignalCatalogue
from wheelwork.system.unknown_signal import UnknownSignal

from . import tables
from .determinacy import SHARED, Determinacy, determinacy, efforts_in, shared_frictions
from .energy import RunWorks, energy_balance, heat_of
from .files import DIMENSIONS, KeptMotion, load, save
from .interpolate import motion_at
from .names import Series, SignalInfo
from .provenance import Provenance
from .signal_spectra import find_result_orders, find_spectrum, find_waterfall

if TYPE_CHECKING:
    from wheelwork.description import Description


OF_MOTION = ("position", "orientation", "angle", "displacement", "velocity", "w", "speed")
"""What a file keeps of bodies and joints where the description does not ask for anything."""


class Result:
    """What an analysis over time found. Signals are computed when first asked for.

    >>> r = m.simulate(end=10)                    # doctest: +SKIP
    >>> r["bob.position"]                         # a DataArray over time and component, with its unit
    >>> r["bob.position.x"].max()
    >>> r.at(3.217)["hinge.angle"]                # between output times
    >>> r.reaction("hinge", body="b", frame="joint")
    >>> r.save("run.nc")
    """

    def __init__(
        self,
        provenance: Provenance,
        motion: Motion | Callable[[], Motion],
        description: Description | Callable[[], Description] | None = None,
        stored: dict[str, Series] | None = None,
        signals: list[SignalInfo] | None = None,
        whole: Result | None = None,
        one_time: bool = False,
    ) -> None:
        self.provenance = provenance
        """How it was made: model text, parameters, settings, version."""
        self._given = motion
        self._description = description
        self._series: dict[str, Series] = dict(stored or {})
        if signals is not None:
            vars(self)["signals"] = signals  # else they are looked up when first asked for
        self._whole = whole
        """The result of which this is a view at other times."""
        self._one_time = one_time
        self._known: dict[str, xr.DataArray] = {}
        self.ending: Ending | None = None
        """What a run that goes on from here needs, besides the last state."""
        self.retrace: Retrace | None = None
        """What makes the run once more, step by step."""

    @classmethod
    def from_motion(cls, motion: Motion, *, description: Any, **about: Any) -> Result:
        """From the arrays that an analysis leaves; about: what :meth:`Provenance.of` takes besides."""
        provenance = Provenance.of(description, parameters=motion.numbers.parameters, **about)
        return cls(provenance, recorded(_each_time_once(motion)), description)

    @property
    def whole(self) -> Result:
        """The result of which this is a view at other times, or itself."""
        return self._whole or self

    @cached_property
    def works(self) -> RunWorks:
        """Of all elements, summed up along the run."""
        return RunWorks(self)

    @property
    def works_along_steps(self) -> dict[str, np.ndarray]:
        """Those that were summed up along the steps of the run so far, or by whoever kept it; empty: none."""
        given = self._given
        if isinstance(given, KeptMotion) and given.works:
            return dict(zip(given.works, given.arrays["works"].T, strict=True))
        return (vars(self.works).get("_along_steps") if "works" in vars(self) else None) or {}

    # -- how it went

    @property
    def outcome(self) -> Outcome:
        """How the run ended; `outcome.good` tells whether it went as far as it was asked to."""
        return self.provenance.report.outcome

    @property
    def report(self) -> str:
        """The same in words: when it ended and why, and what to change if it failed."""
        return self.provenance.report.text

    @property
    def statistics(self) -> RunReport:
        """Counts of steps, evaluations and so on."""
        return self.provenance.report

    @property
    def events(self) -> list[Event]:
        """What happened at single moments: impacts, sticking, sliding."""
        return list(self.provenance.events)

    # -- signals

    @cached_property
    def motion(self) -> RecordedMotion:
        """States, accelerations and multipliers as arrays, with the equations they belong to."""
        return recorded(self._given() if callable(self._given) else self._given)

    @property
    def description(self) -> Description:
        """The mechanism, as it is now; `provenance.model` is what it was in the run."""
        if self._description is None:
            given = self._given
            self._description = (
                given.description if isinstance(given, KeptMotion) else described.loads(self.provenance.model)
            )
        elif callable(self._description):
            self._description = self._description()
        return self._description

    @cached_property
    def catalogue(self) -> SignalCatalogue:
        """Every signal that the model has, kept or not."""
        return SignalCatalogue(self.motion.program)

    @cached_property
    def t(self) -> np.ndarray:
        """Output times, s."""
        return self._given.arrays["t"] if isinstance(self._given, KeptMotion) else self.motion.t

    @cached_property
    def signals(self) -> list[SignalInfo]:
        """The signals that are kept, with unit and meaning: those under `outputs` in the description, else all."""
        wanted = self.provenance.outputs
        every = self.catalogue.signals.values() if wanted is None else [self._signal(name) for name in wanted]
        return [SignalInfo(s.name, s.unit, s.meaning, s.components) for s in every]

    @property
    def names(self) -> list[str]:
        """Names of these signals, components of vectors included."""
        return [name for s in self.signals for name in (s.name, *(f"{s.name}.{c}" for c in s.components))]

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        if self._at_hand(name) is not None or name in self.names:
            return True
        try:
            return bool(self._signal(name))
        except UnknownSignal:
            return False

    def __getitem__(self, name: str) -> xr.DataArray:
        """A signal over time; a vector also by component (`arm.position.x`)."""
        if name not in self._known:
            array = self._array(self.series(name))
            self._known[name] = array.isel(time=0) if self._one_time else array
        return self._known[name]

    def series(self, name: str) -> Series:
        """A signal over time as plain arrays, with unit and meaning."""
        series = self._at_hand(name)
        if series is None:
            series = self._series[name] = self._computed(self._signal(name))
        return series

    @cached_property
    def dataset(self) -> xr.Dataset:
        """All signals in one xarray Dataset."""
        data = {s.name: self[s.name] for s in self.signals}
        return xr.Dataset(data, coords=None if data else {"time": self._time()}, attrs=self.attributes)

    def at(self, t: float | Sequence[float] | np.ndarray) -> Result:
        """The same result at other times within the run, between outputs too.

        Positions and orientations come from quintic polynomials that meet position, velocity and acceleration at
        the outputs on either side; reactions from cubics. Fine outputs make it exact, coarse ones do not: some 20
        outputs for each oscillation of a body leave a relative error of about 1e-6. Where a mode changes or a speed
        jumps (a clutch locks or breaks loose, an impact), or accelerations jump with a function of time (a load step),
        the run has kept the states on both sides, and each stretch
        between has its own polynomials; at the very moment it is the state after it.
        """
        try:
            times = np.atleast_1d(np.asarray(t, float))
        except (TypeError, ValueError):
            times = np.empty(0)
        if times.ndim != 1 or not len(times) or not np.all(np.isfinite(times)):
            raise ValueError(f"needs a time or a list of times in seconds (such as `0.2`), but is {t!r}")
        first, last = float(self.t[0]), float(self.t[-1])
        slack = 1e-9 * (last - first)
        outside = times[(times < first - slack) | (times > last + slack)]
        if len(outside):
            raise ValueError(
                f"needs times from {first:g} to {last:g} s, the span of the result, but got {outside[0]:g} s"
            )
        times = np.clip(times, first, last)
        return Result(
            self.provenance,
            lambda: self._interpolated(times),
            whole=self,
            one_time=np.ndim(t) == 0,
        )

    def kept_at(self, times: np.ndarray) -> Result:
        """The same with the records at these times and the last one only."""
        chosen = np.isin(self.t, times)
        chosen[-1] = True
        return Result(self.provenance, self.motion.moments(np.flatnonzero(chosen)), self._description)

    def _interpolated(self, times: np.ndarray) -> Motion:
        jumps = [event.t for event in self.provenance.events if event.kind is not EventKind.DEEP]
        program = self.motion.program
        if any(friction.limits >= 0 for friction in program.frictions):  # clutches open and close at corners
            jumps += program.corners(self.motion.numbers, float(self.t[0]), float(self.t[-1]))
        return motion_at(self.motion, times, jumps, list(self.samples))

    @property
    def samples(self) -> np.ndarray:
        """Times at which elements' own states jump, a little later: a state at the very time is that from before. Where
        a mode changes with them, both sides are kept, and tell more."""
        motion, t = self.motion, self.t
        times = np.append(motion.program.samples(motion.numbers, t[0], t[-1]), self.provenance.set_at)
        little = 1e-9 * (t[-1] - t[0])
        kept = motion.sides[1::2, 0]
        near = np.searchsorted(kept, times - little) < np.searchsorted(kept, times + little, "right")
        return times[~near] + 3 * little

    # -- reactions

    def reaction(self, joint: str, body: Side = "b", frame: Axes = "world") -> xr.Dataset:
        """Force and torque of a joint on one of its bodies, as a Dataset with `force` [N] and `torque` [N m].

        The torque is about the joint point. `frame` chooses the axes: of the world, of that body, or of the joint frame
        on that body (z along the joint's axis).
        """
        for name, value, choices in (("body", body, get_args(Side)), ("frame", frame, get_args(Axes))):
            if value not in choices:
                raise ValueError(f"`{name}` must be {' or '.join(map(repr, choices))}, but is {value!r}")
        known = self.motion.program.joints
        if joint not in known:
            hint = did_you_mean(joint, known) or f"the joints are {listed(known)}"
            raise KeyError(f"there is no joint `{joint}`; {hint}")
        force, torque = reaction(self.motion, known[joint].constraint, body, frame)
        note = self._determinacy.note(joint)
        data = {}
        for name, unit, values in (("force", "N", force), ("torque", "N m", torque)):
            meaning = f"{name} of joint {joint} on its body {body}, axes of the {frame}"
            data[name] = self._array(Series(SignalInfo(name, unit, meaning, ("x", "y", "z")), values, note))
        out = xr.Dataset(data)
        return out.isel(time=0) if self._one_time else out

    def seen_from(self, observer: str, of: str) -> xr.Dataset:
        """How a body or attachment frame moves for an observer on another one, in its axes.

        `ground` is one too. A Dataset with `position` [m], `velocity`, `acceleration`, `w`, `angular_acceleration`, and
        the turn from the observer to it as `orientation` (Euler parameters) and in three numbers: `bryant_xyz`,
        `euler_zxz`, `rodrigues`.
        """
        program = self.motion.program
        known = ["ground", *program.bodies, *program.flat.frames]
        for name in (observer, of):
            if name not in known:
                hint = did_you_mean(name, known) or f"there are {listed(known)}"
                raise KeyError(f"there is no body or frame `{name}`; {hint}")
        seen = frame_motion(self.motion, of).seen_from(frame_motion(self.motion, observer))
        parts = {name: (unit, getattr(seen, part)) for name, (unit, _, part) in OF_FRAMES.items()}
        parts |= {"orientation": ("1", euler_parameters(seen.R))}
        parts |= {name: (unit, make(seen.R)) for name, (make, unit) in ANGLES.items()}
        data = {}
        for name, (unit, values) in parts.items():
            info = SignalInfo(
                name, unit, f"{name} of {of}, seen from {observer}", tuple("wxyz"[-values.shape[1] :])
            )
            data[name] = self._array(Series(info, values, {}))
        out = xr.Dataset(data)
        return out.isel(time=0) if self._one_time else out

    @cached_property
    def _determinacy(self) -> Determinacy:
        if self._whole is not None:
            return self._whole._determinacy
        return determinacy(self.motion)

    @cached_property
    def shared_frictions(self) -> tuple[str, ...]:
        """Dry frictions, of lossy meshes too, of which statics leaves open how they share what they hold at rest; their
        efforts carry the attribute `shared`."""
        return self._whole.shared_frictions if self._whole is not None else shared_frictions(self.motion)

    @property
    def redundant(self) -> tuple[str, ...]:
        """Constraint rows that depend on others (`joint.row`). Where there are some, reactions of the joints involved
        are the smallest ones possible; these, and blocks that read them, carry the attribute `minimum_norm`."""
        return self._determinacy.redundant

    # -- spectra and orders

    def spectrum(self, signal: str, *, start: float | None = None, end: float | None = None) -> xr.DataArray:
        """Amplitude of a signal by frequency, between two times [s], with a Hann window; the mean is taken away.

        Warns where the signal changes faster than the outputs show.
        """
        return find_spectrum(self, signal, start, end)

    def orders(
        self,
        signal: str,
        angle: str,
        *,
        most: float | None = None,
        start: float | None = None,
        end: float | None = None,
    ) -> xr.DataArray:
        """Amplitude of a signal by order, in multiples of an angle such as `shaft.angle`, whatever the speed does.

        Resampled by the angle over the last whole turns between two times [s], 1/turns apart up to `most`; at order 0
        is the mean, `phase` is a coordinate. What is done is told in the methods' page on vibration.
        """
        return find_result_orders(self, signal, angle, most, start, end)

    def waterfall(
        self,
        signal: str,
        angle: str | None = None,
        *,
        by: Literal["frequency", "order"] = "frequency",
        most: float | None = None,
        window: float | None = None,
        start: float | None = None,
        end: float | None = None,
    ) -> xr.DataArray:
        """Amplitude of a signal by frequency or order over time, as in a run-up: windows that overlap by a half.

        angle: of the shaft whose speed is told with each time, and whose orders they are; most: highest frequency [Hz]
        or order; window: length of each, in seconds, or in turns for orders.
        """
        return find_waterfall(self, signal, angle, by, most, window, start, end)

    # -- files, tables, pictures

    def __getstate__(self) -> dict[str, Any]:
        """For other processes: arrays and provenance; equations are derived again where they are needed."""
        given = self._given if isinstance(self._given, KeptMotion) else KeptMotion.of(self)
        return {
            "provenance": self.provenance,
            "_given": given,
            "_description": None,
            "_series": self._series,
            "signals": self.signals,
            "_whole": None,
            "_one_time": self._one_time,
            "_known": {},
            "ending": None,  # which only this process can read
            "retrace": None,
        }

    def save(self, path: str | os.PathLike[str], signals: Iterable[str] = ()) -> None:
        """Write it to a NetCDF file, with model text, parameters, version, settings and outcome.

        The file holds the states of the run, from which a loaded result computes every signal. As variables that other
        programs read it holds the `outputs` of the description, else positions and velocities; the signals that were
        read so far, and those asked for here: `r.save("run.nc", r.names)` writes all.
        """
        if self.provenance.outputs is not None:
            asked = [s.name for s in self.signals]
        else:
            owners = [*self.motion.program.bodies, *self.motion.program.joints]
            known = self.catalogue.signals
            asked = [name for owner in owners for what in OF_MOTION if (name := f"{owner}.{what}") in known]
        for name in signals:  # a component comes with its vector
            self._signal(name)
            whole = name in self.catalogue.signals or name in self.catalogue.on_request
            asked.append(name if whole else name.rpartition(".")[0])
        save(self, path, dict.fromkeys([*asked, *self._series]))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Read a result that `save` wrote."""
        kept, stored, signals, ending = load(path)
        result = cls(kept.provenance, kept, stored=stored, signals=signals)
        result.ending = ending
        return result

    to_csv, to_parquet, to_mat = tables.to_csv, tables.to_parquet, tables.to_mat
    to_pandas = tables.to_pandas

    @property
    def plot(self) -> figures.ResultPlots:
        """`r.plot("planet.w", ...)` draws signals over time, `r.plot.energy()` and others ready-made figures."""
        return figures.ResultPlots(self)

    energy_balance = energy_balance

    def animate(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write the moving mechanism to a file; its ending chooses what: `.html` a page that plays it, whole in one
        file; `.glb` solids and motion for other programs; `.png` a still; `.gif` or `.mp4` a moving picture.

        `time=` of the still [s], `seconds=` of the moving picture, `size=` (width, height) in pixels, `yaw=` and
        `pitch=` [rad], `forces=` ("joint", "mesh"), `hidden=` names of bodies, `named=`, `dark=`.
        """
        shown = player.film(self)
        player.save_film(
            shown, path, self.provenance.name or "mechanism", plots=player.SignalPlots(self, shown), **options
        )

    def view(self, *, host: str = "127.0.0.1", port: int = 8080, browser: bool = True) -> player.Viewer:
        """Show it in the browser. The page is there as long as the program runs:
        `r.view().wait()` serves it until Ctrl-C."""
        return player.view_result(self, host=host, port=port, browser=browser)

    def inline(self, height: int = 480) -> player.InlinePlayer:
        """The moving mechanism for a cell of a notebook, `height` pixels high: it turns, plays and plots there."""
        shown = player.film(self)
        title = self.provenance.name or "mechanism"
        return player.InlinePlayer(shown, title, height, player.SignalPlots(self, shown))

    def _repr_html_(self) -> str:
        """For notebooks."""
        report, kinds = self.statistics, Counter(event.kind.name.lower() for event in self.events)
        rows = {
            "analysis": self.provenance.analysis.get("type", ""),
            "outcome": self.report,
            "times": f"{len(self.t)}, from {self.t[0]:g} to {self.t[-1]:g} s",
            "steps": f"{report.steps} ({self.provenance.analysis.get('method', '')})",
            "events": ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "none",
            "parameters": ", ".join(
                f"{name} = {x:g}" for name, x in list(self.provenance.parameters.items())[:6]
            ),
            "signals": f"{len(self.signals)}, in r.names",
        }
        return short_table(f"Result of {self.provenance.name or 'a mechanism'}", rows)

    def __repr__(self) -> str:
        title = self.provenance.name or "result"
        kind = self.provenance.analysis.get("type", "")
        return f"<Result of {title!r}: {kind}, {len(self.t)} times, {self.report}>"

    # -- inside

    def _signal(self, name: str) -> Signal:
        if "catalogue" not in vars(self) and isinstance(self.motion.program, KeptProgram):
            with suppress(KeyError):
                return SignalCatalogue(self.motion.program, of_motion=True)[name]
        return self.catalogue[name]

    def _at_hand(self, name: str) -> Series | None:
        """A signal that was read before, or with the file; of a vector that was, any component."""
        if name in self._series:
            return self._series[name]
        owner, _, component = name.rpartition(".")
        vector = self._series.get(owner)
        return vector.component(component) if vector is not None and component in vector.components else None

    def _computed(self, signal: Signal) -> Series:
        shown = efforts_in(self.motion.program, signal.name)
        notes = self._determinacy.note(*shown) if shown else {}
        if signal.unit in ("N", "N m") and any(
            signal.name.startswith(f"{name}.") for name in self.shared_frictions
        ):
            notes = {**notes, "shared": SHARED}
        info = SignalInfo(signal.name, signal.unit, signal.meaning, signal.components)
        if signal.rate is not None:
            return Series(info, heat_of(self, signal), notes)
        return Series(info, signal.compute(self.motion), notes)

    def _time(self) -> xr.DataArray:
        return xr.DataArray(self.t, dims="time", name="time", attrs={"units": "s", "long_name": "time"})

    def _array(self, series: Series) -> xr.DataArray:
        dims, coordinates = ["time"], {"time": self._time()}
        if series.components:
            dims.append(DIMENSIONS[series.components])
            coordinates[dims[1]] = xr.DataArray(list(series.components), dims=dims[1])
        attributes = series.attributes
        return xr.DataArray(series.values, dims=dims, coords=coordinates, name=series.name, attrs=attributes)

    @property
    def attributes(self) -> dict[str, str]:
        """In short, as files and Datasets have it."""
        return self.provenance.attributes


def load_result(path: str | os.PathLike[str]) -> Result:
    """Read a result from a NetCDF file that `Result.save` wrote."""
    return Result.load(path)


def _each_time_once(motion: Motion) -> Motion:
    """An output time at which a step ended is stored twice; keep the later one."""
    keep = np.append(np.diff(motion.t) > 0, True)
    if keep.all():
        return motion
    return motion.moments(np.flatnonzero(keep))
