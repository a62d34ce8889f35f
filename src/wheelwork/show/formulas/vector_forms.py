"""Constraints in space in vectors: Phi, the transformed Jacobian, nu and gamma, with what their symbols mean.

Bodies a and b have centres of mass x, angular velocities omega and, at the element, points p = x + s; everything is in
world axes, and a dot is a rate. The columns of the Jacobian multiply x_a', omega_a, x_b', omega_b: this is G^ of
Vlasenko and Kasper (eq. 2-3), who write it for gears in (28), (36) and (41). Tests evaluate every formula here and
compare with the kernels: those of joints at any state; those of meshes where the geometry of the pair is closed and
stays so (axes held at their distance and angle), which is where the paper's form holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOVING = (
    ("s_a", "p_a - x_a"),
    ("s_b", "p_b - x_b"),
    ("p_a'", "x_a' + w_a x s_a"),
    ("p_b'", "x_b' + w_b x s_b"),
)


@dataclass(frozen=True)
class VectorForm:
    """One equation, or three at once where its Jacobian is made of matrices."""

    phi: str
    columns: tuple[str, str, str, str]
    """Of the Jacobian."""
    gamma: str
    definitions: tuple[tuple[str, str], ...] = ()
    """Names with what they are short for, in an order in which they can be computed."""
    legend: tuple[tuple[str, str], ...] = ()
    """Names with what they mean."""
    force: str = ""
    """Of a mesh: what the teeth push b with at P, for the multiplier lambda."""
    rows: int = 1


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


def joint_forms(printed: Sequence[str]) -> list[VectorForm]:
    """Of a joint's equations, from their short spelling (`printed` of its class)::

    point       the points of a and b are one (three equations)
    x.z         the x axis of a at a right angle to the z axis of b
        x.y - y.x   the difference of two such products
    z           way of b's point along the z axis of a; `z - offset`: less a number
    length      distance of the points, less the number `length`
    thread      way along z less lead times angle
    """
    return [_joint_form(text) for text in printed]


def _joint_form(text: str) -> VectorForm:
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


# -- meshes

NO_SLIP = ("d", "(P - x_a) x d", "-d", "-(P - x_b) x d")
GAMMA = "-d' . (v_a - v_b) - d . (w_a x (P' - x_a') - w_b x (P' - x_b'))"
AT_P = (("v_a", "x_a' + w_a x (P - x_a)"), ("v_b", "x_b' + w_b x (P - x_b)"))
CENTRES = (*MOVING, ("l", "p_b - p_a"), ("l'", "p_b' - p_a'"))
AXES = (("z_a'", "w_a x z_a"), ("z_b'", "w_b x z_b"))
WHEELS = (
    ("p_a, p_b", "centres of the wheels"),
    ("z_a, z_b", "their axes, unit vectors"),
    ("P", "contact point"),
    ("v_a, v_b", "velocities of the material points of a and b at P"),
)


def _legend(what: str, *more: tuple[str, str], both: bool = True) -> tuple[tuple[str, str], ...]:
    who = "psi_a, psi_b" if both else "psi_a"
    wheel = "each wheel" if both else "wheel a"
    return (*WHEELS, (who, f"turn of {wheel} against {what}, in the positive sense about its axis"), *more)


def _parallel(outside: bool, helical: bool) -> VectorForm:
    e = ("e", "l/|l|" if outside else "-l/|l|")
    rate = ("e'", f"{'' if outside else '-'}(l' - (e . l') e)/|l|")
    axial, slope = (" - tan(beta) z_a", " - tan(beta) z_a'") if helical else ("", "")
    sign = "+" if outside else "-"
    phi = f"r_a psi_a {sign} r_b psi_b"
    if helical:
        weights = "r_a z_a + r_b z_b" if outside else "r_b z_b - r_a z_a"
        phi += f" + tan(beta) l . ({weights})/({'r_a + r_b' if outside else 'r_b - r_a'})"
    return VectorForm(
        phi,
        NO_SLIP,
        GAMMA,
        (
            *CENTRES,
            e,
            ("P", "p_a + r_a e"),
            ("d", f"z_a x e{axial}"),
            *AT_P,
            AXES[0],
            rate,
            ("P'", "p_a' + r_a e'"),
            ("d'", f"z_a' x e + z_a x e'{slope}"),
        ),
        _legend("the line of centres l", ("e", "from a's centre to the contact")),
        "lambda d + abs(lambda) tan(alpha) e",
    )


def _rack(helical: bool) -> VectorForm:
    axial = " - tan(beta) ez_b" if helical else ""
    phi = "r_a psi_a - l . ex_b" + (" - tan(beta) (r_a z_a . ey_b - l . ez_b)" if helical else "")
    return VectorForm(
        phi,
        NO_SLIP,
        GAMMA,
        (
            *CENTRES,
            ("P", "p_a - r_a ey_b"),
            ("d", f"ex_b{axial}"),
            *AT_P,
            ("P'", "p_a' - r_a w_b x ey_b"),
            ("d'", "w_b x d"),
        ),
        (
            ("p_a", "centre of the pinion"),
            ("z_a", "its axis, a unit vector"),
            ("p_b", "a point of the rack's pitch line"),
            (
                "ex_b, ey_b, ez_b",
                "unit vectors of the rack: along the pitch line, towards the pinion, along the teeth",
            ),
            *WHEELS[2:],
            ("psi_a", "turn of the pinion against the rack, in the positive sense about its axis"),
        ),
        "lambda d - abs(lambda) tan(alpha) ey_b",
    )


_BEVEL = VectorForm(
    "r_a psi_a + r_b psi_b - l . d",
    NO_SLIP,
    GAMMA,
    (
        *CENTRES,
        ("n", "z_a x z_b"),
        ("d", "n/|n|"),
        ("P", "p_a + r_a (z_b - (z_a . z_b) z_a)/|n|"),
        *AT_P,
        *AXES,
        ("d'", "(z_a' x z_b + z_a x z_b')/|n|"),
        ("P'", "p_a' + r_a (z_b' - (z_a . z_b) z_a')/|n|"),
    ),
    _legend(
        "the other's axis",
        ("d", "common tangent of the pitch cones"),
        ("N", "normal of the pitch cones, from a into b"),
        ("f", "along the common line of the cones, away from the apex"),
    ),
    "lambda d + abs(lambda) tan(alpha) N - lambda tan(beta) f",
)

_CROSSED = VectorForm(
    "(r_a cos(beta_a) psi_a + sin(beta_a) h_a + r_b cos(beta_b) psi_b + sin(beta_b) h_b)/cos(beta_b)",
    NO_SLIP,
    GAMMA,
    (
        *CENTRES,
        ("n", "z_a x z_b"),
        ("e", "sigma n/|n|"),
        ("h_a", "(l x z_b) . n/(n . n)"),
        ("h_b", "(l x z_a) . n/(n . n)"),
        ("P", "p_a + h_a z_a + r_a e"),
        ("d", "z_b x e + tan(beta_b) z_b"),
        *AT_P,
        *AXES,
        ("n'", "z_a' x z_b + z_a x z_b'"),
        ("e'", "sigma n'/|n|"),
        ("h_a'", "((l' x z_b + l x z_b') . n + (l x z_b) . n')/(n . n)"),
        ("P'", "p_a' + h_a' z_a + h_a z_a' + r_a e'"),
        ("d'", "z_b' x e + z_b x e' + tan(beta_b) z_b'"),
    ),
    _legend(
        "the common perpendicular",
        ("e", "along the common perpendicular of the axes, from a to b"),
        ("sigma", "1 or -1, so that e leads from a to b"),
        ("h_a, h_b", "way along each axis from the wheel's centre to the common perpendicular"),
        ("beta_a, beta_b", "helix angles, positive right-handed"),
    ),
    "lambda d + abs(lambda) tan(alpha) e/cos(beta_b)",
)

_BELT = VectorForm(
    "r_a psi_a - sigma r_b psi_b",
    ("k t", "k s_a x t + r_a z_a", "-k t", "-k s_b x t - sigma r_b z_b"),
    "k (t' . l' + t . (w_b x (w_b x s_b) - w_a x (w_a x s_a)))",
    (
        *CENTRES,
        ("e", "l/|l|"),
        ("t", "z_a x e"),
        ("k", "(r_a - sigma r_b)/|l|"),
        AXES[0],
        ("e'", "(l' - (e . l') e)/|l|"),
        ("t'", "z_a' x e + z_a x e'"),
    ),
    (
        *WHEELS[:2],
        (
            "psi_a, psi_b",
            "turn of each pulley against the line of centres l, in the positive sense about its axis",
        ),
        ("sigma", "1 for an open belt, -1 for one that crosses over"),
        ("k", "sine of the angle between the strands and the line of centres"),
    ),
)

MESH_FORMS = {
    "external": _parallel(True, False),
    "external:helical": _parallel(True, True),
    "internal": _parallel(False, False),
    "internal:helical": _parallel(False, True),
    "rack": _rack(False),
    "rack:helical": _rack(True),
    "bevel": _BEVEL,
    "crossed": _CROSSED,
    "worm": _CROSSED,
    "belt": _BELT,
}
"""By the type of the mesh's equations."""
