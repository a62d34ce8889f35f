"""Driven gears: a rigid mesh closes in every tooth alike, so coarse outputs must not let it slip by some."""

import numpy as np
import pytest

import wheelwork as ww

PAIR = """
kind: {kind}
bodies:
  pinion: {{mass: 1, inertia: {inertia}}}
  wheel: {{mass: 2, inertia: {inertia}, position: [0.055, 0{zero}]}}
joints:
  a: {{type: revolute, bodies: [ground, pinion], point: [0, 0{zero}], axis: [0, 0, 1]}}
  b: {{type: revolute, bodies: [ground, wheel], point: [0.055, 0{zero}], axis: [0, 0, 1]}}
meshes:
  m: {{type: external, bodies: [pinion, wheel], teeth: [21, 34], module: 2 mm}}
drivers:
  d: {{type: joint, joint: a, value: "{law}"}}
"""
RACK = """
gravity: [0, 0, 0]
bodies:
  pinion: {{mass: 1, inertia: [1, 1, 1]}}
  bar: {{mass: 2, inertia: [1, 1, 1], position: [0, -0.02, 0]}}
joints:
  a: {{type: revolute, bodies: [ground, pinion], point: [0, 0, 0], axis: [0, 0, 1]}}
  b: {{type: prismatic, bodies: [ground, bar], point: [0, -0.02, 0], axis: [1, 0, 0]}}
meshes:
  m: {{type: rack, bodies: [pinion, bar], teeth: 20, module: 2 mm}}
drivers:
  d: {{type: joint, joint: a, value: "{law}"}}
"""
LAWS = {
    "speeding up": ("200*t + 500*t^2", lambda t: 200 * t + 500 * t**2),
    "to and fro": ("30*sin(9*t)", lambda t: 30 * np.sin(9 * t)),
    "with a kick": ("5*t + 40*exp(-200*(t - 0.2)^2)", lambda t: 5 * t + 40 * np.exp(-200 * (t - 0.2) ** 2)),
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("kind", ["spatial", "planar"])
def test_wheels_keep_their_teeth(kind, law):
    text, exact = LAWS[law]
    planar = kind == "planar"
    fields = {"zero": "" if planar else ", 0", "inertia": 1 if planar else "[1, 1, 1]"}
    m = ww.loads(PAIR.format(kind=kind, law=text, **fields))
    r = m.kinematics(end=0.4, output=20)
    assert np.array(r["b.angle"]) == pytest.approx(-21 / 34 * exact(r.t), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_racks_keep_their_teeth(law):
    text, exact = LAWS[law]
    r = ww.loads(RACK.format(law=text)).kinematics(end=0.4, output=20)
    moved = np.abs(np.array(r["bar.position"])[:, 0])
    assert moved == pytest.approx(np.abs(0.02 * exact(r.t)), abs=1e-10)
