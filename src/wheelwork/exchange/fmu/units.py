"""Units of variables as FMI defines them: exponents of the SI's base units."""

from __future__ import annotations

from wheelwork.description.units import UnitError, parse_unit

BASE = ("m", "kg", "s", "rad")


def base_exponents(unit: str) -> dict[str, int] | None:
    """Exponents of metre, kilogram, second and radian; None where the unit has no such form (`m or rad`)."""
    try:
        factor, exponents = parse_unit(unit)
    except UnitError:
        return None
    if factor != 1.0 or any(x.denominator != 1 for x in exponents):
        return None
    return {name: int(x) for name, x in zip(BASE, exponents, strict=True) if x}
