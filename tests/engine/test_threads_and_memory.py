"""Compiled models used by several threads, and where there is no memory: refused with words, never wrong or ended."""

import re
import textwrap
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from processes import printed

import wheelwork as ww
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.engine.engine import Engine
from wheelwork.engine.options import RunOptions
from wheelwork.engine.standalone import Standalone, save_standalone
from wheelwork.engine.threads import ThreadError

RUNTIME = Path(ww.__file__).parent / "engine" / "core"


def pendulum(start: float = 1.0) -> ww.Mechanism:
    m = ww.Mechanism("pendulum", kind="planar")
    m.add("bob", ww.Body(mass=1.0, inertia=0.01, position=(0.5 * np.sin(start), -0.5 * np.cos(start))))
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0)))
    return m


def in_another_thread(task: Callable[[], object]) -> object:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(task).result()


def test_second_thread_in_a_running_engine_is_refused():
    at = assembled(prepare(pendulum(), method="dopri5"), 0.0)
    refused: list[BaseException] = []

    def intrude() -> None:
        for task in (
            lambda: at.prepared.engine.derivative(0.0, at.state),
            lambda: at.prepared.engine.set_numbers(at.prepared.numbers),
        ):
            with pytest.raises(ThreadError, match="one for each thread") as caught:
                task()
            refused.append(caught.value)

    def progress(t: float, steps: int) -> bool:
        if not refused:
            thread = threading.Thread(target=intrude)
            thread.start()
            thread.join()
        return False

    grid = np.linspace(0, 2, 21)
    alone = at.prepared.engine.integrate(at.state, grid, RunOptions(end=2.0))
    beside = at.prepared.engine.integrate(at.state, grid, RunOptions(end=2.0), progress)
    assert len(refused) == 2
    assert np.array_equal(alone.state, beside.state)


def test_numbers_set_by_another_thread_are_not_run(tmp_path: Path):
    model = Standalone.load(save_standalone(pendulum(), tmp_path, implicit=False))
    fine = in_another_thread(lambda: model.run(end=0.1, output=2).outcome)  # handed over after it was made
    assert fine is not None
    in_another_thread(model.set_parameters)
    with pytest.raises(ThreadError, match="another thread has set"):
        model.run(end=0.1, output=2)
    model.set_parameters()
    assert model.run(end=0.1, output=2).outcome.good


def test_minimal_coordinates_share_the_guard():
    reduced = pendulum().reduced()
    engine = reduced.start.prepared.engine
    assert isinstance(engine, Engine)
    with engine.system.alone.use(), pytest.raises(ThreadError):
        reduced.mass_matrix()


@pytest.mark.slow
def test_runs_side_by_side_are_those_one_after_the_other():
    starts = [0.3, 0.7, 1.1, 1.5]

    def run(start: float) -> np.ndarray:
        return np.asarray(pendulum(start).simulate(end=1.0, output=20, progress=False)["hinge.angle"])

    with ThreadPoolExecutor(4) as pool:
        beside = list(pool.map(run, starts))
    for start, values in zip(starts, beside, strict=True):
        assert np.array_equal(values, run(start))


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_no_memory_is_a_memory_error(formulation: str):
    # rk4 with every step kept: some 400 MB, with 60 MB more than there is before
    script = textwrap.dedent(f"""
        import resource, wheelwork as ww
        from wheelwork import examples
        m = ww.load(examples.path("pendulum"))
        settings = dict(formulation="{formulation}", method="rk4", output=2, progress=False)
        m.simulate(end=0.01, step=1e-3, store_steps=True, **settings)
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 60_000_000, -1))
        try:
            m.simulate(end=1.0, step=4e-7, store_steps=True, **settings)
        except MemoryError as error:
            print("said:", error)
        resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
        print(m.simulate(end=0.01, step=1e-3, **settings).outcome.good)
    """)
    said = printed("-c", script)
    assert "said: there is not enough memory" in said
    assert said.endswith("True\n")


def test_every_function_of_the_interface_is_guarded():
    # trivial ones that only read, copy, or set numbers, and `delete`
    plain = {
        f"ww_{name}" for name in ("size", "destroy", "state_size", "record_size", "stabilise", "set_origin")
    }
    plain |= {f"ww_finished_{name}" for name in ("size", "sides", "events", "copy", "free", "carried")}
    plain |= {f"ww_reduced_{name}" for name in ("destroy", "size")}
    checked: set[str] = set()
    for path in RUNTIME.glob("*.cpp"):
        parts = re.split(r"^[^\n/ ][^\n]*\b(ww_\w+)\(", path.read_text(), flags=re.M)
        for name, body in zip(parts[1::2], parts[2::2], strict=True):
            if ";" in body.partition("{")[0]:
                continue  # a declaration of what stands in another file
            assert name in plain or "guarded(" in body or "made(" in body, f"{path.name}: {name}"
            checked.add(name)
    assert plain < checked


def test_functions_of_fmus_use_an_instance_where_nothing_is_thrown():
    # but for what only tells a number; all else is in `call`, which lets one thread in
    harmless = {"over", "time", "model", "indicator_count", "message"}
    for path in RUNTIME.glob("fmi*.?pp"):
        assert set(re.findall(r"fmu->(\w+)", path.read_text())) <= harmless, path.name
