"""Studies on a graphics processor give the results of lanes; left out where there is none.

On a machine that has one: ``python -m pytest tests/studies/test_device.py``.
"""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.engine.device_run import NoDevice, cupy
from wheelwork.engine.devices import OnDevice
from wheelwork.engine.lane_program import DeviceShape

from .test_lanes import CASES


def why_not() -> str:
    try:
        cupy()
    except NoDevice as reason:
        return str(reason)
    return ""


needs_device = pytest.mark.skipif(bool(why_not()), reason=why_not())
DEPENDENT = 1e-7
"""Of an adaptive run: its steps depend on the last digits of errors, and the result on the steps."""


def differences(name: str, vary: dict, signal: str, end: float, **options: object) -> tuple[float, float]:
    """Of a device to lanes, over the size of the signal; and how far the variants are apart."""
    signal = signal if "`" in signal or "-" not in signal else f"`{signal}`"
    kinds = ("least", "greatest", "mean", "rms", "deviation", "last")
    study = ww.Study(
        ww.load(examples.path(name)),
        vary,
        measures={kind: f"{kind}({signal})" for kind in kinds},
        end=end,
        samples=40,
        formulation="reduced",
        **options,
    )
    there, here = (study.run(engine=engine, progress=False) for engine in ("gpu", "lanes"))
    assert (there.attrs["engine"], here.attrs["engine"]) == ("gpu", "lanes")
    assert there.outcome.values.tolist() == here.outcome.values.tolist()
    size = max(float(abs(here[kind]).max()) for kind in ("least", "greatest"))
    far = max(float(abs(there[kind] - here[kind]).max()) for kind in kinds)
    return far / size, float(np.ptp(here["rms"].values)) / size


@needs_device
@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_fixed_step_has_the_digits_of_lanes(case):
    far, apart = differences(*case[:4], method="rk4", step=case[4])
    assert far < 1e-12
    assert apart > 1e-6


@needs_device
@pytest.mark.parametrize("case", [CASES[k] for k in (0, 1, 3, 5, 9, 12)], ids=lambda case: case[0])
def test_an_adaptive_step_reaches_its_tolerance(case):
    far, _ = differences(*case[:4], rtol=1e-8, atol=1e-10)
    assert far < DEPENDENT


@needs_device
@pytest.mark.parametrize("shared", [(), ("y0", "k1"), ("y0", "sum", "low", "skip0", "acc", "before")])
def test_where_numbers_are_kept_changes_none(shared, monkeypatch):
    monkeypatch.setattr(OnDevice, "shape", DeviceShape(threads=64, blocks=4, shared=shared))
    assert differences(*CASES[0][:4], method="rk4", step=1e-5)[0] < 1e-12


@pytest.mark.parametrize(("threads", "blocks"), [(64, 6), (64, 8), (128, 3), (128, 0)])
def test_what_is_shared_fits_beside_the_blocks_that_are_wanted(threads, blocks):
    """228 KiB of a multiprocessor, 1 KiB of which each block needs for itself, and 48 KiB of a block."""
    shape = DeviceShape(threads, blocks)
    size = shape.room * 8 * threads
    assert size <= 48 * 1024
    assert blocks * (size + 1024) <= 228 * 1024
    assert shape.room > 20
