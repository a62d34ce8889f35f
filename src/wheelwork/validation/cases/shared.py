"""What cases share: tables as they are printed, and teeth of all three models."""

from __future__ import annotations

from typing import Any

import numpy as np

import wheelwork as ww
from wheelwork.validation.case import Way


def columns(text: str) -> np.ndarray:
    """Columns of a table of numbers, one array each.

    >>> columns("1 2\\n3 4")
    array([[1., 3.],
           [2., 4.]])
    """
    return np.array([line.split() for line in text.splitlines() if line.strip()], dtype=float).T


def same_times(found: np.ndarray, printed: np.ndarray) -> None:
    """Rows belong to instants; comparing others would mean nothing."""
    if found.shape != printed.shape or np.max(np.abs(found - printed)) > 1e-9:
        raise ValueError(f"values at {found} s cannot be compared with those at {printed} s")


# -- teeth of all three models for cases that were published with ideal gears: so stiff that the motion is the same


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
