"""Contact geometry: the gap of a ball to a plane or to another ball, as a constraint row.

The row's body a is the partner (plane or ball), its body b the ball. Value: distance of the surfaces,
plane: ez_a . (p_b - p_a) - r;  ball: |p_b - p_a| - (r + r_a). As long as a contact lasts, gap = 0 is a constraint whose
multiplier is minus the pushing force; an impact is a jump of velocity by momentum balance (Bai (1.21), (1.22)).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wheelwork.description.values import ORIGIN
from wheelwork.lazy import casadi as ca

from .frames import Marker
from .rotations import frame_along
from .rows import Row, offset_along, separation

if TYPE_CHECKING:
    from wheelwork.equations.placement import Place


def gap_row(partner: str, a: Marker, b: Marker, reach: ca.SX) -> Row:
    """Distance between the surfaces; `reach` is the ball's radius plus that of its partner, if a ball."""
    row = offset_along(a, a.ez, b) if partner == "plane" else separation(a, b)
    return replace(row, value=row.value - reach)


def normal_of(partner: str, a: Marker, b: Marker) -> ca.SX:
    """Unit normal from the partner to the ball."""
    if partner == "plane":
        return a.ez
    d = b.p - a.p
    return d / ca.norm_2(d)


def contact_markers(contact: Any, place: Place) -> tuple[list[str], list[ca.SX], ca.SX]:
    """Bodies (partner, ball), their marker records, and the reach."""
    partner, ball = contact.b, contact.a
    reach = place.value(ball.radius)
    if partner.type == "plane":
        axes = frame_along(place.vector(partner.normal_in_body))
        marker = place.body_marker(partner.body, partner.point_in_body or ORIGIN, axes, side="b")
    else:
        marker = place.body_marker(partner.body, partner.point_in_body or ORIGIN, side="b")
        reach = reach + place.value(partner.radius)
    return (
        [partner.body, ball.body],
        [marker, place.body_marker(ball.body, ball.point_in_body or ORIGIN, side="a")],
        reach,
    )
