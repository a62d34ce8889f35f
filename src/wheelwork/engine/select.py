"""Which engine runs a program: machine code where there is a core for it, CasADi's virtual machine elsewhere."""

from __future__ import annotations

import warnings
from typing import Literal

from wheelwork.equations.program import Numbers, Program

from .compiled_core import core
from .compiler import CompilerMissing
from .engine import Engine

EngineName = Literal["auto", "native", "virtual"]


class NoCompilerWarning(UserWarning):
    """There is neither a core nor a compiler to build it; the slow engine is used."""


_said = False


def make_engine(
    program: Program,
    numbers: Numbers,
    name: EngineName = "auto",
    implicit: bool = False,
) -> Engine:
    """An engine for a program. `auto` prefers machine code and says once if there is no core for it.

    `implicit`: with the derivatives that `sdirk4` needs.
    """
    global _said
    if name == "auto":
        try:
            core(program.space.name)
            name = "native"
        except CompilerMissing as missing:
            name = "virtual"
            if not _said:
                _said = True
                warnings.warn(
                    f"{missing}. Running on CasADi's virtual machine, which is 10 to 100 times slower.",
                    NoCompilerWarning,
                    stacklevel=2,
                )
    if name == "native":
        from .native import NativeEngine

        return NativeEngine(program, numbers, implicit)
    if name == "virtual":
        from .virtual import VirtualEngine

        return VirtualEngine(program, numbers, implicit)
    raise ValueError(f"engine must be `auto`, `native` or `virtual`, but is `{name}`")
