"""The potential energy method (Yang & Lin 1987; Tian 2004; Chaari, Fakhfakh & Haddar 2009; Wan et al. 2014).

The compliance of a pair is the sum of what bending, shear and compression of both teeth as beams store
(`beam.integrals`), of the bodies under them (`foundation`), and of the contact:

    1/k = sum over both wheels of (1/k_b + 1/k_s + 1/k_a + 1/k_f) + 1/k_h

Departures: the integrals follow the generated outline with its true fillet down to the root circle, not the involute
down to the base circle; and rings and racks stand on a half plane, as Sainsot's body is a wheel. As in the sources,
beams are in plane stress, and the contact is linear (Yang & Sun), so that the stiffness does not depend on the load.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import GeometryError
from ..pair import GearPair
from ..rack_pair import RackPair
from . import beam, contact, foundation
from .base import MeshStiffness
from .material import STEEL, Material
from .tooth import loads_at, teeth_of


class EnergyMethod(MeshStiffness):
    """Stiffness from potential energy.

    material: of both wheels
    bore_ratios: r_f/r_bore of wheel a and wheel b; not used for rings and racks
    """

    name = "energy"

    def __init__(
        self,
        pair: GearPair | RackPair,
        material: Material = STEEL,
        bore_ratios: tuple[float, float] = (3.0, 3.0),
    ) -> None:
        super().__init__(pair)
        if min(bore_ratios) <= 1:
            raise GeometryError(
                f"a bore must be smaller than the root circle, but r_f/r_bore is {min(bore_ratios):.4g}"
            )
        self.material, self.bore_ratios = material, bore_ratios
        self.teeth = teeth_of(pair)

    def parts(self, position: Any) -> dict[str, Any]:
        """Compliances [m/N] by cause, of both wheels together: `bending`, `shear`, `axial`, `foundation`, `contact`."""
        position = np.asarray(position, dtype=float)
        width = self.pair.face_width
        out: dict[str, Any] = dict.fromkeys(("bending", "shear", "axial", "foundation"), 0.0)
        for tooth, load, ratio in zip(
            self.teeth, loads_at(self.pair, position), self.bore_ratios, strict=True
        ):
            bending, shear, axial = beam.integrals(tooth, load, self.material)
            body = (
                foundation.half_plane(tooth, load, self.material, wide=False)
                if tooth.internal or np.isinf(tooth.root_radius)
                else foundation.sainsot(tooth, load, self.material, ratio)
            )
            for name, value in zip(out, (bending, shear, axial, body), strict=True):
                out[name] = out[name] + value / width
        out["contact"] = np.full_like(position, contact.yang_sun(self.material) / width)
        return out

    def pair_stiffness(self, position: Any, force: Any = None) -> Any:
        position = np.asarray(position, dtype=float)
        inside = self.within(position)
        path = self.pair.path
        total = sum(self.parts(np.clip(position, path.start, path.end)).values())
        return np.where(inside, 1 / total, 0.0)
