"""Ratios of trains whose bearings are elastic: the meshes give the axes, and supports stand still on the average."""

from fractions import Fraction

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.trains import speeds
from wheelwork.validation.cases.lin_parker import RADIUS, stage

Z = (0, 0, 1)
MODULE = 0.002


def body(at=(0.0, 0.0), **more):
    return ww.Body(mass=1, inertia=(0.01, 0.01, 0.01), position=(*at, 0), **more)


def planetary(sun=None, carrier=None, pins=None, held=0.0, planets=2):
    """Sun 24, planets 30, ring 84 teeth; bearings as given (a function of bodies and point), else none."""
    m = ww.Mechanism("planetary", gravity=(0, 0, 0))
    arm = (24 + 30) * MODULE / 2
    for name in ("sun", "carrier", "ring"):
        m.add(name, body())
    if sun:
        m.add("sun-bearing", sun(("ground", "sun"), (0, 0, 0)))
    m.add("carrier-bearing", (carrier or revolute)(("ground", "carrier"), (0, 0, 0)))
    stiff = {"stiffness": (1e8,) * 3, "rotational_stiffness": (1e5, 1e5, held)}
    m.add("ring-mount", ww.Bushing(bodies=("ground", "ring"), point=(0, 0, 0), **stiff))
    for k in range(planets):
        at = (arm * np.cos(2 * np.pi * k / planets), arm * np.sin(2 * np.pi * k / planets))
        m.add(f"planet{k}", body(at))
        m.add(f"pin{k}", (pins or revolute)(("carrier", f"planet{k}"), (*at, 0)))
        centre = {"point_a": (0, 0, 0), "axis_a": Z, "point_b": (*at, 0), "axis_b": Z}
        m.add(f"s{k}", ww.ExternalMesh(bodies=("sun", f"planet{k}"), teeth=(24, 30), module=MODULE, **centre))
        m.add(
            f"r{k}",
            ww.InternalMesh(bodies=(f"planet{k}", "ring"), teeth=(30, 84), module=MODULE, **turned(centre)),
        )
    return m


def turned(centre):
    return {name[:-1] + {"a": "b", "b": "a"}[name[-1]]: value for name, value in centre.items()}


def revolute(bodies, point):
    return ww.Revolute(bodies=bodies, point=point, axis=Z)


def bushing(bodies, point):
    return ww.Bushing(bodies=bodies, point=point, stiffness=(1e8,) * 3, rotational_stiffness=(1e5, 1e5, 0))


def ball(bodies, point):
    return ww.Spherical(bodies=bodies, point=point)


@pytest.mark.parametrize("sun", [None, revolute, bushing, ball])
@pytest.mark.parametrize("carrier", [revolute, bushing, ball])
@pytest.mark.parametrize("pins", [revolute, bushing])
def test_a_planetary_stage_whatever_its_bearings(sun, carrier, pins):
    """Willis: sun/carrier = 1 + 84/24 with the ring held; the ring's mount holds it, or lets it turn."""
    graph = planetary(sun, carrier, pins, held=1e6).gear_train()
    assert speeds(graph, {"carrier": 1}).of("sun") == 1 + Fraction(84, 24)
    free = planetary(sun, carrier, pins).gear_train()
    assert speeds(free, {"carrier": 1}, held=["sun"]).of("ring") == 1 + Fraction(24, 84)
    assert all(circuit.carrier == "carrier" for circuit in free.circuits)
    assert bool(graph.train.assumptions)


def test_all_on_bushings_as_lin_and_parker_have_it():
    """Sun, ring, carrier and planets all on springs, that of the ring against turning too."""
    graph = stage(4).gear_train()
    ratio = speeds(graph, {"carrier": 1}).of("sun")
    assert float(ratio) == pytest.approx(1 + RADIUS["ring"] / RADIUS["sun"], rel=1e-6)


def test_bundled_reducer_on_ball_joints():
    graph = ww.load(examples.path("helical-reducer")).gear_train()
    assert speeds(graph, {"input": 1}).of("output") == Fraction(19 * 17, 61 * 53)
    assert not graph.train.left_out


def test_bundled_stage_with_pins_out_of_place():
    """Pins 30 um off their circle carry planets all the same, and the sun stands on a bushing."""
    graph = ww.load(examples.path("load-sharing")).gear_train()
    assert speeds(graph, {"carrier": 1}).of("sun") == 1 + Fraction(84, 24)


def on_slide(mesh, names=("a", "b")):
    """A wheel whose hub stands on a slide with a spring; the links may be called as axes are."""
    a, b = names
    m = ww.Mechanism("slide", gravity=(0, 0, 0))
    m.add(a, body())
    m.add(b, body((0.06, 0)))
    m.add("hub", body((0.06, 0)))
    m.add("one", revolute(("ground", a), (0, 0, 0)))
    m.add("guide", ww.Prismatic(bodies=("ground", "hub"), point=(0.06, 0, 0), axis=(1, 0, 0)))
    m.add("two", revolute(("hub", b), (0.06, 0, 0)))
    ends = {"point_a": (0.2, 0, 0), "point_b": (0.06, 0, 0)}
    m.add("spring", ww.Spring(bodies=("ground", "hub"), **ends, stiffness=1e6, damping=1e3))
    if mesh == "belt":
        m.add("mesh", ww.BeltMesh(bodies=(a, b), radii=(0.01, 0.02), tension=100))
    else:
        m.add("mesh", ww.ExternalMesh(bodies=(a, b), teeth=(20, 40), module=MODULE))
    m.add("drive", ww.Actuator(joint="one", value=5))
    m.add("load", ww.Friction(joint="two", viscous=1))
    return m


@pytest.mark.slow
@pytest.mark.parametrize("mesh", ["belt", "gears"])
def test_a_wheel_on_a_slide(mesh):
    """Names of bodies were taken for those of axes: an IndexError. Now speeds are those that a run settles on."""
    m = on_slide(mesh)
    ratio = speeds(m.gear_train(), {"a": 1}).of("b")
    assert abs(ratio) == Fraction(1, 2)
    r = m.simulate(end=1, output=20, formulation="absolute")
    assert float(r["b.w"][-1, 2] / r["a.w"][-1, 2]) == pytest.approx(float(ratio), rel=1e-3)
    forces = m.link_forces(r)
    exact = np.asarray(r["guide.reaction.force"])
    np.testing.assert_allclose(forces["guide.reaction.force"], exact, atol=1e-7 * np.abs(exact).max())


def test_turning_carriers_still_disagree():
    m = on_slide("gears", ("wheel", "b"))
    del m.joints["guide"]
    m.add("lever", revolute(("ground", "hub"), (0.06, 0.1, 0)))
    with pytest.raises(ww.ModelError, match="two carriers that disagree"):
        m.gear_train()


def test_a_wheel_with_a_joint_elsewhere_is_not_given_another():
    train = ww.Mechanism("pair", gravity=(0, 0, 0))
    train.add("a", body())
    train.add("b", body((0.06, 0)))
    train.add("one", revolute(("ground", "a"), (0, 0, 0)))
    train.add("two", revolute(("ground", "b"), (0.09, 0, 0)))
    axis = {"point_b": (0.06, 0, 0), "axis_b": Z}
    train.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module=MODULE, **axis))
    with pytest.raises(ww.ModelError, match="`b` turns in nothing about the axis of the mesh"):
        train.gear_train()
