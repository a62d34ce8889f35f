"""Wheels without tooth numbers and with a ratio of no small whole numbers: their turns are counted, none is lost.

The angles of the wheels are those of their joints, counted beside the mesh; they stay in the ratio that was given."""

from typing import Any

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.description.flatten import flatten
from wheelwork.system.build import build

RATIO = float(np.pi)
TURN = 2 * np.pi
SPEED = 80.0


def wheels(mesh: Any, axis_b: tuple, point_b: tuple, position_b: tuple, **more: Any) -> ww.Mechanism:
    """Two wheels in ground, a's axis the z axis; a torque that goes to and fro."""
    m = ww.Mechanism("wheels", gravity=(0, 0, 0), **more)
    for name, axis, point, place in (
        ("a", (0, 0, 1), (0, 0, 0), (0, 0, 0.05)),
        ("b", axis_b, point_b, position_b),
    ):
        m.add(name, ww.Body(mass=1.0, inertia=(1e-2, 1e-2, 1e-2), position=place))
        m.add(f"on-{name}", ww.Revolute(bodies=("ground", name), point=point, axis=axis))
    m.add("mesh", mesh)
    m.add("torque", ww.Actuator(joint="on-a", value="0.5*sin(3*t)"))
    return m


BETA = np.radians(30)
MESHES = {
    "external": lambda: wheels(
        ww.ExternalMesh(bodies=("a", "b"), ratio=RATIO), (0, 0, 1), (0.1, 0, 0), (0.1, 0, 0.05)
    ),
    "helical": lambda: wheels(
        ww.ExternalMesh(bodies=("a", "b"), ratio=RATIO, helix_angle=0.3),
        (0, 0, -1),
        (0.1, 0, 0),
        (0.1, 0, 0.05),
    ),
    "internal": lambda: wheels(
        ww.InternalMesh(bodies=("a", "b"), ratio=RATIO), (0, 0, 1), (0.1, 0, 0), (0.1, 0, 0.05)
    ),
    "radii": lambda: wheels(
        ww.ExternalMesh(bodies=("a", "b"), radii=(0.1 / (1 + RATIO), 0.1 * RATIO / (1 + RATIO))),
        (0, 0, 1),
        (0.1, 0, 0),
        (0.1, 0, 0.05),
    ),
    "belt": lambda: wheels(
        ww.BeltMesh(bodies=("a", "b"), radii=(0.02, 0.02 * RATIO)), (0, 0, 1), (0.3, 0, 0), (0.3, 0, 0.05)
    ),
    "belt of nearly equal pulleys": lambda: wheels(
        ww.BeltMesh(bodies=("a", "b"), radii=(0.02, 0.02 * (1 + 1e-6 / RATIO))),
        (0, 0, 1),
        (0.3, 0, 0),
        (0.3, 0, 0.05),
    ),
    "crossed belt": lambda: wheels(
        ww.BeltMesh(bodies=("a", "b"), radii=(0.02, 0.02 * RATIO), crossed=True),
        (0, 0, 1),
        (0.3, 0, 0),
        (0.3, 0, 0.05),
    ),
    "bevel": lambda: wheels(ww.BevelMesh(bodies=("a", "b"), ratio=RATIO), (1, 0, 0), (0, 0, 0), (0.05, 0, 0)),
    "worm": lambda: wheels(
        ww.WormMesh(bodies=("a", "b"), ratio=10 * RATIO, lead_angle=0.1), (1, 0, 0), (0, 0.1, 0), (0, 0.1, 0)
    ),
    "crossed": lambda: wheels(
        ww.CrossedMesh(bodies=("a", "b"), ratio=RATIO, helix_angles=(BETA, BETA)),
        (0, np.sin(2 * BETA), np.cos(2 * BETA)),
        (0.1, 0, 0),
        (0.1, 0, 0),
    ),
}


