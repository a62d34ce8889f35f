"""What joints share: fields that place them, and what others ask a joint for besides its equations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from wheelwork.description.base import PLANAR, SPATIAL, Element, Evaluate, Issue, Part
from wheelwork.description.connection import Connection
from wheelwork.description.values import Angle, AngularSpeed, Direction, Length, Point, Speed
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.vector_form import VectorForm
from wheelwork.problems import listed

if TYPE_CHECKING:
    from typing import Self

    import numpy as np


class Freedom(NamedTuple):
    """A primitive joint; a joint that is a chain of them can be a step of a tree (minimal coordinates).

    motion: `turn`, `slide` or `ball`
    name: of its coordinate
    axis: `x`, `y` or `z` of the frame on a, or `z_b`; empty for the joint's own: z, in the plane `along_in_plane`
    """

    motion: str
    name: str = ""
    axis: str = ""


DIRECTIONS = {"axis": (1.0, 0.4, 0.2), "axis2": (0.4, -1.0, 0.0)}
"""Of the samples that tests look at."""
RATES = {"w": "angle", "speed": "displacement"}
"""Coordinates by the names of their rates."""
Symbol = str | Callable[..., Any]
TURN, SLIDE = Freedom("turn", "angle"), Freedom("slide", "displacement")


class Constraint(Element):
    """What all joints are, those of one body too: equations, and what others have to know of them.

    Fields:
        comment: free text
    """

    collection: ClassVar[str] = "joints"
    noun: ClassVar[str] = "joint"

    # Equations in space, and in the plane; None where it has none.
    InSpace: ClassVar[type[JointEquations] | None] = None
    InPlane: ClassVar[type[JointEquations] | None] = None
    # Names of the coordinates that actuators, drivers and friction may use.
    coordinates: ClassVar[tuple[str, ...]] = ()
    # What it lets free from a to b, as a step of a tree; None if it is not a chain of primitive joints.
    # Equations that are not met by these motions (a screw's thread) stay as rows.
    steps: ClassVar[tuple[Freedom, ...] | None] = None
    # Axis of the frame that is the joint's own direction in a planar mechanism.
    along_in_plane: ClassVar[str] = "z"
    # Equations in space as they are printed in vectors, in the order of the rows:
    #   point       the points of a and b are one (three equations)
    #   x.z         the x axis of a at a right angle to the z axis of b; `x.y - y.x`: one such product less another
    #   z           distance of b's point along the z axis of a; `z - offset`: minus the number `offset` of `extras`
    #   length      distance of the points, minus the number `length`
    #   thread      distance along z minus lead times angle
    # or a `VectorForm`. A joint whose equations are fewer has the first of them.
    printed: ClassVar[tuple[str | VectorForm, ...]] = ()
    # Symbols on a and b: `pin`, `rail`, `slider`, `plate`, `disc`, `arm`, `ball`, or none; or a function of its own,
    # `(solids, thin)`: given the shapes of `show/scene/solids.py` and the thickness of bars [m], it makes one in the
    # frame on that side.
    symbol: ClassVar[tuple[Symbol, Symbol]] = ("", "ball")
    # Whether a rod is drawn between its points; whether its label has an axis; whether its points are one.
    has_rod: ClassVar[bool] = False
    has_axis: ClassVar[bool] = False
    points_meet: ClassVar[bool] = False
    # Whether it carries shafts: its reaction is split into radial and axial parts.
    is_bearing: ClassVar[bool] = False
    # Axes of its frames that must point the same way, although the equations hold for opposite ones as well.
    one_way: ClassVar[str] = ""
    # Whether a rack may slide on it, as wheels turn on joints that are `turning` pairs of a train.
    carries_rack: ClassVar[bool] = False
    # In the graph of a gear train: a `turning` or `sliding` pair, a `coupling` of shafts along z of its frames that
    # turn at one speed, a `mean coupling` by a cross whose arms are z of its frames, a `support` that a shaft may
    # stand in, or left out.
    in_train: ClassVar[str] = ""

    # What the printed equations call it.
    printed_noun: ClassVar[str] = "joint"

    @classmethod
    def motions(cls) -> tuple[str, ...] | None:
        """Those of its steps, such as (`slide`, `turn`)."""
        return None if cls.steps is None else tuple(step.motion for step in cls.steps)

    def what(self, a: str, b: str) -> str:
        """What it does to two bodies, in a sentence; empty for the first of its data sheet."""
        return ""

    @classmethod
    def equations(cls, kind: str) -> JointEquations:
        """Those of its type in a kind of mechanism."""
        written = cls.InPlane if kind == PLANAR else cls.InSpace
        assert written is not None
        return written()

    @classmethod
    def lacking(cls) -> Iterator[str]:
        yield from super().lacking()
        if cls.stands_for is not Constraint.stands_for:
            return
        for kind, name in ((SPATIAL, "InSpace"), (PLANAR, "InPlane")):
            written = getattr(cls, name)
            if written is None and kind in cls.kinds:
                yield name
            elif written is not None and written.chosen is JointEquations.chosen:
                yield from () if hasattr(written, "row_names") else (f"{name}.row_names",)
                yield from () if written.equations is not JointEquations.equations else (f"{name}.equations",)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Its equations know its type and coordinates."""
        super().__pydantic_init_subclass__(**kwargs)
        if "type" not in cls.model_fields:
            return
        for name in ("InSpace", "InPlane"):
            written = getattr(cls, name)
            if written is not None:
                own = {
                    "type": cls.model_fields["type"].default,
                    "coordinates": written.coordinates or cls.coordinates,
                    "__module__": cls.__module__,
                    "__doc__": written.__doc__,
                }
                setattr(cls, name, type(name, (written,), own))

    @classmethod
    def sample_pose(cls, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray] | None:
        """Position and axes of b's frame in a's at which the joint holds, for tests; None where `steps` tell."""
        return None


