"""The mechanism resolved, once: bodies and joints placed, meshes with their geometry and teeth, the gear train.

Equations, ratios, the report, pictures and the viewer read the same `Layout`; see `layout_of`.
"""

from typing import TYPE_CHECKING

from wheelwork.lazy import names_of

if TYPE_CHECKING:
    from .layout import Layout, layout_of

__all__ = ["Layout", "layout_of"]

# meshes describe themselves with what is in `layout.meshes`, and must not wait for what the layout itself needs
__getattr__ = names_of(__name__, {"layout": __all__})
