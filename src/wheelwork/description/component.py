"""Components: a mechanism used inside another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, PrivateAttr

from wheelwork.description.base import Element, Evaluate, Issue, Ref
from wheelwork.description.orientation import Orientation
from wheelwork.description.parameters import ParameterValue
from wheelwork.description.values import ORIGIN, Angle, Point

if TYPE_CHECKING:
    from wheelwork.description.description import Description


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
        comment: free text
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
