"""Worm a and wheel b.

The crossed helical pair with few, steep teeth on a: with lead angle gamma at the pitch radius, beta_a = 90 deg - gamma,
and for axes at a right angle beta_b = gamma, of the same hand. Equations, numbers and forces are those of
:mod:`.crossed`; F_t is the tangential force of the wheel, which is the axial force of the worm.

The wheel of a real worm drive is throated and touches along lines. The motion it gives, and the force at the pitch
point, are the same.
"""

from __future__ import annotations

from .crossed import Crossed


class Worm(Crossed):
    type = "worm"
