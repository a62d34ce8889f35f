"""The examples on CasADi's virtual machine, for those without a compiler: the same numbers as in machine code."""

import pytest

from wheelwork import examples

from .bundled import model

LARGE = {
    "robot": 50,
    "automatic-transmission": 800,
    "tooth-contact": 40,
    "gear-rattle": 20,
    "load-sharing": 200,
    "backlash-pair": 100,
    "idle-gear-rattle": 40,
    "planetary-contact": 20,
    "yaw-drive": 40,
}
"""Examples of which a smaller part is run, and which part."""
EXACT = {"rtol": 1e-10, "atol": 1e-12}
BLOWS = {"gear-rattle": EXACT, "idle-gear-rattle": EXACT, "yaw-drive": EXACT}
"""Examples in which loose teeth strike each other: a blow multiplies the errors of the steps before it."""
SIMULATED = [name for name in examples.names() if model(name).analysis.type == "simulate"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SIMULATED)
def test_virtual_machine_agrees(name):
    """Over a tenth of the run: the same method and nearly the same steps (rounding may decide on one).

    A small part where many constraints are redundant: the virtual machine then needs all eigenvalues at each step,
    whose round-off lets its first small steps grow more slowly. (The redundant rows of the planetary gearbox
    and of the windows cost it 2 or 3 steps at the start, and none after.)
    """
    m = model(name)
    large = name in LARGE
    more = 6 if large else 3 if name in ("planetary-gearbox", "n-four-bar", "differential") else 1
    end = float(m.analysis.end) / LARGE.get(name, 10)
    native, virtual = (
        m.run(end=end, output=5, engine=engine, formulation="absolute", **BLOWS.get(name, {}))
        for engine in ("native", "virtual")
    )
    assert virtual.statistics.steps == pytest.approx(native.statistics.steps, rel=0.02, abs=more)
    for signal in native.signals:
        if signal.name.endswith((".position", ".velocity", ".w", ".angle")):
            found, exact = virtual[signal.name].to_numpy(), native[signal.name].to_numpy()
            assert found == pytest.approx(exact, rel=1e-6, abs=1e-6), signal.name
