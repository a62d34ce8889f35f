"""Units at the edge: `15 mm` becomes 0.015."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from wheelwork.description.dimensions import (
    ANGLE,
    ANGULAR_SPEED,
    FORCE,
    FREQUENCY,
    LENGTH,
    MASS,
    NUMBER,
    POWER,
    PRESSURE,
    TIME,
    TORQUE,
    Exponents,
    in_words,
    si_unit,
)
from wheelwork.problems import did_you_mean

_BASE: dict[str, tuple[float, Exponents]] = {
    "m": (1.0, LENGTH.exponents),
    "g": (1e-3, MASS.exponents),
    "s": (1.0, TIME.exponents),
    "rad": (1.0, ANGLE.exponents),
    "N": (1.0, FORCE.exponents),
    "Pa": (1.0, PRESSURE.exponents),
    "J": (1.0, TORQUE.exponents),
    "Nm": (1.0, TORQUE.exponents),
    "W": (1.0, POWER.exponents),
    "Hz": (1.0, FREQUENCY.exponents),
    "bar": (1e5, PRESSURE.exponents),
}
_PLAIN: dict[str, tuple[float, Exponents]] = {
    **_BASE,
    "kg": (1.0, MASS.exponents),
    "%": (0.01, NUMBER.exponents),
    "deg": (math.pi / 180, ANGLE.exponents),
    "°": (math.pi / 180, ANGLE.exponents),
    "arcmin": (math.pi / 180 / 60, ANGLE.exponents),
    "arcsec": (math.pi / 180 / 3600, ANGLE.exponents),
    "rev": (2 * math.pi, ANGLE.exponents),
    "turn": (2 * math.pi, ANGLE.exponents),
    "rpm": (2 * math.pi / 60, ANGULAR_SPEED.exponents),
    "sec": (1.0, TIME.exponents),
    "min": (60.0, TIME.exponents),
    "h": (3600.0, TIME.exponents),
    "inch": (0.0254, LENGTH.exponents),
    "in": (0.0254, LENGTH.exponents),
    "ft": (0.3048, LENGTH.exponents),
    "lb": (0.45359237, MASS.exponents),
    "lbf": (4.4482216152605, FORCE.exponents),
    "kgf": (9.80665, FORCE.exponents),
    "psi": (6894.757293168361, PRESSURE.exponents),
    "hp": (745.6998715822702, POWER.exponents),
}
_PREFIXES = {
    "p": -12, "n": -9, "u": -6, "µ": -6, "μ": -6, "m": -3, "c": -2, "d": -1, "h": 2, "k": 3, "M": 6, "G": 9, "T": 12,
}  # fmt: skip
_PREFIXED_SPELLINGS = [
    "mm", "um", "cm", "km", "mg", "ms", "us", "mrad", "kN", "MN", "MPa", "GPa", "kPa", "kJ", "kW",
]  # fmt: skip

_WORDS = {
    "newton": "N", "pascal": "Pa", "joule": "J", "watt": "W", "hertz": "Hz", "metre": "m", "meter": "m", "micron": "um",
    "gram": "g", "gramme": "g", "tonne": "Mg", "ton": "Mg", "t": "Mg", "second": "s", "minute": "min", "hour": "h",
    "hr": "h", "r": "rev", "degree": "deg", "radian": "rad", "revolution": "rev", "u": "rev", "mps": "m/s",
    "kmh": "km/h", "kph": "km/h", "inche": "in",
}  # fmt: skip
_PREFIX_WORDS = {"nano": "n", "micro": "u", "milli": "m", "centi": "c", "kilo": "k", "mega": "M", "giga": "G"}
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_QUANTITY = re.compile(rf"\s*({_NUMBER})\s*(.*?)\s*", re.DOTALL)
_TOKEN = re.compile(
    r"\s*(?:(\*\*|\^)\s*([+-]?\d+(?:\.\d+)?)|([²³])|([*·⋅.])|(/)|(\()|(\))|([A-Za-zµμ°%]+)(\d?)|(1))"
)
_LONGEST_UNIT = 80


class UnitError(ValueError):
    """A text is not a quantity, or not one of the dimension needed."""


class Quantity(float):
    """A number in SI units that remembers how it was written.

    It is a float in every respect; `text` is what a saved file shows, `exponents` is its dimension.
    """

    __slots__ = ("_unit", "exponents", "text")
    text: str
    exponents: Exponents
    _unit: str | None

    def __new__(cls, value: float, text: str, exponents: Exponents) -> Quantity:
        self = super().__new__(cls, value)
        self.text = text
        self.exponents = exponents
        self._unit = None
        return self

    def __getnewargs__(self) -> tuple[float, str, Exponents]:  # type: ignore[override]  # for pickle and copy
        return (float(self), self.text, self.exponents)

    @property
    def words(self) -> str:
        """The dimension in words, such as `a length`."""
        return in_words(self.exponents)

    @property
    def unit(self) -> str:
        """The SI unit the number is in."""
        if self._unit is None:
            self._unit = si_unit(self.exponents)
        return self._unit


def looks_like_quantity(text: str) -> bool:
    """Whether a text is one number, alone or followed by what can only be a unit."""
    match = _QUANTITY.fullmatch(text)
    if match is None:
        return False
    rest = match.group(2)
    return not rest or rest[0].isalpha() or rest[0] in "%°µμ" or re.match(r"1\s*/", rest) is not None


def parse_quantity(text: str) -> Quantity:
    """Read `15 mm`, `2e8 N/m`, `5 N m`, `80um`; a number alone has dimension 1.

    >>> float(parse_quantity("15 mm"))
    0.015
    """
    match = _QUANTITY.fullmatch(text)
    if match is None:
        raise UnitError(f"`{text}` is not a number with a unit, such as `15 mm`")
    number, unit = float(match.group(1)), match.group(2)
    if not unit:
        return Quantity(number, text.strip(), NUMBER.exponents)
    factor, exponents = parse_unit(unit)
    value = _scaled(number, factor)
    if not math.isfinite(value):
        raise UnitError("the number is too large")
    if value == 0 and number != 0:
        raise UnitError("the number is too small")
    return Quantity(value, f"{match.group(1)} {unit}", exponents)


def _scaled(number: float, factor: float) -> float:
    """`number * factor`, but dividing by whole numbers, so that `0.3 mm` is the double nearest to 0.0003."""
    inverse = round(1 / factor) if 0 < factor < 1 else 0
    return number / inverse if inverse and abs(inverse * factor - 1) < 1e-12 else number * factor


def parse_unit(text: str) -> tuple[float, Exponents]:
    """Factor to SI and exponents of a unit expression such as `N*m/rad`, `kg m2` or `N/(m/s)`."""
    if len(text) > _LONGEST_UNIT:
        raise UnitError(f"the unit `{text[:20]}...` is longer than {_LONGEST_UNIT} characters")
    return _UnitReader(text).read()


class _UnitReader:
    """Reads products and quotients from left to right: `a/b*c` is (a/b)*c, as in a formula."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def read(self) -> tuple[float, Exponents]:
        result = self.product(depth=0)
        if self.position != len(self.text):
            raise self.error()
        return result

    def error(self) -> UnitError:
        first, _, second = self.text.partition("-")
        if is_unit(first) and (second.isdigit() or is_unit(re.sub(r"\^?\d$", "", second))):
            meant = f"{first}^-{second}" if second.isdigit() else f"{first} {second}"
            return UnitError(f"`{self.text}` is not a unit; did you mean `{meant}`?")
        if any(sign in self.text for sign in "+-") and is_unit(re.split(r"[^A-Za-z]", self.text)[0]):
            return UnitError(
                "there is more text after the unit; for a formula, give the quantity a name under `parameters`"
            )
        return UnitError(f"`{self.text}` is not a unit (read as far as column {self.position + 1})")

    def product(self, depth: int) -> tuple[float, Exponents]:
        if depth > 5:
            raise self.error()
        factor, exponents = 1.0, NUMBER.exponents
        sign, wanted = 1, True
        while (match := _TOKEN.match(self.text, self.position)) is not None:
            power_sign, _, superscript, times, over, opening, closing, symbol, digit, one = match.groups()
            if power_sign or superscript or closing:
                break
            self.position = match.end()
            if times or over:
                if wanted:
                    raise self.error()
                sign, wanted = (-1 if over else 1), True
                continue
            if opening:
                f, x = self.product(depth + 1)
                end = _TOKEN.match(self.text, self.position)
                if end is None or not end.group(7):
                    raise self.error()
                self.position = end.end()
            else:
                f, x = (1.0, NUMBER.exponents) if one else find_unit(symbol)
            n = sign * self.power(digit)
            try:
                factor *= f ** float(n)
            except OverflowError:
                raise self.error() from None
            exponents = _plus(exponents, x, n)
            sign, wanted = 1, False
        if wanted:
            raise self.error()
        return factor, exponents

    def power(self, digit: str | None) -> Fraction:
        if digit:
            return Fraction(digit)
        match = _TOKEN.match(self.text, self.position)
        if match is None or not (match.group(1) or match.group(3)):
            return Fraction(1)
        self.position = match.end()
        power = Fraction(match.group(2)) if match.group(1) else Fraction({"²": 2, "³": 3}[match.group(3)])
        if abs(power) > 12 or power.denominator > 100:
            raise self.error()
        return power


