"""Emitted code against CasADi's own evaluation of the same function."""

import ctypes
import os
from fractions import Fraction

import casadi as ca
import numpy as np
import pytest
from processes import printed

from wheelwork.engine import tape
from wheelwork.engine.machine_code import Code, object_code, packed
from wheelwork.engine.tape import BINARY as BINARY_RULES
from wheelwork.engine.tape import CALLS, Tape, emit
from wheelwork.engine.tape import UNARY as UNARY_RULES

ROUND_OFF = 8 * np.finfo(float).eps
"""Elementary functions are good to an ulp or three, in CasADi's build as in ours; products and sums may be fused."""

BINARY = {
    ca.OP_ADD: lambda x, y: x + y,
    ca.OP_SUB: lambda x, y: x - y,
    ca.OP_MUL: lambda x, y: x * y,
    ca.OP_DIV: lambda x, y: x / y,
    ca.OP_POW: lambda x, y: ca.fabs(x) ** y,
    ca.OP_CONSTPOW: lambda x, y: ca.fabs(x) ** 2.3,
    ca.OP_LT: lambda x, y: x < y,
    ca.OP_LE: lambda x, y: x <= y,
    ca.OP_EQ: lambda x, y: ca.floor(x) == ca.floor(y),
    ca.OP_NE: lambda x, y: ca.floor(x) != ca.floor(y),
    ca.OP_AND: lambda x, y: ca.logic_and(x > 0, y > 0),
    ca.OP_OR: lambda x, y: ca.logic_or(x > 0, y > 0),
    ca.OP_COPYSIGN: lambda x, y: ca.copysign(x, y),
    ca.OP_FMIN: lambda x, y: ca.fmin(x, y),
    ca.OP_FMAX: lambda x, y: ca.fmax(x, y),
    ca.OP_ATAN2: lambda x, y: ca.atan2(x, y),
    ca.OP_HYPOT: lambda x, y: ca.hypot(x, y),
    ca.OP_IF_ELSE_ZERO: lambda x, y: ca.if_else(x > 0, y, 0),
}
UNARY = {
    ca.OP_NEG: lambda x: -x,
    ca.OP_EXP: ca.exp,
    ca.OP_LOG: lambda x: ca.log(ca.fabs(x)),
    ca.OP_SQRT: lambda x: ca.sqrt(ca.fabs(x)),
    ca.OP_SQ: lambda x: x**2,
    ca.OP_TWICE: lambda x: 2 * x,
    ca.OP_SIN: ca.sin,
    ca.OP_COS: ca.cos,
    ca.OP_TAN: ca.tan,
    ca.OP_ASIN: lambda x: ca.asin(ca.sin(x)),
    ca.OP_ACOS: lambda x: ca.acos(ca.sin(x)),
    ca.OP_ATAN: ca.atan,
    ca.OP_SINH: ca.sinh,
    ca.OP_COSH: ca.cosh,
    ca.OP_TANH: ca.tanh,
    ca.OP_FLOOR: ca.floor,
    ca.OP_CEIL: ca.ceil,
    ca.OP_FABS: ca.fabs,
    ca.OP_SIGN: ca.sign,
    ca.OP_NOT: lambda x: ca.logic_not(x > 0),
    ca.OP_INV: lambda x: 1 / x,
    ca.OP_LOG1P: lambda x: ca.log1p(ca.fabs(x)),
    ca.OP_EXPM1: ca.expm1,
}
ASSIGN = {ca.OP_ASSIGN}
"""In the emitter's table, but CasADi's SX tapes have no copies: values are reused."""


def operations(function: ca.Function) -> set[int]:
    return {function.instruction_id(k) for k in range(function.n_instructions())}


def compiled(function: ca.Function, lanes: int = 1, level: int = 0):
    """The function through the emitter and LLVM, as a Python function of arrays.

    Like the runtime, it hands over filled memory: only entries that are not structurally zero are written. Every lane
    gets the same numbers; the first one is returned.
    """
    code = Code(packed([object_code(emit([function], lanes), level)]))
    pointers = ctypes.POINTER(ctypes.c_void_p)
    call = ctypes.CFUNCTYPE(None, pointers, pointers)(code.address(function.name()))

    def addresses(arrays: list[np.ndarray]):
        return (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))

    def run(*inputs: np.ndarray, fill: float = 0.0) -> list[np.ndarray]:
        given = [np.repeat(np.ascontiguousarray(x, float), lanes) for x in inputs]
        outputs = [np.full(lanes * function.numel_out(k), fill) for k in range(function.n_out())]
        call(addresses(given), addresses(outputs))
        for out in outputs:
            np.testing.assert_array_equal(out.reshape(-1, lanes).T, [out[::lanes]] * lanes)
        return [out[::lanes].reshape(function.size_out(k), order="F") for k, out in enumerate(outputs)]

    run.code = code  # type: ignore[attr-defined]
    return run


