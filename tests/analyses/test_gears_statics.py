"""Bearing loads of gears at rest, by the statics of text-books.

A shaft stands on a locating bearing (all forces) and a floating one (radial forces), so that its reactions follow from
statics. Torques at the shafts' ends are in balance over the gears, nothing moves, and tangential forces are torques
over pitch radii. The parts of the tooth force are those of every text-book (R. G. Budynas, J. K. Nisbett, Shigley's
Mechanical Engineering Design, ch. 13, force analysis of helical, bevel and worm gearing):

    helical   W_r = W_t tan(phi_n)/cos(psi),  W_a = W_t tan(psi)
    bevel     W_r = W_t tan(phi) cos(gamma),  W_a = W_t tan(phi) sin(gamma)
    worm      tangential : radial : axial = cos(phi_n) sin(lambda) : sin(phi_n) : cos(phi_n) cos(lambda)
"""

from typing import Any

import numpy as np
import pytest

import wheelwork as ww

from .shafts import add_shaft, bearing_forces

X, Y, Z = np.eye(3)
ALPHA = np.radians(20)
WEIGHT = np.array([0.0, -9.80665, 0.0])
EXACT = 1e-9


def at_rest(m: ww.Mechanism) -> Any:
    r = m.simulate(end=0.01, output=2)
    assert r.outcome.good, r.report
    assert np.abs([r[f"{body}.w"].to_numpy() for body in m.bodies]).max() < 1e-12
    return r


def reactions(r: Any, shaft: str) -> tuple[np.ndarray, np.ndarray]:
    found = [r[f"{shaft}-{bearing}.reaction.force"].to_numpy() for bearing in "AB"]
    for force in found:
        assert force == pytest.approx(np.broadcast_to(force[0], force.shape), abs=1e-9)
    return found[0][-1], found[1][-1]


def agrees(found: Any, exact: Any) -> None:
    scale = max(np.abs(force).max() for force in exact)
    for one, other in zip(found, exact, strict=True):
        assert one == pytest.approx(other, abs=EXACT * scale)


@pytest.mark.parametrize("direction", [1.0, -1.0])
@pytest.mark.parametrize("hands", [(1, 1), (1, -1), (-1, 1)])
def test_two_stage_helical_reducer(direction, hands):
    """Shafts along z; the thrusts of the two wheels on the middle shaft add or cancel, by their hands."""
    torque = 35.0 * direction
    beta_1, beta_2 = hands[0] * np.radians(15), hands[1] * np.radians(10)
    teeth, modules = ((19, 61), (17, 53)), (2e-3, 3e-3)
    r_1, r_2 = (z * modules[0] / 2 / np.cos(beta_1) for z in teeth[0])
    r_3, r_4 = (z * modules[1] / 2 / np.cos(beta_2) for z in teeth[1])
    turn = np.radians(40)  # the second stage is at an angle to the first
    u_1, u_2 = X, np.cos(turn) * X + np.sin(turn) * Y
    plane_1, plane_2 = 0.05 * Z, 0.13 * Z
    middle = (r_1 + r_2) * u_1
    output = middle + (r_3 + r_4) * u_2
    m = ww.Mechanism("reducer", gravity=tuple(WEIGHT))
    bearings = {
        "in": (0 * Z, 0.09 * Z),
        "mid": (middle, middle + 0.18 * Z),
        "out": (output, output + 0.17 * Z),
    }
    centres = {"in": 0.04 * Z, "mid": middle + 0.1 * Z, "out": output + 0.12 * Z}
    for name, (A, B) in bearings.items():
        add_shaft(m, name, Z, A, B, position=tuple(centres[name]))
    for name, pair, (at_a, at_b), z, module, beta in (
        ("first", ("in", "mid"), (plane_1, middle + plane_1), teeth[0], modules[0], beta_1),
        ("second", ("mid", "out"), (middle + plane_2, output + plane_2), teeth[1], modules[1], beta_2),
    ):
        axes = {"point_a": tuple(at_a), "axis_a": (0, 0, 1), "point_b": tuple(at_b), "axis_b": (0, 0, 1)}
        m.add(name, ww.ExternalMesh(bodies=pair, teeth=z, module=module, helix_angle=beta, **axes))
    m.add("motor", ww.Torque(body="in", value=(0, 0, torque)))
    m.add("load", ww.Torque(body="out", value=(0, 0, -torque * r_2 / r_1 * r_4 / r_3)))
    r = at_rest(m)

    F_1, F_2 = torque / r_1, -torque * r_2 / r_1 / r_3  # the middle shaft turns the other way
    assert r["first.force.tangential"].to_numpy() == pytest.approx(F_1, rel=EXACT)
    assert r["second.force.tangential"].to_numpy() == pytest.approx(F_2, rel=EXACT)
    on_mid = _helical(F_1, u_1, beta_1)
    on_out = _helical(F_2, u_2, beta_2)
    P_1, P_2 = r_1 * u_1 + plane_1, middle + r_3 * u_2 + plane_2
    loads = {
        "in": [(-on_mid, P_1)],
        "mid": [(on_mid, P_1), (-on_out, P_2)],
        "out": [(on_out, P_2)],
    }
    for name, (A, B) in bearings.items():
        agrees(
            reactions(r, name),
            bearing_forces(Z, A, B, [*loads[name], (WEIGHT, centres[name])]),
        )
    # thrusts on the middle shaft: of the same hand they cancel in part, of opposite hands they add
    thrusts = [r["first.b.force.axial"].to_numpy()[-1], r["second.a.force.axial"].to_numpy()[-1]]
    assert abs(thrusts[0]) == pytest.approx(abs(F_1 * np.tan(beta_1)), rel=EXACT)
    # the pinion of stage two has beta_2, the wheel of stage one -beta_1: the same hand where these agree
    same_hand = hands[1] == -hands[0]
    assert (thrusts[0] * thrusts[1] < 0) == same_hand


