"""Free-body balances of links, for constraint forces without the equations of the whole mechanism."""

from __future__ import annotations

from .balance import Balance

__all__ = ["Balance"]
