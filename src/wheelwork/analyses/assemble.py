"""Assembly: the consistent position nearest to what was given, and the velocities that go with what was given.

Nearest is meant in the metric of the kinetic energy: heavy bodies move least. A small misfit of the given position is
taken away and reported; one that is large for the size of the mechanism is an error. From there the bodies are moved to
where joint coordinates are as given (:mod:`.initial_coordinates`). A velocity that was given is kept, one that was not
follows (:mod:`.initial_speeds`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from wheelwork.description import Description, ModelError, Problem
from wheelwork.description.registry import find
from wheelwork.engine.engine import RunOptions
from wheelwork.lazy import dataclass
from wheelwork.lazy import xarray as xr
from wheelwork.results.result import DIMENSIONS
from wheelwork.system.cams import faults
from wheelwork.system.motion import Motion
from wheelwork.system.signals import SignalCatalogue
from wheelwork.system.uses import ConstraintKind

from .far import drawn_together, with_turns
from .initial_coordinates import with_given_coordinates
from .initial_speeds import with_given_speeds
from .loaded_start import wound_up
from .precision import warn_of_lost_precision
from .prepare import Prepared, prepare
from .rolling_start import stiff, strikes, warn_of_strikes, with_followers
from .small_algebra import by_one_blas_thread

POSITION_TOLERANCE = 1e-11
LARGE_LENGTH = 0.05
"""A misfit of points beyond this part of the mechanism's size is an error."""
LARGE_ANGLE = 0.1
"""A misfit of directions beyond this (rad) is an error."""


@dataclass(frozen=True)
class Misfit:
    """How far a joint was from closing at the given position."""

    name: str
    """Of the joint or driver."""
    length: float
    """m; largest of the rows that are lengths."""
    angle: float
    """rad; largest of the rows that are angles."""
    row: str
    """The worst row."""


@dataclass(frozen=True)
class Assembled:
    """A mechanism at a consistent state; `at["arm.position"]` is a signal there."""

    prepared: Prepared = field(repr=False)
    """The mechanism with its equations, numbers and engine."""
    state: np.ndarray = field(repr=False)
    """Positions, velocities and counted angles as the engine has them."""
    misfits: list[Misfit]
    """What was taken away by assembling."""
    t: float = 0.0
    """The time of this state, s."""

    def __repr__(self) -> str:
        return f"<state of {self.prepared.program.flat.name or 'a mechanism'} at t = {self.t:g} s>"

    @property
    def motion(self) -> Motion:
        """The state as a motion of one moment, with accelerations and reactions."""
        prepared = self.prepared
        _, a, multipliers = prepared.engine.derivative(self.t, self.state)
        return Motion.at_moment(prepared.program, prepared.numbers, self.t, self.state, a, multipliers)

    def run_on(self, times: np.ndarray, fault: str, path: str = "at", **tolerances: Any) -> np.ndarray:
        """States at later times [s], ascending; ModelError where a run does not get there: `fault`, and why."""
        prepared, end = self.prepared, float(times[-1])
        corners = prepared.program.corners(prepared.numbers, self.t, end)
        options = RunOptions(start=self.t, end=end, corners=corners, **tolerances)
        run = prepared.engine.integrate(self.state, times, options)
        if not run.report.outcome.good:
            raise ModelError(f"{fault}: {run.report.text}", path=path)
        return run.state[-len(times) :]

    def __getitem__(self, name: str) -> xr.DataArray:
        """A signal at this state, labelled as those of a result are: a number, or an array of components."""
        signal = SignalCatalogue(self.prepared.program)[name]
        labels = {DIMENSIONS[signal.components]: list(signal.components)} if signal.components else {}
        return xr.DataArray(
            signal.compute(self.motion)[0],
            dims=list(labels),
            coords={**labels, "time": self.t},
            name=name,
            attrs={"units": signal.unit, "long_name": signal.meaning},
        )


def assemble(
    description: Description,
    *,
    parameters: Mapping[str, Any] | None = None,
    time: float = 0.0,
    far: bool = False,
) -> Assembled:
    """Find the nearest position and velocity that meet all joints and drivers at `time` [s].

    `parameters` replaces values of parameters, by their full names. Raises ModelError, with the joints that stay open,
    if there is none near the given position, or if a joint is further from closing than 5 % of the mechanism's size or
    0.1 rad: then the description probably does not say what was meant.

    With `far` the given position may be a rough sketch, whose joints are open by any amount: bodies are drawn together
    along the path on which all misfits shrink, to the branch that it leads to (:mod:`.far`). `simulate(start=...)`
    takes what comes out.
    """
    prepared = prepare(description, parameters, units=True)
    if not far:
        return assembled(prepared, time)
    state, misfits, *_ = _assembled(prepared, time, [], far=True)
    return Assembled(prepared, state, misfits, time)


