"""Followed parameters in a program: which constraints have them, and the splines on which they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wheelwork.lazy import dataclass

if TYPE_CHECKING:
    from wheelwork.equations.cams.spline import Spline

    from .cams import CamKernel


@dataclass(frozen=True)
class FollowUse:
    """The curve parameters of one constraint; in the state they come after the counted angles."""

    name: str
    constraint: int
    """The constraint, whose `turn` is the first of them."""
    first: int
    """The first of them among all followed parameters."""
    kernel: CamKernel
    labels: tuple[str, ...]
    """A word for each of them."""

    @property
    def count(self) -> int:
        return len(self.labels)


@dataclass(frozen=True)
class CurveUse:
    """A spline of which the piece at a followed parameter is an input of kernels."""

    parameter: int
    """Among all followed parameters."""
    input: int
    """First of three input slots: nine numbers, see :meth:`~wheelwork.equations.cams.spline.Spline.piece`."""
    spline: Spline
