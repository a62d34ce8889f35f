"""Branches around what is needed only where a condition holds: flanks that are apart, a spring that is slack.

In a tape `value if condition else 0` is a selection: both are there, one is taken. Instructions whose values nothing
takes but selections with one condition are brought together and skipped where it does not hold. Results keep every
digit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

CHEAP = {
    *(ca.OP_ADD, ca.OP_SUB, ca.OP_MUL, ca.OP_SQ, ca.OP_NEG, ca.OP_TWICE, ca.OP_FMIN, ca.OP_FMAX, ca.OP_FABS),
    *(
        ca.OP_LT,
        ca.OP_LE,
        ca.OP_EQ,
        ca.OP_NE,
        ca.OP_NOT,
        ca.OP_AND,
        ca.OP_OR,
        ca.OP_FLOOR,
        ca.OP_IF_ELSE_ZERO,
    ),
}
"""Operations of about the price of an addition."""
PRICES = {**dict.fromkeys(CHEAP, 1), **dict.fromkeys((ca.OP_DIV, ca.OP_INV, ca.OP_SQRT), 5)}
FUNCTION = 20
"""Additions that a logarithm, an arc tangent or the like is worth."""
WORTH = 20
"""Additions from which on a branch is worth it."""


@dataclass(frozen=True)
class Guard:
    """Instructions that are needed only where a condition holds.

    written: all of them, in order, with the selections; where the condition holds, a selection is its value
    selections: those of the instructions `value if condition else 0` that something outside takes
    """

    condition: int
    written: list[int]
    selections: list[int]


def guarded(
    operations: Sequence[int], sources: Sequence[tuple[int, ...]], written: list[int]
) -> tuple[list[int], dict[int, Guard]]:
    """The written instructions in an order that keeps those of each guard together, and the guards by their first."""
    selections: dict[int, list[int]] = defaultdict(list)
    for k in written:
        if operations[k] == ca.OP_IF_ELSE_ZERO:
            selections[sources[k][0]].append(k)
    uses = [0] * len(operations)
    for k in written if selections else ():
        for s in sources[k]:
            uses[s] += 1
    guards: dict[int, Guard] = {}
    """By each of their instructions."""
    for condition, chosen in selections.items():
        inside = _needed_by([sources[k][1] for k in chosen], operations, sources, uses, guards)
        price = sum(PRICES.get(operations[k], FUNCTION) for k in inside)
        if price >= WORTH and not any(k in guards for k in chosen):
            guard = Guard(condition, sorted(inside.union(chosen)), [k for k in chosen if k not in inside])
            guards.update(dict.fromkeys(guard.written, guard))
    while guards:
        order, cyclic = _ordered(sources, written, guards)
        if cyclic is None:
            return order, {guard.written[0]: guard for guard in guards.values()}
        guards = {k: guard for k, guard in guards.items() if guard is not cyclic}
    return written, {}


def _needed_by(
    waiting: list[int],
    operations: Sequence[int],
    sources: Sequence[tuple[int, ...]],
    uses: list[int],
    taken: dict[int, Guard],
) -> set[int]:
    """The instructions whose values are taken for nothing but these."""
    left: dict[int, int] = {}
    inside: set[int] = set()
    while waiting:
        k = waiting.pop()
        left[k] = left.get(k, uses[k]) - 1
        if left[k] == 0 and k not in taken and operations[k] not in (ca.OP_INPUT, ca.OP_CONST):
            inside.add(k)
            waiting += sources[k]
    return inside


def _ordered(
    sources: Sequence[tuple[int, ...]], written: list[int], guards: dict[int, Guard]
) -> tuple[list[int], Guard | None]:
    """All instructions, each after what it takes; or a guard whose instructions cannot be together."""
    order: list[int] = []
    done: set[int] = set()
    for first in written:
        path, begun = [first], set()
        while path:
            k = path[-1]
            guard = guards.get(k)
            own = [k] if guard is None else guard.written
            if k in done:
                path.pop()
                continue
            needed = {s for j in own for s in sources[j]}.difference(own, done)
            if not needed:
                order += own
                done.update(own)
                path.pop()
            elif own[0] in begun:  # it takes what takes something of its own
                return [], guard or next(g for g in guards.values() if g.written[0] in begun)
            else:
                begun.add(own[0])
                path += sorted(needed, reverse=True)
    return order, None
