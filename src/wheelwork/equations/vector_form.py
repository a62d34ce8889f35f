"""An equation of constraint in vectors, to be printed; :mod:`wheelwork.show.formulas.vector_forms` has its notation."""

from __future__ import annotations

from wheelwork.lazy import dataclass

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
    """Of a mesh: what the teeth push b with at P, for the multiplier lambda; empty where nothing touches."""
    multiplier: str = "the tangential force of the teeth. They push"
    """Of a mesh: what lambda is, and with `force` who pushes b with it."""
    rows: int = 1


# -- what meshes share

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


def legend(what: str, *more: tuple[str, str], both: bool = True) -> tuple[tuple[str, str], ...]:
    who = "psi_a, psi_b" if both else "psi_a"
    wheel = "each wheel" if both else "wheel a"
    return (*WHEELS, (who, f"turn of {wheel} against {what}, in the positive sense about its axis"), *more)
