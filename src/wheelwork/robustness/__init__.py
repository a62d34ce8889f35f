"""Mechanisms and model files that nobody thought of: made at random from a seed, run, and judged.

- :mod:`.mechanisms` makes mechanisms that fit together by construction: trees, loops, redundant joints, gears.
- :mod:`.judge` runs one and says whether the run is sound, or the refusal true.
- :mod:`.mutations` spoils the text of good model files.

``wheelwork validate --robustness`` runs both and prints a table.
"""

from .judge import Judgement, judge
from .mechanisms import FAMILIES, random_mechanism

__all__ = ["FAMILIES", "Judgement", "judge", "random_mechanism"]
