"""What the equations need to know of a mesh."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wheelwork.equations.placement import BodyPlacement, Placement
from wheelwork.equations.values import Template
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

if TYPE_CHECKING:
    from wheelwork.equations.mesh_equations import MeshEquations
    from wheelwork.layout import Layout


@dataclass(frozen=True)
class MeshGeometry:
    """A mesh in numbers; expressions are in the model's parameters, in SI units, in the world at the given position.

    The senses of the markers' z axes are those that :mod:`wheelwork.equations.mesh_equations` asks for, so that no
    signs are needed: with w the speeds of the wheels about them against the carrier, r_a w_a = -r_b w_b for external,
    bevel and a crossed belt, r_a w_a = r_b w_b for internal and an open belt, and r_a cos(beta_a) w_a = -r_b
    cos(beta_b) w_b for worm and crossed; the rack moves along its x axis with r_a w_a.
    """

    mesh: Any
    """The element."""
    bodies: tuple[str, str]
    markers: tuple[ca.SX, ca.SX]
    """Records of the wheels' frames: origin at the wheel's centre, z along its axis."""
    joints: tuple[str | None, str | None]
    """The joints that carry the wheels; None where an axis was given."""
    carrier: str | None
    """The body that both joints share, if they do."""
    teeth: tuple[int, int]
    """z_a, z_b; of a rack 0."""
    numbers: Mapping[str, ca.SX]
    """By the names that the equations of the type list in `extras`, all but `phase`: r_a, r_b, pitch ..."""
    distance: ca.SX
    """Between the axes; pinion to pitch line for a rack; for bevel wheels 0."""
    axes: tuple[ca.SX, ca.SX]
    """Directions of the wheels' axes as they are given, which may be against the markers' z; of a rack along it."""
    contact: ca.SX
    """Where the pitch surfaces touch; for a belt the centre of b."""
    cone_angles: tuple[ca.SX, ca.SX] | None = None
    """delta_a, delta_b of bevel wheels."""
    helical: bool = False
    """Whether there is a helix angle."""
    counted: str | None = None
    """The body that carries both wheels, against which the turns of a are counted where the mesh has no tooth numbers
    and small whole numbers do not make its ratio, or else wheel b; None where what must vanish is counted modulo the
    pitch."""
    holds_distance: bool = False
    """Whether a rack also keeps the pinion at its distance."""

    @property
    def type(self) -> str:
        return self.mesh.type

    @property
    def has_teeth(self) -> bool:
        """Whether tooth numbers were given: otherwise those here are the smallest with the same ratio, and the pitch is
        no tooth's."""
        return self.mesh.has_teeth

    @property
    def equations(self) -> MeshEquations:
        """Those of its type, with the terms of a helix only where there may be one: straight rows are shorter."""
        variant = "height" if self.holds_distance else "helical" if self.helical else ""
        return self.mesh.equations(variant if variant in self.mesh.variants else "")

    @property
    def against(self) -> str:
        """Against what the turns of a are counted: `carrier`, or `mate` where that is b itself; empty: not counted."""
        return "" if self.counted is None else "mate" if self.counted == self.bodies[1] else "carrier"

    @property
    def radii(self) -> tuple[ca.SX, ca.SX]:
        """Pitch radii (at P for bevel wheels); the second is infinite for a rack."""
        return self.numbers["r_a"], self.numbers.get("r_b", ca.SX.inf())

    @property
    def ratio(self) -> float | None:
        """Speed of a over speed of b against the carrier, regardless of sense: z_b/z_a; None for a rack."""
        return self.teeth[1] / self.teeth[0] if self.teeth[1] else None


@dataclass(frozen=True)
class WheelFrame:
    """Centre and axes of a wheel in the world: z along the axis, x along a direction at a right angle to it."""

    center: ca.SX
    z: ca.SX
    x: ca.SX

    def marker(self, layout: Layout, body: str) -> ca.SX:
        at = layout.bodies[body]
        return _MARKER(at.frame.position, at.frame.axes, at.center, self.center, self.z, self.x)[0]


def _marker(position: ca.SX, axes: ca.SX, center: ca.SX, wheel: ca.SX, z: ca.SX, along: ca.SX) -> list[ca.SX]:
    across = along - z * ca.dot(z, along)
    x = across / ca.norm_2(across)
    body = BodyPlacement(Placement(position, axes), center)
    return [body.marker_at(wheel, ca.horzcat(x, ca.cross(z, x), z))]


_MARKER = Template(_marker)
