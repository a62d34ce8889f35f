"""Angles less whole quarters of a turn, with what is left to twice the precision, in LLVM's intermediate language.

Small ones by a sum of three doubles for pi/2, large ones with whole numbers of 192 bits (Payne and Hanek).
"""

from __future__ import annotations

import functools
import math
import struct

from .ir import Value, Writer, quick_sum, two_product, two_sum

# pi/2 as a sum of three doubles: an angle less n of them keeps its digits
HALF_PI = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33)
LARGE = 2.0**30
"""Angles beyond this one are reduced with whole numbers of 192 bits."""


@functools.cache
def two_over_pi(bits: int) -> int:
    """floor(2^bits 2/pi), with Machin's formula for pi."""
    guard = bits + 64

    def arctangent_of_inverse(n: int) -> int:
        term = (1 << guard) // n
        total, k = term, 1
        while term:
            term //= n * n
            k += 2
            total += -term // k if k % 4 == 3 else term // k
        return total

    pi = 16 * arctangent_of_inverse(5) - 4 * arctangent_of_inverse(239)
    return (2 << (guard + bits)) // pi


def _table() -> str:
    """The first 1280 bits of 2/pi, 64 in a word."""
    whole = two_over_pi(1280)
    words = [(whole >> (1216 - 64 * k)) & (2**64 - 1) for k in range(20)]
    return f"[20 x i64] [{', '.join(f'i64 {word}' for word in words)}]"


def reduce_large_text() -> str:
    """An angle of any size less whole quarters of a turn, after Payne and Hanek.

    |x| = m 2^e with a whole m of 53 bits. Of the bits of 2/pi, those that make multiples of four quarters are left out;
    m times the next 192 gives the quarters and, with 190 bits behind the point, what is left of the last one.
    """
    half_pi = [f"0x{struct.unpack('<Q', struct.pack('<d', part))[0]:016X}" for part in HALF_PI]
    return f"""
@ww.two_over_pi = internal constant {_table()}

define internal {{ i64, double, double }} @ww.reduce_large(double %x) noinline {{
  %b = bitcast double %x to i64
  %size = and i64 %b, 9223372036854775807
  %biased = lshr i64 %size, 52
  %fraction = and i64 %size, 4503599627370495
  %m = or i64 %fraction, 4503599627370496
  %e = sub i64 %biased, 1075
  %e2 = sub i64 %e, 2
  %dropping = icmp sgt i64 %e2, 0
  %p0 = select i1 %dropping, i64 %e2, i64 0
  %finite = icmp slt i64 %biased, 2047
  %p = select i1 %finite, i64 %p0, i64 0
  %missing0 = sub i64 0, %e2
  %missing = select i1 %dropping, i64 0, i64 %missing0
  %word = lshr i64 %p, 6
  %within = and i64 %p, 63
  %a0 = getelementptr i64, ptr @ww.two_over_pi, i64 %word
  %a1 = getelementptr i64, ptr %a0, i64 1
  %a2 = getelementptr i64, ptr %a0, i64 2
  %a3 = getelementptr i64, ptr %a0, i64 3
  %l0 = load i64, ptr %a0
  %l1 = load i64, ptr %a1
  %l2 = load i64, ptr %a2
  %l3 = load i64, ptr %a3
  ; the window: three words, the highest first
  %w0 = call i64 @llvm.fshl.i64(i64 %l0, i64 %l1, i64 %within)
  %w1 = call i64 @llvm.fshl.i64(i64 %l1, i64 %l2, i64 %within)
  %w2 = call i64 @llvm.fshl.i64(i64 %l2, i64 %l3, i64 %within)
  ; its product with m: four words, each sum with what the one below carries over
  %m128 = zext i64 %m to i128
  %w2w = zext i64 %w2 to i128
  %p2 = mul i128 %w2w, %m128
  %r2 = trunc i128 %p2 to i64
  %p2h = lshr i128 %p2, 64
  %w1w = zext i64 %w1 to i128
  %p1 = mul i128 %w1w, %m128
  %p1c = add i128 %p1, %p2h
  %r1 = trunc i128 %p1c to i64
  %p1h = lshr i128 %p1c, 64
  %w0w = zext i64 %w0 to i128
  %p0w = mul i128 %w0w, %m128
  %p0c = add i128 %p0w, %p1h
  %r0 = trunc i128 %p0c to i64
  %p0h = lshr i128 %p0c, 64
  %rh = trunc i128 %p0h to i64
  %t0 = call i64 @llvm.fshr.i64(i64 %rh, i64 %r0, i64 %missing)
  %t1 = call i64 @llvm.fshr.i64(i64 %r0, i64 %r1, i64 %missing)
  %t2 = call i64 @llvm.fshr.i64(i64 %r1, i64 %r2, i64 %missing)
  ; two bits of quarters, 190 behind the point: to the nearest quarter, and what is left over, as a size with a sign
  %rounded = add i64 %t0, 2305843009213693952
  %q = lshr i64 %rounded, 62
  %q62 = shl i64 %q, 62
  %f0 = sub i64 %t0, %q62
  %negative = icmp slt i64 %f0, 0
  %mask = ashr i64 %f0, 63
  %b0 = xor i64 %f0, %mask
  %b1 = xor i64 %t1, %mask
  %b2 = xor i64 %t2, %mask
  ; its 117 leading bits: 53 in `high`, 64 in `low`
  %small = icmp eq i64 %b0, 0
  %c0 = select i1 %small, i64 %b1, i64 %b0
  %c1 = select i1 %small, i64 %b2, i64 %b1
  %c2 = select i1 %small, i64 0, i64 %b2
  %zeros = call i64 @llvm.ctlz.i64(i64 %c0, i1 false)
  %top = call i64 @llvm.fshl.i64(i64 %c0, i64 %c1, i64 %zeros)
  %next = call i64 @llvm.fshl.i64(i64 %c1, i64 %c2, i64 %zeros)
  %skipped = select i1 %small, i64 64, i64 0
  %lz = add i64 %zeros, %skipped
  %high = and i64 %top, -2048
  %low11 = and i64 %top, 2047
  %low53 = shl i64 %low11, 53
  %next53 = lshr i64 %next, 11
  %low = or i64 %low53, %next53
  %hd = uitofp i64 %high to double
  %ld = uitofp i64 %low to double
  ; what is left over is top 2^(-62 - lz)
  %exponent = sub i64 961, %lz
  %exponent52 = shl i64 %exponent, 52
  %scale = bitcast i64 %exponent52 to double
  %h = fmul double %hd, %scale
  %l0d = fmul double %ld, %scale
  %l = fmul double %l0d, 0x3CA0000000000000
  %ph = fmul double %h, {half_pi[0]}
  %phn = fneg double %ph
  %pe = call double @llvm.fma.f64(double %h, double {half_pi[0]}, double %phn)
  %k1 = fmul double %h, {half_pi[1]}
  %k2 = call double @llvm.fma.f64(double %l, double {half_pi[0]}, double %k1)
  %pl = fadd double %pe, %k2
  %hi = fadd double %ph, %pl
  %back = fsub double %hi, %ph
  %lo = fsub double %pl, %back
  %below = icmp slt i64 %b, 0
  %flip = xor i1 %below, %negative
  %nhi = fneg double %hi
  %nlo = fneg double %lo
  %fhi = select i1 %flip, double %nhi, double %hi
  %flo = select i1 %flip, double %nlo, double %lo
  %nq = sub i64 0, %q
  %fq = select i1 %below, i64 %nq, i64 %q
  %rhi = select i1 %finite, double %fhi, double 0x7FF8000000000000
  %i0 = insertvalue {{ i64, double, double }} poison, i64 %fq, 0
  %i1 = insertvalue {{ i64, double, double }} %i0, double %rhi, 1
  %i2 = insertvalue {{ i64, double, double }} %i1, double %flo, 2
  ret {{ i64, double, double }} %i2
}}
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
"""


