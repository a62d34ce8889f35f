"""Where the power goes in a gear train, and whether some of it circulates.

Each gear pair with its carrier is a branching point with three ways: to wheel a, to wheel b and to the carrier. With
the torques tau_a, tau_b on the wheels and the reaction -(tau_a u_a + tau_b u_b) on the carrier, and absolute angular
velocities omega, the powers that enter the mesh,

    -tau_a u_a . omega_a,   -tau_b u_b . omega_b,   (tau_a u_a + tau_b u_b) . omega_c,

add up to what is lost there. What a link receives and does not give to other meshes or to the outside goes through its
bearing to the link that carries it; with parallel axes that is nothing, since a bearing without friction transmits no
torque about its axis.

Circulating power shows as a directed circle of such flows: it loads the meshes on its way without reaching the
output.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from wheelwork.lazy import networkx as nx

from .canonical import column_of, twist_of, velocity_at
from .graph import TrainGraph
from .names import link_named
from .torques import SMALL, CouplingLoad, MeshLoad, Torques


@dataclass(frozen=True)
class MeshFlow:
    """Powers [W] that enter a mesh from its wheels and its carrier; their sum is the loss."""

    name: str
    a: str
    b: str
    carrier: str
    from_a: float
    from_b: float
    from_carrier: float


@dataclass(frozen=True)
class CouplingFlow:
    """Powers [W] that enter a coupler from the links of its joints; they add up to nothing."""

    name: str
    from_links: dict[str, float]


@dataclass(frozen=True)
class BearingFlow:
    """Power [W] that goes from a link to its parent in the canonical graph through the bearing."""

    link: str
    parent: str
    power: float


@dataclass(frozen=True)
class Circulation:
    """Circulating power [W], and the links and meshes it passes, in its direction."""

    power: float
    way: tuple[str, ...]


@dataclass(frozen=True)
class PowerFlow:
    """Flows on every edge of the graph.

    largest [W]: the largest power on any edge; to be compared with what goes in
    """

    meshes: tuple[MeshFlow, ...]
    bearings: tuple[BearingFlow, ...]
    circulations: tuple[Circulation, ...]
    couplings: tuple[CouplingFlow, ...] = ()

    @property
    def recirculating(self) -> float:
        """[W] Circulating power, all circles together."""
        return sum(c.power for c in self.circulations)

    @property
    def largest(self) -> float:
        return max(
            [*_powers(self.meshes, self.couplings), *(abs(b.power) for b in self.bearings)], default=0.0
        )


def power_flow(found: Torques) -> PowerFlow:
    """Power on every edge for torques found before."""
    graph = found.speeds.graph
    rates = np.nan_to_num(found.speeds.rates)
    twists = {link: twist_of(graph, link) @ rates for link in graph.level}
    meshes = tuple(_mesh_flow(graph, mesh, twists) for mesh in found.meshes)
    surplus = dict.fromkeys(graph.level, 0.0)
    for external in found.externals:
        for link, power in _from_outside(graph, twists, external.name, external.torque):
            surplus[link] += power
    for flow in meshes:
        surplus[flow.a] -= flow.from_a
        surplus[flow.b] -= flow.from_b
        surplus[flow.carrier] -= flow.from_carrier
    couplings = tuple(_coupling_flow(graph, load, twists) for load in found.couplings)
    for coupling in couplings:
        for link, power in coupling.from_links.items():
            surplus[link] -= power
    bearings = []
    for link in sorted(graph.moving, key=lambda link: -graph.level[link]):
        rate = graph.joint_of(link)
        assert rate is not None
        bearings.append(BearingFlow(link, rate.parent, surplus[link]))
        surplus[rate.parent] += surplus[link]
    circulations = _circulations(meshes, couplings, bearings)
    return PowerFlow(meshes, tuple(bearings), tuple(circulations), couplings)


def _along(kind: str, twist: np.ndarray, direction: np.ndarray, point: np.ndarray) -> float:
    """Rate that is the partner in power of a torque about an axis, or of a force along it."""
    return float(direction @ (twist[:3] if kind == "turning" else velocity_at(twist, point)))


def _mesh_flow(graph: TrainGraph, mesh: MeshLoad, twists: dict[str, np.ndarray]) -> MeshFlow:
    c = mesh.circuit
    powers, reaction = [], 0.0
    for link, axis, torque in ((c.a, c.axis_a, mesh.torques[0]), (c.b, c.axis_b, mesh.torques[1])):
        direction = axis.senses[link] * np.array(axis.axis.direction)
        point = np.array(axis.axis.point)
        powers.append(-torque * _along(axis.kind, twists[link], direction, point))
        reaction += torque * _along(axis.kind, twists[c.carrier], direction, point)
    return MeshFlow(c.name, c.a, c.b, c.carrier, powers[0], powers[1], reaction)


def _coupling_flow(graph: TrainGraph, load: CouplingLoad, twists: dict[str, np.ndarray]) -> CouplingFlow:
    powers: dict[str, float] = {}
    for joint, effort in load.efforts.items():
        for link, power in _from_outside(graph, twists, joint, effort):
            powers[link] = powers.get(link, 0.0) - power
    return CouplingFlow(load.name, powers)


def _powers(meshes: Iterable[MeshFlow], couplings: Iterable[CouplingFlow]) -> list[float]:
    mesh = [abs(p) for m in meshes for p in (m.from_a, m.from_b, m.from_carrier)]
    return [*mesh, *(abs(p) for c in couplings for p in c.from_links.values())]


def _from_outside(
    graph: TrainGraph, twists: dict[str, np.ndarray], name: str, torque: float
) -> list[tuple[str, float]]:
    """Power a torque from outside brings to each link it acts on."""
    if name in graph.train.pairs:
        pair = graph.train.pairs[name]
        direction, point = np.array(pair.axis.direction), np.array(pair.axis.point)
        a, b = graph.links.ends(pair)
        if not column_of(graph, name):
            return []
        return [
            (b, torque * _along(pair.kind, twists[b], direction, point)),
            (a, -torque * _along(pair.kind, twists[a], direction, point)),
        ]
    link = link_named(graph, name)
    rate = graph.joint_of(link)
    if rate is None:
        return []
    direction, point = np.array(rate.direction), np.array(rate.axis.axis.point)
    return [(link, torque * _along(rate.axis.kind, twists[link], direction, point))]


def _circulations(
    meshes: tuple[MeshFlow, ...], couplings: tuple[CouplingFlow, ...], bearings: list[BearingFlow]
) -> list[Circulation]:
    """Circles of flow, largest first: one after the other is found and taken away."""
    flows = nx.DiGraph()

    def flow(start: str, end: str, power: float) -> None:
        if power < 0:
            start, end, power = end, start, -power
        if power > limit:
            flows.add_edge(start, end, power=power)

    limit = SMALL * max(_powers(meshes, couplings), default=0.0)
    for m in meshes:
        for link, power in ((m.a, m.from_a), (m.b, m.from_b), (m.carrier, m.from_carrier)):
            flow(f"link {link}", f"mesh {m.name}", power)
    for c in couplings:
        for link, power in c.from_links.items():
            flow(f"link {link}", f"mesh {c.name}", power)
    for b in bearings:
        flow(f"link {b.link}", f"link {b.parent}", b.power)
    found = []
    while True:
        circle = _widest_circle(flows)
        if not circle:
            return sorted(found, key=lambda c: -c.power)
        power = min(flows[start][end]["power"] for start, end in circle)
        found.append(Circulation(power, tuple(start.split(" ", 1)[1] for start, _ in circle)))
        for start, end in circle:
            flows[start][end]["power"] -= power
            if flows[start][end]["power"] <= limit:
                flows.remove_edge(start, end)


def _widest_circle(flows: nx.DiGraph) -> list[tuple[str, str]]:
    """Edges of the circle whose smallest flow is largest; empty where no power circulates."""
    wide = nx.DiGraph()
    for start, end, _ in sorted(flows.edges(data="power"), key=lambda edge: -edge[2]):
        wide.add_edge(start, end)
        if nx.has_path(wide, end, start):
            return [(edge[0], edge[1]) for edge in nx.find_cycle(wide, start)]
    return []
