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
    teeth slide except at the pitch point; the loss over a mesh cycle with the load shared evenly between the pairs in
    contact is mu H_v, so eta = 1 - mu H_v, with Ohlendorf's loss factor

        H_v = pi (1/z_a + 1/z_b)/cos(beta_b) (1 - eps_alpha + eps_1^2 + eps_2^2)

    (G. Niemann, H. Winter, Maschinenelemente II, 1983, sec. 21.11; internal pairs have -1/z_b, racks 1/z_b = 0, bevel
    wheels their virtual teeth z/cos(delta)). eps_1 and eps_2 are the parts of the contact ratio before and after the
    pitch point, of teeth with addenda of one module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import casadi as ca

from .mesh_geometry import MeshGeometry
from .meshes import MeshEquations


def loss_coefficient(
    mesh: Any,
    geometry: MeshGeometry,
    equations: MeshEquations,
    numbers: Mapping[str, ca.SX],
    value: Callable[[Any], ca.SX],
) -> ca.SX | None:
    """c, friction over |F_t|; None for a mesh without losses."""
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
    return _of_efficiency(1 - mu * loss_factor(geometry, numbers, value(mesh.pressure_angle)))


def _sliding_friction(eta: ca.SX, numbers: Mapping[str, ca.SX]) -> ca.SX:
    """mu of worm or crossed wheels that have the efficiency eta with a driving."""
    tan_a = numbers["sin_beta_a"] / numbers["cos_beta_a"]
    tan_b = numbers["sin_beta_b"] / numbers["cos_beta_b"]
    sense = ca.sign(tan_a + tan_b)
    return sense * (1 - eta) / (eta * tan_a + tan_b) / ca.sqrt(1 + numbers["tan_alpha_n"] ** 2)


def _of_efficiency(eta: ca.SX) -> ca.SX:
    return 2 * (1 - eta) / (1 + eta)


def loss_factor(geometry: MeshGeometry, numbers: Mapping[str, ca.SX], alpha_n: ca.SX) -> ca.SX:
    """H_v of wheels on parallel or meeting axes, or of a rack; addenda of one normal module."""
    z_a, z_b = geometry.teeth
    tan_beta = numbers.get("tan_beta", numbers.get("tan_spiral", ca.SX(0)))
    cos_beta = 1 / ca.sqrt(1 + tan_beta**2)
    alpha_t = ca.atan(numbers["tan_alpha_t"])
    r_a = numbers["r_a"]
    addendum = numbers["pitch"] * cos_beta / ca.pi  # a normal module
    base_pitch = numbers["pitch"] * ca.cos(alpha_t)
    scale_a = scale_b = ca.SX(1)
    if geometry.cone_angles is not None:
        scale_a, scale_b = (1 / ca.cos(angle) for angle in geometry.cone_angles)
    after = _beyond_pitch_point(r_a * scale_a, addendum, alpha_t) / base_pitch
    if not z_b:
        before, curvature = addendum / (ca.sin(alpha_t) * base_pitch), 1 / (z_a * scale_a)
    elif geometry.type == "internal":
        before = -_beyond_pitch_point(numbers["r_b"], -addendum, alpha_t) / base_pitch
        curvature = ca.SX(1 / z_a - 1 / z_b)
    else:
        before = _beyond_pitch_point(numbers["r_b"] * scale_b, addendum, alpha_t) / base_pitch
        curvature = 1 / (z_a * scale_a) + 1 / (z_b * scale_b)
    cos_beta_b = ca.sqrt(1 - (ca.sin(ca.atan(tan_beta)) * ca.cos(alpha_n)) ** 2)
    return ca.pi * curvature / cos_beta_b * (1 - before - after + before**2 + after**2)


def _beyond_pitch_point(radius: ca.SX, addendum: ca.SX, alpha_t: ca.SX) -> ca.SX:
    """Length of the line of action from the pitch point to where the tip circle of a wheel ends it."""
    base = radius * ca.cos(alpha_t)
    return ca.sqrt(ca.fmax((radius + addendum) ** 2 - base**2, 0)) - radius * ca.sin(alpha_t)
