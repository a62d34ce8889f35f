"""Relieved tips: load sharing and transmission error against `wheelwork.gears`, and pairs that enter without a jump."""

import numpy as np
import pytest

from wheelwork.gears import GearPair
from wheelwork.gears.stiffness import EnergyMethod, TipReliefCurve, static_transmission_error

from .contact_wheels import Wheels, free_pair

AMOUNT, LENGTH = 12e-6, 2.5e-3
RELIEF = [
    {"wheel": "a", "amount": AMOUNT, "length": LENGTH},
    {"wheel": "b", "amount": AMOUNT, "length": LENGTH, "power": 2},
]
PAIR = GearPair.of((20, 40), 2e-3, face_width=20e-3)
MESH = {"thickness_allowance": (0.0, 0.0), "dedendum": 1.25}
TURN = 2 * np.pi / 20


def test_relieved_pairs_share_the_load_as_in_wheelwork_gears():
    """Flanks pressed by the transmission error that `wheelwork.gears` finds for a load carry just that load, pair by
    pair; with what all pairs yield together."""
    method = EnergyMethod(PAIR)
    force = 3000.0
    angles = np.linspace(0.02, 0.98, 9) * TURN
    parts = [TipReliefCurve("a", AMOUNT, LENGTH), TipReliefCurve("b", AMOUNT, LENGTH, power=2.0)]
    static = static_transmission_error(method, force, angles, parts)
    wheels = Wheels(free_pair("external", mesh=MESH, elastic="teeth", relief=RELIEF, phase=0.0))
    base = 20e-3 * np.cos(np.radians(20))
    counts = set()
    for angle, error, forces in zip(static.angle, static.error, static.forces, strict=True):
        # half of the error each, so that the contact is where it has it there
        half = error / base / 2
        _, signals = wheels.look((0, 0, angle + half), (0, 0, -angle / 2 + half / 2))
        assert signals["transmission_error"] == pytest.approx(error, rel=1e-9)
        assert signals["force.transverse"] == pytest.approx(force, rel=3e-4)
        mine = sorted(signals[f"front.{k}.force.normal"] for k in (1, 2))
        theirs = sorted(f for f in forces if f > 0)
        assert mine[-len(theirs) :] == pytest.approx(theirs, rel=2e-3, abs=1e-3)
        counts.add(len(theirs))
        assert signals["pairs"] == len(theirs)
    assert counts == {1, 2}


@pytest.mark.slow
def test_a_relieved_pair_enters_and_leaves_without_a_jump():
    """Where the relief is more than the deflection the force does not jump between one and two pairs; else it does."""
    angles = np.linspace(0, 1, 2001) * TURN
    jumps = {}
    for name, relief in (("relieved", RELIEF), ("sharp", [])):
        wheels = Wheels(free_pair("external", mesh=MESH, relief=relief))
        lead = 6e-6 / (20e-3 * np.cos(np.radians(20)))
        force = [wheels.look((0, 0, x + lead), (0, 0, -x / 2))[1]["force.transverse"] for x in angles]
        jumps[name] = np.abs(np.diff(force)).max() / max(force)
    assert jumps["sharp"] > 0.4
    # no more than the steepest relief, 2 C_a/L of the parabola, changes the depth of one of two pairs in a step
    step = PAIR.path.base_pitch / 2000
    assert jumps["relieved"] < 2 * AMOUNT / LENGTH * step / (2 * 6e-6)
