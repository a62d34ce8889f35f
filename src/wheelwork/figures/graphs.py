"""The graph that says most about a mechanism."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .joint_graph import joint_graph
from .style import Theme, ThemeName
from .train_graph import train_graph

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.graph import TrainGraph
    from wheelwork.model import Flat


def train_of(flat: Flat) -> TrainGraph | None:
    """The gear train of a mechanism, if it has one."""
    from wheelwork.equations.gear_train import gear_train
    from wheelwork.graph import TrainGraph
    from wheelwork.model import ModelError

    if not flat.meshes:
        return None
    try:
        train = TrainGraph(gear_train(flat))
    except ModelError:  # meshes that hang on joints which a train does not know
        return None
    return train if train.circuits else None


def graph_of(flat: Flat, *, theme: ThemeName | Theme = "light") -> Figure:
    """The gear train as a graph, or bodies and joints where there are no gears."""
    train = train_of(flat)
    return joint_graph(flat, theme=theme) if train is None else train_graph(train, theme=theme)
