"""Mechanisms that the tests of films share."""

from typing import Any

import wheelwork as ww

TEETH = (21, 34)
MODULE = 2e-3


def gear_pair(angle: Any = "20*t") -> ww.Mechanism:
    """A pinion about z that drives a wheel beside it against a torque, its angle [rad] prescribed."""
    r_a, r_b = (z * MODULE / 2 for z in TEETH)
    m = ww.Mechanism("pair", gravity=(0, 0, -9.81))
    for name, radius, x in (("pinion", r_a, 0.0), ("wheel", r_b, r_a + r_b)):
        shape = ww.GearBlank(pitch_radius=radius, face_width=0.01, bore_radius=0.004, axis="z")
        m.add(name, ww.Body(density=7850, shape=shape, position=(x, 0, 0)))
        m.add(f"{name}-bearing", ww.Revolute(bodies=("ground", name), point=(x, 0, 0), axis=(0, 0, 1)))
    m.add("teeth", ww.ExternalMesh(bodies=("pinion", "wheel"), teeth=TEETH, module=MODULE))
    m.add("load", ww.Actuator(joint="wheel-bearing", value=-2))
    m.add("drive", ww.JointDriver(joint="pinion-bearing", value=angle))
    return m


def swing() -> ww.Mechanism:
    """A seat on a rope with a spring: rods and springs, and a mass that moves about."""
    m = ww.Mechanism("swing")
    m.add(
        "seat",
        ww.Body(mass=1, inertia=(0.01,) * 3, position=(0.3, 0, -1), shape=ww.Box(size=(0.3, 0.2, 0.05))),
    )
    m.add("rope", ww.Rod(bodies=("ground", "seat"), point_a=(0, 0, 0), point_b=(0.3, 0, -1)))
    spring = ww.Spring(bodies=("ground", "seat"), point_a=(1, 0, -1), point_b=(0.3, 0, -1), stiffness=10)
    m.add("spring", spring)
    return m


def open_hinge() -> ww.Mechanism:
    """An arm whose hinge does not close by far."""
    m = ww.Mechanism("broken")
    m.add("arm", ww.Body(mass=1, inertia=(0.1,) * 3, position=(0.5, 0, 0), shape=ww.Box(size=(1, 0.1, 0.1))))
    frames = {"frame_a": ww.Pose(position=(0, 0, 0)), "frame_b": ww.Pose(position=(-0.9, 0, 0))}
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), **frames))
    return m
