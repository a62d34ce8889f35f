"""The shape of cylindrical gear teeth, for what needs more than pitch circles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from wheelwork.description.base import Evaluate, Issue, Part
from wheelwork.description.values import Length, Number


class CylindricalTeeth(Part):
    """Teeth of spur and helical wheels and racks, as ISO 21771 and ISO 53 describe them.

    Fields:
        face_width [m]: of the teeth that are in mesh
        thickness_allowance [m]: of the teeth of a and b, in the normal section; negative makes them thinner
        tip_alteration [1]: of the teeth of a and b, in modules; negative shortens them
        addendum [1]: of the basic rack, in modules
        dedendum [1]: of the basic rack, in modules
        root_radius [1]: of the basic rack, in modules: the tip radius of the tool
    """

    has_path: ClassVar[bool] = True

    face_width: Length = 0.0
    thickness_allowance: tuple[Length, Length] = (0.0, 0.0)
    tip_alteration: tuple[Number, Number] = (0.0, 0.0)
    addendum: Number = 1.0
    dedendum: Number = 1.25
    root_radius: Number = 0.38
    positive = ("addendum", "dedendum")
    not_negative = ("face_width", "root_radius")


class ShiftedTeeth(CylindricalTeeth):
    """Teeth of two wheels on parallel axes.

    Fields:
        profile_shift [1]: coefficients of wheel a and wheel b
    """

    profile_shift: tuple[Number, Number] | None = None

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if self.profile_shift is not None and getattr(self, "module", None) is None:
            yield Issue("profile_shift", "`module` is missing beside `profile_shift`, which is in modules")
