"""Wheels on axes that cross without meeting: crossed helical wheels, worm and wheel.

The pitch cylinders touch on the common perpendicular of the axes, rho being its direction from a to b. The tooth
directions there agree if z_b is z_a turned by -(beta_a + beta_b) about rho; a line has two senses, so z_b is taken in
the one that fits.

Worm (a) with z_a threads and lead angle gamma, wheel (b), axes at a right angle, m the axial module of the worm, which
is the transverse module of the wheel::

    beta_a = 90 deg - gamma,  beta_b = gamma        of the same hand
    r_b = z_b m/2,   r_a tan(gamma) = z_a m/2,   r_a + r_b = distance of the axes
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from .axes import Pair, Wanted
from .bevel import nearest_points
from .faults import TOLERANCE, MeshFault, agree, degrees, millimetres
from .geometry import MeshGeometry, WheelFrame
from .site import MeshPlace
from .whole_numbers import sizes_of_ratio

HALF_TURN = np.pi


def crossed(site: MeshPlace) -> MeshGeometry:
    reader = site.reader
    betas = reader.pair("helix_angles")
    assert betas is not None
    cosines = ca.cos(betas[0]), ca.cos(betas[1])
    radii = reader.given_radii(cosines)
    known = None if radii is None else site.number(radii[0] + radii[1])
    axes = site.axes(Wanted("axes that cross", site.cross, known))
    centers, distance = _centers(site, axes)
    sizes = reader.wheels(cosines, distance)
    radii = reader.closed(sizes, distance, cosines)
    return _geometry(site, axes, centers, distance, betas, radii, sizes.teeth, sizes.counts)


def worm(site: MeshPlace) -> MeshGeometry:
    axes = site.axes(Wanted("axes that cross", site.cross))
    centers, distance = _centers(site, axes)
    cosine = abs(float(axes[0].along @ axes[1].along))
    if cosine > TOLERANCE:
        text = f"the axes of worm and wheel cross at {degrees(float(np.arccos(min(cosine, 1.0))))}"
        raise MeshFault(
            f"{text}, but must at a right angle", "turn one of them, or describe the pair as `crossed`"
        )
    teeth = site.reader.pair("teeth")
    if teeth is None:
        whole, teeth = sizes_of_ratio(site.place.value(site.mesh.ratio), site.number)
    else:
        whole = round(site.number(teeth[0])), round(site.number(teeth[1]))
    site.reader.check_ratio(teeth)
    r_a, r_b = _worm_radii(site, teeth, distance)
    lead_angle = ca.atan2(r_b * teeth[0], teeth[1] * r_a)
    hand = 1 if site.mesh.hand == "right" else -1
    betas = hand * (ca.pi / 2 - lead_angle), hand * lead_angle
    return _geometry(site, axes, centers, distance, betas, (r_a, r_b), whole, teeth)


def _geometry(
    site: MeshPlace,
    axes: Pair,
    centers: tuple[ca.SX, ca.SX],
    distance: ca.SX,
    betas: tuple[ca.SX, ca.SX],
    radii: tuple[ca.SX, ca.SX],
    teeth: tuple[int, int],
    counts: tuple[ca.SX, ca.SX],
) -> MeshGeometry:
    rho = (centers[1] - centers[0]) / distance
    z_a, z_b = (axis.direction for axis in axes)
    _check_angle(site, axes, rho, betas)
    _check_efficiency(site, betas)
    # z_a turned by -(beta_a + beta_b) about rho
    angle = betas[0] + betas[1]
    expected = z_a * ca.cos(angle) - ca.cross(rho, z_a) * ca.sin(angle)
    z_b = z_b * ca.sign(ca.dot(z_b, expected))
    # exactly the ratio of the teeth
    r_a = radii[0]
    r_b = r_a * (counts[1] / counts[0]) * ca.cos(betas[0]) / ca.cos(betas[1])
    return site.geometry(
        axes,
        (WheelFrame(centers[0], z_a, rho), WheelFrame(centers[1], z_b, rho)),
        teeth,
        {
            "r_a": r_a,
            "r_b": r_b,
            "cos_beta_a": ca.cos(betas[0]),
            "sin_beta_a": ca.sin(betas[0]),
            "cos_beta_b": ca.cos(betas[1]),
            "sin_beta_b": ca.sin(betas[1]),
            "tan_alpha_n": ca.tan(site.pressure_angle),
            "pitch": 2 * ca.pi * r_b / counts[1],
        },
        distance,
        contact=centers[0] + r_a * rho,
        helical=True,
    )


def _centers(site: MeshPlace, axes: Pair) -> tuple[tuple[ca.SX, ca.SX], ca.SX]:
    """The feet of the common perpendicular, and their distance; the axes are checked."""
    a, b = axes
    first, second = site.mesh.bodies
    names = f"the axes of `{first}` ({a.source}) and `{second}` ({b.source})"
    if a.is_parallel(b):
        raise MeshFault(f"{names} are parallel, but must cross", "wheels on parallel axes are `external`")
    if not site.cross(a, b):
        raise MeshFault(f"{names} meet, but must pass each other", "wheels whose axes meet are `bevel`")
    centers = nearest_points(a, b)
    return centers, ca.norm_2(centers[1] - centers[0])


def _check_angle(site: MeshPlace, axes: Pair, rho: ca.SX, betas: tuple[ca.SX, ca.SX]) -> None:
    """The axes, as lines, are at the sum of the helix angles, in the sense that goes with their hands."""
    a, b = axes
    across = np.cross(a.along, b.along) @ site.vector(rho)
    needed = float(np.arctan2(-across, a.along @ b.along))
    given = [site.number(beta) for beta in betas]
    if _line_angle(needed - sum(given)) <= TOLERANCE:
        return
    # of the two angles between lines, the one nearer to the helix angles says best what to change
    needed += HALF_TURN * round((sum(given) - needed) / HALF_TURN)
    angles = f"helix angles of {degrees(given[0])} and {degrees(given[1])}"
    text = f"the axes cross at {degrees(needed)}, but {angles} make {degrees(sum(given))}"
    hint = f"the helix angles, positive right-handed, must sum up to {degrees(needed)}"
    if _line_angle(needed + sum(given)) <= TOLERANCE:
        hint = "the hands are the wrong way round: change the signs of both helix angles"
    raise MeshFault(text, hint, "helix_angles")


def _check_efficiency(site: MeshPlace, betas: tuple[ca.SX, ca.SX]) -> None:
    """With opposite hands the teeth roll more than they slide: not every efficiency can be had; see `losses`."""
    given = site.mesh.efficiency
    if given is None:
        return
    eta = site.number(site.place.value(given))
    tan_a, tan_b = (float(np.tan(site.number(beta))) for beta in betas)
    if np.sign(tan_a + tan_b) * (eta * tan_a + tan_b) <= 0:
        text = (
            f"wheels with helix angles of {degrees(site.number(betas[0]))} and {degrees(site.number(betas[1]))} "
            f"lose less than that: their efficiency is more than {abs(tan_b / tan_a):.6g}, whatever the friction, "
            f"but {eta:g} is given"
        )
        raise MeshFault(text, "give a greater efficiency, or `friction` instead", "efficiency")


def _line_angle(angle: float) -> float:
    """Angle between two lines, regardless of their senses."""
    return abs(angle - HALF_TURN * round(angle / HALF_TURN))


def _worm_radii(site: MeshPlace, teeth: tuple[ca.SX, ca.SX], distance: ca.SX) -> tuple[ca.SX, ca.SX]:
    """Pitch radii of worm and wheel, from what is given of radii, diameter, module, lead angle and the distance."""
    reader, n = site.reader, site.number
    radii, module, diameter = reader.pair("radii"), reader.value("module"), reader.value("diameter")
    gamma = reader.value("lead_angle")
    # r_a tan(gamma) = q r_b
    q = teeth[0] / teeth[1]
    r_a = radii[0] if radii else None if diameter is None else diameter / 2
    r_b = radii[1] if radii else None if module is None else module * teeth[1] / 2
    if gamma is None:
        if r_a is None and r_b is None:
            text = "worm and wheel have no size: beside the distance of the axes one more number is needed"
            raise MeshFault(text, "give `module`, `lead_angle` or `diameter`", "lead_angle")
        if r_a is None:
            assert r_b is not None
            r_a = distance - r_b
        r_b = distance - r_a if r_b is None else r_b
    else:
        slope = ca.tan(gamma) / q  # r_b over r_a
        if r_a is None:
            r_a = distance / (1 + slope) if r_b is None else r_b / slope
        r_b = slope * r_a if r_b is None else r_b
    sizes = f"pitch radii of {millimetres(n(r_a))} and {millimetres(n(r_b))}"
    for name, given, made in (
        ("diameter", diameter, 2 * r_a),
        ("module", module, 2 * r_b / teeth[1]),
        ("lead_angle", gamma, ca.atan2(q * r_b, r_a)),
    ):
        if given is not None and not agree(n(given), n(made)):
            show = degrees if name == "lead_angle" else millimetres
            text = f"`{name}` is {show(n(given))}, but {sizes} make {show(n(made))}"
            raise MeshFault(text, "leave one of the sizes out", name)
    if min(n(r_a), n(r_b)) <= 0 or not agree(n(r_a + r_b), n(distance)):
        text = f"the axes are {millimetres(n(distance))} apart, but {sizes} need {millimetres(n(r_a + r_b))}"
        hint = f"move the axes to {millimetres(n(r_a + r_b))}, or leave out one of the sizes"
        if n(r_a) <= 0:
            hint = f"the axes must be more than {millimetres(n(r_b))} apart, or the module smaller"
        elif n(r_b) <= 0:
            hint = f"the axes must be more than {millimetres(n(r_a))} apart, or the worm thinner"
        raise MeshFault(text, hint)
    return r_a, r_b
