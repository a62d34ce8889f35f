"""Runs that were prepared before: the same digits, nothing stale, and what a file says is what is run."""

import copy
import json
import os
import pickle
import warnings

import numpy as np
import pytest
from examples.bundled import saying
from processes import printed

import wheelwork as ww
from wheelwork import examples
from wheelwork.analyses import simulate
from wheelwork.analyses.prepare import DERIVATIONS
from wheelwork.engine import kept_run
from wheelwork.loaded import Loaded
from wheelwork.system.signals import SignalCatalogue

PENDULUM = """
parameters: {length: 0.5 m}
bodies: {bob: {mass: 1 kg, inertia: [0.01, 0.01, 0.01], position: [length, 0, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}}
analysis: {type: simulate, end: 0.2 s, output: 20}
"""


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("WHEELWORK_CACHE", str(folder))
    return folder


@pytest.fixture
def found(monkeypatch):
    """Runs that came from the cache."""
    seen = []
    own = kept_run.KeptRun.integrate
    monkeypatch.setattr(kept_run.KeptRun, "integrate", lambda self, *a: seen.append(1) or own(self, *a))
    return seen


def is_unread(mechanism):
    return type(mechanism) is Loaded and object.__getattribute__(mechanism, "_mechanism") is None


def same_run(a, b):
    np.testing.assert_array_equal(a.motion.t, b.motion.t)
    np.testing.assert_array_equal(a.motion.state, b.motion.state)
    one, other = (json.loads(r.provenance.to_json()) for r in (a, b))
    for told in (one, other):
        del told["date"], told["report"]["seconds"]
    assert one == other


@pytest.mark.slow
@pytest.mark.parametrize("name", ["planetary-gearbox", "stick-slip", "bouncing-ball", "double-pendulum"])
def test_a_run_from_the_cache_has_the_same_digits(name, found):
    fresh = ww.load(examples.path(name)).run()
    again = ww.load(examples.path(name))
    assert is_unread(again)
    kept = again.run()
    assert found
    same_run(fresh, kept)
    for signal in SignalCatalogue(fresh.motion.program).signals:
        np.testing.assert_array_equal(kept.series(signal).values, fresh.series(signal).values, err_msg=signal)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", saying(r"(analysis: \{)?type: simulate\b"))
def test_so_does_every_example(name):
    options = {"end": 0.02} if ww.load(examples.path(name)).analysis.end > 0.02 else {}
    fresh = ww.load(examples.path(name)).simulate(**options)
    DERIVATIONS.clear()
    same_run(fresh, ww.load(examples.path(name)).simulate(**options))


@pytest.mark.slow
def test_another_process_needs_neither_casadi_nor_pydantic(tmp_path):
    file = tmp_path / "pendulum.yaml"
    file.write_text(PENDULUM)
    text = (
        "import sys, wheelwork as ww; r = ww.load(sys.argv[1]).run(); v = r.series('bob.position.x').values;"
        "print(v.tobytes().hex()); print({'casadi', 'pydantic', 'scipy', 'xarray'} & set(sys.modules))"
    )
    first, second = (printed("-c", text, file).split("\n") for _ in "ab")
    assert "casadi" in first[1]
    assert second[1] == "set()"
    assert second[0] == first[0]


def test_a_changed_number_is_another_run(tmp_path, found):
    file = tmp_path / "pendulum.yaml"
    file.write_text(PENDULUM)
    first = ww.load(file).run()
    file.write_text(PENDULUM.replace("0.5 m", "0.6 m"))
    second = ww.load(file).run()
    assert not found
    assert first.series("hinge.angle").values[-1] != second.series("hinge.angle").values[-1]
    file.write_text(PENDULUM)
    same_run(ww.load(file).run(), first)
    assert len(found) == 1


def test_a_class_that_no_file_can_name_does_not_matter(tmp_path, found):
    class Pin(ww.Revolute):
        """Not registered, and there for as long as this test."""

    file = tmp_path / "pendulum.yaml"
    file.write_text(PENDULUM)
    ww.load(file).run()
    ww.load(file).run()
    assert len(found) == 1
    assert Pin.__doc__


def test_so_is_a_changed_file_of_a_component(tmp_path, found):
    whole, part = tmp_path / "whole.yaml", tmp_path / "part.yaml"
    part.write_text(PENDULUM)
    whole.write_text(
        "components: {p: {file: part.yaml}}\nanalysis: {type: simulate, end: 0.1 s, output: 5}\n"
    )
    first = ww.load(whole).run()
    same_run(ww.load(whole).run(), first)
    assert len(found) == 1
    part.write_text(PENDULUM.replace("1 kg", "2 kg").replace("0.01, 0.01, 0.01", "0.5, 0.5, 0.5"))
    second = ww.load(whole).run()
    assert len(found) == 1
    assert second.motion.numbers.mass[0] == 2.0
    assert ww.load(whole).run().motion.numbers.mass[0] == 2.0
    part.unlink()
    with pytest.raises(ww.ModelError, match="there is no such file"):
        ww.load(whole)


def test_who_looks_into_it_has_a_mechanism(tmp_path, found):
    file = tmp_path / "pendulum.yaml"
    file.write_text(PENDULUM)
    ww.load(file).run()
    m = ww.load(file)
    assert is_unread(m)
    assert isinstance(m, ww.Mechanism)
    m.bodies["bob"].mass = 3.0
    assert m.run().motion.numbers.mass[0] == 3.0
    assert not found
    again = ww.load(file)
    for other in (copy.copy(again), copy.deepcopy(again), pickle.loads(pickle.dumps(again))):
        assert type(other) is ww.Mechanism
        assert other == again
    assert repr(again) == repr(copy.copy(again))
    inside = ww.Mechanism(components={"p": ww.Component(model=ww.load(file))})
    assert inside.simulate(end=0.01, output=2).motion.numbers.mass[0] == 1.0
    assert simulate(ww.load(file), end=0.01, output=2).t[-1] == 0.01


def test_a_changed_wheelwork_finds_nothing(tmp_path, found, monkeypatch):
    file = tmp_path / "pendulum.yaml"
    file.write_text(PENDULUM)
    ww.load(file).run()
    monkeypatch.setattr("wheelwork.loaded.installation", lambda: "another")
    assert not is_unread(ww.load(file))
    ww.load(file).run()
    assert not found


def test_a_file_of_this_package_that_changes_counts(tmp_path, monkeypatch):
    from wheelwork.engine import cache

    package = tmp_path / "wheelwork"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "spring.py").write_text("k = 1")
    monkeypatch.setattr(cache, "PACKAGE", package)
    before = cache.installation.__wrapped__()
    assert cache.installation.__wrapped__() == before
    os.utime(package / "spring.py", ns=(1, 1))
    assert cache.installation.__wrapped__() != before