def assembled(prepared: Prepared, t: float) -> Assembled:
    """The same for a mechanism that is already prepared; the last few are remembered."""
    program = prepared.program
    numbers = prepared.numbers
    mode, content = prepared.description.start, (stiff(prepared), *program.kinematic(numbers))
    content = (t, mode, *content, *((numbers.data.tobytes(),) if mode == "loaded" else ()))
    new: list[bool] = []
    state, misfits, warned, struck = program.recent(
        "assembled", content, lambda: _assembled(prepared, t, new)
    )
    if warned and not new:
        warn_of_lost_precision(
            prepared, t, with_turns(program, prepared.numbers.data, prepared.numbers.state)
        )
    warn_of_strikes(struck)
    return Assembled(prepared, np.array(state), misfits, t)


@by_one_blas_thread
def _assembled(
    prepared: Prepared, t: float, new: list[bool], far: bool = False
) -> tuple[np.ndarray, list[Misfit], bool, list[str]]:
    """State, misfits, whether there was a warning, what strikes; `new` is told of it. `far`: from a rough sketch."""
    program, engine = prepared.program, prepared.engine
    problems = [
        prepared.flat.joints[name].problem(text, hint)
        for name, text, hint in faults(program, prepared.numbers)
    ]
    if problems:
        raise ModelError(problems)
    given = with_turns(program, prepared.numbers.data, prepared.numbers.state)
    misfits = measure(prepared, t, given)
    if far:
        given = with_turns(
            program, prepared.numbers.data, drawn_together(prepared, t, given, mechanism_size(prepared))
        )
        left = _too_large(prepared, measure(prepared, t, given))
        if left:
            raise ModelError(_cannot_close(prepared, t, given, given))
    problems = ([] if far else _too_large(prepared, misfits)) or [
        *_flipped(prepared, given),
        *_overlapping(prepared, t, given),
    ]
    if problems:
        raise ModelError(problems)
    warned = warn_of_lost_precision(prepared, t, given)
    new.append(warned)
    state, done = engine.project(t, given, POSITION_TOLERANCE, 100)
    if not done:
        raise ModelError(_cannot_close(prepared, t, given, state))
    state = _polished(prepared, t, state)
    size = mechanism_size(prepared)
    state, problems = with_given_coordinates(prepared, t, state, size)
    problems = problems or _contradicting_speeds(prepared, t, state)
    if not problems:
        rough = [] if far else misfits  # speeds of a sketch go with where its bodies were drawn to
        misfit = max((max(m.length / size, m.angle) for m in rough), default=0.0)
        state, problems = with_given_speeds(prepared, t, given, state, size, misfit)
    if problems:
        raise ModelError(problems)
    if prepared.description.start != "rest":
        state = with_followers(prepared, t, state)
    if prepared.description.start == "loaded":
        state = wound_up(prepared, t, state)
    state = with_turns(program, prepared.numbers.data, state)
    # who asks for `rest` asks for what strikes
    return state, misfits, warned, [] if prepared.description.start == "rest" else strikes(prepared, state)


def _polished(prepared: Prepared, t: float, state: np.ndarray) -> np.ndarray:
    """The state after two more rounds of Newton's method, if it is the better for them.

    A misfit of 1e-12 between redundant joints is as good as none to the motion, but shifts reactions that they leave
    open by 1e-4.
    """
    engine = prepared.engine
    finer, _ = engine.project(t, state, 1e-15, 2)
    before, after = (np.max(np.abs(engine.constraints(t, y)[0]), initial=0.0) for y in (state, finer))
    return finer if after < before else state


def measure(prepared: Prepared, t: float, y: np.ndarray) -> list[Misfit]:
    """Misfit of every joint and driver."""
    g, G, _, _ = prepared.engine.constraints(t, y)
    out = []
    for use in prepared.program.constraints:
        if use.kind is not ConstraintKind.BILATERAL:
            continue
        rows = slice(use.first_row, use.first_row + use.rows)
        V, linear = prepared.program.space.V, prepared.program.space.linear
        along = np.hstack([G[rows, :V][:, linear], G[rows, V:][:, linear]])
        is_length = np.any(np.abs(along) > 1e-12, axis=1)
        size = np.abs(g[rows])
        worst = use.row_label(int(np.argmax(size)))
        out.append(
            Misfit(
                use.name,
                float(np.max(size[is_length], initial=0.0)),
                float(np.max(size[~is_length], initial=0.0)),
                worst,
            )
        )
    return out


def mechanism_size(prepared: Prepared) -> float:
    """A length that the mechanism has: the extent of its centres of mass and joint points."""
    numbers, program = prepared.numbers, prepared.program
    points = list(program.space.poses(program.coordinates(numbers.state))[0])
    for use in program.constraints:
        arms = [
            (use.a, numbers.data[use.data : use.data + 3]),
            (use.b, numbers.data[use.data + 12 : use.data + 15]),
        ]
        points += [arm if body < 0 else points[body] + arm for body, arm in arms]
    if not points:
        return 1.0
    extent = float(np.linalg.norm(np.ptp(np.array(points), axis=0)))
    return extent if extent > 0 else 1.0


