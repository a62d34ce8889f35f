"""Tooth contact: see :mod:`.model`."""

from .model import ContactTeeth

__all__ = ["ContactTeeth"]
