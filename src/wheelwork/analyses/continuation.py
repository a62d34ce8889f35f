"""Runs that go on from where another ended."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from wheelwork.description import ModelError
from wheelwork.engine.engine import RECORDED, Event, Integration, RunOptions, later
from wheelwork.results import Result
from wheelwork.system.program import Numbers, Program

from .assemble import POSITION_TOLERANCE, Assembled, measure, with_turns
from .part import joined
from .prepare import Prepared


def at_state(prepared: Prepared, source: Result | Assembled, t: float) -> Assembled:
    """The last state of a result, or one that was assembled, as the start of a run, brought onto the constraints."""
    of_run = isinstance(source, Result)
    _check_same_mechanism(
        prepared.program,
        source.motion.program if of_run else source.prepared.program,
        source.provenance.name if of_run else source.prepared.flat.name,
    )
    given = np.array(source.motion.state[-1] if of_run else source.state)
    state, done = prepared.engine.project(t, given, POSITION_TOLERANCE, 100)
    size = max(1.0, float(np.max(np.abs(given))))
    if not done or np.max(np.abs(state - given)) > 1e-3 * size:
        open_joint = max(measure(prepared, t, given), key=lambda m: max(m.length, m.angle))
        raise _not_from(
            f"`{open_joint.name}` is open by {max(open_joint.length, open_joint.angle):.3g} there: lengths or "
            "drivers differ from those of the run that it comes from"
        )
    return Assembled(prepared, with_turns(prepared.program, prepared.numbers.data, state), [], t)


def _check_same_mechanism(program: Program, source: Program, name: str) -> None:
    own, other = (names_of_state(p) for p in (program, source))
    if own != other:
        different = [f"`{one}`" for one in dict.fromkeys([*own, *other]) if (one in own) != (one in other)]
        only = f"{', '.join(different[:3])} {'is' if len(different) == 1 else 'are'} only in one of them"
        what = f" ({only if different else 'its elements are in another order'})"
        raise _not_from(f"it belongs to another mechanism: `{name}`{what}")


def names_of_state(program: Program) -> list[str]:
    """What a state is made of, in its order."""
    followed = [(program.constraints[use.constraint].name, use.count) for use in program.follows]
    own = [(use.name, use.kernel.states) for use in program.forces]
    more = [name if count == 1 else f"{name}.{k + 1}" for name, count in followed + own for k in range(count)]
    return [program.space.name, *program.bodies, *(turn.name for turn in program.turns), *more]


def _not_from(why: str) -> ModelError:
    return ModelError(
        f"cannot go on from this state: {why}",
        path="start",
        hint="start from a time, or from a result of this model",
    )


def losses_before(start: object, t: float) -> tuple[Event, ...]:
    """What took energy at single moments before a run that goes on from a result at a time: it counts on."""
    if not isinstance(start, Result):
        return ()
    before = (*start.provenance.earlier, *start.provenance.events)
    return tuple(event for event in before if event.lost and event.t <= t)


def same_numbers(a: Numbers, b: Numbers) -> bool:
    return all(
        np.array_equal(getattr(a, f.name), getattr(b, f.name))
        for f in fields(Numbers)
        if f.name != "parameters"
    )


def can_continue(result: Result, prepared: Prepared, run: RunOptions) -> bool:
    """Whether a run can go on with the very steps of the one that left a result; else it starts from its last state."""
    ending = result.ending
    if ending is None or not ending.carried or run.method != ending.method:
        return False
    return (run.method != "rk4" or run.step == ending.step) and same_numbers(
        result.motion.numbers, prepared.numbers
    )


def continued_by(result: Result, now: Integration, run: RunOptions) -> Integration:
    """What a run found that went on with the steps of another. Its first record is of these steps too, as that of a
    longer run would be; where that one handed over its very end, it is the last record there."""
    motion, nothing = result.motion, slice(0)
    last = {
        name: np.zeros((1, 0)) if run.states_only and k > 1 else getattr(motion, name)[-1:]
        for k, name in enumerate(RECORDED)
    }
    before = now.at(nothing, events=[], sides=now.sides[:0], **({} if run.start in now.t else last))
    happened = [event for event in now.events if event.t > run.start]
    after = now.at(now.t >= run.start, events=happened, sides=later(now.sides, run.start))
    return joined(before, after, run.skipping)
