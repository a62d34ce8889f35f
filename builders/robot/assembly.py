"""How parts of the robot are put together: solids, bearings, bolted joints, gears."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

import wheelwork as ww
from wheelwork.description.shapes import Shape

from .sizes import RING_PRESSURE_ANGLE, RING_ROOT_RADIUS, RING_TIPS, STEEL, GearSizes, Vector

AxisName = Literal["x", "y", "z"]
UNIT: dict[str, Vector] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def moved(point: Sequence[float], **by: float) -> Vector:
    """A point, moved along some of the axes: `moved(SHOULDER, y=-0.1)`."""
    x, y, z = (tidy(c + by.get(name, 0.0)) for c, name in zip(point, "xyz", strict=True))
    return x, y, z


def reversed_axis(axis: AxisName) -> Vector:
    x, y, z = (0.0 - c for c in UNIT[axis])
    return x, y, z


def tidy(number: float) -> float:
    """Without the last digits, which are round-off: the file then says 0.069 and not 0.06900000000000001."""
    return round(number, 12) + 0.0  # no -0.0


def _tidied(shape: Shape) -> Shape:
    fields = {name: getattr(shape, name) for name in type(shape).model_fields}
    return type(shape)(**{k: tidy(v) if isinstance(v, float) else v for k, v in fields.items()})


class Assembly:
    """A mechanism that grows part by part. Every body frame stands at the body's centre of mass."""

    def __init__(self, mechanism: ww.Mechanism, links: Sequence[str]):
        self.mechanism = mechanism
        self.links = links
        self._carried_by: dict[str, str] = {}

    def body(self, name: str, shape: Shape, at: Sequence[float], mass: Any = None) -> None:
        """A solid: of steel, or of the mass given."""
        material: dict[str, Any] = {"density": STEEL} if mass is None else {"mass": mass}
        self.mechanism.add(name, ww.Body(shape=_tidied(shape), position=moved(at), **material))

    def mass(self, name: str) -> float:
        """Of a body [kg]."""
        body: Any = self.mechanism.bodies[name]
        return float(body.mass_properties(self._number)[0])

    def position(self, name: str) -> np.ndarray:
        """Of a body's centre of mass [m]."""
        body: Any = self.mechanism.bodies[name]
        return np.array(body.position, float)

    def link_of(self, name: str) -> str:
        """The link that a body is part of, or that carries it."""
        while name not in self.links:
            name = self._carried_by[name]
        return name

    def _number(self, value: Any) -> float:
        """Of a field: a number, or the name of a parameter."""
        known: dict[str, Any] = self.mechanism.parameters
        return float(known[str(value)] if isinstance(value, ww.Formula) else value)

    def bearing(self, name: str, carrier: str, body: str, at: Sequence[float], axis: Vector) -> None:
        """`body` turns in `carrier`; positive angles by the right hand about `axis`."""
        self._carried_by[body] = carrier
        self.mechanism.add(name, ww.Revolute(bodies=(carrier, body), point=moved(at), axis=axis))

    def bolted(self, body: str, holder: str, at: Sequence[float]) -> None:
        """A rigid connection as CAD has it: a face and two keys, each a plane on a plane.

        Each plane takes 3 freedoms, the three together 9 where 6 would do: every rotation is held twice.
        """
        self._carried_by[body] = holder
        for name, axis in UNIT.items():
            joint = ww.Planar(bodies=(holder, body), point=moved(at), axis=axis)
            self.mechanism.add(f"{body}-on-{holder}-{name}", joint)

    def welded(self, name: str, body: str, holder: str, at: Sequence[float]) -> None:
        """A rigid connection as one joint."""
        self._carried_by[body] = holder
        self.mechanism.add(name, ww.Fixed(bodies=(holder, body), point=moved(at)))

    def spur(
        self, name: str, wheels: tuple[str, str], pair: GearSizes, point: Sequence[float], axis: Vector
    ) -> None:
        """`point`: the middle of the teeth of the first wheel."""
        self._mesh(ww.ExternalMesh, name, wheels, pair, point_a=moved(point), axis_a=axis)

    def internal(
        self, name: str, wheels: tuple[str, str], pair: GearSizes, point: Sequence[float], axis: Vector
    ) -> None:
        """The first wheel rolls in the second; `point`: the middle of its teeth."""
        ring = {"pressure_angle": RING_PRESSURE_ANGLE, "root_radius": RING_ROOT_RADIUS}
        ring |= {"tip_alteration": (RING_TIPS, RING_TIPS)}
        self._mesh(ww.InternalMesh, name, wheels, pair, **ring, point_a=moved(point), axis_a=axis)

    def bevel(self, name: str, wheels: tuple[str, str], pair: GearSizes) -> None:
        """Their axes meet, and their centres follow from that."""
        self._mesh(ww.BevelMesh, name, wheels, pair)

    def _mesh(self, kind: Any, name: str, wheels: tuple[str, str], pair: GearSizes, **more: Any) -> None:
        sizes = {"teeth": pair.teeth, "module": pair.module, "face_width": pair.width}
        self.mechanism.add(name, kind(bodies=wheels, **sizes, **more))
