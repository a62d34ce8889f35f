"""All cases, in the order of the table."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module

from wheelwork.problems import ModelError, Problem

from .case import Case

MODULES = (
    "iftomm",
    "andrews",
    "andrews_planar",
    "adams",
    "modelica_first",
    "modelica_gear_constraint",
    "modelica_backlash",
    "planar_planetary",
    "lin_parker",
    "shigley",
    "manipulator",
    "top",
    "slider_crank",
    "khk",
    "iso6336",
    "transmissions",
    "efficiencies",
)
"""Files in `cases`; each has a tuple CASES."""


@cache
def all_cases() -> tuple[Case, ...]:
    """Every case, loaded when first asked for."""
    return tuple(case for module in MODULES for case in import_module(f"{__package__}.cases.{module}").CASES)


def chosen(names: Sequence[str]) -> tuple[Case, ...]:
    """Cases whose names begin with one of these; all where none is given.

    A name that fits nothing is the user's mistake, with the nearest ones.
    """
    cases = all_cases()
    problems = []
    for name in names:
        if not any(case.name.startswith(name) for case in cases):
            near = get_close_matches(name, [case.name for case in cases], n=3, cutoff=0.3)
            hint = f"near ones: {', '.join(near)}; " if near else ""
            problems.append(
                Problem(f"there is no case `{name}`", path="--only", hint=f"{hint}`--list` shows all")
            )
    if problems:
        raise ModelError(problems)
    return tuple(case for case in cases if not names or case.name.startswith(tuple(names)))
