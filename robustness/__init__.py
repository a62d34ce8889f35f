"""Mechanisms and model files that nobody thought of: made at random from a seed, run, and judged.

- :mod:`.mechanisms` makes mechanisms that fit together by construction: trees, loops, redundant joints, gears;
  in :mod:`.yielding` wheels give way, in :mod:`.elastic` their teeth.
- :mod:`.judging` runs one and says whether the run is sound, or the refusal true.
- :mod:`.controls` are motions and files with one right answer, so that a library spoilt altogether is noticed.
- :mod:`.comparing` runs one in several formulations, methods and engines, and compares every signal.
- :mod:`.routes` makes copies of one (:mod:`.copies`), runs it in pieces and as an FMU, and looks at its linear
  equations: all must agree.
- :mod:`.holding` makes drives that frictions hold, and compares when they give way with statics.
- :mod:`.mutations` spoils the text of good model files.
- :mod:`.fuzz` reads what is left of them: no traceback, no hang, no memory blow-up.

``./wheelwork-dev robustness`` does all of it and prints tables.
"""

from .comparing import Compared, Difference, compare
from .controls import Control, controls
from .fuzz import Spoilt, read_spoilt
from .judging import Judgement, judge, judge_in_all_ways
from .mechanisms import FAMILIES, random_mechanism

__all__ = [
    "FAMILIES",
    "Compared",
    "Control",
    "Difference",
    "Judgement",
    "Spoilt",
    "compare",
    "controls",
    "judge",
    "judge_in_all_ways",
    "random_mechanism",
    "read_spoilt",
]
