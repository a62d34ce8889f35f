"""One random mechanism: run it, and say whether what came out is sound.

A run is sound when it gets to its end with constraint residuals below 1e-8 (m or rad), all numbers finite, and the
energy balance closed to 1e-4 of the energies in it; one without freedoms stands still. How a mechanism was made tells
whether it can be put together: a refusal is true where it cannot, and wrong where it can.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np

from wheelwork.mechanism import Mechanism
from wheelwork.model import ModelError

from .mechanisms import random_mechanism

RESIDUAL = 1e-8  # m or rad
ENERGY = 1e-4  # of the largest energy
END = 0.3  # s


@dataclass(frozen=True)
class Judgement:
    """What became of one mechanism.

    seed, family: which it is
    verdict: `ran`, `refused` or `wrong`
    words: of the refusal, or of what is wrong
    residual [m or rad], drift [1]: the largest residual; what the energy balance leaves open, over the largest energy
    """

    seed: int
    family: str
    verdict: str
    words: str = ""
    residual: float = 0.0
    drift: float = 0.0


def judge(seed: int, end: float = END, **options: object) -> Judgement:
    """Make mechanism number `seed`, run it, look at it; nothing that it does ends in an exception."""
    family, m, possible = random_mechanism(seed)
    try:
        judged = _judge(seed, family, m, end, options)
    except Exception as error:
        return Judgement(seed, family, "wrong", f"{type(error).__name__}: {error}")
    if judged.verdict == "refused" and possible:
        return replace(judged, verdict="wrong", words=f"refused though it fits: {judged.words}")
    if judged.verdict == "ran" and not possible:
        return replace(judged, verdict="wrong", words="ran though it cannot be put together")
    return judged


def _judge(seed: int, family: str, m: Mechanism, end: float, options: dict[str, object]) -> Judgement:
    try:
        freedoms = m.check().freedoms_by_rank
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            r = m.simulate(end=end, output=60, progress=False, **options)
    except ModelError as refusal:
        return Judgement(seed, family, "refused", str(refusal))
    balance = r.energy_balance()
    residual = float(r.statistics.worst_residual)
    scale = max(balance.scale, 1e-6)
    drift = float(np.max(np.abs(balance.remainder))) / scale
    faults = []
    if not r.outcome.good:
        faults.append(r.report)
    if not residual < RESIDUAL:
        faults.append(f"residual {residual:.1e}")
    if not drift < ENERGY:
        faults.append(f"energy balance open by {drift:.1e}")
    if freedoms == 0 and scale > 1e-5:
        faults.append(f"moves ({scale:.1e} J) though it has no freedom")
    return Judgement(seed, family, "wrong" if faults else "ran", "; ".join(faults), residual, drift)
