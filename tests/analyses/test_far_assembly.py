"""Assembly from rough sketches: joints open by any amount, to the branch that is nearest along the way."""

import numpy as np
import pytest

import wheelwork as ww

CRANK, COUPLER, ROCKER, BASE = 0.2, 0.5, 0.4, 0.6


def bar(length, **place):
    return ww.Body(mass=1, inertia=0.02, **place)


def four_bar(up: bool, rough: float) -> ww.Mechanism:
    """Links placed by frames in the bodies; the coupler and the rocker are drawn roughly, above or below the base."""
    m = ww.Mechanism("four-bar", kind="planar", gravity=(0, 0))
    side = 1 if up else -1
    m.add("crank", bar(CRANK, position=(0, CRANK / 2), angle=np.pi / 2))
    m.add("coupler", bar(COUPLER, position=(0.25 + rough, side * (0.35 + rough)), angle=0.2 * side))
    m.add("rocker", bar(ROCKER, position=(0.65 + rough, side * 0.2), angle=side * (np.pi / 2 - rough)))
    for name, a, b, ends in (
        ("A", "ground", "crank", ((0, 0), (-CRANK / 2, 0))),
        ("B", "crank", "coupler", ((CRANK / 2, 0), (-COUPLER / 2, 0))),
        ("C", "coupler", "rocker", ((COUPLER / 2, 0), (ROCKER / 2, 0))),
        ("D", "ground", "rocker", ((BASE, 0), (-ROCKER / 2, 0))),
    ):
        frames = {"frame_a": {"position": ends[0]}, "frame_b": {"position": ends[1]}}
        m.add(name, ww.Revolute(bodies=(a, b), **frames))
    m.add("hold", ww.JointDriver(joint="A", value="pi/2"))
    return m


def joint_c(up: bool) -> np.ndarray:
    """Where coupler and rocker meet: circles about the end of the crank and about D."""
    b, d = np.array([0, CRANK]), np.array([BASE, 0])
    apart = np.linalg.norm(d - b)
    along = (COUPLER**2 - ROCKER**2 + apart**2) / (2 * apart)
    e = (d - b) / apart
    return b + along * e + (1 if up else -1) * np.sqrt(COUPLER**2 - along**2) * np.array([-e[1], e[0]])


def end_of(at, body: str, length: float, side: float) -> np.ndarray:
    x, angle = at[f"{body}.position"].to_numpy(), float(at[f"{body}.angle"])
    return x + side * length / 2 * np.array([np.cos(angle), np.sin(angle)])


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("rough", [0.1, 0.3])
def test_a_sketch_is_drawn_together_on_its_own_side(up, rough):
    m = four_bar(up, rough)
    with pytest.raises(ww.ModelError, match=r"does not close.*(\n.*)*assemble\(far=True\)"):
        m.assemble()
    at = m.assemble(far=True)
    assert end_of(at, "coupler", COUPLER, 1) == pytest.approx(joint_c(up), abs=1e-9)
    assert end_of(at, "rocker", ROCKER, 1) == pytest.approx(joint_c(up), abs=1e-9)
    assert max(one.length for one in at.misfits) > 0.1


def test_a_run_starts_from_the_state_that_was_found():
    m = four_bar(True, 0.2)
    m.drivers["hold"].value = "pi/2 + t"
    r = m.simulate(end=0.5, output=10, start=m.assemble(far=True))
    assert r.outcome.good
    assert float(np.max(r["constraints.position"])) < 1e-9
    found = m.assemble(far=True)
    other = ww.Mechanism("other", kind="planar")
    other.add("one", bar(1))
    with pytest.raises(ww.ModelError, match="cannot go on from this state: it belongs to another mechanism"):
        other.simulate(end=1, start=found)


@pytest.mark.slow
def test_what_cannot_close_is_said_with_what_is_left():
    m = four_bar(True, 0.1)
    m.joints["D"].frame_a = {"position": (3, 0)}
    with pytest.raises(ww.ModelError, match="cannot be met together with the others"):
        m.assemble(far=True)


def test_a_body_far_away_and_turned_comes_to_its_hinge():
    """In space: a door 2 m off and turned by 100 degrees about all axes; it ends on its hinge, which lets it turn."""
    m = ww.Mechanism("door", gravity=(0, 0, 0))
    turned = {"rotation_vector": (0.9, -0.8, 1.2)}
    m.add("door", ww.Body(mass=20, inertia=(1, 2, 1.5), position=(2, -1, 1), orientation=turned))
    frames = {"frame_a": {"position": (0, 0, 0)}, "frame_b": {"position": (-0.4, 0, 0)}}
    m.add("hinge", ww.Revolute(bodies=("ground", "door"), **frames))
    at = m.assemble(far=True)
    assert float(np.linalg.norm(at["door.position"])) == pytest.approx(0.4, abs=1e-10)
    assert float(at["door.position"][2]) == pytest.approx(0, abs=1e-10)
    assert at["door.bryant_xyz"].to_numpy()[:2] == pytest.approx([0, 0], abs=1e-9)


def test_a_position_that_closes_stays():
    m = four_bar(True, 0.1)
    at = m.assemble(far=True)
    for name in ("coupler", "rocker", "crank"):
        body = m.bodies[name]
        body.position = tuple(at[f"{name}.position"].to_numpy().tolist())
        body.angle = float(at[f"{name}.angle"])
    again, near = m.assemble(far=True), m.assemble()
    assert again.state == pytest.approx(near.state, abs=1e-9)
