"""Builds the C++ core when the package is built: all levels of processor for a wheel, this machine's own in a clone."""

import os
import sys
import sysconfig
from importlib import import_module
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CoreBuildHook(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def _compiler(self) -> Any:
        """`wheelwork.engine.compiler`, which with what it needs of the package wants the standard library alone."""
        sources = str(Path(self.root) / "src")
        sys.path.insert(0, sources)
        try:
            return import_module("wheelwork.engine.compiler")
        finally:
            sys.path.remove(sources)

    def dependencies(self) -> list[str]:
        """Where there is no compiler, the one that PyPI has as a package."""
        compiler = self._compiler()
        try:
            compiler.find_compiler()
        except compiler.CompilerMissing:
            return ["ziglang"]
        return []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        if version == "editable":
            return  # built when first needed, and again when the C++ changes: wheelwork.engine.compiled_core
        compiler = self._compiler()
        for path in compiler.build_cores(compiler.BUILT, compiler.levels()):
            build_data["force_include"][str(path)] = f"wheelwork/engine/built/{path.name}"
        build_data["pure_python"] = False
        # no part of Python's own interface is used: one wheel for all versions
        platform = os.environ.get("WHEELWORK_PLATFORM") or sysconfig.get_platform().replace("-", "_").replace(
            ".", "_"
        )
        build_data["tag"] = f"py3-none-{platform}"
