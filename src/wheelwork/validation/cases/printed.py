"""Tables as they are printed."""

from __future__ import annotations

import numpy as np


def columns(text: str) -> np.ndarray:
    """Columns of a table of numbers, one array each.

    >>> columns("1 2\\n3 4")
    array([[1., 3.],
           [2., 4.]])
    """
    return np.array([line.split() for line in text.splitlines() if line.strip()], dtype=float).T


def same_times(found: np.ndarray, printed: np.ndarray) -> None:
    """Rows belong to instants; comparing others would mean nothing."""
    if found.shape != printed.shape or np.max(np.abs(found - printed)) > 1e-9:
        raise ValueError(f"values at {found} s cannot be compared with those at {printed} s")
