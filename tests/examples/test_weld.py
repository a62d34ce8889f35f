"""Three planes hold as one weld does."""

import numpy as np
import pytest

import wheelwork as ww

from .bundled import model, result


@pytest.fixture(scope="module")
def welded():
    m = model("weld")
    for name in ("face", "side", "ledge"):
        del m.joints[name]
    m.add("bond", ww.Fixed(bodies=("arm", "head"), point=(0.6, 0, 0)))
    return m.run()


def test_three_rows_are_redundant():
    found = model("weld").check()
    assert (found.freedoms_by_count, found.freedoms_by_rank) == (-1, 2)
    assert len(found.redundant) == 3
    assert all(".tilt" in row for row in found.redundant)


@pytest.mark.slow
def test_motion_is_that_of_the_weld(welded):
    r = result("weld")
    for body in ("arm", "head"):
        # what differs is rounding, and 1e-10 of the projection,
        for signal, tolerance in ((f"{body}.position", 1e-8), (f"{body}.w", 1e-7)):
            assert r[signal].to_numpy() == pytest.approx(welded[signal].to_numpy(), abs=tolerance)
    assert np.ptp(r["arm.position.z"].to_numpy()) > 0.2


def test_reactions_add_up_to_those_of_the_weld(welded):
    r = result("weld")
    at_head = [r.reaction(name) for name in ("face", "side", "ledge")]
    bond = welded.reaction("bond")
    # All three planes and the weld meet in one point, so torques about it simply add.
    assert sum(one.force for one in at_head).to_numpy() == pytest.approx(bond.force.to_numpy(), abs=1e-5)
    assert sum(one.torque for one in at_head).to_numpy() == pytest.approx(bond.torque.to_numpy(), abs=1e-5)
    assert "minimum_norm" in at_head[0].torque.attrs
    assert "minimum_norm" not in bond.torque.attrs


def test_redundant_torques_are_shared_equally():
    """Two planes that prevent the same rotation get half of the torque each: the smallest norm."""
    r = result("weld")
    torques = {name: r.reaction(name, body="a", frame="body").torque for name in ("face", "side", "ledge")}
    for axis, pair in {"x": ("side", "ledge"), "y": ("face", "ledge"), "z": ("face", "side")}.items():
        first, second = (torques[name].sel(component=axis).to_numpy() for name in pair)
        assert np.ptp(first) > 0.1
        assert first == pytest.approx(second, abs=1e-5)
