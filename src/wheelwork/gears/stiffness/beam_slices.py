"""Cornell's method: the tooth as a beam of slices, on an elastic base, with the contact's own compliance.

R. W. Cornell, Compliance and stress sensitivity of spur gear teeth, J. Mech. Design 103 (1981) 447-459; S. Bai,
Gear dynamics, 2012, pages 42-43. For each tooth y = y_B + y_L and 1/k = 1/k_a + 1/k_b (3.5):

    y_B   slices of constant section, `beam.slices`, with the effective modulus E_e = E/(1 - nu^2)
    y_L   base: O'Donnell's half plane, `foundation.half_plane`; contact: Weber, `contact.weber`, which needs the load

The beam ends where the tangent of the fillet makes 75 deg with the tooth's middle line, Cornell's effective root;
what lies below belongs to the base. Bai prints one number for all that is local, y_L = 4.55 (1 - nu^2) F/(W E),
for each tooth; with `local="constant"` that is taken in place of base and contact.
"""

from __future__ import annotations

from math import radians
from typing import Any, Literal

import numpy as np

from wheelwork.gears.involute import GeometryError

from ..pair import GearPair
from ..rack_pair import RackPair
from . import beam, contact, foundation
from .base import MeshStiffness
from .material import STEEL, Materials, of_wheels
from .tooth import loads_at, teeth_of

ROOT_TANGENT = radians(75)


class BeamSlices(MeshStiffness):
    """Stiffness from slices on an elastic base.

    material: of both wheels, or of wheel a and wheel b
    line_load: force per face width [N/m] at which the contact is taken where no force is given
    local: `cornell` (base and contact), or `constant` (Bai's number for both)
    slices_of_tooth: how many
    """

    name = "beam slices"

    def __init__(
        self,
        pair: GearPair | RackPair,
        material: Materials = STEEL,
        line_load: float = 200e3,
        local: Literal["cornell", "constant"] = "cornell",
        slices_of_tooth: int = 60,
    ) -> None:
        super().__init__(pair)
        if line_load <= 0:
            raise GeometryError(f"a line load must be greater than zero, but is {line_load:.4g} N/m")
        self.materials, self.line_load = of_wheels(material), line_load
        self.local, self.count = local, slices_of_tooth
        self.teeth = tuple(tooth.from_tangent(ROOT_TANGENT) for tooth in teeth_of(pair))

    def parts(self, position: Any, force: Any = None) -> dict[str, Any]:
        """Compliances [m/N] by cause, of both wheels together: `beam`, `foundation`, `contact`.

        force: on this pair [N]; the secant of the contact's curve is taken there
        """
        position = np.asarray(position, dtype=float)
        width = self.pair.face_width
        loads = loads_at(self.pair, position)
        both = list(zip(self.teeth, loads, self.materials, strict=True))
        out = {"beam": sum(beam.slices(t, l, m, self.count) for t, l, m in both) / width}
        if self.local == "constant":
            lumped = sum(4.55 / (width * m.plane_strain_modulus) for m in self.materials)
            return {**out, "foundation and contact": np.full_like(position, lumped)}
        out["foundation"] = sum(foundation.half_plane(t, l, m) for t, l, m in both) / width
        line = np.broadcast_to(self.line_load if force is None else np.asarray(force) / width, position.shape)
        # At the base circle the curvature, and with it the strip, would vanish.
        curvature = np.maximum(self.pair.path.reduced_curvature(position), 1e-3 * self.pair.a.module)
        approach = contact.weber(line, curvature, (loads[0].depth, loads[1].depth), self.materials)
        out["contact"] = approach / (line * width)
        return out

    def pair_stiffness(self, position: Any, force: Any = None) -> Any:
        # Bai (3.5): 1/k = 1/k_g,i + 1/k_g,j
        return self.from_parts(position, lambda at: self.parts(at, force))
