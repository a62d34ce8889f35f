"""Signals during runs: what their handlers raise comes out, and a request to terminate ends the program."""

import os
import signal
import sys
import threading
import time

import numpy as np
import pytest
from processes import python

import wheelwork as ww
from wheelwork import examples
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.engine.options import RunOptions

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of Unix")


class TooLate(Exception):
    """What a user's handler raises."""


@pytest.fixture
def alarm():
    """Handlers that raise; they are taken away afterwards."""
    before = {}

    def in_time(seconds: float, number: signal.Signals = signal.SIGALRM) -> None:
        def handler(*_: object) -> None:
            raise TooLate

        before[number] = signal.signal(number, handler)
        timer = threading.Timer(seconds, os.kill, [os.getpid(), number])
        timer.start()

    yield in_time
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", ["SIGALRM", "SIGTERM", "SIGINT"])
@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 1e-3}, {"method": "sdirk4", "rtol": 1e-6}])
def test_what_a_handler_raises_comes_out_of_a_run(alarm, number, options):
    m = ww.load(examples.path("double-pendulum"))
    m.simulate(end=0.01, output=5, progress=False, **options)
    hook = sys.unraisablehook
    alarm(0.2, getattr(signal, number))
    began = time.monotonic()
    with pytest.raises(TooLate):
        m.simulate(end=1e5, output=10, progress=False, max_steps=10**9, **options)
    assert time.monotonic() - began < 5
    assert sys.unraisablehook is hook
    assert m.simulate(end=0.01, output=5, progress=False, **options).outcome.good


@pytest.mark.parametrize("kind", ["kinematics", "session", "threads"])
def test_it_comes_out_of_other_analyses(alarm, kind):
    pendulum = ww.load(examples.path("double-pendulum"))
    if kind == "kinematics":
        m = ww.load(examples.path("slider-crank"))
        run = lambda: m.kinematics(end=1e5, output=10**6, progress=False)  # noqa: E731
    elif kind == "session":
        run = lambda: pendulum.compile().start(max_steps=10**9).advance(1e5)  # noqa: E731
    else:
        study = ww.Study(
            pendulum, vary={"lower_mass": [1.0, 2.0, 3.0, 4.0]}, end=500.0, measures={"w": "last(elbow.w)"}
        )
        run = lambda: study.run(engine="threads", threads=2, progress=False)  # noqa: E731
    alarm(0.3)
    with pytest.raises(TooLate):
        run()


def test_a_function_that_raises_in_another_thread_ends_its_run():
    at = assembled(prepare(ww.load(examples.path("double-pendulum"))), 0.0)
    found: list[BaseException] = []

    def fail(t, steps):
        raise TooLate

    def run():
        try:
            at.prepared.engine.integrate(at.state, np.array([0.0, 1e5]), RunOptions(end=1e5), fail)
        except TooLate as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(10)
    assert len(found) == 1


SCRIPT = """
import os, signal, threading, time
import wheelwork as ww
from wheelwork import examples

def terminate():
    while not hasattr(signal.getsignal(signal.SIGTERM), "__self__"):  # a run listens
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGTERM)

m = ww.load(examples.path("double-pendulum"))
threading.Thread(target=terminate).start()
for k in range(3):
    r = m.simulate(end=1e5, output=10, progress=False, max_steps=10**9)
    print(k, r.outcome.name, flush=True)
"""


def test_a_request_to_terminate_keeps_the_run_and_ends_the_script():
    done = python("-W", "ignore", "-c", SCRIPT)
    assert (done.stdout, done.stderr) == ("0 INTERRUPTED\n", "")
    assert done.returncode == 128 + signal.SIGTERM
