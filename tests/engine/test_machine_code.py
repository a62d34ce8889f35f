"""Objects linked into one piece of code: it calls between them and out of itself, and its constants are where they are
read, whatever address it lies at."""

import ctypes
import struct

import pytest

from wheelwork.engine import machine_code
from wheelwork.engine.machine_code import Code, object_code, packed

ONE = """
declare double @twice(double)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @one(ptr %x, i64 %n) {
  %first = load double, ptr %x
  %both = call double @twice(double %first)
  call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 %n, i1 false)
  store double %both, ptr %x
  ret void
}
"""
OTHER = """
define double @twice(double %x) {
  %y = fmul double %x, 2.0
  %z = fadd double %y, 0x3FD5555555555555
  ret double %z
}
"""


@pytest.mark.parametrize("level", [0, 2])
def test_pieces_call_each_other_and_what_is_outside(level):
    content = packed([object_code(text, level) for text in (ONE, OTHER)])
    for code in (Code(content), Code(content)):  # the same bytes at two addresses
        x = (ctypes.c_double * 400)(*range(7, 407))
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_longlong)(code.address("one"))(x, ctypes.sizeof(x))
        assert x[0] == 2 * 7 + 1 / 3
        assert not any(x[1:])


@pytest.mark.skipif(not machine_code.LINKED, reason="LLVM links on this system")
def test_what_cannot_be_moved_is_refused():
    content = object_code(
        "@own = global double 1.0\ndefine double @f() {\n%x = load double, ptr @own\nret double %x\n}", 0
    )
    with pytest.raises(ValueError, match="own"):
        packed([content])
    assert struct.unpack_from("<H", content, 0x12) == (62,)  # x86-64, which the relocations are of
