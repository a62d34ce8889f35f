"""The carrier of each gear pair: the link in which both its wheels turn about fixed axes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from wheelwork.lazy import networkx as nx
from wheelwork.problems import ModelError, Problem, listed

from .axes import Axis, parallel, same_line, sense
from .canonical import Canonical, Coaxial
from .exact import Row
from .train import GearEdge

CLOSE = 1e-4
"""Axes of a mesh and of a joint this close (part of the train's size) were meant to be one."""


@dataclass(frozen=True)
class Circuit:
    """A fundamental circuit: a gear pair and the thin path between its wheels, which turns the corner at the carrier.

    Circuit equation (Chen (1)), with theta(i,c) = theta(i) - theta(c) about the axis of i (coaxial condition, (2)):

        theta(b,c) = N theta(a,c)

    gear: the pair
    a: link of wheel a
    b: link of wheel b
    carrier: link that carries both
    axis_a: of wheel a in the carrier
    axis_b: of wheel b in the carrier
    sense: that of the gear pair about the directions of the joints that carry the wheels
    """

    gear: GearEdge
    a: str
    b: str
    carrier: str
    axis_a: Coaxial
    axis_b: Coaxial
    sense: int

    @property
    def name(self) -> str:
        return self.gear.name

    @property
    def ratio(self) -> Fraction:
        """N(a,b), of the wheels' rates about the directions of their joints."""
        return self.sense * self.gear.sizes[0] / self.gear.sizes[1]


def circuits(graph: Canonical) -> list[Circuit]:
    """The circuits of all gear pairs; pairs without a carrier are all named at once in a `ModelError`."""
    found: list[Circuit] = []
    problems: list[Problem] = []
    for gear in graph.train.gears.values():
        circuit = _circuit(graph, gear) if gear.carrier is None else _circuit_in(graph, gear, gear.carrier)
        if isinstance(circuit, Circuit):
            found.append(circuit)
        elif gear.carrier is None:
            problems.append(circuit)
        else:
            graph.train.left_out[gear.name] = f"{gear.type}: {circuit.message}"
    if problems:
        raise ModelError(problems)
    return found


def relative(graph: Canonical, link: str, carrier: str, axis: Coaxial) -> Row:
    """Rate of a link against a carrier about the link's direction, in the unknowns: coaxial condition (Chen (2))."""
    row: Row = {}
    if link == carrier:
        return row
    for other, factor in ((link, 1), (carrier, -1)):
        column = graph.column(other, axis)
        if column is not None:
            row[column] = Fraction(factor * axis.senses[link] * axis.senses[other])
    return row


def _circuit(graph: Canonical, gear: GearEdge) -> Circuit | Problem:
    a, b = (graph.links.of[body] for body in gear.links)
    if a == b:
        same = listed(gear.links)
        return problem(gear, f"its wheels {same} are rigid with each other, so that neither can roll")
    sides = []
    for side, (body, link) in enumerate(zip(gear.links, (a, b), strict=True)):
        axes = graph.axes_of(link)
        if not axes:
            text = f"has no carrier: the wheel `{body}` has no joint in which it turns"
            return problem(gear, text, "add a revolute joint between the wheel and the link that carries it")
        if gear.axes is not None:
            wanted = gear.axes[side]
            own = gear.joints[side]
            on_axis = [a for a in axes if own in a.joints or _is_on(a, wanted, graph.links.size)]
            if not on_axis:
                return problem(gear, *_axis_missed(graph, body, axes, wanted))
            axes = on_axis
        sides.append(axes)
    ways = [
        (one, two, carrier)
        for one in sides[0]
        for two in sides[1]
        if one is not two
        for carrier in (one.reference, *one.members)
        if carrier in two
    ]
    carriers = list(dict.fromkeys(c for _, _, c in ways if c not in (a, b)))
    if len(carriers) > 1:
        text = f"has two carriers that disagree: {listed(carriers)} both carry the axes of its wheels"
        return problem(gear, text, "name the joints by `joints`, or fix the carriers to each other")
    if not carriers:
        return problem(gear, *_why_none(graph, gear, a, b, sides, [c for _, _, c in ways]))
    one, two, carrier = next(way for way in ways if way[2] == carriers[0])
    if gear.axes is not None:
        turned = sense(gear.axes[0], one.axis) * sense(gear.axes[1], two.axis)
    elif parallel(one.axis, two.axis):
        turned = sense(one.axis, two.axis)
    else:
        names = f"`{one.joints[0]}` and `{two.joints[0]}`"
        text = f"the wheels of an {gear.type} mesh need parallel axes, but those of {names} are not"
        return problem(gear, text, "set the axes right, or use a bevel, worm or crossed mesh")
    return Circuit(gear, a, b, carrier, one, two, gear.sense * turned * one.senses[a] * two.senses[b])


def _circuit_in(graph: Canonical, gear: GearEdge, body: str) -> Circuit | Problem:
    """The circuit of a ratio, whose carrier is given; where two of its shafts are rigid, all turn as one block."""
    assert gear.axes is not None
    a, b, carrier = (graph.links.of[name] for name in (*gear.links, body))
    sides: list[Coaxial | None] = []
    for name, link, wanted in zip(gear.links, (a, b), gear.axes, strict=True):
        own = [
            axis
            for axis in graph.axes.values()
            if axis.kind == "turning" and link in axis and carrier in axis and parallel(axis.axis, wanted)
        ]
        if not own and link != carrier:
            return problem(gear, f"no joints let `{name}` turn about its axis in `{body}`")
        sides.append(own[0] if own and link != carrier else None)
    one, two = sides[0] or sides[1], sides[1] or sides[0]
    if one is None or two is None:
        return problem(gear, f"its shafts {listed(gear.links)} are rigid with `{body}`")
    turned = sense(gear.axes[0], one.axis) * sense(gear.axes[1], two.axis)
    turned *= one.senses.get(a, 1) * two.senses.get(b, 1)
    return Circuit(gear, a, b, carrier, one, two, gear.sense * turned)


def _is_on(axis: Coaxial, wanted: Axis, size: float) -> bool:
    return same_line(axis.axis, wanted, float("inf") if axis.kind == "sliding" else size)


def _axis_missed(graph: Canonical, body: str, axes: list[Coaxial], wanted: Axis) -> tuple[str, str]:
    joints = listed(name for axis in axes for name in axis.joints)
    text = f"has no carrier: `{body}` turns in nothing about the axis of the mesh; its joints are {joints}"
    near = [axis for axis in axes if same_line(axis.axis, wanted, graph.links.size * CLOSE / 1e-6)]
    if near:
        return text, f"the axis of `{near[0].joints[0]}` is almost that of the mesh: make them agree"
    return text, "put a joint on the axis of the mesh, or correct the point and axis given"


def _why_none(
    graph: Canonical, gear: GearEdge, a: str, b: str, sides: list[list[Coaxial]], own: list[str]
) -> tuple[str, str]:
    """Message and hint for a pair without a carrier."""
    if own:
        wheel, other = gear.links if own[0] == a else gear.links[::-1]
        text = f"has no carrier: the wheel `{other}` turns in the wheel `{wheel}` itself"
        return text, "a wheel and its carrier must be different links"
    common = [axis for axis in sides[0] if axis in sides[1]]
    if common:
        text = f"has no carrier: both wheels turn about the axis of `{common[0].joints[0]}`"
        return text, "wheels in mesh need two axes"
    thin = nx.Graph()  # of axes and links: an axis may have the same name as a link
    for axis in graph.axes.values():
        thin.add_edges_from((axis, link) for link in (axis.reference, *axis.members))
    if not nx.has_path(thin, a, b):
        text = f"has no carrier: no joints connect `{gear.links[0]}` with `{gear.links[1]}`"
        return text, "both wheels must turn in one link"
    way = [node for node in nx.shortest_path(thin, a, b) if isinstance(node, str)]
    first, second = way[1], way[-2]
    between = next(n for n in nx.shortest_path(thin, first, second) if isinstance(n, Coaxial))
    return (
        f"has two carriers that disagree: `{gear.links[0]}` turns in `{first}` and `{gear.links[1]}` in `{second}`, "
        f"which move against each other about the axis of `{between.joints[0]}`, so that the wheels come apart",
        "both wheels must turn in one link",
    )


def problem(gear: GearEdge, message: str, hint: str = "") -> Problem:
    """A problem of a gear pair, with its place in the file if it came from one."""
    if gear.source is not None:
        return gear.source.problem(message, hint)
    return Problem(message, path=f"meshes.{gear.name}", hint=hint)
