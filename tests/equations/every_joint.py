"""The equations of all types of joints there are."""

from wheelwork.description.base import PLANAR
from wheelwork.description.registry import family
from wheelwork.equations.joint_equations import JointEquations


def equations_of_joints(kind: str) -> dict[str, JointEquations]:
    """Of every type of joint that has equations in a kind of mechanism, `spatial` or `planar`."""
    where = "InPlane" if kind == PLANAR else "InSpace"
    known = family("joints").items()
    return {name: cls.equations(kind) for name, cls in known if getattr(cls, where) is not None}
