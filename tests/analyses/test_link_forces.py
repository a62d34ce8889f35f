"""Forces link by link against the multipliers of the equations in absolute coordinates, and against what is known.

Both balance the same bodies, so they agree to round-off: 1e-9 of the largest force.
"""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.description import ModelError, flatten
from wheelwork.layout import layout_of
from wheelwork.system.build import build
from wheelwork.trains.links import Links

from .gear_pairs import ALPHA
from .reduced_models import PAIRS, Z, pair, planetary, rack, wheel

RELATIVE = 1e-9
SHORT = {"robot": 0.05, "robot-pick-and-place": 0.2}


def assert_equal(result, forces):
    found, exact = forces.result.motion.multipliers, result.motion.multipliers
    compared = 0
    for use in result.motion.program.constraints:
        rows = slice(use.first_row, use.first_row + use.rows)
        if use.name in result._determinacy.open:
            continue
        assert use.name not in forces.open
        size = max(np.max(np.abs(exact)), 1e-12)
        assert found[:, rows] == pytest.approx(exact[:, rows], abs=RELATIVE * size), use.name
        compared += 1
    return compared


def between_links(result):
    """Joints and meshes whose forces the constraints leave open, but for those inside a link, such as bolts."""
    program = result.motion.program
    link_of = Links(layout_of(program.flat).gear_train).of
    names = [*program.bodies, "ground"]
    return [
        use.name
        for use in program.constraints
        if use.name in result._determinacy.open and link_of[names[use.a]] != link_of[names[use.b]]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", examples.names())
def test_examples(name):
    m = ww.load(examples.path(name))
    more = {"end": SHORT[name], "output": 40} if name in SHORT else {}
    result = m.run(**more)
    left = between_links(result)
    if left:  # planets that share a load, hinges that hold more than they need to
        with pytest.raises(ModelError, match="are statically indeterminate") as caught:
            m.link_forces(result)
        assert all(f"`{name}`" in str(caught.value) for name in left)
        return
    forces = m.link_forces(result)
    if not np.any(result.motion.multipliers):
        return
    determined = [
        use for use in result.motion.program.constraints if use.name not in result._determinacy.open
    ]
    if name != "drive-line":  # balanced rotors without weight: nothing but round-off
        assert assert_equal(result, forces) == len(determined)
    assert np.max(forces.left_over) < 1e-9


@pytest.mark.slow
def test_wrist_from_minimal_coordinates():
    """Motor torques and all forces for a given motion of the gripper, without any multiplier."""
    m = ww.load(examples.path("bevel-wrist"))
    m.gravity = (0, 0, -9.81)
    r = m.reduced()
    rng = np.random.default_rng(0)
    u, rates, accelerations = rng.normal(size=(3, 6, 3))
    motors = ["motor5", "motor6", "motor8"]
    forces = r.link_forces(np.arange(6.0), u, rates, accelerations, actuators=motors)
    assert [step.unknowns for step in forces.order.steps] == [6] * 10
    S = r.structure_matrix(motors)
    for k in range(6):
        torques = np.linalg.solve(S, r.inverse(u[k], rates[k], accelerations[k]))
        assert [forces.efforts[motor][k] for motor in motors] == pytest.approx(torques, rel=1e-9, abs=1e-12)
    # the same with these torques in the model: absolute coordinates find the accelerations and the forces
    for k in range(6):
        torques = {motor: forces.efforts[motor][k] for motor in motors}
        driven = ww.load(examples.path("bevel-wrist"))
        driven.gravity = (0, 0, -9.81)
        driven.drivers.clear()
        for motor, torque in torques.items():
            driven.add(f"torque-{motor}", ww.Actuator(joint=motor, value=torque))
        at = driven.reduced().at(u[k], rates[k])
        for signal in (
            "z3.reaction.force",
            "z2.reaction.torque",
            "z1.reaction.force",
            "motor8.reaction.torque",
        ):
            exact = at[signal].to_numpy()
            size = max(1e-3, np.max(np.abs(exact)))
            assert forces[signal].to_numpy()[k] == pytest.approx(exact, abs=1e-9 * size), signal
        exact = float(at["link10-link11.force.tangential"])
        assert float(forces["link10-link11.force.tangential"][k]) == pytest.approx(exact, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PAIRS, "rack"])
