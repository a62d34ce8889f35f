"""Through singular positions with every stabilisation: a parallelogram stays one, whose rod never turns."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.simulate import RunWarning
from wheelwork.engine.outcome import Outcome


def parallelogram(spin: float = 6.0) -> ww.Mechanism:
    """Links of 0.3 m on a base of 0.5 m, turning; at its flat positions it could fold into an antiparallelogram."""
    m = ww.Mechanism("parallelogram", kind="planar")
    for name, x in (("crank", 0.0), ("rocker", 0.5)):
        start = {"velocity": (-0.15 * spin, 0), "angular_velocity": spin}
        m.add(name, ww.Body(mass=1.0, inertia=0.01, position=(x, 0.15), **start))
    m.add("rod", ww.Body(mass=1.0, inertia=0.02, position=(0.25, 0.3), velocity=(-0.3 * spin, 0)))
    chain = ("ground", "crank", "rod", "rocker", "ground")
    for k, point in enumerate(((0, 0), (0, 0.3), (0.5, 0.3), (0.5, 0))):
        m.add(f"hinge{k}", ww.Revolute(bodies=(chain[k], chain[k + 1]), point=point))
    return m


KEEPING = [
    ww.Projection(),
    ww.AugmentedLagrangian(),
    ww.AugmentedLagrangian(omega=1.0),
    ww.Baumgarte(alpha=2, beta=2),
]


@pytest.mark.parametrize("stabilisation", KEEPING, ids=lambda s: s.type)
def test_a_parallelogram_stays_one(stabilisation: ww.Projection):
    r = parallelogram().simulate(end=8.0, output=50, stabilisation=stabilisation, formulation="absolute")
    assert r.outcome is Outcome.REACHED_END
    assert np.ptp(np.asarray(r["crank.angle"])) > np.pi  # at least one flat position is behind it
    assert np.abs(np.asarray(r["rod.angle"])).max() < 1e-9
    energy = np.asarray(r["energy.total"])
    assert np.ptp(energy) < 1e-6 * np.abs(energy).max()


def test_without_stabilisation_the_branch_is_in_doubt():
    with pytest.warns(RunWarning, match="singular position.*`stabilisation: projection`"):
        r = parallelogram().simulate(end=2.0, output=50, stabilisation=ww.NoStabilisation())
    assert r.outcome is Outcome.BRANCH_IN_DOUBT
    assert not r.outcome.good


@pytest.mark.slow
def test_ten_seconds_of_the_n_four_bar():
    """Augmented Lagrangian and Baumgarte at their usual 10/s left the branch after 4 and 6 s."""
    from wheelwork import examples

    m = ww.load(examples.path("n-four-bar"))
    exact = np.asarray(m.simulate(output=100, formulation="absolute")["A0.angle"])
    for stabilisation in (ww.AugmentedLagrangian(), ww.Baumgarte(alpha=10, beta=10)):
        r = m.simulate(output=100, stabilisation=stabilisation)
        assert np.asarray(r["A0.angle"]) == pytest.approx(exact, abs=1e-4)
