"""Observed orders of convergence in constrained systems, in space and in the plane, and what must be conserved."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.engine.engine import RunOptions

from . import models
from .planar_models import four_bar, hinge, link, slider_crank

END = 0.5
GRID = np.linspace(0.0, END, 11)


def spatial_chain():
    """Two bars on a ball joint and a skew hinge, with a spring, thrown: every term of the equations is at work."""
    m = ww.Mechanism("chain")
    m.add("upper", models.link((0, 0), (1, 0), velocity=(0, 0.5, 0), angular_velocity=(0, 0, 1)))
    m.add("lower", models.link((1, 0), (1.8, 0), velocity=(0, 1.4, 0), angular_velocity=(0, 0, 1)))
    m.add("ball", ww.Spherical(bodies=("ground", "upper"), point=(0, 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("upper", "lower"), point=(1, 0, 0), axis=(0, 1, 1)))
    spring = {"point_a": (0, 0, 1), "point_b": (1.8, 0, 0), "stiffness": 8, "damping": 0.3}
    m.add("spring", ww.Spring(bodies=("ground", "lower"), **spring))
    return m


def sprung_slider_crank():
    m = slider_crank(angle=1.0)
    m.add(
        "spring", ww.Spring(bodies=("ground", "slider"), point_a=(0.7, 0.2), point_b=(0.34, 0), stiffness=60)
    )
    m.add("windings", ww.TorsionalSpring(joint="pin", stiffness=2, damping=0.01))
    m.add("push", ww.Actuator(joint="bearing", value="0.5*sin(9*t)"))
    return m


def geared_linkage():
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


IN_SPACE = {"four-bar": models.four_bar, "chain": spatial_chain}
IN_THE_PLANE = {"four-bar": four_bar, "slider-crank": sprung_slider_crank, "gears": geared_linkage}


@dataclass
class Case:
    """A model ready to run, where it is at `GRID`, and how long steps are in which its orders are seen."""

    at: Any
    reference: np.ndarray
    planar: bool

    @property
    def steps(self):
        return np.array([0.0125, 0.00625, 0.003125]) / (2 if self.planar else 1)

    def largest_error(self, **options):
        """Of all positions at all output times; steps taken."""
        run = self.at.prepared.engine.integrate(self.at.state, GRID, RunOptions(end=END, **options))
        assert run.report.outcome.good
        return np.max(np.abs(run.state - self.reference)[:, : self.at.prepared.program.nq]), run.report.steps

    def errors(self, steps, **options):
        """With steps of one size, and tolerances so wide that none is rejected."""
        wide = {"rtol": 1e6, "atol": 1e6}
        return [self.largest_error(step=h, largest_step=h, **wide, **options)[0] for h in steps]


def made(model, planar):
    at = assembled(prepare(model(), method="sdirk4"), 0.0)
    options = RunOptions(end=END, rtol=1e-13, atol=1e-15, largest_step=1e-3)
    return Case(at, at.prepared.engine.integrate(at.state, GRID, options).state, planar)


@pytest.fixture(scope="module", params=IN_SPACE)
def spatial(request):
    return made(IN_SPACE[request.param], planar=False)


EVERY = [(IN_SPACE, name) for name in IN_SPACE] + [(IN_THE_PLANE, name) for name in IN_THE_PLANE]


@pytest.fixture(
    scope="module", params=EVERY, ids=lambda p: p[1] + (", planar" if p[0] is IN_THE_PLANE else "")
)
def case(request):
    models, name = request.param
    return made(models[name], planar=models is IN_THE_PLANE)


# With finite steps an order is seen to within a few tenths; a method of the next lower order would miss by one.


@pytest.mark.parametrize("projection", [{}, {"stabilisation": "none"}], ids=["projected", "drifting"])
def test_rk4_has_order_four(case, projection):
    """Drift is of the method's order as well: projection does not hide a lower one."""
    errors = case.errors(case.steps, method="rk4", **projection)
    allowed = 0.35 if case.planar else 0.3
    assert np.log2(np.divide(errors[:-1], errors[1:])) == pytest.approx(4, abs=allowed)


def test_dopri5_has_order_five(case):
    errors = case.errors(4 * case.steps, method="dopri5")
    # the leading term happens to be small for the four-bar in space, which then does better
    assert np.log2(np.divide(errors[:-1], errors[1:])).min() > (4.5 if case.planar else 4.7)


def test_sdirk4_has_order_four(case):
    """Newton's method stops at a part of the tolerance, so here the tolerance is varied: error over number of steps."""
    tolerances = [10.0**-k for k in (range(5, 13) if case.planar else range(7, 11))]
    runs = [case.largest_error(method="sdirk4", rtol=rtol, atol=rtol) for rtol in tolerances]
    errors, steps = zip(*runs, strict=True)
    # the sizes of steps differ along a run, and with them what of the errors cancels; order three would miss by more
    least, most = (3.7, 4.7) if case.planar else (3.5, 5)
    assert least < -np.polyfit(np.log(steps), np.log(errors), 1)[0] < most


def test_dop853_has_order_eight(spatial):
    """At the ends of steps, where output needs no interpolation."""
    errors = spatial.errors((0.1, 0.05), method="dop853")
    assert np.log2(errors[0] / errors[1]) > 7.5


def test_interpolation_of_dop853_is_of_order_seven(spatial):
    """Output falls inside steps; the cubic through both ends would give errors that fall 16 times a halving."""
    errors = spatial.errors((0.08, 0.04), method="dop853")
    assert np.log2(errors[0] / errors[1]) > 6.5


def test_dense_output_of_dopri5_is_of_order_four(spatial):
    """Output inside steps comes from the continuous extension of order 4; its errors fall 16 times a halving."""
    errors = spatial.errors((0.04, 0.02), method="dopri5")
    assert np.log2(errors[0] / errors[1]) > 3.5


def test_dop853_keeps_tight_tolerances_with_fewer_evaluations(spatial):
    at, reference = spatial.at, spatial.reference
    evaluations = {}
    for method in ("dopri5", "dop853"):
        options = RunOptions(end=END, method=method, rtol=1e-10, atol=1e-10)
        run = at.prepared.engine.integrate(at.state, GRID, options)
        evaluations[method] = run.report.evaluations
        assert np.max(np.abs(run.state - reference)) < 1e-8
    assert evaluations["dop853"] < evaluations["dopri5"] / 1.2


@pytest.mark.parametrize("method", ["dopri5", "sdirk4"])
def test_error_follows_the_tolerance(case, method):
    errors = [case.largest_error(method=method, rtol=10.0**-k, atol=10.0**-k)[0] for k in (5, 7, 9)]
    assert errors[0] < 1e-4
    assert errors[1] < errors[0] / 5
    assert errors[2] < errors[1] / 5


# -- conservation


@pytest.mark.parametrize("name", ["four-bar", "gears"])
def test_energy_is_kept(name):
    r = IN_THE_PLANE[name]().simulate(end=5, rtol=1e-10, atol=1e-12)
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
