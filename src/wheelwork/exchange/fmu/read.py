"""FMUs of other programs in a run: sampled controllers that step them with FMPy, where the user trusts them."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from wheelwork.analyses.controllers import SampledController
from wheelwork.description import Description, Formula, ModelError
from wheelwork.description.files import folder_of
from wheelwork.description.flat import Placed
from wheelwork.description.flatten import parameters_of
from wheelwork.description.formula import NUMERIC
from wheelwork.lazy import fmpy_fmi2, fmpy_fmi3, fmpy_reader
from wheelwork.problems import Problem, did_you_mean

from .archive import FmuAbout, about_fmu, unpack


@contextmanager
def running(
    units: Mapping[str, Placed[Any]], description: Description, parameters: Mapping[str, Any] | None
) -> Iterator[list[SampledController]]:
    """Controllers that run the units of a mechanism; their binaries are loaded here, and freed at the end."""
    if importlib.util.find_spec("fmpy") is None:
        raise ImportError("FMUs are run by FMPy, which is not installed: pip install wheelwork[fmu]")
    numbers = parameters_of(description).resolve_parameters(parameters)

    def number(value: Any) -> float:
        return value.evaluate(numbers.__getitem__, NUMERIC) if isinstance(value, Formula) else float(value)

    problems: list[Problem] = []
    found: dict[str, FmuAbout] = {}
    for name, placed in units.items():
        element = placed.element
        path = folder_of(description) / element.file
        try:
            about = about_fmu(path)
            about.needs("CoSimulation")
        except OSError as error:
            problems.append(placed.problem(f"{error.strerror}: {path}", inside=("file",)))
            continue
        except ModelError as error:
            problems += error.problems
            continue
        found[name] = about
        problems += _wrong_names(placed, about)
    if problems:
        raise ModelError(problems)
    with ExitStack() as stack:
        controllers = []
        for name, placed in units.items():
            element = placed.element
            start = {one: number(value) for one, value in element.start.items()}
            unit = stack.enter_context(_opened(found[name], list(element.inputs), list(element.gives), start))
            controllers.append(
                SampledController(
                    every=number(element.every),
                    first=number(element.first),
                    call=unit.at_sample,
                    inputs=[f"{name}.{one}" for one in element.inputs],
                    outputs=[f"{name}.{one}" for one in element.gives],
                    name=name,
                )
            )
        yield controllers


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
def _opened(
    about: FmuAbout, inputs: list[str], outputs: list[str], start: dict[str, float]
) -> Iterator[Unit]:
    folder = unpack(about.file)
    unit = None
    try:
        unit = Unit(about, folder, inputs, outputs, start)
        yield unit
    finally:
        if unit is not None:
            unit.free()
        shutil.rmtree(folder, ignore_errors=True)


class Unit:
    """One instance of an FMU, from sample to sample."""

    def __init__(
        self, about: FmuAbout, folder: str, inputs: list[str], outputs: list[str], start: dict[str, float]
    ):
        described: Any = fmpy_reader.read_model_description(folder, validate=False)
        references = {v.name: v.valueReference for v in described.modelVariables}
        self._inputs, self._outputs = ([references[name] for name in names] for names in (inputs, outputs))
        self._start = [references[name] for name in start], list(start.values())
        self._version, self._last = about.version, None
        kind: Any = fmpy_fmi2.FMU2Slave if about.version == 2 else fmpy_fmi3.FMU3Slave
        self._fmu: Any = kind(
            guid=described.guid,
            unzipDirectory=folder,
            modelIdentifier=described.coSimulation.modelIdentifier,
            instanceName="unit",
        )
        self._fmu.instantiate()
        self._write, self._read = (
            (self._fmu.setReal, self._fmu.getReal)
            if about.version == 2
            else (self._fmu.setFloat64, self._fmu.getFloat64)
        )

    def at_sample(self, t: float, *given: float) -> list[float]:
        """Its outputs at a sample, with these inputs from here on."""
        if self._last is None:
            if self._start[0]:
                self._write(*self._start)
            if self._version == 2:
                self._fmu.setupExperiment(startTime=t)
                self._fmu.enterInitializationMode()
            else:
                self._fmu.enterInitializationMode(startTime=t)
            self._set(given)
            self._fmu.exitInitializationMode()
        else:
            self._fmu.doStep(self._last, t - self._last)
            self._set(given)
        self._last = t
        return list(self._read(self._outputs))

    def _set(self, given: tuple[float, ...]) -> None:
        if self._inputs:
            self._write(self._inputs, [float(x) for x in given])

    def free(self) -> None:
        if self._last is not None:
            self._fmu.terminate()
        self._fmu.freeInstance()
