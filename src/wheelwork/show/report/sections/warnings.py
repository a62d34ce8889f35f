"""What a reader should know before using the numbers."""

from __future__ import annotations

import numpy as np

from wheelwork.analyses import CheckReport
from wheelwork.description import Flat
from wheelwork.gears import GearPair, GeometryError, RackPair
from wheelwork.gears.sheet import sheet
from wheelwork.layout import layout_of
from wheelwork.problems import listed
from wheelwork.results import Result
from wheelwork.results.energy import EnergyBalance

from ..html import marked, section

LARGE_RESIDUAL = 1e-5
"""m or rad, of constraints that should hold."""
LARGE_REMAINDER = 1e-3
"""Of the largest energy, without impacts."""


def of_structure(check: CheckReport | None) -> list[str]:
    """Remarks on the mechanism itself."""
    if check is None:
        return []
    out = []
    if check.redundant:
        out.append(
            f"{len(check.redundant)} constraints follow from others. The motion is still correct; reactions "
            "of the joints involved are the smallest possible ones."
        )
    out += check.shared_shafts
    if check.singular_position:
        out.append("At the given position the mechanism is singular: it may branch or lock there.")
    if check.loose_bodies:
        out.append(
            f"No joint, bearing or bushing ties these bodies to ground: {', '.join(check.loose_bodies)}."
        )
    misfit = max((max(m.length, m.angle) for m in check.misfits), default=0.0)
    if misfit > 1e-6:
        out.append(f"Joints did not fit by up to {misfit:.1e} m or rad; assembly removed that.")
    return [*out, *(f"Geometry of {text}." for text in check.geometry)]


def of_teeth(flat: Flat) -> list[str]:
    """What is wrong with the teeth that were given: undercut, interference, thin tips."""
    found: dict[str, list[str]] = {}
    for one in layout_of(flat).mesh_teeth if flat.meshes else []:
        try:
            findings = (sheet(one.pair, one.bodies).findings or ()) if one.pair is not None else ()
            texts = [f"{finding.kind}: {_without(finding.message, one.bodies)}" for finding in findings]
            doubts = getattr(_stiffness(flat, one.name), "doubts", None)
            if (
                doubts is not None
                and isinstance(one.pair, GearPair | RackPair)
                and (doubt := doubts(one.pair))
            ):
                texts.append(f"stiffness: {doubt}")
        except GeometryError as error:
            texts = [str(error)]
        for text in texts:
            found.setdefault(text, []).append(one.name)
    return [f"{', '.join(names)}, {text}" for text, names in found.items()]


def _stiffness(flat: Flat, mesh: str) -> object:
    return getattr(getattr(flat.meshes[mesh].element, "model", None), "stiffness", None)


def _without(message: str, bodies: tuple[str, str]) -> str:
    """A finding without the names of its wheels, so that equal pairs share it."""
    for name, word in zip(bodies, ("wheel a", "wheel b"), strict=True):
        message = message.replace(f"of {name} ", f"of {word} ").replace(f"meet {name} ", f"meet {word} ")
    return message


def of_run(result: Result, balance: EnergyBalance) -> list[str]:
    """Remarks on how the run went."""
    out = (
        []
        if result.outcome.good and not (result.statistics.teeth or result.statistics.locks)
        else [result.report]
    )
    if result.motion.program.rows:
        worst = float(np.nanmax(result.series("constraints.position").values, initial=0.0))
        if worst > LARGE_RESIDUAL:
            out.append(
                f"Constraints are violated by up to {worst:.1e} m or rad: choose another stabilisation."
            )
    if result.shared_frictions:
        named = listed(result.shared_frictions)
        out.append(
            f"At rest statics leaves open how the dry frictions of {named} share what they hold: their efforts there "
            "are one of many answers."
        )
    remainder = float(np.nanmax(np.abs(balance.remainder), initial=0.0))
    if remainder > LARGE_REMAINDER * balance.scale and remainder > 1e-9:
        out.append(
            f"Up to {remainder:.2g} J are not accounted for: the outputs are too coarse for the motion between "
            "them, or the tolerances too loose. Raise `output`, tighten `rtol`."
        )
    return out


def warnings(remarks: list[str]) -> str:
    if not remarks:
        return ""
    lines = "".join(f"<li>{marked(text)}</li>" for text in remarks)
    return section("Warnings", f'<ul class="card warnings">{lines}</ul>')
