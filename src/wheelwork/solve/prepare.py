"""From a description to an engine that is ready to run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wheelwork.equations.build import build
from wheelwork.equations.program import Numbers, Program
from wheelwork.kernel.engine import Engine
from wheelwork.kernel.select import EngineName, make_engine
from wheelwork.model import Description, Flat, flatten


@dataclass(frozen=True)
class Prepared:
    """A mechanism with its equations, numbers and engine."""

    description: Description
    flat: Flat
    program: Program
    numbers: Numbers
    engine: Engine


def prepare(
    description: Description,
    parameters: Mapping[str, Any] | None = None,
    engine: EngineName = "auto",
    method: str | None = None,
) -> Prepared:
    """Derive the equations of a mechanism and make an engine for them.

    `parameters` replaces values of parameters for this run, by their full names; `method` is the integration
    method that will be used, if any.
    """
    flat = flatten(description)
    program = build(flat)
    numbers = program.numbers(parameters)
    return Prepared(
        description,
        flat,
        program,
        numbers,
        make_engine(program, numbers, engine, method == "sdirk4", (method,) if method else ()),
    )
