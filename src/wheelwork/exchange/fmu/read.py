"""FMUs of other programs in a run, where the user trusts them: sampled ones are controllers that step them with FMPy,
continuous ones (:mod:`.continuous`) are called inside the steps of the run."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from wheelwork.analyses.controllers import SampledController
from wheelwork.description import Description, ModelError
from wheelwork.description.files import folder_of
from wheelwork.description.flat import Placed
from wheelwork.description.flatten import parameters_of
from wheelwork.description.formula import number_of
from wheelwork.lazy import fmpy_fmi2, fmpy_fmi3, fmpy_reader
from wheelwork.problems import Problem, did_you_mean

from .archive import FmuAbout, about_fmu, unpack
from .continuous import ContinuousUnit, ContinuousUnits
from .instance import SampledUnit


@contextmanager
def running(
    units: Mapping[str, Placed[Any]], description: Description, parameters: Mapping[str, Any] | None
) -> Iterator[tuple[list[SampledController], ContinuousUnits | None]]:
    """Controllers that run the sampled units of a mechanism, and its continuous ones; their binaries are loaded here,
    and freed at the end."""
    if importlib.util.find_spec("fmpy") is None:
        raise ImportError("FMUs are run by FMPy, which is not installed: pip install wheelwork[fmu]")
    numbers = parameters_of(description).resolve_parameters(parameters)
    found = _checked(units, description)
    with ExitStack() as stack:
        controllers, continuous = [], dict[str, ContinuousUnit]()
        for name, placed in units.items():
            element = placed.element
            start = {one: number_of(value, numbers) for one, value in element.start.items()}
            unit = stack.enter_context(_opened(found[name], element, start))
            if isinstance(unit, ContinuousUnit):
                continuous[name] = unit
                continue
            controllers.append(
                SampledController(
                    every=number_of(element.every, numbers),
                    first=number_of(element.first, numbers),
                    call=unit.at_sample,
                    inputs=[f"{name}.{one}" for one in element.inputs],
                    outputs=[f"{name}.{one}" for one in element.gives],
                    name=name,
                )
            )
        if not continuous:
            yield controllers, None
            return
        together = ContinuousUnits(continuous)
        stack.callback(together.detach)
        yield controllers, together


def _checked(units: Mapping[str, Placed[Any]], description: Description) -> dict[str, FmuAbout]:
    """What the units say of themselves; ModelError where one cannot be what its block says."""
    problems: list[Problem] = []
    found: dict[str, FmuAbout] = {}
    for name, placed in units.items():
        element = placed.element
        path = folder_of(description) / element.file
        try:
            about = about_fmu(path)
            about.needs("ModelExchange" if element.continuous else "CoSimulation")
        except OSError as error:
            problems.append(placed.problem(f"{error.strerror}: {path}", inside=("file",)))
            continue
        except ModelError as error:
            problems += error.problems
            continue
        found[name] = about
        problems += _wrong_names(placed, about)
        if element.continuous:
            problems += _wrong_states(placed, about)
    if problems:
        raise ModelError(problems)
    return found


def _wrong_states(placed: Placed[Any], about: FmuAbout) -> Iterator[Problem]:
    """Of a continuous unit."""
    given = placed.element.states
    hint = f"it has {', '.join(f'`{name}`' for name in about.states)}" if about.states else "it has none"
    for name in given:
        if name not in about.states:
            yield placed.problem(
                f"the FMU has no state `{name}`", did_you_mean(name, about.states) or hint, inside=("states",)
            )
    missing = [name for name in about.states if name not in given]
    if missing:
        words = ", ".join(f"`{name}`" for name in missing)
        why = f"needs the value at the start of every state of the FMU, also of {words}"
        yield placed.problem(why, inside=("states",))
    if about.indicators:
        yield placed.problem(
            f"the FMU has events of its own ({about.indicators} indicators), which a continuous unit does not locate",
            "give `every`: as a sampled unit it takes care of them itself",
        )


def allowed(inside: ContinuousUnits | None, settings: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The options of a run with units in its steps; ModelError where it cannot be so."""
    if inside is None:
        return options
    problems = []
    if settings.formulation == "reduced":
        why = "continuous FMUs cannot be simulated in minimal coordinates"
        problems.append(Problem(why, path="analysis.formulation", hint="take `absolute`, or `auto`"))
    if settings.method == "sdirk4":
        why = "`sdirk4` needs exact derivatives, which continuous FMUs do not give"
        problems.append(Problem(why, path="analysis.method", hint="take `dopri5`, `dop853` or `rk4`"))
    if problems:
        raise ModelError(problems)
    return {**options, "formulation": "absolute"}


def _wrong_names(placed: Placed[Any], about: FmuAbout) -> Iterator[Problem]:
    element = placed.element
    for field, causality in (("inputs", "input"), ("gives", "output"), ("start", "parameter")):
        known = [name for name, what in about.variables.items() if what == causality]
        for name in getattr(element, field):
            if name not in known:
                hint = did_you_mean(name, known) or (
                    f"it has {', '.join(known[:8])}" if known else "it has none"
                )
                yield placed.problem(f"the FMU has no {causality} `{name}`", hint, inside=(field,))


@contextmanager
def _opened(about: FmuAbout, element: Any, start: dict[str, float]) -> Iterator[SampledUnit | ContinuousUnit]:
    folder = unpack(about.file)
    unit = None
    try:
        try:
            unit = _loaded(folder, about, element, start)
        except Exception as error:  # FMPy raises whatever a damaged description or binary leads it to
            why = f"FMPy cannot load it ({type(error).__name__}: {error})"
            raise ModelError(why, where=about.file, hint="`fmpy validate` says more") from error
        yield unit
    finally:
        if unit is not None:
            unit.free()
        shutil.rmtree(folder, ignore_errors=True)


def _loaded(
    folder: str, about: FmuAbout, element: Any, start: dict[str, float]
) -> SampledUnit | ContinuousUnit:
    described: Any = fmpy_reader.read_model_description(folder, validate=False)
    references = {v.name: v.valueReference for v in described.modelVariables}
    inputs, outputs = ([references[name] for name in names] for names in (element.inputs, element.gives))
    given = [references[name] for name in start], list(start.values())
    kinds: Any = {
        (2, False): fmpy_fmi2.FMU2Slave,
        (2, True): fmpy_fmi2.FMU2Model,
        (3, False): fmpy_fmi3.FMU3Slave,
        (3, True): fmpy_fmi3.FMU3Model,
    }[about.version, element.continuous]
    part = described.modelExchange if element.continuous else described.coSimulation
    fmu = kinds(
        guid=described.guid, unzipDirectory=folder, modelIdentifier=part.modelIdentifier, instanceName="unit"
    )
    if not element.continuous:
        return SampledUnit(fmu, about.version, inputs, outputs, given)
    order = [list(element.states).index(name) for name in about.states]
    return ContinuousUnit(fmu, about.version, inputs, outputs, given, order=order)
