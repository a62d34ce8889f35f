"""One random mechanism: run it, and say whether what came out is sound.

A run is sound when it gets to its end with constraint residuals below 1e-8 (m or rad), all numbers finite, the energy
balance closed to 1e-4 of the energies in it, and nobody but Wheelwork warns; one without freedoms stands still. How a
mechanism was made tells whether it can be put together: a refusal is true where it cannot, and wrong where it can.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, replace

import numpy as np

from wheelwork.description import ModelError
from wheelwork.mechanism import Mechanism

from .comparing import WAYS, compare
from .mechanisms import FAMILIES, random_mechanism
from .routes import judge_by_second_routes

RESIDUAL = 1e-8  # m or rad
ENERGY = 1e-4  # of the largest energy
END = 0.3  # s
COMPARED = 0.05  # s
OUTPUT = 240
"""Outputs between which powers are summed up: some 15 in a period of the stiffest mounts, of 50 Hz."""
SHORT = {"elastic": (0.004, 0.004, 2400)}
"""END, COMPARED and OUTPUT of families that move faster: teeth of steel swing at some kHz, and strike."""
PICTURED = 50
"""Of so many mechanisms one of each family has the film and the plots of its report made; all have the rest."""


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


def judge(seed: int, end: float | None = None, *, of: str | None = None, **options: object) -> Judgement:
    """Make mechanism number `seed`, run it, look at it; nothing that it does ends in an exception. `of`: a family."""
    family, m, possible = random_mechanism(seed) if of is None else random_mechanism(seed, of)
    try:
        judged = _judge(seed, family, m, end, options)
    except Exception as error:
        return Judgement(seed, family, "wrong", f"{type(error).__name__}: {error}")
    if judged.verdict == "refused" and possible:
        return replace(judged, verdict="wrong", words=f"refused though it fits: {judged.words}")
    if judged.verdict == "ran" and not possible:
        return replace(judged, verdict="wrong", words="ran though it cannot be put together")
    return judged


def judge_in_all_ways(seed: int, of: str | None = None) -> Judgement:
    """Judge mechanism number `seed`, then run it in every formulation, method and engine, and by second routes.

    All must agree.
    """
    judged = judge(seed, of=of)
    if judged.verdict != "ran":
        return judged
    m = random_mechanism(seed, of)[1]
    try:
        compared = SHORT.get(judged.family, (END, COMPARED, OUTPUT))[1]
        words = (
            in_all_ways(m, compared)
            or "; ".join(list(judge_by_second_routes(seed, of, compared))[:3])
            or _reported(m, pictures=seed % PICTURED < len(FAMILIES))
        )
    except Exception as error:
        words = f"{type(error).__name__}: {error}"
    return replace(judged, verdict="wrong", words=words) if words else judged


def in_all_ways(m: Mechanism, end: float = COMPARED) -> str:
    """Where formulations, methods and engines differ, in words."""
    return "; ".join(compare(m, WAYS, end=end).wrong[:3])


def _reported(m: Mechanism, pictures: bool = True) -> str:
    """What is wrong with the report of a run, in words."""
    from wheelwork.show.report import report_page
    from wheelwork.show.report.html import FAILED

    page = report_page(m.simulate(end=0.02, output=20, progress=False), pictures)
    failed = re.search(re.escape(FAILED) + r"[^<]*", page)
    return "" if failed is None else f"its report: {failed[0]}"


def _judge(seed: int, family: str, m: Mechanism, end: float | None, options: dict[str, object]) -> Judgement:
    usual, _, output = SHORT.get(family, (END, COMPARED, OUTPUT))
    try:
        freedoms = m.check().freedoms_by_rank
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            r = m.simulate(end=end or usual, output=output, progress=False, **options)
    except ModelError as refusal:
        return Judgement(seed, family, "refused", str(refusal))
    balance = r.energy_balance()
    residual = float(r.statistics.worst_residual)
    scale = max(balance.scale, 1e-6)
    drift = float(np.max(np.abs(balance.remainder))) / scale
    faults = [
        f"{w.category.__name__}: {w.message}"
        for w in warned
        if not w.category.__module__.startswith("wheelwork")
    ]
    if not r.outcome.good:
        faults.append(r.report)
    if not residual < RESIDUAL:
        faults.append(f"residual {residual:.1e}")
    if not drift < ENERGY:
        faults.append(f"energy balance open by {drift:.1e}")
    if freedoms == 0 and scale > 1e-5:
        faults.append(f"moves ({scale:.1e} J) though it has no freedom")
    return Judgement(seed, family, "wrong" if faults else "ran", "; ".join(faults), residual, drift)