def _too_large(prepared: Prepared, misfits: list[Misfit]) -> list[Problem]:
    size = mechanism_size(prepared)
    problems = []
    for misfit in misfits:
        placed = prepared.flat.joints.get(misfit.name)
        if placed is None:
            continue
        parts = []
        if misfit.length > LARGE_LENGTH * size:
            parts.append(f"points are {misfit.length:.4g} m apart (the mechanism is {size:.3g} m in size)")
        if misfit.angle > LARGE_ANGLE:
            parts.append(f"directions are {np.degrees(np.arcsin(min(1.0, misfit.angle))):.3g} deg apart")
        if parts:
            text = f"the joint does not close at the given position: its {' and '.join(parts)}; worst row: {misfit.row}"
            hint = "move the bodies closer to where the joint closes, or correct its frames; "
            problems.append(placed.problem(text, f"{hint}`assemble(far=True)` closes a rough sketch"))
    return problems


def _cannot_close(prepared: Prepared, t: float, given: np.ndarray, reached: np.ndarray) -> list[Problem]:
    """Which joints stay open."""
    flat = prepared.flat
    reached = reached if np.all(np.isfinite(reached)) else given
    left = sorted(measure(prepared, t, reached), key=lambda m: -max(m.length, m.angle))
    problems = []
    for misfit in left[:3]:
        if max(misfit.length, misfit.angle) <= POSITION_TOLERANCE:
            continue
        placed = next(of[misfit.name] for of in (flat.joints, flat.meshes, flat.drivers) if misfit.name in of)
        problems.append(
            placed.problem(
                f"cannot be met together with the others at t = {t:g} s: "
                f"{misfit.length:.3g} m and {misfit.angle:.3g} rad remain ({misfit.row})",
                "check lengths and positions around this loop, or start nearer to a closed position",
            )
        )
    return problems or [Problem("the mechanism cannot be assembled")]


def _contradicting_speeds(prepared: Prepared, t: float, y: np.ndarray) -> list[Problem]:
    """Drivers whose speed the joints do not allow at the assembled position."""
    program, flat = prepared.program, prepared.flat
    _, G, _, nu = prepared.engine.constraints(t, y)
    V = program.space.V
    v = np.concatenate([y[program.nq : program.nq + program.nv], np.zeros(V)]).reshape(-1, V)
    problems = []
    for name, index in program.driver_constraints.items():
        use = program.constraints[index]
        row = use.first_row
        left = float(sum(block[0] @ v[body] for body, block in use.blocks(G, V)) - nu[row])
        if abs(left) > 1e-6 * max(1.0, abs(float(nu[row]))):
            problems.append(
                flat.drivers[name].problem(
                    f"prescribes the speed {nu[row]:.4g} at t = {t:g} s, which the joints and other drivers do not "
                    "allow at this position",
                    "the mechanism is locked or at a dead centre here: check the joint axes, or drive another joint",
                )
            )
    return problems


def _flipped(prepared: Prepared, y: np.ndarray) -> list[Problem]:
    """Joints whose frames close only back to front."""
    problems, data = [], prepared.numbers.data
    for name, view in prepared.program.joints.items():
        use = prepared.program.constraints[view.constraint]
        A, B = (
            prepared.program.rotation(y, body) @ data[start : start + 9].reshape(3, 3)
            for body, start in ((use.a, use.data + 3), (use.b, use.data + 15))
        )
        against = [
            axis
            for axis in find("joints", view.type).one_way
            if A[:, "xyz".index(axis)] @ B[:, "xyz".index(axis)] < 0
        ]
        if against:
            problems.append(
                prepared.flat.joints[name].problem(
                    f"the {' and '.join(against)} axes of its frames point against each other at the given position",
                    "turn one of the frames, or the body, by half a turn",
                )
            )
    return problems


def _overlapping(prepared: Prepared, t: float, y: np.ndarray) -> list[Problem]:
    """Contacts that begin inside each other: nothing would push them apart but the assembly itself."""
    g = prepared.engine.constraints(t, y)[0]
    problems = []
    for contact in prepared.program.contacts:
        gap = float(g[prepared.program.constraints[contact.constraint].first_row])
        if gap >= -1e-6:
            continue
        words = (f"the surfaces overlap by {-gap:.4g} m at the given position", "move the bodies apart")
        if contact.stop is not None:
            side, coordinate = contact.stop
            unit = "rad" if coordinate == "angle" else "m"
            words = (
                f"the {coordinate} is {-gap:.4g} {unit} beyond the {side} stop at the given position",
                "move the bodies, or the stop",
            )
        problems.append(prepared.flat.forces[contact.name].problem(*words))
    return problems
