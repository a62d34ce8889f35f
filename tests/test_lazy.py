"""Dataclasses of `wheelwork.lazy` are those of Python, finished at the first use, whichever that is."""

import dataclasses
import gc
import importlib
import inspect
import pickle
import sys
import threading
import time
import weakref
from contextlib import suppress
from dataclasses import field
from typing import Any

import pytest

from wheelwork import lazy
from wheelwork.lazy import dataclass


def made(decorator, **options) -> Any:
    @decorator(**options)
    class One:
        x: float
        names: list[str] = field(default_factory=list)

        def __post_init__(self):
            object.__setattr__(self, "square", self.x**2)

    @decorator(**options)
    class Other(One):
        y: int = 3

    return Other


@pytest.mark.parametrize("options", [{}, {"frozen": True}, {"eq": False}, {"kw_only": True}])
def test_first_uses_find_what_python_would_have_written(options):
    def seen(cls):
        one = cls(x=2.0)
        changed = dataclasses.replace(one, y=4)
        with suppress(dataclasses.FrozenInstanceError):
            one.x = 5.0
        hashable = cls.__hash__ is not None
        fields = [f.name for f in dataclasses.fields(cls)]
        return one.x, one.square, repr(changed), one == cls(x=2.0), hashable, fields, cls.__match_args__

    assert seen(made(dataclass, **options)) == seen(made(dataclasses.dataclass, **options))
    for use in (
        dataclasses.fields,
        lambda cls: cls.__match_args__,
        lambda cls: cls.__init__,
        dataclasses.is_dataclass,
    ):
        cls = made(dataclass, **options)
        use(cls)
        assert cls(x=1.0).names == []
        assert "__init__" in vars(cls)


@dataclass(frozen=True)
class Kept:
    x: float


def test_one_that_is_unpickled_first_compares_by_value():
    written = pickle.dumps(Kept(1.0))
    again = globals()["Kept"] = dataclass(frozen=True)(
        type("Kept", (), {"__annotations__": {"x": "float"}, "__module__": __name__})
    )
    one, two = pickle.loads(written), pickle.loads(written)
    assert type(one) is again
    assert hash(one) == hash(two)
    assert one == two


def test_an_init_of_ones_own_is_kept():
    @dataclass
    class One:
        x: float

        def __init__(self):
            self.x = 1.0

    assert repr(One()).endswith("One(x=1.0)")


def test_another_thread_waits_until_a_class_is_finished(monkeypatch):
    """A class without `__init__` for a moment: two threads that began with the same one found that it takes no
    arguments."""
    cls, found, plain = made(dataclass), [], dataclasses.dataclass
    other = threading.Thread(target=lambda: found.append(cls(x=2.0).square))

    def slow(made_of=None, /, **options):
        if made_of is cls:
            other.start()
            other.join(0.1)
        return plain(made_of, **options) if made_of is not None else plain(**options)

    monkeypatch.setattr(dataclasses, "dataclass", slow)
    assert cls(x=3.0).square == 9.0
    other.join()
    assert found == [4.0]


def every_kind(decorator, **options) -> Any:
    class One:
        """With fields of every kind."""

        a: int
        b: str = "x"
        c: list = field(default_factory=list)
        d: int = field(default=3, compare=False, repr=False)
        e: int = field(default=3, kw_only=True)
        f: int = field(default=5, init=False)
        g: list = field(default_factory=list, init=False, hash=False)

    return decorator(**options)(One)


@pytest.mark.parametrize("options", [{}, {"frozen": True}, {"frozen": True, "eq": False}, {"repr": False}])
def test_fields_of_every_kind(options):
    def seen(cls):
        one, refused = cls(1, "y", e=4), []
        for change in (
            lambda: setattr(one, "a", 2),
            lambda: setattr(one, "new", 2),
            lambda: delattr(one, "b"),
        ):
            try:
                change()
            except dataclasses.FrozenInstanceError as error:
                refused.append(str(error))
        shown = repr(one) if options.get("repr", True) else ""
        equal = cls(1) == cls(1, d=4), cls(1) == cls(2), cls(1) == 1
        about = str(cls.__dataclass_params__), str(inspect.signature(cls)), sorted(vars(cls))
        return vars(one), refused, shown, equal, about, [str(one) for one in dataclasses.fields(cls)]

    assert str(seen(every_kind(dataclass, **options))) == str(
        seen(every_kind(dataclasses.dataclass, **options))
    )


def test_a_module_that_another_thread_loads_is_waited_for(tmp_path, monkeypatch):
    (tmp_path / "slow_to_load.py").write_text("import time\nbegun = True\ntime.sleep(0.3)\nready = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "slow_to_load", raising=False)
    loading = threading.Thread(target=importlib.import_module, args=["slow_to_load"])
    loading.start()
    while "slow_to_load" not in sys.modules:
        time.sleep(0.001)
    assert type(lazy.numpy)("slow_to_load").ready == 1
    loading.join()


@pytest.mark.slow
@pytest.mark.parametrize("loads", [True, False])
def test_rings_that_are_made_uncollected_are_collected_later(tmp_path, monkeypatch, loads):
    class Ring:
        pass

    (tmp_path / "loaded_meanwhile.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "loaded_meanwhile", raising=False)
    gc.collect()
    with lazy.uncollected():
        if loads:
            importlib.import_module("loaded_meanwhile")
        ring = Ring()
        ring.itself = ring  # type: ignore[attr-defined]
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    assert any(one is ring for one in gc.get_objects(generation=2)) == loads
    seen = weakref.ref(ring)
    del ring
    gc.collect()
    assert seen() is None
