"""Numbers of a mesh that both flanks need."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca


@dataclass(frozen=True)
class Numbers:
    """What a flank needs besides its section.

    pitch, lean      p_b, tan(beta_b) (0 for spur)
    width            of the face; 0 where it is not known
    modulus, poisson E*, nu
    part             w_a, of a in what the contact yields
    start, end       A, E of the given position
    slots, slices    m, and how many slices
    pairs            how many pairs of teeth may touch somewhere across the face
    helical          whether there is a helix
    """

    pitch: ca.SX
    lean: ca.SX
    width: ca.SX
    modulus: ca.SX
    poisson: ca.SX
    part: ca.SX
    start: ca.SX
    end: ca.SX
    slots: int
    slices: int
    pairs: int
    helical: bool
