"""Closed geometries of every type of mesh, from what text-books say about gears, and random states besides.

A geometry is written in the axes of its carrier, without any formula of ``wheelwork.elements.meshes``: centres and
axes of the wheels, the contact point P, the direction of the tooth tau and its normals at P.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from wheelwork.description.registry import family
from wheelwork.equations.mesh_equations import every_mesh

from .mesh_geometry import ALPHA, Geometry, X, Y, Z, frame


def random_axes(rng: np.random.Generator) -> np.ndarray:
    return Rotation.random(random_state=rng).as_matrix()


def turned(v: np.ndarray, axis: np.ndarray, angle: float) -> np.ndarray:
    return Rotation.from_rotvec(np.asarray(axis) * angle).apply(v)


def parallel(internal: bool, beta: float) -> Geometry:
    z_a, z_b, module = 17, 43, 0.02
    r_a, r_b = z_a * module / np.cos(beta) / 2, z_b * module / np.cos(beta) / 2
    centre_b = (r_a - r_b) * X if internal else (r_a + r_b) * X
    tooth = np.cos(beta) * Z + np.sin(beta) * Y  # a right-handed helix climbs as it goes round
    extras = {
        "r_a": r_a,
        "r_b": r_b,
        "tan_beta": np.tan(beta),
        "tan_alpha_t": np.tan(ALPHA) / np.cos(beta),
        "pitch": np.pi * module / np.cos(beta),
        "phase": 0.0,
    }
    return Geometry(
        (0 * X, centre_b),
        (frame(Z, X), frame(Z, X)),
        r_a * X,
        tooth,
        X,
        Y,
        (z_a, z_b),
        extras,
        1 / np.cos(beta),
        (1.0, 1.0 if internal else -1.0),
        {"beta": beta},
    )


def rack(beta: float) -> Geometry:
    z_a, module = 23, 0.02
    r_a = z_a * module / np.cos(beta) / 2
    extras = {
        "r_a": r_a,
        "tan_beta": np.tan(beta),
        "tan_alpha_t": np.tan(ALPHA) / np.cos(beta),
        "pitch": np.pi * module / np.cos(beta),
        "phase": 0.0,
    }
    # the rack lies below the pinion; its marker is some way along the pitch line
    return Geometry(
        (0 * X, -r_a * Y + 0.7 * X),
        (frame(Z, X), frame(Z, X)),
        -r_a * Y,
        np.cos(beta) * Z + np.sin(beta) * X,
        -Y,
        X,
        (z_a, 1),
        extras,
        1 / np.cos(beta),
        (1.0, 0.0),
        {"beta": beta},
    )


def bevel(shaft_angle: float, spiral: float = 0.0) -> Geometry:
    z_a, z_b, module = 17, 31, 0.02
    r_a, r_b = z_a * module / 2, z_b * module / 2
    delta_a = np.arctan2(np.sin(shaft_angle), z_b / z_a + np.cos(shaft_angle))
    delta_b = shaft_angle - delta_a
    axis_b = turned(Z, Y, shaft_angle)
    line = turned(Z, Y, delta_a)
    cone = r_a / np.sin(delta_a)
    extras = {
        "r_a": r_a,
        "r_b": r_b,
        "tan_spiral": np.tan(spiral),
        "tan_alpha_t": np.tan(ALPHA) / np.cos(spiral),
        "pitch": np.pi * module,
        "phase": 0.0,
    }
    return Geometry(
        (cone * np.cos(delta_a) * Z, cone * np.cos(delta_b) * axis_b),
        (frame(Z, X), frame(axis_b, turned(X, Y, shaft_angle))),
        cone * line,
        np.cos(spiral) * line + np.sin(spiral) * Y,
        turned(X, Y, delta_a),
        Y,
        (z_a, z_b),
        extras,
        1 / np.cos(spiral),
        (1.0, -1.0),
        {"delta_a": delta_a, "delta_b": delta_b, "spiral": spiral},
    )


def crossed(beta_a: float, beta_b: float, teeth: tuple[int, int]) -> Geometry:
    z_a, z_b = teeth
    module = 0.02
    r_a, r_b = z_a * module / np.cos(beta_a) / 2, z_b * module / np.cos(beta_b) / 2
    tooth = np.cos(beta_a) * Z + np.sin(beta_a) * Y
    # the same tooth seen from b, whose outward radius is -x: tau = cos(beta_b) z_b + sin(beta_b) z_b x (-x)
    axis_b = turned(tooth, X, -beta_b)
    extras = {
        "r_a": r_a,
        "r_b": r_b,
        "cos_beta_a": np.cos(beta_a),
        "sin_beta_a": np.sin(beta_a),
        "cos_beta_b": np.cos(beta_b),
        "sin_beta_b": np.sin(beta_b),
        "tan_alpha_n": np.tan(ALPHA),
        "pitch": np.pi * module / np.cos(beta_b),
        "phase": 0.0,
    }
    return Geometry(
        (0.3 * Z, (r_a + r_b) * X - 0.2 * axis_b),
        (frame(Z, X), frame(axis_b, X)),
        r_a * X,
        tooth,
        X,
        Y,
        teeth,
        extras,
        1 / np.cos(beta_b),
        (1.0, -1.0),
        {"beta_a": beta_a, "beta_b": beta_b},
    )


def worm(lead_angle: float) -> Geometry:
    """Right-handed for a positive lead angle: the wheel's teeth then lean by the lead angle, to the same hand."""
    beta_a = np.copysign(np.pi / 2, lead_angle) - lead_angle
    return crossed(beta_a, lead_angle, (2, 37))


