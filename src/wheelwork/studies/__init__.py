"""Studies: many variants of one mechanism, with measures of each."""

from __future__ import annotations

from .indices import indices
from .store import load_study
from .study import Study, StudyWarning
from .variation import Variants, read_table

__all__ = ["Study", "StudyWarning", "Variants", "indices", "load_study", "read_table"]