SPEEDS = {"worm": 0.1 / RATIO, "belt of nearly equal pulleys": 1 / (1 + 1e-6 / RATIO), "crossed": -1 / RATIO}
SPEEDS |= {name: 1 / RATIO for name in ("helical", "internal", "belt")}
"""Of b over that of a about the axes of their joints; others turn against each other."""


def spun(name: str, end: float = 15.0) -> tuple[Any, float]:
    """From speeds that the mesh allows; returns the result and the speed of b over that of a."""
    m, ratio = MESHES[name](), SPEEDS.get(name, -1 / RATIO)
    for body, speed in (("a", SPEED), ("b", SPEED * ratio)):
        m.bodies[body].angular_velocity = tuple(np.array(m.joints[f"on-{body}"].axis) * speed)
    r = m.simulate(end=end, output=60, rtol=1e-4, formulation="absolute")
    assert r.outcome.good, r.report
    assert r["on-a.w"].to_numpy()[0] == pytest.approx(SPEED)
    return r, ratio


def _check(r: Any, ratio: float, turns: float) -> None:
    a, b = r["on-a.angle"].to_numpy(), r["on-b.angle"].to_numpy()
    assert np.abs(a[-1]) > turns * TURN
    # to round-off of the angles, and the residual that is asked for on a radius of some centimetres
    assert b == pytest.approx(ratio * a, abs=1e-8)


@pytest.mark.filterwarnings("error::wheelwork.analyses.precision.PrecisionWarning")
@pytest.mark.parametrize("name", list(MESHES))
def test_no_turn_is_lost(name):
    r, ratio = spun(name)
    _check(r, ratio, 150)


def test_a_thousand_turns():
    r, ratio = spun("external", end=80.0)
    _check(r, ratio, 1000)


def test_formulations_agree():
    """Minimal coordinates have the ratio exactly; absolute ones keep to it."""
    m = MESHES["internal"]()
    found = {}
    for formulation in ("absolute", "reduced"):
        r = m.simulate(end=5.0, output=50, formulation=formulation, rtol=1e-9, atol=1e-12)
        assert r.outcome.good, r.report
        found[formulation] = r
    for name in ("on-a.angle", "on-b.angle", "mesh.force.tangential"):
        absolute, reduced = (found[f][name].to_numpy() for f in ("absolute", "reduced"))
        assert absolute == pytest.approx(reduced, abs=1e-7 * np.abs(reduced).max())


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_planets(formulation):
    """Sun and planet on a carrier that turns: the sun's own joint is to ground, but turns count against the carrier.

    Willis: (w_planet - w_carrier) = -(w_sun - w_carrier)/ratio."""
    m = ww.Mechanism("stage", gravity=(0, 0, 0))
    for name in ("sun", "carrier"):
        m.add(name, ww.Body(mass=1.0, inertia=(1e-2, 1e-2, 1e-2)))
        m.add(f"on-{name}", ww.Revolute(bodies=("ground", name), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("planet", ww.Body(mass=0.2, inertia=(1e-3, 1e-3, 1e-3), position=(0.1, 0, 0)))
    m.add("pin", ww.Revolute(bodies=("carrier", "planet"), point=(0.1, 0, 0), axis=(0, 0, 1)))
    m.add("mesh", ww.ExternalMesh(bodies=("sun", "planet"), ratio=1 / RATIO))
    m.add("motor", ww.Actuator(joint="on-sun", value=0.3))
    m.add("other", ww.Actuator(joint="on-carrier", value=-0.5))
    r = m.simulate(end=12.0, output=100, rtol=1e-4, formulation=formulation)
    assert r.outcome.good, r.report
    sun, carrier, pin = (r[f"{name}.angle"].to_numpy() for name in ("on-sun", "on-carrier", "pin"))
    assert np.abs(carrier).max() > 50 * TURN
    assert pin == pytest.approx(-RATIO * (sun - carrier), abs=1e-7)


def test_a_rotor_that_starts_after_some_turns():
    """Its counted angle starts there, and the mesh does not mind."""
    m = ww.Mechanism("rotors", gravity=(0, 0, 0))
    m.add("a", ww.Rotor(inertia=1e-3, angle=7 * np.pi, speed=SPEED))
    m.add("b", ww.Rotor(inertia=1e-3, position=(0.1, 0, 0), speed=-SPEED / RATIO))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), ratio=RATIO))
    r = m.simulate(end=3.0, output=30, formulation="absolute", rtol=1e-4)
    a, b = r["a.angle"].to_numpy(), r["b.angle"].to_numpy()
    assert a[0] == pytest.approx(7 * np.pi)
    assert b - b[0] == pytest.approx(-(a - a[0]) / RATIO, abs=1e-9)


