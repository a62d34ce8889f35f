"""Programs evaluated with NumPy: of numbers, or of arrays of them, which are as many evaluations at once.

For what is looked at a few times, or once for all variants of a study: machine code would take longer to make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import casadi as ca
import numpy as np

from .tape import Tape

OPERATIONS: dict[int, Callable[..., Any]] = {
    ca.OP_ASSIGN: np.positive, ca.OP_ADD: np.add, ca.OP_SUB: np.subtract, ca.OP_MUL: np.multiply,
    ca.OP_DIV: np.divide, ca.OP_NEG: np.negative, ca.OP_SQ: np.square, ca.OP_TWICE: lambda x: x + x,
    ca.OP_INV: lambda x: 1.0 / x, ca.OP_SQRT: np.sqrt, ca.OP_POW: np.float_power, ca.OP_CONSTPOW: np.float_power,
    ca.OP_EXP: np.exp, ca.OP_EXPM1: np.expm1, ca.OP_LOG: np.log, ca.OP_LOG1P: np.log1p,
    ca.OP_SIN: np.sin, ca.OP_COS: np.cos, ca.OP_TAN: np.tan, ca.OP_SINH: np.sinh, ca.OP_COSH: np.cosh,
    ca.OP_TANH: np.tanh, ca.OP_ASIN: np.arcsin, ca.OP_ACOS: np.arccos, ca.OP_ATAN: np.arctan,
    ca.OP_ATAN2: np.arctan2, ca.OP_HYPOT: np.hypot, ca.OP_FLOOR: np.floor, ca.OP_CEIL: np.ceil,
    ca.OP_FABS: np.abs, ca.OP_SIGN: np.sign, ca.OP_COPYSIGN: np.copysign, ca.OP_FMIN: np.fmin, ca.OP_FMAX: np.fmax,
    ca.OP_LT: np.less, ca.OP_LE: np.less_equal, ca.OP_EQ: np.equal, ca.OP_NE: np.not_equal,
    ca.OP_AND: np.logical_and, ca.OP_OR: np.logical_or, ca.OP_NOT: np.logical_not,
    ca.OP_IF_ELSE_ZERO: lambda condition, x: np.where(condition, x, 0.0),
}  # fmt: skip


def evaluated(tape: Tape, arguments: Mapping[int, Any], count: int = 0) -> list[np.ndarray]:
    """The results of a program, a row for each entry.

    arguments: by their number, entries by theirs, each a number or an array of `count`; results have as many columns
    """
    shape = (count,) if count else ()
    out = [np.zeros((len(entries), *shape)) for entries in tape.offsets]
    work: list[Any] = []
    with np.errstate(all="ignore"):
        for k, op in enumerate(tape.operations):
            if op == ca.OP_INPUT:
                which, entry = tape.places[k]
                work.append(arguments[which][entry])
            elif op == ca.OP_CONST:
                work.append(tape.constants[k])
            elif op == ca.OP_OUTPUT:
                which, entry = tape.places[k]
                out[which][tape.offsets[which][entry]] = work[tape.terms[k][0]]
                work.append(None)
            else:
                work.append(1.0 * OPERATIONS[op](*(work[s] for s in tape.terms[k])))
    return out
