"""Which engine runs a program: machine code where there is a compiler, CasADi's virtual machine elsewhere."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Literal

from wheelwork.equations.program import Numbers, Program

from .compiler import CompilerMissing, find_compiler
from .engine import Engine

EngineName = Literal["auto", "native", "virtual"]


class NoCompilerWarning(UserWarning):
    """There is no compiler; the slow engine is used."""


_said = False


def make_engine(
    program: Program,
    numbers: Numbers,
    name: EngineName = "auto",
    implicit: bool = False,
    methods: Sequence[str] = (),
) -> Engine:
    """An engine for a program. `auto` prefers machine code and says once if there is no compiler.

    `implicit`: with the derivatives that `sdirk4` needs; `methods`: integration methods that will be used, so
    that they are compiled beside the rest.
    """
    global _said
    if name == "auto":
        try:
            find_compiler()
            name = "native"
        except CompilerMissing as missing:
            name = "virtual"
            if not _said:
                _said = True
                warnings.warn(
                    f"{missing}; running on CasADi's virtual machine, which is 10 to 100 times slower. "
                    "Install g++ or clang++ (Debian: apt install g++), or set CXX to your compiler.",
                    NoCompilerWarning,
                    stacklevel=2,
                )
    if name == "native":
        from .native import NativeEngine

        return NativeEngine(program, numbers, implicit, methods)
    if name == "virtual":
        from .virtual import VirtualEngine

        return VirtualEngine(program, numbers, implicit)
    raise ValueError(f"engine must be `auto`, `native` or `virtual`, but is `{name}`")
