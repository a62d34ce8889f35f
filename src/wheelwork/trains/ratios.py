"""Ratios of meshes, from one body to another, of a planetary train in all its modes (Bai (2.1)-(2.7)); efficiency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from wheelwork.problems import ModelError

from .carriers import Circuit
from .graph import TrainGraph
from .speeds import speeds
from .torques import torques


def gear_ratio(circuit: Circuit) -> Fraction:
    """GR = N_b/N_a, teeth of the driven over teeth of the driver (Bai (2.1)), without a sign."""
    return circuit.gear.sizes[1] / circuit.gear.sizes[0]


def velocity_ratio(circuit: Circuit) -> Fraction:
    """VR = omega_a/omega_b against the carrier (Bai (2.2), (2.4)), with its sign about the directions of the joints."""
    return 1 / circuit.ratio


def train_ratio(graph: TrainGraph, driver: str, driven: str, held: Sequence[str] = ()) -> Fraction:
    """TR = omega_in/omega_out of two bodies or joints (Bai (2.5)), also with a moving carrier (2.7)."""
    speed = speeds(graph, {driver: 1}, held).of(driven)
    if speed is None:
        raise ModelError(f"is not driven by `{driver}` alone", path=driven, hint="hold one more body")
    if speed == 0:
        raise ModelError(f"stands still, whatever `{driver}` does", path=driven)
    return 1 / speed


@dataclass(frozen=True)
class DriveMode:
    """One way to use a train of two freedoms: `held` stands still, `ratio` = speed of `driver` / speed of `driven`."""

    held: str
    driver: str
    driven: str
    ratio: Fraction


def central_links(graph: TrainGraph) -> list[str]:
    """Moving links that turn about an axis of the base and can be coupled to the outside."""
    return [link for link in graph.moving if graph.level[link] == 1]


def modes(graph: TrainGraph) -> list[DriveMode]:
    """All ways to hold one central link of a train of two freedoms and drive another; faster to slower only."""
    found: list[DriveMode] = []
    if len(graph.rates) - len(graph.solved.rows) != 2:
        return found
    for held, driver, driven in permutations(central_links(graph), 3):
        try:
            ratio = train_ratio(graph, driver, driven, [held])
        except ModelError:
            continue
        if abs(ratio) > 1 or (abs(ratio) == 1 and graph.moving.index(driver) < graph.moving.index(driven)):
            found.append(DriveMode(held, driver, driven, ratio))
    return found


# -- efficiency of a whole train in either direction


@dataclass(frozen=True)
class Efficiency:
    """Of a train between two bodies or joints.

    ratio: speed of the input over speed of the output
    forward: power out over power in when the input drives; 0 where the train is self-locking
    backward: the same when the output drives
    """

    ratio: float
    forward: float
    backward: float

    @property
    def locks_itself(self) -> bool:
        """The output cannot drive the input."""
        return self.backward == 0


def efficiency(
    graph: TrainGraph, driver: str, driven: str, held: Sequence[str] = (), load: float = 1.0
) -> Efficiency:
    """Efficiency from a driver to a driven body or joint, and back, from those of the meshes; `held` stand still.

    load [N m]: on the driven body, its size, which matters to ratios with a table over load or a no-load torque
    """
    found = speeds(graph, {driver: 1}, held)
    speed = found.of(driven)
    if speed is None or speed == 0:
        what = "stands still" if speed == 0 else "is not driven"
        text = f"has no efficiency from `{driver}`: it {what}"
        raise ModelError(text, path=driven)
    # A load against the motion, then one along it: the input then brakes.
    against = -abs(load) if speed > 0 else abs(load)
    both = []
    for torque in (against, -against):
        try:
            both.append(torques(found, {driven: torque}).efficiency or 0.0)
        except ModelError as error:
            if "self-locking" not in str(error):
                raise
            both.append(0.0)
    return Efficiency(1 / float(speed), both[0], both[1])
