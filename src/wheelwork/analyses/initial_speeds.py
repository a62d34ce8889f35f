"""Speeds at the start: given ones are kept, others follow; a contradiction is an error that names both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from wheelwork.description import Problem
from wheelwork.problems import listed
from wheelwork.system.given_speeds import Bodies, Contradiction, GivenRate, GivenSpeed, keep_given

from .initial_coordinates import coordinate
from .prepare import Prepared

UNITS = {"velocity": "m/s", "angular_velocity": "rad/s"}


def with_given_speeds(
    prepared: Prepared, t: float, given: np.ndarray, state: np.ndarray, size: float, misfit: float
) -> tuple[np.ndarray, list[Problem]]:
    """A state on the constraints with the speeds that were given, and what contradicts them.

    given: the state as described, before assembly
    size: of the mechanism, m
    misfit: of the given position, relative to its size
    """
    program, numbers, engine = prepared.program, prepared.numbers, prepared.engine
    speeds = [*program.given_speeds, *given_rates(prepared, state)]
    if not speeds:
        return state, []
    moving = slice(program.nq, program.nq + program.nv)
    before, after = (
        Bodies(program.space.velocities, program.space.poses(program.coordinates(y))[1], numbers.center)
        for y in (given, state)
    )
    values = np.array(
        [
            np.array([speed.value, 0, 0])
            if isinstance(speed, GivenRate)
            else before.rows(speed) @ given[moving]
            for speed in speeds
        ]
    )

    def project(v: np.ndarray) -> np.ndarray:
        y = np.array(state)
        y[moving] = v
        return engine.project(t, y, 1e-10, 10)[0][moving]

    def set_masses(mass: np.ndarray, inertia: np.ndarray) -> None:
        engine.set_numbers(replace(numbers, mass=mass, inertia=inertia))

    masses = numbers.mass, numbers.inertia
    v, contradictions = keep_given(
        speeds, values, state[moving], after, masses, size, misfit, project, set_masses
    )
    engine.set_numbers(numbers)
    out = np.array(state)
    out[moving] = v
    return out, [_problem(prepared, t, speeds, values, found) for found in contradictions]


def given_rates(prepared: Prepared, y: np.ndarray) -> list[GivenRate]:
    """Rates of joint coordinates that are given."""
    data = prepared.numbers.data
    return [
        GivenRate(use.joint, use.coordinate, coordinate(prepared, y, use)[1], float(data[use.rate]))
        for use in prepared.program.given_coordinates
        if use.rate >= 0
    ]


def _name(prepared: Prepared, speed: GivenSpeed | GivenRate) -> str:
    return speed.joint if isinstance(speed, GivenRate) else prepared.program.bodies[speed.body]


def _problem(
    prepared: Prepared,
    t: float,
    speeds: Sequence[GivenSpeed | GivenRate],
    values: np.ndarray,
    found: Contradiction,
) -> Problem:
    speed = speeds[found.speed]
    name = _name(prepared, speed)
    given, needed = (_text(prepared, speed, value) for value in (found.given, found.needed))
    drivers = list(prepared.program.driver_constraints)
    if found.others:
        others = [
            f"{_text(prepared, speeds[k], values[k])} of `{_name(prepared, speeds[k])}`" for k in found.others
        ]
        why = f"contradicts the given {' and '.join(others)}: with {'it' if len(others) == 1 else 'these'}, "
        why += f"{'joints, meshes and drivers' if drivers else 'joints and meshes'} make it {needed}"
        hint = (
            "leave out one of the two, which then follows" if len(others) == 1 else "leave some of them out"
        )
    elif drivers:
        why = f"contradicts joints, meshes and drivers ({listed(drivers)}), which make it {needed} at t = {t:g} s"
        hint = "leave it out: it follows from the drivers"
    else:
        why = f"contradicts joints and meshes, which allow {needed}"
        hint = "leave it out, or give one that the joints allow"
    if isinstance(speed, GivenRate):
        field = "w" if speed.coordinate == "angle" else "speed"
        return prepared.flat.joints[name].problem(f"the given {given} {why}", hint, ("initial", field))
    field = "speed" if name in prepared.flat.rotors else speed.field
    return prepared.flat.bodies[name].problem(f"the given {given} {why}", hint, (field,))


def _text(prepared: Prepared, speed: GivenSpeed | GivenRate, value: np.ndarray) -> str:
    """A speed as a user writes it: one number about an axis, else components in the axes of the world."""
    if isinstance(speed, GivenRate):
        return f"{_number(float(value[0]))} {UNITS[speed.field]}"
    program, name, unit = prepared.program, prepared.program.bodies[speed.body], UNITS[speed.field]
    if name in prepared.flat.rotors:
        use = program.constraints[program.joints[prepared.flat.rotors[name]].constraint]
        axis = prepared.numbers.marker(use.data)[1][:, 2]
        return f"{_number(float(axis @ program.rotation(prepared.numbers.state, use.a).T @ value))} {unit}"
    if program.space.name == "planar":
        value = value[:2] if speed.field == "velocity" else value[2:]
    numbers = [_number(x) for x in value]
    return f"{numbers[0] if len(numbers) == 1 else '(' + ', '.join(numbers) + ')'} {unit}"


def _number(x: float) -> str:
    return f"{x if abs(x) > 1e-9 else 0.0:.6g}"
