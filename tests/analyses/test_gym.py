"""The Gymnasium environment: by Gymnasium's own checker, against a simulation, and many side by side."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import wheelwork as ww
from wheelwork.gym import Environment, vectorised

SETTINGS = {
    "actions": {"torque": (-2.0, 2.0)},
    "observations": {"hinge.angle": (-7.0, 7.0), "hinge.w": (-30.0, 30.0)},
    "every": 0.02,
    "end": 0.2,
    "reward": lambda signals: -abs(signals["hinge.angle"] - 1.0) - 1e-3 * signals["torque"] ** 2,
}


def arm(value="torque") -> ww.Mechanism:
    m = ww.Mechanism("arm", kind="planar", parameters={"mass": 1.0})
    m.add("arm", ww.Body(mass="mass", inertia=0.1, position=(0, -0.5)))
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0)))
    if value == "torque":
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


def test_names_are_checked():
    with pytest.raises(ww.ModelError, match=r"`torqe`.*torque"):
        Environment(arm(), **{**SETTINGS, "actions": {"torqe": (-1, 1)}})
    with pytest.raises(KeyError, match=r"hinge\.angel"):
        Environment(arm(), **{**SETTINGS, "observations": {"hinge.angel": (-1, 1)}})
