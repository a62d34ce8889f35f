"""Equations of mechanisms on paper: formulas as text, LaTeX and MathML, and the numbers that belong to them."""

from __future__ import annotations

from .constraint import ConstraintEquations, Quantities
from .equations import Equations, SystemQuantities
from .formulas import Expression, Formulas
from .load import BodyEquations, LoadEquations

__all__ = [
    "BodyEquations", "ConstraintEquations", "Equations", "Expression", "Formulas", "LoadEquations", "Quantities",
    "SystemQuantities",
]  # fmt: skip
