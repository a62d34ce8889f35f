"""The measure of singular positions against all singular values, on a mechanism with redundant constraints."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.driven_checks import SingularityMeasure
from wheelwork.analyses.prepare import prepare
from wheelwork.analyses.rank import scaled_jacobian
from wheelwork.system.matrices import inverse_root_mass, mass_matrix

from .models import parallelogram


def driven_parallelogram():
    m = parallelogram()
    m.add("motor", ww.JointDriver(joint="A", value="0.5*t"))
    return m


@pytest.mark.slow
def test_smallest_singular_value():
    """From above, within 10 percent; to 1e-6 near the flat position, where it is small against the next."""
    m = driven_parallelogram()
    prepared = prepare(m)
    measure, nv = SingularityMeasure(prepared.engine), prepared.program.nv
    r = m.kinematics(end=5, output=50)
    exact = [
        np.linalg.svd(scaled_jacobian(prepared.engine, t, y), compute_uv=False)[nv - 1]
        for t, y in zip(r.t, r.motion.state, strict=True)
    ]
    found = np.array([measure(t, y) for t, y in zip(r.t, r.motion.state, strict=True)])
    assert found == pytest.approx(exact, rel=0.1)
    near = np.abs(r.t - np.pi) < 0.25
    assert near.sum() == 5
    assert found[near] == pytest.approx(np.array(exact)[near], rel=1e-6)


def test_root_of_the_mass_matrix():
    """W M W = 1 with both symmetric, at a position where no body is along the axes."""
    prepared = prepare(driven_parallelogram())
    state = assembled(prepared, 0.7).state
    M = mass_matrix(prepared.program, prepared.numbers, state)
    W = inverse_root_mass(prepared.program, prepared.numbers, state)
    assert pytest.approx(M.T, abs=1e-15) == M
    assert pytest.approx(W.T, abs=1e-12) == W
    assert pytest.approx(np.eye(len(M)), abs=1e-12) == W @ M @ W
    R = prepared.program.rotation(state, 1)
    assert M[9:12, 9:12] == pytest.approx(R @ prepared.numbers.inertia[1] @ R.T, abs=1e-14)
