r"""Elementary functions written in LLVM's intermediate language, for any number of lanes and any processor.

Neither lanes nor graphics processors have a mathematical library to call, and those that processors have differ in
their last digits; these are the same everywhere. Arguments are reduced with sums and products of twice the precision
where it matters, then a polynomial or rational function does the rest. The coefficients are minimax fits published with
Sun's freely distributable library of 1993 [fdlibm], except those of `log`, which are a fit of ours, and of `pow`, which
are series. Errors in units in the last place (ulp), over the whole range of the arguments, tested in
``tests/engine/test_functions.py``:

=====================================  =====
`sin`, `cos`, `exp`, `log`, `pow`      1
`atan`, `asin`, `acos`, `hypot`        1
`tan`, `atan2`, `expm1`, `log1p`       2
`sinh`, `cosh`, `tanh`                 3
=====================================  =====

Zero, infinity and "not a number" give what the C standard says (annex F of C17).
"""

from __future__ import annotations

import math
from collections.abc import Callable

from .angle_reduction import HALF_PI, reduce_large_text, reduced
from .ir import Value, Writer, quick_sum, symbol, two_product, two_sum

SIN = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
COS = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""ln 2; the first has 33 bits, so that its product with an exponent is exact."""
LN2_REST = 1.1612227229362532e-26
EXP = (
    1.66666666666666019037e-01,
    -2.77777777770155933842e-03,
    6.61375632143793436117e-05,
    -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
)
LOG = (
    0.33333333333333454,
    -0.2499999999999892,
    0.1999999999994614,
    -0.16666666666914332,
    0.14285714293840657,
    -0.12499999982023974,
    0.11111110516090408,
    -0.10000000383063408,
    0.09090933504200219,
    -0.08333345765124131,
    0.07691714505569221,
    -0.07142000003344139,
    0.06675147827608889,
    -0.06269801615466641,
    0.05817783504650666,
    -0.05326777570807058,
    0.05415957586693545,
    -0.06275037896607719,
    0.05696879735948792,
    -0.02427628266913736,
)
"""(ln(1 + f) - f + f^2/2)/f^3 from sqrt(1/2) - 1 to sqrt(2) - 1, to 0.04 ulp of the logarithm. It is longer than Sun's,
which begins with a division that everything waits for."""
ATAN = (
    3.33333333333329318027e-01,
    -1.99999999998764832476e-01,
    1.42857142725034663711e-01,
    -1.11111104054623557880e-01,
    9.09088713343650656196e-02,
    -7.69187620504482999495e-02,
    6.66107313738753120669e-02,
    -5.83357013379057348645e-02,
    4.97687799461593236017e-02,
    -3.65315727442169155270e-02,
    1.62858201153657823623e-02,
)
ASIN_ABOVE = (
    1.66666666666666657415e-01,
    -3.25565818622400915405e-01,
    2.01212532134862925881e-01,
    -4.00555345006794114027e-02,
    7.91534994289814532176e-04,
    3.47933107596021167570e-05,
)
ASIN_BELOW = (
    1.0,
    -2.40339491173441421878e00,
    2.02094576023350569471e00,
    -6.88283971605453293030e-01,
    7.70381505559019352791e-02,
)


# -- angles


def _sin_near(w: Writer, x: Value, tail: Value) -> Value:
    z = x * x
    v = z * x
    r = w.polynomial(z, SIN[1:])
    return x - ((z * (0.5 * tail - v * r) - tail) - v * SIN[0])


def _cos_near(w: Writer, x: Value, tail: Value) -> Value:
    z = x * x
    half = 0.5 * z
    one = 1.0 - half
    return one + (((1.0 - one) - half) + (z * (z * w.polynomial(z, COS)) - x * tail))


def _sin_and_cos(w: Writer, x: Value) -> tuple[Value, Value]:
    quarters, high, low = reduced(w, x)
    s, c = _sin_near(w, high, low), _cos_near(w, high, low)

    def bit(number: Value) -> Value:
        return w.compare("ne", number & w.whole(2), w.whole(0))

    odd = w.compare("ne", quarters & w.whole(1), w.whole(0))
    sine, cosine = w.select(odd, c, s), w.select(odd, s, c)
    sine = w.select(bit(quarters), -sine, sine)
    return sine, w.select(bit(w.binary("add", quarters, w.whole(1))), -cosine, cosine)


def sin(w: Writer, x: Value) -> Value:
    # the smallest ones as they are, so that -0 stays -0 and no digits get lost below the normal range
    return w.select(w.absolute(x) < 2.0**-27, x, _sin_and_cos(w, x)[0])


def cos(w: Writer, x: Value) -> Value:
    return _sin_and_cos(w, x)[1]


def tan(w: Writer, x: Value) -> Value:
    sine, cosine = _sin_and_cos(w, x)
    return w.select(w.absolute(x) < 2.0**-27, x, sine / cosine)


# -- exponentials


def _power_of_two(w: Writer, k: Value) -> Value:
    """2^k for a k of 64 bits in the range of exponents."""
    return w.from_bits(w.shift("shl", w.binary("add", k, w.whole(1023)), 52))


def _scaled(w: Writer, y: Value, k: Value) -> Value:
    """y 2^k, in two steps, so that the result may lie at the ends of the range; k is a whole double."""
    whole = w.as_whole(k)
    half = w.shift("ashr", whole, 1)
    return y * _power_of_two(w, half) * _power_of_two(w, w.binary("sub", whole, half))


def _exponential(w: Writer, x: Value, tail: Value | None = None) -> tuple[Value, Value]:
    """e^(x + tail) = (1 + p) 2^k; returns p and k."""
    k = w.nearest(x * (1 / math.log(2)))
    high, low = w.fma(k, -LN2_HIGH, x), k * LN2_LOW
    if tail is not None:
        low = low - tail
    r = high - low
    z = r * r
    c = r - z * w.polynomial(z, EXP)
    return high - (low - r * c / (2.0 - c)), k


def _clamped(w: Writer, x: Value, bound: float) -> Value:
    """Within the bounds; what is not a number stays so."""
    return w.select(x > bound, bound, w.select(x < -bound, -bound, x))


def exp(w: Writer, x: Value) -> Value:
    p, k = _exponential(w, _clamped(w, x, 760.0))
    return _scaled(w, 1.0 + p, k)


def expm1(w: Writer, x: Value) -> Value:
    p, k = _exponential(w, _clamped(w, x, 760.0))
    # half of everything, so that 2^1024 does not arise on the way to a number that can be held
    half = _scaled(w, w.constant(0.5), _clamped(w, k, 1024.0))
    near = w.select(k.equals(0.0), p, 2.0 * (half * p + (half - 0.5)))
    return w.select(
        w.absolute(x) < 2.0**-54, x, w.select(x < -40.0, -1.0, w.select(x > 710.0, math.inf, near))
    )


def sinh(w: Writer, x: Value) -> Value:
    size = w.absolute(x)
    t = w.call("expm1", size)
    near = 0.5 * (t + t / (t + 1.0))
    e = w.call("exp", 0.5 * size)
    return w.intrinsic("copysign", w.select(size < 40.0, near, (0.5 * e) * e), x)


def cosh(w: Writer, x: Value) -> Value:
    size = w.absolute(x)
    e = w.call("exp", 0.5 * size)
    square = e * e
    return w.select(size < 40.0, 0.5 * square + 0.5 / square, (0.5 * e) * e)


def tanh(w: Writer, x: Value) -> Value:
    size = w.absolute(x)
    t = w.call("expm1", _clamped(w, 2.0 * size, 80.0))
    return w.intrinsic("copysign", t / (t + 2.0), x)


# -- logarithms


def _split(w: Writer, x: Value) -> tuple[Value, Value]:
    """x = m 2^k with m from sqrt(1/2) to sqrt(2); for positive, finite x."""
    tiny = x < 2.2250738585072014e-308
    bits = w.bits(w.select(tiny, x * 2.0**54, x))
    above = w.binary("sub", bits, w.bits(w.constant(math.sqrt(0.5))))
    k = w.shift("ashr", above, 52)
    m = w.from_bits(w.binary("sub", bits, w.shift("shl", k, 52)))
    return m, w.to_double(k) + w.select(tiny, -54.0, 0.0)


def log(w: Writer, x: Value) -> Value:
    m, k = _split(w, x)
    f = m - 1.0
    bent = w.fma(f, w.side_by_side(f, LOG), -0.5)
    near = w.fma(k, LN2_HIGH, f + w.fma(f * f, bent, k * LN2_LOW))
    return _log_ends(w, x, near)


def _log_ends(w: Writer, x: Value, near: Value) -> Value:
    positive = w.select(x > 0.0, w.select(x.equals(math.inf), math.inf, near), math.nan)
    return w.select(x.equals(0.0), -math.inf, positive)


def log1p(w: Writer, x: Value) -> Value:
    u = 1.0 + x
    near = w.call("log", u) + (x - (u - 1.0)) / u
    odd = (u.equals(math.inf) | (u <= 0.0)) | x.differs(x)
    return w.select(w.absolute(x) < 2.0**-54, x, w.select(odd, w.call("log", u), near))


def _long_log(w: Writer, x: Value) -> tuple[Value, Value]:
    """ln x to 65 bits, as a sum of two: 2 artanh s of s = (m - 1)/(m + 1), and the exponent times ln 2."""
    m, k = _split(w, x)
    f = m - 1.0
    d, d_low = quick_sum(w.constant(2.0), f)
    s = f / d
    s_low = (w.fma(-s, d, f) - s * d_low) / d
    z, z_low = two_product(w, s, s)
    z_low = w.fma(2.0 * s, s_low, z_low)
    # ln m = 2 s + s z (2/3 + z (2/5 + z (2/7 + ...)))
    q = w.polynomial(z, [2 / n for n in range(5, 31, 2)])
    p, p_low = two_product(w, z, q)
    p_low = w.fma(z_low, q, p_low)
    third = 2 / 3
    p, e = quick_sum(w.constant(third), p)
    p_low = p_low + e + 3.700743415417188e-17  # 2/3 less the double next to it
    c, c_low = two_product(w, s, z)
    c_low = c_low + w.fma(s, z_low, s_low * z)
    t, t_low = two_product(w, c, p)
    t_low = t_low + w.fma(c, p_low, c_low * p)
    high, low = quick_sum(2.0 * s, t)
    low = low + (2.0 * s_low + t_low)
    # k ln 2: the product with the first part is exact
    start = k * LN2_HIGH
    b, b_low = two_product(w, k, w.constant(LN2_LOW))
    b_low = w.fma(k, LN2_REST, b_low)
    total, e1 = two_sum(w, start, high)
    total, e2 = two_sum(w, total, b)
    return quick_sum(total, e1 + e2 + (low + b_low))


def power(w: Writer, x: Value, y: Value) -> Value:
    size = w.absolute(x)
    high, low = _long_log(w, size)
    a, a_low = two_product(w, high, y)
    a_low = w.fma(low, y, a_low)
    bounded = _clamped(w, a, 760.0)
    tail = w.select(bounded.equals(a), a_low, 0.0)
    p, k = _exponential(w, bounded, tail)
    near = _scaled(w, 1.0 + p, k)
    # numbers at the ends: what 0, infinity and 1 give
    rising = (y > 0.0) & (size > 1.0) | (y < 0.0) & (size < 1.0)
    ends = size.equals(0.0) | size.equals(math.inf) | w.absolute(y).equals(math.inf)
    near = w.select(ends, w.select(rising, math.inf, 0.0), near)
    near = w.select(size.equals(1.0), 1.0, near)
    whole = w.intrinsic("floor", y).equals(y)
    half = 0.5 * y
    odd = whole & w.intrinsic("floor", half).differs(half)
    minus = w.compare("slt", w.bits(x), w.whole(0))
    negative = minus & odd
    signed = w.select(negative, -near, near)
    unreal = (x < 0.0) & (size < math.inf) & w.inverse(whole)
    result = w.select(unreal, math.nan, signed)
    result = w.select(x.differs(x) | y.differs(y), math.nan, result)
    return w.select(y.equals(0.0) | x.equals(1.0), 1.0, result)


# -- inverse functions of angles


ATAN_STEPS = (
    # from, (a, b, c, d) of (a t + b)/(c t + d), the angle that this takes away, as a sum of two
    (0.4375, (2.0, -1.0, 1.0, 2.0), (4.63647609000806093515e-01, 2.26987774529616870924e-17)),  # atan 1/2
    (0.6875, (1.0, -1.0, 1.0, 1.0), (7.85398163397448278999e-01, 3.06161699786838301793e-17)),  # atan 1
    (1.1875, (1.0, -1.5, 1.5, 1.0), (9.82793723247329054082e-01, 1.39033110312309984516e-17)),  # atan 3/2
    (2.4375, (0.0, -1.0, 1.0, 0.0), (1.57079632679489655800e00, 6.12323399573676603587e-17)),  # pi/2
)


def _atan_near(w: Writer, t: Value) -> Value:
    """Of t >= 0: the tangent of the difference to one of four known angles is small."""
    chosen = [w.constant(v) for v in (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)]
    for lower, rational, angle in ATAN_STEPS:
        beyond = t >= lower
        chosen = [w.select(beyond, new, old) for new, old in zip((*rational, *angle), chosen, strict=True)]
    a, b, c, d, high, low = chosen
    x = w.select(t.equals(math.inf), 0.0, w.fma(a, t, b) / w.fma(c, t, d))
    z = x * x
    return high - ((x * (z * w.polynomial(z, ATAN)) - low) - x)


def atan(w: Writer, x: Value) -> Value:
    size = w.absolute(x)
    near = w.select(size < 2.0**-28, size, _atan_near(w, size))
    return w.intrinsic("copysign", near, x)


def atan2(w: Writer, y: Value, x: Value) -> Value:
    """The angle of (x, y), with what the division of the two leaves over put back."""
    up, along = w.absolute(y), w.absolute(x)
    # far from the ends of the range, where quotient and remainder are exact enough
    scale = _scale(w, up, along, 500)
    n, d = up * scale, along * scale
    t = n / d
    left = w.fma(-t, d, n) / d
    correction = left / w.fma(t, t, 1.0)
    usable = (t > 1e-150) & (t < 1e150)
    correction = w.select(usable, correction, 0.0)
    t = w.select(
        up.equals(math.inf) & along.equals(math.inf),
        1.0,
        w.select(up.equals(0.0) & along.equals(0.0), 0.0, t),
    )
    angle = w.select(t < 2.0**-28, t, _atan_near(w, t))
    right = angle + correction
    left_side = math.pi - ((angle - 1.2246467991473532e-16) + correction)
    minus = w.compare("slt", w.bits(x), w.whole(0))
    result = w.intrinsic("copysign", w.select(minus, left_side, right), y)
    return w.select(x.differs(x) | y.differs(y), math.nan, result)


def _asin_rational(w: Writer, z: Value) -> Value:
    return z * w.polynomial(z, ASIN_ABOVE) / w.polynomial(z, ASIN_BELOW)


def _asin_parts(w: Writer, x: Value) -> tuple[Value, Value, Value, Value, Value]:
    """|x|, the rational function, and for |x| >= 1/2 the root of (1 - |x|)/2: whole, its upper half, the rest of it."""
    size = w.absolute(x)
    z = w.select(size < 0.5, x * x, (1.0 - size) * 0.5)
    r = _asin_rational(w, z)
    s = w.intrinsic("sqrt", z)
    f = w.from_bits(w.bits(s) & w.whole(-(2**32)))
    rest = w.select(s.equals(0.0), 0.0, (z - f * f) / (s + f))
    return size, r, s, f, rest


HALF_PI_HIGH, HALF_PI_LOW = HALF_PI[0], HALF_PI[1]


def asin(w: Writer, x: Value) -> Value:
    size, r, s, f, c = _asin_parts(w, x)
    near = size + size * r
    p = 2.0 * s * r - (HALF_PI_LOW - 2.0 * c)
    q = 0.5 * HALF_PI_HIGH - 2.0 * f
    far = 0.5 * HALF_PI_HIGH - (p - q)
    result = w.select(size < 2.0**-27, size, w.select(size < 0.5, near, far))
    return w.intrinsic("copysign", w.select(size <= 1.0, result, math.nan), x)


def acos(w: Writer, x: Value) -> Value:
    size, r, s, f, c = _asin_parts(w, x)
    near = HALF_PI_HIGH - (x - (HALF_PI_LOW - x * r))
    right = 2.0 * (f + (r * s + c))
    left = 2.0 * (HALF_PI_HIGH - (s + (r * s - HALF_PI_LOW)))
    result = w.select(size < 0.5, near, w.select(x < 0.0, left, right))
    return w.select(size <= 1.0, result, math.nan)


def _scale(w: Writer, a: Value, b: Value, power: int) -> Value:
    """A power of two that brings large numbers, or numbers that are both small, to the middle of the range."""
    small = w.select((a < 1e-150) & (b < 1e-150), 2.0**power, 1.0)
    return w.select((a > 1e150) | (b > 1e150), 2.0**-power, small)


def hypot(w: Writer, x: Value, y: Value) -> Value:
    a, b = w.absolute(x), w.absolute(y)
    scale = _scale(w, a, b, 600)
    p, q = a * scale, b * scale
    size = w.intrinsic("sqrt", w.fma(p, p, q * q)) / scale
    return w.select(a.equals(math.inf) | b.equals(math.inf), math.inf, size)


def sincos(w: Writer, x: Value) -> tuple[Value, Value]:
    """Both of one angle, at hardly more than the price of one."""
    sine, cosine = _sin_and_cos(w, x)
    return w.select(w.absolute(x) < 2.0**-27, x, sine), cosine


def quick_sincos(w: Writer, x: Value) -> tuple[Value, Value]:
    """Both of one angle up to 2^50, with an error of 1e-16, for lanes: half as many instructions as `sincos`.

    pi/2 as a sum of two doubles leaves an error of n 1e-33 in the angle, and n is below 2^50. Beyond, an angle has no
    digits behind the point.
    """
    magic = w.constant(6755399441055744.0)  # 1.5 * 2^52: the unit of a sum's last place is 1
    shifted = w.fma(x, 2 / math.pi, magic)
    n = shifted - magic
    r = w.fma(n, -HALF_PI[1], w.fma(n, -HALF_PI[0], x))
    z = r * r
    sine = w.fma(z * r, w.horner(z, SIN), r)
    cosine = w.horner(z, (1.0, -0.5, *COS))
    quarters = w.bits(shifted)
    odd = w.compare("ne", quarters & w.whole(1), w.whole(0))

    def signed(value: Value, count: Value) -> Value:
        sign = w.shift("shl", count & w.whole(2), 62)
        return w.from_bits(w.binary("xor", w.bits(value), sign))

    one_more = w.binary("add", quarters, w.whole(1))
    return signed(w.select(odd, cosine, sine), quarters), signed(w.select(odd, sine, cosine), one_more)


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "sin": sin,
    "cos": cos,
    "tan": tan,
    "exp": exp,
    "expm1": expm1,
    "sinh": sinh,
    "cosh": cosh,
    "tanh": tanh,
    "log": log,
    "log1p": log1p,
    "pow": power,
    "atan": atan,
    "atan2": atan2,
    "asin": asin,
    "acos": acos,
    "hypot": hypot,
}


def definitions(called: set[str], lanes: int) -> tuple[list[str], set[str]]:
    """The text of these functions and of those that they call, and the declarations it needs."""
    texts: list[str] = []
    declared: set[str] = set()
    waiting, done = sorted(called), set(called)
    while waiting:
        name = waiting.pop()
        w = Writer(lanes)
        T = w.double.text
        if name == "sincos":
            pair = f"{{ {T}, {T} }}"
            results = sincos(w, Value("%a", w.double, w))
            first = w.line(f"insertvalue {pair} poison, {T} {results[0].text}, 0", w.double)
            result, kind = (
                w.line(f"insertvalue {pair} {first.text}, {T} {results[1].text}, 1", w.double),
                pair,
            )
            arguments = f"{T} %a"
        else:
            function = FUNCTIONS[name]
            names = ["%a", "%b"][: function.__code__.co_argcount - 1]
            result, kind = function(w, *(Value(n, w.double, w) for n in names)), T
            arguments = ", ".join(f"{T} {n}" for n in names)
        head = f"define internal {kind} @{symbol(name, lanes)}({arguments}) {{"
        texts.append("\n".join([head, *w.lines, f"ret {kind} {result.text}", "}"]))
        declared |= w.declared
        waiting += sorted(w.called - done)
        done |= w.called
    if "reduce_large" in declared:
        declared.remove("reduce_large")
        declared.add("declare double @llvm.fma.f64(double, double, double)")
        texts.append(reduce_large_text())
    return texts, declared
