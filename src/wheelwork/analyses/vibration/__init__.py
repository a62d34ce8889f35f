"""Vibration: modes, Campbell diagrams, frequency response, sweeps of speed and frequency."""

from .campbell import Campbell, Critical, campbell
from .mode import Mode
from .modes import Modes, modes
from .response import FrequencyResponse, frequency_response
from .sweep import sweep
from .sweep_measures import ContactLoss
from .sweep_result import Jump, Sweep

__all__ = [
    "Campbell",
    "ContactLoss",
    "Critical",
    "FrequencyResponse",
    "Jump",
    "Mode",
    "Modes",
    "Sweep",
    "campbell",
    "frequency_response",
    "modes",
    "sweep",
]