class Initial(Part):
    """Coordinates of a joint at the start, under the names that their signals have.

    Fields:
        angle [rad]: over any number of turns
        w [rad/s]: rate of the angle
        displacement [m]: along the axis
        speed [m/s]: rate of the displacement
    """

    angle: Angle | None = None
    w: AngularSpeed | None = None
    displacement: Length | None = None
    speed: Speed | None = None

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if not self.given:
            yield Issue("", "says nothing", f"give {listed(type(self).model_fields)}, or some")

    @property
    def given(self) -> list[str]:
        return [name for name in type(self).model_fields if getattr(self, name) is not None]


class Joint(Connection, Constraint):
    """A constraint between two bodies.

    Fields:
        bodies: names of body a and body b
        frame_a: joint frame in body a
        frame_b: joint frame in body b
    """


class JointWithCoordinates(Joint):
    """A joint with coordinates.

    Fields:
        initial: `angle`, `w`, `displacement`, `speed` at the start: bodies are moved there; what is left out follows
    """

    initial: Initial | None = None

    def kind_issues(self, kind: str) -> Iterator[Issue]:
        yield from super().kind_issues(kind)
        written = self.InPlane if kind == PLANAR else self.InSpace
        known = self.coordinates if written is None else written.coordinates
        for name in self.initial.given if self.initial is not None else ():
            if {**RATES, **{c: c for c in RATES.values()}}[name] not in known:
                has = listed([*known, *(rate for rate, of in RATES.items() if of in known)])
                yield Issue(f"initial.{name}", f"a {self.type} joint has no `{name}`", f"it has {has}")  # type: ignore[attr-defined]


class PointJoint(Joint):
    """A joint placed by a point.

    Fields:
        point [m]: in the world at the assembled position
    """

    point: Point | None = None
    world: ClassVar[tuple[str, ...]] = ("point",)
    # Fields of a sample, besides or instead.
    sample_fields: ClassVar[tuple[tuple[str, Any], ...]] = ()

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> Self:
        size = 2 if kind == PLANAR else 3
        known = cls.known_in_plane if kind == PLANAR else ()
        named = {
            name: DIRECTIONS[name][:size] for name in cls.world if name in DIRECTIONS and name not in known
        }
        return cls(bodies=bodies, point=(0.4, 0.2, 0.1)[:size], **(named | dict(cls.sample_fields)))


class AxisJoint(PointJoint):
    """A joint placed by a point and an axis.

    Fields:
        axis [1]: direction in the world at the assembled position, any length
    """

    axis: Direction | None = None
    world: ClassVar[tuple[str, ...]] = ("point", "axis")
    has_axis: ClassVar[bool] = True
