"""Scalars of which mesh rows are made: angles of a wheel, offsets of axes, each with its columns and gamma.

All are exact at any state; none assumes that axes are parallel, meet or keep their distance.

    l = p_b - p_a      between the wheels' centres
    z_a, z_b           the wheels' axes;  c = z_a . z_b,  n = z_a x z_b,  m = |n|
    D u                u' - w x u, the rate of a vector u as seen from a wheel
"""

from __future__ import annotations

from collections.abc import Sequence

from wheelwork.lazy import casadi as ca

from .frames import Marker
from .rows import Row, offset_along, perpendicular


def exchanged(row: Row) -> Row:
    """A row written for (b, a), as a row for (a, b)."""
    return Row(
        row.value, row.b_linear, row.b_angular, row.a_linear, row.a_angular, gamma=row.gamma, nu=row.nu
    )


def combination(*terms: tuple[ca.SX | float, Row]) -> Row:
    """Sum of rows with constant factors."""
    (factor, first), *others = terms
    total = Row(
        factor * first.value,
        factor * first.a_linear,
        factor * first.a_angular,
        factor * first.b_linear,
        factor * first.b_angular,
        factor * first.gamma,
    )
    for factor, row in others:
        total = total.plus(row, factor)
    return total


def chained(
    value: ca.SX, a: Marker, b: Marker, rows: Sequence[Row], first: Sequence[ca.SX], second: ca.SX
) -> Row:
    """A function of scalars that are rows themselves: f(x_1, ...), with its first and second partial derivatives.

    G^ = sum f_i G^_i;  gamma = sum f_i gamma_i - sum f_ij x_i' x_j'.
    """
    total = combination(*zip(first, rows, strict=True))
    rates = ca.vertcat(*(row.rate(a, b) for row in rows))
    bend = ca.dot(rates, ca.mtimes(second, rates))
    return Row(
        value, total.a_linear, total.a_angular, total.b_linear, total.b_angular, gamma=total.gamma - bend
    )


