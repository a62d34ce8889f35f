"""What analyses give goes to other processes and is copied: it answers there as here."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples


def clutched() -> ww.Mechanism:
    """Two rotors with a clutch that holds: a joint to small motions."""
    m = ww.Mechanism("clutched")
    m.parameters["k"] = 40.0
    m.add("one", ww.Rotor(inertia=0.1))
    m.add("two", ww.Rotor(inertia=0.3))
    m.add("spring", ww.Torque(body="one", value=(0, 0, "-k*one.angle")))
    m.add("clutch", ww.Clutch(bodies=("one", "two"), torque=50))
    return m


def again(thing: Any, how: str) -> Any:
    return pickle.loads(pickle.dumps(thing)) if how == "pickle" else copy.deepcopy(thing)


@pytest.mark.parametrize("how", ["pickle", "deepcopy"])
def test_linear_equations_and_modes(how: str) -> None:
    for m, changed in (
        (ww.load(examples.path("drive-line")), {"shaft1": "9 N m/rad"}),
        (clutched(), {"k": 90.0}),
    ):
        linear = m.linearise(parameters=changed)
        other = again(linear, how)
        assert np.array_equal(other.A, linear.A)
        assert other.closed == linear.closed
        assert np.array_equal(other.at.motion.a, linear.at.motion.a)
        assert np.array_equal(other.held.motion.a, linear.held.motion.a)
        assert other.at.prepared.numbers.parameters == linear.at.prepared.numbers.parameters
        assert np.array_equal(
            again(m.modes(parameters=changed), how).frequencies, m.modes(parameters=changed).frequencies
        )
        state = again(m.assemble(parameters=changed), how)
        assert np.array_equal(m.linearise(at=state).A, linear.A)
    assert linear.closed == ("clutch",)
    assert other.frequencies[-1] == pytest.approx(np.sqrt(90 / 0.4) / (2 * np.pi))  # both as one


@pytest.mark.parametrize("how", ["pickle", "deepcopy"])
def test_minimal_coordinates_and_written_equations(how: str) -> None:
    m = ww.load(examples.path("double-pendulum"))
    r = m.reduced(parameters={"lower_mass": 2.0})
    q, v = [0.3, -0.2], [1.0, 2.0]
    other = again(r, how)
    assert np.array_equal(other.mass_matrix(q), r.mass_matrix(q))
    assert np.array_equal(other.applied(q, v), r.applied(q, v))
    e = m.equations(short=True)
    assert str(again(e, how)) == str(e)
