"""Gear geometry and mesh stiffness as pure functions: NumPy in, NumPy out, nothing of the rest of Wheelwork.

Quantities have the names, symbols and definitions of ISO 21771; lengths are in m, angles in rad. A `Gear` is one
wheel, a `GearPair` or `RackPair` two in mesh; what they are made into is in the modules beside: `backlash`,
`interference`, `outline`, `planetary`, and `stiffness` for mesh stiffness and transmission error.
"""

from .backlash import Backlash, allowance_for, backlash
from .basic_rack import ISO_53_A, ISO_53_B, ISO_53_C, ISO_53_D, BasicRack
from .bevel import BevelPair
from .chain import ChainDrive
from .crossed import CrossedPair
from .cycloid import CycloidDrive
from .gear import Gear
from .interference import Finding, findings
from .involute import GeometryError, inverse_involute, involute
from .losses import loss_factor
from .outline import gear_outline, half_tooth, tooth_outline
from .pair import GearPair
from .path_of_contact import PathOfContact
from .planetary import PlanetarySet
from .rack_pair import RackPair
from .worm import WormPair

__all__ = [
    "ISO_53_A", "ISO_53_B", "ISO_53_C", "ISO_53_D", "Backlash", "BasicRack", "BevelPair", "ChainDrive", "CrossedPair",
    "CycloidDrive", "Finding", "Gear", "GearPair", "GeometryError", "PathOfContact", "PlanetarySet", "RackPair",
    "WormPair", "allowance_for", "backlash", "findings", "gear_outline", "half_tooth", "inverse_involute", "involute",
    "loss_factor", "tooth_outline",
]  # fmt: skip
