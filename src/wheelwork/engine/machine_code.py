"""From LLVM's intermediate language to machine code of this processor, in the process."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from wheelwork.lazy import llvm


@functools.cache
def host() -> tuple[str, str]:
    """Name and features of this processor, in LLVM's terms."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def version() -> str:
    """What machine code depends on besides its source."""
    return " ".join(["LLVM", *map(str, llvm.llvm_version_info), *host(), llvm.get_default_triple()])


def _machine(level: int) -> llvm.TargetMachine:
    cpu, features = host()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(cpu=cpu, features=features, opt=level, jit=True)


def object_code(text: str, level: int) -> bytes:
    """An object file. Level 0 at once; level 2 in three times as long, for code up to twice as fast."""
    machine = _machine(level)
    module = llvm.parse_assembly(text)
    if level > 0:
        # inlining and simplification; packing straight-line code into vectors takes thrice as long and gains little
        tuning = llvm.create_pipeline_tuning_options(speed_level=1)
        tuning.slp_vectorization = tuning.loop_vectorization = False
        passes = llvm.create_pass_builder(machine, tuning)
        passes.getModulePassManager().run(module, passes)
    return machine.emit_object(module)


class Code:
    """Object files loaded into this process."""

    def __init__(self, objects: Iterable[bytes]):
        # an engine wants a module of its own, though everything comes from objects
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(0))
        for content in objects:
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(content))
        self._engine.finalize_object()
        self._addresses: dict[str, int] = {}

    def address(self, name: str) -> int:
        """Of a function; the code lives as long as this object."""
        if name not in self._addresses:
            self._addresses[name] = self._engine.get_function_address(name)
        return self._addresses[name]
