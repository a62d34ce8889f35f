"""Rigid teeth: the constraint of the mesh itself."""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.elements.meshes.teeth.base import ToothModel


class RigidTeeth(ToothModel):
    """The wheels roll on each other without slip: a constraint.

    Fields: none.
    """

    type: Literal["rigid"] = "rigid"
    needs_path: ClassVar[bool] = False
