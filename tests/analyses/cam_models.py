"""Cams with their followers, for tests."""

import itertools
from typing import Any

import numpy as np
from scipy.optimize import brentq

import wheelwork as ww

G = 9.80665
ECCENTRIC = {"type": "formula", "x": "ecc + r*cos(s)", "y": "r*sin(s)"}
"""A circle of radius r about (ecc, 0)."""


def points(count: int, x: Any, y: Any) -> dict[str, Any]:
    s = 2 * np.pi * np.arange(count) / count
    return {"type": "points", "points": [(float(a), float(b)) for a, b in zip(x(s), y(s), strict=True)]}


def circle_points(count: int) -> dict[str, Any]:
    return points(count, lambda s: 0.3 + 0.8 * np.cos(s), lambda s: 0.8 * np.sin(s))


def cam_and_follower(cam: Any, mass: float = 1.5, inertia: float = 0.4, **state: Any) -> ww.Mechanism:
    """A cam that turns about the origin under a follower that slides along y."""
    m = ww.Mechanism("cam", kind="planar", parameters={"ecc": 0.3, "r": 0.8})
    m.add("cam", ww.Body(mass=1, inertia=inertia, **state))
    m.add("follower", ww.Body(mass=mass, inertia=0.1, position=(0, 0.8)))
    m.add("bearing", ww.Revolute(bodies=("ground", "cam"), point=(0, 0)))
    m.add("guide", ww.Translational(bodies=("ground", "follower"), point=(0, 0), axis=(0, 1)))
    if cam is not None:
        m.add("contact", cam)
    return m


def flat(outline: dict[str, Any], **more: Any) -> ww.CamFlat:
    """A level face at the follower's origin."""
    return ww.CamFlat(
        bodies=("cam", "follower"),
        outline=outline,
        point_a=(0, 0),
        point_b=(0.1, 0.8),
        direction=(1, 0),
        **more,
    )


def roller(outline: dict[str, Any], y: float, **more: Any) -> ww.CamPoint:
    """The follower's origin is the point, or the centre of a roller."""
    return ww.CamPoint(bodies=("cam", "follower"), outline=outline, point_a=(0, 0), point_b=(0, y), **more)


def driven(cam: Any, speed: float = 2.0, end: float = 7.0, **more: Any) -> Any:
    m = cam_and_follower(cam, **more)
    if isinstance(cam, ww.CamPoint):
        m.bodies["follower"].position = cam.point_b
    m.add("drive", ww.JointDriver(joint="bearing", value=f"{speed}*t"))
    return m.inverse(end, output=200)


def lift(result: Any, derivative: str = "position") -> np.ndarray:
    return result[f"follower.{derivative}.y"].values


def two_cams(contact: Any, angle: float = 0.4) -> ww.Mechanism:
    """Two eccentric discs about (0, 0) and (1.3, 0), centres of the circles 0.2 and 0.15 off."""
    m = ww.Mechanism("two cams", kind="planar", gravity=(0, 0))
    first = 0.2 * np.array([np.cos(angle), np.sin(angle)])

    def gap(phi: float) -> float:
        second = np.array([1.3 + 0.15 * np.cos(phi), 0.15 * np.sin(phi)])
        return float(np.linalg.norm(second - first)) - 1.1  # radii 0.6 and 0.5

    other = brentq(gap, 1, 3)
    m.add("one", ww.Body(mass=1, inertia=0.3, angle=angle, angular_velocity=-1.0))
    m.add("two", ww.Body(mass=1, inertia=0.2, position=(1.3, 0), angle=other))
    m.add("A", ww.Revolute(bodies=("ground", "one"), point=(0, 0)))
    m.add("B", ww.Revolute(bodies=("ground", "two"), point=(1.3, 0)))
    m.add("contact", contact)
    return m


def disc(offset: float, radius: float) -> dict[str, Any]:
    return {"type": "formula", "x": f"{offset} + {radius}*cos(s)", "y": f"{radius}*sin(s)"}


def geared(wheels: int = 2, outline: dict[str, Any] = ECCENTRIC) -> ww.Mechanism:
    """A train of wheels to a cam that lifts a follower on a spring; what pushes comes with a lag of its own."""
    m = cam_and_follower(flat(outline))
    names = ["cam", *(f"w{k}" for k in range(wheels))]
    for k, (one, other) in enumerate(itertools.pairwise(names)):
        m.add(other, ww.Rotor(inertia=0.02, position=(-0.15 * (k + 1), 0)))
        m.add(f"mesh{k}", ww.ExternalMesh(bodies=(one, other), teeth=(30, 30), module=5e-3))
    ends = {"point_a": (0, 2.5), "point_b": (0, 0.8)}
    m.add("spring", ww.Spring(bodies=("ground", "follower"), stiffness=200.0, free_length=1.5, **ends))
    m.parameters |= {"wanted": 12.0}
    m.add("grip", ww.State(rate=f"20*(wanted - {names[-1]}.w - grip)", unit="N*m"))
    m.add("push", ww.Actuator(joint=f"{names[-1]}.bearing", value="grip"))
    return m
