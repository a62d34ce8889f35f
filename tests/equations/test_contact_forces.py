"""Forces of tooth contact: gradient of the energy, equal and opposite, power that adds up; helical teeth in closed
form; pairs that hand on to each other."""

import numpy as np
import pytest

from wheelwork.gears import GearPair

from .contact_wheels import KINDS, MODULE, Wheels, free_pair
from .single_force import Force

JOHNSON: dict = {"elastic": "johnson", "viscous": {"type": "hunt_crossley", "factor": 20.0}}
POWER: dict = {"elastic": {"type": "power", "force": 1e3, "depth": 1e-5}}


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_the_force_is_the_gradient_of_the_energy(kind, planar):
    """Also where the centres move apart or together, the line of centres turns and both flanks are pressed."""
    force = Force(free_pair(kind, planar=planar, mesh={"thickness_allowance": (-1e-5, -1e-5)}, **POWER))
    rng = np.random.default_rng(3)
    V = force.program.space.V
    # in space without tilting: axes that are not parallel are a mean of the two, and the energy right to first order
    free = np.tile([True] * 3 if planar else [True, True, True, False, False, True], 2)
    sides = set()
    for _ in range(30):
        step = 5e-5 * rng.normal(size=2 * V) * free
        step[V - 1 :: V] *= 10
        wrench, gradient, signals = force.at(step, np.zeros(2 * V))
        sides.add(signals["side"])
        scale = max(np.abs(wrench).max(), 1e-3)
        assert -gradient[free] == pytest.approx(wrench[free], abs=1e-8 * scale)
    assert sides >= {-1.0, 1.0}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_forces_are_opposite_and_their_power_adds_up(kind):
    """Helical teeth in slices, friction, damping, and wheels that tilt and move in all ways."""
    m = free_pair(
        kind, planar=False, helix=0.3, mesh={"friction": 0.1}, slices=5, **({} if kind == "rack" else JOHNSON)
    )
    force = Force(m)
    rng = np.random.default_rng(5)
    pressed = 0
    for _ in range(20):
        step, twist = 1e-4 * rng.normal(size=12), rng.normal(size=12)
        step[5] += 3e-3 * rng.normal()
        wrench, _, signals = force.at(step, twist)
        size = np.abs(wrench[:3]).max() + 1e-9
        places = [record[:3] for record in force.records(step, twist)]
        total = [np.cross(x, w[:3]) + w[3:] for x, w in zip(places, (wrench[:6], wrench[6:]), strict=True)]
        assert wrench[:3] == pytest.approx(-wrench[6:9], abs=1e-12 * size)
        assert total[0] == pytest.approx(-total[1], abs=1e-12 * size)
        power = wrench @ twist
        assert power == pytest.approx(
            -signals["power.elastic"] - signals["power.loss"], abs=1e-10 * size * np.abs(twist).max()
        )
        assert signals["power.loss"] >= 0
        pressed += signals["pairs"] > 0
    assert pressed > 5


@pytest.mark.parametrize("kind", KINDS)
def test_rates_are_those_of_the_depth(kind):
    """By differences over a small motion: power of the elastic force is force times rate of depth."""
    wheels = Wheels(free_pair(kind, elastic={"type": "linear", "stiffness": 1e8}))
    rng = np.random.default_rng(7)
    for _ in range(5):
        pose = np.concatenate((1e-5 * rng.normal(size=6),))
        # onto the front flank: the pinion turned ahead
        pose[2] += 4e-3
        twist = rng.normal(size=6) * [1e-3, 1e-3, 0.1, 1e-3, 1e-3, 0.1]
        _, now = wheels.look(pose[:3], pose[3:], twist)
        dt = 1e-6
        before, after = (
            wheels.look((pose + s * dt * twist)[:3], (pose + s * dt * twist)[3:])[1] for s in (-1, 1)
        )
        rate = (after["deflection"] - before["deflection"]) / (2 * dt)
        assert now["power.elastic"] == pytest.approx(now["force.transverse"] * rate, rel=1e-6, abs=1e-9)
        change = (after["potential"] - before["potential"]) / (2 * dt)
        assert change == pytest.approx(now["power.elastic"], rel=1e-6, abs=1e-6)