def test_every_mesh_on_a_moving_housing(name):
    m = rack() if name == "rack" else pair(name)
    m.add("drag", ww.Friction(joint="ja" if name != "rack" else "axle", viscous=0.3))
    result = m.simulate(end=0.3, output=30)
    forces = m.link_forces(result)
    assert_equal(result, forces)
    # both flanks carry in turn, or at least load is there at all
    assert np.max(np.abs(forces["mesh.force.tangential"].to_numpy())) > 0


@pytest.mark.slow
def test_tooth_and_bearing_forces_of_spur_wheels():
    """Chen (14)-(16) by hand: a held load on a wheel, taken by a pinion that is held."""
    m = ww.Mechanism("pair", gravity=(0, 0, 0))
    r_a, r_b, torque = 0.02, 0.04, 6.0
    for name, x in (("a", 0.0), ("b", r_a + r_b)):
        m.add(name, wheel((x, 0, 0)))
        m.add(f"j{name}", ww.Revolute(bodies=("ground", name), point=(x, 0, 0), axis=Z))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module=2e-3))
    m.add("load", ww.Actuator(joint="jb", value=torque))
    m.add("hold", ww.JointDriver(joint="ja", value=0.0))
    forces = m.link_forces(m.inverse(end=0.1, output=1))
    F = torque / r_b
    # the pinion's teeth hold b by a force along y at the pitch point, left of its centre, and both are pushed apart
    assert float(forces["mesh.force.tangential"][0]) == pytest.approx(F, rel=1e-12)
    on_b = forces["jb.reaction.force"].to_numpy()[0]
    assert on_b == pytest.approx([-F * np.tan(ALPHA), -F, 0], rel=1e-9, abs=1e-9)
    assert forces["ja.reaction.force"].to_numpy()[0] == pytest.approx(-on_b, rel=1e-9, abs=1e-9)
    assert float(forces["hold.torque"][0]) == pytest.approx(F * r_a, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_bevel_wheels_have_a_cone_angle(sign):
    """Chen (17): radial and axial force on a bevel wheel, for either flank."""
    m = ww.Mechanism("bevel", gravity=(0, 0, 0))
    r_a, r_b, torque = 0.03, 0.02, 6.0 * sign
    m.add("a", wheel((0, 0, -r_b)))
    m.add("b", wheel((r_a, 0, 0), (1.0, 0.0, 0.0)))
    m.add("ja", ww.Revolute(bodies=("ground", "a"), point=(0, 0, -r_b), axis=Z))
    m.add("jb", ww.Revolute(bodies=("ground", "b"), point=(r_a, 0, 0), axis=(1, 0, 0)))
    m.add("mesh", ww.BevelMesh(bodies=("a", "b"), teeth=(30, 20)))
    m.add("load", ww.Actuator(joint="jb", value=torque))
    m.add("hold", ww.JointDriver(joint="ja", value=0.0))
    forces = m.link_forces(m.inverse(end=0.1, output=1))
    F, delta = abs(torque) / r_b, np.arctan2(r_b, r_a)  # cone angle of b, whose axis is x
    bearing = forces["jb.reaction.force"].to_numpy()[0]
    # on b the teeth push from the apex outward (x) and towards its axis, which is up (z) from the pitch point
    assert -bearing[0] == pytest.approx(F * np.tan(ALPHA) * np.sin(delta), rel=1e-9)
    assert -bearing[2] == pytest.approx(F * np.tan(ALPHA) * np.cos(delta), rel=1e-9)
    assert abs(bearing[1]) == pytest.approx(F, rel=1e-9)


@pytest.mark.slow
def test_planets_that_share_a_load():
    m = planetary(3, moving=False)
    with pytest.raises(ModelError) as caught:
        m.link_forces(m.simulate(end=0.1, output=2))
    text = str(caught.value)
    assert "`sun-p0`" in text
    assert "`p1-ring`" in text
    assert "share the load" in text
    one = planetary(1, moving=False)
    result = one.simulate(end=0.2, output=20)
    assert_equal(result, one.link_forces(result))


def test_shaft_in_two_bearings():
    m = ww.Mechanism("shaft")
    m.add("shaft", wheel((0, 0, 0)))
    for name, z in (("left", -0.1), ("right", 0.1)):
        m.add(name, ww.Revolute(bodies=("ground", "shaft"), point=(0, 0, z), axis=Z))
    with pytest.raises(
        ModelError,
        match="`left` and `right` are statically indeterminate: 10 unknowns in the balances of `shaft`",
    ):
        m.link_forces(m.simulate(end=0.1, output=1))


def test_locating_and_floating_bearing():
    """The same shaft as it is built: one ball, one ball that floats along. Reactions are those of a beam."""
    m = ww.Mechanism("shaft", gravity=(0, 0, -9.81))
    m.add("shaft", ww.Body(mass=2.0, inertia=(1e-3, 1e-2, 1e-2), position=(0.05, 0, 0)))
    m.add("locating", ww.Spherical(bodies=("ground", "shaft"), point=(-0.1, 0, 0)))
    m.add("floating", ww.PointOnLine(bodies=("ground", "shaft"), point=(0.2, 0, 0), axis=(1, 0, 0)))
    forces = m.link_forces(m.simulate(end=0.1, output=1))
    weight = 2 * 9.81
    assert forces["locating.reaction.force"].to_numpy()[0] == pytest.approx([0, 0, weight / 2], abs=1e-9)
    assert forces["floating.reaction.force"].to_numpy()[0] == pytest.approx([0, 0, weight / 2], abs=1e-9)


@pytest.mark.slow
def test_bolts_inside_a_link():
    """Bodies bolted together: a weld is solved, three planes that hold a body more than once are left open."""
    m = ww.load(examples.path("weld"))
    forces = m.link_forces()
    assert len(forces.open) == 3
    with pytest.raises(KeyError, match="is statically indeterminate"):
        forces[f"{forces.open[0]}.reaction.force"]
    assert np.all(np.isfinite(forces["shoulder.reaction.force"].to_numpy()))

    m = ww.Mechanism("welded")
    m.add("arm", wheel((0.2, 0, 0)))
    m.add("head", ww.Body(mass=1.5, inertia=(1e-3, 1e-3, 1e-3), position=(0.5, 0, 0)))
    m.add("weld", ww.Fixed(bodies=("arm", "head")))
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0, 0), axis=(0, 1, 0)))
    result = m.simulate(end=0.3, output=10)
    forces = m.link_forces(result)
    assert forces.order.links == ("arm",)
    assert not forces.open
    assert_equal(result, forces)


