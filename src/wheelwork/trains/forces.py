"""In which order the constraint forces of a mechanism follow from free-body balances (Chen, section 3).

A link in space has six balance equations, one in the plane three. An edge of the graph that is cut sets unknowns free:
five at a turning or sliding pair, one at a gear pair, in general as many as the joint has constraints. A link whose
edges have no more unknowns than it has equations can be solved by itself; its edges are then known to its neighbours:

    "each heavy edge one unknown, each thin edge five": with the torques of the motors given, the wrist of Chen, fig. 3,
    has the independent paths <5>, <6,7>, <8,9,10,11> of carried links, and then the major links 4, 3, 2

No more than six equations are solved at a time, as long as there is such a link. Where there is none, as in trains
whose power runs in a circle, and in linkages, a few links are taken together. Where that does not help either, statics
leaves the forces open: several planets that share a load, a shaft in more bearings than it needs. Those edges are
named.

This is topology alone: which links, which edges, how many unknowns each. What the numbers are is the business of
:mod:`wheelwork.analyses.link_forces`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import permutations
from typing import Any

from .displacement import open_loop_chain
from .graph import TrainGraph
from .mobility import mobility
from .tables import text_table
from .train import GROUND

MOST_TOGETHER = 5
"""Links that are taken together at most."""
MOST_SHOWN = 4
"""Edges in a cell of a table."""
THIN, HEAVY, DRIVE = 5, 1, 1
"""Unknowns of a turning or sliding pair, of a gear pair, and of a motor whose torque is not given."""


@dataclass(frozen=True)
class ForceEdge:
    """What transmits forces between links.

    name: of the joint, gear pair or driver
    links: between which it acts
    unknowns: numbers that its force is made of
    """

    name: str
    links: tuple[str, ...]
    unknowns: int


@dataclass(frozen=True)
class BalanceStep:
    """Free-body balance of a link, or of a few links one by one but solved together.

    links: that are cut free
    solves: edges whose forces follow
    known: edges whose forces are known from earlier steps
    equations: balance equations there are
    """

    links: tuple[str, ...]
    solves: tuple[ForceEdge, ...]
    known: tuple[ForceEdge, ...]
    equations: int

    @property
    def unknowns(self) -> int:
        return sum(edge.unknowns for edge in self.solves)

    @property
    def spare(self) -> int:
        """Equations left over: with the forces solved they must hold by themselves, by the equations of motion."""
        return self.equations - self.unknowns


@dataclass(frozen=True)
class SolutionOrder:
    """The steps one after the other.

    steps: in order
    paths: chains of links of which each needs only what is before it on its own chain: they can be solved side by side
    after: links that need several paths, or major links
    open: edges that no step solves
    """

    steps: tuple[BalanceStep, ...]
    paths: tuple[tuple[str, ...], ...]
    after: tuple[str, ...]
    open: tuple[ForceEdge, ...]

    @property
    def links(self) -> tuple[str, ...]:
        """Links in the order of their solution."""
        return tuple(link for step in self.steps for link in step.links)

    def table(self) -> str:
        """The order as text: what each link is solved for, and from what."""
        rows = [
            [
                str(k + 1),
                ", ".join(step.links),
                ", ".join(f"{edge.name} {edge.unknowns}" for edge in step.solves) or "-",
                _few([edge.name for edge in step.known]),
                f"{step.unknowns} of {step.equations}",
            ]
            for k, step in enumerate(self.steps)
        ]
        lines = [text_table(["step", "link", "solves", "known before", "unknowns"], rows)]
        if self.paths:
            shown = ", ".join(f"<{', '.join(path)}>" for path in self.paths)
            lines.append(f"\nindependent paths   {shown}")
            if self.after:
                lines.append(f"then                {', '.join(self.after)}")
        if self.open:
            lines.append(f"\nleft open           {', '.join(edge.name for edge in self.open)}")
        return "\n".join(lines)


def _few(names: list[str]) -> str:
    more = len(names) - MOST_SHOWN
    return ", ".join(names[:MOST_SHOWN]) + (f" and {more} more" if more > 0 else "") or "-"


class Solvability(IntEnum):
    """Whether unknowns really follow from as many equations."""

    NEVER = 0
    """The equations depend on each other: they leave some unknowns open."""
    SOMETIMES = 1
    """At some positions they do."""
    ALWAYS = 2


Judge = Callable[[tuple[str, ...], Sequence[ForceEdge]], Solvability]


def force_order(graph: TrainGraph, drivers: Sequence[str] = (), output: str | None = None) -> SolutionOrder:
    """Order for a gear train whose joints all are turning or sliding pairs.

    drivers: joints whose motors have unknown torques; those of all others are given
    output: the link at the end of the open-loop chain, found where left out

    >>> from wheelwork.trains import GearTrain
    >>> train = GearTrain()
    >>> train.turning("ground", "pinion", point=(0, 0, 0))
    >>> train.turning("ground", "wheel", point=(3, 0, 0))
    >>> train.external("pinion", "wheel", teeth=(20, 40))
    >>> force_order(TrainGraph(train)).links
    ('pinion', 'wheel')
    """
    ends = {name: graph.links.ends(pair) for name, pair in graph.train.pairs.items()}
    edges = [ForceEdge(name, pair, THIN) for name, pair in ends.items()]
    # teeth touch two wheels; a ratio has a support that carries the reaction, a coupler the links of its joints
    edges += [
        ForceEdge(c.name, (c.a, c.b) if c.gear.carrier is None else (c.a, c.b, c.carrier), HEAVY)
        for c in graph.circuits
    ]
    edges += [
        ForceEdge(c.name, tuple(dict.fromkeys(link for joint in c.factors for link in ends[joint])), HEAVY)
        for c in graph.train.couplings.values()
    ]
    edges += [ForceEdge(f"motor of {name}", ends[name], DRIVE) for name in drivers]
    repeated = set(mobility(graph).redundant)

    def judge(links: tuple[str, ...], cut: Sequence[ForceEdge]) -> Solvability:
        """Links that are taken together can hold a gear pair in tension with others that say the same."""
        together = len(links) > 1 and any(edge.name in repeated for edge in cut)
        return Solvability.NEVER if together else Solvability.ALWAYS

    return solution_order(edges, major=open_loop_chain(graph, output), judge=judge)


def solution_order(
    edges: Iterable[ForceEdge],
    *,
    held: str = GROUND,
    major: Sequence[str] = (),
    equations: int = 6,
    judge: Judge = lambda links, edges: Solvability.ALWAYS,
) -> SolutionOrder:
    """Order in which the forces of all edges follow from balances of the links.

    held: link whose balance is of no interest
    major: links of the open-loop chain from the base outward; carried links go before them where both can be solved
    equations: of a link
    judge: whether unknowns really follow from the balances of some links, where counting alone does not tell
    """
    between = [edge for edge in edges if len({*edge.links}) > 1]
    cut = _Cut(between, held, equations, judge)
    rank = {link: k for k, link in enumerate(major)}
    steps: list[BalanceStep] = []

    def urgency(link: str) -> tuple[bool, bool, int]:
        carried = link not in rank
        follows = bool(steps) and any(link in edge.links for edge in steps[-1].solves)
        return not (carried and follows), not carried, -rank.get(link, 0)

    while (group := cut.next(urgency)) is not None:
        steps.append(cut.solve(group))
    # What is left to balance without unknowns are checks.
    steps += [cut.solve((link,)) for link in list(cut.links) if not cut.unknown((link,))]
    paths, after = _paths(steps, set(rank))
    return SolutionOrder(tuple(steps), paths, after, tuple(cut.left))


class _Cut:
    """Edges whose forces are not known yet, and links that are not balanced yet, in the order of the edges."""

    def __init__(self, edges: list[ForceEdge], held: str, equations: int, judge: Judge) -> None:
        self.edges = edges
        self.left = list(edges)
        self.links = [
            link for link in dict.fromkeys(link for edge in edges for link in edge.links) if link != held
        ]
        self.equations = equations
        self.judge = judge

    def unknown(self, links: tuple[str, ...]) -> list[ForceEdge]:
        return [edge for edge in self.left if any(link in edge.links for link in links)]

    def next(self, urgency: Callable[[str], Any]) -> tuple[str, ...] | None:
        """Links to solve next: a single one where there is one, the most urgent first; else as few as possible."""
        for wanted in (Solvability.ALWAYS, Solvability.SOMETIMES):
            ready = [link for link in self.links if self._can_solve((link,), wanted)]
            if ready:
                return (min(ready, key=urgency),)
            group = next((group for group in self._groups() if self._can_solve(group, wanted)), None)
            if group is not None:
                return group
        return None

    def _can_solve(self, links: tuple[str, ...], wanted: Solvability) -> bool:
        edges = self.unknown(links)
        count = sum(edge.unknowns for edge in edges)
        return 0 < count <= self.equations * len(links) and self.judge(links, edges) >= wanted

    def solve(self, links: tuple[str, ...]) -> BalanceStep:
        solves = self.unknown(links)
        known = [
            edge for edge in self.edges if any(link in edge.links for link in links) and edge not in solves
        ]
        self.left = [edge for edge in self.left if edge not in solves]
        self.links = [link for link in self.links if link not in links]
        return BalanceStep(links, tuple(solves), tuple(known), self.equations * len(links))

    def _groups(self) -> Iterator[tuple[str, ...]]:
        """Links that unknown edges connect, fewest first."""
        near: dict[str, set[str]] = {link: set() for link in self.links}
        for edge in self.left:
            for a, b in permutations(edge.links, 2):
                if a in near and b in near:
                    near[a].add(b)
        place = {link: k for k, link in enumerate(self.links)}
        groups = {(link,) for link in self.links}
        for _ in range(MOST_TOGETHER - 1):
            groups = {
                tuple(sorted({*group, other}, key=place.__getitem__))
                for group in groups
                for link in group
                for other in near[link]
                if other not in group
            }
            yield from sorted(groups, key=lambda group: [place[link] for link in group])


def _paths(steps: list[BalanceStep], major: set[str]) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Chains of carried links that need no other chain, and what is left."""
    paths: list[list[str]] = []
    path_of: dict[ForceEdge, int | None] = {}
    after: list[str] = []
    for step in steps:
        needed = {path_of[edge] for edge in step.known}
        free = len(step.links) == 1 and step.links[0] not in major and None not in needed and len(needed) < 2
        index: int | None = None
        if free and step.solves:
            index = needed.pop() if needed else len(paths)
            assert index is not None
            if index == len(paths):
                paths.append([])
            paths[index].append(step.links[0])
        else:
            after += step.links
        path_of |= dict.fromkeys(step.solves, index)
    return tuple(tuple(path) for path in paths), tuple(after)
