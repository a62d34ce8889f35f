"""The potential energy method (Yang & Lin 1987; Tian 2004; Chaari, Fakhfakh & Haddar 2009; Wan et al. 2014).

The compliance of a pair is the sum of what bending, shear and compression of both teeth as beams store
(`beam.integrals`), of the bodies under them (`foundation`), and of the contact:

    1/k = sum over both wheels of (1/k_b + 1/k_s + 1/k_a + 1/k_f) + 1/k_h

Departures: the integrals follow the generated outline with its true fillet down to the root circle, not the involute
down to the base circle; and rings and racks stand on a half plane, as Sainsot's body is a wheel. As in the sources,
beams are in plane stress, and the contact is linear (Yang & Sun), so that the stiffness does not depend on the load.

Sainsot's body is held at its bore, so each pair's compliance contains the twist of the whole body, which all pairs
have in common. The sources add pairs as if each had a body of its own. Here the twist of a ring held at its bore is
shared,

    q_s = sum over wheels of r_b^2 / (4 pi G b) (1/r_bore^2 - 1/r_f^2)

(a ring under tangential traction, Lame); with `coupled=False` pairs are added as in the sources.
"""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from wheelwork.gears.involute import GeometryError

from ..gear import Gear
from ..pair import GearPair
from ..rack_pair import RackPair
from . import beam, contact, foundation
from .base import MeshStiffness
from .material import STEEL, Material, Materials, of_wheels
from .tooth import loads_at, teeth_of


def body_twist(gear: Gear, bore_ratio: float, material: Material) -> float:
    """Compliance [m^2/N] for unit face width, along the line of action, of a wheel's body twisted against its bore."""
    root, base = gear.root_diameter / 2, gear.base_diameter / 2
    return (
        (base / root) ** 2
        * (min(bore_ratio, foundation.RATIO_RANGE[1]) ** 2 - 1)
        / (4 * pi * material.shear_modulus)
    )


class EnergyMethod(MeshStiffness):
    """Stiffness from potential energy.

    material: of both wheels, or of wheel a and wheel b
    bore_ratios: r_f/r_bore of wheel a and wheel b; not used for rings and racks
    coupled: whether pairs share the twist of the bodies
    """

    name = "energy"

    def __init__(
        self,
        pair: GearPair | RackPair,
        material: Materials = STEEL,
        bore_ratios: tuple[float, float] = (3.0, 3.0),
        coupled: bool = True,
    ) -> None:
        super().__init__(pair)
        if min(bore_ratios) <= 1:
            raise GeometryError(
                f"a bore must be smaller than the root circle, but r_f/r_bore is {min(bore_ratios):.4g}"
            )
        self.materials, self.bore_ratios = of_wheels(material), bore_ratios
        self.teeth = teeth_of(pair)
        wheels = [pair.a] if isinstance(pair, RackPair) or pair.internal else [pair.a, pair.b]
        if coupled:
            twists = (body_twist(*wheel) for wheel in zip(wheels, bore_ratios, self.materials, strict=False))
            self.shared_compliance = sum(twists) / pair.face_width

    def parts(self, position: Any) -> dict[str, Any]:
        """Compliances [m/N] by cause, of both wheels together: `bending`, `shear`, `axial`, `foundation`, `contact`."""
        position = np.asarray(position, dtype=float)
        width = self.pair.face_width
        out: dict[str, Any] = dict.fromkeys(("bending", "shear", "axial", "foundation"), 0.0)
        loads = loads_at(self.pair, position)
        for tooth, load, ratio, material in zip(
            self.teeth, loads, self.bore_ratios, self.materials, strict=True
        ):
            bending, shear, axial = beam.integrals(tooth, load, material)
            body = (
                foundation.half_plane(tooth, load, material, wide=False)
                if tooth.internal or np.isinf(tooth.root_radius)
                else foundation.sainsot(tooth, load, material, ratio)
            )
            for name, value in zip(out, (bending, shear, axial, body), strict=True):
                out[name] = out[name] + value / width
        out["contact"] = np.full_like(position, contact.yang_sun(self.materials) / width)
        return out

    def pair_stiffness(self, position: Any, force: Any = None) -> Any:
        return self.from_parts(position, self.parts)
