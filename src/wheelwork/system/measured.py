"""Signals that formulas read once the accelerations are known: reactions, forces of rigid teeth, accelerations.

They are found together with the accelerations, so nothing that acts on these may depend on them at the same moment: a
state has to lie between. Rates of states, conditions of state machines and updates at samples may read them. They are
the signals of results, as one function of a moment (`Program.measuring`), which the core evaluates where it has found
the accelerations; kernels read its values where they read states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass
from wheelwork.problems import ModelError, Problem, nearest

from .formula_signals import owner_of
from .signals import SignalCatalogue
from .symbolic_motion import SymbolicMotion, symbolic_numbers, symbols_of_moment, value_of

if TYPE_CHECKING:
    from wheelwork.description import Placed

    from .program import Program

ACTS = "which depend on it at the same moment"
UNIT = "and a continuous unit is asked before these are known"
LAG = (
    "put a state between, such as a `transfer_function` (a lag), or read it at samples, in a `sampled` block"
)


@dataclass(frozen=True)
class MeasuredUse:
    """That an element reads such a signal."""

    placed: Placed[Any]
    signal: str
    path: tuple[str, ...]
    """From the element to the signal: blocks and forces without a state between."""
    why_not: str
    """Why it is not known where the element needs it; empty: it is."""


def measure(program: Program, readings: list[MeasuredUse], usable: list[str]) -> None:
    """Add the signals that are read to a program that is complete otherwise; ModelError where one may not be read.

    usable: signals that formulas may use anywhere
    """
    symbols = symbols_of_moment(program)
    motion = SymbolicMotion.of(program, symbolic_numbers(program, symbols["data"]), symbols)
    measured = ca.SX.sym("measured", len(program.measured))
    motion.__dict__["measured"] = np.array([[one] for one in ca.vertsplit(measured)], object).reshape(-1, 1)
    catalogue, values = SignalCatalogue(program), dict[str, ca.SX]()
    found_late = ca.vertcat(*(symbols[name] for name in ("acceleration", "multipliers", "friction")))
    for reading in readings:
        name = reading.signal
        problem = _unreadable(name, program, catalogue, usable)
        if not problem and name not in values:
            try:
                values[name] = value_of(catalogue[name], motion)
            except ValueError as error:
                problem = f"`{name}` cannot be used in a formula: it {error}"
            else:
                if _depends(values[name], measured):
                    problem = (
                        f"`{name}` cannot be used in a formula: it depends on formulas that read such signals"
                    )
        if problem:
            raise ModelError([reading.placed.problem(problem)])
        if reading.why_not:
            raise ModelError([_refused(reading, program, _depends(values[name], found_late))])
    column = ca.densify(ca.vertcat(*(values[name] for name in program.measured)))
    program.measuring = ca.Function("measuring", list(symbols.values()), ca.cse([column]))


def _depends(value: ca.SX, on: ca.SX) -> bool:
    return on.numel() > 0 and any(ca.which_depends(value, on, 1, True))


def _unreadable(name: str, program: Program, catalogue: SignalCatalogue, usable: list[str]) -> str:
    """Why a name is no number to be read; empty: it is one."""
    known = catalogue.names()
    if name in known:
        parts = ", ".join(f"`{name}.{part}`" for part in catalogue[name].components)
        return f"`{name}` is a vector, of which a formula uses the components: {parts}" if parts else ""
    flat = program.flat
    owner, _ = owner_of(name, (*flat.forces, *flat.meshes))
    if owner:
        own = ", ".join(f"`{one}`" for one in known if one.startswith(owner + ".")) or "none"
        return f"`{name}` is not a signal of `{owner}` that a formula may use; these are: {own}"
    near = ", ".join(f"`{one}`" for one in nearest(name, [*usable, *known]))
    return (
        f"`{name}` cannot be used in a formula, which may use states, blocks, positions and speeds of bodies, frames, "
        f"joints and rotors, and forces that follow from these; through a state, or at samples, any signal"
        f"{f'; the nearest: {near}' if near else ''}"
    )


def _refused(reading: MeasuredUse, program: Program, found_late: bool) -> Problem:
    """With the way on which the accelerations would depend on themselves."""
    name = reading.signal
    path = " -> ".join(f"`{one}`" for one in (*reading.path, name))
    what = "is found together with the accelerations" if found_late else "is computed after the accelerations"
    return reading.placed.problem(
        f"`{name}` {what}, {reading.why_not}: {path}", f"{LAG}{_instead(name, program)}"
    )


def _instead(name: str, program: Program) -> str:
    """What has a force that follows from positions and speeds, in place of what has a reaction."""
    flat = program.flat
    owner, _ = owner_of(name, (*flat.joints, *flat.meshes, *flat.forces))
    if owner in flat.joints:
        return "; or put a bushing in place of the joint, whose force follows from positions"
    if owner in flat.meshes:
        return "; or give the mesh elastic teeth (`model: compliant`), whose force follows from positions"
    if owner in flat.forces:
        return "; or put a spring in series with it, whose effort follows from positions"
    return ""
