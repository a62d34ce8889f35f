"""From a description to its gear train: links, joints with their axes, gear pairs with signed ratios, masses.

A thin adapter: what a mesh is (axes, teeth, radii) is settled by its `geometry`, what it loses by
:mod:`wheelwork.layout.losses`; what follows from that is the business of :mod:`wheelwork.trains`. It stands here
because the graph shall know nothing of expressions.

    joint                        in the graph (its `in_train`)
    fixed                        the two bodies are one link
    planar                       the same, where two bodies have three whose normals span space
    revolute, cylindrical, screw turning pair; that the last two also move along their axis does not matter for gears
    prismatic                    sliding pair
    constant_velocity, universal couplings of shafts (:mod:`wheelwork.trains.shaft_couplings`), as are springs between
                                 shafts, bushings that hold against turning, play and torque limiters
    others                       left out, and listed; those that a shaft may stand in serve as its bearings where
                                 it has no other (:mod:`wheelwork.trains.elastic_supports`), and so do elastic bearings
                                 and bushings

Ratios, planetary gears and differentials are gear pairs whose carrier is given; couplers are equations between rates of
joints. What slips (clutches, torque converters) is listed as left out; a clutch can be closed (`GearTrain.close`).

A rack that holds its pinion's distance (in the plane) is a carriage with two joints as well.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.description import ModelError
from wheelwork.description.formula import NUMERIC, Formula
from wheelwork.layout.losses import loss_coefficient
from wheelwork.lazy import casadi as ca
from wheelwork.trains.axes import Axis
from wheelwork.trains.train import GearEdge, GearTrain, Mass, Pair, ShaftCoupling, Support, exact

if TYPE_CHECKING:
    from wheelwork.description import Flat
    from wheelwork.layout.meshes import MeshGeometry

    from .layout import Layout


def gear_train(layout: Layout) -> GearTrain:
    """The gear train of a mechanism at its given position; meshes that do not fit are a `ModelError`."""
    flat = layout.flat
    train = GearTrain(flat.name)
    train.bodies += list(flat.bodies)
    for a, b in layout.rigid_pairs:
        train.fixed(a, b)
    one_link = {frozenset(pair) for pair in layout.rigid_pairs}
    for name, placed in flat.joints.items():
        if frozenset(layout.joint(name).bodies) not in one_link:
            _add_joint(train, layout, name, placed)
    for placed in flat.forces.values():
        if placed.element.is_bearing:
            _add_bearing(train, layout, placed)
        placed.element.join_train(train, layout, placed)
    for name, geometry in layout.meshes.items():
        gear = _gear(layout, name, geometry)
        if geometry.holds_distance:
            _add_carriage(train, gear)
        train.add_gear(gear)
    for name in flat.bodies:
        train.masses[name] = _mass(layout, name)
    return train


def steady_drivers(flat: Flat) -> dict[str, Fraction]:
    """Joints that a driver of the description turns or moves steadily, with their rates [rad/s or m/s]."""
    values = flat.values
    out: dict[str, Fraction] = {}
    for placed in flat.drivers.values():
        driver: Any = placed.element
        if not driver.drives_joint or not isinstance(driver.value, Formula):
            continue
        try:
            at = [driver.value.evaluate({**values, "t": t}.__getitem__, NUMERIC) for t in (0.0, 1.0, 2.0)]
        except KeyError:  # it follows a signal
            continue
        rate = at[1] - at[0]
        if abs(at[2] - at[1] - rate) <= 1e-12 * max(map(abs, at)):
            out[driver.joint] = exact(float(rate))
    return out


def _add_joint(train: GearTrain, layout: Layout, name: str, placed: Any) -> None:
    joint = placed.element
    a, b = joint.bodies
    if joint.in_train in ("coupling", "mean coupling"):
        lines = [
            _axis(layout, body, marker, 2)
            for body, marker in zip((a, b), layout.joint(name).markers, strict=True)
        ]
        train.shaft_couplings[name] = ShaftCoupling(
            name,
            (a, b),
            joint.type,
            (lines[0].point, lines[1].point),
            (lines[0].direction, lines[1].direction),
            on_average=joint.in_train == "mean coupling",
            source=placed,
        )
    elif joint.in_train in ("turning", "sliding"):
        column = "xyz".index(joint.along_in_plane) if layout.flat.kind == "planar" else 2
        axis = _axis(layout, a, layout.joint(name).markers[0], column)
        train.add_pair(Pair(name, (a, b), axis, joint.in_train, placed))
    else:
        train.left_out[name] = joint.type
        if joint.in_train == "support":
            point = _axis(layout, a, layout.joint(name).markers[0], 2).point
            train.supports[name] = Support(name, (a, b), point)


def _add_bearing(train: GearTrain, layout: Layout, placed: Any) -> None:
    """An elastic bearing, or a bushing; one with rotational stiffness about its axis holds."""
    bearing, place = placed.element, layout.place(placed)
    a, b = bearing.bodies
    holds = bearing.holds_turning(lambda value: float(layout.number(place.value(value))[0]))
    line = _axis(layout, a, place.joint_frames(bearing)[0], 2)
    train.supports[placed.name] = Support(placed.name, (a, b), line.point, holds)
    if holds:
        train.shaft_couplings[placed.name] = ShaftCoupling(
            placed.name,
            (a, b),
            bearing.type,
            (line.point, line.point),
            (line.direction, line.direction),
            elastic=True,
            source=placed,
        )


def _add_carriage(train: GearTrain, gear: GearEdge) -> None:
    """A rack that keeps its pinion at its distance stands for a carriage that slides on it and carries the pinion."""
    assert gear.axes is not None
    pinion, rack = gear.links
    carriage = f"{gear.name}.carriage"
    train.add_pair(Pair(f"{carriage}.rails", (rack, carriage), gear.axes[1], "sliding", gear.source))
    train.add_pair(Pair(f"{carriage}.axle", (carriage, pinion), gear.axes[0], "turning", gear.source))


def _axis(layout: Layout, body: str, record: ca.SX, column: int) -> Axis:
    """A line of a marker in the world."""
    frame, number = layout.in_world(body, record), layout.number
    return Axis.through(number(frame.position).tolist(), number(frame.axes[:, column]).tolist())


def _gear(layout: Layout, name: str, geometry: MeshGeometry) -> GearEdge:
    placed = layout.flat.meshes[name]
    mesh: Any = placed.element
    is_rack = mesh.b_is_rack
    axes = tuple(
        _axis(layout, body, record, column)
        for body, record, column in zip(
            geometry.bodies, geometry.markers, (2, 0 if is_rack else 2), strict=True
        )
    )
    radii = tuple(float(layout.number(r)[0]) for r in geometry.radii)
    if is_rack:
        sizes = (exact(radii[0]), Fraction(1))
        radii = (radii[0], 1.0)
    else:
        sizes = (Fraction(geometry.teeth[0]), Fraction(geometry.teeth[1]))
    counted = not is_rack and mesh.has_teeth
    return GearEdge(
        name,
        geometry.bodies,
        sizes,
        1 if mesh.turns_same_way else -1,
        (axes[0], axes[1]),
        geometry.type,
        (radii[0], radii[1]),
        _efficiency(layout, placed, geometry),
        counted,
        placed,
        geometry.joints,
        b_slides=is_rack,
    )


def _efficiency(layout: Layout, placed: Any, geometry: MeshGeometry) -> tuple[float, float]:
    """Power out over power in against the carrier, when a drives and when b drives.

    Friction c |F_t| against rolling: (1 - c/2)/(1 + c/2) either way. Along the teeth of crossed wheels, with speeds
    w_a = 1, w_b = -r_a cos(beta_a)/(r_b cos(beta_b)) and the sliding speed
    s = r_a sin(beta_a) w_a - r_b sin(beta_b) w_b:

        tau_a = -F_t r_a cos(beta_a)/cos(beta_b) - c |F_t| sign(s) r_a sin(beta_a)
        tau_b = -F_t r_b + c |F_t| sign(s) r_b sin(beta_b)

    a drives for F_t > 0. For a worm that is tan(gamma)/tan(gamma + rho'), and tan(gamma - rho')/tan(gamma) backwards;
    negative where it is self-locking.
    """
    equations = geometry.equations
    mesh = placed.element
    value, number = layout.place(placed).value, layout.number
    try:
        coefficient = loss_coefficient(mesh, placed.name, equations, geometry.numbers, value, layout.teeth)
    except ValueError as error:
        raise ModelError(placed.problem(str(error))) from None
    if coefficient is None:
        return 1.0, 1.0
    c = float(number(coefficient)[0])
    if not equations.slides:
        eta = (1 - c / 2) / (1 + c / 2)
        return eta, eta
    x = {name: float(number(v)[0]) for name, v in geometry.numbers.items()}
    w_b = -x["r_a"] * x["cos_beta_a"] / (x["r_b"] * x["cos_beta_b"])
    slip = np.sign(x["r_a"] * x["sin_beta_a"] - x["r_b"] * x["sin_beta_b"] * w_b)
    powers = []
    for force in (1.0, -1.0):
        tau_a = -force * x["r_a"] * x["cos_beta_a"] / x["cos_beta_b"] - c * slip * x["r_a"] * x["sin_beta_a"]
        tau_b = -force * x["r_b"] + c * slip * x["r_b"] * x["sin_beta_b"]
        powers.append((tau_a, tau_b * w_b))
    (a_drives, b_driven), (a_driven, b_drives) = powers
    return -b_driven / a_drives, -a_driven / b_drives


def _mass(layout: Layout, name: str) -> Mass:
    body, at, number = layout.flat.bodies[name].element, layout.bodies[name], layout.number
    mass, tensor = body.mass_properties(layout.parameters.value)
    R = number(at.frame.axes).reshape(3, 3)
    local = np.array([[float(number(x)[0]) for x in row] for row in tensor])
    J = R @ local @ R.T
    x, y, z = (float(v) for v in number(at.frame.point(at.center)))
    rows = tuple((float(a), float(b), float(c)) for a, b, c in J)
    return Mass(float(number(mass)[0]), (x, y, z), (rows[0], rows[1], rows[2]))
