"""Structures that Python and the core share."""

import ctypes

import numpy as np
import pytest

from wheelwork.engine import records
from wheelwork.engine.compiled_core import core
from wheelwork.system.space import PLANAR, SPATIAL


@pytest.mark.parametrize("space", [SPATIAL, PLANAR], ids=lambda space: space.name)
def test_equations_and_core_have_bodies_of_one_size(space):
    sizes = records.constants(space.name)
    assert (space.Q, space.V, space.lanes) == (sizes["Q"], sizes["V"], sizes["LANES"])
    assert (space.record, space.twist, space.max_rows) == (
        sizes["BODY_RECORD"],
        sizes["TWIST"],
        sizes["MAX_ROWS"],
    )


def test_a_core_with_other_structures_is_refused_when_it_is_loaded(monkeypatch):
    loaded = core("spatial")
    records.check(loaded, "spatial")
    known = records.structures()

    class Report(known["Report"]):
        _fields_ = (("added", ctypes.c_int),)

    monkeypatch.setattr(records, "structures", lambda: {**known, "Report": Report})
    with pytest.raises(RuntimeError, match=r"Report has size \d+ there and \d+ here.*wheelwork-dev"):
        records.check(loaded, "spatial")
    monkeypatch.setattr(records, "structures", dict)
    with pytest.raises(RuntimeError, match="Q has size 7 there and 3 here"):
        records.check(loaded, "planar")


def test_fields_are_those_of_the_text():
    row = records.records("TurnRow", [{"b": 2, "a": 1, "data": 24}])
    assert row.dtype.names == ("a", "b", "data")
    assert np.array_equal(row.view(np.int32), [1, 2, 24])
    tree = records.structures()["TreeTables"]
    assert tree.gravity.size == 3 * 8
    with pytest.raises(TypeError, match="Options has no tolerance"):
        records.filled("Options", tolerance=1.0)
