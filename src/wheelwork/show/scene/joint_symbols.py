"""Symbols of joints as solids, by the names that joints give them in `symbol`.

A symbol is in the joint's frame on one side: z along its axis, or at a right angle to its plane.
"""

from __future__ import annotations

from collections.abc import Callable

from .solids import Solid, box, cylinder, sphere

SYMBOLS: dict[str, Callable[[float], Solid]] = {
    "pin": lambda thin: cylinder(1.5 * thin, 3.4 * thin, 14, toned=False),
    "rail": lambda thin: cylinder(0.45 * thin, 12 * thin, 8, toned=False),
    "slider": lambda thin: box((2.6 * thin, 2.6 * thin, 4 * thin)),
    "plate": lambda thin: box((8 * thin, 8 * thin, 0.4 * thin)),
    "disc": lambda thin: cylinder(1.5 * thin, thin, 14, toned=False).placed((0, 0, 0.7 * thin)),
    "arm": lambda thin: cylinder(0.6 * thin, 5 * thin, 10, toned=False),
    "ball": lambda thin: sphere(1.3 * thin, 10, toned=False),
}
"""Made with the thickness of bars [m]."""
