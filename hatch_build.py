"""Builds the C++ core when the package is built: all levels of processor for a wheel, this machine's own in a clone."""

import importlib.util
import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CoreBuildHook(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def _compiler(self) -> Any:
        """`wheelwork.engine.compiler`, which needs nothing else of the package, by its path."""
        path = Path(self.root) / "src" / "wheelwork" / "engine" / "compiler.py"
        spec = importlib.util.spec_from_file_location("wheelwork_core_compiler", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module

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
