"""Dynamic factor, contact loss, regimes of impact and order spectra of sweeps, on motions that are known."""

import numpy as np
import pytest
import xarray as xr

from wheelwork.analyses.vibration import ContactLoss, Sweep
from wheelwork.analyses.vibration.measures import statistics

PERIODS, SAMPLES = 4, 32
SPEEDS = np.array([1.0, 2.0, 3.0, 4.0, 5.0])


def known(size):
    """A tooth force with orders 1 and 5/2 about its mean, and the side that touches."""
    t = np.arange(PERIODS * SAMPLES) / SAMPLES
    force = 100 + size * np.sin(2 * np.pi * t) + 7 * np.cos(2 * np.pi * 2.5 * t)
    side = np.where(size < 100, 1.0, np.where(force > 0, 1.0, 0.0 if size < 160 else -1.0))
    return np.column_stack([force, side])


def sweep(histories=True):
    """Speeds at which it swings more and more, and less again; up only."""
    motions = np.array([known(size) for size in (20, 130, 180, 50, 120)])[None]
    dims = ("direction", "speed", "signal")
    data = {name: (dims, value) for name, value in statistics(np.moveaxis(motions, 2, 0)).items()}
    opened = np.mean(motions[..., 1] != 1, axis=-1)[..., None]
    data["open"] = (("direction", "speed", "contact"), opened)
    if histories:
        data["history"] = (("direction", "speed", "sample", "signal"), motions)
    data["section"] = (("direction", "speed", "period", "signal"), motions[:, :, ::SAMPLES])
    coordinates = {
        "direction": ["up"],
        "speed": ("speed", SPEEDS, {"units": "rad/s"}),
        "signal": ["mesh.force.transverse", "mesh.side"],
        "unit": ("signal", ["N", "1"]),
        "contact": ["mesh.side"],
    }
    return Sweep("speed", xr.Dataset(data, coords=coordinates), "complete")


def test_dynamic_factor():
    found = sweep().dynamic_factor("mesh.force.transverse").sel(direction="up").to_numpy()
    greatest = [np.abs(known(size)[:, 0]).max() / 100 for size in (20, 130, 180, 50, 120)]
    assert found == pytest.approx(greatest)
    assert 1.2 <= found[0] <= 1.27
    assert np.argmax(found) == 2


def test_contact_loss():
    s = sweep()
    first, second = s.contact_loss()
    assert (first.direction, first.first, first.last) == ("up", 2.0, 3.0)
    assert first.share == pytest.approx(np.mean(known(180)[:, 1] != 1))
    assert (second.first, second.last) == (5.0, 5.0)
    assert isinstance(first, ContactLoss)
    with pytest.raises(KeyError, match="was not watched"):
        s.contact_loss("mesh.gap")


def test_regimes():
    found = sweep().regimes("mesh.side").sel(direction="up").to_numpy()
    assert found.tolist() == [0, 1, 2, 0, 1]


def test_order_spectra():
    """Lines at orders 0, 1 and 5/2, a quarter of an order apart, without leakage."""
    found = sweep().order_spectra("mesh.force.transverse", most=3)
    assert found["order"].to_numpy() == pytest.approx(np.arange(13) / 4)
    for k, size in enumerate((20, 130, 180, 50, 120)):
        lines = dict(zip(found["order"].to_numpy(), found.to_numpy()[k], strict=True))
        assert lines.pop(0.0) == pytest.approx(100)
        assert lines.pop(1.0) == pytest.approx(size)
        assert lines.pop(2.5) == pytest.approx(7)
        assert max(lines.values()) < 1e-10
    assert sweep().plot_orders("mesh.force.transverse").axes
    with pytest.raises(ValueError, match="histories=True"):
        sweep(histories=False).order_spectra("mesh.side")
