"""Shafts: what they stand for, against bodies and joints that are written by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

import wheelwork as ww

SECTIONS = ((0.06, 0.025, 0.0), (0.09, 0.03, 0.01))
STEEL = 7850.0
OBLIQUE = (1.0, 2.0, -0.5)


def _shaft(**more) -> ww.Shaft:
    sections = tuple(ww.ShaftSection(length=l, diameter=d, bore=b) for l, d, b in SECTIONS)
    return ww.Shaft(sections=sections, **more)


def test_mass_centre_and_inertia_are_those_of_hollow_cylinders():
    m = ww.Mechanism("shaft")
    m.add("shaft", _shaft(wheels={"disc": ww.ShaftWheel(at=0.1, diameter=0.2, width=0.02, bore=0.03)}))
    body = m.check().bodies[0]
    pieces, begin = [], 0.0
    for length, outer, bore in (*SECTIONS, (0.02, 0.2, 0.03)):
        mass = STEEL * math.pi / 4 * (outer**2 - bore**2) * length
        at = begin + length / 2 if outer < 0.1 else 0.1
        begin += length
        squares = (outer**2 + bore**2) / 4
        pieces.append((mass, at, mass * squares / 2, mass * (3 * squares + length**2) / 12))
    mass = sum(one[0] for one in pieces)
    centre = sum(one[0] * one[1] for one in pieces) / mass
    across = sum(J + M * (at - centre) ** 2 for M, at, _, J in pieces)
    assert body.mass == pytest.approx(mass, rel=1e-12)
    assert list(body.principal_moments) == pytest.approx(
        sorted([sum(p[2] for p in pieces), across, across]), rel=1e-9
    )


def _by_hand(axis: tuple[float, float, float]) -> ww.Mechanism:
    """A pair of wheels on two shafts with bearings by statics: bodies, frames and joints one by one."""
    n = np.array(axis) / np.linalg.norm(axis)
    side = np.cross(n, [0.0, 0.0, 1.0])
    side /= np.linalg.norm(side)
    turn = np.cross([0, 0, 1.0], n)
    angle = math.atan2(np.linalg.norm(turn), n[2])
    along = ww.Orientation(rotation_vector=tuple(turn / np.linalg.norm(turn) * angle))
    m = ww.Mechanism("by hand")
    for name, start in (("a", np.zeros(3)), ("b", 0.05 * side)):
        pieces, begin = [], 0.0
        for length, outer, bore in SECTIONS:
            shape = (
                ww.Tube(outer_radius=outer / 2, inner_radius=bore / 2, length=length)
                if bore
                else ww.Cylinder(radius=outer / 2, length=length)
            )
            middle = tuple(n * (begin + length / 2))
            pieces.append(ww.Geometry(shape=shape, density=STEEL, position=middle, orientation=along))
            begin += length
        m.add(name, ww.Body(geometry=tuple(pieces), position=tuple(start)))
        m.add(f"{name}-wheel", ww.Frame(body=name, position=tuple(0.08 * n), orientation=along))
        m.add(f"{name}-left", ww.Spherical(bodies=("ground", name), point=tuple(start + 0.02 * n)))
        right = {"point": tuple(start + 0.14 * n), "axis": tuple(n)}
        m.add(f"{name}-right", ww.PointOnLine(bodies=("ground", name), **right))
    m.add("pair", ww.ExternalMesh(bodies=("a-wheel", "b-wheel"), teeth=(20, 30), helix_angle=0.2))
    m.add("motor", ww.Torque(body="a", value=tuple(3.0 * n)))
    return m


def _short(axis: tuple[float, float, float]) -> ww.Mechanism:
    n = np.array(axis) / np.linalg.norm(axis)
    side = np.cross(n, [0.0, 0.0, 1.0])
    side /= np.linalg.norm(side)
    m = ww.Mechanism("short")
    for name, start in (("a", (0.0, 0.0, 0.0)), ("b", tuple(0.05 * side))):
        places = {"wheels": {"wheel": ww.ShaftWheel(at=0.08)}, "axis": axis, "position": start}
        bearings = {"left": ww.ShaftBearing(at=0.02), "right": ww.ShaftBearing(at=0.14)}
        m.add(name, _shaft(bearings=bearings, **places))
    m.add("pair", ww.ExternalMesh(bodies=("a.wheel", "b.wheel"), teeth=(20, 30), helix_angle=0.2))
    m.add("motor", ww.Torque(body="a", value=tuple(3.0 * n)))
    return m


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), OBLIQUE])
def test_a_shaft_moves_and_loads_its_bearings_as_what_it_stands_for(axis):
    short, long = _short(axis).simulate(end=0.05, output=5), _by_hand(axis).simulate(end=0.05, output=5)
    names = [("a.w", "a.w"), ("b.w", "b.w"), ("pair.force.normal", "pair.force.normal")]
    names += [(f"{s}.{b}.reaction.force", f"{s}-{b}.reaction.force") for s in "ab" for b in ("left", "right")]
    for one, other in names:
        scale = np.abs(long[other]).max()
        np.testing.assert_allclose(short[one], long[other], atol=1e-7 * scale, err_msg=one)


def test_in_a_component_that_is_turned_it_turns_too():
    inner = _short((1.0, 0.0, 0.0))
    del inner.forces["motor"]
    inner.gravity = None
    outer = ww.Mechanism("outer", gravity=(0, 0, 0))
    outer.add(
        "box",
        ww.Component(model=inner, position=(1, 2, 3), orientation=ww.Orientation(axis=(0, 0, 1), angle=1.1)),
    )
    outer.add("motor", ww.Torque(body="box.a", value=(3 * math.cos(1.1), 3 * math.sin(1.1), 0)))
    alone = _short((1.0, 0.0, 0.0))
    alone.gravity = (0, 0, 0)
    r, s = outer.simulate(end=0.05, output=5), alone.simulate(end=0.05, output=5)
    np.testing.assert_allclose(np.linalg.norm(r["box.a.w"], axis=1), s["a.w.x"], rtol=1e-7, atol=1e-9)


def test_without_bearings_it_has_a_revolute_joint_and_with_stiffness_elastic_ones():
    m = ww.Mechanism("ideal")
    m.add("shaft", _shaft(speed=5.0))
    assert m.simulate(end=0.1, output=2)["shaft.bearing.angle"][-1] == pytest.approx(0.5)
    m = ww.Mechanism("elastic")
    stiff = {"radial_stiffness": 1e7, "radial_damping": 1e3}
    bearings = {
        "left": ww.ShaftBearing(at=0.02, axial_stiffness=1e7, axial_damping=1e3, **stiff),
        "right": ww.ShaftBearing(at=0.14, **stiff),
    }
    m.add("shaft", _shaft(bearings=bearings))
    r = m.equilibrium()
    weight = m.check().bodies[0].mass * 9.80665
    assert float(r["shaft.left.force.z"] + r["shaft.right.force.z"]) == pytest.approx(weight, rel=1e-6)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"sections": ()}, "needs at least one section"),
        ({"axis": (0, 0, 0)}, "axis"),
        ({"bearings": {"left": ww.ShaftBearing(at=0.02)}}, "one bearing alone does not hold the axis"),
        ({"wheels": {"w": ww.ShaftWheel(at=0.02)}}, "`w` is a signal of bodies"),
        (
            {"wheels": {"disc": ww.ShaftWheel(at=0.2)}},
            "is not on the shaft, which ends at 0.15 m, but at 0.2 m",
        ),
        ({"wheels": {"x y": ww.ShaftWheel(at=0.02)}}, "is not a name"),
        (
            {"bearings": {n: ww.ShaftBearing(at=0.02, locating=True) for n in ("left", "right")}},
            "`left` and `right` all hold the shaft along its axis",
        ),
        (
            {"bearings": {n: ww.ShaftBearing(at=0.02, locating=False) for n in ("left", "right")}},
            "no bearing holds the shaft along its axis",
        ),
    ],
)
def test_what_is_wrong_is_said(more, said):
    with pytest.raises(ww.ModelError, match=said):
        ww.Shaft(**{"sections": (ww.ShaftSection(length=0.15, diameter=0.03),), **more})


def test_what_is_wrong_for_values_of_parameters_is_said_once_and_of_the_shaft():
    m = ww.Mechanism("shaft", parameters={"place": 0.1})
    m.add("shaft", _shaft(wheels={"disc": ww.ShaftWheel(at="place")}))
    m.simulate(end=0.01)
    with pytest.raises(ww.ModelError) as caught:
        m.with_parameters(place=0.2).simulate(end=0.01)
    assert [problem.path for problem in caught.value.problems] == ["bodies.shaft.wheels.disc.at"]


def test_a_shaft_survives_saving():
    m = _short(OBLIQUE)
    again = ww.loads(m.to_yaml())
    assert again.bodies == m.bodies
