"""Joint coordinates and rates at the start: kept as given, others follow, contradictions with both numbers."""

import re

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.engine.standalone import save_standalone


def four_bar(kind="planar", **initial) -> ww.Mechanism:
    """A crank-rocker (crank 0.1, rod 0.4, rocker 0.3, ground 0.4 m); in space about y."""
    flat = kind == "planar"

    def at(x, y):
        return (x, y) if flat else (x, 0, y)

    top = (0.4 + 0.3 * np.cos(1.9), 0.3 * np.sin(1.9))
    elbow = np.array([0.0, 0.1])
    rod = np.linalg.norm(np.array(top) - elbow)
    m = ww.Mechanism("four bar", kind=kind)
    for name, place in (
        ("crank", (0, 0.05)),
        ("rod", (elbow + top) / 2),
        ("rocker", (np.array(top) + np.array((0.4, 0))) / 2),
    ):
        m.add(name, ww.Body(mass=1, inertia=0.01 if flat else (0.01,) * 3, position=at(*place)))
    assert 0.3 < rod < 0.5
    axis = {} if flat else {"axis": (0, -1, 0)}
    for name, bodies, place in (
        ("a", ("ground", "crank"), (0, 0)),
        ("b", ("crank", "rod"), elbow),
        ("c", ("rod", "rocker"), top),
        ("d", ("ground", "rocker"), (0.4, 0)),
    ):
        if name == "c" and not flat:
            m.add(name, ww.Spherical(bodies=bodies, point=at(*place)))
            continue
        m.add(name, ww.Revolute(bodies=bodies, point=at(*place), **axis, initial=initial.get(name)))
    return m


@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_a_loop_goes_to_the_given_angle_on_its_branch(kind):
    """The rocker's angle against the law of cosines, and its rate against differences of it."""
    (x, y), (u, v) = (0.4 + 0.3 * np.cos(1.9), 0.3 * np.sin(1.9)), (0.0, 0.1)
    rod = np.hypot(x - u, y - v)

    def rocker(turn):
        u, v = -0.1 * np.sin(turn), 0.1 * np.cos(turn)
        far = np.hypot(u - 0.4, v)
        inner = np.arccos((0.3**2 + far**2 - rod**2) / (2 * 0.3 * far))
        return np.arctan2(v, u - 0.4) % (2 * np.pi) - inner - 1.9

    for turn in (0.5, -2.0, 7.5):
        at = four_bar(kind, a={"angle": turn, "w": 3.0}).assemble()
        assert at["a.angle"] == pytest.approx(turn, abs=1e-12)
        assert at["a.w"] == pytest.approx(3.0, rel=1e-12)
        assert at["d.angle"] == pytest.approx(rocker(turn), abs=1e-10)
        slope = (rocker(turn + 1e-5) - rocker(turn - 1e-5)) / 2e-5
        assert at["d.w"] == pytest.approx(3 * slope, abs=1e-8)
        again = four_bar(kind, d={"angle": float(at["d.angle"]), "w": float(at["d.w"])}).assemble()
        assert again["d.angle"] == pytest.approx(float(at["d.angle"]), abs=1e-12)
        assert again["d.w"] == pytest.approx(float(at["d.w"]), rel=1e-12)


@pytest.mark.parametrize(
    ("initial", "said"),
    [
        ({"a": {"angle": 0.6}, "d": {"angle": 0.5}}, r"0\.5 rad \(28\.6479 deg\) contradicts the given 0\.6 rad .*`a`"),
        ({"a": {"w": 3}, "d": {"w": 3}}, r"d\.initial\.w: the given 3 rad/s contradicts the given 3 rad/s of `a`"),
        ({"a": {"displacement": 1}}, r"a revolute joint has no `displacement` \(it has `angle` and `w`\)"),
    ],
)  # fmt: skip
def test_contradictions_are_told_with_both_numbers(initial, said):
    with pytest.raises(ww.ModelError, match=said):
        four_bar(**initial).assemble()


def test_how_far_a_coordinate_goes_is_said():
    """The rocker turns back where crank and rod are in line: its least angle, from the law of cosines for all turns."""
    turn = np.linspace(-np.pi, np.pi, 20001)
    (x, y), (u, v) = (0.4 + 0.3 * np.cos(1.9), 0.3 * np.sin(1.9)), (-0.1 * np.sin(turn), 0.1 * np.cos(turn))
    far = np.hypot(u - 0.4, v)
    inner = np.arccos((0.3**2 + far**2 - x**2 - (y - 0.1) ** 2) / (2 * 0.3 * far))
    least = np.min(np.arctan2(v, u - 0.4) % (2 * np.pi) - inner - 1.9)
    with pytest.raises(ww.ModelError, match=r"-2\.61799 rad \(-150 deg\) is not reached") as told:
        four_bar(d={"angle": "-150 deg"}).assemble()
    said = re.search(r"go no further than about (\S+) rad", str(told.value))
    # to the last of twelve halvings of the way there
    assert said
    assert least <= float(said[1]) <= least + 2.7 / 2**12


