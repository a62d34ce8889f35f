"""Models of teeth that are forces in place of the mesh's constraint, one file each, and their registry."""

from __future__ import annotations

from .base import MeshForce, MeshView
from .compliant import CompliantTeeth
from .contact import ContactTeeth

MESH_MODELS: dict[str, MeshForce] = {model.type: model() for model in (CompliantTeeth, ContactTeeth)}
"""Equations by the type name of the description's `model`; `rigid` is the constraint itself."""

__all__ = ["MESH_MODELS", "MeshForce", "MeshView"]
