"""One pair with rigid, compliant and contact teeth: the guide's page runs, and models agree where they should."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "mesh-models.md"
MODELS = ("rigid", "compliant", "contact")
pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="no documentation beside the tests")


@cache
def page():
    names: dict = {}
    exec(compile(PAGE.read_text("utf-8").split("```python\n")[1].split("```")[0], str(PAGE), "exec"), names)
    return names


@cache
def run(name):
    """To a little after the reversal, every 10 us."""
    return page()["pair"](page()["MODELS"][name]).simulate(end=0.16, output=16_000)


def steady(r):
    """Twelve mesh cycles at full speed, before the reversal."""
    speed = r["pinion.w"].to_numpy()[14_999]
    return (r.t < 0.15) & (r.t > 0.15 - 12 * 2 * np.pi / (20 * speed))


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS[1:])
def test_means_are_those_of_ideal_teeth(name):
    """Speeds and tooth forces; what friction takes differs a little, as it is a mean loss in one and true in the other.

    Its loss is 0.5 % of the power.
    """
    ideal, r = run("rigid"), run(name)
    part = steady(ideal)
    for signal, tolerance in (("pinion.w", 1e-3), ("gear.w", 1e-3), ("teeth.force.tangential", 3e-3)):
        exact = ideal[signal].to_numpy()[part].mean()
        assert r[signal].to_numpy()[part].mean() == pytest.approx(exact, rel=tolerance)
    turned = r["pinion.bearing.angle"].to_numpy() + 2 * r["gear.bearing.angle"].to_numpy()
    assert np.abs(turned).max() < 60e-6 / 19e-3  # backlash and what teeth yield, at the base radius


@pytest.mark.slow
def test_only_teeth_that_yield_vibrate():
    swing = {
        name: np.ptp(run(name)["teeth.force.tangential"].to_numpy()[steady(run(name))]) for name in MODELS
    }
    assert swing["rigid"] < 5
    assert 300 < swing["compliant"] < swing["contact"] < 900


def test_contact_shows_the_pairs():
    """Together they are the force of the mesh; the number of them is the contact ratio; friction changes its sign."""
    r = run("contact")
    part = steady(r)
    normal = [r[f"teeth.front.{k}.force.normal"].to_numpy()[part] for k in (1, 2)]
    transverse = r["teeth.force.transverse"].to_numpy()[part]
    assert normal[0] + normal[1] == pytest.approx(transverse, rel=1e-9)
    path = (r["teeth.path.end"] - r["teeth.path.start"]).to_numpy()[0]
    pitch = np.pi * 2e-3 * np.cos(np.radians(20))
    assert r["teeth.pairs"].to_numpy()[part].mean() == pytest.approx(path / pitch, abs=0.02)
    before = r["teeth.front.1.position"].to_numpy()[part] < 20e-3 * np.sin(np.radians(20))
    friction = r["teeth.front.1.force.friction"].to_numpy()[part]
    touching = normal[0] > 0
    clear = np.abs(r["teeth.front.1.sliding"].to_numpy()[part]) > 0.02
    signs = {np.sign(friction[touching & clear & side][0]) for side in (before, ~before)}
    assert signs == {-1.0, 1.0}
    for side in (before, ~before):
        assert len(set(np.sign(friction[touching & clear & side]))) == 1


def test_reversal():
    """Ideal teeth turn at once; the others part, fly across 37.6 um and strike with their other flanks."""
    at = 15_010  # 0.1 ms after
    assert abs(run("rigid")["teeth.force.tangential"].to_numpy()[at]) < 10
    for name in MODELS[1:]:
        r = run(name)
        after = r.t > 0.15
        side = r["teeth.side"].to_numpy()[after]
        assert side[0] == 1
        first_free, first_back = np.flatnonzero(side == 0)[0], np.flatnonzero(side == -1)[0]
        assert 50 < first_back - first_free < 100  # 0.5 to 1 ms
        lead = r["teeth.transmission_error"].to_numpy()[after][first_free:first_back]
        half = 20e-6 * np.cos(np.radians(20))
        assert (lead[0], lead[-1]) == pytest.approx((half, -half), abs=1e-6)  # 0.05 m/s between outputs
        assert np.all(r["teeth.force.tangential"].to_numpy()[after][first_free:first_back] == 0)
