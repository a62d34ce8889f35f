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
import struct
import sys
from collections.abc import Sequence

from wheelwork.lazy import llvm

from .cache import processor_flags, stamp_of

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


FOREIGN = {"x86_64": ("x86_64-unknown-linux-gnu", "x86-64-v3")}
"""Kinds of processor that code can be made for besides this one, for FMUs: what LLVM calls each, and the least that a
processor must have."""


def linked_for(processor: str, text: str) -> tuple[dict[str, int], dict[str, int], bytes]:
    """Code for any processor of a kind, at its best: where its functions are, the places of the addresses of what it
    calls outside, and the piece itself, which runs wherever it is put."""
    triple, least = FOREIGN[processor]
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(triple)
    machine = target.create_target_machine(least, "", BEST, reloc="pic", codemodel="small")
    return _joined([_object(machine, text, BEST)])


def _machine(level: int) -> llvm.TargetMachine:
    cpu, features = host()
    target = llvm.Target.from_default_triple()
    if LINKED:
        return target.create_target_machine(cpu, features, level, reloc="pic", codemodel="small")
    return target.create_target_machine(cpu, features, level, jit=True)


def object_code(text: str, level: int) -> bytes:
    """An object file. Level 0 at once; level 2 in three times as long, for code up to twice as fast."""
    return _object(_machine(level), text, level)


def _object(machine: llvm.TargetMachine, text: str, level: int) -> bytes:
    module = llvm.parse_assembly(text)
    if level > 0:
        # inlining and simplification; packing straight-line code into vectors takes thrice as long and gains little
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
    """Object files as one content for the cache: linked, or else the length of each before it."""
    if LINKED:
        return linked(objects)
    return b"".join(len(content).to_bytes(8, "little") + content for content in objects)


_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_ALLOCATED, _WRITABLE, _SYMBOLS, _RELOCATIONS, _EMPTY, _UNWINDING = 2, 1, 2, 4, 8, 0x70000001
_NEAR, _CALL, _FAR = 2, 4, 24
"""Relocations that do not depend on where the code lies: R_X86_64_PC32, _PLT32 and _PC64."""


def linked(objects: Sequence[bytes]) -> bytes:
    """ELF objects of x86-64 as one piece: where its functions are, then what is called outside it, then the code."""
    places, imports, image = _joined(objects)
    head = json.dumps([places, imports]).encode()
    return len(head).to_bytes(8, "little") + head + image


def _joined(objects: Sequence[bytes]) -> tuple[dict[str, int], dict[str, int], bytes]:
    """The same in its three parts.

    Calls that leave it (LLVM writes some of `memset`) go through an address behind the code, set when it is loaded.
    """
    image, places, waiting = bytearray(), dict[str, int](), list[tuple[int, int, str, int]]()
    for content in objects:
        (first,), (count,) = struct.unpack_from("<Q", content, 0x28), struct.unpack_from("<H", content, 0x3C)
        sections = [_SECTION.unpack_from(content, first + k * _SECTION.size) for k in range(count)]
        starts: dict[int, int] = {}
        for k, (_, kind, flags, _, offset, size, _, _, align, _) in enumerate(sections):
            if flags & _ALLOCATED and size and kind != _UNWINDING:
                if flags & _WRITABLE:
                    raise ValueError("compiled code has data of its own")
                image += bytes(-len(image) % max(align, 1))
                starts[k] = len(image)
                image += bytes(size) if kind == _EMPTY else content[offset : offset + size]
        symbols: list[tuple[str, int | None]] = []
        for _, kind, _, _, offset, size, link, *_ in sections:
            for name, info, _, section, value, _ in (
                _SYMBOL.iter_unpack(content[offset : offset + size]) if kind == _SYMBOLS else ()
            ):
                text = sections[link][4] + name
                word = content[text : content.index(0, text)].decode()
                place = starts[section] + value if section in starts else None
                symbols.append((word, place))
                if place is not None and info >> 4:
                    places[word] = place
        for _, kind, _, _, offset, size, _, section, _, _ in sections:
            if kind != _RELOCATIONS or section not in starts:
                continue
            for at, what, addend in _RELOCATION.iter_unpack(content[offset : offset + size]):
                (word, place), kind, at = symbols[what >> 32], what & 0xFFFFFFFF, starts[section] + at
                if kind not in (_NEAR, _CALL, _FAR) or (place is None and kind != _CALL):
                    raise ValueError(f"compiled code cannot be linked: relocation {kind} of `{word}`")
                if place is None:
                    waiting.append((at, addend, word, kind))
                else:
                    _relocate(image, at, place + addend - at, kind)
    imports: dict[str, int] = {}
    for at, addend, word, kind in waiting:
        if word not in places:
            image += bytes(-len(image) % 16) + b"\xff\x25\0\0\0\0" + bytes(8)  # jmp *(rip)
            places[word], imports[word] = len(image) - 14, len(image) - 8
        _relocate(image, at, places[word] + addend - at, kind)
    return places, imports, bytes(image)


def _relocate(image: bytearray, at: int, distance: int, kind: int) -> None:
    struct.pack_into("<q" if kind == _FAR else "<i", image, at, distance)
