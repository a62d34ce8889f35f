"""Figures: one style, one file for each kind.

    r.plot(...), r.plot.energy(), ...                   of results over time (:class:`ResultPlots`)
    modes.plot(), campbell.plot(), response.plot(),
    sweep.plot(), sweep.plot_orbit(), stability.plot()  of vibration
    train.plot()                                        the graph of a gear train
    gear_pairs, mesh_stiffness, train_flow              of gear geometry, tooth stiffness, power in a train
    study_figure                                        of studies: maps, lines, distributions, indices
    joint_graph                                         bodies and joints of any mechanism

All take `theme`: `light`, `dark` or `print`; see :mod:`wheelwork.show.figures.style`.
"""

from .gear_pair import gear_pairs
from .joint_graph import joint_graph
from .mesh_stiffness import mesh_stiffness
from .modes import mode_shapes
from .over_time import ResultPlots
from .power_flow import train_flow
from .spectra import order_map
from .stability import stability_chart
from .study import study_figure
from .style import ThemeName
from .train_graph import train_graph
from .vibration import campbell_diagram, frequency_response, orbit, response_curves

__all__ = [
    "ResultPlots", "ThemeName", "campbell_diagram", "frequency_response", "gear_pairs", "joint_graph",
    "mesh_stiffness", "mode_shapes", "orbit", "order_map", "response_curves", "stability_chart", "study_figure",
    "train_flow", "train_graph",
]  # fmt: skip
