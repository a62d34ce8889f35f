"""Compliance of the contact itself: two cylinders pressed together.

Linear (Yang & Sun 1985): with the width of the contact taken out, both teeth together

    delta_H = 4 (1 - nu^2) F / (pi E b)

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

from .material import Material


def yang_sun(material: Material) -> float:
    """Contact compliance of a pair of teeth for unit face width, 4 (1 - nu^2)/(pi E) [m^2/N]."""
    return 4 / (np.pi * material.plane_strain_modulus)


def half_width(force: Any, curvature: Any, material: Material) -> Any:
    """Hertz's half width a [m] of the strip of contact.

    force: per unit face width [N/m]
    curvature: rho_red [m]
    """
    return np.sqrt(8 * force * curvature / (np.pi * material.plane_strain_modulus))


def weber(force: Any, curvature: Any, depths: tuple[Any, Any], material: Material) -> Any:
    """Approach [m] of the two teeth from contact alone.

    force: per unit face width [N/m], greater than zero
    curvature: rho_red [m]
    depths: t_1, t_2 [m]
    """
    nu = material.poisson_ratio
    a = half_width(force, curvature, material)
    # The formula is for depths beyond the strip; a tip thinner than that is taken as deep as the strip is wide.
    logs = sum(np.log(2 * np.maximum(depth / a, 1.0)) for depth in depths)
    return 2 * force / (np.pi * material.plane_strain_modulus) * (logs - nu / (1 - nu))
