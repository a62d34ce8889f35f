"""The rows of a program's tables: what each element of a mechanism is there.

Names of bodies and elements appear here only as labels. Body index -1 is ground.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.equations.cams.spline import cubic
from wheelwork.equations.frames import MARKER_RECORD
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

if TYPE_CHECKING:
    from wheelwork.equations.cams.spline import Spline
    from wheelwork.layout.meshes import MeshGeometry

    from .cams import CamKernel
    from .force_kernels import ForceKernel
    from .kernels import ConstraintKernel
    from .mesh_kernels import MeshKernel


PER_TERM = 2 * MARKER_RECORD + 1
"""Numbers of a coordinate in a relation: its markers, and its factor."""


class ConstraintKind(IntEnum):
    """Kinds of constraint."""

    BILATERAL = 0
    FRICTION = 1
    """Holds the rate of a joint coordinate while the joint sticks."""
    CONTACT = 2
    """Holds a gap at zero while a contact lasts."""


@dataclass(frozen=True)
class ConstraintUse:
    """One constraint of the mechanism."""

    name: str
    label: str
    kernel: ConstraintKernel
    bodies: tuple[int, ...]
    """Those it touches, -1: ground; of joints and meshes a and b."""
    data: int
    first_row: int
    input: int = -1
    turns: tuple[int, ...] = ()
    """Counted angles, followed parameters and states that its functions take."""
    kind: ConstraintKind = ConstraintKind.BILATERAL
    where: str = ""
    path: str = ""

    @property
    def a(self) -> int:
        return self.bodies[0]

    @property
    def b(self) -> int:
        return self.bodies[1]

    @property
    def rows(self) -> int:
        return self.kernel.rows

    @property
    def holonomic(self) -> bool:
        """Whether it holds positions, and not speeds alone."""
        return self.kernel.holonomic

    def blocks(self, G: np.ndarray, V: int) -> list[tuple[int, np.ndarray]]:
        """Its rows of the matrix of all constraints, (rows, V columns for each of its bodies): by body."""
        rows = G[self.first_row : self.first_row + self.rows]
        return [(body, rows[:, V * k : V * (k + 1)]) for k, body in enumerate(self.bodies)]

    def by_body(self, full: Sequence[Any]) -> list[tuple[int, Any]]:
        """The Jacobian rows among what its function `full` gives."""
        return list(zip(self.bodies, full[1:-2], strict=True))

    def row_label(self, row: int) -> str:
        return f"{self.name}.{self.kernel.row_names[row]}"


@dataclass(frozen=True)
class ForceUse:
    """One force of the mechanism."""

    name: str
    kernel: ForceKernel
    bodies: list[int]
    data: int
    input: int
    turns: list[int]
    first_event: int
    where: str = ""
    first_state: int = 0
    """Of its own states, among those of all."""
    sample: int = -1
    """Where period and first time of its samples are in the data."""


@dataclass(frozen=True)
class TurnUse:
    """One relative rotation counted over whole turns; its two marker records start at `data`."""

    name: str
    a: int
    b: int
    data: int


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


@dataclass(frozen=True)
class FrictionUse:
    """Dry friction in a joint."""

    name: str
    joint: int
    """Index of the joint's constraint."""
    row: int
    """Index of the constraint that holds the joint while it sticks."""
    data: int
    """Constant part, coefficient, ratio of static to sliding friction; of dogs the speed up to which they close, and
    whether they wait for it, and the play in which they fit (0: at any angle)."""
    load_data: int
    load: ca.Function | None
    """What presses, from the reaction; None: the size of the constraint's first multiplier, as in a mesh."""
    coordinate: str
    limits: int = -1
    """First of the events that limit friction in place of the constant part; -1: none."""
    dogs: int = -1
    """First of the events that dogs go by; -1: none."""
    geared: bool = False
    """Whether it is that of a ratio; `load` then gives it from the size of the multiplier."""


@dataclass(frozen=True)
class MeshUse:
    """A gear mesh: its constraint, and the kernel of its tooth forces."""

    name: str
    constraint: int
    kernel: MeshKernel
    geometry: MeshGeometry


@dataclass(frozen=True)
class ElasticMesh:
    """A mesh whose teeth are a force: the row that ideal teeth would be, of which rates at the start are asked."""

    name: str
    kernel: ConstraintKernel
    bodies: tuple[int, ...]
    data: int


@dataclass(frozen=True)
class RelationUse:
    """A ratio or coupler: its constraint, and what its efforts along the coordinates are called, with their units."""

    name: str
    constraint: int
    efforts: tuple[tuple[str, str], ...]
    friction: int = -1
    """Index of its losses; -1: none."""
    support: tuple[str, ...] = ()
    """Where a support carries the reaction, the body from which all its angles are measured: names of its torque."""


@dataclass(frozen=True)
class ComputedData:
    """Numbers of the data that no formula gives: the stiffness of teeth, for instance.

    The data have them for the values that the parameters have in the description; `values` finds them for others.
    """

    indices: list[int]
    values: Callable[[Mapping[str, float]], np.ndarray]


@dataclass(frozen=True)
class ContactUse:
    """A contact with impact."""

    name: str
    constraint: int
    data: int
    """Restitution coefficient, rest speed."""
    stop: tuple[str, str] | None = None
    """Of a stop of a joint: `lower` or `upper`, and the coordinate."""


@dataclass(frozen=True)
class TableUse:
    """A function of time given at points: cubic pieces between knots."""

    input: int
    knots: np.ndarray
    pieces: np.ndarray

    def at(self, t: np.ndarray) -> np.ndarray:
        """Value and two derivatives at some times (3, N)."""
        k = np.maximum(0, np.searchsorted(self.knots, t, side="right") - 1)
        return np.array(cubic(self.pieces[k].T, t - self.knots[k]))


@dataclass(frozen=True)
class JointView:
    """A joint for signals: its constraint and where its coordinates come from."""

    name: str
    constraint: int
    type: str
    coordinates: tuple[str, ...]
    turn: int


@dataclass(frozen=True)
class GivenCoordinate:
    """A joint coordinate that is given for the start, or its rate."""

    joint: str
    coordinate: str
    kernel: ConstraintKernel
    """Its value and row."""
    value: int = -1
    """Where it is in the data; -1: not given."""
    rate: int = -1


@dataclass(frozen=True)
class JointSignals:
    """Signals that a joint has of its own: a function of its kernel's arguments and multipliers, and what they are."""

    name: str
    constraint: int
    values: ca.Function
    meanings: Mapping[str, tuple[str, str]]
    """Unit and meaning by name."""