def _seen_from(wheel: Marker, u: ca.SX, rate: ca.SX, acceleration: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
    """Angle phi of a vector u about a wheel's z axis from its x axis; T with phi' = T . D u; gamma.

    T = z x u/|z x u|^2. With u's acceleration u'' where bodies have none, and D u = u' - w x u:
    phi'' = T . (u'' - w x (u' + D u)) - 2 phi' (u . D u - (u . z)(z . D u))/|z x u|^2.
    """
    across = ca.cross(wheel.ez, u)
    square = ca.dot(across, across)
    T = across / square  # s/|l|, with s = a x e of Vlasenko, Kasper
    w = wheel.body.w
    relative = rate - ca.cross(w, u)
    along = ca.dot(ca.cross(across, wheel.ez), relative) / square
    gamma = 2 * ca.dot(T, relative) * along - ca.dot(T, acceleration - ca.cross(w, rate + relative))
    # (15) over a whole turn, by atan2 in place of asin, from a's x axis in place of e_0
    return ca.atan2(ca.dot(u, wheel.ey), ca.dot(u, wheel.ex)), T, gamma


def angle_to_centre(a: Marker, b: Marker) -> Row:
    """Angle about z_a from a's x axis to the line of centres l, in (-pi, pi].

    phi' = T . (l' - w_a x l), T = z_a x l/|z_a x l|^2.
    """
    l = b.p - a.p  # Vlasenko, Kasper (8)
    # phi' is minus their (20), alpha'^i = s . (omega_b^i x e^i): omega_b^i x l = w_a x l - l' by (18), (24), with l' =
    # u^Cj - u^Ci of (23). r_a and r_b times it add up to (21), with omega_b^i x p^i in its second term, (22) and (25).
    phi, T, gamma = _seen_from(a, l, b.velocity - a.velocity, b.centripetal - a.centripetal)
    return Row(  # of T . (x_b' + w_b x s_b - x_a' - w_a x (s_a + l)) by the triple product, as (26), (27)
        phi, a_linear=-T, a_angular=ca.cross(T, a.s + l), b_linear=T, b_angular=ca.cross(b.s, T), gamma=gamma
    )


def angle_to_direction(a: Marker, b: Marker, u: ca.SX) -> Row:
    """Angle about z_a from a's x axis to the projection of a direction u fixed in b, in (-pi, pi].

    phi' = T . ((w_b - w_a) x u), T = z_a x u/|z_a x u|^2.
    """
    rate = ca.cross(b.body.w, u)
    phi, T, gamma = _seen_from(a, u, rate, ca.cross(b.body.w, rate))
    arm = ca.cross(u, T)
    return Row(phi, a_angular=-arm, b_angular=arm, gamma=gamma)


def angles_to_the_other_axis(a: Marker, b: Marker) -> tuple[Row, Row]:
    """About z_a to the projection of z_b, and about z_b to that of z_a."""
    return angle_to_direction(a, b, b.ez), exchanged(angle_to_direction(b, a, a.ez))


def along_axis_of_a(a: Marker, b: Marker) -> Row:
    """l . z_a."""
    return offset_along(a, a.ez, b)


def along_axis_of_b(a: Marker, b: Marker) -> Row:
    """l . z_b."""
    return combination((-1.0, exchanged(offset_along(b, b.ez, a))))


def triple(a: Marker, b: Marker) -> Row:
    """l . (z_a x z_b): the distance of the axes times the sine of the angle between them.

    G^ v = n . l' + w_a . (z_a x (z_b x l)) + w_b . (z_b x (l x z_a)).
    """
    l, rate = b.p - a.p, b.velocity - a.velocity
    w_a, w_b = a.body.w, b.body.w
    n = ca.cross(a.ez, b.ez)
    rate_a, rate_b = ca.cross(w_a, a.ez), ca.cross(w_b, b.ez)
    n_rate = ca.cross(rate_a, b.ez) + ca.cross(a.ez, rate_b)
    n_acceleration = (
        ca.cross(ca.cross(w_a, rate_a), b.ez)
        + 2 * ca.cross(rate_a, rate_b)
        + ca.cross(a.ez, ca.cross(w_b, rate_b))
    )
    gamma = -(ca.dot(n_acceleration, l) + 2 * ca.dot(n_rate, rate) + ca.dot(n, b.centripetal - a.centripetal))
    return Row(
        ca.dot(l, n),
        a_linear=-n,
        a_angular=ca.cross(a.ez, ca.cross(b.ez, l)) - ca.cross(a.s, n),
        b_linear=n,
        b_angular=ca.cross(b.ez, ca.cross(l, a.ez)) + ca.cross(b.s, n),
        gamma=gamma,
    )


def distance_of_axes(a: Marker, b: Marker) -> Row:
    """l . n/m: distance of the axes along their common perpendicular, positive where that leads from a to b."""
    N, cosine = triple(a, b), perpendicular(a, a.ez, b, b.ez)
    c, over = cosine.value, 1 / (1 - cosine.value**2)
    root = ca.sqrt(over)
    value = N.value * root
    mixed = c * over * root
    second = ca.vertcat(ca.horzcat(0, mixed), ca.horzcat(mixed, value * over * (1 + 3 * c**2 * over)))
    return chained(value, a, b, [N, cosine], [root, value * c * over], second)


def feet_of_common_perpendicular(a: Marker, b: Marker) -> tuple[Row, Row]:
    """h_a, h_b: where the common perpendicular of the axes meets them, from the centres along z_a and z_b.

    With p = l . z_a, q = l . z_b:  h_a = (p - q c)/m^2,  h_b = (p c - q)/m^2.
    """
    p_row, q_row = along_axis_of_a(a, b), along_axis_of_b(a, b)
    cosine = perpendicular(a, a.ez, b, b.ez)
    p, q, c = p_row.value, q_row.value, cosine.value
    over = 1 / (1 - c**2)
    straight, skewed = 2 * c * over**2, (1 + c**2) * over**2
    feet = []
    for value, f_p, f_q, slope, f_pc, f_qc in (
        ((p - q * c) * over, over, -c * over, -q, straight, -skewed),
        ((p * c - q) * over, c * over, -over, p, skewed, -straight),
    ):
        f_c = (slope + 2 * c * value) * over
        f_cc = (2 * value + 4 * c * f_c) * over
        second = ca.vertcat(ca.horzcat(0, 0, f_pc), ca.horzcat(0, 0, f_qc), ca.horzcat(f_pc, f_qc, f_cc))
        feet.append(chained(value, a, b, [p_row, q_row, cosine], [f_p, f_q, f_c], second))
    return feet[0], feet[1]
