"""Speeds of all links for given inputs.

Sign convention: a link's speed is about the direction of its axis as the joint that carries it gives it, right-handed.
In a train with parallel axes whose joints all point the same way, positive means the same way round for all. The speed
is absolute (against the base), unless stated to be against the carrier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from wheelwork.problems import ModelError, listed

from .carriers import problem, relative
from .exact import Reduced, Row
from .graph import TrainGraph
from .mobility import check_moves
from .names import row_named, speed_row
from .train import Number, exact

RIGHT_SIDE = -1
"""Column for the given numbers: a row then reads sum(entries * unknowns) = -entry here."""


@dataclass(frozen=True)
class Prescribed:
    """A speed that is given: `name` is a joint or a body; `value` [rad/s or m/s, or any unit of one's own]."""

    name: str
    value: Fraction
    held: bool = False


@dataclass(frozen=True)
class Speeds:
    """Speeds that follow from inputs.

    graph: the train
    prescribed: inputs and held links
    solved: circuits and inputs, reduced
    free: number of freedoms that no input settles
    is_exact: whether the fractions are exact
    """

    graph: TrainGraph
    prescribed: tuple[Prescribed, ...]
    solved: Reduced
    free: int
    is_exact: bool

    def value(self, row: Row) -> Fraction | None:
        """The number a combination of unknowns has, or None where the inputs leave it open."""
        left = self.solved.remainder(row)
        if any(column != RIGHT_SIDE for column in left):
            return None
        return Fraction(left.get(RIGHT_SIDE, 0))

    def of(self, name: str) -> Fraction | None:
        """Speed of a body about its axis, or of a joint (b against a)."""
        return self.value(row_named(self.graph, name)[0])

    def against_parent(self, link: str) -> Fraction | None:
        """Rate of a link against its parent in the canonical graph."""
        rate = self.graph.joint_of(link)
        if rate is None:
            return Fraction(0)
        return self.value({self.graph.rates.index(rate): Fraction(1)})

    def in_mesh(self, name: str) -> tuple[Fraction | None, Fraction | None]:
        """Speeds of the wheels of a gear pair against their carrier (Bai, after (2.6))."""
        c = next(c for c in self.graph.circuits if c.name == name)
        a = self.value(relative(self.graph, c.a, c.carrier, c.axis_a))
        b = self.value(relative(self.graph, c.b, c.carrier, c.axis_b))
        return a, b

    @property
    def rates(self) -> np.ndarray:
        """All unknowns as numbers; nan where open."""
        found = [self.value({k: Fraction(1)}) for k in range(len(self.graph.rates))]
        return np.array([np.nan if x is None else float(x) for x in found])

    @property
    def undriven(self) -> list[str]:
        """Links whose speed is open."""
        return [link for link in self.graph.moving if self.against_parent(link) is None]

    def check_driven(self) -> None:
        """A wheel whose speed is open is a `ModelError` that names its gear pair."""
        for circuit in self.graph.circuits:
            open_ = [w for w in (circuit.a, circuit.b) if self.value(speed_row(self.graph, w)[0]) is None]
            if open_:
                freedoms = "one freedom" if self.free == 1 else f"{self.free} freedoms"
                text = f"nothing drives its wheel {listed(open_[:1])}: the inputs leave {freedoms} of the train open"
                hint = "give the speed of one more body by `--input`, or hold one by `--hold`"
                raise ModelError([problem(circuit.gear, text, hint)])


def speeds(graph: TrainGraph, inputs: Mapping[str, Number], held: Sequence[str] = ()) -> Speeds:
    """Speeds of a train for given `inputs`: body or joint to its speed, in any unit; those in `held` stand still.

    Ratios that contradict each other, and inputs that do, are a `ModelError`. Inputs may be too few: what they leave
    open is None.

    >>> from wheelwork.trains.train import GearTrain
    >>> train = GearTrain()
    >>> for link in ("sun", "arm", "ring"):
    ...     train.turning("ground", link)
    >>> train.turning("arm", "planet", point=(3, 0, 0))
    >>> train.external("sun", "planet", teeth=(40, 20))
    >>> train.internal("planet", "ring", teeth=(20, 80))
    >>> speeds(TrainGraph(train), {"arm": 1}, held=["ring"]).of("sun")
    Fraction(3, 1)
    """
    check_moves(graph)
    given = [Prescribed(name, Fraction(0), held=True) for name in held]
    given += [Prescribed(name, exact(value)) for name, value in inputs.items()]
    solved = Reduced(dict(graph.solved.rows))
    is_exact = graph.is_exact
    before: list[Prescribed] = []
    for new in given:
        row, whole = row_named(graph, new.name)
        is_exact &= whole
        left = solved.remainder({**row, RIGHT_SIDE: -new.value} if new.value else row)
        if not any(column != RIGHT_SIDE for column in left):
            if left or not row:
                raise _contradiction(solved, new, row, before)
        else:
            solved.add(left, _not_the_right_side)
        before.append(new)
    free = len(graph.rates) - len(solved.rows)
    exact_rows = all(speed_row(graph, link)[1] for link in graph.moving)
    return Speeds(graph, tuple(given), solved, free, is_exact and exact_rows)


def _not_the_right_side(column: int, _: object) -> tuple[bool, int]:
    return column == RIGHT_SIDE, column


def _contradiction(solved: Reduced, new: Prescribed, row: Row, before: Sequence[Prescribed]) -> ModelError:
    if not row:
        if new.held:
            return ModelError("stands still anyway", path=new.name, hint="leave it out of `--hold`")
        text = f"cannot turn at {_shown(new.value)}: it is the base, or rigid with it"
        return ModelError(text, path=new.name)
    follows = Fraction(solved.remainder(row).get(RIGHT_SIDE, 0))
    held = [p.name for p in before if p.held]
    driven = [p.name for p in before if not p.held]
    with_held = f" with {listed(held)} held" if held else ""
    if driven:
        text = f"cannot turn at {_shown(new.value)}: {listed(driven)}{with_held} turn it at {_shown(follows)}"
        hint = "leave out one of the inputs; the train has no freedom left for it"
    else:
        text = f"cannot turn at {_shown(new.value)}: the train leaves it no motion{with_held}"
        hint = "hold less"
    return ModelError(text, path=new.name, hint=hint)


def _shown(value: Fraction) -> str:
    return f"{float(value):g}"
