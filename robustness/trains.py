"""Random gear trains that mesh by construction."""

from __future__ import annotations

from typing import Any

import numpy as np

from wheelwork import description as ww

from .workshop import Workshop

MODULE = 0.002

Shaft = tuple[str, np.ndarray, np.ndarray]
"""Wheel, a point of its axis, the axis's direction."""


def housing(w: Workshop) -> str:
    """What carries the shafts: ground, a body on a hinge, or one that floats."""
    kind = w.pick(["ground", "ground", "hinged", "free"])
    if kind == "ground":
        return "ground"
    name = w.body(np.zeros(3))
    if kind == "hinged":
        w.hinge("ground", name, np.zeros(3), w.direction())
    return name


def train(w: Workshop) -> None:
    """Shafts in a housing, each in mesh with one before it."""
    carrier = housing(w)
    axis = w.direction()
    shafts = [_shaft(w, carrier, np.zeros(3), axis, 0.03)]
    for _ in range(int(w.rng.integers(1, 7))):
        parent, place, line = w.pick(shafts)
        shafts.append(_driven(w, carrier, parent, place, line))
    if w.chance(0.5):
        spin(w, shafts[0][0], shafts[0][2])


def _shaft(w: Workshop, carrier: str, place: np.ndarray, axis: np.ndarray, radius: float) -> Shaft:
    name = w.wheel(place, axis, radius)
    w.hinge(carrier, name, place, axis)
    return name, place, axis


def _driven(w: Workshop, carrier: str, parent: str, place: np.ndarray, axis: np.ndarray) -> Shaft:
    """A new shaft in mesh with one that there is."""
    teeth = (int(w.rng.integers(17, 60)), int(w.rng.integers(17, 60)))
    across = np.cross(axis, w.rng.normal(size=3))
    across /= np.linalg.norm(across)
    kinds = ["external", "external", "internal", "belt"]
    kind = w.pick(kinds if w.planar else [*kinds, "bevel", "helical"])
    name = f"mesh{len(w.places)}"
    common: dict[str, Any] = {"teeth": teeth}
    if kind in ("external", "helical"):
        helix = float(w.rng.uniform(-0.4, 0.4)) if kind == "helical" else 0.0
        distance = MODULE * sum(teeth) / 2 / np.cos(helix)
        shaft = _shaft(w, carrier, place + distance * across, axis, MODULE * teeth[1] / 2)
        fields = {"helix_angle": helix} if helix else {}
        w.m.add(name, ww.ExternalMesh(bodies=(parent, shaft[0]), module=MODULE, **common, **fields))
    elif kind == "internal":
        teeth = (teeth[0], teeth[0] + int(w.rng.integers(20, 60)))
        distance = MODULE * (teeth[1] - teeth[0]) / 2
        shaft = _shaft(w, carrier, place + distance * across, axis, MODULE * teeth[1] / 2)
        w.m.add(name, ww.InternalMesh(bodies=(parent, shaft[0]), module=MODULE, teeth=teeth))
    elif kind == "belt":
        radii = tuple(float(x) for x in w.rng.uniform(0.02, 0.06, size=2))
        shaft = _shaft(w, carrier, place + 0.3 * across, axis, radii[1])
        w.m.add(name, ww.BeltMesh(bodies=(parent, shaft[0]), radii=radii, crossed=w.chance(0.3)))
    else:
        # cones that meet at an apex on both axes, at a right angle or near it
        angle = w.rng.uniform(0.4, 0.6) * np.pi
        apex = place + w.rng.uniform(0.02, 0.08) * axis
        turned = np.cos(angle) * axis + np.sin(angle) * across
        shaft = _shaft(w, carrier, apex + 0.05 * turned, turned, MODULE * teeth[1] / 2)
        w.m.add(name, ww.BevelMesh(bodies=(parent, shaft[0]), module=MODULE, **common))
    return shaft