@pytest.mark.slow
def test_rod_between_balls_needs_its_neighbour():
    """Six unknowns, but the force along the rod does not follow from its own balance: two links are taken together."""
    m = ww.load(examples.path("slider-crank"))
    forces = m.link_forces()
    assert max(len(step.links) for step in forces.order.steps) > 1


@pytest.mark.slow
def test_dead_centre_at_the_start():
    """The squeezer starts with two bars in line: they are balanced with a third."""
    m = ww.load(examples.path("squeezer"))
    result = m.run()
    assert_equal(result, m.link_forces(result))


@pytest.mark.slow
def test_dry_friction_and_losses():
    m = pair("external")
    m.meshes["mesh"] = ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module=1e-3, efficiency=0.9)
    m.add("rub", ww.Friction(joint="jb", coulomb=0.02, coefficient=0.1, radius=0.01))
    result = m.simulate(end=0.3, output=30)
    assert build(flatten(m)).frictions
    assert_equal(result, m.link_forces(result))


@pytest.mark.slow
def test_motion_of_something_else():
    """Forces that do not balance are an error: here an actuator is missing."""
    r = ww.load(examples.path("bevel-wrist")).reduced()
    with pytest.raises(ModelError, match="do not balance"):
        r.link_forces([0.0], np.zeros((1, 3)), np.ones((1, 3)), np.ones((1, 3)))


