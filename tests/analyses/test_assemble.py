"""Assembly: the nearest state that fits, with what had to give, or an error that says how far off it is and where."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples

from .models import four_bar, hinge, link, slider_crank


def two_masses(distance=1.02, speeds=(0.0, 0.0)):
    """1 kg and 3 kg on the x axis, to be held 1 m apart."""
    m = ww.Mechanism("dumbbell", gravity=(0, 0, 0))
    for name, mass, x, v in (("light", 1, 0, speeds[0]), ("heavy", 3, distance, speeds[1])):
        m.add(name, ww.Body(mass=mass, inertia=(1, 1, 1), position=(x, 0, 0), velocity=(v, 0, 0)))
    frames = {"frame_a": {"position": (0, 0, 0)}, "frame_b": {"position": (0, 0, 0)}}
    m.add("rod", ww.Rod(bodies=("light", "heavy"), length=1, **frames))
    return m


@pytest.mark.slow
def test_nearest_position_in_the_metric_of_kinetic_energy():
    """Both move along the line between them, in the inverse ratio of their masses: the centre of mass stays."""
    at = two_masses().assemble()
    assert at["light.position"].to_numpy() == pytest.approx([0.015, 0, 0], abs=1e-10)
    assert at["heavy.position"].to_numpy() == pytest.approx([1.015, 0, 0], abs=1e-10)


@pytest.mark.slow
def test_a_velocity_that_is_not_given_follows_the_one_that_is():
    m = two_masses(distance=1, speeds=(4, 0))
    m.bodies["heavy"].velocity = None
    at = m.assemble()
    assert at["light.velocity"].to_numpy() == pytest.approx([4, 0, 0], abs=1e-10)
    assert at["heavy.velocity"].to_numpy() == pytest.approx([4, 0, 0], abs=1e-10)


def test_misfit_is_reported():
    at = two_masses().assemble()
    (misfit,) = at.misfits
    assert misfit.name == "rod"
    assert misfit.length == pytest.approx(0.02, abs=1e-12)
    assert misfit.angle == 0


def test_a_consistent_state_is_left_alone():
    at = four_bar().assemble()
    assert max(m.length for m in at.misfits) < 1e-15
    assert at["coupler.position"].to_numpy() == pytest.approx([0.2, 0, 0.325], abs=1e-14)


def moved(m, by):
    """The same joints, but placed in the bodies; then a body put somewhere else."""
    half = {name: np.linalg.norm([0.4, 0.25]) / 2 if name == "coupler" else None for name in m.bodies}
    body = m.bodies["coupler"]
    turned = {"axis": (1, 0, 0), "angle": -np.pi / 2}
    for name, end in (("B", -1), ("C", 1)):
        joint = m.joints[name]
        frames = []
        for part in joint.bodies:
            if part == "coupler":
                frames.append({"position": (end * half["coupler"], 0, 0), "orientation": turned})
            else:
                length = {"crank": 0.2, "rocker": np.hypot(0.1, 0.45)}[part]
                frames.append({"position": (length / 2, 0, 0), "orientation": turned})
        m.joints[name] = ww.Revolute(bodies=joint.bodies, frame_a=frames[0], frame_b=frames[1])
    body.position = tuple(np.add(body.position, by))
    return m


def test_a_loop_closes_again():
    """The coupler is 2 cm off; all three links give way and the joints close."""
    m = moved(four_bar(), (0.01, 0.0, 0.02))
    at = m.assemble()
    assert {name: round(x.length, 6) for x in at.misfits if (name := x.name) in "BC"} == {
        "B": 0.02,
        "C": 0.02,
    }
    after = max(at[f"{joint}.residual"] for joint in "ABCD")
    assert after < 1e-11
    assert np.linalg.norm(at["coupler.position"] - [0.2, 0, 0.325]) < 0.02
    assert at["coupler.position"][1] == pytest.approx(0, abs=1e-12)


def test_a_large_misfit_is_an_error_that_says_how_large_and_where():
    m = moved(four_bar(), (0.0, 0.3, 0.0))
    with pytest.raises(ww.ModelError) as caught:
        m.assemble()
    text = str(caught.value)
    assert "joints.B" in text
    assert "joints.C" in text
    assert "0.3 m apart" in text
    assert {problem.path for problem in caught.value.problems} == {"joints.B", "joints.C"}


def test_an_error_in_a_file_names_its_line(tmp_path):
    file = tmp_path / "off.yaml"
    file.write_text("""
