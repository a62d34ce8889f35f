"""Films: how many frames, and the motion between them."""

import time

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.results import Result
from wheelwork.show.player import film, film_before_run
from wheelwork.show.player.film import MOST_FRAMES, film_of_motion
from wheelwork.system.attitude import exponential, rotation_matrices

from .models import TEETH, gear_pair, open_hinge, swing


def turned(e: np.ndarray) -> np.ndarray:
    """Angle about z of Euler parameters."""
    R = rotation_matrices(e)
    return np.arctan2(R[..., 1, 0], R[..., 0, 0])


@pytest.mark.slow
def test_frames_are_the_motion(pair, pair_film):
    scene = pair_film.scene
    assert scene.names == ["pinion", "wheel"]
    assert scene.t[0] == 0
    assert scene.t[-1] == pytest.approx(0.2)
    np.testing.assert_allclose(
        turned(scene.orientation[:, 0]), turned(np.array(pair.at(scene.t)["pinion.orientation"]))
    )


@pytest.mark.slow
def test_between_few_frames_wheels_turn_as_far_as_they_do():
    """Two hundred rad/s and a frame every 10 ms: two rad a frame, and more than half a turn later on."""
    r = gear_pair("200*t + 500*t^2").kinematics(end=0.4, output=160)
    frames = film_of_motion(r.at(np.linspace(0, 0.4, 41)).motion)
    assert np.linalg.norm(frames.rotation, axis=2).max() > 1.5 * np.pi
    for t in np.linspace(0, 0.4, 173):
        _, e = frames.pose(t)
        angle = 200 * t + 500 * t**2
        # the rate changes by 1000 rad/s^2 h between frames, which a steady turn does not follow: h^2/8 of it
        away = np.exp(1j * (turned(e[0]) - angle)) - 1
        assert abs(away) < 1000 * 0.01**2 / 8 + 1e-6
        # but both wheels stray alike, so the teeth stay in mesh to the last digit
        strayed = np.angle(1 + away)
        expected = -TEETH[0] / TEETH[1] * (angle + strayed)
        assert abs(np.exp(1j * (turned(e[1]) - expected)) - 1) < 1e-9


def test_between_frames_a_body_goes_round_not_across():
    """A quarter of a turn a frame: the chord would be 30 % of the radius off, the cubic is 1 %."""
    m = ww.Mechanism("orbit", gravity=(0, 0, 0))
    m.add("arm", ww.Body(mass=1, inertia=(0.1,) * 3, position=(1, 0, 0)))
    m.add("pin", ww.Revolute(bodies=("ground", "arm"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("drive", ww.JointDriver(joint="pin", value="10*t"))
    frames = film_of_motion(m.kinematics(end=np.pi, output=20).motion)
    distances = [np.linalg.norm(frames.pose(t)[0][0]) for t in np.linspace(0, np.pi, 97)]
    # cubic Hermite error: (omega h)^4/384 of the radius
    np.testing.assert_allclose(distances, 1, atol=1.1 * (np.pi / 2) ** 4 / 384)


def test_rotation_of_a_vector():
    about = np.array([0.3, -0.4, 1.2])
    e = exponential(about)
    assert np.linalg.norm(e) == pytest.approx(1)
    np.testing.assert_allclose(rotation_matrices(e) @ about, about)
    assert np.trace(rotation_matrices(e)) == pytest.approx(1 + 2 * np.cos(np.linalg.norm(about)))
    np.testing.assert_array_equal(exponential(np.zeros(3)), [1, 0, 0, 0])


@pytest.mark.slow
def test_forces_are_those_of_the_result(pair, pair_film):
    t = 0.0731
    found = [(kind, force) for kind, _, force in pair_film.forces(t)]
    (tooth,) = [force for kind, force in found if kind == "mesh"]
    assert np.linalg.norm(tooth) == pytest.approx(abs(float(pair.at(t)["teeth.force.normal"])), rel=1e-3)
    assert [kind for kind, _ in found].count("joint") == 2
    assert 0 < pair_film.arrow_scale < np.inf


@pytest.mark.slow
def test_million_outputs_are_shown_by_a_thousand_frames():
    """The stored arrays of a short run over and over: a million rows, as a long run leaves them."""
    r = gear_pair("200*t").kinematics(end=0.1, output=100)
    rows = 1_000_000
    motion = r.motion.moments(np.arange(rows) % 100)
    object.__setattr__(motion, "t", np.linspace(0, 1000, rows))
    long = Result(r.provenance, motion)
    began = time.process_time()
    found = film(long)
    assert time.process_time() - began < 3
    assert len(found.scene.t) == MOST_FRAMES
    assert found.note.startswith(
        "1000 frames stand for 1000000 output times; the fastest body turns by up to 2e+02 rad"
    )


def test_run_that_ended_early_says_so():
    with pytest.warns(Warning, match="gave up after 5 steps"):
        r = swing().simulate(end=2, output=20, max_steps=5)
    assert film(r).note.startswith("The run ended early: t = ")
    assert "gave up after 5 steps" in film(r).note


def test_before_a_run_names_are_there_and_nothing_moves():
    found = film_before_run(gear_pair())
    assert found.problems == []
    assert found.end == found.start
    assert [(label.name, label.kind) for label in found.scene.labels] == [
        ("pinion-bearing", "joint"),
        ("wheel-bearing", "joint"),
        ("teeth", "mesh"),
    ]
    x, _ = found.pose(0.0)
    np.testing.assert_allclose(x[1], [(sum(TEETH)) * 1e-3, 0, 0], atol=1e-12)


def test_what_cannot_be_assembled_is_shown_as_it_was_given():
    found = film_before_run(open_hinge())
    assert found.problems[0] == "It does not fit together; this is the given position."
    assert (
        "joints.hinge: the joint does not close at the given position: its points are 0.4 m apart"
        in found.problems[1]
    )
    places = {label.name: (label.body, label.point.tolist()) for label in found.scene.labels}
    assert places == {"hinge": (0, [-0.9, 0, 0]), "hinge on ground": (-1, [0, 0, 0])}


def test_description_that_is_not_whole_has_no_picture():
    m = ww.Mechanism("loose")
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0, 0), axis=(0, 1, 0)))
    with pytest.raises(ww.ModelError, match="arm"):
        film_before_run(m)
