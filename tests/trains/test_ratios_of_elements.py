"""Ratios, planetary gears, differentials and couplers in gear trains, against the motion of the same description."""

import json
from fractions import Fraction

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.cli import main
from wheelwork.description import ModelError
from wheelwork.trains import displacements, efficiency, mobility, power_flow, speeds, torques, train_ratio

AXES = {"motor": (0.0, 1), "sun": (0.1, 1), "carrier": (0.1, 1), "left": (0.1, 1), "right": (0.1, -1)}


def shafts(names, axes=AXES) -> ww.Mechanism:
    """Shafts along z, or against it, at their x."""
    m = ww.Mechanism("gearbox", gravity=(0, 0, 0))
    for name in names:
        x, z = axes.get(name, (0.0, 1))
        m.add(name, ww.Body(mass=1, inertia=(1, 1, 0.3), position=(x, 0, 0)))
        m.add(f"on_{name}", ww.Revolute(bodies=("ground", name), point=(x, 0, 0), axis=(0, 0, z)))
    return m


def gearbox(**fields) -> ww.Mechanism:
    """A stage of -7, a planetary one with its ring held (1 + 7/2), a differential whose right joint is turned round."""
    m = shafts(AXES)
    m.parameters = {"z1": 17, "z2": 51}
    m.add("first", ww.Ratio(bodies=("motor", "sun"), ratio="-z2/z1*7/3", **fields))
    m.add("stage", ww.Planetary(sun="sun", ring="ground", carrier="carrier", ratio=3.5))
    m.add("axle", ww.Differential(left="left", right="right", carrier="carrier"))
    return m


def test_speeds_are_exact_and_those_of_the_motion():
    m = gearbox()
    graph = m.gear_train()
    assert mobility(graph).by_rank == mobility(graph).by_count == 2
    assert graph.is_exact
    assert train_ratio(graph, "motor", "carrier") == Fraction(-63, 2)
    found = speeds(graph, {"motor": 63, "left": 1})
    assert [found.of(name) for name in AXES] == [63, -9, -2, 1, 5]
    m.add("drive", ww.JointDriver(joint="on_motor", value="63*t"))
    m.add("side", ww.JointDriver(joint="on_left", value="t"))
    r = m.kinematics(end=0.1, output=2)
    for name in AXES:
        assert float(r[f"on_{name}.w"][-1]) == pytest.approx(float(found.of(name) or 0), rel=1e-12)