@pytest.mark.parametrize("kind", ["spatial", "planar"])
def test_driven(kind):
    """Kinematics: steps are not held to the tooth of a wheel of a million teeth."""
    origin = (0, 0) if kind == "planar" else (0, 0, 0)
    m = ww.Mechanism("driven", kind=kind, gravity=origin)
    m.add("a", ww.Rotor(inertia=1e-3))
    m.add("b", ww.Rotor(inertia=1e-3, position=(0.1, *origin[1:])))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), ratio=RATIO))
    m.add("drive", ww.JointDriver(joint="a.bearing", value="20*t"))
    r = m.kinematics(end=10.0, output=100)
    assert r.outcome.good, r.report
    assert r["b.angle"].to_numpy() == pytest.approx(-20 * r.t / RATIO, abs=1e-9)


@pytest.mark.slow
def test_compliant_teeth_without_numbers():
    """k u = F with u many times what a pitch of a million teeth would be; and the wheels keep in step."""
    m = MESHES["external"]()
    force, stiffness = 500.0, 1e6
    m.meshes["mesh"] = ww.ExternalMesh(
        bodies=("a", "b"),
        ratio=RATIO,
        model=ww.CompliantTeeth(stiffness=stiffness, damping_ratio=0.3, backlash=0),
    )
    r_a = 0.1 / (1 + RATIO)
    base = r_a * np.cos(np.radians(20))
    m.forces["torque"] = ww.Actuator(joint="on-a", value=force * base)
    m.add("load", ww.Actuator(joint="on-b", value=force * base * RATIO))
    m.bodies["a"].angular_velocity = (0, 0, SPEED)
    m.bodies["b"].angular_velocity = (0, 0, -SPEED / RATIO)
    r = m.simulate(end=2.0, output=200)
    assert r.outcome.good, r.report
    late = r.t > 1.5
    assert r["mesh.transmission_error"].to_numpy()[late] == pytest.approx(force / stiffness, rel=1e-6)
    slip = base * r["on-a.angle"].to_numpy() + base * RATIO * r["on-b.angle"].to_numpy()
    assert slip[late] == pytest.approx(force / stiffness, rel=1e-4)


def test_what_comes_back_with_teeth_needs_teeth():
    m = MESHES["external"]()
    varying = {"type": "constant", "value": 1e6, "variation": [{"amplitude": 1e5}]}
    for model in (
        ww.CompliantTeeth(stiffness=varying),
        ww.CompliantTeeth(stiffness=1e6, errors=[{"amplitude": 1e-6}]),
    ):
        m.meshes["mesh"] = ww.ExternalMesh(bodies=("a", "b"), ratio=2.5, model=model)
        with pytest.raises(
            ww.ModelError, match="repeats with every tooth, but the mesh has no numbers of teeth"
        ):
            m.assemble()


def test_small_whole_numbers_are_as_good_as_teeth():
    m = MESHES["external"]()
    assert "mesh" in [turn.name for turn in build(flatten(m)).turns]
    m.meshes["mesh"] = ww.ExternalMesh(bodies=("a", "b"), ratio=2.5)
    assert "mesh" not in [turn.name for turn in build(flatten(m)).turns]


