"""The mechanism resolved, once: bodies and joints placed, meshes with their geometry and teeth, the gear train.

Equations, ratios, the report, pictures and the viewer read the same `Layout`; see `layout_of`.
"""

from .layout import JointUse, Layout, layout_of

__all__ = ["JointUse", "Layout", "layout_of"]
