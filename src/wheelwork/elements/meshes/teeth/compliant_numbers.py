"""Numbers of compliant teeth that take more than a formula: from the shape of the teeth, for any parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wheelwork.elements.meshes.teeth.course import Kind, size
from wheelwork.elements.meshes.teeth.mesh_force import MeshView
from wheelwork.layout.losses import loss_coefficient
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import gears
from wheelwork.lazy import numpy as np

if TYPE_CHECKING:
    from wheelwork.layout.teeth import TeethAt


def check(view: MeshView) -> None:
    """What the description alone does not show."""
    if view.geometry.mesh.b_is_rack and any(error.per == "b" for error in view.model.errors):
        raise ValueError("a rack does not turn, so it has no error `per: b`; give one per `mesh`")
    mesh, varies = view.placed.element, size(view.teeth.stiffness(view.placed.name).kind)
    if not mesh.has_teeth and (varies or any(error.per == "mesh" for error in view.model.errors)):
        what = "a stiffness that varies" if varies else "an error `per: mesh`"
        raise ValueError(
            f"{what} repeats with every tooth, but the mesh has no numbers of teeth; give `teeth`"
        )
    if view.model.losses == "flanks":
        if view.placed.element.friction is None:
            raise ValueError(
                "`losses: flanks` needs `friction` of the mesh, the coefficient between the flanks"
            )
        if view.geometry.helical:
            raise ValueError(
                "`losses: flanks` is for straight teeth; leave it out for the mean over a mesh cycle, or take the "
                "model `contact`"
            )
        if view.teeth.pair(view.placed.name) is None:
            why = view.teeth.why_not(view.placed.name) or "there are no tooth numbers"
            raise ValueError(f"`losses: flanks` needs the shape of the teeth: {why}")


def loss_of(view: MeshView, teeth: TeethAt) -> ca.SX | None:
    """c of the mean friction, or mu of the flanks; None without losses."""
    element = view.placed.element
    if view.model.losses == "flanks":
        return view.value(element.friction)
    return loss_coefficient(element, view.placed.name, view.equations, view.numbers, view.value, teeth)


def most_pairs(view: MeshView) -> int:
    """How many pairs of teeth touch at most; one more than now, in case the parameters change."""
    pair = view.teeth.pair(view.placed.name)
    assert pair is not None
    return int(np.ceil(pair.path.contact_ratio)) + 1


def arcs_at_rest(view: MeshView) -> list[ca.SX]:
    """Arcs rolled by a and b at the given position, as the rows have them."""
    a, b = view.at_rest
    row, roll = (
        view.equations.no_slip(a, b, view.numbers).value,
        view.equations.rolling(a, b, view.numbers).value,
    )
    return [roll + row / 2, roll - row / 2]


class NumbersOfTeeth:
    """The numbers that are found from the teeth, in the order of the data, and which of them no formula replaces."""

    def __init__(self, view: MeshView, kind: Kind, critical: ca.SX | None, flanks: bool) -> None:
        model = view.model
        self.name, self.critical = view.placed.name, critical
        self.from_teeth = model.backlash is None
        self.kind = kind
        self.plain = model.stiffness.is_given and size(kind) == 0
        """Whether the stiffness is one number."""
        course = [f"course{k}" for k in range(size(kind))]
        self.flanks = flanks
        self.names = [
            "tau",
            "half",
            "k",
            *course,
            "damping",
            *(("begins", "ends", "start") if flanks else ()),
        ]
        replaced = set()
        if model.phase is not None:
            replaced.add("tau")
        if not self.from_teeth:
            replaced.add("half")
        if self.plain:
            replaced |= {"k", "damping"}
        if critical is None:
            replaced.add("damping")
        self.kept = [k for k, name in enumerate(self.names) if name not in replaced]

    def __call__(self, teeth) -> np.ndarray:
        stiffness = teeth.stiffness(self.name)
        if stiffness.kind != self.kind:
            raise gears.GeometryError(
                "with these values the table of the stiffness jumps at other points; change the description itself"
            )
        gap = teeth.backlash(self.name) if self.from_teeth else 0.0
        damping = (
            0.0 if self.critical is None else float(teeth.number(self.critical)[0]) * np.sqrt(stiffness.mean)
        )
        course = stiffness.data(teeth.start(self.name))
        path = []
        if self.flanks:
            path = teeth.pair(self.name).path
            path = [path.start - path.pitch_point, path.end - path.pitch_point, teeth.start(self.name)]
        return np.concatenate([[teeth.phase(self.name), gap / 2, stiffness.mean], course, [damping], path])