def test_every_operation_of_the_tables():
    """One output for each operation, so that an error names it; the tape is checked to have it."""
    x, y = ca.SX.sym("x"), ca.SX.sym("y")
    assert set(BINARY) == set(BINARY_RULES)
    assert set(UNARY) | ASSIGN == set(UNARY_RULES) | set(CALLS)
    made = {op: make(x, y) for op, make in BINARY.items()} | {op: make(x) for op, make in UNARY.items()}
    for op, expression in made.items():
        assert op in operations(ca.Function("one", [x, y], [expression])), (op, expression)
    function = ca.Function("every_operation", [x, y], [ca.vertcat(*made.values())])
    rng = np.random.default_rng(0)
    points = [[np.array([a]), np.array([b])] for a, b in rng.uniform(-3, 3, size=(40, 2))]
    points += [[np.array([a]), np.array([b])] for a in (-1.0, 0.5, 1.0, 2.0) for b in (-1.0, 0.5, 1.0)]
    ours = compiled(function)
    for point in points:
        (mine,), theirs = ours(*point), np.array(function(*point)).ravel()
        for op, a, b in zip(made, mine.ravel(), theirs, strict=True):
            assert a == pytest.approx(b, rel=ROUND_OFF, abs=ROUND_OFF), (made[op], point)


@pytest.mark.parametrize("value", [0.0, -0.0, np.inf, -np.inf, np.nan])
def test_numbers_at_the_edge_are_what_casadi_makes_of_them(value):
    """A number that is not finite must stay so: runs are stopped where it appears."""
    x, y = ca.SX.sym("x"), ca.SX.sym("y")
    made = [make(x, y) for make in BINARY.values()] + [make(x) for make in UNARY.values()]
    made.append(ca.sign(x))
    function = ca.Function("every_operation_at_the_edge", [x, y], [ca.vertcat(*made)])
    (mine,), theirs = compiled(function)(np.array([value]), np.array([0.5])), function(value, 0.5)
    np.testing.assert_array_equal(mine.ravel(), np.array(theirs).ravel())


@pytest.mark.parametrize("constant", [np.inf, -np.inf, np.nan, 0.1, 1e-300, -0.0, 1e22, 12345678.9])
def test_constants_are_exact(constant):
    x = ca.SX.sym("x")
    function = ca.Function("constant", [x], [ca.fmax(x, 0) + ca.SX(constant), ca.SX(constant)])
    sums, alone = compiled(function)(np.zeros(1))
    np.testing.assert_array_equal(sums, constant)
    np.testing.assert_array_equal(alone, constant)


def random_expressions(rng: np.random.Generator, count: int, inputs: list[ca.SX]) -> list[ca.SX]:
    """A long tape in which each value uses earlier ones, far back too; values stay of size 1."""
    tame = [
        ca.OP_ADD,
        ca.OP_SUB,
        ca.OP_MUL,
        ca.OP_FMIN,
        ca.OP_FMAX,
        ca.OP_ATAN2,
        ca.OP_HYPOT,
        ca.OP_IF_ELSE_ZERO,
    ]
    smooth = [ca.OP_SIN, ca.OP_COS, ca.OP_TANH, ca.OP_ATAN, ca.OP_NEG, ca.OP_SQ, ca.OP_FABS]
    values = list(inputs)
    while len(values) < count:
        if rng.random() < 0.6:
            a, b = (values[k] for k in rng.integers(len(values), size=2))
            new = BINARY[tame[rng.integers(len(tame))]](a, b)
        else:
            new = UNARY[smooth[rng.integers(len(smooth))]](values[rng.integers(len(values))])
        values.append(ca.sin(new))
    return values


