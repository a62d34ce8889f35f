"""ELF object files of x86-64 and ARM (AArch64) as one piece of code that runs wherever it is put."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Joined = tuple[dict[str, int], dict[str, int], bytes]
"""Where its functions are, the places of the addresses of what it calls outside, and the piece itself."""

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_ALLOCATED, _WRITABLE, _SYMBOLS, _RELOCATIONS, _EMPTY, _UNWINDING = 2, 1, 2, 4, 8, 0x70000001
_PAGE = 4096


@dataclass(frozen=True)
class _Processor:
    """What linking has to know of one.

    calls: relocations of calls, which may leave the piece
    relocate: writes a target's address into the piece, by the kind of relocation; false: this kind is not known
    jump: to the address behind it
    """

    calls: frozenset[int]
    relocate: Callable[[bytearray, int, int, int], bool]
    jump: bytes


def _relocate_x86_64(image: bytearray, at: int, target: int, kind: int) -> bool:
    if kind in (2, 4):  # R_X86_64_PC32, R_X86_64_PLT32
        struct.pack_into("<i", image, at, target - at)
    elif kind == 24:  # R_X86_64_PC64
        struct.pack_into("<q", image, at, target - at)
    else:
        return False
    return True


_LOW_BITS = {277: 0, 278: 0, 284: 1, 285: 2, 286: 3, 299: 4}
"""Relocations of AArch64 with the twelve lowest bits of an address (ADD_ABS_LO12_NC, LDST8 to LDST128), and how far
they are shifted."""


def _relocate_aarch64(image: bytearray, at: int, target: int, kind: int) -> bool:
    if kind in (260, 261):  # R_AARCH64_PREL64, PREL32
        struct.pack_into("<q" if kind == 260 else "<i", image, at, target - at)
        return True
    (word,) = struct.unpack_from("<I", image, at)
    if kind in (282, 283):  # JUMP26, CALL26
        word |= (target - at >> 2) & 0x3FFFFFF
    elif kind == 275:  # ADR_PREL_PG_HI21: the piece begins at a page
        pages = target // _PAGE - at // _PAGE
        word |= (pages & 3) << 29 | (pages >> 2 & 0x7FFFF) << 5
    elif kind in _LOW_BITS:
        word |= (target % _PAGE >> _LOW_BITS[kind]) << 10
    else:
        return False
    struct.pack_into("<I", image, at, word)
    return True


_PROCESSORS = {
    62: _Processor(frozenset({4}), _relocate_x86_64, b"\xff\x25\0\0\0\0"),  # jmp *(rip)
    183: _Processor(
        frozenset({282, 283}), _relocate_aarch64, bytes.fromhex("5000005800021fd6")
    ),  # ldr x16; br x16
}
"""By the number that ELF has for them."""


def joined(objects: Sequence[bytes]) -> Joined:
    """One piece of all objects, which are for the same processor.

    Calls that leave it (LLVM writes some of `memset`) go through an address behind the code, set when it is loaded.
    """
    image, places, waiting = bytearray(), dict[str, int](), list[tuple[int, int, str, int]]()
    processor = _PROCESSORS[62]
    for content in objects:
        (number,) = struct.unpack_from("<H", content, 0x12)
        processor = _PROCESSORS[number]
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
                if place is None and kind in processor.calls:
                    waiting.append((at, addend, word, kind))
                elif place is None or not processor.relocate(image, at, place + addend, kind):
                    raise ValueError(f"compiled code cannot be linked: relocation {kind} of `{word}`")
    imports: dict[str, int] = {}
    for at, addend, word, kind in waiting:
        if word not in places:
            image += bytes(-len(image) % 16)
            places[word], imports[word] = len(image), len(image) + len(processor.jump)
            image += processor.jump + bytes(8)
        processor.relocate(image, at, places[word] + addend, kind)
    return places, imports, bytes(image)
