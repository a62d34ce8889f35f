"""A slice of a pair of flanks, as the laws of contact see it, and what they make of it."""

from __future__ import annotations

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass


@dataclass(frozen=True)
class ContactSlice:
    """A slice of a pair of flanks; lengths in the transverse section.

    gap           how much later than the wheels as a whole it comes to touch         m
    depth         h, not negative                                                     m
    rate          h' of the wheels                                                    m/s
    place         s, from the foot of the line of action on a's base circle           m
    along         where that is on the path of the given position: -1 at A, 1 at E    1
    covered       part of the face that this slice is, as far as it touches; laws are
                  those of the whole face, and whoever sums the slices takes it in    1
    width         face width                                                          m
    sum_radius    |rho_a + rho_b|, for a ring |rho_a - rho_b|; None for a rack        m
    radius        reduced radius of curvature                                         m
    pitch         base pitch                                                          m
    modulus       E* of the two flanks together; E/(2 (1 - nu^2)) for one material    Pa
    poisson       nu                                                                  1
    part          w_a, of a in the deformation of the contact: 1/2 for one material   1
    cos_helix     cos(beta_b)                                                         1
    """

    gap: ca.SX
    depth: ca.SX
    rate: ca.SX
    place: ca.SX
    along: ca.SX
    covered: ca.SX
    width: ca.SX
    sum_radius: ca.SX | None
    radius: ca.SX
    pitch: ca.SX
    modulus: ca.SX
    poisson: ca.SX
    part: ca.SX
    cos_helix: ca.SX


@dataclass(frozen=True)
class SliceForces:
    """What one slice of one pair does; forces on b.

    slice      as the laws see it
    elastic    elastic part of the normal force, transverse     N
    normal     normal force, transverse                         N
    friction   along tau                                        N
    sliding    speed of a against b along tau                   m/s
    w          distance from the middle of the face             m
    touches    whether it is within the path and pressed        1
    """

    slice: ContactSlice
    elastic: ca.SX
    normal: ca.SX
    friction: ca.SX
    sliding: ca.SX
    w: ca.SX
    touches: ca.SX
