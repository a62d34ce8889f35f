"""Accelerations of the bundled examples beside those that dense matrices of CasADi's own evaluation give."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.system.uses import ConstraintKind

from .dense import dense_solution


@pytest.mark.parametrize("name", examples.names())
def test_accelerations(name):
    """Close to the start, also in motion; not at it, where round-off decides whether teeth and strands touch."""
    at = assembled(prepare(ww.load(examples.path(name))), 0.0)
    program, numbers, engine = at.prepared.program, at.prepared.numbers, at.prepared.engine
    if program.frictions or any(use.kind is not ConstraintKind.BILATERAL for use in program.constraints):
        pytest.skip("modes of dry friction and impacts have tests of their own")
    rng = np.random.default_rng(1)
    for size in (0.0, 1.0):
        y = at.state.copy()
        y[: program.nq] += 1e-7 * rng.normal(size=program.nq)
        y[program.nq : program.nq + program.nv] += size * rng.normal(size=program.nv)
        y, done = engine.project(0.0, y, 1e-11, 50)
        assert done
        expected, _ = dense_solution(program, numbers, 0.0, y)
        found = engine.derivative(0.0, y)[1]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * (1 + np.abs(expected).max()))
