"""Figures of a run over time: `r.plot` gives chosen signals when called, ready-made figures by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.problems import did_you_mean, listed
from wheelwork.results.energy import energy_balance
from wheelwork.results.signal_spectra import is_between

from .joint_graph import graph_of
from .mesh_stiffness import run_stiffness
from .panel import Panel, draw_panels, grouped, known, lines_of
from .power_flow import power_flow
from .spectra import line_spectrum, waterfall
from .style import ThemeName

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.results import Result
    from wheelwork.results.energy import EnergyBalance

EVERY = 10**6
"""Lines in a panel: what is asked for by name is drawn."""
PARTS = ("tangential", "radial", "axial")
SMALLEST = "Constraints are redundant: of the possible reactions these are the smallest."
ZERO = 1e-18
"""What exact zeros are drawn as on a logarithmic scale."""


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

    def __init__(self, result: Result, start: float | None = None, end: float | None = None) -> None:
        self._result, self._inside = result, partial(is_between, result.t, start, end)

    def between(self, start: float | None = None, end: float | None = None) -> ResultPlots:
        """The same figures over a stretch of time [s]: `r.plot.between(0.1, 0.2).motion()`."""
        return ResultPlots(self._result, start, end)

    def _draw(self, panels: Sequence[Panel], theme: ThemeName, none: str = "") -> Figure:
        """The panels of the stretch; a `ValueError` with the words `none` where there are none."""
        if none and not panels:
            raise ValueError(none)
        inside = self._inside()
        cut = [replace(one, lines=[(label, values[inside]) for label, values in one.lines]) for one in panels]
        return draw_panels(cut, self._result.t[inside], self._result.events, theme)

    def __call__(
        self, *names: str, start: float | None = None, end: float | None = None, theme: ThemeName = "light"
    ) -> Figure:
        """Signals over time [s], or from `start` to `end`: a panel for each unit, events marked, vectors with all their
        components."""
        if not names:
            raise ValueError("name at least one signal, such as r.plot('hinge.angle'); r.names lists them")
        plots = self if start is None and end is None else self.between(start, end)
        return plots._draw(grouped(self._result, names, most=EVERY), theme)

    def motion(self, *, theme: ThemeName = "light") -> Figure:
        """Joint coordinates and rotor angles, and their rates."""
        return self._draw(motion_panels(self._result), theme)

    def efforts(self, *, theme: ThemeName = "light") -> Figure:
        """Torques, forces and powers of drivers, motors, springs, friction and contacts."""
        none = "nothing drives or loads this mechanism but gravity, or all efforts are zero: there are none to draw"
        return self._draw(effort_panels(self._result), theme, none)

    def reactions(self, *joints: str, theme: ThemeName = "light") -> Figure:
        """Sizes of reaction forces and torques of joints; those with the largest, where none are named."""
        _check("joint", joints, self._result.motion.program.joints)
        none = "the mechanism has no joints, and so no reactions"
        return self._draw(reaction_panels(self._result, joints), theme, none)

    def tooth_forces(self, *meshes: str, theme: ThemeName = "light") -> Figure:
        """Tangential forces of all meshes; of named ones their parts in the three directions."""
        every = self._result.motion.program.flat.meshes
        if not every:
            raise ValueError("the mechanism has no gear meshes, and so no tooth forces")
        _check("mesh", meshes, every)
        if not meshes:
            return self._draw(tooth_force_panels(self._result), theme)
        panels = []
        for name in meshes:
            parts = known(self._result, (f"{name}.force.{part}" for part in PARTS))
            panels += grouped(self._result, parts, {}, name)
        return self._draw(panels, theme)

    def mesh_stiffness(self, *meshes: str, theme: ThemeName = "light") -> Figure:
        """Stiffness, deflection and transmission error of elastic teeth over the mesh cycle."""
        return run_stiffness(self._result, *meshes, theme=theme)

    def energy(self, *, theme: ThemeName = "light") -> Figure:
        """Energies, works of the elements since the start, and what they leave unaccounted for."""
        return self._draw(energy_panels(energy_balance(self._result)), theme)

    def residuals(self, *, theme: ThemeName = "light") -> Figure:
        """How well the constraints hold: root mean square of all, and the elements in which they are largest."""
        panels = residual_panels(self._result)
        return self._draw(
            panels and panels + _largest(self._result),
            theme,
            "the mechanism has no constraints, and so no residuals",
        )

    def spectrum(self, signal: str, *, theme: ThemeName = "light", **stretch: float | None) -> Figure:
        """Amplitudes by frequency; `start`, `end` as in :meth:`.Result.spectrum`."""
        return line_spectrum(self._result.spectrum(signal, **stretch), theme=theme)

    def orders(
        self, signal: str, angle: str, *, theme: ThemeName = "light", **options: float | None
    ) -> Figure:
        """Amplitudes by order of an angle; `most`, `start`, `end` as in :meth:`.Result.orders`."""
        return line_spectrum(self._result.orders(signal, angle, **options), theme=theme)

    def waterfall(
        self,
        signal: str,
        angle: str | None = None,
        *,
        orders: Sequence[float] = (),
        theme: ThemeName = "light",
        **options: Any,
    ) -> Figure:
        """How amplitudes by frequency or order change, over time, or over the speed of a run-up; with lines of `orders`
        among frequencies. Options are those of :meth:`.Result.waterfall`."""
        return waterfall(self._result.waterfall(signal, angle, **options), orders, theme=theme)

    def power_flow(
        self, start: float | None = None, end: float | None = None, *, theme: ThemeName = "light"
    ) -> Figure:
        """Mean powers between bodies, drives, loads and losses; of the last fifth of the run without times."""
        return power_flow(self._result, start, end, theme=theme)

    def graph(self, *, theme: ThemeName = "light") -> Figure:
        """The graph of the gear train; of a mechanism without gears that of its bodies and joints."""
        return graph_of(self._result.motion.program.flat, theme=theme)


def _check(kind: str, names: Iterable[str], every: Iterable[str]) -> None:
    for name in names:
        if name not in every:
            hint = did_you_mean(name, every) or f"there are {listed(every)}"
            raise KeyError(f"there is no {kind} `{name}`; {hint}")


def motion_panels(result: Result) -> list[Panel]:
    titles = {"rad": "Angles", "m": "Displacements"}
    speeds = {"rad/s": "Angular speeds", "m/s": "Speeds"}
    for zeros in (False, True):  # those of a machine that stands, too
        panels = grouped(result, coordinates(result), titles, "Coordinates", zeros=zeros)
        if panels := panels + grouped(result, rates(result), speeds, "Speeds", zeros=zeros):
            return panels
    return []


def effort_panels(result: Result) -> list[Panel]:
    titles = {"N m": "Torques of drivers and forces", "N": "Drivers and forces", "W": "Power"}
    return grouped(result, _efforts(result), titles, "Efforts", zeros=False)


def coordinates(result: Result) -> list[str]:
    """Joint coordinates and rotor angles; positions of the bodies where there are none."""
    return _by_ending(result, ("angle", "displacement"), "position")


def moving_and_zero(result: Result) -> tuple[dict[str, np.ndarray], list[str]]:
    """Coordinates with their values, and names of those that are always zero."""
    every = {name: lines_of(result, name)[0][1] for name in coordinates(result)}
    return {k: v for k, v in every.items() if v.any()}, [k for k, v in every.items() if not v.any()]


def rates(result: Result) -> list[str]:
    """Rates of these."""
    return _by_ending(result, ("w", "speed"), "velocity")


def _by_ending(result: Result, endings: tuple[str, ...], otherwise: str) -> list[str]:
    program = result.motion.program
    bearings = set(program.flat.rotors.values())  # the rotor itself has these signals
    owners = [*program.flat.rotors, *(name for name in program.joints if name not in bearings)]
    every = result.catalogue.signals
    found = [name for owner in owners for ending in endings if (name := f"{owner}.{ending}") in every]
    return found or [
        f"{name}.{otherwise}.{c}" for name in program.bodies for c in "xyz"[program.space.linear]
    ]


def _efforts(result: Result) -> list[str]:
    program = result.motion.program
    meshes = set(program.flat.meshes)
    owners = [
        *program.driver_constraints,
        *(use.name for use in program.forces if use.name not in meshes),
        *(f.name for f in program.frictions),
        *(contact.name for contact in program.contacts),
    ]
    signals = result.catalogue.signals.values()
    found = [s.name for s in signals if s.unit in ("N", "N m", "W") and not s.components]
    return [name for name in found if any(name.startswith(owner + ".") for owner in owners)]


def energy_panels(balance: EnergyBalance) -> list[Panel]:
    out = [Panel("Energy", "J")]
    for label in ("kinetic", "potential", "total"):
        out[0].add(label, getattr(balance, label))
    if len(balance.t) < 2:
        return out
    if balance.work:
        work = Panel("Energy balance: works since the start", "J")
        work.add("change of energy", balance.change)
        order = sorted(balance.work, key=lambda name: -float(np.max(np.abs(balance.work[name]))))
        for name in order:
            work.add(name, balance.work[name])
        out.append(work)
    rest = Panel("Not accounted for", "J", note=remainder_note(balance))
    rest.add("remainder", balance.remainder)
    return [*out, rest]


def remainder_note(balance: EnergyBalance) -> str:
    """How large the remainder is against the largest energy, and why."""
    largest = float(np.max(np.abs(balance.remainder), initial=0.0))
    share = largest / balance.scale if balance.scale > 0 else 0.0
    return f"At most {largest:.2g} J, {share:.1e} of the largest energy: error of the run and of this sum."


def reaction_sizes(result: Result, kind: str) -> dict[str, np.ndarray]:
    """Size of the reaction `force` or `torque` of each joint over time; in the plane a torque is one number."""
    return {
        joint: np.linalg.norm(
            result.series(f"{joint}.reaction.{kind}").values.reshape(len(result.t), -1), axis=1
        )
        for joint in result.motion.program.joints
    }


def reaction_panels(result: Result, joints: tuple[str, ...] = ()) -> list[Panel]:
    """The joints with the largest reactions, where none are named and there are many."""
    out = []
    for kind, unit in (("force", "N"), ("torque", "N m")):
        panel = Panel(f"Reaction {kind}s, size", unit)
        sizes = reaction_sizes(result, kind)
        shown = {name: sizes[name] for name in joints} if joints else sizes
        largest = {name: float(np.nanmax(values, initial=0.0)) for name, values in shown.items()}
        if kind == "torque":
            shown = {name: values for name, values in shown.items() if largest[name] > 1e-9}
        chosen = sorted(shown, key=lambda name: -largest[name])[: panel.most]
        for name, values in shown.items():
            if joints or name in chosen:
                panel.add(name, values)
                if "minimum_norm" in result.series(f"{name}.reaction.{kind}").notes:
                    panel.note = SMALLEST
        panel.more += 0 if joints else len(shown) - len(chosen)
        out.append(panel)
    return [panel for panel in out if panel.lines]


def residual_panels(result: Result) -> list[Panel]:
    panel = Panel("Constraint residuals, root mean square", "m, rad; per s", log=True)
    for name, label in (("constraints.position", "position"), ("constraints.velocity", "velocity")):
        panel.add(label, np.maximum(result.series(name).values, ZERO))
    return [panel] if result.motion.program.rows else []


def _largest(result: Result) -> list[Panel]:
    owners = [*result.motion.program.joints, *(mesh.name for mesh in result.motion.program.meshes)]
    sizes = {name: np.abs(result.series(f"{name}.residual").values) for name in owners}
    order = sorted(sizes, key=lambda name: -float(np.nanmax(sizes[name], initial=0.0)))
    panel = Panel("Largest residuals by element", "m or rad", log=True)
    for name in order:
        panel.add(name, np.maximum(sizes[name], ZERO))
    return [panel] if panel.lines else []


def tooth_force_panels(result: Result) -> list[Panel]:
    """Tangential force of each mesh (of a belt the difference of its pulls), and the deflection of compliant teeth."""
    meshes = result.motion.program.flat.meshes
    out = []
    for title, unit, part in (
        ("Tooth forces, tangential", "N", "force.tangential"),
        ("Deflection of the teeth", "m", "deflection"),
    ):
        panel = Panel(title, unit)
        for name in meshes:
            if known(result, [f"{name}.{part}"]):
                panel.add(name, result.series(f"{name}.{part}").values)
        out += [panel] if panel.lines else []
    return out
