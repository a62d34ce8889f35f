"""Worm a and wheel b.

The crossed helical pair with few, steep teeth on a: with lead angle gamma at the pitch radius, beta_a = 90 deg - gamma,
and for axes at a right angle beta_b = gamma, of the same hand. Equations, numbers and forces are those of
the mesh `crossed`; F_t is the tangential force of the wheel, which is the axial force of the worm.

The wheel of a real worm drive is throated and touches along lines. The motion it gives, and the force at the pitch
point, are the same.

Geometry, with z_a threads and lead angle gamma of the worm, m its axial module, which is the transverse module of the
wheel::

    beta_a = 90 deg - gamma,  beta_b = gamma        of the same hand
    r_b = z_b m/2,   r_a tan(gamma) = z_a m/2,   r_a + r_b = distance of the axes
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import SPATIAL, Evaluate, Issue
from wheelwork.description.values import Angle, Length
from wheelwork.elements.meshes.base import WheelPair, angle_issues
from wheelwork.elements.meshes.crossed import CrossedEquations, skew_centers, skew_geometry
from wheelwork.layout.meshes.axes import AxisRequirement
from wheelwork.layout.meshes.faults import TOLERANCE, MeshFault, agree, degrees, millimetres
from wheelwork.layout.meshes.mesh_geometry import MeshGeometry
from wheelwork.layout.meshes.place import MeshPlace
from wheelwork.layout.meshes.whole_numbers import sizes_of_ratio
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import gears
from wheelwork.lazy import numpy as np


class WormMesh(WheelPair):
    """A worm and its wheel on axes that cross at a right angle. Removes 1 degree of freedom.

    With z1 threads, z2 teeth, module m and lead angle gamma: pitch diameters d1 = z1 m / tan(gamma) and d2 = z2 m; the
    distance of the axes is (d1 + d2)/2. Two of `module`, `lead_angle`, `diameter` and that distance settle the rest.

    Fields:
        bodies: names of the worm (a) and the wheel (b)
        teeth [1]: threads of the worm and teeth of the wheel, whole numbers; found from the ratio where left out
        radii [m]: pitch radii of worm and wheel
        ratio [1]: teeth of the wheel over threads of the worm; the speed of a over that of b against the carrier
        module [m]: of the worm's axial section: lead = threads * pi * module
        lead_angle [rad]: of the worm's thread at the pitch diameter
        diameter [m]: pitch diameter of the worm
        hand: of the thread, `right` or `left`
        model: of the teeth: `rigid`
    """

    type: Literal["worm"] = "worm"
    kinds = frozenset({SPATIAL})
    lead_angle: Angle | None = None
    diameter: Length | None = None
    hand: Literal["right", "left"] = "right"
    positive = ("diameter",)

    @property
    def has_teeth(self) -> bool:
        """A module does not give the threads of the worm."""
        return self.teeth is not None

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> WormMesh:
        place = {"point_a": (0, 0, 0), "axis_a": (0, 0, 1), "point_b": (0.24, 0, 0), "axis_b": (0, 1, 0)}
        return cls(bodies=bodies, teeth=(2, 40), module=0.01, diameter=0.08, **place)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from angle_issues(self, value, "lead_angle", 0, 90)
        if self.teeth is None and self.ratio is None:
            yield Issue("teeth", "`teeth` (threads of the worm, teeth of the wheel) or `ratio` is missing")

    def geometry(self, place: MeshPlace) -> MeshGeometry:
        axes = place.axes(AxisRequirement("axes that cross", place.cross))
        centers, distance = skew_centers(place, axes)
        cosine = abs(float(axes[0].along @ axes[1].along))
        if cosine > TOLERANCE:
            text = f"the axes of worm and wheel cross at {degrees(float(np.arccos(min(cosine, 1.0))))}"
            raise MeshFault(
                f"{text}, but must cross at a right angle",
                "turn one of them, or describe the pair as `crossed`",
            )
        teeth = place.reader.pair("teeth")
        if teeth is None:
            whole, teeth = sizes_of_ratio(place.value(self.ratio), place.number)
        else:
            whole = round(place.number(teeth[0])), round(place.number(teeth[1]))
        place.reader.check_ratio(teeth)
        r_a, r_b = _worm_radii(place, teeth, distance)
        lead_angle = ca.atan2(r_b * teeth[0], teeth[1] * r_a)
        hand = 1 if self.hand == "right" else -1
        betas = hand * (ca.pi / 2 - lead_angle), hand * lead_angle
        return skew_geometry(place, axes, centers, distance, betas, (r_a, r_b), whole, teeth)

    def tooth_shape(self, numbers):
        (threads, teeth), (r_a, r_b) = numbers.geometry.teeth, numbers.radii
        return gears.WormPair(threads, teeth, 2 * r_b / teeth, 2 * r_a, numbers.value(self.pressure_angle))

    class Equations(CrossedEquations):
        """Those of crossed helical wheels."""


def _worm_radii(place: MeshPlace, teeth: tuple[ca.SX, ca.SX], distance: ca.SX) -> tuple[ca.SX, ca.SX]:
    """Pitch radii of worm and wheel, from what is given of radii, diameter, module, lead angle and the distance."""
    reader, n = place.reader, place.number
    radii, module, diameter = reader.pair("radii"), reader.value("module"), reader.value("diameter")
    gamma = reader.value("lead_angle")
    # r_a tan(gamma) = q r_b
    q = teeth[0] / teeth[1]
    r_a = radii[0] if radii else None if diameter is None else diameter / 2
    r_b = radii[1] if radii else None if module is None else module * teeth[1] / 2
    if gamma is None:
        if r_a is None and r_b is None:
            text = "worm and wheel have no size: beside the distance of the axes one more number is needed"
            raise MeshFault(text, "give `module`, `lead_angle` or `diameter`", "lead_angle")
        if r_a is None:
            assert r_b is not None
            r_a = distance - r_b
        r_b = distance - r_a if r_b is None else r_b
    else:
        slope = ca.tan(gamma) / q  # r_b over r_a
        if r_a is None:
            r_a = distance / (1 + slope) if r_b is None else r_b / slope
        r_b = slope * r_a if r_b is None else r_b
    sizes = f"pitch radii of {millimetres(n(r_a))} and {millimetres(n(r_b))}"
    for name, given, made in (
        ("diameter", diameter, 2 * r_a),
        ("module", module, 2 * r_b / teeth[1]),
        ("lead_angle", gamma, ca.atan2(q * r_b, r_a)),
    ):
        if given is not None and not agree(n(given), n(made)):
            show = degrees if name == "lead_angle" else millimetres
            text = f"`{name}` is {show(n(given))}, but {sizes} make {show(n(made))}"
            raise MeshFault(text, "leave one of the sizes out", name)
    if min(n(r_a), n(r_b)) <= 0 or not agree(n(r_a + r_b), n(distance)):
        text = f"the axes are {millimetres(n(distance))} apart, but {sizes} need {millimetres(n(r_a + r_b))}"
        hint = f"move the axes to {millimetres(n(r_a + r_b))}, or leave out one of the sizes"
        if n(r_a) <= 0:
            hint = f"the axes must be more than {millimetres(n(r_b))} apart, or the module smaller"
        elif n(r_b) <= 0:
            hint = f"the axes must be more than {millimetres(n(r_a))} apart, or the worm thinner"
        raise MeshFault(text, hint)
    return r_a, r_b
