"""Loading late: the one mechanism by which modules that take long are loaded when something in them is first used.

Elements hold fields and equations in one file. Describing a machine reads these files and must not wait for CasADi:
they, and the modules of equations that they build on, take it from here, `from wheelwork.lazy import casadi as ca`;
NumPy and the geometry of teeth too. A package that offers names of its modules without loading them all has
`__getattr__ = names_of(...)`. What loads with every run takes `dataclass` from here: of 200 classes it uses a few.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import partial
from importlib import import_module
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import importlib.metadata as metadata
    import platform
    import resource
    import shutil
    import tempfile
    from concurrent import futures
    from dataclasses import dataclass

    import casadi
    import cycler
    import distributed
    import h5netcdf
    import h5py
    import llvmlite.binding as llvm
    import matplotlib
    import matplotlib.collections as mpl_collections
    import matplotlib.colors as mpl_colors
    import matplotlib.figure as mpl_figure
    import matplotlib.lines as mpl_lines
    import matplotlib.pyplot as pyplot
    import networkx
    import numpy
    import pandas
    import pyarrow
    import pyarrow.parquet as parquet
    import pydantic
    import rich.console as rich_console
    import rich.progress as rich_progress
    import ruamel.yaml as ruamel_yaml
    import SALib.analyze.morris as salib_morris
    import SALib.analyze.sobol as salib_sobol
    import SALib.sample.morris as salib_morris_sample
    import SALib.sample.sobol as salib_sobol_sample
    import scipy
    import scipy.io as scipy_io
    import xarray
    import xarray.backends as backends
    import zarr
    import zarr.codecs as zarr_codecs
    from PIL import Image, ImageDraw, ImageFont
    from scipy import integrate, interpolate

    import wheelwork.description.read as reading
    import wheelwork.description.validate as validating
    from wheelwork import analyses, gears, results, studies, trains
    from wheelwork import description as described
    from wheelwork.analyses import link_forces, prepare, vibration
    from wheelwork.analyses.vibration import described as vibrations_described
    from wheelwork.analyses.vibration import files as vibration_files
    from wheelwork.description import classes, formula_parser, registry
    from wheelwork.engine import compiler, tape
    from wheelwork.gears import stiffness
    from wheelwork.layout import gear_train as train_of_layout
    from wheelwork.results import notebook
    from wheelwork.show import figures, formulas, player
    from wheelwork.show import report as reports
    from wheelwork.show.figures import over_time
    from wheelwork.studies import cluster as study_cluster
    from wheelwork.studies import store as study_store
    from wheelwork.system import build
else:

    class _Lazy(ModuleType):
        def __getattr__(self, name: str):
            if name.startswith("__"):  # asked by Python about any module, which is no use of it
                raise AttributeError(name)
            module = sys.modules.get(self.__name__) or import_module(self.__name__)
            if self.__name__ in ("casadi", "numpy"):  # asked many thousand times
                vars(self).update(vars(module))
            return getattr(module, name)

    casadi, llvm, numpy = _Lazy("casadi"), _Lazy("llvmlite.binding"), _Lazy("numpy")
    h5netcdf, h5py = _Lazy("h5netcdf"), _Lazy("h5py")
    backends, xarray = _Lazy("xarray.backends"), _Lazy("xarray")
    scipy, integrate, interpolate = _Lazy("scipy"), _Lazy("scipy.integrate"), _Lazy("scipy.interpolate")
    futures, platform = _Lazy("concurrent.futures"), _Lazy("platform")
    shutil, tempfile = _Lazy("shutil"), _Lazy("tempfile")
    zarr, zarr_codecs = _Lazy("zarr"), _Lazy("zarr.codecs")  # the extra `studies`
    distributed = _Lazy("distributed")  # the extra `cluster`
    salib_morris, salib_morris_sample = (
        _Lazy("SALib.analyze.morris"),
        _Lazy("SALib.sample.morris"),
    )  # `indices`
    salib_sobol, salib_sobol_sample = _Lazy("SALib.analyze.sobol"), _Lazy("SALib.sample.sobol")
    metadata, networkx, pydantic = _Lazy("importlib.metadata"), _Lazy("networkx"), _Lazy("pydantic")
    parquet, pyarrow = _Lazy("pyarrow.parquet"), _Lazy("pyarrow")
    pandas, scipy_io = _Lazy("pandas"), _Lazy("scipy.io")
    resource, ruamel_yaml = _Lazy("resource"), _Lazy("ruamel.yaml")  # the first is not everywhere
    rich_console, rich_progress = _Lazy("rich.console"), _Lazy("rich.progress")
    Image, ImageDraw, ImageFont = _Lazy("PIL.Image"), _Lazy("PIL.ImageDraw"), _Lazy("PIL.ImageFont")
    cycler, matplotlib, pyplot = _Lazy("cycler"), _Lazy("matplotlib"), _Lazy("matplotlib.pyplot")
    mpl_colors, mpl_figure = _Lazy("matplotlib.colors"), _Lazy("matplotlib.figure")
    mpl_lines, mpl_collections = _Lazy("matplotlib.lines"), _Lazy("matplotlib.collections")

    gears, stiffness = _Lazy("wheelwork.gears"), _Lazy("wheelwork.gears.stiffness")
    # a run needs no gear train, and a core that was built with the package no compiler
    trains, train_of_layout = _Lazy("wheelwork.trains"), _Lazy("wheelwork.layout.gear_train")
    compiler = _Lazy("wheelwork.engine.compiler")
    # a model that stands alone needs neither description nor CasADi
    build, tape = _Lazy("wheelwork.system.build"), _Lazy("wheelwork.engine.tape")
    # a result of a run that was prepared before needs neither
    described, prepare = _Lazy("wheelwork.description"), _Lazy("wheelwork.analyses.prepare")
    # what is written in files is read, checked and flattened in turn: modules that need each other
    classes, registry = _Lazy("wheelwork.description.classes"), _Lazy("wheelwork.description.registry")
    formula_parser = _Lazy("wheelwork.description.formula_parser")
    reading, validating = _Lazy("wheelwork.description.read"), _Lazy("wheelwork.description.validate")
    # methods of a mechanism, of which each needs one
    analyses, link_forces = _Lazy("wheelwork.analyses"), _Lazy("wheelwork.analyses.link_forces")
    formulas, studies = _Lazy("wheelwork.show.formulas"), _Lazy("wheelwork.studies")
    study_cluster, study_store = _Lazy("wheelwork.studies.cluster"), _Lazy("wheelwork.studies.store")
    vibrations_described = _Lazy("wheelwork.analyses.vibration.described")
    vibration = _Lazy("wheelwork.analyses.vibration")
    notebook = _Lazy("wheelwork.results.notebook")
    # verbs of the command line, of which some ways need these
    over_time, reports = _Lazy("wheelwork.show.figures.over_time"), _Lazy("wheelwork.show.report")
    results, vibration_files = _Lazy("wheelwork.results"), _Lazy("wheelwork.analyses.vibration.files")
    # `plot`, `view` and `save_film` of results: the roads upward
    figures, player = _Lazy("wheelwork.show.figures"), _Lazy("wheelwork.show.player")

    _FINISHING = RLock()

    def dataclass(cls=None, /, **options):
        """As that of `dataclasses`, but finished when the class is first used: what Python writes and compiles for each
        takes it up to half a millisecond. Until then, what it would write is stood in for."""
        if cls is None:
            return partial(dataclass, **options)
        own, frozen = vars(cls), options.get("frozen", False)
        if "__init__" in own or options.keys() - {"frozen", "kw_only", "eq", "repr"}:
            return dataclasses.dataclass(cls, **options)
        names = {
            "__init__",  # here, because a class that has one was handed on above
            "__repr__",
            "__eq__",
            "__dataclass_fields__",
            "__dataclass_params__",
            "__match_args__",
        }
        if frozen:
            names |= {"__hash__", "__setattr__", "__delattr__"}
        elif options.get("eq", True) and "__hash__" not in own:
            cls.__hash__ = None
        unfinished = _Unfinished(cls, options, names - own.keys())
        for name in unfinished.names:
            setattr(cls, name, _StandIn(unfinished, name))
        return cls

    class _Unfinished:
        def __init__(self, cls, options, names):
            self.cls, self.options, self.names = cls, options, names

        def finish(self):
            """Other threads may want one meanwhile: they find the stand-in of `__init__` until there is one."""
            with _FINISHING:
                names, self.names = self.names, frozenset()
                if not names:
                    return
                for name in names - {"__init__"}:
                    delattr(self.cls, name)
                if not self.cls.__doc__:
                    self.cls.__doc__ = (
                        self.cls.__name__
                    )  # `dataclass` would ask for the signature, which waits for this
                dataclasses.dataclass(self.cls, init=False, **self.options)
                self.cls.__dataclass_params__.init = True
                self.cls.__init__ = self._made()

        def _made(self):
            """`__init__`, from another class with the same fields."""
            cls = self.cls
            given = [(f.name, f.type, copy(f)) for f in dataclasses.fields(cls)]
            own = {"__post_init__": cls.__post_init__} if hasattr(cls, "__post_init__") else {}
            options = self.options | {"eq": False, "repr": False, "match_args": False}
            made = dataclasses.make_dataclass(cls.__name__, given, namespace=own, **options).__init__
            made.__qualname__ = f"{cls.__qualname__}.__init__"
            return made

    class _StandIn:
        def __init__(self, unfinished, name):
            self.unfinished, self.name = unfinished, name

        def __get__(self, instance, owner=None):
            self.unfinished.finish()
            found = getattr(self.unfinished.cls, self.name)
            return found if instance is None or not callable(found) else found.__get__(instance, owner)


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
