"""Six meshes with flanks in contact: ratio, shares of the load, phases, and the same means with rigid teeth."""

import numpy as np
import pytest

import wheelwork as ww

from .bundled import model, result

CYCLE = 2 * np.pi / (18 * 104.72 * (1 - 1 / 5))
"""Mesh cycle [s]: the sun's teeth against the carrier."""


def settled():
    """The last ten mesh cycles, after the teeth have found each other."""
    r = result("planetary-contact")
    return r, r.t > r.t[-1] - 10 * CYCLE


@pytest.mark.slow
def test_ratio_of_the_mean_speeds():
    """Backlash and yielding teeth are all that angles can be off: 0.1 mm at a radius of 36 mm."""
    r, part = settled()
    turned = [r[f"{name}.bearing.angle"].to_numpy() for name in ("sun", "carrier")]
    assert turned[0] == pytest.approx(5 * turned[1], abs=2e-4 / 0.036)
    sun, carrier = (angle[part][-1] - angle[part][0] for angle in turned)
    assert sun / carrier == pytest.approx(5, rel=1e-5)


@pytest.mark.parametrize("planet", [1, 2, 3])
def test_a_third_of_the_load_each(planet):
    """120 N m at the sun's radius of 36 mm, by three; the same at the ring; means over whole cycles."""
    r, part = settled()
    torque = r["motor.torque"].to_numpy()[part].mean()
    assert torque == pytest.approx(120, rel=2e-3)
    for mesh, sign in (("sun", 1), ("ring", -1)):
        force = r[f"{mesh}{planet}.force.tangential"].to_numpy()[part]
        assert force.mean() == pytest.approx(sign * torque / 3 / 0.036, rel=2e-3)
        assert set(r[f"{mesh}{planet}.side"].to_numpy()[part]) == {sign}


def test_planets_in_phase_are_alike():
    r, part = settled()
    for mesh in ("sun", "ring"):
        one, *others = (r[f"{mesh}{k}.force.transverse"].to_numpy()[part] for k in (1, 2, 3))
        for other in others:
            assert other == pytest.approx(one, rel=1e-4, abs=0.1)


def test_load_on_carrier():
    r, part = settled()
    assert -r["load.viscous"].to_numpy()[part].mean() == pytest.approx(5 * 120, rel=2e-3)


def test_pairs_in_contact():
    """On average the contact ratios of the two kinds of mesh."""
    r, part = settled()
    for mesh in ("sun1", "ring1"):
        pitch = np.pi * 4e-3 * np.cos(np.radians(20))
        path = (r[f"{mesh}.path.end"] - r[f"{mesh}.path.start"]).to_numpy()[0]
        assert r[f"{mesh}.pairs"].to_numpy()[part].mean() == pytest.approx(path / pitch, abs=0.02)


@pytest.mark.slow
def test_rigid_teeth_have_the_same_means():
    m = model("planetary-contact")
    for mesh in m.meshes.values():
        mesh.model = ww.RigidTeeth()
    rigid = m.run()
    r, part = settled()
    for name in ("sun", "carrier"):
        assert r[f"{name}.w"].to_numpy()[part].mean() == pytest.approx(
            rigid[f"{name}.w"].to_numpy()[part].mean(), rel=1e-4
        )
