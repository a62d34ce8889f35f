"""What the user calls things: links by any of their bodies, joints by name; and the equations they stand for."""

from __future__ import annotations

from fractions import Fraction

from wheelwork.problems import ModelError, did_you_mean

from .axes import cross, dot, minus, parallel
from .canonical import column_of
from .exact import Row
from .graph import TrainGraph

WHOLE = 1e-9
"""Cosines this close to -1, 0 or 1 are that."""


def link_named(graph: TrainGraph, name: str) -> str:
    """The link a body belongs to."""
    if name not in graph.links.of:
        hint = did_you_mean(name, [*graph.links.of, *graph.train.pairs])
        raise ModelError(f"there is no body `{name}` in the train", hint=hint)
    link = graph.links.of[name]
    if link not in graph.level:
        text = f"`{name}` is not part of the train: no revolute or prismatic joint carries it"
        raise ModelError(text, hint="see the table of links")
    return link


def speed_row(graph: TrainGraph, link: str) -> tuple[Row, bool]:
    """Speed of a link about its own axis in the unknowns, and whether the row is exact.

    That is the component of its angular velocity, against the base, along the direction of the joint that carries it:
    the sum of the rates from the base to the link where all axes are parallel. A link that slides: the velocity of a
    point of its axis along that axis.
    """
    own = graph.joint_of(link)
    row: Row = {}
    exact = True
    for k in graph.path(link) if own is not None else ():
        assert own is not None
        rate = graph.rates[k]
        if rate.axis.kind == own.axis.kind:
            value = dot(own.direction, rate.direction)
        elif rate.axis.kind == "turning":
            arm = minus(own.axis.axis.point, rate.axis.axis.point)
            value = dot(own.direction, cross(rate.direction, arm))
        else:
            value = 0.0
        nearest = round(value)
        if abs(value - nearest) < WHOLE:
            value = nearest
        else:
            exact = False
        if value:
            row[k] = Fraction(value)
    return row, exact


def depends_on_position(graph: TrainGraph, link: str) -> bool:
    """Whether `speed_row` holds for the given position only: an axis between two others turns one against the other."""
    way = [graph.rates[k] for k in graph.path(link)]
    if not way:
        return False
    own = way[-1].axis.axis
    for k, rate in enumerate(way[:-2]):
        between = [r.axis.axis for r in way[k + 1 : -1] if r.axis.kind == "turning"]
        if any(not parallel(rate.axis.axis, axis) and not parallel(own, axis) for axis in between):
            return True
    return False


def row_named(graph: TrainGraph, name: str) -> tuple[Row, bool]:
    """The speed a joint or a body stands for, in the unknowns, and whether it is exact."""
    if name in graph.train.pairs:
        return {k: Fraction(x) for k, x in column_of(graph, name).items()}, True
    return speed_row(graph, link_named(graph, name))