bodies:
  arm: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  hinge:
    type: revolute
    bodies: [ground, arm]
    frame_a: {position: [0, 0, 0]}
    frame_b: {position: [-3, 0, 0]}
""")
    with pytest.raises(ww.ModelError, match=r"off\.yaml:5:3.*joints\.hinge.*2 m apart"):
        ww.load(file).assemble()


def test_directions_far_off_are_an_error_too():
    m = ww.Mechanism("twisted")
    m.add("arm", ww.Body(mass=1, inertia=(1, 1, 1)))
    turned = {"orientation": {"axis": (1, 0, 0), "angle": np.radians(30)}}
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), frame_a=turned, frame_b={"position": (0, 0, 0)}))
    with pytest.raises(ww.ModelError, match=r"30 deg apart"):
        m.assemble()


def test_a_loop_that_cannot_close():
    """Two links of 0.5 m cannot span 1.05 m. Each joint is nearly closed, so only the solution can tell."""
    m = ww.Mechanism("too short")
    turned = {"axis": (1, 0, 0), "angle": -np.pi / 2}
    m.add("left", link((0, 0), (0.5, 0.02)))
    m.add("right", link((0.55, 0.02), (1.05, 0)))
    m.add("A", hinge("ground", "left", (0, 0)))
    m.add("C", hinge("right", "ground", (1.05, 0)))
    half = np.hypot(0.5, 0.02) / 2
    ends = [{"position": (sign * half, 0, 0), "orientation": turned} for sign in (1, -1)]
    m.add("B", ww.Revolute(bodies=("left", "right"), frame_a=ends[0], frame_b=ends[1]))
    with pytest.raises(ww.ModelError, match="cannot be met together") as caught:
        m.assemble()
    assert any(problem.path == "joints.B" for problem in caught.value.problems)
    assert "remain" in str(caught.value)


def test_drivers_are_met_at_the_time_asked_for():
    m = slider_crank()
    m.add("motor", ww.JointDriver(joint="bearing", value="0.1 + 0.5*t"))
    for t in (0.0, 0.4):
        at = m.assemble(time=t)
        assert at["bearing.angle"].to_numpy() == pytest.approx(0.1 + 0.5 * t, abs=1e-10)
        assert at["bearing.w"].to_numpy() == pytest.approx(0.5, abs=1e-10)
        height = 0.1 * np.cos(0.1 + 0.5 * t)
        reach = 0.1 * np.sin(0.1 + 0.5 * t) + np.sqrt(0.3**2 - height**2)
        assert at["slider.position.x"].to_numpy() == pytest.approx(reach, abs=1e-9)


def test_result_has_reactions():
    """A body hung on a ball joint and held in place: the joint carries its weight."""
    m = ww.Mechanism("hung")
    m.add("lamp", ww.Body(mass=2, inertia=(1, 1, 1), position=(0, 0, -1)))
    m.add("hook", ww.Spherical(bodies=("ground", "lamp"), point=(0, 0, 0)))
    assert m.assemble()["hook.reaction.force"].to_numpy() == pytest.approx([0, 0, 2 * 9.80665], abs=1e-9)


def test_signals_are_labelled_and_typos_answered():
    """As those of a result: units, components, and the nearest names for one that is not there."""
    at = ww.load(examples.path("pendulum")).assemble()
    first = ww.load(examples.path("pendulum")).simulate(end=0.1, output=1)
    for name in ("hinge.angle", "hinge.reaction.force"):
        here, there = at[name], first[name].isel(time=0)
        assert here.attrs["units"] == there.attrs["units"]
        assert here.dims == there.dims
        assert here.to_numpy() == pytest.approx(there.to_numpy(), abs=1e-9)
    with pytest.raises(KeyError, match=r"there is no signal `hinge.angel`; did you mean `hinge.angle`"):
        at["hinge.angel"]