def reduced(w: Writer, x: Value) -> tuple[Value, Value, Value]:
    """Quarters of a turn (their last bits count), and what is left of the angle, as a sum of two."""
    n = w.nearest(x * (2 / math.pi))
    first = w.fma(n, -HALF_PI[0], x)  # exact
    p, e = two_product(w, n, w.constant(HALF_PI[1]))
    high, low = two_sum(w, first, -p)
    low = w.fma(n, -HALF_PI[2], low - e)
    high, low = quick_sum(high, low)
    quarters = w.as_whole(n)
    return _where_large(w, x, (quarters, high, low))


def _where_large(w: Writer, x: Value, near: tuple[Value, Value, Value]) -> tuple[Value, Value, Value]:
    """The same with large angles done one by one; where there is none, a jump leads past that."""
    large = w.absolute(x) > LARGE
    w.declared.add("reduce_large")
    here, cold, joined = (f"{part}{len(w.lines)}" for part in ("here", "cold", "joined"))
    some = large
    if w.lanes > 1:
        name = f"llvm.vector.reduce.or.v{w.lanes}i1"
        w.declared.add(f"declare i1 @{name}({large.kind.text})")
        some = w.line(f"call i1 @{name}({large.kind.text} {large.text})", large.kind)
    w.lines += [
        f"br label %{here}",
        f"{here}:",
        f"br i1 {some.text}, label %{cold}, label %{joined}",
        f"{cold}:",
    ]
    lane = "{ i64, double, double }"
    if w.lanes == 1:
        found = w.line(f"call {lane} @ww.reduce_large(double {x.text})", w.double)
        far = [w.line(f"extractvalue {lane} {found.text}, {k}", v.kind) for k, v in enumerate(near)]
    else:
        far = list(near)
        for j in range(w.lanes):
            one = w.line(f"extractelement {x.kind.text} {x.text}, i32 {j}", w.double)
            its = w.line(f"extractelement {large.kind.text} {large.text}, i32 {j}", w.bit)
            found = w.line(f"call {lane} @ww.reduce_large(double {one.text})", w.double)
            for k, v in enumerate(far):
                kind = v.kind.name
                old = w.line(f"extractelement {v.kind.text} {v.text}, i32 {j}", v.kind)
                new = w.line(f"extractvalue {lane} {found.text}, {k}", v.kind)
                chosen = w.line(f"select i1 {its.text}, {kind} {new.text}, {kind} {old.text}", v.kind)
                far[k] = w.line(
                    f"insertelement {v.kind.text} {v.text}, {kind} {chosen.text}, i32 {j}", v.kind
                )
    w.lines += [f"br label %{joined}", f"{joined}:"]
    phis = [
        w.line(f"phi {a.kind.text} [ {a.text}, %{here} ], [ {b.text}, %{cold} ]", a.kind)
        for a, b in zip(near, far, strict=True)
    ]
    return phis[0], phis[1], phis[2]
