"""The graph of a gear train with everything that follows from it before any input is given."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wheelwork.lazy import figures, trains
from wheelwork.lazy import networkx as nx
from wheelwork.notebook import grid

from .canonical import Canonical, column_of
from .carriers import Circuit, circuits, relative
from .exact import Reduced, Row, combined, reduce
from .loops import loop_rows
from .train import Coupling, GearTrain

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class TrainGraph(Canonical):
    """Canonical graph, circuits, and the linear equations of the train.

    circuits: one for each gear pair
    rows: circuit equations sizes[1] theta(b,c) - sense sizes[0] theta(a,c) = 0 in the unknowns
    independent: which of circuits and ties are independent of those before them; the others repeat (further planets)
    ties: equations of couplers, one for each
    loops: equations of loops that are not gears, at the given position; empty as a rule
    is_exact: whether all numbers are exact: no loops

    >>> train = GearTrain()
    >>> train.turning("ground", "pinion", point=(0, 0, 0))
    >>> train.turning("ground", "wheel", point=(3, 0, 0))
    >>> train.external("pinion", "wheel", teeth=(20, 40))
    >>> TrainGraph(train).circuits[0].ratio
    Fraction(-1, 2)
    """

    def __init__(self, train: GearTrain) -> None:
        super().__init__(train)
        self.circuits = circuits(self)
        self.rows = [self.circuit_row(circuit) for circuit in self.circuits]
        self.ties = [self.tie_row(coupling) for coupling in self.train.couplings.values()]
        gears, self.independent = reduce([*self.rows, *self.ties])
        self.loops = loop_rows(self, gears)
        self.is_exact = not self.loops

    def __repr__(self) -> str:
        name = f" of {self.train.name!r}" if self.train.name else ""
        size = (
            f"{len(self.level)} links, {len(self.circuits)} gear pairs, {trains.mobility(self).by_rank} free"
        )
        return f"<gear train{name}: {size}; functions of `wheelwork.trains` ask it for speeds, torques and power>"

    def _repr_html_(self) -> str:
        """For notebooks."""
        rows = [
            (c.name, c.gear.type, f"{c.a} - {c.b}", c.gear.sizes_text, c.carrier, f"{float(1 / c.ratio):.6g}")
            for c in self.circuits
        ]
        heads = "gear pair", "type", "wheels a - b", "teeth", "carrier", "speed a/b"
        note = "speeds are against the carrier; `wheelwork.trains` has speeds, torques and power flow of all links"
        return grid(f"Gear train {self.train.name}".strip(), heads, rows, note)

    def circuit_row(self, circuit: Circuit) -> Row:
        """sizes[1] theta(b,c) - sense sizes[0] theta(a,c): Chen (1), theta(b,c) = N theta(a,c), without a fraction"""
        za, zb = circuit.gear.sizes
        b = relative(self, circuit.b, circuit.carrier, circuit.axis_b)
        a = relative(self, circuit.a, circuit.carrier, circuit.axis_a)
        return combined({k: zb * x for k, x in b.items()}, Fraction(-circuit.sense) * za, a)

    def tie_row(self, coupling: Coupling) -> Row:
        """Sum of factor times rate of joint."""
        row: Row = {}
        for joint, factor in coupling.factors.items():
            row = combined(row, factor, column_of(self, joint))
        return row

    @property
    def equations(self) -> list[Row]:
        """All that must vanish: circuits, ties, then loops."""
        return [*self.rows, *self.ties, *self.loops]

    @cached_property
    def solved(self) -> Reduced:
        """The equations, reduced."""
        return reduce(self.equations)[0]

    @cached_property
    def moving(self) -> list[str]:
        """Links with a joint towards the base, in the order of the description."""
        return [link for link in self.links.names if self.joint_of(link) is not None]

    def meshes_of(self, link: str) -> list[Circuit]:
        """Gear pairs a link is a wheel of."""
        return [c for c in self.circuits if link in (c.a, c.b)]

    def as_networkx(self, canonical: bool = True) -> nx.MultiGraph:
        """The graph for other tools: edges with `kind` (`thin`, `heavy`, `tied` or `open`), `label` and `name`.

        canonical: with coaxial joints rearranged; else as the joints were given
        """
        out = nx.MultiGraph(name=self.train.name)
        out.add_nodes_from(link for link in self.links.names if link in self.level)
        for a, b, data in self.edges(canonical):
            out.add_edge(a, b, **data)
        return out

    def edges(self, canonical: bool = True) -> Iterator[tuple[str, str, dict[str, str]]]:
        """Two links, and what is between them: see `as_networkx`."""
        if canonical:
            for rate in self.rates:
                data = {"kind": "thin", "label": rate.axis.label, "name": rate.name}
                yield rate.parent, rate.link, data
        else:
            for axis in self.axes.values():
                for name in axis.joints:
                    a, b = self.links.ends(self.train.pairs[name])
                    yield a, b, {"kind": "thin", "label": axis.label, "name": name}
        for circuit in self.circuits:
            yield circuit.a, circuit.b, {"kind": "heavy", "label": circuit.carrier, "name": circuit.name}
        for coupling in self.train.couplings.values():
            first, *others = (self.links.ends(self.train.pairs[joint])[1] for joint in coupling.factors)
            for other in (link for link in others if link != first):
                yield first, other, {"kind": "tied", "label": coupling.name, "name": coupling.name}
        for name, (a, b) in self.train.closable.items():
            if name in self.train.left_out and self.links.of[a] != self.links.of[b]:
                yield self.links.of[a], self.links.of[b], {"kind": "open", "label": name, "name": name}

    def plot(self, **options: Any) -> Figure:
        """The graph as a picture: links as vertices, joints as thin edges by axis, gear pairs as heavy ones by teeth.

        `canonical=False` has the joints as they were given; `output=` names the end of the open-loop chain, whose
        links are filled; `every_planet=True` draws each of equal planets; `theme=` light, dark or print.
        """
        return figures.train_graph(self, **options)
