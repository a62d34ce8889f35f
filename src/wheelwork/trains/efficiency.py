"""Efficiency of a whole train in either direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wheelwork.problems import ModelError, Problem

from .graph import TrainGraph
from .speeds import speeds
from .torques import torques


@dataclass(frozen=True)
class Efficiency:
    """Of a train between two bodies or joints.

    ratio: speed of the input over speed of the output
    forward: power out over power in when the input drives; 0 where the train locks itself
    backward: the same when the output drives
    """

    ratio: float
    forward: float
    backward: float

    @property
    def locks_itself(self) -> bool:
        """The output cannot drive the input."""
        return self.backward == 0


def efficiency(graph: TrainGraph, driver: str, driven: str, held: Sequence[str] = ()) -> Efficiency:
    """Efficiency from a driver to a driven body or joint, and back, from those of the meshes; `held` stand still."""
    found = speeds(graph, {driver: 1}, held)
    speed = found.of(driven)
    if speed is None or speed == 0:
        what = "stands still" if speed == 0 else "is not driven"
        text = f"has no efficiency from `{driver}`: it {what}"
        raise ModelError([Problem(text, path=driven)])
    # A load against the motion, then one along it: the input then brakes.
    against = -1.0 if speed > 0 else 1.0
    both = []
    for load in (against, -against):
        try:
            both.append(torques(found, {driven: load}).efficiency or 0.0)
        except ModelError as error:
            if "locks itself" not in str(error):
                raise
            both.append(0.0)
    return Efficiency(1 / float(speed), both[0], both[1])
