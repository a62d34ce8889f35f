"""What the teeth of a mesh are made of: one material for both wheels, or one for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from wheelwork.description import dimensions
from wheelwork.description.base import Part, Range
from wheelwork.description.field_marks import fault
from wheelwork.description.values import NumberField, Value
from wheelwork.lazy import dataclass, stiffness

if TYPE_CHECKING:
    from wheelwork.gears.stiffness import Material


@dataclass(frozen=True)
class PerWheel(NumberField):
    """A value of both wheels, or two values: of wheel a and of wheel b."""

    def read(self, given: Any) -> Any:
        if not isinstance(given, list | tuple):
            return super().read(given)
        if len(given) != 2:
            raise fault(
                f"needs one value for both wheels, or two, of wheel a and wheel b, but has {len(given)}"
            )
        first, second = given
        return super().read(first), super().read(second)

    def json_schema(self, inner: Callable[[], Any]) -> dict[str, Any]:
        one = super().json_schema(inner)
        pair = {"type": "array", "prefixItems": [one, one], "minItems": 2, "maxItems": 2}
        return {**one, "anyOf": [*one["anyOf"], pair]}


ModulusPerWheel = Annotated[Value | tuple[Value, Value], PerWheel((dimensions.PRESSURE,))]
NumberPerWheel = Annotated[Value | tuple[Value, Value], PerWheel((dimensions.NUMBER,))]


class Modulus(Part):
    """The stiffness of the material.

    Fields:
        youngs_modulus [Pa]: of both wheels, or of wheel a and wheel b; that of steel if left out
    """

    youngs_modulus: ModulusPerWheel = 206e9
    positive = ("youngs_modulus",)


class Elasticity(Modulus):
    """The stiffness of the material in all directions.

    Fields:
        poisson_ratio [1]: of both wheels, or of wheel a and wheel b; that of steel if left out
    """

    poisson_ratio: NumberPerWheel = 0.3
    ranges: ClassVar = {"poisson_ratio": Range("be at least 0 and less than 0.5", lambda x: 0 <= x < 0.5)}


def per_wheel(given: Any) -> tuple[Any, Any]:
    """Of wheel a and wheel b."""
    return given if isinstance(given, tuple) else (given, given)


def materials_of(part: Any, value: Callable[[Any], float]) -> tuple[Material, Material]:
    """Of wheel a and wheel b, as a part with these fields has them; else steel."""
    steel = stiffness.STEEL
    moduli = [value(x) for x in per_wheel(getattr(part, "youngs_modulus", steel.youngs_modulus))]
    ratios = [value(x) for x in per_wheel(getattr(part, "poisson_ratio", steel.poisson_ratio))]
    return stiffness.Material(moduli[0], ratios[0]), stiffness.Material(moduli[1], ratios[1])
