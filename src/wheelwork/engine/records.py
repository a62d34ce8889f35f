"""Structures that Python and the core share. Their one definition is the C++ text in ``core/``: it is read here.

The core's file is named after every letter of its sources, so that text and machine code belong together; that both
understand it alike is checked by size when the core is loaded.
"""

from __future__ import annotations

import ctypes
import functools
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

RUNTIME = Path(__file__).parent / "core"
TYPES = {"int": ctypes.c_int, "double": ctypes.c_double, "long long": ctypes.c_longlong}
SHARED = {
    "program.hpp": r"\w+Row|\w+Piece|\w+Numbers|EliminationPlan|Program",
    "sdirk4.hpp": r"\w+Row|ImplicitTables",
    "tree.hpp": r"\w+Row|TreeTables",
    "run_options.hpp": "Options|Report",
    "switching.hpp": "EventRecord",
    "kkt.hpp": "StabilisationNumbers",
    "fmu.hpp": r"\w+Row|FmuModel",
}
"""Which structs of which headers."""


@functools.cache
def structures() -> dict[str, type[ctypes.Structure]]:
    """All of them by name."""
    found = {}
    for header, names in SHARED.items():
        text = re.sub(r"//[^\n]*", "", (RUNTIME / header).read_text())
        for name, body in re.findall(rf"^struct ({names}) {{\n(.*?)^}};", text, re.S | re.M):
            fields = [
                field for line in body.split(";") if line.strip() for field in _fields(line.strip(), found)
            ]
            found[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
    return found


def _fields(declaration: str, known: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Names and types of `int a, b`, `const double* x`, `double gravity[3]`, `int (*f)(double)` or `Row row`."""
    if function := re.match(r"\w+ \(\*(\w+)\)\(", declaration):
        return [(function[1], ctypes.c_void_p)]
    kind, names = re.fullmatch(r"((?:const )?\w+(?: long)?\*?) (.*)", declaration, re.S).groups()  # type: ignore[union-attr]
    base = ctypes.c_void_p if kind.endswith("*") else TYPES.get(kind) or known[kind]
    out = []
    for name in names.split(","):
        word, size = re.fullmatch(r"(\w+)(?:\[(\d+)\])?", name.strip()).groups()  # type: ignore[union-attr]
        out.append((word, base * int(size) if size else base))
    return out


@functools.cache
def constants(space: str) -> dict[str, int]:
    """Sizes of a body in space or in the plane: `Q` coordinates, `V` velocities, `INERTIA` numbers ..."""
    text = "".join((RUNTIME / f"{space}_{part}.hpp").read_text() for part in ("body", "lanes"))
    lines = re.findall(r"^constexpr int ([^;]*);", text, re.M)
    return {name: int(value) for line in lines for name, value in re.findall(r"(\w+) = (\d+)", line)}


def record_fields(name: str) -> tuple[str, ...]:
    return tuple(field for field, *_ in structures()[name]._fields_)


def records(name: str, rows: Iterable[Mapping[str, Any] | tuple[Any, ...]]) -> np.ndarray:
    """A table of records; each row has all of its fields by name, or in their order."""
    fields = record_fields(name)
    by_order = [row if isinstance(row, tuple) else tuple(row[field] for field in fields) for row in rows]
    return np.array(by_order, dtype=structures()[name])


def filled(name: str, **values: Any) -> ctypes.Structure:
    """A structure with values in its fields and in those of structures in it; zero where none is given."""
    made = structures()[name]()
    set_fields(made, values)
    return made


def set_fields(record: ctypes.Structure, values: Mapping[str, Any]) -> None:
    """Other values, by name; a field that is not there is an error."""
    places = _places(type(record))
    if unknown := values.keys() - places.keys():
        raise TypeError(f"{type(record).__name__} has no {', '.join(sorted(unknown))}")
    for field, value in values.items():
        holder = record
        for name in places[field]:
            holder = getattr(holder, name)
        setattr(holder, field, value)


@functools.cache
def _places(kind: type[ctypes.Structure]) -> dict[str, tuple[str, ...]]:
    """By field: the names of the records in a record of this kind in which it is, from outside."""
    out: dict[str, tuple[str, ...]] = {}
    for name, part, *_ in kind._fields_:
        if issubclass(part, ctypes.Structure):
            out |= {field: (name, *inside) for field, inside in _places(part).items()}
        else:
            out[name] = ()
    return out


def check(core: ctypes.CDLL, space: str) -> None:
    """That the core was compiled with structures and sizes of bodies as they are here; RuntimeError if not."""
    core.ww_size.argtypes = [ctypes.c_char_p]
    sizes = {name: ctypes.sizeof(kind) for name, kind in structures().items()}
    sizes |= {name: constants(space)[name] for name in ("Q", "V", "LANES", "INERTIA", "BODY_RECORD")}
    for name, size in sizes.items():
        theirs = core.ww_size(name.encode())
        if theirs != size:
            raise RuntimeError(
                f"the compiled core does not fit this version of Wheelwork: {name} has size {theirs} there and {size} "
                "here. Build it again (./wheelwork-dev in a clone), or install Wheelwork again"
            )