def test_sliding_is_that_of_the_flanks_and_turns_at_the_pitch_point():
    """v_s = (s - C)(w_a - w_b) for wheels that roll; friction goes with it."""
    wheels = Wheels(free_pair("external", mesh={"friction": 0.1}))
    pitch_point = 20e-3 * np.sin(np.radians(20))
    for turn in np.linspace(0.0, 0.3, 7):
        lead = 4e-3
        _, signals = wheels.look((0, 0, turn + lead), (0, 0, -turn / 2), [0, 0, 10.0, 0, 0, -5.0])
        for slot in ("front.1", "front.2"):
            expected = (signals[f"{slot}.position"] - pitch_point) * 15.0
            assert signals[f"{slot}.sliding"] == pytest.approx(expected, abs=1e-12)
            friction = 0.1 * signals[f"{slot}.force.normal"] * expected / np.hypot(expected, 1e-3)
            assert signals[f"{slot}.force.friction"] == pytest.approx(friction, abs=1e-9)
        assert signals["power.loss"] == pytest.approx(
            sum(abs(signals[f"{s}.sliding"] * signals[f"{s}.force.friction"]) for s in ("front.1", "front.2"))
        )


def turned(wheels, turns, lead):
    """Signals while a turns ahead of b by an angle."""
    return [wheels.look((0, 0, turn + lead), (0, 0, -turn / 2))[1] for turn in turns]


@pytest.mark.slow
def test_slots_follow_pairs_and_hand_on():
    """Over many teeth: pairs in contact are those of the path in `wheelwork.gears`, every slot moves with the
    base circle, and the depth is the same whichever pairs carry it."""
    wheels, lead = Wheels(free_pair("external")), 3.2e-3
    path = GearPair.of((20, 40), MODULE, thickness_allowance=(-40e-6, -60e-6)).path
    turns = np.linspace(0, 7.1, 1777)
    signals = turned(wheels, turns, lead)
    depth = [s["deflection"] for s in signals]
    assert np.ptp(depth) < 1e-14
    pairs = np.array([s["pairs"] for s in signals])
    positions = np.array([[s[f"front.{k}.position"] for k in (1, 2)] for s in signals])
    assert np.array_equal(pairs, path.pairs_in_contact(positions[:, 0]))
    base = 20e-3 * np.cos(np.radians(20))
    steps = np.diff(positions, axis=0) - base * np.diff(turns)[:, None]
    jumps = np.abs(steps) > 1e-9
    assert jumps.sum() == pytest.approx(7.1 / (2 * np.pi / 20), abs=1)  # one per tooth
    assert steps[jumps] == pytest.approx(-2 * path.base_pitch, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [1.0, 0.6])
def test_helical_teeth_agree_with_the_closed_form(ratio):
    """The length of all lines of contact over the face width, from the integral of the pairs along a leaning line; for
    a whole overlap ratio it does not change. The axial force is F tan(beta_b)."""
    helix = 0.3
    normal_module = MODULE * np.cos(helix)
    width = ratio * np.pi * normal_module / np.sin(helix)
    mesh = {"face_width": width, "thickness_allowance": (0.0, 0.0), "dedendum": 1.25}
    pair = GearPair.of((20, 40), normal_module, helix_angle=helix, face_width=width)
    path, lean = pair.path, np.tan(pair.a.base_helix_angle)
    assert pair.overlap_ratio == pytest.approx(ratio)
    turns, lead = np.linspace(0, 2 * np.pi / 20, 12, endpoint=False), 1e-4
    w = (np.arange(20000) + 0.5) / 20000 * width - width / 2
    for slices in (1, 4, 9):
        wheels = Wheels(free_pair("external", planar=False, helix=helix, mesh=mesh, slices=slices))
        forces, pressed = [], 0.0
        for s in turned(wheels, turns, lead):
            pressed = s["deflection"]
            pairs = path.pairs_in_contact(path.start + s["phase"] * path.base_pitch + w * lean)
            expected = 2e8 * pressed * np.mean(pairs)
            assert s["force.transverse"] == pytest.approx(expected, rel=2e-3)
            assert s["force.axial"] == pytest.approx(-s["force.transverse"] * lean, rel=1e-12)
            forces.append(s["force.transverse"])
        if ratio == 1.0:
            assert np.ptp(forces) < 1e-9 * np.mean(forces)
            assert np.mean(forces) == pytest.approx(2e8 * pressed * path.contact_ratio, rel=1e-9)
        else:
            # smoother than straight teeth, whose force changes by that of a whole pair
            assert 0.1 < np.ptp(forces) / (2e8 * pressed) < 0.7
