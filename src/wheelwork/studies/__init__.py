"""Studies: many variants of one mechanism, with measures of each."""

from __future__ import annotations

from .study import Study
from .variation import Variants, read_table

__all__ = ["Study", "Variants", "read_table"]
