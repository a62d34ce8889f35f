"""The Gymnasium environment: by Gymnasium's own checker, against a simulation, and many side by side."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import wheelwork as ww
from wheelwork.gym import Environment, LaneEnvironment, vectorised

SETTINGS = {
    "actions": {"torque": (-2.0, 2.0)},
    "observations": {"hinge.angle": (-7.0, 7.0), "hinge.w": (-30.0, 30.0)},
    "every": 0.02,
    "end": 0.2,
    "reward": lambda signals: -abs(signals["hinge.angle"] - 1.0) - 1e-3 * signals["torque"] ** 2,
}


def arm(value="torque", **parameters) -> ww.Mechanism:
    m = ww.Mechanism("arm", kind="planar", parameters={"mass": 1.0, **parameters})
    m.add("arm", ww.Body(mass="mass", inertia=0.1, position=(0, -0.5)))
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0)))
    if value == "torque" and not parameters:
        m.add("torque", ww.State(unit="N m"))
    m.add("motor", ww.Actuator(joint="hinge", value=value))
    return m


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasiums_own_checker_accepts_it():
    check_env(Environment(arm(), **SETTINGS, randomised={"mass": (0.8, 1.2)}), skip_render_check=True)
    check_env(Environment(arm(), **SETTINGS), skip_render_check=True)


def test_an_episode_is_a_simulation():
    """Actions that rise step by step, and the same torque as a formula of time."""
    env = Environment(arm(), **SETTINGS, rtol=1e-9)
    env.reset(seed=1)
    found = []
    for k in range(10):
        observation, reward, terminated, truncated, _ = env.step(np.array([0.1 * (k + 1)], np.float32))
        found.append(observation[0])
    assert (terminated, truncated) == (False, True)
    assert reward == pytest.approx(-abs(float(env.session["hinge.angle"]) - 1) - 1e-3, abs=1e-6)
    whole = arm("0.1*(1 + floor(t/0.02 + 1e-9))").simulate(end=0.2, output=10, rtol=1e-9, progress=False)
    np.testing.assert_allclose(found, whole.series("hinge.angle").values[1:], rtol=1e-5)
    first, _ = env.reset(seed=1)
    assert tuple(first) == (0.0, 0.0)


def test_many_side_by_side():
    env = vectorised(3, arm(), **SETTINGS, randomised={"mass": (0.5, 2.0)})
    env.reset(seed=3)
    observed = None
    for _ in range(4):
        observed, *_ = env.step(np.full((3, 1), 1.5, np.float32))
    assert observed.shape == (3, 2)
    assert len(set(observed[:, 0].tolist())) == 3  # each has a mass of its own
    assert isinstance(env, gymnasium.vector.SyncVectorEnv)
    assert env.metadata["why"] == "`torque` is not a parameter: lanes take actions by parameters"


@pytest.mark.slow
def test_lanes_do_what_runs_in_pieces_do():
    """Random actions, masses and ends of episodes, each environment of lanes beside one of its own with its seed."""
    settings = {**SETTINGS, "failed": lambda signals: abs(signals["hinge.angle"]) > 0.25}
    settings |= {"randomised": {"mass": (0.5, 2.0)}, "rtol": 1e-9, "atol": 1e-11}
    lanes = vectorised(5, arm(torque=0.0), **settings)
    assert isinstance(lanes, LaneEnvironment)
    ready = arm(torque=0.0).compile()
    single = gymnasium.vector.SyncVectorEnv([lambda: Environment(ready, **settings) for _ in range(5)])
    rng, over = np.random.default_rng(1), 0
    first, other = lanes.reset(seed=7), single.reset(seed=7)
    np.testing.assert_allclose(first[0], other[0], atol=1e-6)
    np.testing.assert_allclose(first[1]["mass"], other[1]["mass"])
    for _ in range(25):
        actions = rng.uniform(-2, 2, (5, 1)).astype(np.float32)
        found, wanted = lanes.step(actions), single.step(actions)
        for a, b in zip(found[:4], wanted[:4], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)
        over += int(np.sum(found[2] | found[3]))
    assert over > 5  # some have ended, and begun anew


@pytest.mark.slow
def test_lanes_have_the_shape_that_gymnasium_asks_for():
    env = vectorised(4, arm(torque=0.0), **SETTINGS)
    assert env.metadata["engine"] == "lanes"
    observed, _ = env.reset(seed=0)
    assert env.observation_space.contains(observed)
    observed, rewards, ended, cut, told = env.step(env.action_space.sample())
    assert env.observation_space.contains(observed)
    assert (rewards.shape, ended.dtype, cut.dtype) == ((4,), bool, bool)
    assert told["t"].tolist() == [0.02] * 4
    with pytest.raises(ValueError, match="needs at least one environment"):
        vectorised(0, arm(), **SETTINGS)


@pytest.mark.slow
def test_lanes_that_end_early_say_why():
    """Ended by the number of steps: over, with the outcome by name, and seen where they stopped."""
    env = vectorised(3, arm(torque=0.0), **{**SETTINGS, "max_steps": 3}, method="rk4", step=1e-3)
    assert env.metadata["engine"] == "lanes"
    env.reset(seed=0)
    observed, rewards, ended, cut, told = env.step(np.full((3, 1), 1.0, np.float32))
    assert ended.tolist() == [True] * 3
    assert not cut.any()
    assert told["outcome"].tolist() == ["TOO_MANY_STEPS"] * 3
    assert np.all(np.isfinite(observed))
    assert np.all(observed[:, 1] > 0)  # three steps of a torque of 1 N m
    assert np.all(np.isfinite(rewards))


def play(damping):
    m = ww.Mechanism("play", gravity=(0, 0, 0), parameters={"u": 0.5})
    m.add("p", ww.Rotor(inertia=1e-3))
    m.add("q", ww.Rotor(inertia=0.1))
    m.add("gap", ww.Clearance(bodies=("p", "q"), play=0.05, stiffness=50, damping=damping))
    m.add("drag", ww.Friction(joint="q.bearing", viscous=0.1))
    m.add("motor", ww.Actuator(joint="p.bearing", value="u"))
    return m


@pytest.mark.slow
@pytest.mark.parametrize("damping", [1e-4, 0.02, 0.2])
def test_lanes_go_over_jumps_of_forces(damping):
    """A damper that sets in with the contact makes the torque jump; runs one by one say the same. And a study has all
    of its variants from its lanes."""
    settings = {"actions": {"u": (-1.0, 1.0)}, "every": 0.02, "end": 0.2, "reward": lambda signals: 0.0}
    settings |= {"observations": {"p.w": (-1e3, 1e3), "q.w": (-1e3, 1e3)}}
    lanes = vectorised(2, play(damping), **settings)
    lanes.reset(seed=3)
    for _ in range(10):
        observed, _, ended, _, told = lanes.step(np.full((2, 1), 0.5, np.float32))
        assert not ended.any(), told["outcome"]
    assert lanes.metadata["engine"] == "lanes"
    r = play(damping).simulate(end=0.2, output=100, rtol=1e-9, atol=1e-11)
    wanted = [r[name].values[-1] for name in settings["observations"]]
    np.testing.assert_allclose(observed[0], wanted, atol=1e-3)
    study = ww.Study(
        play(damping), {"u": "0.1 to 0.5 uniform"}, measures={"w": "last(q.w)"}, count=16, end=0.1
    )
    assert "run_again_by_themselves" not in study.run().attrs


def test_names_are_checked():
    with pytest.raises(ww.ModelError, match=r"`torqe`.*torque"):
        Environment(arm(), **{**SETTINGS, "actions": {"torqe": (-1, 1)}})
    with pytest.raises(KeyError, match=r"hinge\.angel"):
        Environment(arm(), **{**SETTINGS, "observations": {"hinge.angel": (-1, 1)}})
    for made in (Environment, lambda m, **options: vectorised(2, m, **options)):
        with pytest.raises(ww.ModelError, match=r"`arm.position` is a vector; .* such as `arm.position.x`"):
            made(arm(), **{**SETTINGS, "observations": {"arm.position": (-1, 1)}})
        with pytest.raises(ValueError, match=r"`mass` needs a least and a largest value, but has \(2, 1\)"):
            made(arm(torque=0.0), **SETTINGS, randomised={"mass": (2.0, 1.0)})
        env = made(arm(torque=0.0), **SETTINGS)
        env.reset(seed=0)
        with pytest.raises(ValueError, match=r"an action is .* number"):
            env.step(np.zeros((2, 2), np.float32))


@pytest.mark.filterwarnings("ignore::UserWarning")  # where it breaks off
def test_an_episode_that_broke_off_has_no_further_step():
    """The next one was of a run from the start, told as of the time where it was."""
    env = Environment(arm("2*torque + sqrt(0.01 - hinge.angle)", torque=0.0), **SETTINGS)
    env.reset(seed=0)
    while not env.step(np.array([2.0], np.float32))[2]:
        pass
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"not finite.*`reset` begins another"):
        env.step(np.array([0.0], np.float32))
    with pytest.raises(ValueError, match="the run has ended"):
        env.session.set("torque", 0.0)
    env.reset(seed=0)
    assert not env.step(np.array([0.0], np.float32))[2]
