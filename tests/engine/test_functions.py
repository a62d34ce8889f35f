"""Elementary functions against mpmath, over their whole range, in every level and number of lanes."""

import ctypes
import functools

import mpmath
import numpy as np
import pytest

from wheelwork.engine.functions import FUNCTIONS, definitions
from wheelwork.engine.ir import Writer, symbol
from wheelwork.engine.machine_code import Code, object_code, packed

STATED = {
    **dict.fromkeys(["sin", "cos", "exp", "log", "pow", "atan", "asin", "acos", "hypot"], 1.0),
    **dict.fromkeys(["tan", "atan2", "expm1", "log1p"], 2.0),
    **dict.fromkeys(["sinh", "cosh", "tanh"], 3.0),
}
"""Largest error in units in the last place, as in the docstring of the module."""
EDGE = np.array(
    [
        *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 1.5, -1.5, np.inf, -np.inf, np.nan),
        *(5e-324, -5e-324, 1e308, -1e308, 2.0**53, 2.0**53 + 2, 1e-310, 710.0, -745.0),
    ]
)
SAME = {
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "pow": np.power,
}
"""Functions that NumPy calls by another name."""


def arguments(name: str) -> int:
    return FUNCTIONS[name].__code__.co_argcount - 1


@functools.cache
def compiled(name: str, lanes: int = 1, level: int = 2):
    """A function over arrays, whose length is a multiple of the lanes."""
    texts, declared = definitions({name}, lanes)
    w = Writer(lanes)
    T = w.double.text
    given = ["%x", "%y"][: arguments(name)]
    loop = [
        "define void @all(i64 %n, ptr %px, ptr %py, ptr %pz) {",
        "entry:",
        "br label %loop",
        "loop:",
        "%i = phi i64 [0, %entry], [%next, %loop]",
        *(f"%a{c} = getelementptr {T}, ptr %p{c}, i64 %i" for c in "xyz"),
        *(f"%{c} = load {T}, ptr %a{c}, align 8" for c in "xy"),
        f"%z = call {T} @{symbol(name, lanes)}({', '.join(f'{T} {v}' for v in given)})",
        f"store {T} %z, ptr %az, align 8",
        "%next = add i64 %i, 1",
        "%more = icmp slt i64 %next, %n",
        "br i1 %more, label %loop, label %end",
        "end:",
        "ret void",
        "}",
    ]
    code = Code(packed([object_code("\n".join([*sorted(declared), *texts, *loop]), level)]))
    pointer = ctypes.c_void_p
    call = ctypes.CFUNCTYPE(None, ctypes.c_int64, pointer, pointer, pointer)(code.address("all"))

    def run(x: np.ndarray, y: np.ndarray | None = None) -> np.ndarray:
        assert len(x) % lanes == 0
        x = np.ascontiguousarray(x, float)
        y = np.ascontiguousarray(x if y is None else y, float)
        z = np.empty_like(x)
        call(len(x) // lanes, x.ctypes.data, y.ctypes.data, z.ctypes.data)
        return z

    run.code = code  # type: ignore[attr-defined]
    return run


def spread(rng: np.random.Generator, low: float, high: float, count: int = 400) -> np.ndarray:
    """Of both signs, evenly by their logarithms (base 10)."""
    return 10 ** rng.uniform(low, high, count) * rng.choice([-1, 1], count)


def samples(name: str) -> tuple[np.ndarray, np.ndarray | None]:
    rng = np.random.default_rng(5)
    quarters = np.arange(1, 200) * (np.pi / 2)
    angles = [
        rng.uniform(-10, 10, 400),
        spread(rng, -300, 300),
        spread(rng, 0, 10),
        quarters,
        quarters * 2.0**40,
    ]
    exponents = [rng.uniform(-1, 1, 400), rng.uniform(-745, 709.7, 400), spread(rng, -20, 0)]
    hyperbolic = [*exponents[::2], rng.uniform(-709, 709, 400)]
    sides = [rng.uniform(-1, 1, 400), spread(rng, -300, 0)]
    plane = [spread(rng, -150, 150), rng.uniform(-1, 1, 400), spread(rng, -300, 300)]
    ranges = {
        **dict.fromkeys(["sin", "cos", "tan"], angles),
        **dict.fromkeys(["exp", "expm1"], exponents),
        **dict.fromkeys(["sinh", "cosh", "tanh"], hyperbolic),
        "log": [np.abs(spread(rng, -323, 308)), rng.uniform(0.5, 2, 400), 1 + spread(rng, -15, -1)],
        "log1p": [np.abs(spread(rng, -300, 300)), -rng.uniform(0, 1, 400), spread(rng, -20, -0.1)],
        "atan": [rng.uniform(-3, 3, 400), spread(rng, -300, 300)],
        **dict.fromkeys(["asin", "acos"], sides),
        "pow": [np.abs(spread(rng, -300, 300)), rng.uniform(0.1, 10, 400), rng.uniform(0.9, 1.1, 400)],
        **dict.fromkeys(["atan2", "hypot"], plane),
    }
    x = np.concatenate(ranges[name])
    if arguments(name) == 1:
        return x, None
    if name == "pow":
        return x, np.concatenate(
            [rng.uniform(-1, 1, 400), rng.uniform(-50, 50, 400), rng.uniform(-3000, 3000, 400)]
        )
    return x, np.concatenate([spread(rng, -150, 150), rng.uniform(-1, 1, 400), spread(rng, -300, 300)])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_error_is_what_is_stated(name):
    x, y = samples(name)
    found = compiled(name)(x, y)
    exact = getattr(mpmath, {"pow": "power"}.get(name, name))
    worst = 0.0
    with mpmath.workprec(300):
        for k, z in enumerate(found):
            true = exact(mpmath.mpf(x[k]), *([] if y is None else [mpmath.mpf(y[k])]))
            if not np.isfinite(float(true)):
                assert z == float(true), x[k]
                continue
            worst = max(worst, float(abs(mpmath.mpf(z) - true)) / np.spacing(abs(float(true))))
    assert worst <= STATED[name]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(("lanes", "level"), [(1, 0), (1, 2), (8, 2)])
def test_ends_of_the_range_are_those_of_the_standard(name, lanes, level):
    """Zero with its sign, infinity, what is not a number; NumPy has them from the system's library."""
    two = arguments(name) == 2
    x, y = (part.ravel() for part in np.meshgrid(EDGE, EDGE)) if two else (EDGE, None)
    found = compiled(name, lanes, level)(x, y)
    with np.errstate(all="ignore"):
        expected = SAME.get(name, getattr(np, name, None))(*((x, y) if two else (x,)))  # type: ignore[misc]
    np.testing.assert_allclose(found, expected, rtol=1e-15)
    zero = expected == 0
    np.testing.assert_array_equal(np.signbit(found[zero]), np.signbit(expected[zero]))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_level_and_number_of_lanes_gives_the_same_digits(name):
    x, y = samples(name)
    whole = len(x) // 8 * 8
    x, y = x[:whole], None if y is None else y[:whole]
    first = compiled(name, 1, 0)(x, y)
    for lanes, level in ((1, 2), (4, 2), (8, 2)):
        np.testing.assert_array_equal(compiled(name, lanes, level)(x, y), first)
