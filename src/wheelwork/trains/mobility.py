"""Degrees of freedom of a gear train, by count and by rank, and trains that lock."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from wheelwork.problems import ModelError, listed

from .axes import parallel
from .carriers import Circuit, problem, relative
from .exact import Reduced, reduce
from .graph import TrainGraph


@dataclass(frozen=True)
class Mobility:
    """Degrees of freedom.

    links: with the base; joints: turning and sliding pairs as given; gears: gear pairs
    dimension: of the space in which the count is made: 3 where all axes are parallel and nothing slides, else 6
    by_count: Chebyshev-Gruebler: dimension (links - 1 - joints - gears) + joints + (dimension - 1) gears. Joints that
        repeat (a shaft in two bearings) and further planets make it too low.
    by_rank: unknowns less independent equations: the true number
    redundant: gear pairs and couplers that follow from those before them
    couplers: linear relations of joints, each of which takes one freedom
    """

    links: int
    joints: int
    gears: int
    dimension: int
    by_count: int
    by_rank: int
    redundant: tuple[str, ...]
    couplers: int = 0


def mobility(graph: TrainGraph) -> Mobility:
    """Count the freedoms of a train."""
    links = len(graph.level)
    joints = sum(len(axis.joints) for axis in graph.axes.values())
    gears = len(graph.circuits)
    axes = list(graph.axes.values())
    flat = all(axis.kind == "turning" and parallel(axis.axis, axes[0].axis) for axis in axes)
    dimension = 3 if flat else 6
    # Every part that has no joint to ground has one base, which is taken as held.
    by_count = dimension * (links - len(graph.bases) - joints - gears) + joints + (dimension - 1) * gears
    by_count -= len(graph.ties)
    ties = [*(c.name for c in graph.circuits), *graph.train.couplings]
    redundant = tuple(name for k, name in enumerate(ties) if k not in graph.independent)
    return Mobility(
        links,
        joints,
        gears,
        dimension,
        by_count,
        len(graph.rates) - len(graph.solved.rows),
        redundant,
        len(graph.ties),
    )


def check_moves(graph: TrainGraph) -> None:
    """A gear pair whose wheels can never turn against their carrier is a `ModelError` that names what contradicts.

    Such a train locks: on the way round through the pairs named, the ratios do not come to the same. Where that is
    because wheels of different bodies are fixed to each other and the carrier turns with them, it is meant so: a closed
    clutch makes the set a coupling that turns as one block.
    """
    for circuit in graph.circuits:
        if _turns(graph, circuit, graph.solved):
            continue
        pairs = _contradiction(graph, circuit)
        if _is_coupled(graph, pairs) and _moves(graph, circuit):
            continue
        others = [c.name for c in pairs if c is not circuit]
        if circuit.b == circuit.carrier or circuit.a == circuit.carrier:
            text = "locks: a wheel is rigid with its carrier"
        elif others:
            text = f"locks: its ratio contradicts that of {listed(others)}, so that none of these wheels can turn"
        else:
            text = "locks: the joints leave its wheels no motion"
        sizes = ", ".join(f"{c.name} {c.gear.sizes_text}" for c in pairs)
        hint = f"check the tooth numbers ({sizes})"
        raise ModelError([problem(circuit.gear, text, hint)])


def _turns(graph: TrainGraph, circuit: Circuit, solved: Reduced) -> bool:
    """Whether the wheels of a circuit can turn against their carrier while some equations hold."""
    return bool(solved.remainder(relative(graph, circuit.a, circuit.carrier, circuit.axis_a)))


def _is_coupled(graph: TrainGraph, pairs: list[Circuit]) -> bool:
    """Whether a link has wheels on several bodies, which something fixes to each other."""
    wheels: dict[str, set[str]] = defaultdict(set)
    for circuit in pairs:
        for body in (*circuit.gear.links, *filter(None, [circuit.gear.carrier])):
            wheels[graph.links.of[body]].add(body)
    return any(len(bodies) > 1 for bodies in wheels.values())


def _moves(graph: TrainGraph, circuit: Circuit) -> bool:
    """Whether a wheel moves though it stands against its carrier."""
    return any(
        bool(graph.solved.remainder(relative(graph, circuit.carrier, base, axis)))
        for axis in graph.axes_of(circuit.carrier)
        for base in graph.bases
        if base in axis.senses and base != circuit.carrier
    )


def _contradiction(graph: TrainGraph, circuit: Circuit) -> list[Circuit]:
    """A smallest set of circuits that lock this one: each is left out in turn if the rest still lock."""
    needed = list(range(len(graph.circuits)))
    for k in range(len(graph.circuits)):
        fewer = [j for j in needed if j != k]
        rows = [*(graph.rows[j] for j in fewer), *graph.ties, *graph.loops]
        if not _turns(graph, circuit, reduce(rows)[0]):
            needed = fewer
    return [graph.circuits[j] for j in needed]
