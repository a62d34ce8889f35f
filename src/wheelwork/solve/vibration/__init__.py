"""Vibration: modes, Campbell diagrams, frequency response, sweeps of speed and frequency."""

from .campbell import Campbell, Critical, campbell
from .mode import Mode
from .modes import Modes, modes

__all__ = ["Campbell", "Critical", "Mode", "Modes", "campbell", "modes"]
