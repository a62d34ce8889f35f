"""Numeric fields: a bare number (SI), a quantity such as `15 mm`, or a formula over parameters.

After validation a field holds a float in SI units (a `Quantity` where a unit was written) or a `Formula`. Each type
below states the dimension and how much a formula in it may use:

- `parameters`: fixed during a run
- `time`: also `t` (prescribed motion)
- `signals`: also `t` and anything the model computes (loads)
- `curve`: parameters, and `s` for the parameter of a curve (outlines of cams)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any, SupportsFloat

from pydantic import ValidationError

from wheelwork.description import dimensions
from wheelwork.description.base import Value
from wheelwork.description.dimensions import Dimension, si_unit
from wheelwork.description.field_marks import FieldMark, ShortForm, fault
from wheelwork.description.formula import Formula
from wheelwork.description.table import Table
from wheelwork.description.union import PART
from wheelwork.description.units import Quantity, UnitError, looks_like_quantity, parse_quantity
from wheelwork.description.validation_errors import TRUTH, shown
from wheelwork.lazy import dataclass

TimeVarying = Value | Table
CURVE_PARAMETER = "s"
# Scopes in which a value may be a table over time.
TABLED = ("time", "signals")


class OutOfPlane(float):
    """A component that was not written: that of a planar mechanism's vector at a right angle to its plane.

    It counts as zero; a spatial mechanism refuses it, and `write` leaves it out again.
    """

    __slots__ = ()


OUT_OF_PLANE = OutOfPlane(0.0)

LARGEST_NUMBER = 1e40
"""Of any number in a description, SI: products of seven of them are still numbers."""
SMALLEST_MASS = 1e-40
"""Of a mass [kg] and a moment of inertia [kg m^2]."""


def dimension_fault(needed: tuple[Dimension, ...], given: Quantity) -> str:
    """`needs a length (such as `15 mm`), but `3 kg` is a mass`."""
    wanted = " or ".join(f"{d.words} (such as `{d.example}`)" for d in needed)
    return f"needs {wanted}, but `{given.text}` is {given.words}"


@dataclass(frozen=True)
class NumberField(FieldMark):
    """How a numeric field is read.

    dimensions: those it takes; two where it depends on the joint coordinate (torque or force)
    scope: `parameters`, `time`, `signals` or `curve`: what a formula may use
    any_dimension: whether a quantity of any dimension will do, in SI units
    condition: whether it is true or false: 1 and 0
    """

    dimensions: tuple[Dimension, ...]
    scope: str = "parameters"
    any_dimension: bool = False
    condition: bool = False

    @classmethod
    def like(cls, words: str, example: str, scope: str = "parameters") -> NumberField:
        """Of a dimension that an element brings along: `NumberField.like("a drag coefficient", "0.3 N*s^2/m^2")`."""
        exponents = parse_quantity(example).exponents
        return cls((Dimension(words, si_unit(exponents), example, exponents),), scope)

    def read(self, given: Any) -> Value | Table:
        """The float, formula or table that an input stands for."""
        if isinstance(given, bool):
            if self.condition:
                return float(given)
            raise fault(f"needs {self.words()}, but is {shown(given)}", hint=TRUTH)
        if given is None:
            raise fault(f"needs {self.words()}, but is {shown(given)}")
        if isinstance(given, OutOfPlane):
            return given
        if isinstance(given, Quantity):
            return self.fitted(given)
        if isinstance(given, int | float):
            return finite(given)
        if isinstance(given, Formula):
            return self.read_text(given.text) if looks_like_quantity(given.text) else self.scoped(given)
        if isinstance(given, str):
            return self.read_text(given)
        if self.scope in TABLED and isinstance(given, dict | Table):
            return self.read_table(given)
        if type(given).__module__ == "numpy" and given.shape == ():  # a NumPy number inside a list
            return finite(given)
        raise fault(f"needs {self.words()}, but is {shown(given)}")

    def read_text(self, text: str) -> Value:
        if looks_like_quantity(text):
            try:
                quantity = parse_quantity(text)
            except UnitError as error:
                raise fault(f"needs {self.words()}, but in `{text}` {error}") from None
            if quantity.exponents == dimensions.NUMBER.exponents and "%" not in text:
                return finite(float(quantity))
            return self.fitted(quantity)
        try:
            formula = Formula(text)
        except ValueError as error:
            raise fault(f"needs {self.words()} or a formula; {error}") from None
        return self.scoped(formula)

    def fitted(self, quantity: Quantity) -> Quantity:
        if self.any_dimension:
            return Quantity(finite(quantity), quantity.text, quantity.exponents)
        for dimension in self.dimensions:
            factor = dimension.factor(quantity.exponents)
            if factor is not None:
                return Quantity(finite(quantity * factor), quantity.text, dimension.exponents)
        raise fault(dimension_fault(self.dimensions, quantity))

    def scoped(self, formula: Formula) -> Formula:
        if self.scope not in TABLED and "t" in formula.names():
            raise fault(f"must stay the same during a run, but `{formula}` uses the time `t`")
        return formula

    def read_table(self, given: Any) -> Table:
        table = given if isinstance(given, Table) else Table.model_validate(given)
        for number in (table.dimension, *table.value):
            if isinstance(number, Quantity):
                self.fitted(number)
        return table

    def words(self) -> str:
        if self.condition:
            return "a condition (such as `true`, or `shaft.w > 10`)"
        return " or ".join(f"{d.words} (such as `{d.example}`)" for d in self.dimensions)

    def json_schema(self, inner: Callable[[], Any]) -> dict[str, Any]:
        words = " or ".join(f"{d.words} in {d.unit}" for d in self.dimensions)
        examples: list[Any] = [d.example for d in self.dimensions]
        forms: list[dict[str, Any]] = [{"type": "number"}, {"type": "string", "minLength": 1}]
        if self.condition:
            words, examples = "a condition: true or false, 1 or 0", ["shaft.w > 10"]
            forms.append({"type": "boolean"})
        if self.scope in TABLED:
            forms.append({PART: "Table"})
        reach = {
            "parameters": "parameters",
            "time": "parameters and t",
            "signals": "parameters, t and signals",
            "curve": "parameters and s",
        }
        quantity = "" if self.condition else f" a quantity such as `{examples[0]}`,"
        text = f"{words},{quantity} or a formula of {reach[self.scope]}"
        return {"anyOf": forms, "description": text, "examples": examples}


def finite(given: SupportsFloat) -> float:
    """The number, if it can be computed with."""
    try:
        number = float(given)
    except OverflowError:  # a whole number of more than 308 digits
        number = math.inf
    wrong = size_fault(number)
    if wrong:
        raise fault(f"{wrong}, but is {shown(given)}")
    return number


def size_fault(number: float) -> str:
    """Why a number cannot be computed with, or empty when it can."""
    if not math.isfinite(number):
        return "needs a finite number"
    return "" if abs(number) <= LARGEST_NUMBER else f"needs a number of at most {LARGEST_NUMBER:g} (SI units)"


@dataclass(frozen=True)
class Vector(ShortForm):
    """Marks a field with three components, and says how a planar mechanism writes it.

    in_plane:
        `in`: with two numbers, x and y (a position, a force)
        `about`: with one number, about the z axis (an angular velocity, a torque, a moment of inertia)
        `normal`: not at all; it is the z axis (the axis of a hinge)

    What is written short is padded with `OUT_OF_PLANE`: (x, y, 0) or (0, 0, z).
    """

    in_plane: str = "in"
    is_direction: bool = False
    """Whether it must not be zero."""

    def pad(self, given: Any) -> Any:
        if self.in_plane != "about":
            size = len(given) if isinstance(given, list | tuple) else 3
            if self.in_plane == "in" and size not in (2, 3):
                raise fault(f"needs 3 entries (2 in a planar mechanism), but has {size}")
            return (*given, OUT_OF_PLANE) if size == 2 else given
        single = isinstance(given, int | float | str | dict | Formula | Table) and not isinstance(given, bool)
        return (OUT_OF_PLANE, OUT_OF_PLANE, given) if single else given

    def read(self, given: Any, handler: Any) -> Any:
        padded = self.pad(given)
        try:
            return handler(padded)
        except ValidationError as error:
            raise (error if self.in_plane != "about" or padded is given else own_words(error)) from None

    def json_schema(self, inner: Callable[[], Any]) -> dict[str, Any]:
        three = inner()
        if self.in_plane == "in":
            return {**three, "minItems": 2}
        return {"anyOf": [three, three["prefixItems"][2]]} if self.in_plane == "about" else three


@dataclass(frozen=True)
class PairOrNumber(ShortForm):
    """Marks a field with two components that may be written as one number for both."""

    def pad(self, given: Any) -> Any:
        return given if isinstance(given, list | tuple) else (given, given)

    def read(self, given: Any, handler: Any) -> Any:
        padded = self.pad(given)
        if len(padded) != 2:
            raise fault(f"needs one number, or two, but has {len(padded)}")
        try:
            return handler(padded)
        except ValidationError as error:
            raise (error if padded is given else own_words(error)) from None

    def json_schema(self, inner: Callable[[], Any]) -> dict[str, Any]:
        two = inner()
        return {"anyOf": [two["prefixItems"][0], two]}


def own_words(error: ValidationError) -> Exception:
    """What is wrong with one number, where it was padded to several: that is our own business."""
    wrong = error.errors(include_url=False)[0]
    text: dict[str, str] = wrong.get("ctx", {})
    return fault(text["text"], text.get("hint", "")) if wrong["type"] == "fault" else error


Number = Annotated[Value, NumberField((dimensions.NUMBER,))]
Length = Annotated[Value, NumberField((dimensions.LENGTH,))]
Angle = Annotated[Value, NumberField((dimensions.ANGLE,))]
Time = Annotated[Value, NumberField((dimensions.TIME,))]
Mass = Annotated[Value, NumberField((dimensions.MASS,))]
Density = Annotated[Value, NumberField((dimensions.DENSITY,))]
Inertia = Annotated[Value, NumberField((dimensions.INERTIA,))]
Speed = Annotated[Value, NumberField((dimensions.SPEED,))]
Acceleration = Annotated[Value, NumberField((dimensions.ACCELERATION,))]
AngularSpeed = Annotated[Value, NumberField((dimensions.ANGULAR_SPEED,))]
Force = Annotated[Value, NumberField((dimensions.FORCE,))]
Torque = Annotated[Value, NumberField((dimensions.TORQUE,))]
Area = Annotated[Value, NumberField((dimensions.AREA,))]
Stiffness = Annotated[Value, NumberField((dimensions.STIFFNESS,))]
TorsionalStiffness = Annotated[Value, NumberField((dimensions.TORSIONAL_STIFFNESS,))]
Damping = Annotated[Value, NumberField((dimensions.DAMPING,))]
TorsionalDamping = Annotated[Value, NumberField((dimensions.TORSIONAL_DAMPING,))]
Lead = Annotated[Value, NumberField((dimensions.LEAD,))]

# Along a joint coordinate: the first dimension for `angle`, the second for `displacement`.
Effort = Annotated[Value, NumberField((dimensions.TORQUE, dimensions.FORCE))]
ViscousDamping = Annotated[Value, NumberField((dimensions.TORSIONAL_DAMPING, dimensions.DAMPING))]
VaryingEffort = Annotated[TimeVarying, NumberField((dimensions.TORQUE, dimensions.FORCE), "signals")]
CoordinateStiffness = Annotated[Value, NumberField((dimensions.TORSIONAL_STIFFNESS, dimensions.STIFFNESS))]
CoordinateSpeed = Annotated[Value, NumberField((dimensions.ANGULAR_SPEED, dimensions.SPEED))]
Coordinate = Annotated[Value, NumberField((dimensions.ANGLE, dimensions.LENGTH))]
PrescribedCoordinate = Annotated[TimeVarying, NumberField((dimensions.ANGLE, dimensions.LENGTH), "time")]

VaryingForce = Annotated[TimeVarying, NumberField((dimensions.FORCE,), "signals")]
VaryingTorque = Annotated[TimeVarying, NumberField((dimensions.TORQUE,), "signals")]
# Of a control, whose signals are of any dimension: SI units.
AnyNumber = Annotated[Value, NumberField((dimensions.NUMBER,), any_dimension=True)]
VaryingAny = Annotated[TimeVarying, NumberField((dimensions.NUMBER,), "signals", any_dimension=True)]
VaryingNumber = Annotated[TimeVarying, NumberField((dimensions.NUMBER,), "signals")]
# What is true or false at a time; a number is true where it is more than 0.5.
Condition = Annotated[TimeVarying, NumberField((dimensions.NUMBER,), "signals", condition=True)]
VaryingPressure = Annotated[TimeVarying, NumberField((dimensions.PRESSURE,), "signals")]
# Of a curve with the parameter `s`, and the parameter itself, which may be anything that grows along the curve.
CurveLength = Annotated[Value, NumberField((dimensions.LENGTH,), "curve")]
CurveParameter = Annotated[Value, NumberField((dimensions.NUMBER, dimensions.ANGLE, dimensions.LENGTH))]
PrescribedAngle = Annotated[TimeVarying, NumberField((dimensions.ANGLE,), "time")]
PrescribedLength = Annotated[TimeVarying, NumberField((dimensions.LENGTH,), "time")]

Point = Annotated[tuple[Length, Length, Length], Vector()]
Direction = Annotated[tuple[Number, Number, Number], Vector(is_direction=True)]
# The axis of what turns in the plane.
Axis = Annotated[tuple[Number, Number, Number], Vector("normal", is_direction=True)]
Velocity = Annotated[tuple[Speed, Speed, Speed], Vector()]
AngularVelocity = Annotated[tuple[AngularSpeed, AngularSpeed, AngularSpeed], Vector("about")]
Gravity = Annotated[tuple[Acceleration, Acceleration, Acceleration], Vector()]
ForceVector = Annotated[tuple[VaryingForce, VaryingForce, VaryingForce], Vector()]
TorqueVector = Annotated[tuple[VaryingTorque, VaryingTorque, VaryingTorque], Vector("about")]
Angles = tuple[Angle, Angle, Angle]
ORIGIN: tuple[Value, Value, Value] = (0.0, 0.0, 0.0)
X_AXIS: tuple[Value, Value, Value] = (1.0, 0.0, 0.0)
Y_AXIS: tuple[Value, Value, Value] = (0.0, 1.0, 0.0)
Z_AXIS: tuple[Value, Value, Value] = (0.0, 0.0, 1.0)
