"""Meshes while their geometry is found: the description of each, where it is, and numbers of expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wheelwork.description.flat import Placed
from wheelwork.description.formula import Formula
from wheelwork.equations.values import expression
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import numpy as np
from wheelwork.problems import ModelError, Problem

from .axes import Axes, AxisRequirement, Pair, WheelAxis
from .faults import TOLERANCE, MeshFault
from .mesh_geometry import MeshGeometry, WheelFrame
from .sizes import SizeReader
from .whole_numbers import FEW, MANY

if TYPE_CHECKING:
    from wheelwork.layout import Layout

FEWEST_TEETH = 5
"""Of wheels whose loss is worked out from a friction coefficient."""


class MeshPlace:
    """Helps one mesh to find its geometry."""

    def __init__(self, placed: Placed[Any], finder: Axes):
        self.mesh: Any = placed.element
        self.finder = finder
        self.layout = finder.layout
        self.planar = finder.planar
        self.at = finder.layout.place(placed)
        self.vector = finder.number
        self.reader = SizeReader(self.mesh, self.at, self.number)
        self.smallest = TOLERANCE * finder.scale
        """Lengths below this count as zero [m]."""

    def value(self, given: Any) -> ca.SX:
        """A field of the mesh as an expression."""
        return self.at.value(given)

    def number(self, expression: ca.SX) -> float:
        return float(self.vector(expression)[0])

    def once(self, what: Any, fields: Sequence[str], make: Callable[[], Any]) -> Any:
        """What follows from some fields alone, made for the first mesh in which they are the same."""
        given = repr([getattr(self.mesh, name) for name in fields])
        return self.layout.once((what, self.mesh.type, given), make)

    # -- axes

    def axes(self, wanted: AxisRequirement) -> Pair:
        return self.finder.of(self.mesh, self.at, wanted)

    def is_ground(self, side: int) -> bool:
        """Whether a wheel is ground, which has no centre of mass."""
        return self.mesh.bodies[side] == "ground"

    def center(self, axis: WheelAxis, side: int) -> ca.SX:
        """Centre of a wheel on its axis: as given, or where its centre of mass is (for ground, where the joint is)."""
        if axis.center_given or self.is_ground(side):
            return axis.point
        return axis.foot(self.finder.center_of_mass(self.mesh.bodies[side]))

    def meet(self, a: WheelAxis, b: WheelAxis) -> bool:
        """Whether two axes go through a common point."""
        return not a.is_parallel(b) and a.distance(b) <= self._nothing(a, b)

    def cross(self, a: WheelAxis, b: WheelAxis) -> bool:
        """Whether two axes pass each other at an angle."""
        return not a.is_parallel(b) and a.distance(b) > self._nothing(a, b)

    def at_an_angle(self, a: WheelAxis, b: WheelAxis, must: str) -> str:
        """The axes in words; parallel ones are a fault, where they must `meet` or `cross`."""
        first, second = self.mesh.bodies
        names = f"the axes of `{first}` ({a.source}) and `{second}` ({b.source})"
        if a.is_parallel(b):
            raise MeshFault(
                f"{names} are parallel, but must {must}", "wheels on parallel axes are `external`"
            )
        return names

    def _nothing(self, a: WheelAxis, b: WheelAxis) -> float:
        return max(self.smallest, TOLERANCE * float(np.linalg.norm(b.at - a.at)))

    # -- fields

    @property
    def pressure_angle(self) -> ca.SX:
        return self.value(self.mesh.pressure_angle)

    def helix_angle(self) -> ca.SX:
        if self.planar and self.is_helical:
            raise MeshFault("a planar mechanism has no helical wheels", "leave it out", "helix_angle")
        return self.value(self.mesh.helix_angle)

    @property
    def is_helical(self) -> bool:
        """Whether the helix angle is, or may become, other than zero."""
        return isinstance(self.mesh.helix_angle, Formula) or self.mesh.helix_angle != 0

    # -- result

    def geometry(
        self,
        axes: Pair,
        wheels: tuple[WheelFrame, WheelFrame],
        teeth: tuple[int, int],
        numbers: Mapping[str, ca.SX],
        distance: ca.SX,
        contact: ca.SX,
        **more: Any,
    ) -> MeshGeometry:
        a, b = self.mesh.bodies
        carriers = {axis.carrier for axis in axes}
        self._check_friction(teeth)
        return MeshGeometry(
            mesh=self.mesh,
            bodies=(a, b),
            markers=(wheels[0].marker(self.layout, a), wheels[1].marker(self.layout, b)),
            joints=(axes[0].joint, axes[1].joint),
            carrier=carriers.pop() if len(carriers) == 1 else None,
            teeth=teeth,
            numbers={name: expression(value) for name, value in numbers.items()},
            distance=distance,
            axes=(axes[0].direction, axes[1].direction),
            contact=contact,
            counted=self._counted(axes, teeth, numbers),
            **more,
        )

    def _counted(self, axes: Pair, teeth: tuple[int, int], numbers: Mapping[str, ca.SX]) -> str | None:
        """The body against which turns are counted, for wheels without teeth."""
        mesh = self.mesh
        if mesh.b_is_rack or mesh.has_teeth or max(teeth) <= FEW:
            return None
        carrier = self.finder.carrier(axes, mesh.bodies)
        if carrier is None and max(teeth) > MANY:
            a, b = mesh.bodies
            r_a, r_b = (self.number(numbers[name]) for name in ("r_a", "r_b"))
            if mesh.parallel and abs(r_a - r_b if mesh.turns_same_way else r_a + r_b) > r_a / MANY:
                return b
            text = (
                f"the wheels have no numbers of teeth, and their ratio of {teeth[1] / teeth[0]:.9g} is not one of "
                "small whole numbers, so that their turns must be counted against a body that carries both; but no "
                f"joints on the axes of `{a}` and `{b}` lead to one"
            )
            raise MeshFault(text, "give `teeth`, or carry the wheels by joints")
        return carrier

    def _check_friction(self, teeth: tuple[int, int]) -> None:
        """What teeth lose as they roll depends on how many there are; see `wheelwork.layout.losses`."""
        mesh = self.mesh
        if getattr(mesh, "friction", None) is None or mesh.Equations.slides:
            return
        counts = [z for z in teeth if z]
        if not mesh.has_teeth:
            found = " and ".join(str(z) for z in counts)
            text = (
                f"what is lost to friction depends on the numbers of teeth, but the sizes alone make {found}"
            )
            raise MeshFault(text, "give `teeth`, or `efficiency` instead", "friction")
        if min(counts) < FEWEST_TEETH:
            text = f"a wheel has {min(counts)} teeth: what is lost to friction is known for {FEWEST_TEETH} and more"
            raise MeshFault(text, "give `efficiency` instead", "friction")


def resolve_meshes(layout: Layout) -> dict[str, MeshGeometry]:
    """Geometry of every mesh by global name; `ModelError` with everything that does not fit."""
    flat = layout.flat
    if not flat.meshes:
        return {}
    finder = Axes(layout)
    found: dict[str, MeshGeometry] = {}
    problems: list[Problem] = []
    for name, placed in flat.meshes.items():
        try:
            found[name] = placed.element.geometry(MeshPlace(placed, finder))
        except MeshFault as fault:
            problems.append(placed.problem(fault.message, fault.hint, fault.path))
    if problems:
        raise ModelError(problems)
    return found
