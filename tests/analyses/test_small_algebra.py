"""Small matrices are left to one thread of the linear algebra, and the process has its own number afterwards."""

import threading

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses import small_algebra

pytestmark = pytest.mark.skipif(small_algebra.openblas() is None, reason="NumPy uses another library")


def chain(count: int) -> ww.Mechanism:
    m, before = ww.Mechanism("chain"), "ground"
    for k in range(count):
        m.add(f"b{k}", ww.Body(mass=1, inertia=(0.1, 0.1, 0.1), position=(k + 0.5, 0, 0)))
        axis = (0, 1, 0) if k % 2 else (0, 0, 1)
        m.add(
            f"j{k}",
            ww.Revolute(bodies=(before, f"b{k}"), point=(k, 0, 0), axis=axis, initial={"angle": 0.3}),
        )
        before = f"b{k}"
    return m


def test_assembling_a_chain_takes_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = small_algebra.openblas()
    assert threads is not None
    before = threads.get()
    threads.set(2)
    seen: set[int] = set()
    usual = np.linalg.pinv

    def look(*args, **given):
        seen.add(threads.get())
        return usual(*args, **given)

    monkeypatch.setattr(np.linalg, "pinv", look)
    try:
        chain(4).assemble()
        assert seen == {1}
        assert threads.get() == 2
        m = chain(2)
        m.add("again", ww.Revolute(bodies=("ground", "b0"), point=(0, 5, 0), axis=(1, 0, 0)))
        with pytest.raises(ww.ModelError):  # it does not fit together
            m.assemble(far=True)
        assert threads.get() == 2
    finally:
        threads.set(before)


def test_who_ends_last_gives_them_back() -> None:
    threads = small_algebra.openblas()
    assert threads is not None
    before = threads.get()
    threads.set(2)
    inside, leave = threading.Event(), threading.Event()

    def other() -> None:
        with threads.limit_to_one():
            inside.set()
            leave.wait(5)

    thread = threading.Thread(target=other)
    try:
        with threads.limit_to_one():
            thread.start()
            inside.wait(5)
        assert threads.get() == 1
        leave.set()
        thread.join(5)
        assert threads.get() == 2
    finally:
        threads.set(before)
