"""State machine: one of several modes, which changes where a condition becomes true.

In mode a, a transition (a, b, condition) leads to mode b at the moment at which its condition becomes true, found as an
event: a step ends there. The first that is listed goes first. A condition `x > y` is met where x - y comes to zero from
below. It may read reactions and accelerations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from wheelwork.description.base import Evaluate, Issue, Part
from wheelwork.description.formula import Formula, FormulaStep
from wheelwork.description.values import Condition
from wheelwork.elements.control.base import Block
from wheelwork.equations.forces import Binding, Effect, SignalExpression
from wheelwork.lazy import casadi as ca
from wheelwork.problems import did_you_mean

OWN = ("time",)


class Transition(Part):
    """From one mode to another.

    Fields:
        leave: mode in which its condition is checked
        enter: mode to which it leads
        when: a formula with a comparison, such as `shaft.w > 10`, or one that is 1 where true and 0 where not
    """

    leave: str
    enter: str
    when: Condition


class StateMachine(Block):
    """One of several modes, which changes at events. Its output is the number of the mode, from 0; NAME.MODE is 1 in
    that mode and 0 in others, NAME.time the time since the last change.

    Fields:
        modes: their names
        initial: mode at the start; the first where left out
        transitions: from which mode to which, when
    """

    through_states = True
    type: Literal["state_machine"] = "state_machine"
    modes: tuple[str, ...]
    initial: str | None = None
    transitions: Annotated[tuple[Transition, ...], Field(min_length=1)]

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if len(self.modes) < 2 or len(set(self.modes)) < len(self.modes):
            yield Issue("modes", "needs two names at least, all different")
        for k, name in enumerate(self.modes):
            if not name.isidentifier() or name in OWN:
                yield Issue(
                    f"modes.{k}", f"needs a name of letters and digits other than `time`, but is `{name}`"
                )
        asked = [("initial", self.initial)] if self.initial is not None else []
        for k, one in enumerate(self.transitions):
            asked += [(f"transitions.{k}.leave", one.leave), (f"transitions.{k}.enter", one.enter)]
        for field, name in asked:
            if name not in self.modes:
                yield Issue(field, f"there is no mode `{name}`", did_you_mean(name, self.modes))

    def bind(self, context):
        place = {name: k for k, name in enumerate(self.modes)}
        pairs = tuple((place[one.leave], place[one.enter]) for one in self.transitions)
        margins = [margin(one.when) for one in self.transitions]
        halves = tuple(0.0 if isinstance(one, Formula) else 0.5 for one in margins)
        start = float(place[self.initial or self.modes[0]])
        return Binding([], [], margins, [], (self.unit, pairs, self.modes, halves), [start, 0.0])

    @staticmethod
    def outputs(arguments):
        unit, _, modes, _ = arguments.options
        mode, since = arguments.states
        found = {"": SignalExpression(mode, unit, "number of the mode")}
        for k, name in enumerate(modes):
            found[name] = SignalExpression(ca.fabs(mode - k) < 0.5, "1", f"1 in mode {name}")
        found["time"] = SignalExpression(arguments.time - since, "s", "time since the mode changed")
        return found

    @classmethod
    def behaviour(cls, arguments):
        _, pairs, _, halves = arguments.options
        mode, since = arguments.states
        changes, after, when = [], mode, since
        for (before, to), half, met in reversed(list(zip(pairs, halves, arguments.inputs, strict=True))):
            met = met - half
            here = ca.fabs(mode - before) < 0.5
            changes.insert(0, ca.if_else(here, -met, 1.0))
            goes = ca.if_else(here, met >= 0, 0)
            after, when = ca.if_else(goes, float(to), after), ca.if_else(goes, arguments.time, when)
        return Effect([], updates=[after, when], changes=changes)

    def output_names(self):
        return ["", *self.modes, *OWN]


def margin(condition: object) -> object:
    """What is positive where a condition is true; a number or a table, which is true above 0.5, stays as it is."""
    if not isinstance(condition, Formula):
        return condition
    *first, last = condition.program
    difference = (*first, FormulaStep("apply", "sub", 2))
    if last.kind == "apply" and last.what in ("gt", "ge"):
        return Formula._of(difference)
    if last.kind == "apply" and last.what in ("lt", "le"):
        return Formula._of((*difference, FormulaStep("apply", "neg", 1)))
    return Formula._of((*condition.program, FormulaStep("number", 0.5), FormulaStep("apply", "sub", 2)))
