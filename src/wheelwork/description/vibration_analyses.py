"""Analyses of vibration that a description may carry: modes, Campbell diagrams, responses, sweeps, stability."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from wheelwork.description import dimensions
from wheelwork.description.analysis import Analysis, Simulate, WholeNumber
from wheelwork.description.base import Evaluate, Issue, Part, Range, Value
from wheelwork.description.parameters import ParameterValue
from wheelwork.description.union import ByType
from wheelwork.description.values import Number, NumberField, Time

Frequency = Annotated[Value, NumberField((dimensions.FREQUENCY,))]


MOST_POINTS = 10**6
"""Values of a parameter or frequency in one analysis."""
POINTS = {"points": Range(f"be from 2 to {MOST_POINTS}", lambda x: 2 <= x <= MOST_POINTS)}
MOST_SAMPLES = 10**7
"""Of a sweep, at each value."""


class _AtPoint(Analysis):
    """About an operating point.

    Fields:
        at: `assembled` (rotors keep turning as given), `equilibrium` (the position of rest), or `steady` (the steady
            motion near the given one)
        settle [s]: simulate this time first, to a steady rotation
    """

    of_vibration = True
    at: Literal["assembled", "equilibrium", "steady"] = "assembled"
    settle: Time | None = None
    positive = ("settle",)


class _About(_AtPoint):
    """The same, with teeth at a phase and motion seen from a body.

    Fields:
        at_phase [1]: of the first mesh whose stiffness varies, in mesh cycles; the mean over the cycle where left out
        frame: body from whose axes motion is seen wherever they will do, or `world`; found for each body where left out
    """

    at_phase: Number | None = None
    frame: str | None = None


class ModesAnalysis(_About):
    """Natural frequencies, damping, mode shapes and their energy about an operating point.

    Fields:
        planets: names of bodies whose modes are classified as planetary ones; found from meshes where left out
    """

    type: Literal["modes"] = "modes"
    planets: tuple[str, ...] | None = None


class CampbellAnalysis(_About):
    """Modes over a range of a parameter, such as a speed, and where orders of excitation meet them.

    Fields:
        parameter: name of what is varied
        start: its first value
        stop: its last value
        points: how many values there are
        orders [1]: excitations in multiples of the parameter, which is a speed then
        planets: names of bodies whose modes are classified as planetary ones; found from meshes where left out
    """

    type: Literal["campbell"] = "campbell"
    parameter: str
    start: ParameterValue
    stop: ParameterValue
    points: WholeNumber = 41
    ranges: ClassVar = POINTS
    orders: tuple[Number, ...] = (1.0,)
    planets: tuple[str, ...] | None = None


class ResponseAnalysis(_About):
    """Linear response of signals to a harmonic input, about an operating point.

    Fields:
        input: a parameter that forces are written with, or `NAME.error` of a mesh or spring
        signals: names of what is seen
        start [Hz]: first frequency
        stop [Hz]: last frequency
        points: how many frequencies there are
    """

    type: Literal["response"] = "response"
    input: str
    signals: tuple[str, ...]
    start: Frequency
    stop: Frequency
    points: WholeNumber = 401
    ranges: ClassVar = POINTS

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        start, stop = value(self.start), value(self.stop)
        if start is not None and stop is not None and not 0 <= start < stop:
            yield Issue("stop", f"must be above the start at {start:g} Hz, but is {stop:g} Hz")


class SweepAnalysis(Analysis):
    """Steady vibration over a parameter, such as a speed, each value starting where the last one ended.

    Fields:
        parameter: name of what is varied
        start: its first value
        stop: its last value
        points: how many values there are
        both: whether to go back down afterwards, which shows hysteresis
        signals: names of what is measured; the mechanism's `outputs` where left out
        frequency [Hz]: of the excitation, as a rule a formula of parameters such as `speed/(2*pi)`
        settle [1]: how long to wait at each value, in periods of the frequency; in seconds where there is none
        measure [1]: how long to measure, likewise
        samples: per period, or in total where there is no frequency
        orders [1]: multiples of the frequency whose amplitudes are wanted
        contacts: names of signals of contact forces whose share of time at zero is wanted
        histories: whether to keep the samples, for phase portraits and spectra
        restart: whether to begin at the given position at each value, instead of where the last one ended
        extensions: how often at most it settles and measures once more where mean, rms or envelope still change
        method: of integration, as for `simulate`
        step [s]: fixed step of `rk4`, first step of the others; chosen where left out
        rtol [1]: relative error allowed in a step
        atol [1]: absolute error allowed in a step
        formulation: `absolute`, `reduced` or `auto`, as for `simulate`
        skipping: `stop` where teeth skip, or `count` them and go on, as for `simulate`
    """

    type: Literal["sweep"] = "sweep"
    of_vibration = True
    goes_on = True
    parameter: str
    start: ParameterValue
    stop: ParameterValue
    points: WholeNumber = 41
    ranges: ClassVar = POINTS
    both: bool = False
    signals: tuple[str, ...] | None = None
    frequency: Frequency | None = None
    settle: Number = 100.0
    measure: Number = 20.0
    samples: WholeNumber = 64
    orders: tuple[Number, ...] = ()
    contacts: tuple[str, ...] = ()
    histories: bool = False
    restart: bool = False
    extensions: Annotated[int, Field(strict=True, ge=0)] = 10
    method: Literal["dopri5", "dop853", "rk4", "sdirk4"] = "dopri5"
    step: Time | None = None
    rtol: Number = 1e-8
    atol: Number = 1e-10
    formulation: Literal["auto", "absolute", "reduced"] = "auto"
    skipping: Literal["stop", "count"] = "stop"

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        given = {name: getattr(self, name) for name in ("method", "step", "rtol", "atol")}
        yield from Simulate.model_construct(end=1.0, **given).all_issues(value)
        periods = 1.0 if self.frequency is None else value(self.measure)
        if periods is not None and periods * self.samples > MOST_SAMPLES:
            text = f"makes {periods * self.samples:.4g} samples at each value, but at most {MOST_SAMPLES} are kept"
            yield Issue("samples", text, "measure fewer periods, or take fewer samples in one")
        if self.orders and self.frequency is None:
            yield Issue("orders", "need `frequency`, of which they are multiples")


class ParameterRange(Part):
    """Equal steps from one value of a parameter to another.

    Fields:
        start: its first value
        stop: its last value
        points: how many values there are
    """

    start: ParameterValue
    stop: ParameterValue
    points: WholeNumber = 41
    ranges: ClassVar = POINTS


class StabilityAnalysis(_AtPoint):
    """Whether small motions about a steady or periodic motion grow, at one point or over one or two parameters.

    Fields:
        over: a range of values for each of one or two parameters, by name
        period [s]: of the coefficients, as a rule a formula of parameters such as `pi/speed`; found where left out
    """

    type: Literal["stability"] = "stability"
    over: dict[str, ParameterRange] = Field(default_factory=dict)
    period: Time | None = None
    positive = ("period",)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if len(self.over) > 2:
            yield Issue("over", f"takes one parameter or two, but is given {len(self.over)}")


AnyAnalysis = Annotated[Any, ByType(family="analyses")]
"""What a description may ask for."""
