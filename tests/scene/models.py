"""Gear trains with rigid meshes that a driver turns once around in 1 s."""

from typing import Any

import numpy as np

import wheelwork as ww

X, Y, Z = np.eye(3)
M = 2e-3
"""Module, m."""


def turning(m: ww.Mechanism, joint: str, frames: int = 40) -> Any:
    """The motion while a joint turns once around."""
    m.add("drive", ww.JointDriver(joint=joint, value="2*pi*t"))
    return m.kinematics(end=1, output=frames).motion


def wheel(
    m: ww.Mechanism, name: str, point: Any, axis: Any = Z, carrier: str = "ground", **more: Any
) -> None:
    """A body on a bearing of the same name and `-bearing`."""
    at = tuple(map(float, point))
    m.add(name, ww.Body(mass=1, inertia=(0.01, 0.01, 0.01), position=at, **more))
    joint = ww.Revolute(bodies=(carrier, name), point=at, axis=tuple(map(float, axis)))
    m.add(f"{name}-bearing", joint)


def pair(
    mesh: Any, point_b: Any, axis_b: Any = Z, axis_a: Any = Z, point_a: Any = (0, 0, 0), **more: Any
) -> ww.Mechanism:
    """Wheels a and b in a housing."""
    m = ww.Mechanism("pair")
    wheel(m, "a", point_a, axis_a, **more)
    wheel(m, "b", point_b, axis_b, **more)
    m.add("mesh", mesh)
    return m


def external(teeth: tuple[int, int] = (17, 29), beta: float = 0.0, **more: Any) -> ww.Mechanism:
    distance = sum(teeth) * M / 2 / np.cos(beta) + more.pop("apart", 0.0)
    mesh = ww.ExternalMesh(bodies=("a", "b"), teeth=teeth, module=M, helix_angle=beta, **more)
    return pair(mesh, (0.6 * distance, 0.8 * distance, 0))


def internal(teeth: tuple[int, int] = (20, 53), beta: float = 0.0, **more: Any) -> ww.Mechanism:
    distance = (teeth[1] - teeth[0]) * M / 2 / np.cos(beta)
    mesh = ww.InternalMesh(bodies=("a", "b"), teeth=teeth, module=M, helix_angle=beta, **more)
    return pair(mesh, (0, -distance, 0))


def rack(beta: float = 0.0, **more: Any) -> ww.Mechanism:
    m = ww.Mechanism("rack")
    wheel(m, "a", (0, 0, 0))
    radius = 15 * M / 2 / np.cos(beta)
    m.add("b", ww.Body(mass=1, inertia=(1, 1, 1), position=(0, -radius, 0)))
    m.add("slide", ww.Prismatic(bodies=("ground", "b"), point=(0, -radius, 0), axis=(1, 0, 0)))
    m.add("mesh", ww.RackMesh(bodies=("a", "b"), teeth=15, module=M, helix_angle=beta, **more))
    return m


def bevel(teeth: tuple[int, int] = (14, 23), angle: float = np.pi / 2, **more: Any) -> ww.Mechanism:
    axis_b = np.array([np.sin(angle), 0, np.cos(angle)])
    mesh = ww.BevelMesh(bodies=("a", "b"), teeth=teeth, module=M, face_width=10e-3, **more)
    return pair(mesh, 0.02 * axis_b, axis_b, Z, 0.04 * Z)


def crossed(betas: tuple[float, float], teeth: tuple[int, int] = (16, 25)) -> ww.Mechanism:
    radii = [z * M / 2 / np.cos(beta) for z, beta in zip(teeth, betas, strict=True)]
    angle = -sum(betas)
    axis_b = np.array([0, -np.sin(angle), np.cos(angle)])
    mesh = ww.CrossedMesh(bodies=("a", "b"), teeth=teeth, module=M, helix_angles=betas)
    return pair(mesh, sum(radii) * X, axis_b)


def worm(threads: int = 2, hand: str = "right") -> ww.Mechanism:
    mesh = ww.WormMesh(bodies=("a", "b"), teeth=(threads, 31), module=M, diameter=20e-3, hand=hand)
    return pair(mesh, (10e-3 + 31 * M / 2) * X, Y)


def compound(beta: float = 0.0) -> ww.Mechanism:
    """Two wheels on the middle shaft, side by side, and a third wheel that comes back to the first of them."""
    m, r = ww.Mechanism("compound"), M / 2 / np.cos(beta)
    wheel(m, "first", (0, 0, 0))
    wheel(m, "middle", ((17 + 31) * r, 0, 0))
    wheel(m, "last", ((17 + 31) * r, (13 + 37) * r, 0))
    wheel(m, "idler", ((17 + 31) * r + (31 + 19) * r * np.cos(2.1), -(31 + 19) * r * np.sin(2.1), 0))
    kind = {"type": "external", "module": M, "helix_angle": beta, "face_width": 12e-3}
    high = {"point_a": ((17 + 31) * r, 0, 0.03), "axis_a": (0, 0, 1)}
    m.add("one", ww.ExternalMesh(bodies=("first", "middle"), teeth=(17, 31), **kind))
    m.add("two", ww.ExternalMesh(bodies=("middle", "last"), teeth=(13, 37), **kind, **high))
    m.add("three", ww.ExternalMesh(bodies=("idler", "middle"), teeth=(19, 31), **kind))
    return m


def planetary(beta: float = 0.0, planets: int = 3, **more: Any) -> ww.Mechanism:
    """A helical stage with its ring on the ground; sun 18, planets 21, ring 60 teeth: 78 is 3 times 26."""
    m, r = ww.Mechanism("planetary"), M / 2 / np.cos(beta)
    wheel(m, "sun", (0, 0, 0))
    m.add("arm", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add("main", ww.Revolute(bodies=("ground", "arm"), point=(0, 0, 0), axis=(0, 0, 1)))
    common = {"module": M, "helix_angle": beta, **more}
    for k in range(planets):
        turn = 2 * np.pi * k / planets + 0.3
        wheel(m, f"planet{k}", (39 * r * np.cos(turn), 39 * r * np.sin(turn), 0), carrier="arm")
        m.add(f"sun-{k}", ww.ExternalMesh(bodies=("sun", f"planet{k}"), teeth=(18, 21), **common))
        ring = {**common, "helix_angle": -beta, "point_b": (0, 0, 0), "axis_b": (0, 0, 1)}
        m.add(f"ring-{k}", ww.InternalMesh(bodies=(f"planet{k}", "ground"), teeth=(21, 60), **ring))
    return m
