"""Units: values, dimensions, and messages."""

import copy
import math
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wheelwork.description import Body, Force, ModelError, Rotor, Screw, parse_quantity
from wheelwork.description.units import UnitError, looks_like_quantity, parse_unit


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("15 mm", 0.015, "a length"),
        ("0.3mm", 0.0003, "a length"),
        ("80um", 80e-6, "a length"),
        ("80 µm", 80e-6, "a length"),  # micro sign
        ("80 μm", 80e-6, "a length"),  # Greek mu
        ("2 inch", 0.0508, "a length"),
        ("3 ft", 0.9144, "a length"),
        ("20 deg", math.radians(20), "an angle"),
        ("20°", math.radians(20), "an angle"),
        ("0.5 rev", math.pi, "an angle"),
        ("6 arcmin", math.radians(0.1), "an angle"),
        ("3000 rpm", 100 * math.pi, "an angular speed"),
        ("50 Hz", 50, "a frequency"),
        ("50 1/s", 50, "a frequency"),
        ("2e8 N/m", 2e8, "a stiffness"),
        ("7800 kg/m^3", 7800, "a density"),
        ("7.8 g/cm³", 7800, "a density"),
        ("5 N*m", 5, "a torque"),
        ("5 N m", 5, "a torque"),
        ("5 N.m", 5, "a torque"),
        ("5 N·m", 5, "a torque"),
        ("5 J", 5, "a torque"),
        ("2 kg*m^2", 2, "a moment of inertia"),
        ("2 kg m2", 2, "a moment of inertia"),
        ("2 kg*m**2", 2, "a moment of inertia"),
        ("1 N/(m/s)", 1, "a damping"),
        ("4 N*m/rad", 4, "a torsional stiffness"),
        ("4 kN*m/deg", 4000 * 180 / math.pi, "a torsional stiffness"),
        ("2 kW", 2000, "a power"),
        ("3 bar", 3e5, "a pressure"),
        ("200 MPa", 2e8, "a pressure"),
        ("10 lb", 4.5359237, "a mass"),
        ("1 lbf", 4.4482216152605, "a force"),
        ("5 ms", 0.005, "a time"),
        ("1 min", 60, "a time"),
        ("5 %", 0.05, "a plain number"),
        ("1e-3", 0.001, "a plain number"),
        ("-.5e2 m", -50, "a length"),
        ("2 m^1.5", 2, "a quantity in m^1.5"),
    ],
)
def test_values_and_dimensions(text, value, words):
    quantity = parse_quantity(text)
    assert float(quantity) == pytest.approx(value, rel=1e-15)
    assert quantity.words == words


@pytest.mark.slow
@given(st.integers(1, 10**6), st.sampled_from(["mm", "um", "g", "ms", "mN"]))
def test_prefixed_quantities_are_the_nearest_double(number, unit):
    # `15 mm` and 0.015 must be the same number, or files would not survive being written in the other spelling.
    decimal = {"mm": "e-3", "um": "e-6", "g": "e-3", "ms": "e-3", "mN": "e-3"}[unit]
    assert float(parse_quantity(f"{number} {unit}")) == float(f"{number}{decimal}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3 foo", "there is no unit `foo`"),
        ("3 rmp", "did you mean `rpm`?"),
        ("3 m*", "`m*` is not a unit (read as far as column 3)"),
        (
            "3 rpm + 1",
            "there is more text after the unit; for a formula, give the quantity a name under `parameters`",
        ),
        ("3 m^^2", "`m^^2` is not a unit"),
        ("3 (m", "`(m` is not a unit"),
        ("3 " + "m*" * 60 + "m", "is longer than 80 characters"),
        ("3 m^99", "`m^99` is not a unit"),
        ("3 km^12*km^12*km^12*km^12*km^12*km^12*km^12*km^12*km^12", "the number is too large"),
        ("3 pm^12*pm^12*pm^12", "the number is too small"),
        ("kg", "`kg` is not a number with a unit"),
        ("1e308 km", "the number is too large"),
    ],
)
def test_bad_units(text, message):
    with pytest.raises(UnitError) as caught:
        parse_quantity(text)
    assert message in str(caught.value)


def test_division_goes_from_left_to_right():
    assert parse_unit("N/m*s") == parse_unit("N*s/m")
    assert parse_unit("N/(m*s)") == parse_unit("N/m/s")


@pytest.mark.parametrize("text", ["2*r", "r", "2 + r", "2^3", "-r", "1/s", "sin(1)"])
def test_formulas_are_not_taken_for_quantities(text):
    assert not looks_like_quantity(text)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Body(mass="3 m", inertia=(1, 1, 1)), "needs a mass (such as `2 kg`), but `3 m` is a length"),
        (
            lambda: Rotor(inertia=1, speed="50 Hz"),
            "needs an angular speed (such as `3000 rpm`), but `50 Hz` is a frequency",
        ),
        (
            lambda: Force(body="a", value=("1 kg", 0, 0)),
            "needs a force (such as `50 N`), but `1 kg` is a mass",
        ),
        (
            lambda: Rotor(inertia="3 foo"),
            "needs a moment of inertia (such as `0.02 kg*m^2`), but in `3 foo` there is",
        ),
    ],
)
def test_wrong_dimension_names_both(make, message):
    with pytest.raises(ModelError) as caught:
        make()
    assert message in str(caught.value)


def test_a_lead_may_be_given_by_the_turn():
    make = {"bodies": ("a", "b"), "point": (0, 0, 0), "axis": (0, 0, 1)}
    assert Screw(lead="5 mm/rev", **make).lead == pytest.approx(Screw(lead="5 mm", **make).lead, rel=1e-15)


def test_a_quantity_is_a_float_that_remembers_its_text():
    quantity = parse_quantity("80um")
    assert quantity == 80e-6
    assert quantity.text == "80 um"
    assert quantity.unit == "m"
    for other in (copy.deepcopy(quantity), pickle.loads(pickle.dumps(quantity))):
        assert (other, other.text, other.exponents) == (quantity, quantity.text, quantity.exponents)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("5 newton", "N"), ("2 kilonewtons", "kN"), ("20 degrees", "deg"), ("3 hours", "h"), ("4 meters", "m"),
        ("3 microns", "um"), ("3 KW", "kW"), ("3 Khz", "kHz"), ("3 NM", "Nm"),
        ("3 r/min", "rev"), ("3 kg-m^2", "kg m^2"),
        ("5 Nmm", "N mm"), ("5 kgm^2", "kg m"), ("5 N-m", "N m"), ("6 Ws", "W s"), ("30 min-1", "min^-1"),
        ("80 kmh", "km/h"), ("5 micron", "um"), ("3 t", "Mg"), ("3 kgg", "kg"), ("9 RPM", "rpm"),
    ],
)  # fmt: skip
def test_what_an_unknown_unit_may_mean(written, meant):
    with pytest.raises(UnitError, match=re.escape(f"did you mean `{meant}`?")):
        parse_quantity(written)
    parse_quantity(f"1 {meant}")
