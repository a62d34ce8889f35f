"""Vibration: modes, Campbell diagrams, frequency response, sweeps of speed and frequency."""

# ruff: noqa: F401
from .campbell import Campbell, Critical, campbell
from .mode import Mode
from .modes import Modes, modes
from .response import FrequencyResponse, frequency_response
from .stability import Stability, Zone, stability
from .sweep import sweep
from .sweep_result import ContactLoss, Jump, Sweep
