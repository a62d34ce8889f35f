"""A study: variants of a mechanism, each simulated, with measures of each; a labelled table of results."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.analyses.feasible import check_run
from wheelwork.analyses.options import merged
from wheelwork.analyses.planned import run_options
from wheelwork.analyses.prepare import Prepared, prepare
from wheelwork.analyses.reduction.lanes import NoLanes
from wheelwork.description import Description, Formula, ModelError, Problem, Simulate
from wheelwork.description.files import folder_of
from wheelwork.description.flatten import parameters_of
from wheelwork.description.registry import find
from wheelwork.description.structure import snapshot
from wheelwork.notebook import short_table
from wheelwork.problems import listed
from wheelwork.system.signals import SignalCatalogue

from .analyses import KINDS, StudiedAnalysis, studied
from .checks import check_arguments, check_names, check_numbers, check_parameters, check_run_arguments
from .chunks import NOT_RUN, Chunks, VariantResults
from .cluster import Cluster
from .dataset import StudyWarning, as_dataset, how, warn_of_failures
from .engines import StudyEngine, chosen, chunk_size
from .in_lanes import Group, groups
from .measures import Measures, read_measures
from .numbers import VaryingNumbers
from .one_by_one import OneResult, run_one
from .span import read_span
from .store import StudyStore
from .variation import read_variants
from .watch import StudyWatch

__all__ = ["Study", "StudyWarning"]

if TYPE_CHECKING:
    import xarray as xr

MOST_NUMBERS = 500_000_000
"""That a table without a store may hold."""


class Study:
    """Many variants of a mechanism, each simulated from its own start.

    mechanism: what `wheelwork.load` gives
    Fields:
        vary: parameters by name, each a list of values, or a text: `"0 mm to 0.4 mm in 11"`, `"0.02 mm normal"`. Lists
            and ranges span a grid; what is random is drawn `count` times
        table: a CSV file with a column for each parameter, in place of, or beside, `vary`
        measures: results by name, such as `{"peak": "greatest(mesh1.force.transverse)"}`, or those of another study
        end [s]: of each run
        run_in [s]: span at its beginning that is not measured
        samples: intervals of the measuring span at whose ends signals are looked at
        count: of what is drawn, how many
        sampling: `random`, `latin hypercube`, `sobol`; for indices `saltelli` or `morris`
        seed: where drawing begins
        analysis: `simulate`, or `modes`, `ratios`, `transmission_error`, `sweep`, each with measures of its own
        options: those of the analysis; of `simulate`: `method`, `step`, `rtol`, `atol`, `max_steps`, `formulation`,
            `skipping`

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
        measures: Mapping[str, str] | Measures | StudiedAnalysis,
        end: float | str | None = None,
        run_in: float | str = 0.0,
        samples: int = 1000,
        table: str | os.PathLike[str] | None = None,
        count: int | None = None,
        sampling: str = "random",
        seed: int = 0,
        analysis: str = "simulate",
        **options: Any,
    ):
        given = {"mechanism": mechanism, "vary": vary, "measures": measures, "table": table, "count": count}
        measures = check_arguments(
            {**given, "samples": samples, "seed": seed, "analysis": analysis, "run_in": run_in}
        )
        self.description, self.vary = snapshot(mechanism), dict(vary or {})
        own = parameters_of(self.description)
        self.parameters, self._units = own.parameters, own.parameter_units
        kind = KINDS[analysis].kind if analysis in KINDS else find("analyses", analysis)
        by = None if kind is None else studied(kind)
        if kind is None or not (by or issubclass(kind, Simulate)):
            text = f"there is no analysis `{analysis}` for a study; there are {listed(('simulate', *KINDS))}"
            raise ModelError(text, path="analysis")
        self.analysis = analysis
        self.drawing = {"count": count, "sampling": sampling, "seed": seed}
        nominal = dict(own.values)
        self.variants = read_variants(vary or {}, nominal, self._units, count, sampling, seed, table)
        self.studied: StudiedAnalysis | None = None
        if by is None:
            self._read_simulation({"end": end, **options}, measures, run_in, samples)
        else:
            self._read_other(by, {"end": end, **options}, measures, run_in)
        check_names(self)
        check_parameters(self)
        check_numbers(self)

    def _read_simulation(
        self, options: dict[str, Any], measures: Mapping[str, str], run_in: float | str, samples: int
    ) -> None:
        settings: Any = merged(self.description, Simulate, options)
        self.settings = settings
        self.options = run_options(settings)
        self.span = read_span(self.options, run_in, samples)
        check_run(self.base.program, self.options.start, self.options.end, samples, self.options.rtol)
        catalogue = SignalCatalogue(self.base.program)
        names = [*catalogue.names(), *self.parameters]

        def unit(name: str) -> str | None:
            if name in self.parameters:
                return self._units.get(name, "1")
            if name == "t":
                return "s"
            try:
                signal = catalogue[name]
            except KeyError:
                return None
            return None if signal.components else signal.unit

        self.measures: Measures = read_measures(measures, unit, names, self.span)

    def _read_other(
        self,
        kind: type[StudiedAnalysis],
        options: dict[str, Any],
        measures: Mapping[str, str],
        run_in: float | str,
    ) -> None:
        """Settings of the analysis; formulas in them are honoured for every variant."""
        given = {name: value for name, value in options.items() if value is not None and name != "type"}
        base: Any = self.description.analysis
        own = type(base) if isinstance(base, kind.kind) else kind.kind
        foreign = [name for name in given if name not in own.model_fields]
        if run_in:
            foreign.append("run_in")
        if foreign:
            raise ModelError(
                [Problem(f"has no meaning for the analysis `{self.analysis}`", path=name) for name in foreign]
            )
        if isinstance(base, own):
            given = {name: getattr(base, name) for name in base.model_fields_set} | given
        settings = own(**given)
        self.settings = settings
        self.studied = kind(self.description, settings, measures, self.parameters_of(0))
        self.measures = self.studied  # type: ignore[assignment]  # for another study; `wanted` says of which kind

    @classmethod
    def described(cls, mechanism: Description, **given: Any) -> Study:
        """The study of the mechanism's own section `study`; `given` (`vary`, `measures`, `count` ...) wins over it.

        What is wrong is reported with file and line.
        """
        plan = mechanism.study
        if plan is None and not ("measures" in given and ("vary" in given or "table" in given)):
            hint = "a section `study` says what varies and what is measured"
            raise ModelError("describes no study", where=mechanism.source_file, hint=hint)
        names = ("vary", "table", "measures", "run_in", "samples", "count", "sampling", "seed")
        own: dict[str, Any] = {} if plan is None else {name: getattr(plan, name) for name in names}
        if own.get("table") is not None:
            own["table"] = folder_of(mechanism) / own["table"]
        asked = mechanism.analysis if plan is None or plan.analysis is None else plan.analysis
        simulated = isinstance(asked, Simulate)
        if asked is not None and (simulated or studied(type(asked))):
            own |= {name: getattr(asked, name) for name in asked.model_fields_set if name != "type"}
            own["analysis"] = asked.type
            if not simulated and not own.get("run_in"):
                own.pop("run_in", None)
        try:
            return cls(mechanism, **own | given)
        except ModelError as error:
            raise ModelError(
                [
                    problem if problem.path.split(".")[0] in given else _placed(problem, mechanism)
                    for problem in error.problems
                ]
            ) from None

    # -- reading

    def parameters_of(self, k: int) -> dict[str, float]:
        values = self.variants.values(np.array([k]))[:, 0]
        return dict(zip(self.variants.names, values.tolist(), strict=True))

    @cached_property
    def base(self) -> Prepared:
        """The first variant."""
        method = getattr(self.settings, "method", "dopri5")
        return prepare(self.description, self.parameters_of(0), method)

    @cached_property
    def varying(self) -> VaryingNumbers:
        return VaryingNumbers(self.base.program, self.parameters, self.variants.names)

    # -- running

    def run(
        self,
        *,
        engine: str | None = None,
        threads: int | None = None,
        progress: bool | None = None,
        store: str | os.PathLike[str] | None = None,
        client: Any = None,
    ) -> xr.Dataset:
        """Run all variants and give the measures of each.

        engine: `lanes` (several variants in one vector, threads beside each other), `threads` (one run per variant) or
            `gpu` (a graphics processor of NVIDIA's, with CuPy); by itself it takes lanes where the mechanism has
            straight-line code, else threads
        threads: as many as there are cores; progress: whether to show a bar (default: when standard error is a
            terminal). Ctrl-C keeps what there is
        store: folder of a Zarr store to which chunks of variants are written as they finish. A study that was ended or
            killed goes on from there when it is run again; a store of another study is refused
        client: of `dask.distributed`: chunks are run by its workers, which write them into the store themselves (it
            has to be on a file system that they share), and use the threads that each of them has
        """
        check_run_arguments(threads, store, client)
        began = time.perf_counter()
        size = chunk_size(self, engine, store is not None or client is not None)
        kept = None if store is None else StudyStore.of(store, self, size)
        if kept is None:
            self._check_memory()
            chunks = Chunks(self.variants.shape, size)
            results, missing = VariantResults.not_run(self.sizes, self.variants.count), [*range(chunks.count)]
        else:
            kept.verify()
            chunks, results, missing = kept.chunks, None, kept.missing()

        def take(k: int, part: VariantResults) -> None:
            if kept is not None:
                kept.write(k, part)
            elif results is not None:
                results.take(chunks.range(k)[0], part)

        done = self.variants.count - sum(last - first for first, last in map(chunks.range, missing))
        used: Cluster | StudyEngine | None = None
        if missing:
            used = chosen(self, engine) if client is None else Cluster(self, client, kept, engine)
            with StudyWatch(self.variants.count, progress, self.description.name, done) as watch:
                if isinstance(used, Cluster):
                    used.run({k: chunks.range(k) for k in missing}, watch, take)
                else:
                    self._run_chunks(used, chunks, missing, threads, watch, take)
        if results is None:
            assert kept is not None
            if used is not None:
                again = used.again + int(kept.attributes.get("run_again_by_themselves", 0))
                kept.add(**how(used.name, used.why, time.perf_counter() - began, None, again))
            outcome, reason = kept.read("outcome").ravel(), kept.read("reason").ravel()
            table = kept.dataset()
        else:
            assert used is not None
            run = how(used.name, used.why, time.perf_counter() - began, results.steps, used.again)
            table = as_dataset(self, results, run)
            outcome, reason = results.outcome, table["reason"].values.ravel()
        warn_of_failures(self, table, outcome, reason)
        return table

    @staticmethod
    def _run_chunks(
        used: StudyEngine,
        chunks: Chunks,
        todo: Sequence[int],
        threads: int | None,
        watch: StudyWatch,
        take: Callable[[int, VariantResults], None],
    ) -> None:
        """Chunks one after the other; `take` gets what was found of each."""
        for k in todo:
            part = used.run(*chunks.range(k), threads, watch.told)
            take(k, part)
            watch.chunk_done(int(np.count_nonzero(part.outcome != NOT_RUN)), part.failed)
            if watch.presses:
                break

    def _check_memory(self) -> None:
        numbers = self.variants.count * sum(math.prod(size) for size in self.sizes.values())
        if numbers > MOST_NUMBERS:
            size = f"{numbers:.3g} numbers ({8e-9 * numbers:.3g} GB)"
            text = f"{self.variants.count} variants with these measures are {size}"
            hint = "give a `store`, which holds them on disk, or measure less of each variant"
            raise ModelError(text, path="measures", hint=hint)

    @property
    def plain_settings(self) -> dict[str, Any]:
        """Of what is run and drawn, as plain data."""
        settings = {name: value for name, value in self.settings.model_dump().items() if name != "output"}
        if self.studied is not None:
            texts = {n: v.text if isinstance(v, Formula) else v for n, v in settings.items()}
            return {"analysis": texts, **self.drawing}
        span = {"run_in": self.span.begin - self.options.start, "samples": self.span.intervals}
        return {"analysis": settings, **span, **self.drawing}

    def further(self, name: str) -> tuple[tuple[str, int], ...]:
        """Further dimensions of a measure, with their sizes."""
        extents = self.wanted.extents[self.wanted.names.index(name)]
        return tuple((extent.name, len(extent.values)) for extent in extents)

    def one(self, k: int, stop: Callable[[], bool] = lambda: False) -> OneResult:
        """One variant, as a run of its own."""
        if self.studied is not None:
            return self.studied.one(self.parameters_of(k))
        return run_one(
            self.description,
            self.parameters_of(k),
            self.options,
            self.settings.formulation,
            self.span,
            self.measures,
            stop,
        )

    @property
    def sizes(self) -> dict[str, tuple[int, ...]]:
        """Of what is measured for each variant."""
        return {name: tuple(n for _, n in self.further(name)) for name in self.wanted.names}

    @property
    def wanted(self) -> Measures | StudiedAnalysis:
        """What is measured: names, units, texts, and further dimensions (`extents`) of the results."""
        return self.measures if self.studied is None else self.studied

    def _lanes(self) -> tuple[list[Group] | None, str]:
        """Variants by the code that they need; None, and why there is none."""
        if self.studied is not None:
            return None, f"lanes are for simulations, not for the analysis `{self.analysis}`"
        if self.measures.needs_history:
            return None, f"`{self.measures.needs_history}` needs all samples of a variant"
        run = self.options
        if run.method not in ("rk4", "dopri5"):
            return None, f"lanes have the methods rk4 and dopri5, not {run.method}"
        if run.stabilisation != "projection" or self.settings.formulation == "absolute":
            return None, "lanes are for minimal coordinates"
        program = self.base.program
        if program.frictions or program.contacts:
            return None, "dry friction and impacts are not in straight-line code"
        try:
            return (
                groups(
                    self.description,
                    self.parameters,
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

    # -- results

    def about(self, name: str) -> dict[str, str]:
        return {"units": self._units.get(name, "1"), "long_name": f"parameter {name}"}

    def __getstate__(self) -> dict[str, Any]:
        """What others, on a cluster, need; they derive and compile for themselves."""
        return {name: value for name, value in vars(self).items() if name not in ("base", "varying")}

    def _repr_html_(self) -> str:
        """For notebooks."""
        rows = {
            "variants": self.variants.count,
            **{name: f"{n} values" for name, n in self.variants.dimensions.items()},
            "varies": ", ".join(self.variants.names),
            "measures": ", ".join(self.measures.names),
        }
        return short_table(
            f"Study of {self.description.name or 'a mechanism'}", rows, "study.run() computes it"
        )

    def __repr__(self) -> str:
        sizes = " x ".join(f"{n} {name}" for name, n in self.variants.dimensions.items())
        return (
            f"<study of {self.description.name or 'a mechanism'}: {self.variants.count} variants ({sizes})>"
        )


def _placed(problem: Problem, mechanism: Description) -> Problem:
    """With its line in the section `study`."""
    path = ("study", *problem.path.split(".", 1))
    where = problem.where or mechanism.where(path) or mechanism.where(path[:2])
    return Problem(problem.message, where, f"study.{problem.path}" if problem.path else "study", problem.hint)
