"""Tables and machine code as one piece that an FMU's binary puts into memory (``core/fmu_image.hpp``)."""

from __future__ import annotations

import ctypes
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from wheelwork.engine.records import filled

MAGIC = b"WWFMU001"
PAGE = 65536
"""Whole pages on every system."""
_HEAD = struct.Struct("<8s7Q")
_POINTER = struct.Struct("<QQ")
_IMPORT = struct.Struct("<Q24s")


class ImageOffset(int):
    """Where something is in the image."""


class Image:
    """A piece of memory whose pointers are set when it is loaded."""

    def __init__(self) -> None:
        self._bytes = bytearray(PAGE)  # nothing is at zero: a pointer that is zero points nowhere
        self._pointers: list[tuple[int, int]] = []
        self._waiting: list[tuple[int, str]] = []

    def add(self, content: np.ndarray | bytes, align: int = 64) -> ImageOffset:
        """Some numbers or text."""
        self._bytes += bytes(-len(self._bytes) % align)
        place = ImageOffset(len(self._bytes))
        self._bytes += content if isinstance(content, bytes) else np.ascontiguousarray(content).tobytes()
        self._bytes += bytes(8)  # an empty table has an address too
        return place

    def functions(self, names: list[str]) -> ImageOffset:
        """A table of addresses of functions; zero for an empty name."""
        place = self.add(np.zeros(len(names), np.uint64))
        self._waiting += [(place + 8 * k, name) for k, name in enumerate(names) if name]
        return place

    def structure(self, name: str, values: Mapping[str, Any]) -> ImageOffset:
        """A structure of the core; what is a place becomes a pointer."""
        record = filled(name, **values)
        place = self.add(bytes(record))
        self._point(type(record), values, place)
        return place

    def _point(self, kind: type[ctypes.Structure], values: Mapping[str, Any], place: int) -> None:
        for field, part, *_ in kind._fields_:
            at = place + getattr(kind, field).offset
            if issubclass(part, ctypes.Structure):
                self._point(part, values, at)
            elif isinstance(values.get(field), ImageOffset):
                self._pointers.append((at, int(values[field])))

    def finished(self, root: ImageOffset, code: tuple[dict[str, int], dict[str, int], bytes]) -> bytes:
        """The file: `code` is what `machine_code.linked_for` gives."""
        places, imports, machine_code = code
        self._bytes += bytes(-len(self._bytes) % PAGE)
        first = len(self._bytes)
        self._bytes += machine_code
        self._bytes += bytes(-len(self._bytes) % PAGE)
        pointers = [*self._pointers, *((at, first + places[name]) for at, name in self._waiting)]
        lists = b"".join(_POINTER.pack(*pair) for pair in pointers)
        lists += b"".join(_IMPORT.pack(first + at, name.encode()) for name, at in imports.items())
        rest = lists + bytes(self._bytes)
        head = (len(self._bytes), first, len(self._bytes) - first, len(pointers), len(imports), int(root))
        return _HEAD.pack(MAGIC, *head, zlib.crc32(rest)) + rest
