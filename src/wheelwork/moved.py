"""Modules that have moved: their old names still import, with a word of warning."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

_TO_SYSTEM = (
    "attitude build build_inputs build_meshes corner_times corners driver_jumps following "
    "force_kernels formula_signals given_speeds kernels mesh_kernels motion powers "
    "program signals space"
)
NEW_NAMES = {
    "analyses.going_on": "analyses.continuation",
    "analyses.reduction.yielding": "analyses.reduction.moved_wheels",
    "analyses.vibration.sweep_measures": "analyses.vibration.sweep_result",
    "analyses.vibration.sweep_watch": "analyses.vibration.sweep",
    "system.dry_friction": "system.kernels",
    "system.kernel_store": "system.kernels",
    "system.following": "system.uses",
    "elements.joints.translational": "elements.joints.prismatic",
    "description.by_shape": "description.union",
    "description.by_name": "description.union",
    "description.classes": "description.union",
    "description.content": "description.flatten",
    "description.problems": "problems",
    "description.reports": "description.description",
    "elements.meshes.geometry": "layout.meshes",
    "elements.meshes.teeth.section": "equations.tooth_section",
    "equations.dry_friction": "system.kernels",
    "equations.kernel_store": "system.kernels",
    "equations.template": "equations.values",
    "equations.build_cams": "system.cams",
    "equations.cams.fit": "system.cams",
    "equations.cams.kernel": "system.cams",
    "equations.losses": "layout.losses",
    "equations.mesh_forces": "elements.meshes.teeth.mesh_force",
    "exchange.fmu.units": "exchange.fmu.model_description",
    "figures": "show.figures",
    "formulas": "show.formulas",
    "graph": "trains",
    "kernel": "engine",
    "layout.placement": "equations.placement",
    "model": "description",
    "report": "show.report",
    "results.vibration": "analyses.vibration.files",
    "scene": "show.scene",
    "show.player.inline": "show.player.player",
    "solve": "analyses",
    "trains.yielding": "trains.elastic_supports",
    "view": "show.player",
    **{f"equations.{name}": f"system.{name}" for name in _TO_SYSTEM.split()},
}
"""Inside `wheelwork`; with a package goes what is in it."""


def new_name(name: str) -> str | None:
    """Of a module inside `wheelwork`, where it has moved.

    >>> new_name("view.film")
    'show.player.film'
    """
    first, rest = name, ""
    while first:
        if first in NEW_NAMES:
            new = NEW_NAMES[first] + rest
            return new_name(new) or new
        first, dot, last = first.rpartition(".")
        rest = dot + last + rest
    return None


class _Moved:
    """Finds and loads, in Python's sense, the module of today under a name of before."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        if not fullname.startswith("wheelwork."):
            return None
        new = new_name(fullname.removeprefix("wheelwork."))
        if new is None:
            return None
        new = f"wheelwork.{new}"
        warnings.warn(f"{fullname} has moved: import {new}", DeprecationWarning, stacklevel=2)
        return ModuleSpec(fullname, self, origin=new)  # pyright: ignore[reportArgumentType]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        assert spec.origin is not None
        module = import_module(spec.origin)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # importing under the old name has overwritten it


def install() -> None:
    """Let old names be imported."""
    sys.meta_path.insert(0, _Moved())  # first: a moved package's path would find its modules a second time