def spin(w: Workshop, wheel: str, axis: np.ndarray, size: float = 0.5) -> None:
    """A torque on a wheel, up to a size [N m]."""
    value = float(w.rng.uniform(-size, size))
    name = "load" if "drive" in w.m.forces else "drive"
    if w.planar:
        w.m.add(name, ww.Torque(body=wheel, value=value))
    else:
        w.m.add(name, ww.Torque(body=wheel, value=w.vector(value * axis), frame="body"))


def planetary(w: Workshop) -> None:
    """Sun, ring and carrier on one axis; one of them held, or none; two to five planets that can be put in."""
    frame = housing(w)
    axis = w.direction()
    across = np.cross(axis, w.direction() if not w.planar else np.array([1.0, 0.3, 0]))
    across /= np.linalg.norm(across)
    sun_teeth, planet_teeth, count = (
        int(w.rng.integers(17, 40)),
        int(w.rng.integers(17, 40)),
        int(w.rng.integers(2, 6)),
    )
    ring_teeth = sun_teeth + 2 * planet_teeth
    arm = MODULE * (sun_teeth + planet_teeth) / 2
    centre = np.zeros(3)
    sun = w.wheel(centre, axis, MODULE * sun_teeth / 2)
    carrier = w.wheel(centre, axis, arm)
    ring = w.wheel(centre, axis, MODULE * ring_teeth / 2)
    held = w.pick([None, ring, sun, carrier])
    for member in (sun, carrier, ring):
        if member == held:
            w.join(ww.Fixed, frame, member, centre, axis)
        else:
            w.hinge(frame, member, centre, axis)
    for k in range(count):
        # whole teeth: the places at which a planet can be put in
        step = 2 * np.pi / (sun_teeth + ring_teeth)
        angle = step * round(2 * np.pi * k / count / step)
        place = arm * (np.cos(angle) * across + np.sin(angle) * np.cross(axis, across))
        planet = w.wheel(place, axis, MODULE * planet_teeth / 2)
        w.hinge(carrier, planet, place, axis)
        w.m.add(
            f"sun-{planet}",
            ww.ExternalMesh(bodies=(sun, planet), teeth=(sun_teeth, planet_teeth), module=MODULE),
        )
        w.m.add(
            f"ring-{planet}",
            ww.InternalMesh(bodies=(planet, ring), teeth=(planet_teeth, ring_teeth), module=MODULE),
        )
    if held != sun:
        spin(w, sun, axis)


def machine(w: Workshop) -> None:
    """A pair of wheels that drives a four-bar linkage, a spring and a damper on it, a motor in front."""
    axis = w.direction()
    x = np.cross(axis, w.direction())
    x /= np.linalg.norm(x)
    y = np.cross(axis, x)
    pinion, place, _ = _shaft(w, "ground", np.zeros(3), axis, 0.03)
    teeth = (int(w.rng.integers(17, 30)), int(w.rng.integers(30, 60)))
    gear, centre, _ = _shaft(w, "ground", place + MODULE * sum(teeth) / 2 * x, axis, MODULE * teeth[1] / 2)
    w.m.add("mesh", ww.ExternalMesh(bodies=(pinion, gear), teeth=teeth, module=MODULE))
    crank, rocker, base = 0.03, float(w.rng.uniform(0.09, 0.14)), 0.15
    pin = centre + crank * (np.cos(0.7) * x + np.sin(0.7) * y)
    foot = centre + base * x
    top = foot + rocker * y
    rod, arm = w.body((pin + top) / 2), w.body((top + foot) / 2)
    w.hinge(gear, rod, pin, axis)
    w.join(w.pick([ww.Revolute, ww.Spherical]), rod, arm, top, axis)
    hinge = w.hinge(arm, "ground", foot, axis)
    ends = {"point_a": w.vector(top + 0.2 * x), "point_b": w.vector(top)}
    w.m.add(
        "spring",
        ww.Spring(bodies=("ground", arm), stiffness=50.0, damping=float(w.rng.uniform(0, 2)), **ends),
    )
    if w.chance(0.5):
        w.m.add("rubbing", ww.Friction(joint=hinge, coulomb=0.01, viscous=0.01))
    spin(w, pinion, axis)
