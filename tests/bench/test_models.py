"""The benchmarks of gear trains run, with our side alone and in the smallest sizes; no time is asserted.

The rest of `benchmarks` needs peers or many seconds, and is only imported.
"""

import importlib
from pathlib import Path

import pytest

import benchmarks

MODULES = sorted(
    path.stem for path in Path(benchmarks.__file__).parent.glob("*.py") if path.stem != "__init__"
)


@pytest.mark.parametrize("name", MODULES)
def test_modules_can_be_imported_without_peers(name: str):
    if name == "memory":
        pytest.importorskip("psutil")
    importlib.import_module(f"benchmarks.{name}")


@pytest.mark.slow
def test_trains_of_two_wheels():
    train = importlib.import_module("benchmarks.train")
    results = train.measure((2,), 1, {}, quick=True)
    assert [row["housing"] for row in results] == ["fixed", "turning"]
    for row in results:
        for method in ("ours absolute", "ours reduced"):
            assert row["methods"][method]["gear"] < 1e-12  # rad, round-off of angles of some turns
            # rk4 in the orientation of wheels that turn up to 0.06 rad per step: (0.06)^5/120 per step, 1000 steps
            assert row["methods"][method]["motion"] < 1e-5
    assert "train of 2, fixed housing" in shown({"train": results})


@pytest.mark.slow
def test_forward_dynamics_of_the_wrist_and_of_short_chains():
    forward = importlib.import_module("benchmarks.forward")
    results = forward.measure((2, 3), 1, {}, compile_peers=False, examples=("wrist",))
    assert [row["coordinates"] for row in results["rows"]] == [3, 2, 3]
    assert results["rows"][0]["hinges"] == 10
    assert "chain of 3" in shown({"forward": results})


@pytest.mark.slow
def test_lumped_wheels_keep_all_mass_and_hinges_of_the_coordinates():
    """A check of what peers get: the wrist's wheels on ground are lost with their mass, all others are kept."""
    forward = importlib.import_module("benchmarks.forward")
    trees = importlib.import_module("benchmarks.trees")
    model = forward.Forward(forward.without_loads("wrist")).hinges
    lumped = trees.lumped(model)

    def carried(k: int) -> bool:
        return k >= 0 and (k in model.independent or carried(model.hinges[k].parent))

    kept = sum(hinge.mass for k, hinge in enumerate(model.hinges) if carried(k))
    assert sum(hinge.mass for hinge in lumped.hinges) == pytest.approx(kept, rel=1e-12)
    assert [hinge.parent for hinge in lumped.hinges] == [-1, 0, 1]


def shown(results: dict) -> str:
    """The tables of results, as text."""
    gear_report = importlib.import_module("benchmarks.gear_report")
    makers = {"train": gear_report.train, "forward": gear_report.forward}
    sheets = [sheet for part, make in makers.items() if part in results for _, sheet in make(results[part])]
    return f"{sheets} {gear_report.targets_of(results)}"


@pytest.mark.slow
def test_yaw_drive():
    """The right-hand side in NumPy is that of the description; contacts are located."""
    yaw = importlib.import_module("benchmarks.yaw")
    report = importlib.import_module("benchmarks.yaw_report")
    own = yaw.Ours()
    found = {h: yaw.yaw_model.error(own.run(method="rk4", step=h)[2]) for h in (2e-4, 1e-4)}
    assert found[1e-4] < 1e-9
    assert found[2e-4] > 8 * found[1e-4]  # order 4 through all contacts
    runs = [{"side": "wheelwork", "method": "rk4", "rate": 2e6, "error": 1e-9, "steps": 1}]
    runs.append({"side": "scipy", "method": "RK45", "rate": 5e3, "error": 1e-9, "steps": 1})
    assert next(report.targets({"runs": runs}))[1] == 400
