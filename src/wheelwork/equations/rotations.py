"""Rotation matrices from the orientations that a description may use; R maps body axes to world axes.

Euler parameters are (w, x, y, z). Euler zxz angles (psi, theta, sigma): R = Rz(psi) Rx(theta) Rz(sigma) (the
convention of Bai's course notes, (1.9)). Bryant angles: R = Rx(a) Ry(b) Rz(c). Rodrigues parameters r
are Euler parameters (1, r), normalised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wheelwork.lazy import casadi as ca

if TYPE_CHECKING:
    from .values import ParameterSymbols


def about(axis: int, angle: ca.SX) -> ca.SX:
    """Rotation about a coordinate axis."""
    c, s = ca.cos(angle), ca.sin(angle)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    R = ca.SX.eye(3)
    R[j, j], R[j, k], R[k, j], R[k, k] = c, -s, s, c
    return R


def about_vector(axis: ca.SX, angle: ca.SX) -> ca.SX:
    """Rotation by `angle` about `axis` (any length but zero): Rodrigues' formula."""
    unit = axis / ca.norm_2(axis)
    K = ca.skew(unit)
    return ca.SX.eye(3) + ca.sin(angle) * K + (1 - ca.cos(angle)) * ca.mtimes(K, K)


def from_rotation_vector(vector: ca.SX) -> ca.SX:
    """Rotation about `vector` by its length, which may be zero, now or for other values of the parameters."""
    square = ca.dot(vector, vector)
    turned = square > 0
    angle = ca.sqrt(ca.if_else(turned, square, 1.0))
    K = ca.skew(vector)
    first = ca.if_else(turned, ca.sin(angle) / angle, 1.0)
    second = ca.if_else(turned, 2 * (ca.sin(angle / 2) / angle) ** 2, 0.5)
    return ca.SX.eye(3) + first * K + second * ca.mtimes(K, K)


def from_euler_parameters(e: ca.SX) -> ca.SX:
    """R of Euler parameters of any length (they are normalised here)."""
    return rotation_of_unit_parameters(e / ca.norm_2(e))


def rotation_of_unit_parameters(e: ca.SX) -> ca.SX:
    """R of Euler parameters that have length 1, as they have in a run."""
    w, x, y, z = ca.vertsplit(e)
    return ca.vertcat(
        ca.horzcat(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        ca.horzcat(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        ca.horzcat(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def rotation(orientation: Any, parameters: ParameterSymbols) -> ca.SX:
    """R of a description's orientation."""
    if orientation.euler_parameters is not None:
        return from_euler_parameters(parameters.vector(orientation.euler_parameters))
    if orientation.euler_zxz is not None:
        psi, theta, sigma = ca.vertsplit(parameters.vector(orientation.euler_zxz))
        # the matrix of which Bai (1.9) gives the angular velocity in body axes, by psi', theta', sigma'
        return ca.mtimes([about(2, psi), about(0, theta), about(2, sigma)])
    if orientation.bryant_xyz is not None:
        a, b, c = ca.vertsplit(parameters.vector(orientation.bryant_xyz))
        return ca.mtimes([about(0, a), about(1, b), about(2, c)])
    if orientation.rodrigues is not None:
        return from_euler_parameters(ca.vertcat(1, parameters.vector(orientation.rodrigues)))
    if orientation.rotation_vector is not None:
        return from_rotation_vector(parameters.vector(orientation.rotation_vector))
    if orientation.axis is not None:
        return about_vector(parameters.vector(orientation.axis), parameters.value(orientation.angle))
    return ca.SX.eye(3)


def frame_along(z: ca.SX) -> ca.SX:
    """A right-handed frame (columns) with its third axis along z; x is the world axis least along z, made square.

    The choice of that axis is part of the expression, so that it suits any value of the parameters in z.
    """
    z = z / ca.norm_2(z)
    x_size, y_size, z_size = ca.vertsplit(ca.fabs(z))
    take_x = ca.logic_and(x_size <= y_size, x_size <= z_size)
    take_y = (1 - take_x) * (y_size <= z_size)
    y = ca.cross(z, ca.vertcat(take_x, take_y, 1 - take_x - take_y))
    y = y / ca.norm_2(y)
    return ca.horzcat(ca.cross(y, z), y, z)


def frame_about(z: ca.SX, x: ca.SX) -> ca.SX:
    """A frame (columns) with its third axis along z and its first along the part of x at a right angle to z."""
    z = z / ca.norm_2(z)
    x = x - ca.dot(x, z) * z
    x = x / ca.norm_2(x)
    return ca.horzcat(x, ca.cross(z, x), z)