def test_wheels_that_no_body_carries():
    """Bevel wheels that float have nothing to count turns against."""
    m = ww.Mechanism("free", gravity=(0, 0, 0))
    sizes = {
        "point_a": (0, 0, 0.05),
        "axis_a": (0, 0, 1),
        "point_b": (0.05 * RATIO, 0, 0),
        "axis_b": (1, 0, 0),
    }
    for name, place in (("a", (0, 0, 0.05)), ("b", (0.05 * RATIO, 0, 0))):
        m.add(name, ww.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=place))
    m.add("mesh", ww.BevelMesh(bodies=("a", "b"), radii=(0.03, 0.03 * RATIO), **sizes))
    with pytest.raises(ww.ModelError, match=r"no numbers of teeth.*3\.14159265.*give `teeth`"):
        m.assemble()


@pytest.mark.parametrize("kind", ["external", "internal", "belt", "crossed belt"])
def test_on_an_arm_that_goes_round(kind):
    """Wheel b on an arm whose pivot is beside the axis of a, held to its distance by a link: no body carries both axes.

    By Willis about the line of centres, of which the angle is that of the link:
    r_a (psi_a - phi) = -+ r_b (psi_b - phi)."""
    external = kind in ("external", "crossed belt")
    d = 0.1
    m = ww.Mechanism("arm", gravity=(0, 0, 0))
    m.add("a", ww.Rotor(inertia=1e-3, speed=30.0))
    m.add(
        "link",
        ww.Body(
            mass=0.1,
            inertia=(1e-3,) * 3,
            position=(d / 2, 0, 0),
            angular_velocity=(0, 0, 5.0),
            velocity=(0, 5.0 * d / 2, 0),
        ),
    )
    speed = 5.0 + (30.0 - 5.0) / RATIO * (-1 if external else 1)
    m.add(
        "b",
        ww.Body(
            mass=0.3,
            inertia=(1e-3,) * 3,
            position=(d, 0, 0),
            angular_velocity=(0, 0, speed),
            velocity=(0, 5.0 * d, 0),
        ),
    )
    # balls and planes in place of hinges, so that no joints lead from the axes to a carrier
    m.add("inner", ww.Spherical(bodies=("ground", "link"), point=(0, 0, 0)))
    m.add("outer", ww.Spherical(bodies=("link", "b"), point=(d, 0, 0)))
    m.add("flat-link", ww.Planar(bodies=("ground", "link"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("flat-b", ww.Planar(bodies=("ground", "b"), point=(d, 0, 0), axis=(0, 0, 1)))
    where = {"point_a": (0, 0, 0), "axis_a": (0, 0, 1), "point_b": (d, 0, 0), "axis_b": (0, 0, 1)}
    if kind == "external":
        mesh = ww.ExternalMesh(bodies=("a", "b"), ratio=RATIO, **where)
    elif kind == "internal":
        mesh = ww.InternalMesh(bodies=("a", "b"), ratio=RATIO, **where)
    else:
        mesh = ww.BeltMesh(bodies=("a", "b"), radii=(0.01, 0.01 * RATIO), crossed=external, **where)
    m.add("mesh", mesh)
    m.add("torque", ww.Actuator(joint="a.bearing", value="0.05*sin(3*t)"))
    assert {use.name: use.geometry.against for use in build(flatten(m)).meshes} == {"mesh": "mate"}
    r = m.simulate(end=8.0, output=200, rtol=1e-5, formulation="absolute")
    assert r.outcome.good, r.report
    t, angle = r.t, r["a.angle"].to_numpy()
    assert r["a.w"].to_numpy()[0] == pytest.approx(30.0)
    place = r["b.position"].to_numpy()
    phi = np.unwrap(np.arctan2(place[:, 1], place[:, 0]))
    w = r["b.w.z"].to_numpy()
    turned = np.concatenate([[0.0], np.cumsum(np.diff(t) * (w[1:] + w[:-1]) / 2)])
    exact = phi + (angle - phi) / RATIO * (-1 if external else 1)
    assert turned == pytest.approx(exact, abs=2e-3)  # trapezoids
