"""One instance of an FMU, as FMPy has it: how it is initialised, and how a sampled one is stepped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Instance:
    """An FMU that has been instantiated.

    inputs, outputs: value references; start: those of the values that are given before it is initialised, and these
    """

    def __init__(
        self,
        fmu: Any,
        version: int,
        inputs: list[int],
        outputs: list[int],
        start: tuple[list[int], list[float]],
    ):
        self.fmu, self.version, self.inputs, self.outputs, self._start = fmu, version, inputs, outputs, start
        self.begun = False  # until it can be asked for values
        self._write = fmu.setReal if version == 2 else fmu.setFloat64
        fmu.instantiate()

    def initialise(self, t: float, given: Sequence[float]) -> None:
        """Begin at a time, with these inputs."""
        if self._start[0]:
            self._write(*self._start)
        if self.version == 2:
            self.fmu.setupExperiment(startTime=t)
            self.fmu.enterInitializationMode()
        else:
            self.fmu.enterInitializationMode(startTime=t)
        self.set(given)
        self.fmu.exitInitializationMode()

    def set(self, given: Sequence[float]) -> None:
        if self.inputs:
            self._write(self.inputs, [float(x) for x in given])

    def free(self) -> None:
        if self.begun:
            self.fmu.terminate()
        self.fmu.freeInstance()


class SampledUnit(Instance):
    """An FMU that goes from sample to sample."""

    def at_sample(self, t: float, *given: float) -> list[float]:
        """Its outputs at a sample, with these inputs from here on."""
        if self.begun:
            self.fmu.doStep(self._last, t - self._last)
            self.set(given)
        else:
            self.initialise(t, given)
        self._last, self.begun = t, True
        return list((self.fmu.getReal if self.version == 2 else self.fmu.getFloat64)(self.outputs))
