"""What is run for each variant where it is not a simulation: modes, ratios, static transmission error, sweeps.

modes
    natural_frequency(k), frequency(k), damping(k), growth(k) of mode k, counted as `wheelwork modes` does;
    natural_frequencies(n): the first n, over `mode`
ratios
    ratio(a, b): speed of b for one of a, the rest as `hold` says
transmission_error
    error_range(), mean_error(), error_order(n), mean_stiffness() of a mesh cycle; error(): all of it, over `phase`
sweep
    mean(x), rms(x), peak(x), least(x), greatest(x), open(x), order(x, n), section(x) over direction and value;
    unsettled(x): what is left of decays, as a part of the vibration; settled below 0.02
    jump_up(x), jump_down(x): where the first jump is on each way, nan where there is none
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wheelwork.analyses.options import merged
from wheelwork.analyses.prepare import prepare
from wheelwork.analyses.vibration.sweep import find_signals
from wheelwork.description import Description, ModelError
from wheelwork.description.study import RatiosAnalysis, TransmissionErrorAnalysis
from wheelwork.description.vibration_analyses import ModesAnalysis, SweepAnalysis
from wheelwork.engine.outcome import Outcome
from wheelwork.layout import layout_of
from wheelwork.lazy import gears, stiffness, trains
from wheelwork.lazy import vibrations_described as vibrations
from wheelwork.problems import listed

from .calls import number_in, whole_in, with_calls_named
from .measures import Extent, Reading, read_each, results_of
from .one_by_one import OneResult
from .units import unit_of

Call = tuple[str, tuple[Any, ...]]


class StudiedAnalysis:
    """An analysis with the measures of it that are wanted.

    names, units, texts, extents: of the results, as :class:`.measures.Measures` has them
    """

    kind: type[Any]
    calls: Mapping[str, int]
    """Measures, and how many arguments they take."""

    def __init__(
        self, description: Description, settings: Any, given: Mapping[str, str], first: Mapping[str, float]
    ):
        self.description, self.settings = description.model_copy(update={"analysis": settings}), settings
        self.begin(first)
        self.wanted: list[Call] = []
        self.names, self.texts = tuple(given), tuple(given.values())
        self.formulas, self.units, self.extents = read_each(given, self._reading)

    def _reading(self, name: str, text: str) -> Reading:
        del name  # texts alone tell
        formula, calls = with_calls_named(text, self.calls, self._named)
        about = [self.about(*self.wanted[int(call[1:])]) for call in calls]
        alone = bool(formula.single_name)
        if any(extent for _, extent in about) and not alone:
            raise ValueError(f"`{text}`: what is not one number stands alone, and not in a formula")
        units = {call: unit for call, (unit, _) in zip(calls, about, strict=True)}
        return formula, unit_of(formula, units.get), about[0][1] if alone else ()

    def _named(self, call: str, arguments: list[str]) -> str:
        if len(arguments) != self.calls[call]:
            raise ValueError(f"`{call}` takes {self.calls[call]} arguments, and has {len(arguments)}")
        self.wanted.append((call, self.read(call, arguments)))
        return f"m{len(self.wanted) - 1}"

    def one(self, parameters: Mapping[str, float]) -> OneResult:
        """One variant. One that fails says why."""
        try:
            result = self.run(parameters)
            values = {f"m{k}": self.value(result, *call) for k, call in enumerate(self.wanted)}
        except (ModelError, gears.GeometryError) as error:
            text = error.problems[0].message if isinstance(error, ModelError) else str(error)
            return OneResult(Outcome.CONSTRAINTS_LOST, 0.0, text, {})
        measured = results_of(self.names, self.formulas, values)
        return OneResult(Outcome.REACHED_END, 0.0, "", measured)

    def begin(self, first: Mapping[str, float]) -> None:
        """Look at the first variant, so that what is wrong is reported before anything runs."""
        self.sample = self.run(first)

    def run(self, parameters: Mapping[str, float]) -> Any:
        """What the analysis gives for a variant."""
        raise NotImplementedError

    def read(self, call: str, arguments: list[str]) -> tuple[Any, ...]:
        """Arguments of a measure. Raises ValueError."""
        return tuple(map(whole_in, arguments))

    def about(self, call: str, arguments: tuple[Any, ...]) -> tuple[str, tuple[Extent, ...]]:
        """Unit and further dimensions of a measure. Raises ValueError where it is not available."""
        raise NotImplementedError

    def value(self, result: Any, call: str, arguments: tuple[Any, ...]) -> Any:
        raise NotImplementedError


class ModesStudied(StudiedAnalysis):
    kind = ModesAnalysis
    calls = dict.fromkeys(("natural_frequency", "frequency", "damping", "growth", "natural_frequencies"), 1)

    def run(self, parameters: Mapping[str, float]) -> Any:
        return vibrations.run_described(self.description, ModesAnalysis, parameters=parameters)

    def about(self, call: str, arguments: tuple[Any, ...]) -> tuple[str, tuple[Extent, ...]]:
        (k,) = arguments
        if k > len(self.sample):
            raise ValueError(f"there are {len(self.sample)} modes, and `{call}` asks for {k}")
        if call == "natural_frequencies":
            return "Hz", (Extent("mode", tuple(map(float, range(1, k + 1))), "1"),)
        return {"damping": "1", "growth": "1/s"}.get(call, "Hz"), ()

    def value(self, result: Any, call: str, arguments: tuple[Any, ...]) -> Any:
        (k,) = arguments
        return (
            result.natural_frequencies[:k] if call == "natural_frequencies" else getattr(result[k - 1], call)
        )


class RatiosStudied(StudiedAnalysis):
    kind = RatiosAnalysis
    calls = {"ratio": 2}  # noqa: RUF012

    def begin(self, first: Mapping[str, float]) -> None:
        self.sample = self.run(first)
        if not self.sample.equations:
            text = "the mechanism has no meshes, ratios or couplers, so there are no ratios"
            raise ModelError(text, path="analysis")

    def run(self, parameters: Mapping[str, float]) -> Any:
        return layout_of(self.description, parameters).train_graph

    def read(self, call: str, arguments: list[str]) -> tuple[Any, ...]:
        return tuple(arguments)

    def about(self, call: str, arguments: tuple[Any, ...]) -> tuple[str, tuple[Extent, ...]]:
        try:
            self.value(self.sample, call, arguments)
        except ModelError as error:
            raise ValueError(str(error)) from None
        return "", ()

    def value(self, result: Any, call: str, arguments: tuple[Any, ...]) -> Any:
        driver, driven = arguments
        return 1 / float(trains.train_ratio(result, driver, driven, self.settings.hold))


STIFFNESS = {"energy": "EnergyMethod", "beam_slices": "BeamSlices", "iso6336": "Iso6336"}


class TransmissionErrorStudied(StudiedAnalysis):
    kind = TransmissionErrorAnalysis
    calls = dict.fromkeys(("error_range", "mean_error", "mean_stiffness", "error"), 0) | {"error_order": 1}

    def begin(self, first: Mapping[str, float]) -> None:
        flat = layout_of(self.description, first).flat
        if self.settings.mesh not in flat.meshes:
            text = f"there is no mesh `{self.settings.mesh}`; there are {listed(flat.meshes)}"
            raise ModelError(text, path="analysis.mesh")
        self.phases = np.arange(self.settings.points) / self.settings.points
        try:
            super().begin(first)
        except gears.GeometryError as error:
            raise ModelError(str(error), path="analysis") from None

    def run(self, parameters: Mapping[str, float]) -> Any:
        settings: Any = merged(self.description, TransmissionErrorAnalysis, {}, parameters)
        layout = layout_of(self.description, parameters)
        teeth, name = layout.teeth, settings.mesh
        pair = teeth.pair(name)
        if pair is None:
            text = f"mesh `{name}` has no teeth with a path of contact: {teeth.why_not(name) or 'of another kind'}"
            raise ModelError(text, path="analysis.mesh")
        method = getattr(stiffness, STIFFNESS[settings.stiffness])(pair, teeth.materials(name))
        angle = self.phases * 2 * np.pi / pair.a.teeth
        return stiffness.static_transmission_error(method, settings.force, angle)

    def about(self, call: str, arguments: tuple[Any, ...]) -> tuple[str, tuple[Extent, ...]]:
        if call == "error_order" and arguments[0] > len(self.phases) // 2:
            raise ValueError(
                f"order {arguments[0]} needs more `points` than {len(self.phases)} in a mesh cycle"
            )
        if call == "error":
            return "m", (Extent("phase", tuple(self.phases.tolist()), "1"),)
        return "N/m" if call == "mean_stiffness" else "m", ()

    def value(self, result: Any, call: str, arguments: tuple[Any, ...]) -> Any:
        if call == "error":
            return result.error
        if call == "error_order":
            return 2 * abs(np.mean(result.error * np.exp(-2j * np.pi * arguments[0] * self.phases)))
        if call == "mean_stiffness":
            return float(np.mean(result.stiffness))
        return result.peak_to_peak if call == "error_range" else float(np.mean(result.error))


class SweepStudied(StudiedAnalysis):
    kind = SweepAnalysis
    calls = {"order": 2} | dict.fromkeys(
        ("mean", "rms", "peak", "least", "greatest", "open", "section", "jump_up", "jump_down", "unsettled"),
        1,
    )

    def begin(self, first: Mapping[str, float]) -> None:
        s = self.settings
        if s.parameter in first:
            text = "is what the sweep varies, and cannot vary in the study too"
            raise ModelError(text, path=f"vary.{s.parameter}")
        self.prepared = prepare(self.description, first, s.method)
        ends = (s.start, s.stop, s.points)
        self.values = vibrations.parameter_range(self.description, s.parameter, *ends, first)
        self.unit = self.prepared.flat.parameter_units.get(s.parameter, "1")
        self.signals: list[str] = []
        self.contacts: list[str] = []
        self.orders: list[float] = []

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "prepared"}

    def read(self, call: str, arguments: list[str]) -> tuple[Any, ...]:
        name = arguments[0]
        try:
            unit = find_signals(self.prepared, [name])[0].unit
        except ModelError as error:
            raise ValueError(error.problems[0].message) from None
        kept = self.contacts if call == "open" else self.signals
        if name not in kept:
            kept.append(name)
        if call not in ("order", "section"):
            return name, unit
        if self.settings.frequency is None:
            raise ValueError(f"`{call}` needs `frequency` of the sweep")
        if call == "section":
            return name, unit
        number = number_in(arguments[1])
        if number not in self.orders:
            self.orders.append(number)
        return name, unit, number

    def about(self, call: str, arguments: tuple[Any, ...]) -> tuple[str, tuple[Extent, ...]]:
        if call.startswith("jump"):
            if call == "jump_down" and not self.settings.both:
                raise ValueError("`jump_down` needs `both: true` of the sweep")
            return self.unit, ()
        ways = ("up", "down") if self.settings.both else ("up",)
        over = (
            Extent("direction", ways, "1"),
            Extent(self.settings.parameter, tuple(self.values.tolist()), self.unit),
        )
        if call == "section":
            over += (Extent("period", tuple(map(float, range(int(self.settings.measure)))), "1"),)
        return "1" if call in ("open", "unsettled") else arguments[1], over

    def run(self, parameters: Mapping[str, float]) -> Any:
        options: dict[str, Any] = {
            "signals": tuple(self.signals or self.contacts),
            "contacts": tuple(self.contacts),
            "orders": tuple(self.orders),
        }
        result = vibrations.run_described(
            self.description, SweepAnalysis, parameters=parameters, progress=False, **options
        )
        if not result.complete:
            raise ModelError(result.report)
        return result

    def value(self, result: Any, call: str, arguments: tuple[Any, ...]) -> Any:
        name, data = arguments[0], result.dataset
        if call.startswith("jump"):
            way = call.removeprefix("jump_")
            jumps = [jump for jump in result.jumps(name) if jump.direction == way]
            return (jumps[0].before + jumps[0].after) / 2 if jumps else np.nan
        if call == "open":
            return data["open"].sel(contact=name).values
        if call == "order":
            return data["amplitude"].sel(signal=name, order=arguments[2]).values
        return data[call].sel(signal=name).values


STUDIED = (ModesStudied, RatiosStudied, TransmissionErrorStudied, SweepStudied)
KINDS = {cls.kind.model_fields["type"].default: cls for cls in STUDIED}


def studied(kind: Any) -> type[StudiedAnalysis] | None:
    """How an analysis, or one derived from it, is studied."""
    return next((cls for cls in STUDIED if issubclass(kind, cls.kind)), None)
