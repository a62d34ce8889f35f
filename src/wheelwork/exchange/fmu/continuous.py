"""Continuous FMUs: units for model exchange that a run calls where it evaluates forces (``core/forces.hpp``)."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

from wheelwork.engine.engine import Engine

from .instance import Instance

DISCARDED = 2
"""Status of FMI: a step as long as this cannot be made; a shorter one may."""
MOST_UPDATES = 100


class ContinuousUnit(Instance):
    """One instance of an FMU: rates of its states and its outputs, wherever it is asked."""

    def __init__(self, *instance: Any, order: list[int]):
        """order: of each of its states, the place among those of the block"""
        super().__init__(*instance)
        self._order = order
        self._inputs, self._outputs = (
            (ctypes.c_uint32 * max(1, len(names)))(*names) for names in (self.inputs, self.outputs)
        )
        self.sizes = len(order), len(self.outputs), len(self.inputs)
        self._x, self._dx = ((ctypes.c_double * max(1, len(order)))() for _ in range(2))

    def call(self, t: float, states: Any, inputs: Any, rates: Any, outputs: Any) -> None:
        """At these addresses; an exception of FMPy where the unit fails."""
        fmu, (n, m, k) = self.fmu, self.sizes
        if not self.begun:
            self._begin(t, list(inputs[:k]))
        two, handle = self.version == 2, fmu.component
        self._place(t, states)
        if k:
            if two:
                fmu.fmi2SetReal(handle, self._inputs, k, inputs)
            else:
                fmu.fmi3SetFloat64(handle, self._inputs, k, inputs, k)
        if n:
            (fmu.fmi2GetDerivatives if two else fmu.fmi3GetContinuousStateDerivatives)(handle, self._dx, n)
            for i, place in enumerate(self._order):
                rates[place] = self._dx[i]
        if two:
            fmu.fmi2GetReal(handle, self._outputs, m, outputs)
        else:
            fmu.fmi3GetFloat64(handle, self._outputs, m, outputs, m)

    def completed(self, t: float, states: Any) -> str:
        """A step has ended here; what is wrong with that, in words."""
        if not self.begun:
            return ""
        self._place(t, states)
        event, over = self.fmu.completedIntegratorStep()
        if over:
            return f"asks to end the run, at {t:g} s"
        return f"has an event at {t:g} s, which only a sampled unit can have: give `every`" if event else ""

    def _place(self, t: float, states: Any) -> None:
        for i, place in enumerate(self._order):
            self._x[i] = states[place]
        self.fmu.setTime(t)
        if self._order:
            self.fmu.setContinuousStates(self._x, len(self._order))

    def _begin(self, t: float, inputs: list[float]) -> None:
        self.initialise(t, inputs)
        fmu = self.fmu
        update = fmu.newDiscreteStates if self.version == 2 else fmu.updateDiscreteStates
        for _ in range(MOST_UPDATES):
            again, over, *_, told, when = update()
            if over:
                raise ValueError("asks to end the run before it begins")
            if told:
                raise ValueError(
                    f"has an event at {when:g} s, which only a sampled unit can have: give `every`"
                )
            if not again:
                break
        else:
            raise ValueError(f"updates of its discrete states do not converge: {MOST_UPDATES} were made")
        fmu.enterContinuousTimeMode()
        self.begun = True


class ContinuousUnits:
    """All of a mechanism, as its engine calls them."""

    def __init__(self, units: Mapping[str, ContinuousUnit]):
        self._units, self._names = list(units.values()), list(units)
        self._engine: Engine | None = None
        self.failed = ""

    def attach(self, engine: Engine) -> None:
        places = {use.name: k for k, use in enumerate(engine.program.forces)}
        rows = [(places[name], *unit.sizes) for name, unit in zip(self._names, self._units, strict=True)]
        engine.system.set_units(rows, self._call)
        self._engine = engine

    def detach(self) -> None:
        if self._engine is not None:
            self._engine.system.set_units([], self._call)

    def _call(self, which: int, t: float, states: Any, inputs: Any, rates: Any, outputs: Any) -> None:
        """From the engine, to which no exception gets: rates that are not numbers end a step there."""
        if which < 0:
            self.failed = self.failed or (
                f"units and forces depend on each other at the same moment, at {t:g} s, and have no solution"
            )
            return
        unit = self._units[which]
        try:
            if not rates:
                said = unit.completed(t, states)
                self.failed = self.failed or (said and f"FMU `{self._names[which]}` {said}")
                return
            if not self.failed:
                unit.call(t, states, inputs, rates, outputs)
                return
        except Exception as error:
            if getattr(error, "status", None) != DISCARDED:
                self.failed = self.failed or f"FMU `{self._names[which]}`: {error}"
        if rates:
            for k in range(unit.sizes[0]):
                rates[k] = float("nan")
            for k in range(unit.sizes[1]):
                outputs[k] = float("nan")
