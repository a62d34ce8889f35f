"""Compliance of the contact itself: two cylinders pressed together.

Linear (Yang & Sun 1985): with the width of the contact taken out, both teeth together

    delta_H = 2 F / (pi b) ((1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2)

Weber's (Weber & Banaschek 1953; Johnson, Contact Mechanics, 1985, eq. 5.57): the strain under Hertz's pressure on a
strip of half width a, summed from the surface down to the depth t at which the tooth is taken as rigid (its middle
line):

    a^2 = 4 F rho_red / (pi b) ((1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2)
    delta_i = 2 F (1 - nu_i^2) / (pi E_i b) (ln(2 t_i/a) - nu_i / (2 (1 - nu_i)))

in plane strain. It grows a little less than in proportion to the force, as the strip widens.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .material import Materials, contact_modulus, of_wheels


def yang_sun(materials: Materials) -> float:
    """Contact compliance of a pair of teeth for unit face width [m^2/N]; 4 (1 - nu^2)/(pi E) for one material."""
    return 2 / (np.pi * contact_modulus(materials))


def half_width(force: Any, curvature: Any, materials: Materials) -> Any:
    """Hertz's half width a [m] of the strip of contact.

    force: per unit face width [N/m]
    curvature: rho_red [m]
    """
    return np.sqrt(4 * force * curvature / (np.pi * contact_modulus(materials)))


def weber(force: Any, curvature: Any, depths: tuple[Any, Any], materials: Materials) -> Any:
    """Approach [m] of the two teeth from contact alone.

    force: per unit face width [N/m], greater than zero
    curvature: rho_red [m]
    depths: t_1, t_2 [m]
    """
    a = half_width(force, curvature, materials)
    total = 0.0
    for depth, material in zip(depths, of_wheels(materials), strict=True):
        nu = material.poisson_ratio
        # The formula is for depths beyond the strip; a tip thinner than that is taken as deep as the strip is wide.
        deep = np.log(2 * np.maximum(depth / a, 1.0)) - nu / (2 * (1 - nu))
        total = total + 2 * force / (np.pi * material.plane_strain_modulus) * deep
    return total
