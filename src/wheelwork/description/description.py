"""The whole description of a mechanism, and mechanisms used inside others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import Field, PrivateAttr

from wheelwork.description.base import PLANAR, SPATIAL, Element, Evaluate, Issue, Part, Ref
from wheelwork.description.body import Body
from wheelwork.description.frame import Frame
from wheelwork.description.names import name_fault
from wheelwork.description.orientation import Orientation
from wheelwork.description.parameters import ParameterValue
from wheelwork.description.rotor import Rotor
from wheelwork.description.shaft import Shaft
from wheelwork.description.study import StudyPlan
from wheelwork.description.union import ByType
from wheelwork.description.validation_errors import Path, path_text
from wheelwork.description.values import ORIGIN, Angle, Gravity, Point, Value
from wheelwork.description.vibration_analyses import AnyAnalysis
from wheelwork.problems import ModelError, Problem

if TYPE_CHECKING:
    from wheelwork.description.flat import Flat
    from wheelwork.description.source import Source

E = TypeVar("E", bound=Element)
AnyBody = Annotated[Body | Rotor | Shaft, ByType(default="body")]

# Mappings from name to element, in the order in which a file lists them.
ELEMENTS = ("bodies", "joints", "meshes", "forces", "drivers", "states", "control")
"""Sections whose entries are in the equations."""
COLLECTIONS = (*ELEMENTS, "components", "frames")
STANDARD_GRAVITY: dict[str, tuple[Value, Value, Value]] = {
    SPATIAL: (0.0, 0.0, -9.80665),
    PLANAR: (0.0, -9.80665, 0.0),
}


class DescriptionCache:
    """What was made of a description, and the content it was made of; copies of a description begin without."""

    content: Any = None
    flat: Flat | None = None
    checked: bool = False
    frozen: bool = False
    """Whether nobody will change it: a copy that a run has for itself."""
    structure: bytes | None = None
    parameters: Flat | None = None
    """Those of a frozen one, flat."""

    def __deepcopy__(self, memo: Any) -> DescriptionCache:
        return DescriptionCache()

    def __reduce__(self) -> Any:
        return DescriptionCache, ()


class Component(Element):
    """A mechanism inside this one. Its elements get its name in front: `stage2.planet1`.

    Fields:
        file: YAML file of the mechanism, relative to the file that names it
        model: the mechanism itself; instead of `file`
        parameters: values for the component's parameters; formulas use the parameters of this mechanism
        position [m]: of the component's frame in this mechanism
        orientation: of the component's frame in this mechanism
        angle [rad]: of the component's frame about z, in a planar mechanism instead of `orientation`
        ground: body of this mechanism that plays the component's ground
    """

    collection: ClassVar[str] = "components"
    noun: ClassVar[str] = "component"

    file: str | None = None
    model: Description | None = None
    parameters: dict[str, ParameterValue] = Field(default_factory=dict)
    position: Point = ORIGIN
    orientation: Orientation = Orientation()
    angle: Angle | None = None
    ground: Annotated[str, Ref("body")] = "ground"

    # What `file` holds, once read.
    _loaded: Description | None = PrivateAttr(default=None)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if (self.file is None) == (self.model is None):
            yield Issue("file", "a component comes from a `file` or is a `model`: give one of them")

    def __eq__(self, other: object) -> bool:
        # Whether the file has been read makes no difference to what is described.
        if not isinstance(other, Component):
            return NotImplemented
        return {name: getattr(self, name) for name in Component.model_fields} == {
            name: getattr(other, name) for name in Component.model_fields
        }

    __hash__ = None  # type: ignore[assignment]


class Description(Part):
    """A mechanism: what it is made of, and optionally what to compute.

    Names are shared by everything in it: a body and a joint cannot have the same name.

    Fields:
        wheelwork: version of the format, 1
        kind: `spatial`, or `planar`: everything lies and moves in the x-y plane
        name: of the mechanism
        comment: free text
        gravity [m/s^2]: acceleration of a body that falls freely; 9.80665 along -z, in the plane along -y, if not given
        parameters: numbers with a name, quantities, and formulas of other parameters
        bodies: rigid bodies, rotors and shafts
        joints: constraints between bodies
        meshes: gears, racks, worms and belts
        forces: loads, springs, motors, friction, contact
        drivers: prescribed motions
        states: quantities with a rate, for formulas: what is integrated together with the motion
        control: blocks: controllers, filters, look-up tables, state machines
        components: mechanisms used inside this one
        frames: named places on bodies, to attach to
        start: speeds that are not given: `rolling`: elastic teeth, shafts and bearings carry them on as rigid ones do;
            `loaded`: so, and wound up by the torques; `rest`: only what is rigid carries them on
        analysis: what to compute, with which settings
        study: many variants of it, each run and measured
        outputs: names of the signals to keep; all where left out
    """

    positional: ClassVar[str | None] = "name"
    is_scope: ClassVar[bool] = True

    wheelwork: Literal[1] = 1
    kind: Literal["spatial", "planar"] = "spatial"
    name: str = ""
    comment: str = ""
    gravity: Gravity | None = None
    parameters: dict[str, ParameterValue] = Field(default_factory=dict)
    bodies: dict[str, AnyBody] = Field(default_factory=dict)
    joints: dict[str, Annotated[Any, ByType(family="joints")]] = Field(default_factory=dict)
    meshes: dict[str, Annotated[Any, ByType(family="meshes")]] = Field(default_factory=dict)
    forces: dict[str, Annotated[Any, ByType(family="forces")]] = Field(default_factory=dict)
    drivers: dict[str, Annotated[Any, ByType(family="drivers")]] = Field(default_factory=dict)
    states: dict[str, Annotated[Any, ByType(default="state", family="states")]] = Field(default_factory=dict)
    control: dict[str, Annotated[Any, ByType(family="control")]] = Field(default_factory=dict)
    components: dict[str, Component] = Field(default_factory=dict)
    frames: dict[str, Frame] = Field(default_factory=dict)
    start: Literal["rolling", "loaded", "rest"] = "rolling"
    analysis: AnyAnalysis | None = None
    study: StudyPlan | None = None
    outputs: tuple[str, ...] | None = None

    # Where it was read from; absent for a description made in Python.
    _source: Source | None = PrivateAttr(default=None)
    # What was made of it last, with its content then (`flatten`).
    _kept: DescriptionCache = PrivateAttr(default_factory=lambda: DescriptionCache())

    if TYPE_CHECKING:

        def __init__(self, name: str = "", **fields: Any) -> None: ...

    def __repr__(self) -> str:
        """One line; `to_yaml` has all of it."""
        groups = (*ELEMENTS, "components", "parameters")
        one = {"bodies": "body", "meshes": "mesh"}
        numbers = {group: len(getattr(self, group)) for group in groups if getattr(self, group)}
        counted = [f"{n} {one.get(group, group[:-1]) if n == 1 else group}" for group, n in numbers.items()]
        return f"<{type(self).__name__} {self.name!r}: {', '.join([self.kind, *counted])}>"

    def add(self, name: str, element: E) -> E:
        """Put an element under a name of its own; returns the element.

        >>> from wheelwork.description import Body
        >>> m = Description("pendulum")
        >>> bob = m.add("bob", Body(mass=1, inertia=(1, 1, 1)))
        """
        if not isinstance(element, Element) or not element.collection:
            given = f"`{getattr(element, '__name__', type(element).__name__)}`"
            raise ModelError(
                f"needs a body, joint, mesh, force, driver, state, block, component or frame, but is {given}",
                path=name,
            )
        path = f"{element.collection}.{name}"
        wrong = name_fault(name)
        if wrong:
            raise ModelError(wrong, path=path)
        taken = self.place_of(name)
        if taken:
            raise ModelError(f"the name `{name}` is taken by {path_text(taken)}", path=path)
        getattr(self, element.collection)[name] = element
        return element

    def place_of(self, name: str) -> Path | None:
        """Path of the parameter or element with this name, or None."""
        for collection in ("parameters", *COLLECTIONS):
            if name in getattr(self, collection):
                return (collection, name)
        return None

    def where(self, path: Path, key: bool = False) -> str:
        """`file:line:column` of a place in the description, or empty when it was made in Python."""
        return "" if self._source is None else self._source.where(path, key)

    @property
    def source_file(self) -> str:
        """The file it was read from, or empty."""
        return "" if self._source is None else self._source.file

    @property
    def source_text(self) -> str:
        """The text it was read from, or empty."""
        return "" if self._source is None else self._source.text

    def __eq__(self, other: object) -> bool:
        # What is described counts, not where it was read from.
        if not isinstance(other, Description):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in Description.model_fields)

    __hash__ = None  # type: ignore[assignment]


class ProblemList:
    """Problems of a description, each with the place it has in the file."""

    def __init__(self, description: Description) -> None:
        self.description = description
        self.problems: list[Problem] = []

    def add(self, path: Path, message: str, hint: str = "", at_key: bool = False) -> None:
        """Note a problem at a path of the description."""
        source = self.description._source
        prefix = source.prefix if source is not None else ()
        where = self.description.where(path, at_key)
        self.problems.append(Problem(message, where, path_text((*prefix, *path)), hint))
