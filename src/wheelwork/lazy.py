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
    import importlib.metadata as metadata
    import resource

    import casadi
    import cycler
    import h5netcdf
    import h5py
    import llvmlite.binding as llvm
    import matplotlib
    import matplotlib.colors as mpl_colors
    import matplotlib.figure as mpl_figure
    import matplotlib.lines as mpl_lines
    import matplotlib.pyplot as pyplot
    import networkx
    import numpy
    import pyarrow
    import pyarrow.parquet as parquet
    import pydantic
    import rich.console as rich_console
    import rich.progress as rich_progress
    import ruamel.yaml as ruamel_yaml
    import xarray
    import xarray.backends as backends
    from PIL import Image, ImageDraw, ImageFont
    from scipy import integrate, interpolate

    from wheelwork import analyses, gears
    from wheelwork import description as described
    from wheelwork.analyses import link_forces, prepare, vibration
    from wheelwork.analyses.vibration import described as vibrations_described
    from wheelwork.engine import tape
    from wheelwork.gears import stiffness
    from wheelwork.show import figures, formulas, player
    from wheelwork.system import build
else:

    class _Lazy(ModuleType):
        def __getattr__(self, name: str):
            if name.startswith("__"):  # asked by Python about any module, which is no use of it
                raise AttributeError(name)
            module = import_module(self.__name__)
            if self.__name__ in ("casadi", "numpy"):  # asked many thousand times
                vars(self).update(vars(module))
            return getattr(module, name)

    casadi, llvm, numpy = _Lazy("casadi"), _Lazy("llvmlite.binding"), _Lazy("numpy")
    h5netcdf, h5py = _Lazy("h5netcdf"), _Lazy("h5py")
    backends, xarray = _Lazy("xarray.backends"), _Lazy("xarray")
    integrate, interpolate = _Lazy("scipy.integrate"), _Lazy("scipy.interpolate")
    metadata, networkx, pydantic = _Lazy("importlib.metadata"), _Lazy("networkx"), _Lazy("pydantic")
    parquet, pyarrow = _Lazy("pyarrow.parquet"), _Lazy("pyarrow")
    resource, ruamel_yaml = _Lazy("resource"), _Lazy("ruamel.yaml")  # the first is not everywhere
    rich_console, rich_progress = _Lazy("rich.console"), _Lazy("rich.progress")
    Image, ImageDraw, ImageFont = _Lazy("PIL.Image"), _Lazy("PIL.ImageDraw"), _Lazy("PIL.ImageFont")
    cycler, matplotlib, pyplot = _Lazy("cycler"), _Lazy("matplotlib"), _Lazy("matplotlib.pyplot")
    mpl_colors, mpl_figure = _Lazy("matplotlib.colors"), _Lazy("matplotlib.figure")
    mpl_lines = _Lazy("matplotlib.lines")

    gears, stiffness = _Lazy("wheelwork.gears"), _Lazy("wheelwork.gears.stiffness")
    # a model that stands alone needs neither description nor CasADi
    build, tape = _Lazy("wheelwork.system.build"), _Lazy("wheelwork.engine.tape")
    # a result of a run that was prepared before needs neither
    described, prepare = _Lazy("wheelwork.description"), _Lazy("wheelwork.analyses.prepare")
    # methods of a mechanism, of which each needs one
    analyses, link_forces = _Lazy("wheelwork.analyses"), _Lazy("wheelwork.analyses.link_forces")
    formulas = _Lazy("wheelwork.show.formulas")
    vibrations_described = _Lazy("wheelwork.analyses.vibration.described")
    vibration = _Lazy("wheelwork.analyses.vibration")
    # `plot`, `view` and `save_film` of results: the roads upward
    figures, player = _Lazy("wheelwork.show.figures"), _Lazy("wheelwork.show.player")


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
