"""Modules that take long to load, loaded when something in them is first used.

Elements hold fields and equations in one file. Describing a machine reads these files and must not wait for CasADi:
they, and the modules of equations that they build on, take it from here, `from wheelwork.lazy import casadi as ca`;
NumPy and the geometry of teeth too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import casadi
    import numpy

    from wheelwork import gears
    from wheelwork.gears import stiffness
else:
    from importlib import import_module
    from types import ModuleType

    class _Lazy(ModuleType):
        def __getattr__(self, name: str):
            if name.startswith("__"):  # asked by Python about any module, which is no use of it
                raise AttributeError(name)
            vars(self).update(vars(import_module(self.__name__)))
            try:
                return vars(self)[name]
            except KeyError:
                raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}") from None

    casadi, numpy = _Lazy("casadi"), _Lazy("numpy")
    gears, stiffness = _Lazy("wheelwork.gears"), _Lazy("wheelwork.gears.stiffness")

__all__ = ["casadi", "gears", "numpy", "stiffness"]
