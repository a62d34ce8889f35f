"""Constraints in space in vectors: Phi, the transformed Jacobian, nu and gamma, with what their symbols mean.

Bodies a and b have centres of mass x, angular velocities omega and, at the element, points p = x + s; everything is in
world axes, and a dot is a rate. The columns of the Jacobian multiply x_a', omega_a, x_b', omega_b: this is G^ of
Vlasenko and Kasper ((2), (3)), who write it for gears in (28), (36) and (41). Tests evaluate every formula here and
compare with the kernels: those of joints at any state; those of meshes, which are `printed` of their equations, where
the geometry of the pair is closed and stays so (axes held at their distance and angle), which is where the paper's form
holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wheelwork.equations.vector_form import MOVING, VectorForm

# -- joints


def perpendicular(u: str, w: str) -> VectorForm:
    """u fixed in a at a right angle to w fixed in b."""
    turning = f"({u}' x {w} + {u} x {w}')"
    return VectorForm(
        f"{u} . {w}",
        ("0", f"{u} x {w}", "0", f"-{u} x {w}"),
        f"-(w_a - w_b) . {turning}",
        ((f"{u}'", f"w_a x {u}"), (f"{w}'", f"w_b x {w}")),
    )


def difference(first: VectorForm, second: VectorForm) -> VectorForm:
    """One row less another."""
    columns = [f"{a} - ({b})" if a != "0" else a for a, b in zip(first.columns, second.columns, strict=True)]
    return VectorForm(
        f"{first.phi} - {second.phi}",
        (columns[0], columns[1], columns[2], columns[3]),
        f"{first.gamma} - ({second.gamma})",
        (*first.definitions, *second.definitions),
    )


def offset(u: str, less: str = "") -> VectorForm:
    """Way of b's point along u fixed in a."""
    return VectorForm(
        f"{u} . d" + (f" - {less}" if less else ""),
        (f"-{u}", f"-(d + s_a) x {u}", u, f"s_b x {u}"),
        f"-2 {u}' . d' - (w_a x {u}') . d - {u} . (w_b x (w_b x s_b) - w_a x (w_a x s_a))",
        (*MOVING, ("d", "p_b - p_a"), ("d'", "p_b' - p_a'"), (f"{u}'", f"w_a x {u}")),
    )


def separation(less: str) -> VectorForm:
    """Distance of the points."""
    return VectorForm(
        f"|d| - {less}",
        ("-n", "-s_a x n", "n", "s_b x n"),
        "-(d' . d' - (n . d')^2)/|d| - n . (w_b x (w_b x s_b) - w_a x (w_a x s_a))",
        (*MOVING, ("d", "p_b - p_a"), ("n", "d/|d|"), ("d'", "p_b' - p_a'")),
    )


COINCIDENT = VectorForm(
    "p_b - p_a",
    ("-I", "S_a", "I", "-S_b"),
    "w_a x (w_a x s_a) - w_b x (w_b x s_b)",
    MOVING[:2],
    rows=3,
)
"""Three equations: points of a and b are one."""


def turned(less: str, also: VectorForm | None = None) -> VectorForm:
    """The angle about the axes ez of both frames, less something; `also`: a row from which a screw's advance is taken.

    n is the axis where both agree, and the mean of the two, to first order, where they do not.
    """
    base = VectorForm(
        f"theta - {less}",
        ("0", "-n", "0", "n"),
        "-n' . (w_b - w_a)",
        (
            ("ez_a'", "w_a x ez_a"),
            ("ez_b'", "w_b x ez_b"),
            ("n", "(ez_a + ez_b)/(1 + ez_a . ez_b)"),
            ("n'", "(ez_a' + ez_b' - (ez_a' . ez_b + ez_a . ez_b') n)/(1 + ez_a . ez_b)"),
        ),
        (
            (
                "theta",
                "angle from the x axis of a's frame to that of b's about their z axis, over any number of turns",
            ),
        ),
    )
    if also is None:
        return base
    columns = tuple(
        other if one == "0" else f"{other} {'-' if k == 3 else '+'} lead n/(2 pi)"
        for k, (one, other) in enumerate(zip(base.columns, also.columns, strict=True))
    )
    return VectorForm(
        f"{also.phi} - lead theta/(2 pi)",
        columns,  # type: ignore[arg-type]
        f"{also.gamma} + lead n' . (w_b - w_a)/(2 pi)",
        (*also.definitions, *base.definitions),
        base.legend,
    )


def joint_forms(printed: Sequence[str | VectorForm]) -> list[VectorForm]:
    """Of a joint's equations, from their short spelling, which `printed` of `Constraint` tells."""
    return [form if isinstance(form, VectorForm) else _joint_form(form) for form in printed]


_SPELLING = re.compile(r"point|thread|length|[xyz](?: - [a-z]+)?|[xyz]\.[xyz](?: - [xyz]\.[xyz])?")


def _joint_form(text: str) -> VectorForm:
    if not _SPELLING.fullmatch(text):
        known = "`point`, `x.z`, `x.y - y.x`, `z`, `z - offset`, `length`, `thread`"
        raise ValueError(f"`{text}` in `printed` of a joint is not one of {known}, for any axes x, y, z")
    if text == "point":
        return COINCIDENT
    if text == "thread":
        return turned("", offset("ez_a"))
    if "." in text:
        first, *second = (perpendicular(f"e{one[0]}_a", f"e{one[2]}_b") for one in text.split(" - "))
        return difference(first, second[0]) if second else first
    axis, _, less = text.partition(" - ")
    return offset(f"e{axis}_a", less) if axis in "xyz" else separation(text)


DRIVER_FORMS = {"angle": turned("y"), "displacement": offset("ez_a", "y"), "distance": separation("y")}
"""By the coordinate that follows the function y of time; nu is its rate, gamma has its second derivative besides."""
