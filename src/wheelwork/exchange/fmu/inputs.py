"""What is given to an FMU from outside: states without a rate, parameters and fields of forces that become such, and
prescribed motions.

A prescribed motion takes a value, its rate and its acceleration: from there it goes on as u + u' s + u'' s^2/2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from wheelwork.analyses.prepare import prepare
from wheelwork.description import Description, Formula
from wheelwork.description.values import NumberField
from wheelwork.elements.control.state import State
from wheelwork.problems import ModelError, Problem, did_you_mean
from wheelwork.system.driver_jumps import drivers_of
from wheelwork.system.motion import Motion

AXES = ("x", "y", "z")
PARTS = ("value", "rate", "acceleration", "since")


@dataclass(frozen=True)
class DriverInput:
    """A driver whose motion is an input, by the parameters that stand for it."""

    name: str
    unit: str
    parameters: tuple[str, str, str, str]
    """Value, rate, acceleration, and the moment that they are for."""


@dataclass
class DescriptionWithInputs:
    """A description whose inputs are states without a rate or prescribed motions.

    states: by the name that the input has outside, the state
    """

    description: Description
    states: dict[str, str] = field(default_factory=dict)
    prescribed: list[DriverInput] = field(default_factory=list)


def with_inputs(description: Description, names: Sequence[str], start: float) -> DescriptionWithInputs:
    """A copy of a description in which these are inputs; raises ModelError, with all that is wrong."""
    given = DescriptionWithInputs(description.model_copy(deep=True) if names else description)
    problems: list[Problem] = []
    for name in dict.fromkeys(names):
        problem = _make_input(given, name, description, start)
        if problem is not None:
            problems.append(problem)
    if problems:
        raise ModelError(problems)
    return given


def _make_input(
    given: DescriptionWithInputs, name: str, original: Description, start: float
) -> Problem | None:
    d = given.description
    if name in d.states:
        if getattr(d.states[name], "rate", 0) is not None:
            return Problem(f"`{name}` has a rate; its value cannot be set", path="inputs")
        given.states[name] = name
        return None
    if name in d.parameters:
        return _parameter(given, name)
    if name in d.drivers:
        _driver(given, name, original, start)
        return None
    owner, _, rest = name.partition(".")
    if owner in d.forces and rest:
        return _field(given, name, owner, rest.split("."))
    known = [*d.states, *d.parameters, *d.drivers, *(f"{force}.value" for force in d.forces)]
    hint = did_you_mean(name, known) or "inputs are states without a rate, parameters, drivers, FORCE.FIELD"
    return Problem(f"there is no `{name}` that could be an input", path="inputs", hint=hint)


def _parameter(given: DescriptionWithInputs, name: str) -> Problem | None:
    d = given.description
    users = [
        other for other, value in d.parameters.items() if isinstance(value, Formula) and name in value.names()
    ]
    if users:
        return Problem(
            f"`{name}` cannot be an input: parameter `{users[0]}` is found from it before the run",
            path="inputs",
            hint=f"make `{users[0]}` an input, or write its formula where it is used",
        )
    value = d.parameters.pop(name)
    unit = getattr(value, "unit", "") or "1"
    d.states[name] = State(unit=str(unit), initial=value)
    given.states[name] = name
    return None


def _driver(given: DescriptionWithInputs, name: str, original: Description, start: float) -> None:
    """Value and derivatives at the start are those that the driver has there."""
    d = given.description
    prepared = prepare(original)
    program, numbers = prepared.program, prepared.numbers
    use = program.constraints[program.driver_constraints[name]]
    here = Motion.at_moment(program, numbers, start, numbers.state).inputs[0, use.input]
    unit = dict(drivers_of(program))[name]
    parts = tuple(_free_name(d, f"{name.replace('.', '_')}_{part}") for part in PARTS)
    for part, value in zip(parts, (*here, start), strict=True):
        d.parameters[part] = float(value)
    u, v, a, since = (f"`{part}`" for part in parts)
    s = f"(t - {since})"
    changed = d.drivers[name].model_copy(update={"value": Formula(f"{u} + {v}*{s} + 0.5*{a}*{s}^2")})
    d.drivers[name] = changed
    given.prescribed.append(DriverInput(name, unit, parts))  # type: ignore[arg-type]


def _field(given: DescriptionWithInputs, name: str, owner: str, path: list[str]) -> Problem | None:
    """A varying field of a force, or a component of one."""
    d = given.description
    element = d.forces[owner]
    kinds = type(element).model_fields
    if path[0] not in kinds or len(path) > 2 or (len(path) == 2 and path[1] not in AXES):
        fields = [f"{owner}.{one}" for one in kinds if _reads_signals(kinds[one])]
        return Problem(
            f"force `{owner}` has no field `{'.'.join(path)}` that could be an input",
            path="inputs",
            hint=f"there are {', '.join(f'`{one}`' for one in fields)}" if fields else "",
        )
    reader = _reads_signals(kinds[path[0]])
    value: Any = getattr(element, path[0])
    vector = isinstance(value, list | tuple)
    if reader is None or vector != (len(path) == 2):
        why = "needs a component, such as `.z`" if vector else "takes no formula of signals"
        return Problem(f"`{name}` cannot be an input: it {why}", path="inputs")
    old = value[AXES.index(path[1])] if vector else value
    state = _free_name(d, "_".join([owner, *path]))
    initial = float(old) if isinstance(old, int | float) else 0.0
    d.states[state] = State(unit=reader.dimensions[0].unit, initial=initial)
    new: Any = Formula(f"`{state}`")
    if vector:
        entries = list(value)
        entries[AXES.index(path[1])] = new
        new = tuple(entries)
    d.forces[owner] = element.model_copy(update={path[0]: new})
    given.states[name] = state
    return None


def _reads_signals(info: Any) -> NumberField | None:
    """How a field is read that may change with signals."""
    found = [one for one in _annotations(info) if isinstance(one, NumberField)]
    return next((one for one in found if one.scope == "signals"), None)


def _annotations(info: Any) -> Iterable[Any]:
    waiting = [*getattr(info, "metadata", ()), getattr(info, "annotation", None)]
    for _ in range(200):
        if not waiting:
            return
        one = waiting.pop()
        yield one
        waiting += [*getattr(one, "__metadata__", ()), *getattr(one, "__args__", ())]


def _free_name(d: Description, name: str) -> str:
    while d.place_of(name):
        name += "_"
    return name
