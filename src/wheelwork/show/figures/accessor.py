"""`r.plot`: chosen signals when called, ready-made figures by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .energy import energy
from .graphs import graph_of
from .mesh_stiffness import run_stiffness
from .motion import efforts, motion
from .power_flow import power_flow
from .reactions import reactions
from .residuals import residuals
from .signals import signals
from .style import ThemeName
from .tooth_forces import tooth_forces

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.results import Result


class ResultPlots:
    """Figures of a result. Each is a matplotlib figure; `theme` is `light`, `dark` or `print`.

    >>> import wheelwork as ww
    >>> from wheelwork import examples
    >>> r = ww.load(examples.path("pendulum")).run()
    >>> figure = r.plot("hinge.angle", "ball.position")
    >>> [axis.get_ylabel() for axis in figure.axes]
    ['hinge.angle [rad]', 'length [m]']
    >>> [axis.get_title() or axis.get_title(loc="left") for axis in r.plot.energy(theme="print").axes]
    ['Energy', 'Not accounted for']
    """

    def __init__(self, result: Result) -> None:
        self._result = result

    def __call__(self, *names: str, theme: ThemeName = "light") -> Figure:
        """Signals over time: a panel for each unit, events marked, vectors with all their components."""
        return signals(self._result, names, theme=theme)

    def motion(self, *, theme: ThemeName = "light") -> Figure:
        """Joint coordinates and rotor angles, and their rates."""
        return motion(self._result, theme=theme)

    def efforts(self, *, theme: ThemeName = "light") -> Figure:
        """Torques, forces and powers of drivers, motors, springs, friction and contacts."""
        return efforts(self._result, theme=theme)

    def reactions(self, *joints: str, theme: ThemeName = "light") -> Figure:
        """Sizes of reaction forces and torques of joints; those with the largest, where none are named."""
        return reactions(self._result, *joints, theme=theme)

    def tooth_forces(self, *meshes: str, theme: ThemeName = "light") -> Figure:
        """Tangential forces of all meshes; of named ones their parts in the three directions."""
        return tooth_forces(self._result, *meshes, theme=theme)

    def mesh_stiffness(self, *meshes: str, theme: ThemeName = "light") -> Figure:
        """Stiffness, deflection and transmission error of compliant teeth over the mesh cycle."""
        return run_stiffness(self._result, *meshes, theme=theme)

    def energy(self, *, theme: ThemeName = "light") -> Figure:
        """Energies, works of the elements since the start, and what they leave unaccounted for."""
        return energy(self._result, theme=theme)

    def residuals(self, *, theme: ThemeName = "light") -> Figure:
        """How well the constraints hold."""
        return residuals(self._result, theme=theme)

    def power_flow(
        self, start: float | None = None, end: float | None = None, *, theme: ThemeName = "light"
    ) -> Figure:
        """Mean powers between bodies, drives, loads and losses; of the last fifth of the run without times."""
        return power_flow(self._result, start, end, theme=theme)

    def graph(self, *, theme: ThemeName = "light") -> Figure:
        """The graph of the gear train; of a mechanism without gears that of its bodies and joints."""
        return graph_of(self._result.motion.program.flat, theme=theme)
