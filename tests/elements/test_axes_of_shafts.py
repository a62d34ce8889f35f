"""Shafts between which something acts turn about one direction: an `axis` that did nothing gave wrong numbers."""

import pytest

import wheelwork as ww


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
