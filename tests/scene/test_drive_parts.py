"""Symbols of clutches, ratios and the like: each is drawn, halves turn with their shafts, ratios have true sizes."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.description.registry import family
from wheelwork.show.scene import make_scene
from wheelwork.show.scene.drive_parts import DRAWN

TWO = {"bodies": ("s0", "s1")}
CURVES = {"speed_ratio": (0, 1), "torque_ratio": (2, 1), "capacity": (0.1, 0)}
ELEMENTS = {
    "clutch": (ww.Clutch(torque=1, **TWO), ("s0", "s1")),
    "brake": (ww.Brake(joint="s0.bearing", torque=1), ("s0", "ground")),
    "one_way": (ww.OneWayClutch(**TWO), ("s0", "s1")),
    "limiter": (ww.TorqueLimiter(torque=1, **TWO), ("s0", "s1")),
    "dogs": (ww.DogClutch(closed=0, dogs=6, **TWO), ("s0", "s1")),
    "synchroniser": (ww.Synchroniser(torque=1, closed=0, **TWO), ("s0", "s1")),
    "play": (ww.Clearance(play=0.1, stiffness=1e3, **TWO), ("s0", "s1")),
    "ratio": (ww.Ratio(ratio=3, support="ground", **TWO), ("s0", "s1", "ground")),
    "planetary": (ww.Planetary(sun="s0", ring="s1", carrier="s2", ratio=3), ("s0", "s1", "s2")),
    "differential": (ww.Differential(left="s0", right="s1", carrier="s2"), ("s0", "s1", "s2")),
    "converter": (ww.TorqueConverter(pump="s0", turbine="s1", **CURVES), ("s0", "s1", "ground")),
}


def scene_of(element, kind="spatial", apart=0.0, axis=(0, 0, 1)):
    m = ww.Mechanism("drive", kind=kind, gravity=(0, 0, 0) if kind == "spatial" else (0, 0))
    for k in range(3):
        m.add(
            f"s{k}",
            ww.Rotor(
                inertia=0.2, axis=axis, position=(apart * k, 0, 0) if kind == "spatial" else (apart * k, 0)
            ),
        )
    m.add("it", element)
    return make_scene(m.simulate(end=0.01, output=1, progress=False).motion)


def owned(scene):
    """Parts of the symbol by body."""
    names = {-1: "ground", **dict(enumerate(scene.names))}
    parts = [part for part in scene.parts if part.name == "it"]
    return {
        name: [p.solid for p in parts if names[p.body] == name] for name in {names[p.body] for p in parts}
    }


def test_every_symbol_that_an_element_names_can_be_drawn_and_is_here():
    named = {cls.drive_symbol for cls in family("forces").values()} - {""}
    assert named == set(DRAWN) == {*ELEMENTS, "coupler"}


@pytest.mark.parametrize("kind", ["spatial", "planar"])
@pytest.mark.parametrize("name", ELEMENTS)
def test_each_shaft_has_its_part(name, kind):
    element, bodies = ELEMENTS[name]
    found = owned(scene_of(element, kind))
    assert set(found) == set(bodies)
    assert all(np.isfinite(solid.corners).all() for solids in found.values() for solid in solids)


@pytest.mark.parametrize("name", ELEMENTS)
def test_symbols_lie_across_their_axis_whichever_it_is(name):
    """They are as long along a slanting axis as along z."""
    element, bodies = ELEMENTS[name]
    slanting, upright = owned(scene_of(element, axis=(2, -1, 2))), owned(scene_of(element))
    for body in bodies:
        own, other = (np.concatenate([x.corners for x in found[body]]) for found in (slanting, upright))
        assert np.ptp(own @ (2, -1, 2)) / 3 == pytest.approx(np.ptp(other[:, 2]), rel=1e-9)


def test_a_planetary_gear_is_not_drawn_into_a_clutch():
    """Between ring and carrier, where sun and ring have a clutch between them."""
    m = ww.Mechanism("drive", gravity=(0, 0, 0))
    for k in range(3):
        m.add(f"s{k}", ww.Rotor(inertia=0.2, position=(0, 0, k)))
    m.add("it", ELEMENTS["planetary"][0])
    m.add("between", ww.Clutch(torque=1, **TWO))
    found = owned(make_scene(m.simulate(end=0.01, output=1, progress=False).motion))
    assert np.mean(found["s0"][0].corners[:, 2]) == pytest.approx(1.5)


def radius(solids):
    return max(float(np.hypot(*solid.corners[:, :2].T).max()) for solid in solids)


def test_discs_are_as_wide_as_what_is_on_their_shafts():
    """Of 0.1 m here; and not less than half of the usual, which goes with the size of the mechanism."""

    def width(distance):
        m = ww.Mechanism("long", kind="planar", gravity=(0, 0))
        shape = {"type": "disc", "radius": 0.1, "thickness": 0.05}
        for k, x in enumerate((0.0, 0.0, distance)):
            m.add(f"s{k}", ww.Body(mass=1, shape=shape, position=(x, 0)))
            m.add(f"j{k}", ww.Revolute(bodies=("ground", f"s{k}"), point=(x, 0)))
        m.add("it", ww.Clutch(torque=1, **TWO))
        return radius(owned(make_scene(m.simulate(end=0.01, output=1, progress=False).motion))["s0"])

    assert width(1.0) == pytest.approx(0.1, rel=1e-9)
    assert width(20.0) == pytest.approx(7 * 0.014 * 20.2 / 2, rel=0.05)
    assert width(0.3) < 0.1


def test_wheels_of_a_ratio_touch_and_those_of_a_planetary_gear_fit():
    found = owned(scene_of(ww.Ratio(ratio=-3, support="ground", **TWO), apart=1.0))
    assert radius(found["s0"]) == pytest.approx(0.25, rel=1e-9)
    assert radius(found["s1"]) == pytest.approx(0.75, rel=1e-9)
    found = owned(scene_of(ELEMENTS["planetary"][0]))
    sun, ring, planets = (radius(found[name]) for name in ("s0", "s1", "s2"))
    assert ring / sun == pytest.approx(1.12 * 3, rel=1e-9)  # with the rim
    assert planets == pytest.approx(ring / 1.12, rel=0.02)  # drawn a little smaller, to be told apart


def test_a_coupler_is_a_strand_from_joint_to_joint():
    scene = scene_of(
        ww.Coupler(joints=[{"joint": f"s{k}.bearing", "factor": x} for k, x in enumerate((1, -2, 3))]),
        apart=1.0,
    )
    strands = [line for line in scene.lines if line.kind == "strand"]
    assert [(a[0], b[0]) for a, b in (line.ends for line in strands)] == [(0, 1), (1, 2)]
