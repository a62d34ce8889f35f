"""Cams in straight-line code: accelerations of the general equations and of absolute coordinates, whole runs, ends."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import wheelwork as ww
from wheelwork import examples
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.planned import RunWarning
from wheelwork.analyses.prepare import prepare
from wheelwork.analyses.reduction import Reduction, reduce
from wheelwork.analyses.reduction.reduce import tables
from wheelwork.analyses.reduction.straight_line import straight_line
from wheelwork.engine.reduced import ReducedSystem

from .cam_models import ECCENTRIC, cam_and_follower, circle_points, disc, flat, geared, roller, two_cams
from .test_reduced_modes import assert_same


def rolling() -> ww.Mechanism:
    """A roller on a spline that is not convex."""
    s = 2 * np.pi * np.arange(40) / 40
    radius = 1 + 0.1 * np.cos(3 * s)
    given = [(float(r * math.cos(a)), float(r * math.sin(a))) for r, a in zip(radius, s, strict=True)]
    centre = 1.0 + 0.2  # the outline is at a right angle to y there to 0.1 %, which assembly mends
    m = cam_and_follower(
        roller({"type": "points", "points": given}, centre, radius=0.2), angular_velocity=3.0
    )
    m.bodies["follower"].position = (0, centre)
    return m


def bead() -> ww.Mechanism:
    """In an open slot of a body that swings."""
    m = ww.Mechanism("bead", kind="planar")
    m.add("arm", ww.Body(mass=2, inertia=0.5, angular_velocity=0.5))
    m.add("bead", ww.Body(mass=0.7, inertia=0.01, position=(1, 0.5)))
    slot = {"type": "formula", "x": "s", "y": "0.5*s^2", "interval": (-2, 2), "closed": False}
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, -0.5)))
    m.add("slot", ww.CamPoint(bodies=("arm", "bead"), outline=slot, point_a=(0, 0), point_b=(1, 0.5)))
    return m


def in_space() -> ww.Mechanism:
    """About a slanted axis, on a spline; the follower is at the end of two joints, a slide and a turn."""
    S = Rotation.from_rotvec([0.4, -0.7, 0.3])

    def turned(*v: float) -> tuple[float, ...]:
        return tuple(S.apply([*v, 0.0][:3]))

    pose = {"rotation_vector": tuple(S.as_rotvec())}
    axis, spin = turned(0, 0, 1), tuple(4.0 * np.array(turned(0, 0, 1)))
    m = ww.Mechanism("cam in space", gravity=turned(0, -9.8))
    m.add("cam", ww.Body(mass=1, inertia=(0.4, 0.3, 0.4), orientation=pose, angular_velocity=spin))
    m.add("follower", ww.Body(mass=1.5, inertia=(0.1, 0.1, 0.1), position=turned(0, 0.8), orientation=pose))
    m.add("bearing", ww.Revolute(bodies=("ground", "cam"), point=(0, 0, 0), axis=axis))
    m.add("guide", ww.Cylindrical(bodies=("ground", "follower"), point=(0, 0, 0), axis=turned(0, 1)))
    points = {"point_a": (0, 0, 0), "point_b": turned(0.1, 0.8), "axis": axis, "direction": turned(1, 0)}
    m.add("contact", ww.CamFlat(bodies=("cam", "follower"), outline=circle_points(60), **points))
    return m


def discs() -> ww.Mechanism:
    outlines = {"outline_a": disc(0.2, 0.6), "outline_b": disc(0.15, 0.5)}
    return two_cams(ww.CamCam(bodies=("one", "two"), **outlines, point_a=(0, 0), point_b=(1.3, 0)))


MODELS: dict[str, Any] = {
    "formula": lambda: cam_and_follower(flat(ECCENTRIC), angular_velocity=4.0),
    "spline": lambda: cam_and_follower(flat(circle_points(60)), angular_velocity=4.0),
    "roller": rolling,
    "slot": bead,
    "two cams": discs,
    "space": in_space,
    "gears and a state": geared,
    "cam-follower": lambda: ww.load(examples.path("cam-follower")),
    "geneva": lambda: ww.load(examples.path("geneva")),
}
END = {"cam-follower": 0.04, "geneva": 0.15}


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_same_derivative_along_a_motion(name):
    """At states of a run in absolute coordinates, and at states beside them where the loop is open."""
    m = MODELS[name]()
    run = m.simulate(END.get(name, 2.0), output=6, formulation="absolute", rtol=1e-10, atol=1e-12)
    engine = assembled(prepare(m, method="rk4"), 0.0).prepared.engine
    rng, program = np.random.default_rng(0), engine.program
    for k, (t, state) in enumerate(zip(run.t, run.motion.state, strict=True)):
        reduction = reduce(engine, t, state, cut_loops=True, constrained=True)
        numbers = tables(reduction, engine)
        added = straight_line(reduction, engine, numbers)
        assert added["direct"]
        general, direct = (
            ReducedSystem(engine.system, {**numbers, **more}, reduction.rates) for more in ({}, added)
        )
        y = general.start(state)
        direct.start(state)
        for size in (0.0, 1e-3):
            beside = y + size * rng.normal(size=len(y))
            wanted = general.derivative(t, beside)
            assert np.all(np.isfinite(wanted))
            close = pytest.approx(wanted, rel=1e-9, abs=1e-10 * np.max(np.abs(wanted)))
            assert direct.derivative(t, beside) == close
        first = reduction.scalars
        found = direct.derivative(t, y)[first : first + len(reduction.rates)]
        exact = run.motion.acceleration[k]
        moved = accelerations(reduction, found).reshape(-1, 6)[:, list(program.space.velocities)].ravel()
        assert moved == pytest.approx(exact, rel=1e-9, abs=1e-9 * max(1.0, np.abs(exact).max()))


def accelerations(reduction: Reduction, of_coordinates: np.ndarray) -> np.ndarray:
    """Of the bodies, six each: velocities by coordinates, and their change along the motion by differences."""
    rates = reduction.B @ reduction.rates
    h = 3e-3 / max(1.0, float(np.max(np.abs(rates))))  # fourth order: 1e-11 of what turns

    def velocities(ahead: float, u: np.ndarray) -> np.ndarray:
        return (reduction.tree.place(ahead * rates, {})[2] @ reduction.B @ u).ravel()

    change = 8 * velocities(h, reduction.rates) - 8 * velocities(-h, reduction.rates)
    change -= velocities(2 * h, reduction.rates) - velocities(-2 * h, reduction.rates)
    return velocities(0.0, of_coordinates) + change / (12 * h)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MODELS if name not in END])
def test_same_motion(name):
    """Every signal of a run in absolute coordinates."""
    r = assert_same(MODELS[name](), 2.0)
    assert "straight-line code" in r.statistics.formulation


@pytest.mark.slow
def test_parameters_are_brought_back_to_the_contact():
    """Fifty turns with coarse tolerances: the face is level, so that the outline's tangent has to be along it."""
    m = cam_and_follower(flat(circle_points(60)), angular_velocity=30.0)
    r = m.simulate(10.0, output=20, formulation="reduced", rtol=1e-4, atol=1e-5)
    assert "straight-line code" in r.statistics.formulation
    s, angle = r["contact.parameter"].values, r["cam.angle"].values
    assert np.ptp(angle) > 100
    tangent = prepare(m).program.curves[0].spline.at(s)[1]
    assert np.sin(angle) * tangent[:, 0] + np.cos(angle) * tangent[:, 1] == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
