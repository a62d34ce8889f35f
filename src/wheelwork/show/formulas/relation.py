"""Ratios and couplers as they are printed: the sum of their coordinates, and what these are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.system.uses import PER_TERM

from .blocks import Block, Lines, Paragraph, number
from .notation import GAMMA, LAMBDA, NU, PHI, numbered
from .vectors import formula, symbol

if TYPE_CHECKING:
    from .constraint import ConstraintEquations


def relation(entry: ConstraintEquations, kernel: Any) -> Iterator[Block]:
    """Phi, its rates, and the efforts, with the numbers of the relation."""
    data = entry.numbers_of_use
    row = entry.first_row + 1
    names = [f"theta_{k}" if t.coordinate == "angle" else f"way_{k}" for k, t in enumerate(kernel.terms, 1)]
    factors = [float(data[PER_TERM * (k + 1) - 1]) for k in range(len(names))]
    if not kernel.holonomic:
        text = f"{names[0]}' - ratio {names[1]}'"
        yield Lines(
            ((numbered(PHI, row), ("no equation of positions",)), (NU, (formula(text).math(), " = 0"))),
        )
        efforts = ["-1", "ratio"]
    else:
        offset = float(data[kernel.offset])
        text = _sum([*zip(factors, names, strict=True)], "") + (f" - {offset:g}" if offset > 0 else "")
        text += f" + {-offset:g}" if offset < 0 else ""
        for k, order in enumerate(kernel.orders):
            amplitude, phase = data[kernel.offset + 1 + 2 * k :][:2]
            text += f" - {amplitude:g} sin({order} {names[0]}{f' + {phase:g}' if phase else ''})"
        rates = _sum([*zip(factors, names, strict=True)], "'")
        if kernel.orders:
            rates += f" - slope {names[0]}'"
        yield Lines(
            (
                (numbered(PHI, row), (formula(text).math(), " = 0")),
                (NU, (number(0.0), ", as ", formula(rates).math(), " = 0")),
                (numbered(GAMMA, row), ("the sum of those of the coordinates, with the same factors",)),
            )
        )
        efforts = [f"{-factor:g}" for factor in factors]
        if kernel.orders:
            efforts[0] += " (and the slope of the error)"
    bodies = entry.bodies
    pieces: list[Any] = []
    for name, term, effort in zip(names, kernel.terms, efforts, strict=True):
        word = "angle" if term.coordinate == "angle" else "way"
        pieces += [
            "; " if pieces else "",
            symbol(name),
            f": {word} of {bodies[term.b]} against {bodies[term.a]}, along which it gives {effort} ",
            numbered(LAMBDA, row),
        ]
    yield Paragraph((*pieces, "."))


def _sum(terms: list[tuple[float, str]], dots: str) -> str:
    out = ""
    for factor, name in terms:
        size = "" if np.isclose(abs(factor), 1.0, rtol=1e-15) else f"{abs(factor):g} "
        sign = "-" if factor < 0 else "+"
        out += f" {sign} {size}{name}{dots}" if out else f"{'-' if factor < 0 else ''}{size}{name}{dots}"
    return out
