"""What a mechanism looks like: solids fixed to bodies, lines between them, and where they are at each moment.

Shared by the report, the viewer and the exporters; it imports the layers before it (model, gears, equations) only.
"""

from .arrows import Arrows, arrows
from .builder import make_scene
from .movers import movers_of
from .scene import COLORS, GROUND, STEEL, Label, Line, Scene, ScenePart, upright
from .solids import Solid
from .triangles import Triangles

__all__ = [
    "COLORS", "GROUND", "STEEL", "Arrows", "Label", "Line", "Scene", "ScenePart", "Solid", "Triangles", "arrows",
    "make_scene", "movers_of", "upright",
]  # fmt: skip
