"""Code at once and better code soon after: what is exchanged, when, and that nobody sees it in the numbers."""

import ctypes
import gc
import threading

import casadi as ca
import numpy as np
import pytest
from processes import python, until

import wheelwork as ww
from wheelwork import examples
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.description import flatten
from wheelwork.engine import code
from wheelwork.engine.code import BETTER, kernels
from wheelwork.engine.engine import Engine, RunOptions
from wheelwork.system.build import build


def function(name: str = "made", factor: float = 3.0) -> ca.Function:
    x = ca.SX.sym("x")
    return ca.Function(name, [x], [factor * ca.sin(x) + x * x])


def called(address: int, x: float) -> float:
    out = np.zeros(1)
    inputs, outputs = ((ctypes.c_void_p * 1)(a.ctypes.data) for a in (np.array([x]), out))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)(inputs, outputs)
    return out[0]


def test_better_code_takes_the_place_of_the_first(fresh_cache):
    made = kernels([function()])
    addresses = made.addresses(["made", "", "made"])
    first = addresses.copy()
    assert made.level == 0
    assert addresses[1] == 0
    made.improve(threading.Event())
    assert made.level == BETTER
    assert addresses[0] == addresses[2] != first[0]
    assert addresses[1] == 0
    for x in (0.1, 2.0, -40.0):
        assert called(int(first[0]), x) == called(int(addresses[0]), x)


def test_better_code_is_found_by_the_next_process(fresh_cache):
    made = kernels([function()])
    made.improve(threading.Event())
    code._known.clear()
    assert kernels([function()]).level == BETTER


@pytest.mark.slow
def test_the_same_functions_share_their_code_while_somebody_uses_it(fresh_cache):
    made = kernels([function()])
    assert kernels([function()]) is made
    assert kernels([function(factor=4.0)]) is not made
    del made
    gc.collect()
    assert not code._known


def test_a_thread_makes_better_code_of_what_is_used(fresh_cache, monkeypatch, order_better_code):
    monkeypatch.setattr(code, "PAUSE", 0.0)
    monkeypatch.setattr(code._Workshop, "order", order_better_code)
    made = kernels([function("wanted")])
    until(lambda: made.level == BETTER, "better code")


def test_making_better_code_can_be_stopped(fresh_cache):
    made = kernels([function()])
    stop = threading.Event()
    stop.set()
    made.improve(stop)
    assert made.level == 0


@pytest.mark.slow
def test_a_run_is_the_same_whatever_code_it_uses(fresh_cache):
    """To the last digit, also when the code changes in the middle of the run."""
    m = ww.Mechanism("pendulum")
    m.add("bob", ww.Body(mass=1, inertia=(0.01, 0.02, 0.015), position=(0.5, 0, 0)))
    m.add("hinge", ww.Spherical(bodies=("ground", "bob"), point=(0, 0, 0)))
    m.add("push", ww.Force(body="bob", value=("sin(3*t)", "bob.velocity.z^2", "exp(-t)")))
    program = build(flatten(m))
    engine = Engine(program, program.numbers())
    changed = []

    def improve(t: float, _: int) -> bool:
        if t > 0 and engine.code.level < BETTER:
            engine.code.improve(threading.Event())
            changed.append(t)
        return False

    def run(progress=None) -> np.ndarray:
        options = RunOptions(end=1.0, method="rk4", step=1e-5)
        return engine.integrate(engine.numbers.state, np.linspace(0, 1, 11), options, progress).state

    first, middle, better = run(), run(improve), run()
    assert 0 < changed[0] < 1
    np.testing.assert_array_equal(first, middle)
    np.testing.assert_array_equal(first, better)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "end"), [("planetary-contact", 0.02), ("delta-robot", 0.3), ("stick-slip", 2.0)]
)
def test_so_are_runs_of_whole_machines(fresh_cache, name, end):
    """Which the tests run with the code that is there at once; users, with the better one."""
    at = assembled(prepare(ww.load(examples.path(name))), 0.0)
    engine, grid = at.prepared.engine, np.linspace(0, end, 5)
    assert engine.code.level == 0
    first = engine.integrate(at.state, grid, RunOptions(end=end))
    engine.code.improve(threading.Event())
    assert engine.code.level == BETTER
    better = engine.integrate(at.state, grid, RunOptions(end=end))
    np.testing.assert_array_equal(first.state, better.state)
    assert first.report.steps == better.report.steps > 10


@pytest.mark.slow
def test_a_process_that_ends_early_does_not_wait_for_better_code(fresh_cache):
    text = (
        "import casadi as ca\n"
        "from wheelwork.engine import code\n"
        "code.PAUSE = 0.0\n"
        "x = ca.SX.sym('x', 4)\n"
        "made = [code.kernels([ca.Function(f'f{k}', [x], [ca.sin(x * k)])]) for k in range(40)]\n"
        "print('done')\n"
    )
    done = python("-c", text)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