def belt(is_crossed: bool) -> Geometry:
    z_a, z_b, pitch = 18, 40, 0.02
    r_a, r_b = z_a * pitch / (2 * np.pi), z_b * pitch / (2 * np.pi)
    sign = -1.0 if is_crossed else 1.0
    extras = {"r_a": r_a, "r_b": r_b, "sign": sign, "tension": 30.0, "pitch": pitch, "phase": 0.0}
    centre_b = 0.5 * X
    return Geometry(
        (0 * X, centre_b),
        (frame(Z, X), frame(Z, X)),
        centre_b,
        Z,
        X,
        Y,
        (z_a, z_b),
        extras,
        senses=(1.0, sign),
    )


GEOMETRIES: dict[str, tuple[str, Callable[[], Geometry]]] = {
    "external": ("external", lambda: parallel(False, 0.0)),
    "external, straight with the helical row": ("external:helical", lambda: parallel(False, 0.0)),
    "external, right-handed": ("external:helical", lambda: parallel(False, 0.4)),
    "external, left-handed": ("external:helical", lambda: parallel(False, -0.3)),
    "internal": ("internal", lambda: parallel(True, 0.0)),
    "internal, right-handed": ("internal:helical", lambda: parallel(True, 0.4)),
    "internal, left-handed": ("internal:helical", lambda: parallel(True, -0.3)),
    "rack": ("rack", lambda: rack(0.0)),
    "rack, right-handed": ("rack:helical", lambda: rack(0.4)),
    "rack, left-handed": ("rack:helical", lambda: rack(-0.3)),
    "rack with height": ("rack:height", lambda: rack(0.0)),
    "bevel at 90 deg": ("bevel", lambda: bevel(np.pi / 2)),
    "bevel at 55 deg": ("bevel", lambda: bevel(np.radians(55))),
    "bevel at 115 deg, spiral": ("bevel", lambda: bevel(np.radians(115), 0.5)),
    "internal bevel": ("bevel", lambda: bevel(np.radians(150), -0.3)),
    "worm": ("worm", lambda: worm(0.15)),
    "worm, left-handed": ("worm", lambda: worm(-0.2)),
    "crossed at 90 deg": ("crossed", lambda: crossed(np.radians(50), np.radians(40), (19, 26))),
    "crossed at 25 deg": ("crossed", lambda: crossed(np.radians(45), np.radians(-20), (19, 26))),
    "belt": ("belt", lambda: belt(False)),
    "crossed belt": ("belt", lambda: belt(True)),
}
"""(type of the equations, geometry) by name; tests of a mesh of its own add to it, see CONTRIBUTING.md."""

for _file in sorted((Path(__file__).parents[1] / "elements").glob("test_*.py")):
    if "\nGEOMETRIES" in _file.read_text(encoding="utf-8"):
        GEOMETRIES |= import_module(f"elements.{_file.stem}").GEOMETRIES


def mesh_class(type: str) -> Any:
    return family("meshes")[type.partition(":")[0]]


GEARS = [
    name
    for name, (type, _) in GEOMETRIES.items()
    if mesh_class(type).takes_teeth() and mesh_class(type).wheels_touch
]


