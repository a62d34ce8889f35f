"""Trains through couplings of shafts, against the motion of the same description."""

from fractions import Fraction

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.cli import main
from wheelwork.trains import mobility, reflected_inertia, speeds, torques, train_ratio

BEND = np.radians(25)
U = np.array([0.0, 0.0, 1.0])
V = np.array([np.sin(BEND), 0.0, np.cos(BEND)])
W = np.array([np.sin(2 * BEND), 0.0, np.cos(2 * BEND)])


def shaft(m, name, at, along, carrier="ground", bearing=True) -> None:
    m.add(name, ww.Body(mass=1, inertia=(0.1, 0.1, 0.1), position=tuple(at)))
    if bearing:
        m.add(f"on_{name}", ww.Revolute(bodies=(carrier, name), point=tuple(at), axis=tuple(along)))


def bent(coupling="constant_velocity", mid_bearing=False) -> ww.Mechanism:
    """A pinion on a wheel (20:50), its shaft, a joint, a shaft at 25 degrees, a joint, a shaft at 50 degrees, which
    carries another pair (15:45)."""
    m = ww.Mechanism("bent", gravity=(0, 0, 0))
    end = 0.5 * V
    shaft(m, "pinion", (-0.14, 0, -0.2), U)
    shaft(m, "one", (0, 0, -0.2), U)
    shaft(m, "mid", 0.5 * end, V, bearing=mid_bearing)
    shaft(m, "two", end + 0.2 * W, W)
    side = np.cross((0, 1.0, 0), W)
    shaft(m, "last", end + 0.2 * W + 0.12 * side, W)
    m.add("first", ww.ExternalMesh(bodies=("pinion", "one"), teeth=(20, 50)))
    m.add("second", ww.ExternalMesh(bodies=("two", "last"), teeth=(15, 45)))
    for name, bodies, point, axes in (
        ("near", ("one", "mid"), (0, 0, 0), (U, V)),
        ("far", ("mid", "two"), end, (V, W)),
    ):
        if coupling == "constant_velocity":
            joint = ww.ConstantVelocity(
                bodies=bodies, point=tuple(point), axis=tuple(axes[0]), axis2=tuple(axes[1])
            )
        else:
            arm = np.cross(axes[0], (0, 1.0, 0))
            joint = ww.Universal(bodies=bodies, point=tuple(point), axis=tuple(arm), axis2=(0, 1, 0))
        m.add(name, joint)
    return m


@pytest.mark.parametrize("mid_bearing", [True, False])
def test_constant_velocity_joints_hand_on_the_speed(mid_bearing):
    m = bent(mid_bearing=mid_bearing)
    graph = m.gear_train()
    assert not graph.train.left_out
    assert train_ratio(graph, "pinion", "last") == Fraction(50 * 45, 20 * 15)
    assert mobility(graph).by_rank == 1
    assert graph.is_exact
    assert (
        any("`mid` is taken to turn in `ground`" in text for text in graph.train.assumptions) != mid_bearing
    )
    found = speeds(graph, {"pinion": 30})
    m.add("drive", ww.JointDriver(joint="on_pinion", value="30*t"))
    r = m.kinematics(end=0.2, output=5)
    for name in ("one", "two", "last"):
        value = float(found.of(name) or 0)
        assert np.asarray(r[f"on_{name}.w"]) == pytest.approx(value, rel=1e-9)


def test_universal_joints_hand_on_the_mean_and_say_so():
    m = bent("universal")
    graph = m.gear_train()
    assert train_ratio(graph, "one", "two") == 1
    assert "Speeds behind `near` and `far` (universal) are means over a turn." in graph.train.notes
    # one joint alone, over a turn of the shaft before it: the same angle, at a speed that varies by 1/cos and cos
    for name in ("two", "last"):
        del m.bodies[name], m.joints[f"on_{name}"]
    del m.meshes["second"], m.joints["far"], m.meshes["first"], m.bodies["pinion"], m.joints["on_pinion"]
    m.add("on_mid", ww.Revolute(bodies=("ground", "mid"), point=tuple(0.25 * V), axis=tuple(V)))
    assert train_ratio(m.gear_train(), "one", "mid") == 1
    m.add("drive", ww.JointDriver(joint="on_one", value="2*pi*t"))
    r = m.kinematics(end=1, output=200)
    turned = np.asarray(r["on_mid.angle"])
    assert turned[-1] - turned[0] == pytest.approx(2 * np.pi, rel=1e-9)
    assert np.ptp(np.asarray(r["on_mid.w"])) == pytest.approx(
        2 * np.pi * (1 / np.cos(BEND) - np.cos(BEND)), rel=1e-3
    )


