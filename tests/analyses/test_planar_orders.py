"""Observed orders of convergence in the plane, and what must be conserved."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.engine.engine import RunOptions

from .planar_models import four_bar, hinge, link, slider_crank

END = 0.5
GRID = np.linspace(0.0, END, 11)


def sprung_slider_crank() -> ww.Mechanism:
    m = slider_crank(angle=1.0)
    m.add(
        "spring", ww.Spring(bodies=("ground", "slider"), point_a=(0.7, 0.2), point_b=(0.34, 0), stiffness=60)
    )
    m.add("windings", ww.TorsionalSpring(joint="pin", stiffness=2, damping=0.01))
    m.add("push", ww.Actuator(joint="bearing", value="0.5*sin(9*t)"))
    return m


def geared_linkage() -> ww.Mechanism:
    """Two cranks in mesh with a link between a crank pin and a slide: a gear constraint in a loop."""
    m = ww.Mechanism("geared", kind="planar")
    m.add("a", ww.Body(mass=1, inertia=0.02))
    m.add("b", ww.Body(mass=2, inertia=0.05, position=(0.3, 0), center_of_mass=(0.05, 0.02)))
    m.add("rod", link((0.1, 0), (0.1, 0.5), mass=0.7))
    m.add("weight", ww.Body(mass=1, inertia=0.01, position=(0.1, 0.5)))
    m.add("A", hinge("ground", "a", (0, 0)))
    m.add("B", hinge("ground", "b", (0.3, 0)))
    m.add("teeth", ww.ExternalMesh(bodies=("a", "b"), radii=(0.1, 0.2)))
    m.add("pin", hinge("a", "rod", (0.1, 0)))
    m.add("wrist", hinge("rod", "weight", (0.1, 0.5)))
    m.add("slide", ww.Translational(bodies=("ground", "weight"), point=(0.1, 0.5), axis=(0, 1)))
    return m


MODELS: dict[str, Any] = {"four-bar": four_bar, "slider-crank": sprung_slider_crank, "gears": geared_linkage}


def largest_error(case: Any, **options: Any) -> tuple[float, int]:
    """Of all positions at all output times; steps taken."""
    at, reference = case
    run = at.prepared.engine.integrate(at.state, GRID, RunOptions(end=END, **options))
    assert run.report.outcome.good
    return np.max(np.abs(run.state - reference)[:, : at.prepared.program.nq]), run.report.steps


def with_steps_of(step: float) -> dict[str, float]:
    """One size of step, with tolerances so wide that none is rejected."""
    return {"step": step, "largest_step": step, "rtol": 1e6, "atol": 1e6}


@pytest.fixture(scope="module", params=MODELS)
def case(request):
    at = assembled(prepare(MODELS[request.param](), method="sdirk4"), 0.0)
    options = RunOptions(end=END, rtol=1e-13, atol=1e-15, largest_step=1e-3)
    return at, at.prepared.engine.integrate(at.state, GRID, options).state


# With finite steps an order is seen to within a few tenths; a method of the next lower order would miss by one.


def test_rk4_has_order_four(case):
    errors = [
        largest_error(case, method="rk4", **with_steps_of(h))[0] for h in (0.00625, 0.003125, 0.0015625)
    ]
    assert np.log2(np.divide(errors[:-1], errors[1:])) == pytest.approx(4, abs=0.35)


def test_dopri5_has_order_five(case):
    errors = [largest_error(case, method="dopri5", **with_steps_of(h))[0] for h in (0.025, 0.0125, 0.00625)]
    assert np.log2(np.divide(errors[:-1], errors[1:])).min() > 4.5


def test_sdirk4_has_order_four(case):
    """Newton's method stops at a part of the tolerance, so here the tolerance is varied: error over number of steps."""
    tolerances = [10.0**-k for k in range(5, 13)]
    errors, steps = zip(
        *(largest_error(case, method="sdirk4", rtol=rtol, atol=rtol) for rtol in tolerances), strict=True
    )
    # the sizes of steps differ along a run, and with them what of the errors cancels
    assert 3.7 < -np.polyfit(np.log(steps), np.log(errors), 1)[0] < 4.7


def test_order_without_projection(case):
    """Drift is of the method's order as well: projection does not hide a lower one."""
    steps = (0.00625, 0.003125, 0.0015625)
    errors = [largest_error(case, method="rk4", stabilisation="none", **with_steps_of(h))[0] for h in steps]
    assert np.log2(np.divide(errors[:-1], errors[1:])) == pytest.approx(4, abs=0.35)


@pytest.mark.parametrize("method", ["dopri5", "sdirk4"])
def test_error_follows_the_tolerance(case, method):
    errors = [largest_error(case, method=method, rtol=10.0**-k, atol=10.0**-k)[0] for k in (5, 7, 9)]
    assert errors[0] < 1e-4
    assert errors[1] < errors[0] / 5
    assert errors[2] < errors[1] / 5


# -- conservation


@pytest.mark.parametrize("name", ["four-bar", "gears"])
def test_energy_is_kept(name):
    r = MODELS[name]().simulate(end=5, rtol=1e-10, atol=1e-12)
    energy = r["energy.total"].to_numpy()
    assert energy == pytest.approx(energy[0], abs=1e-7 * np.ptp(r["energy.kinetic"].to_numpy()))


def test_momenta_of_a_free_linkage_are_kept():
    """Three bars in a chain with springs, thrown without gravity: linear and angular momentum about the origin."""
    m = ww.Mechanism("thrown", kind="planar", gravity=(0, 0))
    points = [(0.0, 0.0), (1.0, 0.2), (1.8, -0.3), (2.5, 0.4)]
    for k in range(3):
        m.add(
            f"bar{k}",
            link(points[k], points[k + 1], mass=1 + k, angular_velocity=2.0 * k),
        )
    m.bodies["bar0"].velocity = (0.3, 1)
    m.add("B", hinge("bar0", "bar1", points[1]))
    m.add("C", hinge("bar1", "bar2", points[2]))
    m.add("coil", ww.TorsionalSpring(joint="B", stiffness=5.0, damping=0.2))
    spring = {
        "point_a": points[0],
        "point_b": points[3],
        "stiffness": 4.0,
        "free_length": 1.0,
        "damping": 0.5,
    }
    m.add("spring", ww.Spring(bodies=("bar0", "bar2"), **spring))
    r = m.simulate(end=3, rtol=1e-10, atol=1e-12)
    linear, angular = r["momentum.linear"].to_numpy(), r["momentum.angular"].to_numpy()
    assert linear == pytest.approx(np.tile(linear[0], (len(r.t), 1)), abs=1e-9)
    assert angular == pytest.approx(angular[0], abs=1e-8)
    assert np.ptp(r["B.angle"].to_numpy()) > 0.3
