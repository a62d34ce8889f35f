"""The analyses a user names."""

from .assemble import Assembled, Misfit, assemble
from .check import CheckReport, check
from .simulate import simulate

__all__ = ["Assembled", "CheckReport", "Misfit", "assemble", "check", "simulate"]
