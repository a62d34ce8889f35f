"""Meshes in numbers, for the tests of their geometry."""

import math

import casadi as ca
import numpy as np
import pytest

from wheelwork.description import ModelError, loads
from wheelwork.layout import layout_of

TAN30 = math.tan(math.radians(30))


class Resolved:
    """A mesh of a mechanism in numbers, at some values of its parameters."""

    def __init__(self, text, mesh="m", **parameters):
        self.layout = layout_of(loads(text))
        self.geometry = self.layout.meshes[mesh]
        self.values = {**self.layout.flat.values, **parameters}
        self.joints, self.carrier = self.geometry.joints, self.geometry.carrier
        self.teeth = self.geometry.teeth
        self.numbers = {name: float(self.at(value)[0]) for name, value in self.geometry.numbers.items()}
        self.contact = self.at(self.geometry.contact)
        self.distance = float(self.at(self.geometry.distance)[0])
        self.frames = [self._frame(side) for side in range(2)]

    def at(self, expression):
        return self.layout.number(expression, self.values)

    def _frame(self, side):
        """Centre and axes of a wheel in the world."""
        frame = self.layout.in_world(self.geometry.bodies[side], self.geometry.markers[side])
        return self.at(frame.position), self.at(ca.vec(frame.axes)).reshape(3, 3).T

    def __getattr__(self, name):
        try:
            return self.numbers[name]
        except KeyError:
            raise AttributeError(name) from None

    def velocity(self, side, speed):
        """Of the wheel's material point at the contact point."""
        center, axes = self.frames[side]
        return speed * np.cross(axes[:, 2], self.contact - center)

    def tooth(self, side):
        """Direction of a helical tooth at the contact point: right-handed for a positive helix angle."""
        center, axes = self.frames[side]
        z, arm = axes[:, 2], self.contact - center
        outward = arm - z * (z @ arm)
        outward /= np.linalg.norm(outward)
        cosine, sine = (self.numbers[f"{f}_beta_{'ab'[side]}"] for f in ("cos", "sin"))
        return cosine * z + sine * np.cross(z, outward)


def message_of(text):
    with pytest.raises(ModelError) as caught:
        Resolved(text)
    return str(caught.value)


PARALLEL = """
parameters: {d: 60 mm}
bodies:
  a: {type: rotor, inertia: 1, position: [1, 0, 0], axis: [0, 1, 1]}
  b: {type: rotor, inertia: 1, position: [1 + d, 0.3, 0.3], axis: [0, -1, -1]}
meshes:
  m: {bodies: [a, b], %s}
"""
MEETING = """
bodies:
  a: {type: rotor, inertia: 1, position: [0, 0, 50 mm]}
  b: {type: rotor, inertia: 1, position: [40 mm, 0, %s], axis: [-1, 0, %s]}
meshes:
  m: {type: bevel, bodies: [a, b], %s}
"""
CROSSING = """
bodies:
  a: {type: rotor, inertia: 1, position: [0, 0, 50 mm]}
  b: {type: rotor, inertia: 1, position: [60 mm, 0.2, %s], axis: [0, 1, %s]}
meshes:
  m: {bodies: [a, b], %s}
"""
RACK = """
bodies:
  a: {type: rotor, inertia: 1, position: [5 mm, 0, 0]}
  b: {mass: 1, inertia: [1, 1, 1], position: [0, -30 mm, 0]}
joints:
  slide: {type: prismatic, bodies: [ground, b], point: [1, -20 mm, 1], axis: [2, 0, 0]}
meshes:
  m: {type: rack, bodies: [a, b], %s}
"""
