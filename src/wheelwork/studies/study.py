"""A study: variants of a mechanism, each simulated, with measures of each; a labelled table of results."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork import __version__
from wheelwork.analyses.feasible import check_run
from wheelwork.analyses.options import merged
from wheelwork.analyses.prepare import prepare
from wheelwork.analyses.reduction.lanes import NoLanes
from wheelwork.analyses.simulate import run_options
from wheelwork.description import Description, Formula, ModelError, Problem, Simulate
from wheelwork.description.flatten import parameters_of
from wheelwork.description.structure import snapshot
from wheelwork.description.units import parse_quantity
from wheelwork.description.validate import element_problems
from wheelwork.description.walk import givens
from wheelwork.description.write import dumps
from wheelwork.engine.device_run import NoDevice
from wheelwork.engine.devices import OnDevice
from wheelwork.engine.outcome import Outcome
from wheelwork.engine.watch import Watch
from wheelwork.problems import listed, users_level
from wheelwork.system.signals import SignalCatalogue

from .in_lanes import Group, Span, groups
from .measures import read_measures
from .numbers import VaryingNumbers, mapped
from .one_by_one import OneResult, run_all, run_one
from .variation import VARIANT, Variants, read_table, read_variants

if TYPE_CHECKING:
    import xarray as xr

ENGINES = ("lanes", "threads", "gpu")
CHECKED = 4096
"""Variants whose numbers are checked one by one before anything runs: all, or of more than these a sample that has the
least and the greatest value of every parameter."""
BLOCK = 65_536
"""Variants that are in memory with their states at a time; on a graphics processor sixteen times as many."""


class StudyWarning(UserWarning):
    """A study did not get to its end, or some of its variants did not; its result holds what there is."""


class Study:
    """Many variants of a mechanism, each simulated from its own start.

    mechanism: what `wheelwork.load` gives
    Fields:
        vary: parameters by name, each a list of values, or a text: `"0 mm to 0.4 mm in 11"`, `"0.02 mm normal"`. Lists
            and ranges span a grid; what is random is drawn `count` times
        table: a CSV file with a column for each parameter, in place of, or beside, `vary`
        measures: results by name, such as `{"peak": "greatest(mesh1.force.transverse)"}`
        end [s]: of each run
        run_in [s]: span at its beginning that is not measured
        samples: intervals of the measuring span at whose ends signals are looked at
        count: of what is drawn, how many
        sampling: `random`, `latin hypercube` or `sobol`
        seed: where drawing begins
        options: those of `Mechanism.simulate`: `method`, `step`, `rtol`, `atol`, `max_steps`, `formulation`, `skipping`

    Everything is checked before anything runs; what is wrong is a ModelError.

    >>> import wheelwork as ww
    >>> from wheelwork import examples
    >>> study = ww.Study(
    ...     ww.load(examples.path("drive-line")),
    ...     vary={"drag": [0.002, 0.003]},
    ...     measures={"speed": "mean(motor.w)"},
    ...     end=0.2, run_in=0.1,
    ... )
    >>> study.run()["speed"].dims
    ('drag',)
    """

    def __init__(
        self,
        mechanism: Description,
        vary: Mapping[str, Any] | None = None,
        *,
        measures: Mapping[str, str],
        end: float | str | None = None,
        run_in: float | str = 0.0,
        samples: int = 1000,
        table: str | os.PathLike[str] | None = None,
        count: int | None = None,
        sampling: str = "random",
        seed: int = 0,
        **options: Any,
    ):
        self.description = snapshot(mechanism)
        own = parameters_of(self.description)
        self._parameters, self._units = own.parameters, own.parameter_units
        settings: Any = merged(self.description, Simulate, {"end": end, **options})
        self.settings = settings
        self.options = run_options(settings)
        self.variants = self._read_variants(vary or {}, table, dict(own.values), count, sampling, seed)
        self.span = self._read_span(run_in, samples)
        first = self._parameters_of(0)
        self._base = prepare(self.description, first, self.options.method)
        check_run(self._base.program, self.options.start, self.options.end, samples, self.options.rtol)
        catalogue = SignalCatalogue(self._base.program)
        names = [*catalogue.names(), *own.parameters]

        def unit(name: str) -> str | None:
            if name in own.parameters:
                return own.parameter_units.get(name, "1")
            if name == "t":
                return "s"
            try:
                signal = catalogue[name]
            except KeyError:
                return None
            return None if signal.components else signal.unit

        found, problems = read_measures(measures, unit, names)
        if found is None:
            raise ModelError(problems)
        self.measures = found
        self._check_parameters()
        self._check_numbers()

    # -- reading

    def _read_variants(
        self,
        vary: Mapping[str, Any],
        table: str | os.PathLike[str] | None,
        nominal: dict[str, float],
        count: int | None,
        sampling: str,
        seed: int,
    ) -> Variants:
        if table is None:
            return read_variants(vary, nominal, self._units, count, sampling, seed)
        columns = read_table(table, self._units)
        problems = [
            Problem(
                f"there is no parameter `{name}`",
                where=str(table),
                hint=f"the parameters are {listed(nominal)}",
            )
            for name in columns
            if name not in nominal
        ]
        problems += [
            Problem("varies in the table too", path=f"vary.{name}") for name in vary if name in columns
        ]
        if problems:
            raise ModelError(problems)
        grid = read_variants(vary, nominal, self._units, count, sampling, seed) if vary else Variants({})
        if grid.columns:
            raise ModelError([Problem("a table and random values do not go together", path="table")])
        return Variants(grid.axes, columns)

    def _read_span(self, run_in: float | str, samples: int) -> Span:
        run = self.options
        try:
            given = float(parse_quantity(run_in)) if isinstance(run_in, str) else float(run_in)
        except ValueError as error:
            raise ModelError([Problem(str(error), path="run_in")]) from None
        problems = []
        if not 0 <= given < run.end - run.start:
            problems.append(
                Problem(
                    f"the run takes {run.end - run.start:g} s, and {given:g} s of it leave nothing to measure",
                    path="run_in",
                )
            )
        if isinstance(samples, bool) or not isinstance(samples, int) or samples < 2:
            problems.append(Problem(f"needs a whole number of at least 2, and is {samples}", path="samples"))
        if run.method == "rk4" and run.step is None:
            problems.append(Problem("`rk4` needs a step", path="step"))
        if problems:
            raise ModelError(problems)
        return Span(run.start + given, samples, run.end)

    def _parameters_of(self, k: int) -> dict[str, float]:
        values = self.variants.values(np.array([k]))[:, 0]
        return dict(zip(self.variants.names, values.tolist(), strict=True))

    @cached_property
    def _varying(self) -> VaryingNumbers:
        return VaryingNumbers(self._base.program, self._parameters, self.variants.names)

    # -- checks

    def _check_parameters(self) -> None:
        """A parameter that nothing depends on is a mistake."""
        in_measures = {name for signal in self.measures.signals for name in signal.names()}
        analysis = [g.value.names() for g in givens(self.settings) if isinstance(g.value, Formula)]
        used = in_measures.union(*analysis)
        problems = [
            Problem(
                f"no equation contains the parameter `{name}`: all variants would be the same",
                path=f"vary.{name}",
            )
            for name, contained in zip(self.variants.names, self._varying.used, strict=True)
            if not contained and name not in used
        ]
        own = self.description.analysis
        if own is not None:
            for given in givens(own):
                varied = (
                    given.value.names() & set(self.variants.names)
                    if isinstance(given.value, Formula)
                    else set()
                )
                if varied:
                    problems.append(
                        Problem(
                            f"`{'.'.join(map(str, given.path))}` of the analysis depends on {listed(sorted(varied))}, "
                            "and all variants of a study have the same times and tolerances",
                            path="vary",
                        )
                    )
        if problems:
            raise ModelError(problems)

    def _check_numbers(self) -> None:
        """Values with which an element would be wrong, such as a negative mass, are said with the variant's values."""
        count, variants, program = self.variants.count, self.variants, self._base.program
        chosen = np.arange(count)
        if count > CHECKED:
            x = variants.values(chosen)
            ends = [k for row in x for k in (int(np.argmin(row)), int(np.argmax(row)))]
            chosen = np.unique([*ends, *np.linspace(0, count - 1, CHECKED).astype(int).tolist()])
        x = variants.values(chosen)
        depending = set(variants.names)
        for _ in self._parameters:  # parameters that are formulas of these
            depending |= {
                name
                for name, value in self._parameters.items()
                if isinstance(value, Formula) and value.names() & depending
            }
        flat = self._base.flat
        every = (flat.bodies, flat.joints, flat.meshes, flat.forces, flat.drivers, flat.frames)
        concerned = [
            placed
            for collection in every
            for placed in collection.values()
            if any(
                isinstance(g.value, Formula) and g.value.names() & depending for g in givens(placed.element)
            )
        ]
        resolved = mapped(self._varying.resolved, x)
        for k in range(len(chosen)):
            numbers = dict(zip(program.parameter_names, resolved[:, k].tolist(), strict=True))
            bad = [name for name, value in numbers.items() if not np.isfinite(value)]
            problems = element_problems(concerned, numbers)
            if bad or problems:
                said = ", ".join(f"{n} = {v:g}" for n, v in zip(variants.names, x[:, k], strict=True))
                message = f"`{bad[0]}` has no finite value" if bad else problems[0].message
                path = "" if bad else problems[0].path
                raise ModelError([Problem(f"with {said}: {message}", path=path or "vary")])

    # -- running

    def run(
        self, *, engine: str | None = None, threads: int | None = None, progress: bool | None = None
    ) -> xr.Dataset:
        """Run all variants and give the measures of each.

        engine: `lanes` (several variants in one vector, threads beside each other), `threads` (one run a variant) or
            `gpu` (a graphics processor of NVIDIA's, with CuPy); by itself it takes lanes where the mechanism has
            straight-line code, else threads
        threads: as many as there are cores; progress: whether to show a bar (default: when standard error is a
            terminal). Ctrl-C keeps what there is
        """
        if engine is not None and engine not in ENGINES:
            raise ModelError(
                [Problem(f"there is no engine `{engine}`; there are {listed(ENGINES)}", path="engine")]
            )
        began, why = time.perf_counter(), ""
        results = _Results(self.measures.names, self.variants.count)
        own: list[Group] | None = None
        if engine != "threads":
            own, why = self._lanes()
            if own is None and engine == "lanes":
                raise ModelError(
                    [
                        Problem(
                            f"the study cannot be run in lanes: {why}",
                            path="engine",
                            hint="leave `engine` out",
                        )
                    ]
                )
        if engine == "gpu":
            self._on_device(own or [])
        with _StudyWatch(self.variants.count, progress, self.description.name) as watch:
            if own is not None:
                self._run_lanes(own, results, threads, watch)
            else:
                self._run_threads(results, threads, watch)
        return self._dataset(
            results, "threads" if own is None else engine or "lanes", why, time.perf_counter() - began
        )

    def _lanes(self) -> tuple[list[Group] | None, str]:
        """Variants by the code that they need; None, and why there is none."""
        run = self.options
        if run.method not in ("rk4", "dopri5"):
            return None, f"lanes have the methods rk4 and dopri5, not {run.method}"
        if run.stabilisation != "projection" or self.settings.formulation == "absolute":
            return None, "lanes are for minimal coordinates"
        program = self._base.program
        if program.frictions or program.contacts:
            return None, "dry friction and impacts are not in straight-line code"
        try:
            return (
                groups(
                    self.description,
                    self._parameters,
                    self.variants.names,
                    self.variants.count,
                    self.variants.values,
                    run,
                    self.measures,
                ),
                "",
            )
        except NoLanes as reason:
            return None, str(reason)

    def _on_device(self, own: list[Group]) -> None:
        try:
            for group in own:
                group.lanes = OnDevice(group.program, self.options.method)
                group.lanes.code  # noqa: B018  # loads it
        except NoDevice as error:
            text = f"the study cannot be run on a graphics processor: {error}"
            raise ModelError([Problem(text, path="engine", hint="leave `engine` out")]) from None

    def _run_lanes(
        self, own: list[Group], results: _Results, threads: int | None, watch: _StudyWatch
    ) -> None:
        for group in own:
            size = 16 * BLOCK if isinstance(group.lanes, OnDevice) else BLOCK
            for first in range(0, len(group.members), size):
                chosen = np.arange(first, min(first + size, len(group.members)))
                found = group.run(self.options, self.span, self.variants.values, chosen, threads, watch.told)
                whole = (found.outcome == Outcome.REACHED_END) | (found.outcome == Outcome.TEETH_TOO_DEEP)
                measured = self.measures.from_accumulators(
                    found.measured, found.skips, self.span.interval, self.span.intervals
                )
                members = group.members[chosen]
                results.outcome[members] = found.outcome
                results.time[members] = found.time
                results.steps += int(found.steps.sum())
                for name, value in measured.items():
                    results.measured[name][members] = np.where(whole, value, np.nan)
                watch.block_done()
                if watch.presses:
                    return

    def _run_threads(self, results: _Results, threads: int | None, watch: _StudyWatch) -> None:
        def one(k: int, stop: Any) -> OneResult:
            return run_one(
                self.description,
                self._parameters_of(k),
                self.options,
                self.settings.formulation,
                self.span,
                self.measures,
                stop,
            )

        def take(k: int, result: OneResult) -> None:
            results.outcome[k], results.time[k] = result.outcome, result.time
            results.steps += result.steps
            if not result.outcome.good:
                results.texts[k] = result.text
            for name, value in result.measured.items():
                results.measured[name][k] = value

        run_all(one, self.variants.count, threads, watch.told, take)

    # -- results

    def _dataset(self, results: _Results, engine: str, why: str, seconds: float) -> xr.Dataset:
        import xarray as xr  # takes half a second to import

        variants = self.variants
        dims, shape = list(variants.dimensions), variants.shape
        data = {}
        for name, unit in zip(self.measures.names, self.measures.units, strict=True):
            data[name] = (dims, results.measured[name].reshape(shape), {"units": unit} if unit else {})
        texts = {int(o): str(Outcome(o)) for o in np.unique(results.outcome)}
        if int(Outcome.INTERRUPTED) in texts:
            texts[int(Outcome.INTERRUPTED)] = "not run"
        names = np.array([texts[int(o)] for o in results.outcome], dtype=object)
        data["outcome"] = (dims, names.reshape(shape), {"long_name": "how the variant ended"})
        data["end_time"] = (dims, results.time.reshape(shape), {"units": "s", "long_name": "when it ended"})
        coords: dict[str, Any] = {
            name: ([name], values, self._about(name)) for name, values in variants.axes.items()
        }
        coords |= {name: ([VARIANT], values, self._about(name)) for name, values in variants.columns.items()}
        good = results.outcome == Outcome.REACHED_END
        missing = int(np.count_nonzero(results.outcome == Outcome.INTERRUPTED))
        failed = len(good) - int(good.sum()) - missing
        first = next(
            (k for k in range(len(good)) if not good[k] and results.outcome[k] != Outcome.INTERRUPTED), None
        )
        if failed or missing:
            said = []
            if failed and first is not None:
                at = ", ".join(f"{n} = {v:g}" for n, v in self._parameters_of(first).items())
                reason = (
                    results.texts.get(first)
                    or f"{Outcome(results.outcome[first])} at t = {results.time[first]:.6g} s"
                )
                said.append(
                    f"{failed} of {len(good)} variants did not reach the end, the first with {at}: {reason}"
                )
            if missing:
                said.append(f"{missing} of {len(good)} variants were not run: interrupted")
            warnings.warn(". ".join(said), StudyWarning, stacklevel=users_level())
        attributes = {
            "model": dumps(self.description),
            "name": self.description.name,
            "analysis": f"simulate, {self.options.method}, from {self.options.start:g} to {self.options.end:g} s",
            "method": self.options.method,
            "step": self.options.step or 0.0,
            "rtol": self.options.rtol,
            "atol": self.options.atol,
            "measured_from": self.span.begin,
            "samples": self.span.intervals,
            "engine": engine,
            "seconds": seconds,
            "steps": results.steps,
            "wheelwork": __version__,
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        if why:
            attributes["why_not_lanes"] = why
        return xr.Dataset(data, coords, attributes)

    def _about(self, name: str) -> dict[str, str]:
        return {"units": self._units.get(name, "1"), "long_name": f"parameter {name}"}

    def __repr__(self) -> str:
        sizes = " x ".join(f"{n} {name}" for name, n in self.variants.dimensions.items())
        return (
            f"<study of {self.description.name or 'a mechanism'}: {self.variants.count} variants ({sizes})>"
        )


class _Results:
    """As they come."""

    def __init__(self, names: tuple[str, ...], count: int):
        self.outcome = np.full(count, int(Outcome.INTERRUPTED))
        self.time = np.full(count, np.nan)
        self.measured = {name: np.full(count, np.nan) for name in names}
        self.texts: dict[int, str] = {}
        self.steps = 0


class _StudyWatch(Watch):
    """Progress in variants."""

    def __init__(self, count: int, show: bool | None, title: str):
        super().__init__(0.0, float(count), show, title or "study")
        self._failed, self._before, self._now = 0, 0, 0

    def told(self, done: int, failed: int) -> bool:
        """In the present block."""
        self._now, self._failed = done, failed
        return self.step(float(self._before + done), done)

    def block_done(self) -> None:
        self._before += self._now

    def _texts(self, t: float, elapsed: float) -> dict[str, Any]:
        failures = f", {self._failed} failed" if self._failed else ""
        return {
            "t": f"{t:.0f} of {self.end:.0f} variants{failures}",
            "speed": f"{t / max(elapsed, 1e-9):.3g}/s",
        }
