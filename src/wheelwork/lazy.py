"""Loading late: the one mechanism by which modules that take long are loaded when something in them is first used.

Elements hold fields and equations in one file. Describing a machine reads these files and must not wait for CasADi:
they, and the modules of equations that they build on, take it from here, `from wheelwork.lazy import casadi as ca`;
NumPy and the geometry of teeth too. A package that offers names of its modules without loading them all has
`__getattr__ = names_of(...)`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import casadi
    import llvmlite.binding as llvm
    import numpy

    from wheelwork import description as described
    from wheelwork import gears
    from wheelwork.analyses import prepare
    from wheelwork.gears import stiffness
else:

    class _Lazy(ModuleType):
        def __getattr__(self, name: str):
            if name.startswith("__"):  # asked by Python about any module, which is no use of it
                raise AttributeError(name)
            module = import_module(self.__name__)
            vars(self).update(vars(module))
            return getattr(module, name)

    casadi, llvm, numpy = _Lazy("casadi"), _Lazy("llvmlite.binding"), _Lazy("numpy")
    # a result of a run that was prepared before needs neither
    described, prepare = _Lazy("wheelwork.description"), _Lazy("wheelwork.analyses.prepare")
    gears, stiffness = _Lazy("wheelwork.gears"), _Lazy("wheelwork.gears.stiffness")

__all__ = ["casadi", "described", "gears", "llvm", "names_of", "numpy", "prepare", "stiffness"]


def names_of(package: str, modules: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """The `__getattr__` of a package: names, by the module of it that has them, loaded when one is first asked for."""
    places = {name: f"{package}.{module}" for module, names in modules.items() for name in names}

    def __getattr__(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(places[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return __getattr__
