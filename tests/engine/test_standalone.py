"""A compiled model that stands alone: the same motion, other parameters without CasADi, honest refusals."""

import json
import shutil

import numpy as np
import pytest
from processes import printed, python

import wheelwork as ww
from wheelwork.engine.outcome import Outcome
from wheelwork.engine.standalone import Standalone, save_standalone


def swing() -> ww.Mechanism:
    m = ww.Mechanism("swing", parameters={"length": "1 m", "torque": 2.0})
    m.add("bob", ww.Body(mass=1, inertia=(0.1, 0.1, 0.1), position=("length", 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
    m.add("motor", ww.Actuator(joint="hinge", value="torque*sin(3*t)"))
    m.add("drag", ww.Friction(joint="hinge", viscous=0.05))
    return m


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_standalone(swing(), tmp_path_factory.mktemp("swing"))


@pytest.mark.slow
def test_same_motion_as_the_mechanism(folder):
    run = Standalone.load(folder).run(2.0, output=20)
    result = swing().simulate(end=2.0, output=20, formulation="absolute")
    assert run.outcome is Outcome.REACHED_END
    # the same kernels, runtime and settings: equal to round-off
    np.testing.assert_allclose(run.state[:, :3], result["bob.position"].values, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["dopri5", "sdirk4"])
def test_other_parameters_compile_nothing(folder, method):
    model = Standalone.load(folder)
    model.set_parameters(length=2.0, torque=5.0)
    changed = swing().with_parameters(length=2.0, torque=5.0).simulate(end=1.0, output=10, method=method)
    np.testing.assert_allclose(
        model.run(1.0, output=10, method=method).state[:, :3], changed["bob.position"].values, atol=1e-11
    )


@pytest.mark.slow
def test_runs_without_casadi(folder):
    code = (
        "import sys\n"
        "sys.modules['casadi'] = None\n"  # any import of it fails
        "from wheelwork.engine.standalone import Standalone\n"
        f"print(Standalone.load({str(folder)!r}).run(0.5, output=1).state[-1, :3].tolist())\n"
    )
    said = printed("-c", code)
    expected = swing().simulate(end=0.5, output=1)["bob.position"].values[-1]
    np.testing.assert_allclose(json.loads(said), expected, atol=1e-12)


def test_says_what_its_numbers_are(folder):
    model = Standalone.load(folder)
    about = json.loads((folder / "model.json").read_text())
    assert [s["name"] for s in model.states[:2]] == ["bob.center.x", "bob.center.y"]
    assert len(model.states) == len(model.given)
    assert about["parameters"] == {"length": 1.0, "torque": 2.0}
    assert about["parameter_units"]["length"] == "m"
    assert {"name": "hinge.angle", "unit": "rad", "meaning": "joint angle, counted over turns"} in about[
        "signals"
    ]


def test_refuses_what_it_does_not_know(folder, tmp_path):
    with pytest.raises(KeyError, match=r"no parameter \['lenght'\]"):
        Standalone.load(folder).set_parameters(lenght=1.0)
    copy = tmp_path / "old"
    shutil.copytree(folder, copy)
    seal = json.loads((folder / "seal.json").read_text())
    (copy / "seal.json").write_text(json.dumps(seal | {"format": 99}))
    with pytest.raises(ValueError, match="format 99"):
        Standalone.load(copy)


def geared() -> ww.Mechanism:
    """A pinion on compliant teeth: their backlash and stiffness follow from the shape of the teeth, and no formula."""
    m = ww.Mechanism(
        "geared",
        kind="planar",
        gravity=(0, 0),
        parameters={"thinner": "50 um", "wide": "20 mm", "twice": "2*torque", "torque": 5.0, "when": 0.004},
    )
    m.add("pinion", ww.Rotor(inertia=1e-3, speed=20))
    m.add("wheel", ww.Rotor(inertia=1e-2, speed=-10, position=("60 mm", 0)))
    m.add(
        "mesh",
        ww.ExternalMesh(
            bodies=("pinion", "wheel"),
            teeth=(20, 40),
            module="2 mm",
            face_width="wide",
            thickness_allowance=("-thinner", 0),
            model=ww.CompliantTeeth(stiffness=ww.IsoStiffness(), damping_ratio=0.05),
        ),
    )
    m.add("push", ww.Torque(body="pinion", value="if(t < when, twice, -twice)"))
    return m


@pytest.fixture(scope="module")
def geared_folder(tmp_path_factory):
    return save_standalone(geared(), tmp_path_factory.mktemp("geared"))


@pytest.mark.slow
@pytest.mark.parametrize("changed", [{"thinner": 150e-6}, {"wide": 0.05}, {"torque": 8.0, "when": 0.0063}])
def test_numbers_found_from_teeth_formulas_and_corners_follow_the_parameters(geared_folder, changed):
    model = Standalone.load(geared_folder)
    before = model.run(0.01, output=10).state[-1, 2]
    model.set_parameters(**changed)
    run = model.run(0.01, output=10)
    m = geared().with_parameters(changed)
    result = m.simulate(0.01, output=10, formulation="absolute")
    assert abs(run.state[-1, 2] - before) > 1e-6
    np.testing.assert_allclose(run.state[:, 2], result["pinion.bearing.angle"].values, rtol=1e-9)
    if "when" in changed:
        assert model.parameters["twice"] == 16.0
    model.set_parameters(thinner=50e-6, wide=0.02, torque=5.0, when=0.004)
    assert model.run(0.01, output=10).state[-1, 2] == before


@pytest.mark.parametrize("start", ["rolling", "loaded"])
def test_a_start_at_which_others_follow_is_refused(tmp_path, start):
    """Speeds of the wheel follow from those of the pinion in a run: without a word it stood still here."""
    m = geared()
    m.bodies["wheel"] = ww.Rotor(inertia=1e-2, position=("60 mm", 0))
    m.start = start
    with pytest.raises(ww.ModelError, match=f"is `{start}`.*none for `wheel` .*start: rest"):
        save_standalone(m, tmp_path)
    m.start = "rest"
    run = Standalone.load(save_standalone(m, tmp_path)).run(1e-4, output=4)
    state = m.simulate(1e-4, output=4, formulation="absolute")["pinion.bearing.angle"].values
    np.testing.assert_allclose(run.state[:, 2], state, rtol=1e-9)


@pytest.mark.slow
def test_says_what_it_cannot_find_without_casadi(geared_folder):
    code = (
        "import sys\n"
        "sys.modules['casadi'] = None\n"
        "from wheelwork.engine.standalone import Standalone\n"
        f"model = Standalone.load({str(geared_folder)!r})\n"
        "model.set_parameters(torque=8.0)\n"
        "try: model.set_parameters(thinner=1e-4)\n"
        "except ValueError as error: print(error)\n"
    )
    said = printed("-c", code)
    assert "`thinner` may change numbers that are found from the shape of teeth, which needs casadi" in said


@pytest.mark.slow
def test_a_given_speed_is_kept(tmp_path):
    m = ww.Mechanism("pair", kind="planar", gravity=(0, 0))
    m.add("a", ww.Rotor(inertia=1, speed=10))
    m.add("b", ww.Rotor(inertia=1, position=("60 mm", 0)))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module="2 mm"))
    run = Standalone.load(save_standalone(m, tmp_path)).run(0.1, output=1)
    np.testing.assert_allclose(run.state[0, 6:12], [0, 0, 10, 0, 0, -5], atol=1e-10)


@pytest.mark.parametrize("name", ["model.json", "tables.npz", "kernels.ll", "seal.json"])
@pytest.mark.parametrize("damage", ["flipped", "cut", "gone"])
def test_a_damaged_folder_is_refused_with_the_file(folder, tmp_path, name, damage):
    """Tables with other numbers would lead the runtime out of its memory."""
    copy = tmp_path / "damaged"
    shutil.copytree(folder, copy)
    content = bytearray((copy / name).read_bytes())
    if damage == "gone":
        (copy / name).unlink()
    else:
        content[len(content) // 2] ^= 1
        (copy / name).write_bytes(content[: len(content) // 2] if damage == "cut" else content)
    with pytest.raises(ValueError, match=r"cannot be read|not what was written|format") as caught:
        Standalone.load(copy)
    assert str(copy) in str(caught.value)


def crank(value) -> ww.Mechanism:
    m = ww.Mechanism("crank", gravity=(0, 0, 0), parameters={"when": 0.5, "height": 1.0})
    m.add("bob", ww.Body(mass=1, inertia=(0.1, 0.1, 0.1), position=(1, 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
    m.add("hand", ww.JointDriver(joint="hinge", value=value))
    return m


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("height*step(t - when)", r"driver `hand` jumps by 2 rad at t = 0.7 s"),
        ("atan2(sin(t*pi/when*0.5), cos(t*pi/when*0.5))*height/pi", r"driver `hand` jumps by 4 rad at t = 1.4 s"),
    ],
)  # fmt: skip
def test_a_driver_that_jumps_is_refused_without_casadi(value, text, tmp_path):
    """As by the mechanism itself, for the parameters at hand."""
    folder = save_standalone(crank(value), tmp_path)
    model = Standalone.load(folder)
    model.set_parameters(when=0.7, height=2.0)
    with pytest.raises(ValueError, match=text):
        model.run(2.0)
    with pytest.raises(ww.ModelError, match=text.removeprefix("driver `hand` ")):
        crank(value).with_parameters(when=0.7, height=2.0).simulate(2.0)
    code = (
        "import sys\n"
        "sys.modules['casadi'] = None\n"
        "from wheelwork.engine.standalone import Standalone\n"
        f"Standalone.load({str(folder)!r}).run(2.0)\n"
    )
    done = python("-c", code)
    assert "jumps by 1 rad at t = " in done.stderr or "jumps by 2 rad at t = 1 s" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "value",
    ["height*max(0, t - when)", ww.Table(time=(0, 0.5, 1), value=(0, 0, 0.5), interpolation="linear")],
)
def test_a_driver_whose_speed_jumps_is_told(value, tmp_path):
    model = Standalone.load(save_standalone(crank(value), tmp_path))
    with pytest.warns(UserWarning, match=r"`hand`: its speed jumps by 1 rad/s at t = 0.5 s"):
        model.run(1.0)


@pytest.mark.slow
def test_play_of_the_teeth_follows_their_thickness(tmp_path):
    """The pinion goes from flank to flank of a wheel that is held. Teeth thinner by E leave the normal backlash
    E cos(20 deg): 93.97 um for 0.1 mm, 281.9 um for 0.3 mm. It stayed at that of the saved model."""
    m = ww.Mechanism("play", kind="planar", gravity=(0, 0), parameters={"thinner": "0.1 mm"})
    m.add("pinion", ww.Rotor(inertia=1e-5))
    m.add("wheel", ww.Rotor(inertia=1, position=("60 mm", 0)))
    m.add("held", ww.JointDriver(joint="wheel.bearing", value=0.0))
    teeth = ww.CompliantTeeth(stiffness=ww.IsoStiffness(), damping_ratio=0.5)
    m.add(
        "mesh",
        ww.ExternalMesh(
            bodies=("pinion", "wheel"),
            teeth=(20, 40),
            module="2 mm",
            face_width="20 mm",
            thickness_allowance=("-thinner/2", "-thinner/2"),
            model=teeth,
        ),
    )
    m.add("oil", ww.Friction(joint="pinion.bearing", viscous=1e-2))
    m.add("push", ww.Torque(body="pinion", value="if(t < 0.03, 0.01, -0.01)"))
    model = Standalone.load(save_standalone(m, tmp_path, implicit=False))
    for thinner in (1e-4, 3e-4, 1e-4):
        model.set_parameters(thinner=thinner)
        run = model.run(0.06, output=60)
        assert run.outcome is Outcome.REACHED_END
        play = (run.state[30, 2] - run.state[-1, 2]) * 0.020 * np.cos(np.radians(20))
        assert play == pytest.approx(thinner * np.cos(np.radians(20)), abs=2e-8)
