"""Engineering prefixes: axes say 40 µm and 2.5 kN instead of 4e-05 m and 2500 N."""

from __future__ import annotations

from math import floor, log10
from typing import Any

import numpy as np

PREFIXES = {-15: "f", -12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G"}
UPWARD = frozenset({"N", "W", "J", "Pa", "Hz", "V"})
"""Units that have prefixes for large numbers, too: nobody says kilosecond or kiloradian."""
DOWNWARD = UPWARD | {"m", "s", "rad", "A"}
PLAIN = 0.1, 1e4
"""Between these no prefix is needed."""


def choose_prefix(unit: str, largest: float) -> tuple[float, str]:
    """The unit with a prefix that suits numbers up to `largest`, and the factor that such numbers have in it.

    >>> choose_prefix("m", 4e-5)
    (1000000.0, 'µm')
    >>> choose_prefix("N m", 25e3)
    (0.001, 'kN m')
    >>> choose_prefix("kg", 4e-5)
    (1.0, 'kg')
    """
    head = unit.split("/")[0].split(" ")[0]
    if head not in DOWNWARD or not np.isfinite(largest) or largest <= 0 or PLAIN[0] <= largest < PLAIN[1]:
        return 1.0, unit
    power = 3 * floor(log10(largest) / 3 + 1e-9)
    power = min(max(power, min(PREFIXES)), max(PREFIXES) if head in UPWARD else 0)
    return 10.0**-power, PREFIXES[power] + unit


def spell_unit(unit: str) -> str:
    """A unit as figures show it: N m/rad² for `N*m/rad^2`."""
    return unit.replace("*", " ").replace("^2", "²").replace("^3", "³")


def prefix_axis(axis: Any, name: str, unit: str) -> None:
    """Label an axis of a finished plot, and write its numbers with the prefix that suits them; zeros have none."""
    ends = axis.get_view_interval() if np.any(axis.get_data_interval()) else (0.0,)
    factor, shown = choose_prefix(unit, float(np.max(np.abs(ends))))
    if factor != 1:
        axis.set_major_formatter(lambda value, _: f"{value * factor:.6g}".replace("-", "−"))
    axis.set_label_text(with_unit(name, shown))


def with_unit(name: str, unit: str) -> str:
    """A label such as `speed [m/s²]`; a pure number has none."""
    return f"{name} [{spell_unit(unit)}]".strip() if unit not in ("", "1") else name
