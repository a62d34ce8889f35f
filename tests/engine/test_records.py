"""Structures that Python and the core share."""

import ctypes

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.description.flatten import flatten
from wheelwork.engine import records
from wheelwork.engine.compiled_core import core
from wheelwork.engine.native_system import stabilisation_numbers
from wheelwork.system.build import build
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


def test_numbers_of_friction_contacts_and_samples_are_where_the_core_reads_them():
    """Given by name in a model, found by name in the data that the core gets."""
    m = ww.Mechanism("switches", kind="planar")
    for name in ("one", "two", "three"):
        m.add(name, ww.Rotor(inertia=0.1))
    m.add("jaw", ww.DogClutch(bodies=("one", "two"), closed=1.0, closing_speed=0.7))
    m.add("slide", ww.Body(mass=1.0, inertia=0.1))
    m.add("guide", ww.Prismatic(bodies=("ground", "slide"), point=(0, 0), axis=(1, 0)))
    m.add("rub", ww.Friction(joint="guide", coulomb=2.0, coefficient=0.3, static_ratio=1.5))
    m.add("end", ww.Stop(joint="guide", upper=0.1, restitution=0.4, rest_speed=0.02))
    m.add("law", ww.Sampled(every=0.05, memory={"u": 0}, update={"u": "guide.displacement"}))
    program = build(flatten(m))
    data = program.numbers().data

    def numbers(name: str, place: int) -> dict[str, float]:
        fields = records.record_fields(name)
        return dict(zip(fields, data[place : place + len(fields)], strict=True))

    friction = {use.name: use.data for use in program.frictions}
    assert numbers("FrictionNumbers", friction["rub"]) == {
        "constant": 2.0,
        "coefficient": 0.3,
        "static_ratio": 1.5,
    }
    after = len(records.record_fields("FrictionNumbers"))
    assert numbers("DogNumbers", friction["jaw"] + after)["closing_speed"] == 0.7
    assert numbers("ContactNumbers", program.contacts[0].data) == {"restitution": 0.4, "rest_speed": 0.02}
    sampled = next(use.sample for use in program.forces if use.sample >= 0)
    assert numbers("SampleNumbers", sampled) == {"period": 0.05, "first": 0.0}


def test_too_few_numbers_of_a_stabilisation_are_an_error_and_not_read_beyond():
    assert set(stabilisation_numbers((0.0,) * 6)) == set(records.record_fields("StabilisationNumbers"))
    with pytest.raises(ValueError, match="shorter"):
        stabilisation_numbers((1.0, 1.0))
