"""Packages that have moved: their old names still import, with a word of warning."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

NEW_NAMES = {
    "figures": "show.figures",
    "formulas": "show.formulas",
    "graph": "trains",
    "kernel": "engine",
    "model": "description",
    "report": "show.report",
    "scene": "show.scene",
    "solve": "analyses",
    "view": "show.player",
}


class _Moved:
    """Finds and loads, in Python's sense, the module of today under a name of before."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        first, _, rest = fullname.removeprefix("wheelwork.").partition(".")
        if first not in NEW_NAMES or not fullname.startswith("wheelwork."):
            return None
        new = ".".join(filter(None, ("wheelwork", NEW_NAMES[first], rest)))
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