def test_torque_and_inertia_go_through():
    found = torques(speeds(bent().gear_train(), {"pinion": 30}), {"last": -10.0})
    motor = next(e for e in found.externals if e.role == "input")
    assert motor.torque == pytest.approx(10.0 / 7.5, rel=1e-12)
    inertia = reflected_inertia(bent().gear_train(), "pinion").total  # three shafts at 2/5, the last at 2/15
    assert inertia == pytest.approx(0.1 * (1 + 3 * (2 / 5) ** 2 + (2 / 15) ** 2), rel=1e-12)


def test_a_wobbling_wheel_that_a_joint_keeps_from_turning():
    """A wheel on a slanting crank, held to ground by a constant-velocity joint: against the crank it turns back as the
    crank goes on; the wheel it meshes with (40:38, on the crank's axis) follows as in a planetary drive."""
    m = ww.Mechanism("wobbling", gravity=(0, 0, 0))
    shaft(m, "crank", (0, 0, -0.3), U)
    shaft(m, "wheel", (0, 0, 0), V, carrier="crank")
    m.add(
        "held",
        ww.ConstantVelocity(bodies=("ground", "wheel"), point=(0, 0, 0), axis=tuple(U), axis2=tuple(V)),
    )
    graph = m.gear_train()
    found = speeds(graph, {"crank": 5})
    assert found.against_parent("wheel") == -5
    m.add("drive", ww.JointDriver(joint="on_crank", value="5*t"))
    assert np.asarray(m.kinematics(end=0.5, output=4)["on_wheel.w"]) == pytest.approx(-5, rel=1e-9)


ELEMENTS = {
    "spring": ww.TorsionalSpring(bodies=("a", "b"), axis=(0, 0, 1), stiffness=50, damping=2),
    "stages": ww.TorsionalSpring(
        bodies=("a", "b"),
        axis=(0, 0, 1),
        characteristic={"angle": (-1, 0, 1), "torque": (-50, 0, 50)},
        damping=2,
    ),
    "play": ww.Clearance(bodies=("a", "b"), axis=(0, 0, 1), play=0.1, stiffness=50, damping=2),
    "limiter": ww.TorqueLimiter(bodies=("a", "b"), axis=(0, 0, 1), torque=30),
    "bushing": ww.Bushing(
        bodies=("a", "b"),
        point=(0, 0, 0.1),
        axis=(0, 0, 1),
        rotational_stiffness=(0, 0, 50),
        rotational_damping=(0, 0, 2),
    ),
}


def two_shafts(element, offset=0.0) -> ww.Mechanism:
    m = ww.Mechanism("two shafts", gravity=(0, 0, 0))
    shaft(m, "a", (0, 0, 0), U)
    shaft(m, "b", (offset, 0, 0.2), U)
    m.add("between", element)
    return m


@pytest.mark.parametrize("offset", [0.0, 1e-3])
@pytest.mark.parametrize("name", ELEMENTS)
def test_what_is_elastic_hands_on_the_speed_of_steady_motion(name, offset):
    """Shafts in line, and a little beside each other, which a flexible coupling bears."""
    m = two_shafts(ELEMENTS[name], offset)
    graph = m.gear_train()
    assert not graph.train.left_out
    assert train_ratio(graph, "a", "b") == 1
    assert any("`between` turn at one speed in steady motion" in text for text in graph.train.notes)
    m.add("drag", ww.Friction(joint="on_b", viscous=0.5))
    m.add("drive", ww.JointDriver(joint="on_a", value="4*t"))
    r = m.simulate(end=4, output=50)
    assert float(r["on_b.w"][-1]) == pytest.approx(4, rel=1e-3)