def test_what_cannot_be_is_refused_when_it_is_made():
    with pytest.raises(ww.ModelError, match="initial: says nothing"):
        ww.Revolute(bodies=("ground", "a"), point=(0, 0), initial={})
    with pytest.raises(ww.ModelError, match="needs an angle"):
        ww.Revolute(bodies=("ground", "a"), point=(0, 0), initial={"angle": "3 m"})
    with pytest.raises(ww.ModelError, match="initial"):
        ww.Spherical(bodies=("ground", "a"), point=(0, 0, 0), initial={"angle": 1})


def test_velocities_of_bodies_are_told_from_rates():
    m = four_bar(a={"w": 3})
    m.bodies["crank"].angular_velocity = 2
    with pytest.raises(
        ww.ModelError, match=r"a\.initial\.w: the given 3 rad/s contradicts the given 2 rad/s of `crank`"
    ):
        m.check()
    m.bodies["crank"].angular_velocity = 3
    assert m.assemble()["a.w"] == pytest.approx(3)


def test_drivers_are_told_from_coordinates():
    m = four_bar(a={"angle": 0.3})
    m.add("turn", ww.JointDriver(joint="a", value="0.2 + t"))
    with pytest.raises(ww.ModelError, match=r"contradicts joints, meshes and drivers, it is 0\.2 rad"):
        m.simulate(0.1)
    assert m.assemble(time=0.1)["a.angle"] == pytest.approx(0.3, abs=1e-12)


SLIDER = """
wheelwork: 1
name: slider
parameters: {start: 60 deg, rate: 2 rad/s, along: 30 cm}
bodies:
  bob: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, -1]}
  nut: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [2, 0, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, bob], point: [0, 0, 0], axis: [0, -1, 0], initial: {angle: start, w: rate}}
  rail:
    type: cylindrical
    bodies: [ground, nut]
    point: [2, 0, 0]
    axis: [1, 0, 0]
    initial: {displacement: along, speed: 1 m/s, angle: 400 deg}
"""


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_files_parameters_components_and_turns(formulation):
    m = ww.loads(SLIDER)
    assert ww.loads(m.to_yaml()) == m
    outer = ww.Mechanism("outer")
    outer.add(
        "inner", ww.Component(model=m, position=(1, 2, 3), orientation={"axis": (0, 0, 1), "angle": 0.4})
    )
    for model, name in ((m, ""), (outer, "inner.")):
        r = model.simulate(end=0.1, output=2, formulation=formulation)
        assert r[f"{name}hinge.angle"][0] == pytest.approx(np.pi / 3, abs=1e-12)
        assert r[f"{name}hinge.w"][0] == pytest.approx(2.0, rel=1e-12)
        assert r[f"{name}rail.displacement"][0] == pytest.approx(0.3, abs=1e-12)
        assert r[f"{name}rail.speed"][0] == pytest.approx(1.0, rel=1e-12)
        assert r[f"{name}rail.angle"][0] == pytest.approx(np.radians(400), abs=1e-12)
    moved = m.with_parameters(start="90 deg").assemble()
    np.testing.assert_allclose(moved["bob.position"], [1, 0, 0], atol=1e-12)
    on = m.simulate(end=0.2, start=m.simulate(end=0.1), output=1)  # which starts where the other ended
    assert on["hinge.angle"][0] != pytest.approx(np.pi / 3, abs=1e-3)


def test_a_study_over_the_start():
    measures = {"swing": "greatest(hinge.angle)"}
    study = ww.Study(ww.loads(SLIDER), vary={"start": [0.1, 0.5]}, measures=measures, end=1.0)
    swing = study.run()["swing"].to_numpy()
    for start, found in zip((0.1, 0.5), swing, strict=True):
        one = ww.loads(SLIDER).with_parameters(start=start).simulate(end=1.0)["hinge.angle"].max()
        assert found == pytest.approx(float(one), abs=1e-4)
    assert swing[0] != swing[1]


def test_meshes_turn_with_it():
    """Twenty teeth on forty: half the angle, the other way, over whole turns."""
    m = ww.Mechanism("pair", kind="planar", gravity=(0, 0))
    for name, x in (("a", 0), ("b", 0.06)):
        m.add(name, ww.Body(mass=1, inertia=0.01, position=(x, 0)))
        initial = {"angle": "1000 deg", "w": 4} if name == "a" else None
        m.add(f"on-{name}", ww.Revolute(bodies=("ground", name), point=(x, 0), initial=initial))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module="2 mm"))
    at = m.assemble()
    assert np.degrees(float(at["on-a.angle"])) == pytest.approx(1000, abs=1e-9)
    assert np.degrees(float(at["on-b.angle"])) == pytest.approx(-500, abs=1e-9)
    assert at["on-b.w"] == pytest.approx(-2, rel=1e-12)


def test_a_model_that_stands_alone_refuses_it(tmp_path):
    with pytest.raises(ww.ModelError, match="stands alone does not move bodies"):
        save_standalone(ww.loads(SLIDER), tmp_path / "alone")
