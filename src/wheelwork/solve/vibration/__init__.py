"""Vibration: modes, Campbell diagrams, frequency response, sweeps of speed and frequency."""

from .mode import Mode
from .modes import Modes, modes

__all__ = ["Mode", "Modes", "modes"]
