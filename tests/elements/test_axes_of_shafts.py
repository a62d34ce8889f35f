"""Shafts between which something acts turn about one direction: an `axis` that did nothing gave wrong numbers."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples


def between(b=(0, 0, 1)):
    """Two shafts on joints about z and about `b`."""
    m = ww.Mechanism("shafts", gravity=(0, 0, 0))
    for name, axis in (("p", (0, 0, 1)), ("q", b)):
        m.add(name, ww.Body(mass=1, inertia=(1, 1, 1)))
        m.add(f"bearing_{name}", ww.Revolute(bodies=("ground", name), point=(0, 0, 0), axis=axis))
    return m


ACTING = {
    "torsional_spring": lambda axis: ww.TorsionalSpring(bodies=("p", "q"), axis=axis, stiffness=10),
    "clutch": lambda axis: ww.Clutch(bodies=("p", "q"), axis=axis, torque=1),
    "one_way_clutch": lambda axis: ww.OneWayClutch(bodies=("p", "q"), axis=axis),
    "dog_clutch": lambda axis: ww.DogClutch(bodies=("p", "q"), axis=axis, closed=1),
    "clearance": lambda axis: ww.Clearance(bodies=("p", "q"), axis=axis, play=0.1, stiffness=10),
    "strain_wave": lambda axis: ww.StrainWave(
        wave_generator="p",
        flexspline="q",
        circular_spline="ground",
        teeth=(200, 202),
        stiffness=1e3,
        axis=axis,
    ),
    "torque_converter": lambda axis: ww.TorqueConverter(
        pump="p", turbine="q", axis=axis, speed_ratio=(0, 1), torque_ratio=(2, 1), capacity=(0.1, 0.01)
    ),
}


@pytest.mark.parametrize("element", ACTING.values(), ids=ACTING)
def test_shafts_at_an_angle_are_refused_by_name(element):
    straight = between()
    straight.add("link", element((0, 0, 1)))
    assert straight.simulate(end=0.01).outcome.name == "REACHED_END"
    for b, axis, which in (((0, 0, 1), (1, 0, 0), "p"), ((1, 0, 0), (0, 0, 1), "q")):
        m = between(b=b)
        m.add("link", element(axis))
        with pytest.raises(
            ww.ModelError, match=rf"link.*`{which}` turns on `ground` about an axis at 90 degrees"
        ):
            m.simulate(end=0.01)


def test_a_spring_in_a_joint_does_not_mind_how_the_link_before_it_turns():
    m = ww.Mechanism("arm", gravity=(0, 0, 0))
    m.add("base", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add("arm", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add("yaw", ww.Revolute(bodies=("ground", "base"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("pitch", ww.Revolute(bodies=("base", "arm"), point=(0, 0, 0), axis=(0, 1, 0)))
    m.add("spring", ww.TorsionalSpring(bodies=("base", "arm"), axis=(0, 1, 0), stiffness=10))
    assert m.check().freedoms_by_rank == 2


@pytest.mark.parametrize(
    ("rotor", "axis", "words"),
    [
        ((0, 0, -1), None, r"`pump` turns about \(0, 0, -1\), against \(0, 0, 1\) of `motor`"),
        ((1, 0, 0), None, "`pump` turns on `ground` about an axis at 90 degrees"),
        ((0, 0, 1), (1, 0, 0), "`motor` turns on `ground` about an axis at 90 degrees"),
        ((0, 0, 1), (0, 0, -1), r"`axis` is \(0, 0, -1\), against"),
    ],
)
def test_rotors_that_count_otherwise_are_refused(rotor, axis, words):
    m = ww.Mechanism("drive", gravity=(0, 0, 0))
    m.add("motor", ww.Rotor(inertia=1))
    m.add("pump", ww.Rotor(inertia=1, axis=rotor))
    m.add("shaft", ww.TorsionalSpring(bodies=("motor", "pump"), stiffness=10, axis=axis))
    with pytest.raises(ww.ModelError, match=words):
        m.simulate(end=1)


def on_bearings(two, **given):
    """A shaft along y, a little out of balance, in one hinge `B` or in a locating and a floating bearing `B`."""
    m = ww.Mechanism("shaft")
    body = {"mass": 2, "inertia": (0.02, 0.01, 0.02), "center_of_mass": (0.001, 0, 0)}
    m.add("shaft", ww.Body(position=(0.02, 0.1, 0), **body))
    axis = {"bodies": ("ground", "shaft"), "point": (0.02, 0.3, 0), "axis": (0, 1, 0)}
    if two:
        m.add("A", ww.Spherical(bodies=("ground", "shaft"), point=(0.02, 0, 0)))
    m.add("B", ww.PointOnLine(**axis, **given) if two else ww.Revolute(**axis, **given))
    return m


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_a_shaft_in_two_bearings_has_an_angle_for_motors_springs_and_friction(formulation):
    """That of the floating bearing, over turns: all as on a hinge."""
    found = []
    for two in (False, True):
        m = on_bearings(two, initial=ww.Initial(w=3.0, angle=7.0))
        m.add("motor", ww.Actuator(joint="B", coordinate="angle", value="2 - 0.5*B.w + 0.1*sin(B.angle)"))
        m.add("rub", ww.Friction(joint="B", coordinate="angle", viscous=0.01, coulomb=0.05))
        m.add("spring", ww.TorsionalSpring(joint="B", stiffness=0.2))
        r = m.simulate(end=1, output=10, formulation=formulation, rtol=1e-9, atol=1e-11)
        found.append([r[name].to_numpy() for name in ("B.angle", "B.w", "motor.power")])
    assert found[1][0][0] == pytest.approx(7.0)
    for hinge, bearings in zip(*found, strict=True):
        assert bearings == pytest.approx(hinge, abs=1e-7)


def test_a_driver_of_a_floating_bearing():
    """The torque of 3 t^2 rad: J 6 with J about the axis, and the weight on its arm of 1 mm."""
    m = on_bearings(True)
    m.add("drive", ww.JointDriver(joint="B", coordinate="angle", value="3*t^2"))
    r = m.inverse(end=2, output=8)
    assert r["B.angle"].to_numpy() == pytest.approx(3 * r.t**2)
    weight = 2 * 9.80665 * 0.001 * np.cos(3 * r.t**2)
    assert r["drive.torque"].to_numpy() == pytest.approx((0.01 + 2e-6) * 6 - weight, abs=1e-9)


def test_a_study_in_lanes_knows_the_angle():
    m = on_bearings(True)
    m.parameters["torque"] = 1.0
    m.add("motor", ww.Actuator(joint="B", coordinate="angle", value="torque"))
    m.gravity = (0, 0, 0)
    vary = {"torque": [1.0, 2.0]}
    for engine in ("lanes", "threads"):
        table = ww.Study(m, vary, measures={"x": "greatest(B.angle)"}, end=0.1).run(engine=engine)
        assert table.x.values == pytest.approx([0.5 * T / (0.01 + 2e-6) * 0.01 for T in (1, 2)], rel=1e-6)


def test_a_helical_reducer_on_its_bearings_is_driven():
    """Its exact ratio, 61/19 times 53/17, between the floating bearings of the first and the last shaft."""
    m = ww.load(examples.path("helical-reducer"))
    m.add("drive", ww.JointDriver(joint="input-B", coordinate="angle", value="60*t^2"))
    r = m.kinematics(end=0.1, output=4)
    assert r["output-B.w"].to_numpy() == pytest.approx(r["input-B.w"].to_numpy() / (61 / 19 * 53 / 17))
