"""Errors of elastic elements as the input of a response: their forces, and what they do to the element's own signals.

An error u in the coordinate s makes the force F(s - u, s' - u'). Its change with u is that of the element's wrenches by
the place at which it is without force, and with u' it is c d, d = ds/dx.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from wheelwork.description import ModelError
from wheelwork.equations.frames import MARKER_RECORD
from wheelwork.equations.mesh_equations import mesh_equations
from wheelwork.system.motion import Motion
from wheelwork.system.program import Numbers, Program
from wheelwork.system.signals import Signal, SignalCatalogue
from wheelwork.system.uses import ForceUse

from ..along_motions import SMALL, difference, values_of
from ..assemble import Assembled, with_turns
from ..tangents import TangentPart


def error_force(at: Assembled, element: str, part: TangentPart) -> tuple[np.ndarray, np.ndarray]:
    """k d and c d of an element with one direction d: the gradient of that of its signals with K_e = k d d^T."""
    program = at.prepared.program
    K, C = np.zeros((program.nv, program.nv)), np.zeros((program.nv, program.nv))
    np.add.at(K, np.ix_(part.rows, part.columns), part.K)
    np.add.at(C, np.ix_(part.rows, part.columns), part.C)
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    own = vectors[:, -1]
    for signal in SignalCatalogue(program).signals.values():
        if not signal.name.startswith(f"{element}.") or signal.unit not in ("m", "rad") or signal.components:
            continue
        d = _gradient(at, signal, part.columns)
        size = float(np.linalg.norm(d))
        if size > 0 and abs(own @ d) > (1 - 1e-4) * size and values[-1] > 0:
            return float(d @ K @ d) / size**4 * d, float(d @ C @ d) / size**4 * d
    why = f"`{element}` has no single direction in which it is elastic"
    hint = "a spring, a torsional spring or a mesh in contact has; a bushing has several"
    raise ModelError(why, path="input", hint=hint)


def direct_of_element(at: Assembled, signals: list[Signal], input: str, c_over_k: float) -> np.ndarray:
    """Y_u and Y_u' of an elastic element's own signals for an error in it; zero for all others."""
    found, element = np.zeros((2, len(signals))), input.removesuffix(".error")
    own = [k for k, signal in enumerate(signals) if signal.name.startswith(f"{element}.")]
    if input in at.prepared.numbers.parameters or not own:
        return found
    program, numbers, motion = at.prepared.program, at.prepared.numbers, at.motion
    use = next(use for use in program.forces if use.name == element)
    zero = find_zero(program, numbers, use)
    for k in own:
        if zero is None or signals[k].unit == "W":
            what = f"`{signals[k].name}` is" if zero else f"signals of `{element}` are"
            why = f"{what} not worked out for an error in the element itself"
            hint = "ask for its force as that on a neighbour, or put the error into the model and use `sweep`"
            raise ModelError(why, path="signals", hint=hint)
    assert zero is not None
    found[0, own] = _by_error(motion, numbers, zero, values_of([signals[k] for k in own]))
    for k in own:
        if signals[k].unit in ("N", "N m"):
            found[1, k] = c_over_k * found[0, k]
        elif signals[k].name in (f"{element}.transmission_error", f"{element}.static_error"):
            found[0, k] += (
                1.0  # where the teeth are, and the error itself, which the phase of the teeth stands for
            )
    return found


def force_by_zero(at: Assembled, element: str, else_: np.ndarray) -> np.ndarray:
    """k d as the change of an elastic element's wrenches by where it is without force: K_e holds what its load does as
    well. `else_` where that is not known."""
    program, numbers, motion = at.prepared.program, at.prepared.numbers, at.motion
    index = next(k for k, use in enumerate(program.forces) if use.name == element)
    use = program.forces[index]
    zero = find_zero(program, numbers, use)
    if zero is None:
        return else_

    def wrenches(there: Motion) -> np.ndarray:
        return there.evaluate(use.kernel.wrench, there.force_arguments(index))[0][:, 0]

    out, V = np.zeros(program.nv), program.space.V
    change = _by_error(motion, numbers, zero, wrenches)
    for i, body in enumerate(use.bodies[: use.kernel.acting]):
        if body >= 0:
            out[V * body : V * (body + 1)] += change[V * i : V * (i + 1)]
    return out


def _by_error(
    motion: Motion, numbers: Numbers, zero: tuple[int, float], of: Callable[[Motion], np.ndarray]
) -> np.ndarray:
    """How numbers change with where an element is without force, all else held."""
    place, way = zero
    h = 1e-8 * max(1.0, abs(numbers.data[place]))

    def shifted(by: float) -> dict[str, Any]:
        data = numbers.data.copy()
        data[place] += by * way
        return {"numbers": replace(numbers, data=data)}

    return difference(of, motion, h, shifted)


def find_zero(program: Program, numbers: Numbers, use: ForceUse) -> tuple[int, float] | None:
    """Where in the data an elastic element is said to be without force, and the change there for an error of 1."""
    if use.name in program.flat.forces:
        offset = program.flat.forces[use.name].element.error_at
        return None if offset is None else (use.data + offset, 1.0)
    if not program.flat.meshes[use.name].element.has_path:
        return None
    extras, first = mesh_equations(use.kernel.options[0]).extras, use.data + 2 * MARKER_RECORD
    return first + extras.index("phase"), float(
        np.hypot(1, numbers.data[first + extras.index("tan_alpha_t")])
    )


def _gradient(at: Assembled, signal: Signal, columns: np.ndarray) -> np.ndarray:
    """d signal/d small motion of all bodies, where it depends on position alone."""
    program, out = at.prepared.program, np.zeros(at.prepared.program.nv)
    for column in np.unique(columns):

        def moved(by: float, column: int = column) -> dict[str, Any]:
            state = program.displaced(at.state, by * np.eye(1, program.nv, column)[0])
            return {"state": with_turns(program, at.prepared.numbers.data, state)[None]}

        (out[column],) = difference(values_of([signal]), at.motion, SMALL, moved)
    return out
