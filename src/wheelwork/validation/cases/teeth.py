"""Teeth of all three models for cases that were published with ideal gears: so stiff that the motion is the same."""

from __future__ import annotations

from typing import Any

import wheelwork as ww

from ..case import Way


def teeth(mesh: str, stiffness: float, damping: float, flank: str = "front") -> Any:
    """Model of a mesh from the name of a way.

    stiffness [N/m]: of the whole mesh where teeth are `compliant` (and stuck to each other: gears without backlash), of
        each pair of teeth where they are in `contact`
    damping [N s/m]: along the line of action
    flank: of the compliant mesh
    """
    if mesh == "compliant":
        return ww.CompliantTeeth(stiffness=stiffness, damping=damping, law="linear", flank=flank)
    if mesh == "contact":
        depth = 1.0 / stiffness  # that of 1 N
        elastic = {"type": "linear", "stiffness": stiffness}
        viscous = {"type": "ramp", "damping": damping, "depth": depth}
        return ww.ContactTeeth(elastic=elastic, viscous=viscous)
    return ww.RigidTeeth()


RINGING = "a pair of teeth that comes or goes sets the wheels ringing: F/k sqrt(k/m)"


def ringing(way: Way, force: float, stiffness: float, mass: float) -> float:
    """Speed [m/s] along the line of action that two wheels get when the deflection F/k of a pair is suddenly let go.

    Teeth in contact do that whenever a pair enters or leaves; of the other models it is zero.

    force [N]: of the mesh
    stiffness [N/m]: of a pair of teeth
    mass [kg]: of the lighter wheel, I/r^2
    """
    return force / (stiffness * mass) ** 0.5 if way.mesh == "contact" else 0.0
