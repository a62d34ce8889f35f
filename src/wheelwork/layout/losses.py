r"""Losses of a mesh as Coulomb friction: how large it is beside the tooth force.

While a mesh runs, friction of the size c |F_t| acts against it, along the row that the mesh's equations name:

rolling (efficiency eta given)
    c = 2 (1 - eta)/(1 + eta) against the arc rolled, half of it on each wheel. With F_t the mean of the forces at the
    two wheels, F_in = F_t (1 + c/2) and F_out = F_t (1 - c/2), so F_out = eta F_in whichever wheel drives.

sliding along the teeth (worm and crossed helical wheels)
    c = mu F_n/|F_t|, F_n the force normal to the flanks. It gives the text-books' eta = tan(gamma)/tan(gamma + rho')
    for a driving worm, with tan(rho') = mu/cos(alpha_n), and holds the load (self-locking) where gamma <= rho'. Where
    eta is given instead of mu, it is that with wheel a driving. The teeth slide in the sense s of tan(beta_a) +
    tan(beta_b), so

        eta = (1 - s tan(beta_b) tan(rho'))/(1 + s tan(beta_a) tan(rho'))
        tan(rho') = (1 - eta)/(s (eta tan(beta_a) + tan(beta_b)))

    A worm with eta below one half does not let itself be driven back. Wheels of opposite hands do not get below
    eta = |tan(beta_b)/tan(beta_a)|, however much they rub.

rolling, with a friction coefficient mu (parallel and bevel wheels, racks)
    teeth slide except at the pitch point; the loss over a mesh cycle is mu H_v, so eta = 1 - mu H_v, with the loss
    factor H_v of the teeth of the mesh (:mod:`wheelwork.gears.losses`); bevel wheels have that of their virtual
    cylindrical ones, with z/cos(delta) teeth and addenda of one module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wheelwork.equations.mesh_equations import MeshEquations
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import gears

if TYPE_CHECKING:
    from wheelwork.layout.teeth import TeethAt


def loss_coefficient(
    mesh: Any,
    name: str,
    equations: MeshEquations,
    numbers: Mapping[str, ca.SX],
    value: Callable[[Any], ca.SX],
    teeth: TeethAt,
) -> ca.SX | None:
    """c, friction over |F_t|; None for a mesh without losses. `from_teeth` says whether it holds for `teeth` alone."""
    friction = getattr(mesh, "friction", None)
    if mesh.efficiency is not None:
        eta = value(mesh.efficiency)
        if not equations.slides:
            return _of_efficiency(eta)
        mu = _sliding_friction(eta, numbers)
    elif friction is not None:
        mu = value(friction)
    else:
        return None
    if equations.slides:
        return mu * equations.normal_force(numbers, ca.SX(1))
    return _of_efficiency(1 - mu * _loss_factor(name, teeth))


def from_teeth(mesh: Any, equations: MeshEquations) -> bool:
    """Whether the losses follow from the shape of the teeth, which no formula gives for other parameters."""
    return getattr(mesh, "friction", None) is not None and not equations.slides


def _sliding_friction(eta: ca.SX, numbers: Mapping[str, ca.SX]) -> ca.SX:
    """mu of worm or crossed wheels that have the efficiency eta with a driving."""
    tan_a = numbers["sin_beta_a"] / numbers["cos_beta_a"]
    tan_b = numbers["sin_beta_b"] / numbers["cos_beta_b"]
    sense = ca.sign(tan_a + tan_b)
    return sense * (1 - eta) / (eta * tan_a + tan_b) / ca.sqrt(1 + numbers["tan_alpha_n"] ** 2)


def _of_efficiency(eta: ca.SX) -> ca.SX:
    return 2 * (1 - eta) / (1 + eta)


def _loss_factor(name: str, teeth: TeethAt) -> float:
    """H_v of the teeth of a mesh."""
    try:
        pair = teeth.geometries[name].mesh.loss_pair(name, teeth)
        if pair is None:
            raise gears.GeometryError(teeth.why_not(name))
        return gears.loss_factor(pair)
    except gears.GeometryError as error:
        raise gears.GeometryError(
            f"what is lost to `friction` needs the shape of the teeth: {error}; or give `efficiency` instead"
        ) from None
