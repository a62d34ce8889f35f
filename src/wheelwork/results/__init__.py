"""Labelled results of analyses: signals by name, values between output times, files and tables."""

from wheelwork.system.unknown_signal import UnknownSignal

from .provenance import KeptReport, Provenance
from .result import Result, load_result

__all__ = ["KeptReport", "Provenance", "Result", "UnknownSignal", "load_result"]