@pytest.mark.parametrize("drives", ["motor", "right"])
def test_torques_and_losses_are_those_of_steady_motion(drives):
    """The same torques hold the same speeds in a run, where friction of the ratio does the losses."""
    at, eta_at = (0.0, 3.0), (0.6, 0.9)
    curve = {"torque": at, "efficiency": eta_at}
    m = gearbox(efficiency=curve, efficiency_back=0.7, no_load_torque=0.05)
    graph = m.gear_train()
    load = {"motor": -4.0, "right": 4.0}[drives]
    found = torques(speeds(graph, {"motor": 63}, held=["left"]), {"right": load})
    mesh = found.meshes[0]
    assert mesh.driver == {"motor": "a", "right": "b"}[drives]
    on_b = abs(mesh.torques[1])
    eta = np.interp(on_b, at, eta_at) if drives == "motor" else 0.7
    lossless = on_b / 7
    expected = lossless / eta + 0.05 if drives == "motor" else lossless * eta - 0.05
    assert abs(mesh.torques[0]) == pytest.approx(expected, rel=1e-12)
    held = next(e.torque for e in found.externals if e.name == "motor")
    m.add("push", ww.Actuator(joint="on_motor", value=held))
    m.add("pull", ww.Actuator(joint="on_right", value=load))
    m.add("hold", ww.JointDriver(joint="on_left", value=0.0))
    for name, w in (("motor", 63), ("sun", -9), ("carrier", -2), ("right", -4)):
        m.bodies[name].angular_velocity = (0, 0, w)
    r = m.simulate(end=0.2, output=4, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(r["on_motor.w"], 63, rtol=1e-9)
    assert found.loss == pytest.approx(float(r["first.loss"][-1]), rel=1e-9)
    flow = power_flow(found)
    assert sum((flow.meshes[1].from_a, flow.meshes[1].from_b, flow.meshes[1].from_carrier)) == pytest.approx(
        0, abs=1e-9
    )


def test_efficiency_of_a_train_is_that_at_its_load():
    m = gearbox(efficiency={"torque": (0.0, 3.0), "efficiency": (0.6, 0.9)})
    graph = m.gear_train()
    light, heavy = (efficiency(graph, "motor", "right", ["left"], load) for load in (0.1, 1e3))
    assert light.forward < 0.61
    assert heavy.forward == pytest.approx(0.9, rel=1e-12)


def test_a_planetary_gear_with_its_ring_held_as_teeth_make_it():
    """Sun 20, ring 70: the element with 70/20 and the meshes give the same ratios, torques and powers."""
    toothed = shafts(("sun", "carrier"), {})
    toothed.add("planet", ww.Body(mass=1, inertia=(1, 1, 1), position=(0.045, 0, 0)))
    toothed.add("pin", ww.Revolute(bodies=("carrier", "planet"), point=(0.045, 0, 0), axis=(0, 0, 1)))
    toothed.add("inner", ww.ExternalMesh(bodies=("sun", "planet"), teeth=(20, 25)))
    toothed.add("outer", ww.InternalMesh(bodies=("planet", "ground"), teeth=(25, 70)))
    plain = shafts(("sun", "carrier"), {})
    plain.add("gear", ww.Planetary(sun="sun", ring="ground", carrier="carrier", ratio=70 / 20))
    answers = []
    for m in (toothed, plain):
        found = torques(speeds(m.gear_train(), {"sun": 90}), {"carrier": -18.0})
        answers.append((found.speeds.of("carrier"), next(e.torque for e in found.externals)))
    assert answers[0][0] == answers[1][0] == 20
    assert answers[0][1] == pytest.approx(answers[1][1]) == pytest.approx(4.0)


def test_a_closed_clutch_makes_a_planetary_gear_turn_as_a_block():
    m = shafts(("sun", "ring", "carrier"), {})
    m.add("gear", ww.Planetary(sun="sun", ring="ring", carrier="carrier", ratio=2.5))
    m.add("lock", ww.Clutch(bodies=("ring", "carrier"), torque=10, axis=(0, 0, 1)))
    m.add("brake", ww.Brake(bodies=("ground", "ring"), torque=10, axis=(0, 0, 1)))
    open_ = m.gear_train()
    assert mobility(open_).by_rank == 2
    assert open_.train.left_out["lock"] == "clutch, which counts as open"
    assert speeds(m.gear_train(["lock"]), {"sun": 5}).of("carrier") == 5
    assert speeds(m.gear_train(["brake"]), {"sun": 7}).of("carrier") == 2
    m.add("block", ww.Clutch(bodies=("sun", "ring"), torque=10, axis=(0, 0, 1)))
    assert speeds(m.gear_train(["block"]), {"sun": 5}).of("carrier") == 5
    with pytest.raises(ModelError, match=r"there is no clutch, brake or spring `lok`.*lock"):
        m.gear_train(["lok"])


@pytest.mark.slow
def test_couplers_are_relations_of_rates():
    """A tendon over three pulleys: efforts in the ratio of the factors, powers that add up to nothing."""
    m = shafts(("a", "b", "c"), {})
    m.add("slide", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add("rail", ww.Prismatic(bodies=("ground", "slide"), point=(0, 0, 0), axis=(1, 0, 0)))
    coupled = [{"joint": f"on_{name}", "factor": x} for name, x in (("a", 0.012), ("b", 0.009), ("c", -0.01))]
    m.add("tendon", ww.Coupler(joints=coupled))
    m.add("screw", ww.Coupler(joints=[{"joint": "on_c", "factor": 0.002}, {"joint": "rail", "factor": -1}]))
    graph = m.gear_train()
    assert mobility(graph).by_rank == 2
    assert mobility(graph).couplers == 2
    found = speeds(graph, {"a": 5, "b": 0})
    assert (found.of("c"), found.of("slide")) == (6, Fraction(12, 1000))
    loaded = torques(found, {"slide": -100.0})
    efforts = loaded.couplings[0].efforts
    np.testing.assert_allclose([*efforts.values()], -0.2 / 0.01 * np.array([0.012, 0.009, -0.01]), rtol=1e-12)
    assert loaded.power_in == pytest.approx(loaded.power_out)
    assert sum(power_flow(loaded).couplings[0].from_links.values()) == pytest.approx(0, abs=1e-12)
    m.add("drive", ww.JointDriver(joint="on_a", value="5*t"))
    m.add("held", ww.JointDriver(joint="on_b", value=0))
    r = m.kinematics(end=0.1, output=2)
    assert float(r["rail.speed"][-1]) == pytest.approx(0.012, rel=1e-12)
    assert displacements(graph).formulas is not None


def test_what_a_train_cannot_know_is_said():
    """Ratios that vary are taken at the start; those by signals, converters and other joints are left out by name."""
    m = shafts(("a", "b", "c", "d", "f"), {})
    m.add("cvt", ww.Ratio(bodies=("a", "b"), ratio="2.5 - 0.3*t"))
    m.add("slow", ww.Ratio(bodies=("b", "c"), ratio="1 + on_a.w", lag=0.1, ratio_at_start=4))
    m.add("soft", ww.Ratio(bodies=("c", "d"), ratio="1 + 0.01*on_a.w", stiffness=100))
    curves = {"speed_ratio": (0, 1), "torque_ratio": (2, 1), "capacity": (0.01, 0)}
    m.add("converter", ww.TorqueConverter(pump="d", turbine="f", **curves))
    graph = m.gear_train()
    assert train_ratio(graph, "a", "c") == 10
    assert any("`cvt` varies: it is taken as at t = 0, 2.5" in note for note in graph.train.notes)
    assert "formula with signals" in graph.train.left_out["soft"]
    assert "slips" in graph.train.left_out["converter"]
    with pytest.raises(ModelError, match="is not driven"):
        train_ratio(graph, "a", "f")


@pytest.mark.slow
def test_the_command_line_knows_them(tmp_path, capsys):
    m = gearbox()
    m.add("tie", ww.Coupler(joints=[{"joint": "on_left", "factor": 1}, {"joint": "on_right", "factor": 0.5}]))
    m.save(tmp_path / "gearbox.yaml")
    picture = tmp_path / "graph.svg"
    command = ["ratios", str(tmp_path / "gearbox.yaml"), "--input", "motor=63rad/s", "--load", "right=-1Nm"]
    assert main([*command, "--json", "--graph", str(picture)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [gear["type"] for gear in found["gears"]] == ["ratio", "planetary", "differential"]
    assert found["couplers"][0]["factors"]["on_right"]["fraction"] == "1/2"
    assert found["mobility"]["by_rank"] == 1
    assert "coupler" in picture.read_text()
    assert main(command) == 0
    text = capsys.readouterr().out
    assert "i = -7 in ground" in text
    assert "Efforts of couplers" in text
