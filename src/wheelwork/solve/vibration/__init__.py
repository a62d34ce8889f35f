"""Vibration: modes, Campbell diagrams, frequency response, sweeps of speed and frequency."""

from .campbell import Campbell, Critical, campbell
from .mode import Mode
from .modes import Modes, modes
from .sweep import sweep
from .sweep_result import Jump, Sweep

__all__ = ["Campbell", "Critical", "Jump", "Mode", "Modes", "Sweep", "campbell", "modes", "sweep"]
