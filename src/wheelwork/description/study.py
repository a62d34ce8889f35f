"""A study that a description may carry: what varies, what is run, what is measured.

Each parameter that varies is given as one of

    [0.1, 0.2, 0.3], ["0.1 mm", "0.2 mm"]   a list: an axis of a grid
    "0 mm to 0.4 mm in 11"                  so many values, both ends among them; "... in 11 log" in equal ratios
    "0.02 mm normal"                        its own value and normally distributed deviations (standard deviation)
    "0.02 mm uniform"                       its own value and deviations up to this size
    "0.1 mm to 0.3 mm uniform"              between two values; "... log" for equal ratios
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from wheelwork.description import dimensions
from wheelwork.description.analysis import Simulate, WholeNumber
from wheelwork.description.base import Evaluate, Issue, Part
from wheelwork.description.dimensions import in_words
from wheelwork.description.field_marks import FieldMark, fault
from wheelwork.description.union import ByType
from wheelwork.description.units import Quantity, UnitError, parse_quantity, parse_unit
from wheelwork.description.values import NumberField, Time, Value
from wheelwork.description.vibration_analyses import ModesAnalysis, SweepAnalysis
from wheelwork.problems import Problem, did_you_mean, listed

Force = Annotated[Value, NumberField((dimensions.FORCE,))]
Sampling = Literal["random", "latin hypercube", "sobol", "saltelli", "morris"]
EACH = {"saltelli": 2, "morris": 1}
"""Samples for indices: a base sample, or trajectory, of D parameters has D and so many variants."""
MOST = 100_000_000
"""Variants of one study."""

_RANGE = re.compile(
    r"\s*(?P<low>.+?)\s+to\s+(?P<high>.+?)\s+(?:in\s+(?P<count>\d+)|(?P<kind>uniform))(?P<log>\s+log)?\s*"
)
_DEVIATION = re.compile(r"\s*(?P<size>.+?)\s+(?P<kind>normal|uniform)\s*")


@dataclass(frozen=True)
class ValuesAlongAxis:
    """Values that span a grid: a list, or so many from `low` to `high`, in equal ratios where `log`."""

    values: tuple[float, ...] = ()
    low: float = 0.0
    high: float = 0.0
    steps: int = 0
    log: bool = False

    @property
    def count(self) -> int:
        return self.steps or len(self.values)


@dataclass(frozen=True)
class Spread:
    """A distribution: `normal` (a: mean, b: standard deviation), `between` or `log` (from a to b)."""

    kind: str
    a: float
    b: float


def read_vary(given: Any, nominal: float = 0.0, unit: str | None = None) -> ValuesAlongAxis | Spread:
    """How a parameter varies. Raises ValueError with what is wrong.

    nominal: its own value; unit: its SI unit, where it has one
    """
    if not isinstance(given, str):
        return _list(given, unit)
    match = _RANGE.fullmatch(given)
    if match is not None:
        low, high = _number(match["low"], unit), _number(match["high"], unit)
        if not low < high:
            raise ValueError(f"the range is reversed: `{match['low']}` is not below `{match['high']}`")
        if match["log"] and low <= 0:
            raise ValueError(f"values in equal ratios have to be above zero, and `{match['low']}` is not")
        if match["kind"]:
            return Spread("log" if match["log"] else "between", low, high)
        count = int(match["count"])
        if count < 2:
            raise ValueError(f"a range with both its ends has at least 2 values, not {count}")
        if count > MOST:
            raise ValueError(f"{count} values are too many; up to {MOST:.0e} can be run")
        return ValuesAlongAxis((), low, high, count, bool(match["log"]))
    match = _DEVIATION.fullmatch(given)
    if match is None:
        raise ValueError(
            f"`{given}` is not one of: a list of values, `0 mm to 1 mm in 5`, `0.02 mm normal`, `0.02 mm uniform`, "
            "`0 mm to 1 mm uniform`"
        )
    size = _number(match["size"], unit)
    if size <= 0:
        raise ValueError(f"a deviation has to be above zero, and `{match['size']}` is not")
    if match["kind"] == "normal":
        return Spread("normal", nominal, size)
    return Spread("between", nominal - size, nominal + size)


def _number(given: Any, unit: str | None) -> float:
    """A number in SI units; text has its own unit, which must be of the parameter's kind."""
    if isinstance(given, str):
        text, given = given, parse_quantity(given)
        if not any(given.exponents) and "%" not in text:
            given = float(given)
    if isinstance(given, bool) or not hasattr(given, "__float__") or getattr(given, "shape", ()) != ():
        raise ValueError(f"`{given}` is not a number")
    if isinstance(given, Quantity) and unit is not None and given.unit != unit:
        words = in_words(parse_unit(unit)[1])
        raise ValueError(f"needs {words} (in {unit}), but `{given.text}` is {given.words}")
    if not math.isfinite(given):
        raise ValueError(f"`{given}` is not finite")
    return float(given)


