"""Modes that begin on the edge of another."""

import numpy as np
import pytest

import wheelwork.description as ww
from wheelwork.engine.engine import EventKind

from .small_models import (
    GRAVITY,
    balls,
    body,
    bouncing_ball,
    energy,
    engine_of,
    hinge,
    mechanism,
    on_plane,
    run,
    slider,
)


def test_a_second_run_begins_anew():
    engine = engine_of(bouncing_ball(rest_speed=0.1))
    first, second = (run(engine, 1.0) for _ in range(2))
    np.testing.assert_array_equal(first.state, second.state)


def test_looking_at_a_body_does_not_push_it():
    spring = ww.Spring(bodies=("c", "d"), point_a=(2, 0, 0), point_b=(3, 0, 0), stiffness=10, free_length=0.5)
    engine = engine_of(
        mechanism(
            *((name, body((k, 0, 0))) for k, name in enumerate("abcd")),
            ("spring", spring),
            ("f", ww.Force(body="a", value=("b.velocity.x", 0, 0))),
            gravity=(0, 0, 0),
        )
    )
    result = run(engine, 0.5)
    np.testing.assert_allclose(result.final_state[[0, 7]], [0, 1], atol=1e-12)


def test_two_joints_break_loose_together():
    pairs = [slider("a"), slider("b", 1.0)]
    friction = [(f"f{n}", ww.Friction(joint=f"{n}-guide", coulomb=1)) for n in "ab"]
    pulls = [(f"p{n}", ww.Actuator(joint=f"{n}-guide", value="2*t")) for n in "ab"]
    result = run(engine_of(mechanism(*pairs[0], *pairs[1], *friction, *pulls)), 2.0)
    assert [e.kind for e in result.events] == [EventKind.SLIDE] * 2
    np.testing.assert_allclose(result.final_state[[14, 20]], 2.25, atol=1e-8)


def test_friction_without_load_does_not_hold():
    engine = engine_of(
        mechanism(
            ("r", ww.Rotor(inertia=1)),
            ("f", ww.Friction(joint="r.bearing", coefficient=0.1, radius=0.01)),
            ("x", ww.Actuator(joint="r.bearing", value="sin(t)")),
        )
    )
    assert run(engine, 1.0).final_state[12] == pytest.approx(1 - np.cos(1), abs=1e-8)


def test_a_contact_without_force_does_not_hold():
    law = ww.Restitution(coefficient=0.5)
    pull = ww.Force(body="ball", value=(0, 0, "2*t"))
    engine = engine_of(
        mechanism(
            ("ball", body((0, 0, 0.1))), ("c", on_plane("ball", law)), ("pull", pull), gravity=(0, 0, 0)
        )
    )
    assert run(engine, 1.0).final_state[2] == pytest.approx(0.1 + 1 / 3, abs=1e-8)


def test_short_flights_are_not_missed():
    result = run(engine_of(bouncing_ball(0.5, 1e-6)), 1.0)
    assert result.final_state[2] == pytest.approx(0.1, abs=1e-9)


def test_contacts_that_pull_from_the_start_open():
    law = ww.Restitution(coefficient=0.5)
    feet = [(f"c{k}", on_plane("table", law, (x, 0, 0))) for k, x in enumerate((-0.5, 0.5))]
    lift = ("lift", ww.Force(body="table", value=(0, 0, 15.0)))
    result = run(engine_of(mechanism(("table", body((0, 0, 0.1))), *feet, lift)), 1.0)
    assert result.final_state[2] == pytest.approx(0.1 + (15 - GRAVITY) / 2, abs=1e-8)


def test_a_resting_contact_opens_in_an_impact():
    """A rod on two supports is hit beyond the right one and turns about it: J = 0.1 + 0.5^2 there, arm 0.5."""
    law = ww.Restitution(coefficient=0)
    engine = engine_of(
        mechanism(
            ("rod", body((0, 0, 0.1))),
            ("ball", body((1, 0, 0.5))),
            ("left", on_plane("rod", law, (-0.5, 0, 0))),
            ("right", on_plane("rod", law, (0.5, 0, 0))),
            ("hit", balls("ball", "rod", 0.5, (1, 0, 0))),
        )
    )
    result = run(engine, 0.21)
    assert [(e.kind, e.element) for e in result.events] == [
        (EventKind.IMPACT, "hit"),
        (EventKind.RELEASE, "left"),
    ]
    reduced = 1 / (1 + 0.5**2 / 0.35)
    assert result.events[0].size == pytest.approx(1.5 * np.sqrt(2 * GRAVITY * 0.2) * reduced, rel=1e-8)


def test_a_joint_at_rest_notices_a_short_push():
    """While all is at rest the error is zero, and no reason for short steps; the output's interval is one."""
    push = ww.Actuator(joint="a-guide", value="2*exp(-(10*(t - 1))^2)")
    result = run(
        engine_of(mechanism(*slider("a"), ("f", ww.Friction(joint="a-guide", coulomb=1)), ("push", push))),
        2.0,
    )
    assert [e.kind for e in result.events] == [EventKind.SLIDE, EventKind.STICK]
    assert result.events[0].t == pytest.approx(1 - 0.1 * np.sqrt(np.log(2)), abs=1e-8)


def test_dry_friction_carries_no_impulse():
    """A ball hits an equal block that friction holds: the block leaves at its speed and is braked by 1 m/s^2."""
    ball = body((-1, 0, 0), velocity=(2, 0, 0), affected_by_gravity=False)
    engine = engine_of(
        mechanism(
            *slider("block"),
            ("f", ww.Friction(joint="block-guide", coulomb=1)),
            ("ball", ball),
            ("hit", balls("ball", "block", 1.0)),
        )
    )
    result = run(engine, 1.0)
    np.testing.assert_allclose(result.final_state[[14, 20]], [2 - 0.6, 0], atol=1e-8)


def test_impacts_at_the_start_are_noted():
    falling = body((0, 0, 0.1), velocity=(0, 0, -1))
    engine = engine_of(mechanism(("ball", falling), ("c", on_plane("ball", ww.Restitution(coefficient=0.5)))))
    first = run(engine, 0.05).events[0]
    assert (first.kind, first.t) == (EventKind.IMPACT, 0.0)
    assert first.size == pytest.approx(1.5)


@pytest.mark.parametrize("stabilisation", ["projection", "augmented_lagrangian"])
def test_an_elastic_impact_keeps_the_energy(stabilisation):
    weightless = {"affected_by_gravity": False}
    engine = engine_of(
        mechanism(
            ("arm", body((0.5, 0, 0), **weightless)),
            ("hinge", hinge("ground", "arm", (0, 0, 0))),
            ("ball", body((1, 0, 0.5), velocity=(0, 0, -1), **weightless)),
            ("hit", balls("ball", "arm", 1.0, (0.5, 0, 0))),
        )
    )
    values = (0, 0, 1e5, 10, 1, 1e-12)
    options = {"stabilisation_values": values, "stabilisation_iterations": 20}
    result = run(engine, 0.8, stabilisation=stabilisation, **options)
    assert len(result.events) == 1
    # the impact is found to 1e-10 s, and so the direction of the normal
    np.testing.assert_allclose(energy(engine, result.state), 0.5, atol=1e-8)
