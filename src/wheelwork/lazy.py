"""Loading late: the one mechanism by which modules that take long are loaded when something in them is first used.

Elements hold fields and equations in one file. Describing a machine reads these files and must not wait for CasADi:
they, and the modules of equations that they build on, take it from here, `from wheelwork.lazy import casadi as ca`;
NumPy and the geometry of teeth too. A package that offers names of its modules without loading them all has
`__getattr__ = names_of(...)`. What loads with every run takes `dataclass` from here: of 200 classes it uses a few.
"""

from __future__ import annotations

import dataclasses
import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

# Threads of NumPy's OpenBLAS that have nothing to do ask for work 2^26 times over (30 ms of a processor, at every start
# and after every product of matrices) before they sleep; 2^20 is 0.4 ms.
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "20")

if TYPE_CHECKING:
    import asyncio
    import difflib
    import importlib.metadata as metadata
    import platform
    import resource
    import shlex
    import shutil
    import subprocess
    import tempfile
    import traceback
    from concurrent import futures
    from dataclasses import dataclass

    import casadi
    import cycler
    import distributed
    import fmpy.fmi2 as fmpy_fmi2
    import fmpy.fmi3 as fmpy_fmi3
    import fmpy.model_description as fmpy_reader
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
    import trimesh
    import xarray
    import xarray.backends as backends
    import zarr
    import zarr.codecs as zarr_codecs
    from PIL import Image, ImageDraw, ImageFont
    from scipy import integrate, interpolate

    import wheelwork.description.read as reading
    import wheelwork.description.validate as validating
    from wheelwork import analyses, cad, gears, mechanism, notebook, results, studies, trains
    from wheelwork import description as described
    from wheelwork import layout as layouts
    from wheelwork.analyses import link_forces, planned, prepare, vibration
    from wheelwork.analyses.vibration import described as vibrations_described
    from wheelwork.analyses.vibration import files as vibration_files
    from wheelwork.description import formula, formula_parser, registry, union
    from wheelwork.engine import compiler, tape
    from wheelwork.exchange.fmu import read as fmu_import
    from wheelwork.gears import sheet as gear_sheets
    from wheelwork.gears import stiffness
    from wheelwork.layout import gear_train as train_of_layout
    from wheelwork.show import figures, formulas, player
    from wheelwork.show import report as reports
    from wheelwork.show.figures import over_time
    from wheelwork.studies import cluster as study_cluster
    from wheelwork.studies import dataset as study_tables
    from wheelwork.studies import store as study_store
    from wheelwork.system import build
