"""What nobody reads is not computed; what is read late is the same as what was computed at once."""

from dataclasses import replace

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.engine import recorded, threads
from wheelwork.engine.engine import RunOptions
from wheelwork.results import Result
from wheelwork.system.motion import Motion
from wheelwork.system.signals import SignalCatalogue


def model(name: str) -> ww.Mechanism:
    return ww.load(examples.path(name))


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of states at which reactions were solved, pass by pass."""
    passes: list[int] = []
    solve = recorded.Reactions.solve

    def counted(self: recorded.Reactions, t: np.ndarray, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        passes.append(len(t))
        return solve(self, t, state)

    monkeypatch.setattr(recorded.Reactions, "solve", counted)
    return passes


def test_reactions_are_solved_once_and_only_when_read(solved: list[int]) -> None:
    r = model("four-bar").simulate(end=0.3, output=300)
    assert r["coupler.position"].shape == (301, 3)
    assert r["energy.total"].shape == (301,)
    assert r["constraints.position"].max() < 1e-9
    assert solved == []
    assert r["rocker.angular_acceleration"].shape == (301, 3)
    assert abs(r.reaction("crank-pin")["force"]).max() > 0
    assert solved == [301]


def test_run_with_friction_keeps_what_its_states_do_not_tell(solved: list[int]) -> None:
    r = model("stick-slip").simulate(end=0.5, output=50)
    assert max(float(abs(r[s.name]).max()) for s in r.signals if s.name.endswith("reaction.force")) > 0
    assert solved == []


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_late_is_the_same_as_at_once(formulation: str) -> None:
    """Against the reactions that the run itself has at its outputs: the constraints there were met with a factor of one
    Newton step before, so that reactions differ by round-off over the smallest pivot."""
    m = model("yaw-drive")
    tolerances = {"rtol": 1e-10, "atol": 1e-12}  # runs in two formulations take different steps
    r = m.simulate(end=0.1, output=50, formulation=formulation, **tolerances)
    at = assembled(prepare(m), 0.0)
    grid = np.linspace(0.0, 0.1, 51)
    options = RunOptions(end=0.1, **tolerances)
    own = at.prepared.engine.integrate(at.state, grid, options)
    if formulation == "absolute":
        states = at.prepared.engine.integrate(at.state, grid, replace(options, states_only=True))
        assert states.acceleration.shape == (51, 0)
        np.testing.assert_array_equal(states.state, r.motion.state)
    for name in ("acceleration", "multipliers"):
        late, early = getattr(r.motion, name), getattr(own, name)
        scale = np.abs(early).max()
        np.testing.assert_allclose(late, early, atol=(1e-10 if formulation == "absolute" else 1e-7) * scale)


@pytest.mark.slow
def test_threads_leave_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    def efforts(cores: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        monkeypatch.setattr(threads, "cores", lambda: cores)
        m = model("planetary-gearbox").simulate(end=0.1, output=600).motion
        signals = SignalCatalogue(m.program).signals
        name = next(name for name in signals if name.endswith("force.tangential"))
        return m.acceleration, m.multipliers, signals[name].compute(m)

    for one, several in zip(efforts(1), efforts(4), strict=True):
        np.testing.assert_array_equal(one, several)


@pytest.mark.slow
def test_signals_against_casadi() -> None:
    """Functions of the elements in machine code, beside CasADi's own evaluation of them."""
    r: Result = model("planetary-contact").simulate(end=0.004, output=40)
    m = r.motion
    plain = Motion(m.program, m.numbers, m.t, m.state, m.acceleration, m.multipliers, m.friction, m.skips)
    for name, signal in r.catalogue.signals.items():
        if "residual" in name or name.startswith("constraints."):  # round-off itself
            continue
        expected = signal.compute(plain)
        scale = max(float(np.abs(expected).max()), 1e-12)
        np.testing.assert_allclose(signal.compute(m), expected, atol=1e-9 * scale, err_msg=name)


def test_work_is_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "cores", lambda: 3)
    parts: list[tuple[int, int]] = []
    threads.in_threads(lambda first, last: parts.append((first, last)), 1000)
    assert sorted(parts) == [(0, 333), (333, 666), (666, 1000)]
    parts.clear()
    threads.in_threads(lambda first, last: parts.append((first, last)), 100)
    assert parts == [(0, 100)]


def test_error_in_a_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "cores", lambda: 2)

    def fails(first: int, last: int) -> None:
        if first:
            raise MemoryError

    with pytest.raises(MemoryError):
        threads.in_threads(fails, 1000)
