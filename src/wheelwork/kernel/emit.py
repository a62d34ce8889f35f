"""From CasADi functions to straight-line C++.

The instruction tape of a CasADi SX function is walked once and written as assignments, templated on the number
type, so that one text serves a double, a pack of doubles or a number on a graphics processor. Long tapes are
cut into functions of a few thousand operations, because compile time grows faster than length; values that
cross a cut travel in a work array.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

LONGEST = 3000
"""Operations in one C++ function at most."""

_BINARY = {
    ca.OP_ADD: "{0} + {1}",
    ca.OP_SUB: "{0} - {1}",
    ca.OP_MUL: "{0} * {1}",
    ca.OP_DIV: "{0} / {1}",
    ca.OP_POW: "pow({0}, {1})",
    ca.OP_CONSTPOW: "pow({0}, {1})",
    ca.OP_LT: "wwk::lt({0}, {1})",
    ca.OP_LE: "wwk::le({0}, {1})",
    ca.OP_EQ: "wwk::eq({0}, {1})",
    ca.OP_NE: "wwk::ne({0}, {1})",
    ca.OP_AND: "wwk::both({0}, {1})",
    ca.OP_OR: "wwk::either({0}, {1})",
    ca.OP_FMOD: "fmod({0}, {1})",
    ca.OP_COPYSIGN: "copysign({0}, {1})",
    ca.OP_FMIN: "fmin({0}, {1})",
    ca.OP_FMAX: "fmax({0}, {1})",
    ca.OP_ATAN2: "atan2({0}, {1})",
    ca.OP_HYPOT: "hypot({0}, {1})",
    ca.OP_IF_ELSE_ZERO: "wwk::if_else_zero({0}, {1})",
}
_UNARY = {
    ca.OP_ASSIGN: "{0}",
    ca.OP_NEG: "-{0}",
    ca.OP_EXP: "exp({0})",
    ca.OP_LOG: "log({0})",
    ca.OP_SQRT: "sqrt({0})",
    ca.OP_SQ: "{0} * {0}",
    ca.OP_TWICE: "{0} + {0}",
    ca.OP_SIN: "sin({0})",
    ca.OP_COS: "cos({0})",
    ca.OP_TAN: "tan({0})",
    ca.OP_ASIN: "asin({0})",
    ca.OP_ACOS: "acos({0})",
    ca.OP_ATAN: "atan({0})",
    ca.OP_SINH: "sinh({0})",
    ca.OP_COSH: "cosh({0})",
    ca.OP_TANH: "tanh({0})",
    ca.OP_ASINH: "asinh({0})",
    ca.OP_ACOSH: "acosh({0})",
    ca.OP_ATANH: "atanh({0})",
    ca.OP_FLOOR: "floor({0})",
    ca.OP_CEIL: "ceil({0})",
    ca.OP_FABS: "fabs({0})",
    ca.OP_SIGN: "wwk::sign({0})",
    ca.OP_NOT: "wwk::negate({0})",
    ca.OP_ERF: "erf({0})",
    ca.OP_INV: "T(1) / {0}",
    ca.OP_LOG1P: "log1p({0})",
    ca.OP_EXPM1: "expm1({0})",
}

PRELUDE = """\
// Written by wheelwork; do not edit.
#include <cmath>
using namespace std;
namespace wwk {
template <class T> inline T lt(T a, T b) { return a < b ? T(1) : T(0); }
template <class T> inline T le(T a, T b) { return a <= b ? T(1) : T(0); }
template <class T> inline T eq(T a, T b) { return a == b ? T(1) : T(0); }
template <class T> inline T ne(T a, T b) { return a != b ? T(1) : T(0); }
template <class T> inline T both(T a, T b) { return (a != T(0) && b != T(0)) ? T(1) : T(0); }
template <class T> inline T either(T a, T b) { return (a != T(0) || b != T(0)) ? T(1) : T(0); }
template <class T> inline T negate(T a) { return a == T(0) ? T(1) : T(0); }
template <class T> inline T sign(T a) { return a < T(0) ? T(-1) : (a > T(0) ? T(1) : a); }
template <class T> inline T if_else_zero(T a, T b) { return a != T(0) ? b : T(0); }
}
"""


@dataclass(frozen=True)
class _Operation:
    """One line: `target` is None for an output; `sources` are values (by number) or texts for literals and inputs."""

    target: int | None
    text: str
    sources: tuple[int, ...]


def _literal(value: float) -> str:
    """A number in C++, exactly."""
    if math.isfinite(value):
        return repr(value)
    return "NAN" if math.isnan(value) else "INFINITY" if value > 0 else "-INFINITY"


def _read_tape(function: ca.Function) -> list[_Operation]:
    """The tape in single-assignment form: every value gets its own number."""
    offsets = []
    for k in range(function.n_out()):
        pattern = function.sparsity_out(k)
        rows, columns = pattern.get_triplet()
        offsets.append([c * pattern.size1() + r for r, c in zip(rows, columns, strict=True)])
    current: dict[int, int] = {}
    tape = []
    for k in range(function.n_instructions()):
        op = function.instruction_id(k)
        if op == ca.OP_OUTPUT:
            (source,) = function.instruction_input(k)
            which, nonzero = function.instruction_output(k)
            value = current[source]
            tape.append(_Operation(None, f"out[{which}][{offsets[which][nonzero]}] = {{0}};", (value,)))
            continue
        (place,) = function.instruction_output(k)
        if op == ca.OP_INPUT:
            which, nonzero = function.instruction_input(k)
            text, sources = f"in[{which}][{nonzero}]", ()
        elif op == ca.OP_CONST:
            text, sources = f"T({_literal(function.instruction_constant(k))})", ()
        else:
            template = _BINARY.get(op) or _UNARY.get(op)
            if template is None:
                raise NotImplementedError(f"no C++ for CasADi operation {op} in {function.name()}")
            text, sources = template, tuple(current[s] for s in function.instruction_input(k))
        tape.append(_Operation(k, text, sources))
        current[place] = k
    return tape


def _lines(operations: Sequence[_Operation]) -> list[str]:
    lines = []
    for op in operations:
        text = op.text.format(*(f"v{s}" for s in op.sources))
        lines.append(f"    {text}" if op.target is None else f"    const T v{op.target} = {text};")
    return lines


def emit_function(function: ca.Function) -> str:
    """A template `name_t<T>(in, out)` and the C symbol `name` for doubles."""
    tape, name = _read_tape(function), function.name()
    signature = "(const T* const* in, T* const* out)"
    if len(tape) <= LONGEST:
        body = [f"template <class T> static inline void {name}_t{signature} {{", *_lines(tape), "}"]
    else:
        body = _emit_in_pieces(name, tape)
    wrapper = f'extern "C" void {name}(const double* const* in, double* const* out) {{ {name}_t<double>(in, out); }}'
    return "\n".join([*body, wrapper, ""])


def _emit_in_pieces(name: str, tape: list[_Operation]) -> list[str]:
    pieces = [tape[k : k + LONGEST] for k in range(0, len(tape), LONGEST)]
    made_in = {op.target: i for i, piece in enumerate(pieces) for op in piece if op.target is not None}
    crossing: dict[int, int] = {}
    for i, piece in enumerate(pieces):
        for op in piece:
            for source in op.sources:
                if made_in[source] != i:
                    crossing.setdefault(source, len(crossing))
    lines = []
    for i, piece in enumerate(pieces):
        made = {op.target for op in piece}
        needed = sorted({s for op in piece for s in op.sources} - made)
        lines.append(
            f"template <class T> __attribute__((noinline)) static void {name}_{i}"
            "(const T* const* in, T* const* out, T* w) {"
        )
        lines.append("    (void)in; (void)out;")
        lines += [f"    const T v{s} = w[{crossing[s]}];" for s in needed]
        lines += _lines(piece)
        lines += [f"    w[{crossing[t]}] = v{t};" for t in sorted(t for t in made if t in crossing)]
        lines.append("}")
    lines.append(f"template <class T> static inline void {name}_t(const T* const* in, T* const* out) {{")
    lines.append(f"    T w[{max(1, len(crossing))}];")
    lines += [f"    {name}_{i}<T>(in, out, w);" for i in range(len(pieces))]
    lines.append("}")
    return lines


def emit(functions: Sequence[ca.Function]) -> str:
    """One C++ source with all functions."""
    return PRELUDE + "\n".join(emit_function(function) for function in functions)
