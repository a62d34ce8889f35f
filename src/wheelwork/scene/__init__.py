"""What a mechanism looks like: solids fixed to bodies, lines between them, and where they are at each moment.

Shared by the report, the viewer and the exporters; it imports the layers before it (model, gears, equations) only.
"""

from .scene import GROUND, Line, Part, Scene, make_scene, upright
from .solids import Solid

__all__ = ["GROUND", "Line", "Part", "Scene", "Solid", "make_scene", "upright"]
