"""Minimal coordinates against absolute ones at single states: joints hold, and nothing else accelerates the bodies.

The same mechanism is put into random positions and velocities through its minimal coordinates. In absolute coordinates
all constraints must be met there, at position and velocity level, and the accelerations that the equations with
multipliers give must be those of the ordinary differential equation. Round-off is all that may be between them.
"""

import numpy as np
import pytest

from wheelwork.description import ModelError
from wheelwork.system.matrices import full_jacobian

from .reduced_models import SEVERAL, all_models, four_bar_behind_a_gear, planetary, wheel_of_four_lumps

MODELS = all_models()
ROUND_OFF = 1e-11


def random_state(r, rng):
    u, scalars = r.rest, r.reduction.scalars
    u[:scalars] = rng.normal(size=scalars)
    for b in range(r.reduction.tree.balls):
        e = rng.normal(size=4)
        u[scalars + 4 * b : scalars + 4 * b + 4] = e / np.linalg.norm(e)
    return u, rng.normal(size=len(r.names))


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_same_accelerations(name):
    r = MODELS[name].reduced()
    prepared = r.start.prepared
    program = prepared.program
    rng = np.random.default_rng(0)
    for t in (0.0, 0.3):
        u, rates = random_state(r, rng)
        at = r.at(u, rates, t)
        g, G, _, nu = prepared.engine.constraints(t, at.state)
        v = at.state[program.nq : program.nq + program.nv]
        assert np.max(np.abs(g), initial=0) < ROUND_OFF
        assert np.max(np.abs(full_jacobian(program, G) @ v - nu), initial=0) < ROUND_OFF
        moved = r.motion(u, rates, r.forward(u, rates, t=t))
        found, exact = np.hstack([moved.a, moved.alpha]), at.motion.a[0]
        assert np.max(np.abs(found - exact)) < 1e-10 * max(1.0, np.max(np.abs(exact)))
        assert r.kinetic_energy(u, rates) == pytest.approx(float(at["energy.kinetic"]), rel=ROUND_OFF)


@pytest.mark.parametrize("name", MODELS)
def test_runtime_and_python_have_the_same_tree(name):
    r = MODELS[name].reduced()
    rng = np.random.default_rng(1)
    u, rates = random_state(r, rng)
    system = r._systems["full"]
    y = system.start(r.start.state, rates)
    y[: len(u)] = u
    state = r.absolute_state(u, rates)
    y[len(u) + len(rates) :] = state[r._integrated]
    accelerations = system.derivative(0.3, y)[len(u) : len(u) + len(rates)]
    assert accelerations == pytest.approx(r.forward(u, rates, t=0.3), rel=1e-9, abs=1e-9)
    poses = system.absolute(0.3, y)[0].reshape(-1)
    program = r.start.prepared.program
    places, turned = program.space.poses(program.coordinates(poses))
    exact = program.space.poses(program.coordinates(state))
    assert places == pytest.approx(exact[0], abs=ROUND_OFF)
    assert turned == pytest.approx(exact[1], abs=ROUND_OFF)
    assert poses[program.nq :] == pytest.approx(state[program.nq :], abs=1e-10, rel=1e-10)


@pytest.mark.slow
def test_coordinates_are_what_their_names_say():
    """A coordinate counts the signal of its name from the assembled position, whichever side of the joint is a."""
    for name in ("revolute turned on a hinge", "hinge on prismatic turned", "3 planets", "rack"):
        r = MODELS[name].reduced()
        rng = np.random.default_rng(2)
        u, rates = random_state(r, rng)
        q, speeds = r.B @ u, r.B @ rates
        for k, coordinate in enumerate(r.tree_names):
            at, start = r.at(u, rates), r.at()
            assert at[coordinate] - start[coordinate] == pytest.approx(q[k], rel=1e-9, abs=1e-9)
            rate = coordinate.replace(".angle", ".w").replace(".displacement", ".speed")
            assert at[rate] == pytest.approx(speeds[k], rel=1e-9, abs=1e-9)


def test_many_turns():
    """Angles are counted: a torque that depends on one knows how many turns there were."""
    r = MODELS["loads on wheels"].reduced()
    u, still = r.rest + 40.0, np.zeros(3)
    assert r.names[2] == "jv.angle"
    back = np.array([0, 0, 4 * np.pi])  # two turns of v, one of w: all is as before but for the counting
    found = r.applied(u, still) - r.applied(u - back, still)
    assert found == pytest.approx(-0.3 * 4 * np.pi * r.row("jw"), abs=1e-9)


def test_a_wheel_made_of_parts_is_no_spin():
    """Even as a whole, but forces act on parts that run around: it has to be a body of its own in the tree."""
    r = wheel_of_four_lumps().reduced()
    assert not r.reduction.tree.spins()
    assert [spin.bodies for _, spin in planetary(3).reduced().reduction.tree.spins()]


@pytest.mark.parametrize("ratio", [10, 1000, 20000])
def test_loop_behind_a_gear(ratio):
    """However slowly it moves, a loop that is not a gear must be seen."""
    with pytest.raises(ModelError, match="closes a loop that is not a gear"):
        four_bar_behind_a_gear(ratio).reduced()


def test_redundant_joints_leave_what_is_free():
    freedoms = {name: len(m.reduced().names) for name, m in SEVERAL.items()}
    assert set(freedoms.values()) == {1}
    assert len(planetary(4).reduced().names) == 4


def test_coordinates_of_a_train_are_those_of_its_open_loop():
    """Wheels follow, outputs lead: sun and planets are given by arm and ring."""
    assert planetary(3).reduced().names == ("swing.angle", "tilt.angle", "j-ring.angle", "j-arm.angle")
