"""The derivative of straight-line code in a direction of the state: the code's own instructions, derived by CasADi."""

from __future__ import annotations

from collections.abc import Sequence

from wheelwork.engine.tape import Tape
from wheelwork.lazy import casadi as ca

LONGEST = 20_000
"""Instructions of code that is derived: its tangent has about three times as many."""


def evaluated(tape: Tape, arguments: Sequence[ca.SX]) -> list[dict[int, ca.SX]]:
    """The instructions of a tape on symbols: by result and entry."""
    values: list[ca.SX] = []
    results: list[dict[int, ca.SX]] = [{} for _ in tape.offsets]
    for k, (operation, terms) in enumerate(zip(tape.operations, tape.terms, strict=True)):
        given = [values[term] for term in terms]
        if operation == ca.OP_CONST:
            value = ca.SX(tape.constants[k])
        elif operation == ca.OP_INPUT:
            argument, entry = tape.places[k]
            value = arguments[argument][entry]
        elif operation == ca.OP_OUTPUT:
            value = given[0]
            result, entry = tape.places[k]
            results[result][tape.offsets[result][entry]] = value
        else:
            value = ca.SX.unary(operation, *given) if len(given) == 1 else ca.SX.binary(operation, *given)
        values.append(value)
    return results


def tangent_function(tape: Tape, inputs: int, numbers: int, size: int) -> ca.Function | None:
    """From time, state, functions of time, numbers and a direction of the state to that of its derivative; None: the
    code is too long.

    size: of the state
    """
    if len(tape.operations) > LONGEST:
        return None
    sizes = {"t": 1, "state": size, "inputs": inputs, "numbers": numbers, "direction": size}
    symbols = {name: ca.SX.sym(name, count) for name, count in sizes.items()}
    *arguments, direction = symbols.values()
    found = evaluated(tape, arguments)[0]
    rates = ca.vertcat(*(found.get(k, ca.SX(0)) for k in range(size)))
    along = ca.jtimes(rates, symbols["state"], direction)
    return ca.Function("fmu_tangent", list(symbols.values()), ca.cse([ca.densify(along)]))
