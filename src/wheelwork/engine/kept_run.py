"""Runs that were prepared before: all that the core needs for one, kept in the cache as plain numbers and names, so
that the same run of the same description starts at once in another process.

Nothing is derived, assembled or reduced again, and neither CasADi nor LLVM is loaded. Everything in it follows from the
description and the settings, which its name in the cache is made from; a run from here has the same digits. Machine
code is not in it but beside it, under names of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.lib.format import descr_to_dtype, dtype_to_descr

from wheelwork.lazy import dataclass
from wheelwork.system.program import Numbers, Program
from wheelwork.system.space import SPACES
from wheelwork.system.uses import JointView, TurnUse

from .cache import keep, kept
from .code import BETTER, KeptCode, Kernels
from .compiled_core import built, core
from .engine import Engine, Integration, integrated
from .native_system import NativeSystem
from .options import Progress, RunOptions
from .reduced import ReducedSystem
from .tables import Tables

FORMAT = 1
LONG = 1.0
"""Runs whose integration takes longer, in processor time, wait for the better code, which is made beside a run that is
prepared, s."""


@dataclass(frozen=True)
class KeptRun:
    """A run that only needs to be integrated.

    codes: names in the cache of the machine code of the elements, and of straight-line code where there is any
    about: what a result says besides numbers, and what its signals need (:class:`KeptProgram`)
    """

    tables: Tables
    numbers: Numbers
    state: np.ndarray
    grid: np.ndarray
    run: RunOptions
    formulation: str
    reduced: tuple[dict[str, Any], np.ndarray] | None
    codes: list[tuple[str, str]]
    about: dict[str, Any]

    @classmethod
    def of(
        cls,
        engine: Engine,
        state: np.ndarray,
        grid: np.ndarray,
        run: RunOptions,
        formulation: str,
        reduced: tuple[Mapping[str, Any], np.ndarray] | None,
        about: dict[str, Any],
    ) -> Self:
        codes, plain = [engine.code.keys], None
        if reduced is not None:
            tables, rates = reduced
            code = tables.get("code")
            if isinstance(code, Kernels):
                codes.append(code.keys)
            plain = {name: value for name, value in tables.items() if name not in ("code", "direct")}, rates
        program = engine.program
        view = {
            "bodies": list(program.bodies),
            "rotors": dict(program.rotors),
            "turns": [asdict(turn) for turn in program.turns],
            "joints": [asdict(joint) for joint in program.joints.values()],
            "driver_constraints": dict(program.driver_constraints),
        }
        about = {**about, "program": view, "core": built(program.space.name)}
        numbers, tables = engine.numbers, engine.system.tables
        return cls(tables, numbers, state, grid, run, formulation, plain, codes, about)

    def keep(self, key: str) -> None:
        """Put it into the cache."""
        content = {
            "format": FORMAT,
            "tables": {field.name: getattr(self.tables, field.name) for field in fields(Tables)},
            "numbers": vars(self.numbers),
            "state": self.state,
            "grid": self.grid,
            "run": {**vars(self.run), "keep": None, "carried": ""},
            "formulation": self.formulation,
            "reduced": self.reduced,
            "codes": self.codes,
            "about": self.about,
        }
        keep(key, packed(content))

    @classmethod
    def find(cls, key: str) -> Self | None:
        """From the cache, or None where it is not there whole."""
        found = kept(key)
        if found is None:
            return None
        content = unpacked(found)
        if content.pop("format") != FORMAT:
            return None
        run = content["run"]
        for name in ("corners", "stabilisation_values", "held"):
            run[name] = tuple(run[name])
        content["run"] = RunOptions(**{**run, "carried": b""})
        content["tables"], content["numbers"] = Tables(**content["tables"]), Numbers(**content["numbers"])
        return cls(**content)

    def integrate(self, progress: Progress | None = None) -> Integration:
        """Carry it out; FileNotFoundError where its code is not in the cache, or only code that is too slow for it."""
        codes = [KeptCode(keys) for keys in self.codes]
        if self.about["seconds"] > LONG and any(code.level < BETTER for code in codes):
            raise FileNotFoundError(2, "no better code in the cache yet", self.codes[0][0])
        system = NativeSystem(self.tables, core(self.tables.space, self.about["core"]), codes[0].addresses)
        n = self.numbers
        system.set_numbers(n.data, n.mass, n.inertia, n.gravity)
        reduced = self.reduced
        if reduced is not None and len(codes) > 1:
            direct = {"direct": codes[1].addresses(["direct"]), "code": codes[1]}
            reduced = {**reduced[0], **direct}, reduced[1]
        minimal = None if reduced is None else ReducedSystem(system, *reduced)
        done = integrated(system, self.state, self.grid, self.run, progress, minimal)
        del codes  # which lived until here
        return replace(done, report=replace(done.report, formulation=self.formulation))


class KeptProgram:
    """What positions and speeds are read with; everything else of the equations is derived when it is asked for."""

    def __init__(self, run: KeptRun, derive: Callable[[], Program]):
        view, tables = run.about["program"], run.tables
        self._derive = derive
        self.space = SPACES[tables.space]
        self.bodies: list[str] = view["bodies"]
        self.rotors: dict[str, str] = view["rotors"]
        self.turns = [TurnUse(**turn) for turn in view["turns"]]
        self.joints = {
            joint["name"]: JointView(**{**joint, "coordinates": tuple(joint["coordinates"])})
            for joint in view["joints"]
        }
        self.driver_constraints: dict[str, int] = view["driver_constraints"]
        self.n, self.nv, self.rows = tables.n, tables.nv, tables.rows
        self.nq = self.space.Q * len(self.bodies)

    @cached_property
    def _whole(self) -> Program:
        return self._derive()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._whole, name)


# -- numbers and names as bytes: nothing that is read back is ever executed


def packed(content: Any) -> bytes:
    """Mappings, lists, texts, numbers and arrays as bytes."""
    arrays: list[np.ndarray] = []

    def plain(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            arrays.append(np.ascontiguousarray(value))
            return {"#array": len(arrays) - 1}
        if isinstance(value, Mapping):
            return {name: plain(entry) for name, entry in value.items()}
        return [plain(entry) for entry in value] if isinstance(value, list | tuple) else value

    tree = plain(content)
    about = [[dtype_to_descr(array.dtype), array.shape] for array in arrays]
    head = json.dumps([tree, about]).encode()
    return b"".join([len(head).to_bytes(8, "little"), head, *(array.tobytes() for array in arrays)])


def unpacked(content: bytes) -> Any:
    """What `packed` made; arrays can be written to."""
    end = 8 + int.from_bytes(content[:8], "little")
    tree, about = json.loads(content[8:end])
    arrays = []
    for description, shape in about:
        kind = descr_to_dtype(_tuples(description))
        count = int(np.prod(shape))
        arrays.append(np.frombuffer(content, kind, count, end).reshape(shape).copy())
        end += count * kind.itemsize

    def whole(value: Any) -> Any:
        if isinstance(value, dict):
            return arrays[value["#array"]] if "#array" in value else {k: whole(v) for k, v in value.items()}
        return [whole(entry) for entry in value] if isinstance(value, list) else value

    return whole(tree)


def _tuples(description: Any) -> Any:
    """The form of records as NumPy wants it; JSON has lists only."""
    if isinstance(description, str):
        return description
    return [(name, _tuples(kind), *map(tuple, shape)) for name, kind, *shape in description]
