"""Mechanisms that several tests share, with dimensions as arguments."""

import numpy as np

import wheelwork as ww

G = 9.80665


def box_inertia(mass, a, b, c):
    return mass * (b * b + c * c) / 12, mass * (a * a + c * c) / 12, mass * (a * a + b * b) / 12


def pendulum(length=1.0, mass=2.0, inertia=0.3, angle=0.0, speed=None):
    """A body at `length` from a hinge about y, at `angle` below level."""
    m = ww.Mechanism("pendulum")
    c, s = np.cos(angle), np.sin(angle)
    body = ww.Body(
        mass=mass,
        inertia=(inertia, inertia, inertia),
        position=(length * c, 0, -length * s),
        orientation={"axis": (0, 1, 0), "angle": angle},
        angular_velocity=None if speed is None else (0, speed, 0),
    )
    m.add("arm", body)
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0, 0), axis=(0, 1, 0)))
    return m


def link(start, end, mass=1.0, width=0.05, **more):
    """A bar between two points of the x-z plane, its own x axis along it."""
    (x0, z0), (x1, z1) = start, end
    length = np.hypot(x1 - x0, z1 - z0)
    return ww.Body(
        mass=mass,
        inertia=box_inertia(mass, length, width, width),
        position=((x0 + x1) / 2, 0, (z0 + z1) / 2),
        orientation={"axis": (0, 1, 0), "angle": -np.arctan2(z1 - z0, x1 - x0)},
        **more,
    )


def hinge(a, b, point):
    """A full revolute joint about y at a point of the x-z plane."""
    return ww.Revolute(bodies=(a, b), point=(point[0], 0, point[1]), axis=(0, 1, 0))


def four_bar(A=(0, 0), B=(0, 0.2), C=(0.4, 0.45), D=(0.5, 0)):
    """Three links with full hinges at the given points: one degree of freedom, three redundant constraints."""
    m = ww.Mechanism("four-bar")
    m.add("crank", link(A, B, mass=0.5))
    m.add("coupler", link(B, C, mass=1.2))
    m.add("rocker", link(D, C, mass=0.9))
    m.add("A", hinge("ground", "crank", A))
    m.add("B", hinge("crank", "coupler", B))
    m.add("C", hinge("coupler", "rocker", C))
    m.add("D", hinge("ground", "rocker", D))
    return m


def slider_crank(crank=0.1, rod=0.3, angle=np.pi / 2):
    """In the x-z plane, the slide along x through the crank's bearing; each joint as full as it comes."""
    pin = crank * np.cos(angle), crank * np.sin(angle)
    end = pin[0] + np.sqrt(rod**2 - pin[1] ** 2), 0.0
    m = ww.Mechanism("slider-crank")
    m.add("crank", link((0, 0), pin, mass=0.4))
    m.add("rod", link(pin, end, mass=0.6))
    m.add("slider", ww.Body(mass=1.5, inertia=(0.01, 0.01, 0.01), position=(end[0], 0, 0)))
    m.add("bearing", hinge("ground", "crank", (0, 0)))
    m.add("pin", hinge("crank", "rod", pin))
    m.add("wrist", hinge("rod", "slider", end))
    m.add("slide", ww.Prismatic(bodies=("ground", "slider"), point=(end[0], 0, 0), axis=(1, 0, 0)))
    return m


def parallelogram():
    """Cranks of 1 m, 2 m apart: flat positions in which it can become an antiparallelogram."""
    m = four_bar((0, 0), (0, 1), (2, 1), (2, 0))
    m.name = "parallelogram"
    return m


def motor_pendulum():
    """Length, mass and the torque of its motor are parameters."""
    m = ww.Mechanism("pendulum", parameters={"length": 0.5, "mass": 1.0, "torque": 0.0})
    m.add("bob", ww.Body(mass="mass", inertia=(0.01, 0.01, 0.01), position=("length", 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
    m.add("motor", ww.Actuator(joint="hinge", value="torque"))
    return m