def random_function(name: str, count: int, seed: int = 1) -> ca.Function:
    x, y = ca.SX.sym("x", 3), ca.SX.sym("y", 2, 2)
    rng = np.random.default_rng(seed)
    values = random_expressions(rng, count, [*ca.vertsplit(x), *ca.vertsplit(ca.vec(y))])
    matrix = ca.SX(3, 3)
    for k, (i, j) in enumerate([(0, 0), (2, 0), (1, 1), (0, 2), (2, 2)]):
        matrix[i, j] = values[-1 - k]
    # every value reaches an output, so that nothing is dropped
    return ca.Function(name, [x, y], [ca.sum1(ca.vertcat(*values)), matrix, values[len(values) // 2]])


def random_points(count: int = 10) -> list[list[np.ndarray]]:
    rng = np.random.default_rng(2)
    return [[rng.uniform(-1, 1, size=3), rng.uniform(-1, 1, size=4)] for _ in range(count)]


def evaluated(function: ca.Function, point: list[np.ndarray]) -> list[np.ndarray]:
    return [
        np.array(part) for part in function.call([ca.DM(point[0]), ca.DM(point[1].reshape(2, 2, order="F"))])
    ]


@pytest.mark.parametrize("seed", range(3))
def test_random_functions(seed):
    """Round-off grows along a tape that feeds on itself; sin() at each step keeps it from growing exponentially."""
    function = random_function(f"random_{seed}", 200, seed)
    ours = compiled(function)
    for point in random_points():
        for mine, theirs in zip(ours(*point), evaluated(function, point), strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-12)


def test_sparse_outputs_are_written_where_they_belong():
    """By columns, with the places that are structurally zero left alone."""
    function = random_function("sparse", 30)
    point = random_points(1)[0]
    matrix = compiled(function)(*point, fill=7.0)[1]
    assert function.nnz_out(1) == 5
    expected = evaluated(function, point)[1]
    expected[[1, 0, 1, 2], [0, 1, 2, 1]] = 7.0
    np.testing.assert_allclose(matrix, expected, rtol=0, atol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("longest", [1, 7, 100])
def test_a_function_cut_into_pieces_is_the_same_function(longest, monkeypatch):
    function = random_function(f"cut_{longest}", 120)
    whole = compiled(function)
    monkeypatch.setattr(tape, "LONGEST", longest)
    assert emit([function]).count("noinline") > 1
    for lanes in (1, 4):
        cut = compiled(function, lanes)
        for point in random_points(5):
            for mine, theirs in zip(cut(*point), whole(*point), strict=True):
                np.testing.assert_array_equal(mine, theirs)


@pytest.mark.slow
def test_a_long_function_is_cut():
    function = random_function("lengthy", 2500)
    assert function.n_instructions() > tape.LONGEST
    assert "@lengthy.1(" in emit([function])
    ours = compiled(function)
    for point in random_points(3):
        for mine, theirs in zip(ours(*point), evaluated(function, point), strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-11)


@pytest.mark.slow
def test_every_level_and_number_of_lanes_gives_the_same_digits():
    """Sums and products are fused by our own rule; a compiler's choice would depend on both."""
    function = random_function("digits", 300)
    assert "llvm.fma" in emit([function])
    first = compiled(function, 1, 0)
    for lanes, level in ((1, 1), (1, 2), (4, 2), (8, 2)):
        other = compiled(function, lanes, level)
        for point in random_points(5):
            for mine, theirs in zip(other(*point), first(*point), strict=True):
                np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("second", [True, False])
def test_a_product_in_a_sum_is_rounded_once(sign, second):
    x = ca.SX.sym("x", 3)
    product = x[0] * x[1]
    function = ca.Function("fused", [x], [x[2] + sign * product if second else product + sign * x[2]])
    a = 1 + 2.0**-30
    (found,) = compiled(function)(np.array([a, a, -1.0]))
    square, one = Fraction(a) ** 2, Fraction(-1)
    assert found.item() == float(one + sign * square if second else square + sign * one)
    assert (found.item() == a * a - 1) is False


def test_several_functions_in_one_module():
    a, b = random_function("first", 20, 1), random_function("second", 20, 2)
    code = Code(packed([object_code(emit([a, b]), 0)]))
    assert code.address("first") != code.address("second") != 0


def test_an_operation_without_code_is_refused_by_name():
    x = ca.SX.sym("x")
    function = ca.Function("odd", [x], [ca.remainder(x, 2)])
    with pytest.raises(NotImplementedError, match="odd"):
        emit([function])


PRINT_TEXT = """
import hashlib, wheelwork as ww
from wheelwork.system.build import build
from wheelwork.engine.tape import emit
from wheelwork.engine.engine import kernel_groups
from wheelwork.description import flatten
m = ww.Mechanism("m", parameters={"k": 2.0, "c": 1.0})
m.add("one", ww.Body(mass=1, inertia=(1, 1, 1)))
m.add("two", ww.Body(mass=1, inertia=(1, 1, 1), position=(1, 0, 0)))
m.add("pin", ww.Revolute(bodies=("ground", "one"), point=(0, 0, 0), axis=(0, 1, 0)))
m.add("slide", ww.Cylindrical(bodies=("one", "two"), point=(0, 0, 0), axis=(0, 1, 0)))
m.add("f", ww.Force(body="one", value=("k*sin(t)", "-c*two.velocity.x + pin.angle*k", "slide.speed*slide.w")))
m.add("rub", ww.Friction(joint="pin", viscous=0.1, coulomb=1))
m.add("drive", ww.JointDriver(joint="slide", coordinate="angle", value="k*t + c*t^2"))
groups = kernel_groups(build(flatten(m)), True)
text = [emit(group) for group in groups] + [function.serialize() for group in groups for function in group]
print(len(text), hashlib.sha256("".join(text).encode()).hexdigest())
"""


@pytest.mark.slow
def test_the_text_is_the_same_in_every_process():
    """The cache goes by content: names made of memory addresses or hash seeds would compile anew each time."""
    texts = set()
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        texts.add(printed("-c", PRINT_TEXT, env=environment))
    assert len(texts) == 1


@pytest.mark.slow
@pytest.mark.parametrize("lanes", [1, 4])
def test_what_a_condition_needs_alone_is_skipped_where_it_does_not_hold(lanes):
    """Selections with one condition, also one that takes another, and a value that is wanted outside as well."""
    x = ca.SX.sym("x", 3)
    holds = x[0] > 0
    shared = ca.sin(x[1])
    a = ca.if_else(holds, ca.log(ca.fabs(x[1])) * ca.exp(x[2]) + shared, 0)
    b = ca.if_else(holds, ca.cos(x[1]) * ca.exp(x[2]), 0)
    c = 2 * a + ca.if_else(holds, ca.log(a * a + 1) * ca.exp(a), 0)
    f = ca.Function("f", [x], [ca.vertcat(a, b, c, shared)])
    made = Tape.of(f)
    (guard,) = made.guards.values()
    assert len(guard.selections) == 3
    logarithms = [k for k, op in enumerate(made.operations) if op == ca.OP_LOG]
    sines = [k for k, op in enumerate(made.operations) if op == ca.OP_SIN]
    assert set(logarithms) < set(guard.written)
    assert not set(sines) & set(guard.written)
    at = np.random.default_rng(1).uniform(0.5, 2.0, (3, lanes))
    for signs in ([1.0] * lanes, [-1.0] * lanes, [1.0, -1.0, -1.0, 1.0][:lanes]):
        at[0] = signs
        for level in (0, 2):
            code, out = Code(packed([object_code(emit([f], lanes), level)])), np.full((4, lanes), np.nan)
            pointer = ctypes.c_void_p
            call = ctypes.CFUNCTYPE(None, pointer, pointer)(code.address("f"))
            call((pointer * 1)(at.ctypes.data), (pointer * 1)(out.ctypes.data))
            for j in range(lanes):
                assert out[:, j] == pytest.approx(np.array(f(at[:, j])).ravel(), rel=1e-14, abs=0)


def test_what_cannot_be_together_is_not_guarded():
    """A selection that takes another one through something outside, which stands between the two."""
    x = ca.SX.sym("x", 2)
    holds = x[0] > 0
    a = ca.if_else(holds, ca.exp(x[1]) * ca.log(x[1]) * ca.sin(x[1]) * ca.cos(x[1]), 0)
    b = a + 1
    c = ca.if_else(holds, ca.log(b) * ca.exp(b), 0)
    made = Tape.of(ca.Function("f", [x], [b, c]))
    place = {k: n for n, k in enumerate(made.written)}
    assert all(place[s] < place[k] for k in made.written for s in made.sources[k])
    assert not made.guards