@dataclass
class Placed:
    """A geometry somewhere in the world, with wheels turned and bodies moving anyhow."""

    type: str
    geometry: Geometry
    a: np.ndarray
    b: np.ndarray
    markers: np.ndarray
    carrier: np.ndarray
    origin: np.ndarray

    @property
    def data(self) -> np.ndarray:
        extras = self.geometry.extras
        return np.concatenate([self.markers, [extras[name] for name in every_mesh()[self.type].extras]])

    @property
    def arguments(self) -> list[np.ndarray]:
        return [self.a, self.b, self.data, np.zeros(0), np.zeros(1)]

    def world(self, direction: np.ndarray) -> np.ndarray:
        return self.carrier @ direction

    @property
    def point(self) -> np.ndarray:
        return self.origin + self.carrier @ self.geometry.point


def wheel_record(
    pair: Placed, side: int, turn: float, slide: np.ndarray | float = 0.0, twist: np.ndarray | None = None
) -> np.ndarray:
    """Record of a wheel turned about its axis, or a rack moved along (carrier's axes)."""
    geometry, marker = pair.geometry, pair.markers[12 * side : 12 * side + 12]
    spin = Rotation.from_rotvec([0, 0, turn]).as_matrix()
    R = pair.carrier @ geometry.frames[side] @ spin @ marker[3:].reshape(3, 3).T
    x = pair.origin + pair.carrier @ (geometry.centres[side] + slide) - R @ marker[:3]
    return np.concatenate([x, R.ravel(), np.zeros(6) if twist is None else twist])


def placed(name: str, rng: np.random.Generator) -> Placed:
    type, make = GEOMETRIES[name]
    geometry = make()
    markers = np.concatenate(
        [part for _ in "ab" for part in (0.1 * rng.normal(size=3), random_axes(rng).ravel())]
    )
    carrier = random_axes(rng)
    empty = np.zeros(18)
    pair = Placed(type, geometry, empty, empty, markers, carrier, rng.normal(size=3))
    for side, label in enumerate("ab"):
        turn = rng.uniform(-3, 3) if geometry.senses[side] else 0.0
        setattr(pair, label, wheel_record(pair, side, turn, twist=rng.normal(size=6)))
    return pair


def random_extras(rng: np.random.Generator, type: str) -> np.ndarray:
    """Numbers of a mesh that need not fit its geometry; the pitch is so long that nothing wraps."""
    values = rng.uniform(0.2, 0.8, size=len(every_mesh()[type].extras))
    values[every_mesh()[type].extras.index("pitch")] = 1e3
    if type == "external:helical" or type == "internal:helical":
        values[1] += 1.0  # r_b away from r_a
    return values


def random_mesh_arguments(rng: np.random.Generator, type: str) -> list[np.ndarray]:
    """Bodies and markers anywhere, but not where an angle is undefined (a centre on an axis, crossed axes parallel) nor
    where it is next to pi, so that differences do not meet the jump."""
    while True:
        bodies, markers = [], []
        for _ in "ab":
            x, v, w = rng.normal(size=(3, 3))
            bodies.append(np.concatenate([x, random_axes(rng).ravel(), v, w]))
            markers.append(np.concatenate([0.5 * rng.normal(size=3), random_axes(rng).ravel()]))
        bodies[1][:3] = bodies[0][:3] + 5 * random_axes(rng)[0]
        rotations = [body[3:12].reshape(3, 3) for body in bodies]
        p_a, p_b = (
            body[:3] + R @ marker[:3] for body, R, marker in zip(bodies, rotations, markers, strict=True)
        )
        A, B = (R @ marker[3:].reshape(3, 3) for R, marker in zip(rotations, markers, strict=True))
        l = (p_b - p_a) / np.linalg.norm(p_b - p_a)
        if mesh_class(type).b_is_rack:
            seen = [(A, -B[:, 1])]
        else:
            seen = [(A, l), (B, -l)] if mesh_class(type).parallel else [(A, B[:, 2]), (B, A[:, 2])]
        local = [axes.T @ u for axes, u in seen]
        if all(np.hypot(u[0], u[1]) > 0.9 and abs(np.arctan2(u[1], u[0])) < 2.6 for u in local):
            data = np.concatenate([*markers, random_extras(rng, type)])
            return [*bodies, data, np.zeros(0), np.zeros(1)]
