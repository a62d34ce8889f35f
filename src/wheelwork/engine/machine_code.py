"""From LLVM's intermediate language to machine code of this processor, in the process.

On Linux with x86-64 the object files of a model are linked here, into one piece of code that runs wherever it is put:
whoever finds it in the cache maps it into memory, without LLVM. Elsewhere LLVM loads the objects.
"""

from __future__ import annotations

import ctypes
import functools
import json
import mmap
import os
import re
import sys
from collections.abc import Sequence

from wheelwork.lazy import llvm

from .cache import processor_flags, stamp_of
from .object_files import Joined, joined

BEST = 2
LINKED = sys.platform == "linux" and os.uname().machine == "x86_64"


@functools.cache
def host() -> tuple[str, str]:
    """Name and features of this processor, in LLVM's terms."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def version() -> str:
    """What machine code depends on besides its source and the processor's flags, which all names in the cache do."""
    if processor_flags():  # LLVM takes long to load
        return stamp_of("llvmlite")
    return " ".join(["LLVM", *map(str, llvm.llvm_version_info), *host(), llvm.get_default_triple()])


FOREIGN = {
    "x86_64": ("x86_64-unknown-linux-gnu", "x86-64-v3", ""),
    "aarch64": (
        "aarch64-unknown-linux-gnu",
        "generic",
        "+reserve-x18",
    ),  # macOS and Windows keep x18 to themselves
}
"""Kinds of processor that code can be made for besides this one, for FMUs: what LLVM calls each, the least that a
processor must have, and what else is to be heeded."""
ANYWHERE = 'noredzone "probe-stack"="inline-asm"'
"""How functions must be made to run on Windows too, where the stack grows page by page and nothing below it is safe."""


def linked_for(processor: str, text: str) -> Joined:
    """Code for any processor of a kind, at its best, on any system."""
    triple, least, features = FOREIGN[processor]
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(triple)
    machine = target.create_target_machine(least, features, BEST, reloc="pic", codemodel="small")
    text = re.sub(r"^(define [^{]*)\{$", rf"\1{ANYWHERE} {{", text, flags=re.M)
    return joined([_object(machine, text, BEST)])


def _machine(level: int) -> llvm.TargetMachine:
    cpu, features = host()
    target = llvm.Target.from_default_triple()
    if LINKED:
        return target.create_target_machine(cpu, features, level, reloc="pic", codemodel="small")
    return target.create_target_machine(cpu, features, level, jit=True)


def object_code(text: str, level: int) -> bytes:
    """An object file. Level 0 at once; level 2 in three times as long, for code up to twice as fast."""
    return _object(_machine(level), text, level)


def written_code(text: str) -> bytes:
    """An object file of a text that is written as it is to run: functions of :mod:`.functions` are put where they are
    called, memory becomes registers, and no more. For lanes a third of the time of level 2, with code as fast."""
    machine, module = _machine(BEST), llvm.parse_assembly(text)
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=1)))
    return machine.emit_object(module)


def _object(machine: llvm.TargetMachine, text: str, level: int) -> bytes:
    module = llvm.parse_assembly(text)
    if level > 0:
        # inlining and simplification; packing straight-line code into vectors takes 3 times as long and gains little
        tuning = llvm.create_pipeline_tuning_options(speed_level=1)
        tuning.slp_vectorization = tuning.loop_vectorization = False
        passes = llvm.create_pass_builder(machine, tuning)
        passes.getModulePassManager().run(module, passes)
    return machine.emit_object(module)


class Code:
    """Code that `packed` made, in this process."""

    def __init__(self, content: bytes):
        self._addresses: dict[str, int] = {}
        if LINKED:
            self._map(content)
            return
        # an engine wants a module of its own, though everything comes from objects
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(0))
        while content:
            end = 8 + int.from_bytes(content[:8], "little")
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(content[8:end]))
            content = content[end:]
        self._engine.finalize_object()

    def _map(self, content: bytes) -> None:
        end = 8 + int.from_bytes(content[:8], "little")
        places, imports = json.loads(content[8:end])
        image = bytearray(content[end:])
        process = ctypes.CDLL(None)
        for name, at in imports.items():
            address = ctypes.cast(getattr(process, name), ctypes.c_void_p).value or 0
            image[at : at + 8] = address.to_bytes(8, "little")
        self._memory = mmap.mmap(-1, max(len(image), 1), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._memory[: len(image)] = image
        self._first = ctypes.c_char.from_buffer(self._memory)
        start = ctypes.addressof(self._first)
        protect = ctypes.CDLL(None, use_errno=True).mprotect
        if protect(
            ctypes.c_void_p(start), ctypes.c_size_t(len(self._memory)), mmap.PROT_READ | mmap.PROT_EXEC
        ):
            error = ctypes.get_errno()
            raise OSError(error, f"machine code may not be run on this system: {os.strerror(error)}")
        self._addresses |= {name: start + at for name, at in places.items()}

    def address(self, name: str) -> int:
        """Of a function; the code lives as long as this object."""
        if name not in self._addresses:
            self._addresses[name] = self._engine.get_function_address(name)
        return self._addresses[name]


def packed(objects: Sequence[bytes]) -> bytes:
    """Object files as one content for the cache: linked (where its functions are and what is called outside it, then
    the code), or else the length of each before it."""
    if LINKED:
        places, imports, image = joined(objects)
        head = json.dumps([places, imports]).encode()
        return len(head).to_bytes(8, "little") + head + image
    return b"".join(len(content).to_bytes(8, "little") + content for content in objects)
