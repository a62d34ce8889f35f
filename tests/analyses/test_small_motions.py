"""Linear equations seen from axes that turn: closed forms, and runs of the engine from states beside the motion."""

import numpy as np
import pytest
from scipy.linalg import expm

from wheelwork.analyses.small_motions import carried, small_motions, turned
from wheelwork.engine.engine import RunOptions

from .steady_models import rotor, slider


def state_matrix(small):
    n = len(small.K)
    return np.block([[np.zeros((n, n)), np.eye(n)], [-small.K, -small.C]])


def frequencies(at, turning):
    values = np.linalg.eigvals(state_matrix(small_motions(at, turning)))
    return np.sort(values.imag[values.imag > 1e-9])


@pytest.mark.parametrize(("k", "square"), [(4000.0, 7500.0), (1600.0, 1500.0), (900.0, -250.0)])
def test_a_slider_on_a_hub_feels_the_turn(k, square):
    """k/m - W^2."""
    at = slider(k).assemble()
    np.testing.assert_allclose(small_motions(at, np.tile((0, 0, 50.0), (2, 1))).K, [[square]], rtol=1e-9)


def test_a_rotor_with_two_inertias_in_its_own_axes():
    """(.01, .03, .035), tilt 400: 200 and 264.575 rad/s (64.575 and 464.575 outside)."""
    at = rotor((0.01, 0.03, 0.035), 200.0, (400.0, 400.0)).assemble()
    np.testing.assert_allclose(frequencies(at, np.array([[0, 0, 200.0]])), [200, 100 * np.sqrt(7)], rtol=1e-6)


@pytest.mark.parametrize(
    "make", [lambda: slider(1600.0), lambda: rotor((0.01, 0.03, 0.035), 200.0, (400, 400))]
)
def test_a_kicked_run_goes_as_the_matrix_says(make):
    """(z, z') after a span, by differences of two runs, against expm(A t): z = T^T x, z' = T^T (v + W x) - R z."""
    at, span, h = make().assemble(), 0.02, 1e-6
    program, motion = at.prepared.program, at.motion
    w = motion.v[0, :, 3:]
    small = small_motions(at, w)  # each body in its own axes, in which it stands
    N, n = small.basis, small.basis.shape[1]
    T, A = turned(at, w, span), state_matrix(small)
    expected = expm(A * span)
    for column in range(2 * n):
        start = np.eye(2 * n)[column]
        ends = []
        for sign in (h, -h):
            y = program.displaced(at.state, sign * N @ start[:n])
            y[program.nq : program.nq + program.nv] += sign * (N @ start[n:] + small.speeds @ start[:n])
            y = at.prepared.engine.project(at.t, y, 1e-13, 50)[0]
            options = RunOptions(start=at.t, end=at.t + span, rtol=1e-11, atol=1e-13)
            ends.append(at.prepared.engine.integrate(y, np.array([span]), options).final_state)
        moved = N @ expected[:n, column]
        plus, minus = (program.coordinates(y) for y in ends)
        there = program.coordinates(carried(at, span, w).state)
        for sign, found in ((h, plus), (-h, minus)):
            want = program.space.displaced(there, (sign * T @ moved).reshape(len(w), -1))
            np.testing.assert_allclose(found, want, atol=3e-11 * max(1, np.abs(moved).max()))


def test_a_body_on_a_circle_is_carried_as_a_run_carries_it():
    at = slider(1600.0).assemble()
    turning = np.tile((0, 0, 50.0), (2, 1))
    options = RunOptions(start=0.0, end=0.03, rtol=1e-11, atol=1e-13)
    run = at.prepared.engine.integrate(at.state, np.array([0.03]), options)
    np.testing.assert_allclose(carried(at, 0.03, turning).state, run.final_state, atol=1e-8)


def test_a_basis_that_turns_along_keeps_the_coordinates():
    """The slider's coefficients, later, in the coordinates of before."""
    at, turning = slider(1600.0).assemble(), np.tile((0, 0, 50.0), (2, 1))
    now, later = small_motions(at, turning), carried(at, 0.02, turning)
    then = small_motions(later, turning, turned(at, turning, 0.02) @ now.basis)
    np.testing.assert_allclose(then.K, now.K, rtol=1e-8)