def _plus(a: Exponents, b: Exponents, times: Fraction) -> Exponents:
    return (a[0] + b[0] * times, a[1] + b[1] * times, a[2] + b[2] * times, a[3] + b[3] * times)


def is_unit(text: str) -> bool:
    """Whether a text is one unit symbol, with or without a prefix."""
    return text in _PLAIN or (text[:1] in _PREFIXES and text[1:] in _BASE)


def find_unit(symbol: str) -> tuple[float, Exponents]:
    """Factor and exponents of one unit symbol, with or without a prefix."""
    if symbol in _PLAIN:
        return _PLAIN[symbol]
    prefix, base = symbol[:1], symbol[1:]
    if prefix in _PREFIXES and base in _BASE:
        factor, exponents = _BASE[base]
        return factor * float(f"1e{_PREFIXES[prefix]}"), exponents
    meant = _meant(symbol)
    hint = f"did you mean `{meant}`?" if meant else did_you_mean(symbol, [*_PLAIN, *_PREFIXED_SPELLINGS])
    raise UnitError(f"there is no unit `{symbol}`" + (f"; {hint}" if hint else ""))


def _meant(symbol: str) -> str:
    """The unit that a word stands for, or the product of two that are written as one; empty for others."""
    word = symbol.lower()
    prefix = next(
        (p for p in _PREFIX_WORDS if word.startswith(p) and word.removesuffix("s") not in _WORDS), ""
    )
    for name in (word[len(prefix) :], word[len(prefix) :].removesuffix("s")):
        if name in _WORDS:
            return _PREFIX_WORDS.get(prefix, "") + _WORDS[name]
    for known in (_PLAIN, [p + b for p in _PREFIXES for b in _BASE]):
        alike = [spelling for spelling in known if spelling.lower() == word]
        if len(alike) == 1:
            return alike[0]
    head = next((one for one in ("kg", "kN", "MN", "mN", "N", "J", "W") if symbol.startswith(one)), "")
    rest = symbol[len(head) :]
    return f"{head} {rest}" if head and is_unit(rest) and symbol not in ("kgg", "kgs") else ""
