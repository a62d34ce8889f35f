"""From a description to an engine that is ready to run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wheelwork.description import Description, Flat, ModelError, Problem
from wheelwork.description.changes import flat_with
from wheelwork.description.problems import did_you_mean
from wheelwork.engine.engine import Engine
from wheelwork.equations.build import build
from wheelwork.equations.program import Numbers, Program
from wheelwork.equations.signals import SignalCatalogue


@dataclass(frozen=True)
class Prepared:
    """A mechanism with its equations, numbers and engine."""

    description: Description
    flat: Flat
    program: Program
    numbers: Numbers
    engine: Engine


MANY_UNKNOWNS = 200
"""Velocities and multipliers from which on minimal coordinates pay without gears."""


def prepare(
    description: Description,
    parameters: Mapping[str, Any] | None = None,
    method: str | None = None,
) -> Prepared:
    """Derive the equations of a mechanism and make an engine for them.

    `parameters` replaces values of parameters for this run, by their full names; `method` is the integration
    method that will be used, if any: implicit ones need more derivatives.
    """
    flat = flat_with(description, parameters)
    program = build(flat)
    _check_outputs(flat, program)
    numbers = program.numbers()
    return Prepared(
        description,
        flat,
        program,
        numbers,
        Engine(program, numbers, method == "sdirk4"),
    )


def reduction_pays(program: Program) -> bool:
    """Whether minimal coordinates, if there are any, are worth having: with gear meshes, and with many bodies.

    A few bodies on a few joints are as quick in absolute coordinates, and need less compiled.
    """
    if program.driver_constraints or program.frictions or program.contacts or program.follows:
        return False
    return bool(program.meshes) or program.nv + program.rows > MANY_UNKNOWNS


def _check_outputs(flat: Flat, program: Program) -> None:
    """Signals to keep must be signals; better said before a run than after it."""
    if not flat.outputs:
        return
    known = SignalCatalogue(program).names()
    problems = [
        Problem(f"there is no signal `{name}`", path=f"outputs[{k}]", hint=did_you_mean(name, known))
        for k, name in enumerate(flat.outputs)
        if name not in known
    ]
    if problems:
        raise ModelError(problems)