def test_damage_is_noticed(tmp_path, cache, found):
    file = tmp_path / "pendulum.yaml"
    file.write_text(PENDULUM)
    first = ww.load(file).run()
    for kept in cache.glob("*.run"):
        content = bytearray(kept.read_bytes())
        content[-1] ^= 1
        kept.write_bytes(content)
    assert not is_unread(ww.load(file))
    same_run(ww.load(file).run(), first)
    assert not found
    ww.load(file).run()
    assert found
    for kept in cache.glob("*.run"):  # which others may write to
        kept.chmod(0o666)
    assert not is_unread(ww.load(file))


@pytest.mark.slow
def test_what_warns_is_prepared_each_time(tmp_path, found):
    file = tmp_path / "pendulum.yaml"
    file.write_text(PENDULUM.replace("[0.01, 0.01, 0.01]", "[1e-16, 1e-16, 1e-16]"))
    for _ in range(2):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            ww.load(file).run()
        assert any("is so small beside its mass" in str(one.message) for one in said)
    assert not found


def test_packed_numbers_come_back_bit_for_bit():
    record = np.zeros(3, np.dtype([("a", "i4"), ("b", "f8", (2,)), ("c", "i1")], align=True))
    record["b"] = np.pi
    content = {"x": [1, 0.1, None, "é"], "record": record, "none": np.zeros((0, 4)), "inf": float("inf")}
    back = kept_run.unpacked(kept_run.packed(content))
    assert back["x"] == content["x"]
    assert back["inf"] == float("inf")
    assert back["record"].dtype.itemsize == record.dtype.itemsize
    for name in ("a", "b", "c"):  # what lies between fields is nothing's
        assert back["record"][name].tobytes() == record[name].tobytes()
    assert back["none"].shape == (0, 4)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path):
    """In a process of its own: who waits, waits for ever."""
    os.mkfifo(tmp_path / "pipe.yaml")
    code = "import sys, wheelwork as ww\ntry: ww.load(sys.argv[1])\nexcept ww.ModelError as e: print(e)"
    assert "is not an ordinary file" in printed("-c", code, tmp_path / "pipe.yaml")
