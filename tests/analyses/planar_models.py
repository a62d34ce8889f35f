"""Planar mechanisms that several tests share, with dimensions as arguments."""

from typing import Any

import numpy as np

import wheelwork as ww

G = 9.80665
Point = tuple[float, float]


def link(start: Point, end: Point, mass: float = 1.0, **more: Any) -> ww.Body:
    """A thin bar between two points, its own x axis along it."""
    (x0, y0), (x1, y1) = start, end
    length = float(np.hypot(x1 - x0, y1 - y0))
    return ww.Body(
        mass=mass,
        inertia=mass * length**2 / 12,
        position=((x0 + x1) / 2, (y0 + y1) / 2),
        angle=float(np.arctan2(y1 - y0, x1 - x0)),
        **more,
    )


def hinge(a: str, b: str, point: Point) -> ww.Revolute:
    return ww.Revolute(bodies=(a, b), point=point)


def pendulum(
    length: float = 1.0, mass: float = 2.0, inertia: float = 0.3, angle: float = 0.0
) -> ww.Mechanism:
    """A body at `length` from a hinge, at `angle` above level."""
    m = ww.Mechanism("pendulum", kind="planar")
    at = (length * np.cos(angle), length * np.sin(angle))
    m.add("arm", ww.Body(mass=mass, inertia=inertia, position=at, angle=angle))
    m.add("hinge", hinge("ground", "arm", (0, 0)))
    return m


def four_bar(
    A: Point = (0, 0), B: Point = (0, 0.2), C: Point = (0.4, 0.45), D: Point = (0.5, 0)
) -> ww.Mechanism:
    """Three links with hinges at the given points: one degree of freedom."""
    m = ww.Mechanism("four-bar", kind="planar")
    m.add("crank", link(A, B, mass=0.5))
    m.add("coupler", link(B, C, mass=1.2))
    m.add("rocker", link(D, C, mass=0.9))
    m.add("A", hinge("ground", "crank", A))
    m.add("B", hinge("crank", "coupler", B))
    m.add("C", hinge("coupler", "rocker", C))
    m.add("D", hinge("ground", "rocker", D))
    return m


def slider_crank(crank: float = 0.1, rod: float = 0.3, angle: float = np.pi / 2) -> ww.Mechanism:
    """The slide along x through the crank's bearing; the slider starts on its right."""
    pin = (crank * float(np.cos(angle)), crank * float(np.sin(angle)))
    end = (pin[0] + float(np.sqrt(rod**2 - pin[1] ** 2)), 0.0)
    m = ww.Mechanism("slider-crank", kind="planar")
    m.add("crank", link((0, 0), pin, mass=0.4))
    m.add("rod", link(pin, end, mass=0.6))
    m.add("slider", ww.Body(mass=1.5, inertia=0.01, position=end))
    m.add("bearing", hinge("ground", "crank", (0, 0)))
    m.add("pin", hinge("crank", "rod", pin))
    m.add("wrist", hinge("rod", "slider", end))
    m.add("slide", ww.Translational(bodies=("ground", "slider"), point=end, axis=(1, 0)))
    return m


def slider_motion(a: Any, w: Any, dw: Any, crank: float, rod: float) -> tuple[Any, Any, Any]:
    """x, x', x'' of the slider from the crank's angle above level, its rate and acceleration.

    x = c + R with c = r cos a, h = r sin a, R = sqrt(l^2 - h^2); R' = -h h'/R, h' = c w, c' = -h w.
    """
    h, c = crank * np.sin(a), crank * np.cos(a)
    root = np.sqrt(rod**2 - h**2)
    along = -h - h * c / root  # dx/da
    second = -c - ((c * c - h * h) / root + (h * c) ** 2 / root**3)  # d2x/da2
    return c + root, along * w, second * w**2 + along * dw


def parallelogram() -> ww.Mechanism:
    """Cranks of 1 m, 2 m apart: flat positions in which it can become an antiparallelogram."""
    m = four_bar((0, 0), (0, 1), (2, 1), (2, 0))
    m.name = "parallelogram"
    return m
