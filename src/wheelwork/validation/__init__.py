"""Values that others have published, and what Wheelwork finds: the cases behind `wheelwork validate`.

A `Case` has a source and the ways in which it can be run: formulation, mesh model. Running it in one way gives
`Finding`s, each a quantity with the reference, our value, the tolerance and where the tolerance comes from. `catalogue`
lists the cases; the tests in tests/literature assert the same findings.
"""

from .case import FORMULATIONS, MESH_MODELS, Case, Refusal, Way
from .finding import Comparison, compare
from .runner import CaseOutcome, all_cases, chosen, run_case, run_cases

__all__ = [
    "FORMULATIONS", "MESH_MODELS", "Case", "CaseOutcome", "Comparison", "Refusal", "Way", "all_cases", "chosen",
    "compare", "run_case", "run_cases",
]  # fmt: skip
