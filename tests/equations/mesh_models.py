"""Meshes in numbers, for the tests of their geometry."""

import math

import casadi as ca
import numpy as np
import pytest

from wheelwork.description import ModelError, flatten, loads
from wheelwork.equations.context import Registry
from wheelwork.equations.mesh_geometry import resolve_meshes
from wheelwork.equations.placement import Scene
from wheelwork.equations.values import ParameterSymbols

TAN30 = math.tan(math.radians(30))


class Resolved:
    """A mesh of a mechanism in numbers, at some values of its parameters."""

    def __init__(self, text, mesh="m", **parameters):
        flat = flatten(loads(text))
        symbols = ParameterSymbols(flat.parameters)
        self.scene = Scene(flat, symbols)
        self.geometry = resolve_meshes(Registry(flat, self.scene))[mesh]
        values = {**flat.resolve_parameters(), **parameters}
        column = ca.DM([values[name] for name in symbols.names])
        self._function = lambda e: ca.Function("f", [symbols.column], [ca.densify(ca.SX(e))])(column)
        self.joints, self.carrier = self.geometry.joints, self.geometry.carrier
        self.teeth = self.geometry.teeth
        self.numbers = {name: float(self.at(value)[0]) for name, value in self.geometry.numbers.items()}
        self.contact = self.at(self.geometry.contact)
        self.distance = float(self.at(self.geometry.distance)[0])
        self.frames = [self._frame(side) for side in range(2)]

    def at(self, expression):
        return np.array(self._function(expression)).ravel()

    def _frame(self, side):
        """Centre and axes of a wheel in the world."""
        body = self.scene.bodies[self.geometry.bodies[side]]
        record = self.geometry.markers[side]
        center = body.frame.point(record[0:3] + body.center)
        axes = ca.mtimes(body.frame.axes, ca.reshape(record[3:12], 3, 3).T)
        return self.at(center), self.at(ca.vec(axes)).reshape(3, 3).T

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