def _list(given: Any, unit: str | None) -> ValuesAlongAxis:
    if not isinstance(given, Sequence) and not getattr(given, "shape", ()):
        raise ValueError(f"`{given}` is neither a list of values nor a text such as `0 mm to 1 mm in 5`")
    values = tuple(_number(x, unit) for x in given)
    if not values:
        raise ValueError("the list is empty")
    if len(set(values)) < len(values):
        raise ValueError("the list has the same value twice")
    return ValuesAlongAxis(values)


def read_varying(
    vary: Mapping[str, Any],
    nominal: Mapping[str, float],
    units: Mapping[str, str],
    count: int | None,
    sampling: str,
) -> tuple[dict[str, ValuesAlongAxis], dict[str, Spread], list[Problem]]:
    """Axes, distributions, and everything that is wrong.

    nominal: the parameters' own values; units: those that have a unit
    """
    problems: list[Problem] = []
    axes: dict[str, ValuesAlongAxis] = {}
    drawn: dict[str, Spread] = {}

    def wrong(path: str, message: str, hint: str = "") -> None:
        problems.append(Problem(message, path=path, hint=hint))

    for name, given in vary.items():
        if name not in nominal:
            hint = did_you_mean(name, nominal) or f"the parameters are {listed(nominal)}"
            wrong(f"vary.{name}", f"there is no parameter `{name}`", hint)
            continue
        try:
            found = read_vary(given, nominal[name], units.get(name))
        except (ValueError, UnitError) as error:
            wrong(f"vary.{name}", str(error))
            continue
        if isinstance(found, Spread):
            drawn[name] = found
        else:
            axes[name] = found
    samplings = get_args(Sampling)
    if sampling not in samplings:
        wrong("sampling", f"`{sampling}` is not one of {listed(samplings, 'or')}")
    if drawn and count is None:
        wrong("count", f"{listed(drawn)} are drawn at random: say how many with `count`")
    if count is not None and not drawn and not problems:
        wrong("count", "nothing is drawn at random: leave `count` out")
    if not drawn and sampling != "random" and not problems:
        wrong("sampling", "nothing is drawn at random: leave `sampling` out")
    if count is not None and count < 1:
        wrong("count", f"needs at least 1, and is {count}")
    normal = [name for name, spread in drawn.items() if spread.kind == "normal"]
    if sampling == "morris" and normal:
        wrong(f"vary.{normal[0]}", "`morris` goes to the ends of ranges: give `uniform` ones")
    if sampling in EACH and axes and not problems:
        wrong(
            "sampling", f"`{sampling}` and a grid cannot be combined: let `{next(iter(axes))}` be drawn too"
        )
    if not problems:
        times = len(drawn) + EACH[sampling] if sampling in EACH else 1
        total = math.prod([*(axis.count for axis in axes.values()), (count or 1) * times])
        if total > MOST:
            sizes = " x ".join(f"{axis.count} of `{n}`" for n, axis in axes.items())
            sizes += f"{' x ' if sizes and count else ''}{f'{count * times} drawn' if count else ''}"
            wrong("vary", f"{sizes} make {total:.3g} variants; up to {MOST:.0e} can be run")
    return axes, drawn, problems


