"""What teeth are made of."""

from __future__ import annotations

from wheelwork.lazy import dataclass


@dataclass(frozen=True)
class Material:
    """Linear elastic material.

    youngs_modulus: E [Pa]
    poisson_ratio: nu
    """

    youngs_modulus: float = 206e9
    poisson_ratio: float = 0.3

    @property
    def shear_modulus(self) -> float:
        """G = E / (2 (1 + nu)) [Pa]"""
        return self.youngs_modulus / (2 * (1 + self.poisson_ratio))

    @property
    def plane_strain_modulus(self) -> float:
        """E / (1 - nu^2) [Pa]: of a plate that cannot contract sideways; Bai calls it the effective modulus E_e"""
        return self.youngs_modulus / (1 - self.poisson_ratio**2)


STEEL = Material()
Materials = Material | tuple[Material, Material]
"""Of both wheels, or of wheel a and wheel b."""


def of_wheels(materials: Materials) -> tuple[Material, Material]:
    """Of wheel a and wheel b."""
    return (materials, materials) if isinstance(materials, Material) else materials


def contact_modulus(materials: Materials) -> float:
    """E* [Pa] of two bodies that touch: 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b"""
    return 1 / sum(1 / material.plane_strain_modulus for material in of_wheels(materials))