def _helical(force: float, e: np.ndarray, beta: float) -> np.ndarray:
    """Force on the driven wheel; e from the driver's axis to the driven one's, axes along z."""
    radial = abs(force) * np.tan(ALPHA) / np.cos(beta)
    return force * np.cross(Z, e) - force * np.tan(beta) * Z + radial * e


@pytest.mark.parametrize("direction", [1.0, -1.0])
@pytest.mark.parametrize("spiral", [0.0, 35.0, -35.0])
def test_bevel_pair_with_an_overhung_pinion(direction, spiral):
    """Axes at a right angle; on the gear radial and axial force are the pinion's exchanged."""
    psi, torque, z, module, width = np.radians(spiral), 60.0 * direction, (15, 45), 5e-3, 30e-3
    gamma = np.arctan2(z[0], z[1])
    mean = z[0] * module / 2 - width / 2 * np.sin(gamma)
    cone = mean / np.sin(gamma)
    P = cone * (np.cos(gamma) * Z + np.sin(gamma) * X)  # apex at the origin, pinion along z, gear along x
    bearings = {"pinion": (0.20 * Z, 0.15 * Z), "gear": (0.06 * X, -0.08 * X)}
    places = {"pinion": 0.10 * Z, "gear": 0.03 * X}
    m = ww.Mechanism("bevel", gravity=tuple(WEIGHT))
    for name, axis in (("pinion", Z), ("gear", X)):
        add_shaft(m, name, axis, *bearings[name], position=tuple(places[name]))
    axes = {"point_a": (0, 0, 0.1), "axis_a": (0, 0, 1), "point_b": (0.03, 0, 0), "axis_b": (1, 0, 0)}
    mesh = ww.BevelMesh(
        bodies=("pinion", "gear"), teeth=z, module=module, face_width=width, spiral_angle=psi, **axes
    )
    m.add("mesh", mesh)
    m.add("motor", ww.Torque(body="pinion", value=(0, 0, torque)))
    m.add("load", ww.Torque(body="gear", value=(torque * z[1] / z[0], 0, 0)))
    r = at_rest(m)

    F = torque / mean
    inward = (abs(F) * np.tan(ALPHA) * np.cos(gamma) - F * np.sin(psi) * np.sin(gamma)) / np.cos(psi)
    outward = (abs(F) * np.tan(ALPHA) * np.sin(gamma) + F * np.sin(psi) * np.cos(gamma)) / np.cos(psi)
    on_pinion = -F * Y - inward * X + outward * Z
    assert r["mesh.force.tangential"].to_numpy() == pytest.approx(F, rel=EXACT)
    assert r["mesh.a.force.radial"].to_numpy() == pytest.approx(-inward, rel=EXACT)
    assert r["mesh.a.force.axial"].to_numpy() == pytest.approx(outward, rel=EXACT)
    assert r["mesh.b.force.radial"].to_numpy() == pytest.approx(-outward, rel=EXACT)
    assert r["mesh.b.force.axial"].to_numpy() == pytest.approx(inward, rel=EXACT)
    for name, axis, force in (("pinion", Z, on_pinion), ("gear", X, -on_pinion)):
        loads = [(force, P), (WEIGHT, places[name])]
        agrees(reactions(r, name), bearing_forces(axis, *bearings[name], loads))


@pytest.mark.parametrize("direction", [1.0, -1.0])
@pytest.mark.parametrize("hand", ["right", "left"])
def test_worm_without_friction(direction, hand):
    """The tangential force of one is the axial force of the other; F_t1 = F_t2 tan(gamma)."""
    threads, z, module, gamma = 3, 44, 4e-3, np.radians(18)
    sign = 1.0 if hand == "right" else -1.0
    r_1, r_2 = threads * module / 2 / np.tan(gamma), z * module / 2
    torque = 12.0 * direction
    above = (r_1 + r_2) * Z
    bearings = {"worm": (-0.12 * X, 0.1 * X), "wheel": (above - 0.07 * Y, above + 0.09 * Y)}
    places = {"worm": 0.02 * X, "wheel": above + 0.01 * Y}
    m = ww.Mechanism("worm", gravity=tuple(WEIGHT))
    for name, axis in (("worm", X), ("wheel", Y)):
        add_shaft(m, name, axis, *bearings[name], position=tuple(places[name]))
    axes = {"point_a": (0, 0, 0), "axis_a": (1, 0, 0), "point_b": tuple(above), "axis_b": (0, 1, 0)}
    mesh = ww.WormMesh(bodies=("worm", "wheel"), teeth=(threads, z), module=module, hand=hand, **axes)
    m.add("mesh", mesh)
    m.add("motor", ww.Torque(body="worm", value=(torque, 0, 0)))
    # a right-handed thread that turns about +x drives a nut to -x: the wheel above it turns about +y
    m.add("load", ww.Torque(body="wheel", value=(0, -sign * torque * z / threads, 0)))
    r = at_rest(m)

    F_2 = torque / r_1 / np.tan(gamma)
    assert np.abs(r["mesh.force.tangential"].to_numpy()) == pytest.approx(abs(F_2), rel=EXACT)
    radial = abs(F_2) * np.tan(ALPHA) / np.cos(gamma)
    # at the top of a worm that turns about x the surface moves to -y
    on_wheel = -torque / r_1 * Y - sign * F_2 * X + radial * Z
    for name, axis, force in (("worm", X, -on_wheel), ("wheel", Y, on_wheel)):
        loads = [(force, r_1 * Z), (WEIGHT, places[name])]
        agrees(reactions(r, name), bearing_forces(axis, *bearings[name], loads))