def test_a_damper_slips_and_a_spring_to_ground_or_a_housing_is_no_coupling():
    damper = two_shafts(
        ww.TorsionalSpring(bodies=("a", "b"), axis=(0, 0, 1), stiffness=0, damping=2)
    ).gear_train()
    assert damper.train.left_out == {"between": "spring, which counts as open"}
    m = two_shafts(ww.TorsionalSpring(joint="on_a", stiffness=50))
    assert mobility(m.gear_train()).by_rank == 2
    assert not m.gear_train().train.left_out
    m.add("housing", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add("swivel", ww.Revolute(bodies=("ground", "housing"), point=(0.3, 0, 0), axis=(0, 1, 0)))
    shaft(m, "c", (0.3, 0, 0), U, carrier="housing")
    m.add("back", ww.TorsionalSpring(joint="on_c", stiffness=50))
    assert mobility(m.gear_train()).by_rank == 4


def test_a_clutch_and_a_spring_can_still_be_closed():
    m = two_shafts(ELEMENTS["spring"])
    assert "between" not in m.gear_train(["between"]).train.gears
    assert m.gear_train(["between"]).links.of["b"] == "a"


def test_what_is_not_coupled_is_named_with_the_reason():
    """A universal joint at a pendulum, whose axis nothing tells."""
    m = ww.Mechanism("pendulum")
    shaft(m, "post", (0, 0, 0), U)
    shaft(m, "bob", (0, 0, -1), U, bearing=False)
    m.add("hook", ww.Universal(bodies=("post", "bob"), point=(0, 0, 0), axis=(1, 0, 0), axis2=(0, 1, 0)))
    assert m.gear_train().train.left_out == {"hook": "universal: nothing tells about which axis `bob` turns"}


@pytest.mark.parametrize("swing", [0.0, 0.7])
@pytest.mark.parametrize("about", [(0, 1, 0), (0, 1, 1)])
def test_half_shafts_in_a_swinging_arm(swing, about):
    """An axle in an arm that swings about an axis through the joint, across the shafts or askew to them, which turns
    the axle as well: the speeds of the motion at the given position."""
    m = ww.Mechanism("axle", gravity=(0, 0, 0))
    shaft(m, "post", (0, 0, -0.2), U)
    m.add("arm", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add("swing", ww.Revolute(bodies=("ground", "arm"), point=(0, 0, 0), axis=about))
    shaft(m, "hub", 0.2 * V, V, carrier="arm")
    m.add(
        "joint",
        ww.ConstantVelocity(bodies=("post", "hub"), point=(0, 0, 0), axis=tuple(U), axis2=tuple(V)),
    )
    graph = m.gear_train()
    assert not graph.train.left_out
    assert any("The shafts of `joint` turn in `ground` and `arm`" in text for text in graph.train.notes)
    found = speeds(graph, {"on_post": 3, "swing": swing})
    m.add("turns", ww.JointDriver(joint="on_post", value="3*t"))
    m.add("swings", ww.JointDriver(joint="swing", value=f"{swing}*t"))
    r = m.kinematics(end=1e-3, output=1)
    value = found.of("on_hub")
    assert value is not None
    assert float(r["on_hub.w"][0]) == pytest.approx(float(value), rel=1e-9)
    assert (float(value) == pytest.approx(3, rel=1e-9)) == (swing == 0 or about == (0, 1, 0))


def test_the_command_goes_through_joints_of_shafts(tmp_path, capsys):
    m = bent()
    del m.meshes["first"], m.meshes["second"]
    file = tmp_path / "bent.yaml"
    m.save(file)
    assert main(["ratios", str(file), "--input", "one=100rpm", "--hold", "pinion", "--hold", "last"]) == 0
    out = capsys.readouterr().out
    assert "constant_velocity" in out
    assert "i = 1 in ground" in out