class _VaryReader(FieldMark):
    """Kept as it is written; what it means depends on the parameter."""

    @staticmethod
    def read(given: Any) -> Any:
        try:
            read_vary(given)
        except (ValueError, UnitError) as error:
            raise fault(str(error)) from None
        return given if isinstance(given, str) else tuple(given)

    def json_schema(self, inner: Callable[[], Any]) -> dict[str, Any]:
        one = {"anyOf": [{"type": "number"}, {"type": "string", "minLength": 1}]}
        return {
            "anyOf": [{"type": "string", "minLength": 1}, {"type": "array", "minItems": 1, "items": one}],
            "description": "values, or a text such as `0 mm to 1 mm in 5`, `0.02 mm normal`, `0 mm to 1 mm uniform`",
        }


class RatiosAnalysis(Part):
    """Speed ratios of a gear train, in a study.

    Fields:
        hold: bodies or joints that stand still
    """

    type: Literal["ratios"] = "ratios"
    hold: tuple[str, ...] = ()


class TransmissionErrorAnalysis(Part):
    """Static transmission error of a mesh under load over one mesh cycle, in a study.

    Fields:
        mesh: name of the mesh; its teeth and materials are taken, without deviations of the flanks
        force [N]: along the line of action
        stiffness: of the teeth, `energy` (bending, shear, foundation, Hertz), `beam_slices` or `iso6336`
        points: in a mesh cycle
    """

    type: Literal["transmission_error"] = "transmission_error"
    mesh: str
    force: Force
    stiffness: Literal["energy", "beam_slices", "iso6336"] = "energy"
    points: Annotated[int, Field(strict=True, ge=8, le=100_000)] = 128
    positive = ("force",)


AnyStudiedAnalysis = Annotated[
    Simulate | ModesAnalysis | RatiosAnalysis | TransmissionErrorAnalysis | SweepAnalysis, ByType()
]
"""What can be run for each variant."""


class StudyPlan(Part):
    """Many variants of the mechanism, each run and measured.

    Fields:
        vary: parameters by name, each a list of values, or a text such as `0 mm to 0.4 mm in 11`, `0.02 mm normal`
        table: CSV file with a column for each parameter and a row for each variant, relative to the model's file
        measures: results by name, such as `greatest(mesh1.force.transverse)`
        analysis: what is run; the mechanism's own `analysis` where left out
        run_in [s]: span at the beginning of a simulation that is not measured
        samples: intervals of the measuring span at whose ends signals are looked at
        count: of what is drawn at random, how many
        sampling: `random`, `latin hypercube`, `sobol`; for indices `saltelli` (D + 2 variants each) or `morris` (D + 1)
        seed: where drawing begins
    """

    vary: dict[str, Annotated[Any, _VaryReader()]] = Field(default_factory=dict)
    table: str | None = None
    measures: dict[str, str]
    analysis: AnyStudiedAnalysis | None = None
    run_in: Time = 0.0
    samples: Annotated[int, Field(strict=True, ge=2)] = 1000
    count: WholeNumber | None = None
    sampling: Sampling = "random"
    seed: Annotated[int, Field(strict=True, ge=0)] = 0

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        run_in = value(self.run_in)
        if run_in is not None and run_in < 0:
            yield Issue("run_in", f"must not be below zero, but is {run_in:g} s")
        if not self.vary and self.table is None:
            yield Issue("vary", "nothing varies: give at least one parameter, or a `table`")
        if not self.measures:
            yield Issue("measures", "nothing is measured: give at least one measure")
