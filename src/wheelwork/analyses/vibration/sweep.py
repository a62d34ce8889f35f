"""Steady vibration over a range of a parameter, up and down, as on a test rig.

At each value the motion is integrated until transients have died away (`settle`), then measured; where it has not
settled by then (:mod:`.settling`), both once more, up to `extensions` times. The state at the end is where the next
value starts, so that of several steady motions the one is followed on which the mechanism already is: where the curves
up and down differ there is hysteresis, with jumps at its ends.

Where the vibration changes much from one value to the next, the interval is halved, again and again in the half with
the larger change, each time starting from the value before it: halving a steep curve halves its change, but a jump
stays what it is. What is measured on the way tells `Sweep.jumps` the two apart, and where a jump is.

With `frequency` [Hz] of the excitation the spans are whole periods, and time begins again at each value: then the phase
of an excitation cos(2 pi f t) goes on without a break, although f has changed, and the angle of a rotor driven at f
turns per second has returned to where it was. Counted turns of driven joints are taken back with it. Where the value is
the speed of a driver, all velocities are scaled with it: a driver alone would give the rest a blow at each value.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wheelwork.description import Description, Formula, ModelError, Problem, Simulate
from wheelwork.engine.watch import Watch
from wheelwork.problems import did_you_mean, users_level
from wheelwork.system.signals import Signal, SignalCatalogue

from ..assemble import Assembled, assembled
from ..options import merged
from ..part import FinishedPart, Portions, about
from ..prepare import Prepared, prepare
from ..simulate import RunWarning, run_options
from .campbell import with_value
from .measures import SHARES, unclear
from .settling import SETTLED, is_falling
from .steady_point import Plan, Point, find_driver_speeds, go_on, measure_point
from .sweep_result import Sweep

FEWEST = 4
"""So many intervals of a sweep are looked at for jumps in any case; a quarter of them at most where there are more."""


class SweepWatch(Watch):
    """Progress over `count` values: how many are done, and the time left; Ctrl-C stops it and loses nothing."""

    def __init__(self, count: int, show: bool | None, title: str = ""):
        super().__init__(0.0, float(count), show, title)
        self._done = 0
        self._words = ""

    def begin(self, words: str) -> None:
        """A new value begins."""
        self._words = words

    def done(self) -> None:
        """A value is done."""
        self._done += 1

    def step(self, t: float, steps: int) -> bool:
        """`t`: part of the present value that is done, 0 to 1."""
        return super().step(self._done + t, steps)

    def _texts(self, t: float, elapsed: float) -> dict[str, Any]:
        del elapsed
        return {"t": f"{self._done} of {self.end:.0f}", "speed": self._words}


def sweep(
    description: Description,
    parameter: str,
    values: Sequence[float] | np.ndarray,
    *,
    signals: Sequence[str] | None = None,
    frequency: float | str | None = None,
    settle: float = 100,
    measure: float = 20,
    samples: int = 64,
    both: bool = False,
    contacts: Sequence[str] = (),
    orders: Sequence[float] = (),
    histories: bool = False,
    restart: bool = False,
    extensions: int = 10,
    parameters: Mapping[str, Any] | None = None,
    progress: bool | None = None,
    part: str | os.PathLike[str] | None = None,
    resume: bool = False,
    **options: Any,
) -> Sweep:
    """Steady vibration over values of a parameter (SI), each starting where the last one ended.

    signals: what to measure; those under `outputs` where left out.
    frequency [Hz]: of the excitation: a number, or a formula of parameters such as `omega/(2*pi)`.
    settle, measure: how long, in periods of `frequency` (whole numbers), or in seconds where there is none.
    samples: per period, or in total where there is no frequency.
    both: back down through the same values afterwards.
    contacts: signals of contact forces whose share of time at zero is wanted.
    orders: multiples of `frequency` whose amplitudes are wanted.
    histories: keep the samples themselves too, for time histories, phase portraits and spectra.
    restart: begin at the given position at each value, instead of where the last one ended.
    extensions: how often at most it settles and measures once more where mean, rms or envelope of a signal still move.
    Further options are those of `simulate`: `method`, `rtol`, `atol`, `step`, `formulation`, `skipping`...
    Ctrl-C stops and keeps what there is. `part`: a file in which a sweep of more than some seconds keeps the values
    that are done; `resume` goes on from there after it was killed, to the same digits.
    """
    numbers = np.asarray(values, float)
    _check(description, numbers, frequency, settle, measure, samples, orders, extensions)
    settings = merged(description, Simulate, {"end": 1.0, **options}, parameters)
    method = run_options(settings).method
    prepared = prepare(description, parameters, method)
    prepared = with_value(prepared, parameter, numbers[0], parameters)
    if not restart:
        _check_parameter(prepared, parameter, numbers, parameters, frequency)
    plan = Plan(
        parameter,
        parameters or {},
        frequency_formula(frequency, prepared),
        float(settle),
        float(measure),
        samples,
        extensions,
        find_signals(prepared, signals),
        find_signals(prepared, list(contacts)),
        np.asarray(orders, float),
        settings,
    )
    measured = [signal.name for signal in (*plan.signals, *plan.contacts)]
    spans = [str(frequency), plan.settle, plan.measure, samples, both, restart, extensions]
    depends = about(prepared, settings, parameter, numbers.tolist(), plan.orders.tolist(), measured, spans)
    portions = Portions(None if part is None else FinishedPart(part, depends), resume)
    passes = {"up": numbers, **({"down": numbers[::-1]} if both else {})}
    found: dict[str, list[Point]] = {name: [] for name in passes}
    between: dict[str, dict[int, list[Point]]] = {name: {} for name in passes}
    last: End | None = None
    text = ""
    with SweepWatch(sum(map(len, passes.values())), progress, f"{parameter} of {description.name}") as watch:
        for name, way in passes.items():
            ends: list[End] = []
            for value in way:
                watch.begin(f"{name}: {parameter} = {value:.5g}")
                start = None if restart else last
                point, last, text = _next(prepared, plan, float(value), start, watch, portions)
                if point is None:
                    break
                found[name].append(point)
                ends.append(last)
                watch.done()
            if text:
                break
            if not restart:
                watch.begin(f"{name}: jumps")
                between[name] = _halve(prepared, plan, found[name], ends, watch, portions)
    portions.end()
    if text and watch.presses == 0:
        warnings.warn(text, RunWarning, stacklevel=users_level())
    unsettled = _unsettled(plan, found)
    report = "complete"
    if unsettled:
        report += unsettled[0]
        warnings.warn(unsettled[1], RunWarning, stacklevel=users_level())
    return Sweep.of(prepared, plan, found, between, numbers, text or report, histories)


@dataclass(frozen=True)
class End:
    """Where a value ended: the state, and what the drivers prescribed at velocity level."""

    state: np.ndarray
    speeds: np.ndarray


def _next(
    prepared: Prepared, plan: Plan, value: float, last: End | None, watch: SweepWatch, portions: Portions
) -> tuple[Point | None, End, str]:
    """A value from where the last one ended, or from the given position; see `measure_point`."""
    stopped = End(np.zeros(0), np.zeros(0)), ""

    def find() -> dict[str, np.ndarray] | None:
        nonlocal stopped
        own = with_value(prepared, plan.parameter, value, plan.parameters)
        at = assembled(own, 0.0) if last is None else go_on(own, last.state, last.speeds, plan)
        speeds = find_driver_speeds(own, at.state)
        point, state, text = measure_point(at, plan, value, watch)
        changes: list[float] = []
        while point and not point.skipped and point.spans <= plan.extensions and _left(point) > SETTLED:
            if not is_falling(changes):
                break
            at = Assembled(own, state, [], at.t + sum(plan.spans(own)[:2]))
            more, state, text = measure_point(at, plan, value, watch)
            point = more and more.after(point)
            changes += [] if point is None else [_left(point)]
        stopped = End(state, speeds), text
        return None if point is None else {**point.arrays(), "state": state, "speeds": speeds}

    found = portions.next(find)
    if found is None:
        return None, *stopped
    # what was found is left whole: it may still wait to be written
    point = Point.of({name: array for name, array in found.items() if name not in ("state", "speeds")})
    return point, End(found["state"], found["speeds"]), ""


def _halve(
    prepared: Prepared,
    plan: Plan,
    points: list[Point],
    ends: list[End],
    watch: SweepWatch,
    portions: Portions,
) -> dict[int, list[Point]]:
    """Points between neighbouring values whose rms differs much, by the number of the interval along the way."""
    rms = np.array([point.statistics["rms"] for point in points]).reshape(len(points), -1)
    top = np.maximum(np.abs(rms).max(axis=0, initial=0.0), 1e-300)
    change = np.diff(rms, axis=0) / top
    out: dict[int, list[Point]] = {}
    for k in unclear(change)[: max(FEWEST, len(points) // 4)]:
        a, b, end = points[k], points[k + 1], ends[k]
        for needed in SHARES:
            point, reached, text = _next(prepared, plan, (a.value + b.value) / 2, end, watch, portions)
            if point is None or text:
                break
            out.setdefault(int(k), []).append(point)
            halves = [
                np.abs(p.statistics["rms"] - q.statistics["rms"]) / top for p, q in ((a, point), (point, b))
            ]
            if halves[0].max() > halves[1].max():
                b = point
            else:
                a, end = point, reached
            if max(map(np.max, halves)) < needed * np.abs(change[k]).max():
                break
        if watch.presses:
            break
    return out


def _left(point: Point) -> float:
    """The largest part of a vibration that is not steady, of all signals."""
    return float(np.nan_to_num(point.unsettled).max(initial=0.0))


def _unsettled(plan: Plan, found: dict[str, list[Point]]) -> tuple[str, str] | None:
    """Words on values that had not settled: for the report, and with what to do; None where all had."""
    points = [point for way in found.values() for point in way]
    moving = [point for point in points if _left(point) > SETTLED]
    if not moving:
        return None
    point = max(moving, key=_left)
    name = plan.signals[int(np.nan_to_num(point.unsettled).argmax())].name
    words = f"{len(moving)} of {len(points)} values had not settled"
    why = (
        f"{words} when they were measured: mean, rms or envelope of `{name}` is still {100 * _left(point):.3g} % "
        f"of the vibration away at {plan.parameter} = {point.value:.6g}, after {point.spans} times `settle` and "
        "`measure`. "
    )
    falls = point.spans > plan.extensions
    hint = (
        "Raise `settle` or `extensions`"
        if falls
        else "It does not fall: the motion may have no steady state there"
    )
    return f", but {words}", why + hint


def _check(
    description: Description,
    values: np.ndarray,
    frequency: float | str | None,
    settle: float,
    measure: float,
    samples: int,
    orders: Sequence[float],
    extensions: int,
) -> None:
    """Mistakes that can be seen before anything is derived."""
    problems = []
    if values.ndim != 1 or not len(values) or not np.all(np.isfinite(values)):
        problems.append(Problem("needs a list of numbers", path="values"))
    for name, span, least in (("settle", settle, 0.0), ("measure", measure, np.nextafter(0, 1))):
        if not span >= least:
            problems.append(Problem(f"needs a span greater than zero, but is {span:g}", path=name))
        elif frequency is not None and span != round(span):
            problems.append(Problem(f"needs whole periods, but is {span:g}", path=name))
    if extensions < 0 or extensions != int(extensions):
        problems.append(
            Problem(f"needs a whole number of at least 0, but is {extensions:g}", path="extensions")
        )
    if samples < 2:
        problems.append(Problem(f"needs at least 2, but is {samples}", path="samples"))
    if len(orders) and frequency is None:
        problems.append(Problem("need `frequency`, of which they are multiples", path="orders"))
    for order in orders if frequency is not None else ():
        if not 1 / measure <= abs(order) <= samples / 2:
            between = f"1/{measure:g}, one cycle in all periods, and {samples / 2:g}, half the samples"
            text = f"{order:g} is not between {between}"
            problems.append(Problem(text, path="orders", hint="choose `measure` or `samples` larger"))
    if problems:
        raise ModelError(problems)


def _check_parameter(
    prepared: Prepared,
    parameter: str,
    values: np.ndarray,
    parameters: Mapping[str, Any] | None,
    frequency: float | str | None,
) -> None:
    """A parameter that changes nothing but the start would give the first value again and again."""
    other = next((value for value in values if value != values[0]), None)
    if other is None:
        return
    program, first = prepared.program, prepared.numbers
    second = program.numbers({**(parameters or {}), parameter: float(other)})
    count = len(program.parameter_names)  # the data begin with the parameters themselves
    same = np.array_equal(first.data[count:], second.data[count:]) and all(
        np.array_equal(getattr(first, name), getattr(second, name))
        for name in ("mass", "inertia", "gravity", "center")
    )
    changed = [
        k
        for k, name in enumerate(program.parameter_names)
        if first.parameters[name] != second.parameters[name]
    ]
    for function in (program.formulas, program.switches):
        if function is not None:
            same = same and not set(changed) & set(function.jac_sparsity(0, 1).get_triplet()[1])
    if not same or (isinstance(frequency, str) and parameter in Formula(frequency).names()):
        return
    starts = not np.array_equal(first.state, second.state)
    why = (
        "only sets where the motion starts, and a sweep goes on from where the last value ended: every value would "
        "give what the first one gave"
        if starts
        else "does not affect the motion: every value would give the same"
    )
    hint = "`restart` begins at the given position at each value" if starts else "vary another parameter"
    raise ModelError(why, path=parameter, hint=hint)


def frequency_formula(
    given: float | str | None, prepared: Prepared, path: str = "frequency"
) -> Formula | float | None:
    """A number, or a formula of parameters that exist."""
    if not isinstance(given, str):
        return None if given is None else float(given)
    formula = Formula(given)
    known = prepared.numbers.parameters
    unknown = sorted(formula.names() - set(known))
    if unknown:
        hint = did_you_mean(unknown[0], known)
        raise ModelError(f"there is no parameter `{unknown[0]}`", path=path, hint=hint)
    return formula


def find_signals(prepared: Prepared, names: Sequence[str] | None) -> list[Signal]:
    """Scalar signals; a vector is all of its components."""
    catalogue = SignalCatalogue(prepared.program)
    names = prepared.flat.outputs if names is None else names
    if names is None:
        hint = "name some, or list them under `outputs`"
        raise ModelError("no signals to measure are given", path="signals", hint=hint)
    out, problems = [], []
    for name in names:
        try:
            signal = catalogue[name]
        except KeyError:
            hint = did_you_mean(name, catalogue.names())
            problems.append(Problem(f"there is no signal `{name}`", path="signals", hint=hint))
            continue
        out += [catalogue[f"{name}.{c}"] for c in signal.components] if signal.components else [signal]
    if problems:
        raise ModelError(problems)
    return out
