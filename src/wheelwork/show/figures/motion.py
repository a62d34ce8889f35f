"""Motion: joint coordinates and rotor angles with their rates, and the efforts that make them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .panel import Panel, draw_panels, grouped
from .style import Theme, ThemeName

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.results import Result


def motion(result: Result, *, theme: ThemeName | Theme = "light") -> Figure:
    """Coordinates and speeds over time."""
    return draw_panels(motion_panels(result), result.t, result.events, theme)


def efforts(result: Result, *, theme: ThemeName | Theme = "light") -> Figure:
    """Torques, forces and powers of drivers, motors, springs, friction and contacts over time."""
    panels = effort_panels(result)
    if not panels:
        raise ValueError("nothing drives or loads this mechanism but gravity: there are no efforts to draw")
    return draw_panels(panels, result.t, result.events, theme)


def motion_panels(result: Result) -> list[Panel]:
    titles = {"rad": "Angles", "m": "Displacements"}
    speeds = {"rad/s": "Angular speeds", "m/s": "Speeds"}
    return grouped(result, coordinates(result), titles, "Coordinates") + grouped(
        result, rates(result), speeds, "Speeds"
    )


def effort_panels(result: Result) -> list[Panel]:
    titles = {"N m": "Torques of drivers and forces", "N": "Drivers and forces", "W": "Power"}
    return grouped(result, _efforts(result), titles, "Efforts")


def coordinates(result: Result) -> list[str]:
    """Joint coordinates and rotor angles; positions of the bodies where there are none."""
    return _by_ending(result, ("angle", "displacement")) or [
        f"{name}.position.{c}" for name in result.motion.program.bodies for c in _axes(result)
    ]


def rates(result: Result) -> list[str]:
    """Rates of these."""
    return _by_ending(result, ("w", "speed")) or [
        f"{name}.velocity.{c}" for name in result.motion.program.bodies for c in _axes(result)
    ]


def _axes(result: Result) -> str:
    return "xy" if result.motion.program.space.name == "planar" else "xyz"


def _by_ending(result: Result, endings: tuple[str, ...]) -> list[str]:
    program = result.motion.program
    bearings = set(program.flat.rotors.values())  # the rotor itself has these signals
    owners = [*program.flat.rotors, *(name for name in program.joints if name not in bearings)]
    every = result.catalogue.signals
    return [name for owner in owners for ending in endings if (name := f"{owner}.{ending}") in every]


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
