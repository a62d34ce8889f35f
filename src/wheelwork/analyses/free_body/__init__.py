"""Free-body balances of links, for constraint forces without the equations of the whole mechanism."""

# ruff: noqa: F401
from __future__ import annotations

from .balance import Balance
