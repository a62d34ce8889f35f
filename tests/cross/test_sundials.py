"""Our integrators against CVODE of SUNDIALS (scikit-sundae), on the same right-hand sides.

CVODE integrates y' = f(t, y) with constraints at the level of accelerations and without projection; at 1e-11 per step
over a short time it drifts by less than the tolerances here. What both share is the right-hand side, which others
check.
"""

import numpy as np
import pytest
from sksundae.cvode import CVODE

import wheelwork as ww
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.examples import path

CASES = {
    "double-pendulum": 1.0,
    "four-bar": 0.5,
    "helical-reducer": 0.2,
    "rack-and-pinion": 0.2,
    "squeezer": 0.01,
}
"""Example and end [s]"""


def by_cvode(m: ww.Mechanism, end: float, method: str, rtol: float) -> tuple[np.ndarray, int]:
    """Final state in absolute coordinates, and evaluations."""
    prepared = prepare(m)
    at = assembled(prepared, 0.0)
    count = 0

    def rhs(t, y, yp):
        nonlocal count
        count += 1
        yp[:] = prepared.engine.derivative(t, np.array(y))[0]

    solver = CVODE(rhs, method=method, rtol=rtol, atol=rtol * 1e-2, max_num_steps=100_000)
    solved = solver.solve(np.array([0.0, end]), at.state)
    assert solved.success
    return solved.y[-1], count


@pytest.mark.parametrize(("name", "end"), CASES.items())
@pytest.mark.parametrize("method", ["dopri5", "dop853", "sdirk4"])
def test_same_motion(name, end, method):
    m = ww.load(path(name))
    tight = {"dopri5": (1e-11, 1e-13), "dop853": (1e-11, 1e-13), "sdirk4": (1e-9, 1e-11)}[method]
    options = {"method": method, "rtol": tight[0], "atol": tight[1], "formulation": "absolute"}
    ours = m.run(end=end, output=1, progress=False, **options).motion.state[-1]
    theirs, _ = by_cvode(m, end, "Adams", 1e-11)
    nq = prepare(m).program.nq
    assert ours[:nq] == pytest.approx(theirs[:nq], abs=2e-7)


@pytest.mark.slow
def test_stiff_teeth():
    """Compliant teeth: CVODE's BDF and our implicit method agree."""
    m = ww.load(path("backlash-pair"))
    end = 0.002
    ours = m.simulate(
        end=end, output=1, method="sdirk4", rtol=1e-9, atol=1e-12, formulation="absolute", progress=False
    )
    theirs, _ = by_cvode(m, end, "BDF", 1e-10)
    nq = prepare(m).program.nq
    assert ours.motion.state[-1][:nq] == pytest.approx(theirs[:nq], abs=1e-8)
