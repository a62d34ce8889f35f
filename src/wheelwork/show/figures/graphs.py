"""The graph that says most about a mechanism."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wheelwork.description import ModelError
from wheelwork.layout import layout_of

from .joint_graph import joint_graph
from .style import Theme, ThemeName
from .train_graph import train_graph

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.description import Flat
    from wheelwork.trains import TrainGraph


def train_of(flat: Flat) -> TrainGraph | None:
    """The gear train of a mechanism, if it has one; one whose wheels have no carrier is a `ModelError`."""
    if not flat.meshes:
        return None
    train = layout_of(flat).train_graph
    return train if train.circuits else None


def graph_of(flat: Flat, *, theme: ThemeName | Theme = "light") -> Figure:
    """The gear train as a graph, or bodies and joints where there are no gears."""
    try:
        train = train_of(flat)
    except ModelError:  # wheels that turn in no common link
        train = None
    return joint_graph(flat, theme=theme) if train is None else train_graph(train, theme=theme)
