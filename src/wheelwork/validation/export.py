"""Outcomes as plain data, for JSON and for the page."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from wheelwork import __version__

from .case import Case
from .runner import CaseOutcome


def as_data(cases: Sequence[Case], outcomes: Sequence[CaseOutcome], complete: bool) -> dict[str, Any]:
    """The table: cases with source, refusals, and findings of each way."""
    done = {case.name: [outcome for outcome in outcomes if outcome.case is case] for case in cases}
    return {
        "wheelwork": __version__,
        "complete": complete,
        "passed": complete and all(outcome.passed for outcome in outcomes),
        "cases": [_case(case, done[case.name]) for case in cases if done[case.name]],
    }


def _case(case: Case, outcomes: Sequence[CaseOutcome]) -> dict[str, Any]:
    return {
        "name": case.name,
        "title": case.title,
        "source": case.source,
        "ways": [
            {
                "way": str(outcome.way),
                "formulation": outcome.way.formulation,
                "mesh": outcome.way.mesh,
                "passed": outcome.passed,
                "error": outcome.error,
                "findings": [
                    {
                        "quantity": f.quantity,
                        "unit": f.unit,
                        "reference": _number(f.reference),
                        "ours": _number(f.ours),
                        "error": _number(f.error),
                        "tolerance": _number(f.tolerance),
                        "origin": f.origin,
                        "count": f.count,
                        "passed": f.passed,
                    }
                    for f in outcome.findings
                ],
            }
            for outcome in outcomes
        ],
        "refusals": [{"way": str(refusal), "why": refusal.why} for refusal in case.refusals],
    }


def _number(value: float) -> float | None:
    """JSON knows neither infinity nor nan"""
    return value if isfinite(value) else None