else:

    class _Lazy(ModuleType):
        def __getattr__(self, name: str):
            if name.startswith("__"):  # asked by Python about any module, which is not a use of it
                raise AttributeError(name)
            module = sys.modules.get(self.__name__)
            if module is None or getattr(module.__spec__, "_initializing", False):
                module = import_module(self.__name__)  # which waits where another thread is loading it
            if self.__name__ in ("casadi", "numpy"):  # asked many thousand times
                vars(self).update(vars(module))
            return getattr(module, name)

    casadi, llvm, numpy = _Lazy("casadi"), _Lazy("llvmlite.binding"), _Lazy("numpy")
    h5netcdf, h5py = _Lazy("h5netcdf"), _Lazy("h5py")
    backends, xarray = _Lazy("xarray.backends"), _Lazy("xarray")
    scipy, integrate, interpolate = _Lazy("scipy"), _Lazy("scipy.integrate"), _Lazy("scipy.interpolate")
    asyncio, futures, platform = _Lazy("asyncio"), _Lazy("concurrent.futures"), _Lazy("platform")
    difflib, shlex, shutil = _Lazy("difflib"), _Lazy("shlex"), _Lazy("shutil")
    subprocess, tempfile, traceback = _Lazy("subprocess"), _Lazy("tempfile"), _Lazy("traceback")
    zarr, zarr_codecs = _Lazy("zarr"), _Lazy("zarr.codecs")  # the extra `studies`
    distributed = _Lazy("distributed")  # the extra `cluster`
    trimesh = _Lazy("trimesh")  # the extra `cad`
    salib_morris, salib_morris_sample = (
        _Lazy("SALib.analyze.morris"),
        _Lazy("SALib.sample.morris"),
    )  # `indices`
    salib_sobol, salib_sobol_sample = _Lazy("SALib.analyze.sobol"), _Lazy("SALib.sample.sobol")
    metadata, networkx, pydantic = _Lazy("importlib.metadata"), _Lazy("networkx"), _Lazy("pydantic")
    fmpy_fmi2, fmpy_fmi3 = _Lazy("fmpy.fmi2"), _Lazy("fmpy.fmi3")  # the extra `fmu`
    fmpy_reader = _Lazy("fmpy.model_description")
    parquet, pyarrow = _Lazy("pyarrow.parquet"), _Lazy("pyarrow")
    pandas, scipy_io = _Lazy("pandas"), _Lazy("scipy.io")
    resource, ruamel_yaml = _Lazy("resource"), _Lazy("ruamel.yaml")  # the first is not everywhere
    rich_console, rich_progress = _Lazy("rich.console"), _Lazy("rich.progress")
    Image, ImageDraw, ImageFont = _Lazy("PIL.Image"), _Lazy("PIL.ImageDraw"), _Lazy("PIL.ImageFont")
    cycler, matplotlib, pyplot = _Lazy("cycler"), _Lazy("matplotlib"), _Lazy("matplotlib.pyplot")
    mpl_colors, mpl_figure = _Lazy("matplotlib.colors"), _Lazy("matplotlib.figure")
    mpl_lines, mpl_collections = _Lazy("matplotlib.lines"), _Lazy("matplotlib.collections")

    cad = _Lazy("wheelwork.cad")  # a mechanism without files of solids needs nothing of it
    gears, stiffness = _Lazy("wheelwork.gears"), _Lazy("wheelwork.gears.stiffness")
    gear_sheets = _Lazy("wheelwork.gears.sheet")  # of all pairs, of which a notebook shows one
    # a run needs no gear train, and a core that was built with the package no compiler
    trains, train_of_layout = _Lazy("wheelwork.trains"), _Lazy("wheelwork.layout.gear_train")
    compiler = _Lazy("wheelwork.engine.compiler")
    # a model that stands alone needs neither description nor CasADi
    build, tape = _Lazy("wheelwork.system.build"), _Lazy("wheelwork.engine.tape")
    # a result of a run that was prepared before needs neither
    layouts = _Lazy("wheelwork.layout")
    described, prepare = _Lazy("wheelwork.description"), _Lazy("wheelwork.analyses.prepare")
    # what is written in files is read, checked and flattened in turn: modules that need each other
    registry, union = _Lazy("wheelwork.description.registry"), _Lazy("wheelwork.description.union")
    formula, formula_parser = (
        _Lazy("wheelwork.description.formula"),
        _Lazy("wheelwork.description.formula_parser"),
    )
    reading, validating = _Lazy("wheelwork.description.read"), _Lazy("wheelwork.description.validate")
    # methods of a mechanism, of which each needs one
    analyses, link_forces = _Lazy("wheelwork.analyses"), _Lazy("wheelwork.analyses.link_forces")
    mechanism, planned = _Lazy("wheelwork.mechanism"), _Lazy("wheelwork.analyses.planned")
    formulas, studies = _Lazy("wheelwork.show.formulas"), _Lazy("wheelwork.studies")
    study_cluster, study_store = _Lazy("wheelwork.studies.cluster"), _Lazy("wheelwork.studies.store")
    study_tables = _Lazy("wheelwork.studies.dataset")
    vibrations_described = _Lazy("wheelwork.analyses.vibration.described")
    vibration = _Lazy("wheelwork.analyses.vibration")
    notebook = _Lazy("wheelwork.notebook")
    # verbs of the command line, of which some ways need these
    over_time, reports = _Lazy("wheelwork.show.figures.over_time"), _Lazy("wheelwork.show.report")
    results, vibration_files = _Lazy("wheelwork.results"), _Lazy("wheelwork.analyses.vibration.files")
    # `plot`, `view` and `save_film` of results: the roads upward
    fmu_import = _Lazy("wheelwork.exchange.fmu.read")  # of a mechanism with FMUs in it: upward too
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
                if names:
                    _finish(self.cls, names, **self.options)

    def _finish(cls, names, **options):
        """What `dataclasses` makes of a class; a moment without `__init__` would be seen by other threads."""
        if not cls.__doc__:
            cls.__doc__ = cls.__name__  # `dataclass` would ask for the signature, which waits for this
        for name in names - {"__init__"}:
            delattr(cls, name)
        dataclasses.dataclass(cls, init=False, **options)
        cls.__dataclass_params__.init = True
        made = _init(cls, dataclasses.fields(cls), options.get("frozen", False))
        made.__name__, made.__qualname__ = "__init__", f"{cls.__qualname__}.__init__"
        cls.__init__ = made

    class _Missing:
        def __repr__(self):
            return "<factory>"

    _MISSING = _Missing()

    def _init(cls, fields, frozen):
        missing, known = dataclasses.MISSING, {"put": object.__setattr__, "missing": _MISSING}
        given, by_name, lines = ["self"], [], []
        for field in fields:
            name, value = field.name, field.name
            word = name
            if field.default_factory is not missing:
                known[f"make_{name}"] = field.default_factory
                value = f"make_{name}()" + (f" if {name} is missing else {name}" if field.init else "")
                word = f"{name}=missing"
            elif field.default is not missing:
                known[f"default_{name}"] = field.default
                word = f"{name}=default_{name}"
            if field.init:
                (by_name if field.kw_only else given).append(word)
            elif field.default_factory is missing:
                continue
            lines.append(f"  put(self, {name!r}, {value})" if frozen else f"  self.{name} = {value}")
        if hasattr(cls, "__post_init__"):
            lines.append("  self.__post_init__()")
        head = ", ".join([*given, *(["*", *by_name] if by_name else [])])
        text = f"def make({', '.join(known)}):\n def __init__({head}):\n"
        place = {}
        exec(
            text + "\n".join(lines or ["  pass"]) + "\n return __init__", {"__name__": cls.__module__}, place
        )
        init = place["make"](**known)
        init.__annotations__ = {field.name: field.type for field in fields if field.init} | {"return": None}
        return init

    class _StandIn:
        def __init__(self, unfinished, name):
            self.unfinished, self.name = unfinished, name

        def __get__(self, instance, owner=None):
            self.unfinished.finish()
            found = getattr(self.unfinished.cls, self.name)
            return found if instance is None or not callable(found) else found.__get__(instance, owner)


class Keeping:
    """Something from which other things follow: these are made when first asked for, and kept in `_kept`."""

    _kept: dict[Any, Any]

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """What follows from it alone."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]


@contextmanager
def uncollected() -> Iterator[None]:
    """While modules are loaded and equations derived, nearly all of which stays, Python need not look for rings of
    objects that nobody holds: it takes a tenth of the time. Where modules were loaded, what was made counts as old at
    once. Also a decorator."""
    on, loaded = gc.isenabled(), len(sys.modules)
    gc.disable()
    try:
        yield
    finally:
        if on:
            if len(sys.modules) > loaded and not gc.get_freeze_count():  # else somebody wants some frozen
                gc.freeze()
                gc.unfreeze()
            gc.enable()


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