@pytest.mark.parametrize("crossed", [False, True])
@pytest.mark.parametrize("tension", [0.0, 60.0, 200.0])
def test_belt_pulls_with_its_tension_until_a_strand_hangs_loose(tension, crossed):
    """By hand: along the line of centres max(2 T_0, |F_t|) cos(theta), across it F_t sin(theta). F_t changes sign, and
    with 60 N the slack strand hangs loose at some times and not at others."""
    m = ww.Mechanism("belt", gravity=(0, 0, 0))
    for name, at, inertia in (("a", 0.0, 0.01), ("b", 0.5, 0.04)):
        m.add(name, ww.Body(mass=1, inertia=(inertia,) * 3, position=(at, 0, 0)))
        m.add(f"bearing-{name}", ww.Revolute(bodies=("ground", name), point=(at, 0, 0), axis=(0, 0, 1)))
    m.add("belt", ww.BeltMesh(bodies=("a", "b"), radii=(0.05, 0.08), tension=tension, crossed=crossed))
    m.add("drive", ww.Actuator(joint="bearing-a", value="12*sin(20*t)"))
    m.add("load", ww.Friction(joint="bearing-b", viscous=1))
    result = m.simulate(end=0.5, output=40, formulation="absolute")
    forces = m.link_forces(result)
    pull = np.asarray(forces["belt.force.tangential"])
    sine = (0.05 + 0.08 if crossed else 0.05 - 0.08) / 0.5
    both = np.maximum(2 * tension, np.abs(pull))
    if tension == 60:
        assert {*np.sign(np.abs(pull) - 2 * tension)} == {-1, 1}
    expected = np.stack([both * np.sqrt(1 - sine**2), -pull * sine], axis=1)  # of the bearing on b
    found = np.asarray(forces["bearing-b.reaction.force"])[:, :2]
    np.testing.assert_allclose(found, expected, atol=1e-9 * (400 + tension))
    assert np.max(forces.left_over) < 1e-9
    assert_equal(result, forces)


@pytest.mark.slow
def test_belts_one_after_the_other_on_a_swinging_arm():
    """Two tight belts and an arm that is balanced together with its pulleys: pieces are found together."""
    m = ww.Mechanism("arm")
    m.add("arm", ww.Body(mass=3, inertia=(0.2,) * 3, position=(0.5, 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0, 0), axis=(0, 1, 0)))
    for k, at in enumerate((0.0, 0.5, 1.0)):
        m.add(f"p{k}", ww.Body(mass=1, inertia=(0.01,) * 3, position=(at, 0.1, 0)))
        m.add(f"j{k}", ww.Revolute(bodies=("arm", f"p{k}"), point=(at, 0.1, 0), axis=(0, 1, 0)))
    m.add("first", ww.BeltMesh(bodies=("p0", "p1"), radii=(0.05, 0.08), tension=20))
    m.add("second", ww.BeltMesh(bodies=("p1", "p2"), radii=(0.04, 0.06), tension=5))
    m.add("drive", ww.Actuator(joint="j0", value="2*sin(15*t)"))
    m.add("load", ww.Friction(joint="j2", viscous=0.1))
    result = m.simulate(end=1, output=50, formulation="absolute")
    assert_equal(result, m.link_forces(result))
