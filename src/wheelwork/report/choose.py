"""Which signals tell the story of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from wheelwork.results import Result

MOST_LINES = 8


@dataclass
class Panel:
    """One plot: lines of one unit. `more` counts those left out."""

    title: str
    unit: str
    lines: list[tuple[str, np.ndarray]] = field(default_factory=list)
    log: bool = False
    note: str = ""
    more: int = 0

    def add(self, label: str, values: np.ndarray) -> None:
        if len(self.lines) < MOST_LINES:
            self.lines.append((label, np.asarray(values, float)))
        else:
            self.more += 1


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
    known = {s.name for s in result.catalogue.signals.values()}
    return [name for owner in owners for ending in endings if (name := f"{owner}.{ending}") in known]


def panels(result: Result) -> list[Panel]:
    """Plots for a report: what the description asks for, then coordinates, speeds, efforts, tooth forces, energies,
    reactions, residuals."""
    out: list[Panel] = []
    if result.provenance.outputs is not None:
        out += _grouped(result, [s.name for s in result.signals], {}, "Outputs")
    titles = {"rad": "Angles", "m": "Displacements"}
    out += _grouped(result, coordinates(result), titles, "Coordinates")
    out += _grouped(result, rates(result), {"rad/s": "Angular speeds", "m/s": "Speeds"}, "Speeds")
    titles = {"N m": "Torques of drivers and forces", "N": "Drivers and forces", "W": "Power"}
    out += _grouped(result, efforts(result), titles, "Efforts")
    energy = _grouped(
        result, ["energy.kinetic", "energy.potential", "energy.total"], {"J": "Energy"}, "Energy"
    )
    teeth = _grouped(result, tooth_forces(result), {"N": "Tooth forces, tangential"}, "Tooth forces")
    return [*out, *teeth, *energy, *_reactions(result), *_residuals(result)]


def tooth_forces(result: Result) -> list[str]:
    """Tangential force of each mesh; of a belt the difference of its pulls."""
    known = {signal.name for signal in result.catalogue.signals.values()}
    names = [f"{mesh}.force.tangential" for mesh in result.motion.program.flat.meshes]
    return [name for name in names if name in known]


def efforts(result: Result) -> list[str]:
    """Torques, forces and powers of drivers, motors, springs and friction."""
    program = result.motion.program
    owners = [
        *program.driver_constraints,
        *(use.name for use in program.forces),
        *(f.name for f in program.frictions),
    ]
    owners += [contact.name for contact in program.contacts]
    signals = result.catalogue.signals.values()
    found = [s.name for s in signals if s.unit in ("N", "N m", "W") and not s.components]
    return [name for name in found if any(name.startswith(owner + ".") for owner in owners)]


def _grouped(result: Result, names: list[str], titles: dict[str, str], otherwise: str) -> list[Panel]:
    by_unit: dict[str, Panel] = {}
    for name in names:
        array = result[name]
        unit = array.attrs["units"]
        panel = by_unit.setdefault(unit, Panel(titles.get(unit, otherwise), unit))
        values = array.to_numpy().reshape(len(result.t), -1)
        parts = [str(c) for dim in array.dims if dim != "time" for c in array[dim].to_numpy()]
        for k in range(values.shape[1]):
            panel.add(f"{name}.{parts[k]}" if parts else name, values[:, k])
    return list(by_unit.values())


def _reactions(result: Result) -> list[Panel]:
    """Sizes of the joint forces and torques, of the first joints where there are many."""
    forces, torques = Panel("Reaction forces, size", "N"), Panel("Reaction torques, size", "N m")
    for joint in result.motion.program.joints:
        for panel, kind in ((forces, "force"), (torques, "torque")):
            array = result[f"{joint}.reaction.{kind}"]
            # in the plane a torque is one number
            values = np.linalg.norm(array.to_numpy().reshape(len(result.t), -1), axis=1)
            if kind == "torque" and not np.any(values > 1e-9):
                continue
            panel.add(joint, values)
            if "minimum_norm" in array.attrs:
                panel.note = "Constraints are redundant: of the possible reactions these are the smallest."
    return [panel for panel in (forces, torques) if panel.lines]


def _residuals(result: Result) -> list[Panel]:
    """How well the constraints hold, on a logarithmic scale."""
    panel = Panel("Constraint residuals, root mean square", "m, rad; per s", log=True)
    for name, label in (("constraints.position", "position"), ("constraints.velocity", "velocity")):
        panel.add(label, np.maximum(result[name].to_numpy(), 1e-18))
    return [panel] if result.motion.program.rows else []
