"""What one slice of one pair of flanks does."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from .touch import Touch


@dataclass(frozen=True)
class Grip:
    """What one slice of one pair does; forces on b.

    touch      as the laws see it
    elastic    elastic part of the normal force, transverse     N
    normal     normal force, transverse                         N
    friction   along tau                                        N
    sliding    speed of a against b along tau                   m/s
    w          distance from the middle of the face             m
    touches    whether it is within the path and pressed        1
    """

    touch: Touch
    elastic: ca.SX
    normal: ca.SX
    friction: ca.SX
    sliding: ca.SX
    w: ca.SX
    touches: ca.SX
