"""Points and directions in the axes of one body.

A `point` is in the world, as those of joints are. What is given in the body frame has a name that says so,
`point_in_body`; forces, contacts and drivers of bodies had `point` for it, which still works, with a warning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pydantic import model_validator

from wheelwork.description.base import Evaluate, Issue, Part
from wheelwork.description.values import Point
from wheelwork.problems import warn


class InBody(Part):
    """A part with a point in the body frame.

    Fields:
        point_in_body [m]: the point, in the body frame
        point [m]: old name of `point_in_body`
    """

    # Old names with new ones.
    renamed: ClassVar[dict[str, str]] = {"point": "point_in_body"}

    point_in_body: Point | None = None
    point: Point | None = None

    def in_body(self, name: str = "point_in_body", default: Any = None) -> Any:
        """What is given under a name, or under its old one."""
        old = next(old for old, new in self.renamed.items() if new == name)
        given = [value for value in (getattr(self, name), getattr(self, old)) if value is not None]
        return given[0] if given else default

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        for old, new in self.renamed.items():
            if getattr(self, old) is not None and getattr(self, new) is not None:
                yield Issue(
                    old, f"is given twice: by `{new}` and by its old name `{old}`", f"leave `{old}` out"
                )

    @model_validator(mode="after")
    def _warned(self) -> InBody:
        for old, new in self.renamed.items():
            if getattr(self, old) is not None:
                kind = getattr(self, "type", "")
                text = (
                    f"`{old}` of a `{kind}` is in the body frame, while that of a joint is in the world: "
                    f"write `{new}`, which is the same and says so"
                )
                warn(text, FutureWarning)
        return self