def test_a_run_ends_where_the_contact_does():
    """A disc that is too large for the hollow of a lobed cam: it ends where it does in absolute coordinates, and says
    which joint it was. (With an adaptive step round-off may stop it first: parameters move without bound there.)"""
    m = ww.Mechanism("lobes", kind="planar")
    m.add("one", ww.Body(mass=1, inertia=1, angle=np.pi / 2))
    m.add("two", ww.Body(mass=1, inertia=1, position=(0, 3.3)))
    m.add("A", ww.Revolute(bodies=("ground", "one"), point=(0, 0)))
    m.add("B", ww.Translational(bodies=("ground", "two"), point=(0, 0), axis=(0, 1)))
    outlines = {"outline_a": {"type": "polar", "radius": "1 + 0.3*cos(2*s)"}, "outline_b": disc(0, 2.0)}
    m.add("contact", ww.CamCam(bodies=("one", "two"), **outlines, point_a=(0, 0), point_b=(0, 3.3)))
    m.add("drive", ww.JointDriver(joint="A", value="t"))
    runs = []
    for formulation in ("absolute", "reduced"):
        with pytest.warns(match="not finite.* It came from joint `contact`"):
            runs.append(m.simulate(2.0, formulation=formulation, method="rk4", step=1e-3))
        with pytest.warns(RunWarning):
            runs.append(m.simulate(2.0, formulation=formulation))
    assert ["straight-line code" in r.statistics.formulation for r in runs] == [False, False, True, True]
    assert [r.outcome.good for r in runs] == [False] * 4
    assert [r.statistics.t for r in runs] == pytest.approx([1.601, 1.60141184] * 2, abs=1e-8)


def test_auto_takes_it_behind_gears():
    """Where it is quicker; a cam alone stays in absolute coordinates."""
    formulation = geared().simulate(0.1, output=2).statistics.formulation
    assert formulation.startswith("reduced")
    assert "in straight-line code" in formulation
    assert cam_and_follower(flat(ECCENTRIC)).simulate(0.1, output=2).statistics.formulation == "absolute"
