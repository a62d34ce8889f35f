"""Gear pair with backlash: its oscillator, and jumps over speed where harmonic balance has folds."""

import numpy as np
import pytest

import wheelwork as ww

from .bundled import model, result
from .harmonic_balance import Oscillator, folds

TE, FORCE = "mesh.transmission_error", "mesh.force.transverse"
I1, I2 = 1.5e-3, 8e-3
R1, R2 = (z * 3e-3 / 2 * np.cos(np.radians(20)) for z in (25, 40))
K, LOAD, ZETA, ERROR, HALF = 2e8, 100.0, 0.03, 2.5e-6, 0.1e-3
M_E = I1 * I2 / (R1**2 * I2 + R2**2 * I1)
NATURAL = np.sqrt(K / M_E)
RESONANT = NATURAL / 25  # speed of the pinion at which teeth mesh at the natural frequency
SHAFT = 200 / (K * R1**2)  # by this much the soft shaft is felt: 8e-4


@pytest.mark.slow
def test_the_oscillator_of_the_file():
    """(3.1)-(3.3): m_e and the natural frequency fall out of two rotors on a mesh, and so does the damping ratio; what
    the soft shaft adds is first order in its stiffness."""
    assert pytest.approx(0.8162, abs=5e-5) == M_E
    assert NATURAL / (2 * np.pi) == pytest.approx(2491, abs=0.5)
    m = model("backlash-pair")
    off = []
    for soft in (200.0, 20.0):
        modes = m.with_parameters(soft=soft, error=0).modes()
        high = [mode for mode in modes if mode.natural_frequency > 1000]
        assert len(high) == 1
        off.append(high[0].natural_frequency / (NATURAL / (2 * np.pi)) - 1)
        assert high[0].damping == pytest.approx(ZETA, rel=0.02)
    assert np.abs(off[0]) < SHAFT
    assert off[0] / off[1] == pytest.approx(10, rel=0.05)


@pytest.mark.slow
def test_the_load_presses_the_teeth():
    r = result("backlash-pair")
    late = r.t > 0.05
    # at the start the pinion is ahead by half the play and by what the load bends the teeth
    assert r[TE].to_numpy()[0] == pytest.approx(HALF + LOAD / R1 / K, rel=1e-9)
    assert pytest.approx(14.2e-6, abs=0.05e-6) == LOAD / R1 / K
    # 600 rad/s are above the resonance: the teeth part, but the mean force carries the load
    assert r["mesh.side"].to_numpy()[late].min() == 0
    assert r[FORCE].to_numpy()[late].mean() == pytest.approx(LOAD / R1, rel=0.02)  # mean over broken periods


@pytest.fixture(scope="module")
def balanced():
    """The same by harmonic balance: the shaft's damper is on the pinion, which has the share m_e R1^2/I1 of u."""
    damping = 2 * ZETA * np.sqrt(K * M_E) + 0.02 * (M_E * R1 / I1) ** 2
    oscillator = Oscillator(M_E, damping, K, HALF, LOAD / R1, ERROR)
    frequencies, motions = oscillator.curve(0.75 * NATURAL, 1.05 * NATURAL)
    return frequencies / NATURAL, oscillator.rms(motions)


@pytest.fixture(scope="module")
def swept():
    low, high = np.arange(0.804, 0.83, 0.005), np.arange(0.915, 0.94, 0.005)
    values = np.concatenate([[0.79], low, [0.85, 0.88], high, [0.96]])
    return model("backlash-pair").sweep(
        "speed",
        values * RESONANT,
        signals=[TE, FORCE],
        contacts=["mesh.side"],
        frequency="speed/(2*pi)",
        settle=15,
        measure=1,
        samples=800,
        both=True,
        rtol=1e-7,
    )


@pytest.mark.slow
def test_jumps_are_where_harmonic_balance_folds(balanced, swept):
    frequencies, _ = balanced
    up_fold, down_fold = folds(frequencies)
    up, down = swept.jumps(TE)
    assert (up.direction, down.direction) == ("up", "down")
    slack = 2 * SHAFT
    assert up.before / RESONANT - slack < up_fold < up.after / RESONANT + slack
    assert down.after / RESONANT - slack < down_fold < down.before / RESONANT + slack
    assert up.after - up.before < 0.006 * RESONANT
    band = np.array(swept.hysteresis(TE)) / RESONANT
    assert band == pytest.approx([down_fold, up_fold], abs=0.005 + slack)


@pytest.mark.slow
def test_both_branches(balanced, swept):
    """rms of the transmission error on the ways up and down; on the lower branch the teeth never part."""
    frequencies, rms = balanced
    first = int(np.argmax(np.diff(frequencies) < 0))
    last = first + 1 + int(np.argmin(frequencies[first + 1 :]))
    values = swept.values / RESONANT
    up_fold, down_fold = folds(frequencies)
    lower = np.interp(values, frequencies[: first + 1], rms[: first + 1])
    upper = np.interp(values, frequencies[last:], rms[last:])
    near = np.abs(values[:, None] - [up_fold, down_fold]).min(axis=1) < 0.004  # a fold is steep
    found = swept[TE]["rms"]
    parted = swept.dataset["open"].isel(contact=0)
    for way, until in (("up", up_fold), ("down", down_fold)):
        exact = np.where(values < until, lower, upper)
        assert found.sel(direction=way).to_numpy()[~near] == pytest.approx(exact[~near], rel=4e-3)
        open_ = parted.sel(direction=way).to_numpy()[~near] > 0
        assert np.array_equal(open_, (values > until)[~near])


def test_dynamic_factor(swept):
    """Greatest tooth force over the static one: on the upper branch the teeth take more than twice the load."""
    factor = swept[FORCE]["greatest"].sel(direction="down").to_numpy() / (LOAD / R1)
    values = swept.values / RESONANT
    assert factor[values < 0.81].max() < 2
    assert factor[values > 0.82].min() > 2.5


@pytest.mark.slow
def test_without_play_there_is_no_jump():
    """Flanks that never part: the linear response at every speed, and no hysteresis."""
    m = model("backlash-pair")
    m.meshes["mesh"].model = m.meshes["mesh"].model.model_copy(
        update={"law": "linear", "offset": ww.Formula("pressed")}
    )
    values = np.array([0.85, 0.95, 1.0, 1.05])
    options = {"signals": [TE], "frequency": "speed/(2*pi)", "settle": 15, "measure": 1, "samples": 200}
    s = m.sweep("speed", values * RESONANT, both=True, rtol=1e-7, **options)
    damping = ZETA + 0.02 * (M_E * R1 / I1) ** 2 / (2 * np.sqrt(K * M_E))
    response = (1 + 2j * ZETA * values) / (1 - values**2 + 2j * damping * values)
    for way in ("up", "down"):
        rms = s[TE]["rms"].sel(direction=way).to_numpy()
        assert rms == pytest.approx(
            np.abs(response) * ERROR / np.sqrt(2), rel=0.012
        )  # the shaft shifts the peak by 4e-4
