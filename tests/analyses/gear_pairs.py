"""Pairs of wheels of every type in a housing, with the tooth force on wheel b as text-books have it.

Each pair stands in the housing's own axes: wheel a's axis goes through the origin. Everything that a test compares with
is written down here from the text-book's directions at the contact point: nothing comes from Wheelwork but the
tangential force. A force F_t > 0 is that of a driving a in the positive sense about its axis.

    F on b = F_t t - F_t tan(beta) k + |F_t| tan(alpha_t) e

    t  the way the surface of a moves at P when a turns in the positive sense
    e  from a into b, at a right angle to the pitch surfaces
    k  along the pitch surfaces
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import wheelwork as ww

X, Y, Z = np.eye(3)
ALPHA = np.radians(20)
NOTHING = (0 * X, 0 * X, 0 * X)

Wrench = list[tuple[np.ndarray, np.ndarray]]
"""Forces and the points they act at."""
Loss = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass
class Pair:
    """A mesh, the axes of its wheels, and its forces, in the housing's axes."""

    mesh: Any
    axes: tuple[np.ndarray, np.ndarray]
    points: tuple[np.ndarray, np.ndarray]
    """On the axes (of a rack, its pitch line)."""
    on_b: Callable[[float], Wrench]
    """Forces of the teeth on b for F_t."""
    speeds: tuple[float, float] = (1.0, 1.0)
    """Of the wheels about their axes against the housing (of a rack, along its line), in proportion."""
    lost: Loss = NOTHING
    """Of friction 1 against the mesh (rolling, or the sliding of a on b) on b: force, where, and a couple."""

    @property
    def rack(self) -> bool:
        return self.mesh.type == "rack"


def external(beta: float = 0.0, **more: Any) -> Pair:
    z_a, z_b, m = 21, 34, 2e-3
    r_a, r_b = (z * m / 2 / np.cos(beta) for z in (z_a, z_b))
    P, t, e = r_a * X, Y, X
    return Pair(
        ww.ExternalMesh(bodies=("a", "b"), teeth=(z_a, z_b), module=m, helix_angle=beta, **more),
        (Z, Z),
        (0 * X, (r_a + r_b) * X),
        parallel(P, t, e, beta),
        (1.0, -r_a / r_b),
        rolling(r_a, r_b, (r_a + r_b) * X),
    )


def internal(beta: float = 0.0, **more: Any) -> Pair:
    z_a, z_b, m = 18, 63, 1.5e-3
    r_a, r_b = (z * m / 2 / np.cos(beta) for z in (z_a, z_b))
    P, t, e = r_a * X, Y, X
    return Pair(
        ww.InternalMesh(bodies=("a", "b"), teeth=(z_a, z_b), module=m, helix_angle=beta, **more),
        (Z, Z),
        (0 * X, (r_a - r_b) * X),
        parallel(P, t, e, beta),
        (1.0, r_a / r_b),
        rolling(r_a, -r_b, (r_a - r_b) * X),
    )


def rack(beta: float = 0.0, **more: Any) -> Pair:
    z_a, m = 15, 2e-3
    r = z_a * m / 2 / np.cos(beta)
    P, t, e = -r * Y, X, -Y
    return Pair(
        ww.RackMesh(bodies=("a", "b"), teeth=z_a, module=m, helix_angle=beta, **more),
        (Z, X),
        (0 * X, P),
        parallel(P, t, e, beta),
        (1.0, r),
        # half of it against the rack, through the pinion's centre, and half against the turning of the pinion
        (X / 2, 0 * X, -r / 2 * Z),
    )


def parallel(P: np.ndarray, t: np.ndarray, e: np.ndarray, beta: float) -> Callable[[float], Wrench]:
    """Spur and helical: F_r = F_t tan(alpha_n)/cos(beta), F_a = F_t tan(beta)."""

    def on_b(force: float) -> Wrench:
        radial = abs(force) * np.tan(ALPHA) / np.cos(beta)
        return [(force * t - force * np.tan(beta) * Z + radial * e, P)]

    return on_b


def rolling(r_a: float, r_b: float, l: np.ndarray) -> Loss:
    """Half of it on each wheel at its pitch radius, as couples; what is left acts across the line of centres l.

    With r_b negative where the wheels turn the same way, the speed of rolling is half of r_a (w_a - w_l) less half of
    r_b (w_b - w_l), where w_l is the speed of the line of centres.
    """
    across = np.cross(Z, l) / (l @ l)
    return -(r_a - r_b) / 2 * across, l, -r_b / 2 * Z


def bevel(angle: float = np.pi / 2, spiral: float = 0.0, **more: Any) -> Pair:
    """Axes through the apex, which is the origin; a's along z."""
    z_a, z_b, m, width = 17, 29, 2e-3, 8e-3
    delta = np.arctan2(np.sin(angle), z_b / z_a + np.cos(angle))
    R = z_a * m / 2 / np.sin(delta) - width / 2
    other = np.sin(angle) * X + np.cos(angle) * Z
    f = np.sin(delta) * X + np.cos(delta) * Z
    e = np.cos(delta) * X - np.sin(delta) * Z

    def on_b(force: float) -> Wrench:
        radial = abs(force) * np.tan(ALPHA) / np.cos(spiral)
        return [(force * Y - force * np.tan(spiral) * f + radial * e, R * f)]

    mesh = ww.BevelMesh(
        bodies=("a", "b"), teeth=(z_a, z_b), module=m, face_width=width, spiral_angle=spiral, **more
    )
    ends = 30e-3 * Z, 25e-3 * other
    # couples that turn the wheels about each other's projected axes: half of it at each radius
    r_a, r_b = R * np.sin(delta), R * np.sin(angle - delta)
    own = [(p - q * np.cos(angle)) / np.sin(angle) ** 2 for p, q in ((Z, other), (other, Z))]
    couple = -(r_a * own[0] + r_b * own[1]) / 2
    return Pair(mesh, (Z, other), ends, on_b, (1.0, -z_a / z_b), (0 * X, 0 * X, couple))


def crossed(beta_a: float = np.radians(50), beta_b: float = np.radians(25), **more: Any) -> Pair:
    """Wheel a along x, b above it."""
    z_a, z_b, m = 12, 25, 2e-3
    r_a, r_b = z_a * m / 2 / np.cos(beta_a), z_b * m / 2 / np.cos(beta_b)
    mesh = ww.CrossedMesh(
        bodies=("a", "b"), teeth=(z_a, z_b), module=m, helix_angles=(beta_a, beta_b), **more
    )
    return _crossed(mesh, beta_a, beta_b, r_a, r_b, z_a / z_b)


def worm(gamma: float = np.radians(12), threads: int = 2, **more: Any) -> Pair:
    """Right-handed worm along x, its wheel along y above it."""
    z_b, m = 40, 2e-3
    r_a, r_b = threads * m / 2 / np.tan(gamma), z_b * m / 2
    mesh = ww.WormMesh(bodies=("a", "b"), teeth=(threads, z_b), module=m, **more)
    return _crossed(mesh, np.pi / 2 - gamma, gamma, r_a, r_b, threads / z_b)


def _crossed(mesh: Any, beta_a: float, beta_b: float, r_a: float, r_b: float, ratio: float) -> Pair:
    """At P, above a, a right-handed tooth of a runs along x and, as a turns about x, towards -y."""
    tooth = np.cos(beta_a) * X - np.sin(beta_a) * Y
    normal = -np.sin(beta_a) * X - np.cos(beta_a) * Y
    # b's tooth has the same direction: b's axis is that turned by beta_b
    axis = np.cos(beta_a + beta_b) * X - np.sin(beta_a + beta_b) * Y
    P = r_a * Z

    def on_b(force: float) -> Wrench:
        flank = abs(force) / np.cos(beta_b)
        return [(np.sign(force) * flank * normal + flank * np.tan(ALPHA) * Z, P)]

    # b's surface at P, below its axis, moves with a's
    return Pair(mesh, (X, axis), (0 * X, (r_a + r_b) * Z), on_b, (1.0, -ratio), (-tooth, P, 0 * X))


def belt(cross: bool = False, tension: float = 150.0, **more: Any) -> Pair:
    r_a, r_b, span = 30e-3, 75e-3, 0.2
    sign = -1.0 if cross else 1.0

    def on_b(force: float) -> Wrench:
        both = max(2 * tension, abs(force))
        forces = []
        for side, pull in ((1.0, (both + force) / 2), (-1.0, (both - force) / 2)):
            # the strands touch both circles; a that turns in the positive sense pulls the one at y > 0
            sine = (r_a - sign * r_b) / span
            normal = sine * X + side * np.sqrt(1 - sine**2) * Y
            from_b, to_a = span * X + sign * r_b * normal, r_a * normal
            forces.append((pull * (to_a - from_b) / np.linalg.norm(to_a - from_b), from_b))
        return forces

    mesh = ww.BeltMesh(bodies=("a", "b"), radii=(r_a, r_b), tension=tension, crossed=cross, **more)
    lost = rolling(r_a, -sign * r_b, span * X)
    return Pair(mesh, (Z, Z), (0 * X, span * X), on_b, (1.0, sign * r_a / r_b), lost)


PAIRS: dict[str, Callable[..., Pair]] = {
    "spur": external,
    "helical": lambda **more: external(np.radians(18), **more),
    "helical, left-handed": lambda **more: external(np.radians(-25), **more),
    "internal": internal,
    "internal, helical": lambda **more: internal(np.radians(14), **more),
    "rack": rack,
    "rack, helical": lambda **more: rack(np.radians(-20), **more),
    "bevel": bevel,
    "bevel at 70 deg": lambda **more: bevel(np.radians(70), **more),
    "spiral bevel at 110 deg": lambda **more: bevel(np.radians(110), np.radians(35), **more),
    "worm": worm,
    "crossed": crossed,
    "crossed, of both hands": lambda **more: crossed(np.radians(60), np.radians(-15), **more),
    "belt": belt,
    "crossed belt": lambda **more: belt(cross=True, **more),
}


def turned(rng: np.random.Generator) -> np.ndarray:
    """A random rotation."""
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


@dataclass
class Geared:
    """A housing with a pair in it, anywhere in the world, and what was put into it."""

    mechanism: ww.Mechanism
    pair: Pair
    origin: np.ndarray
    axes: np.ndarray
    """World from the housing's axes, at the start."""

    def place(self, point: np.ndarray) -> np.ndarray:
        return self.origin + self.axes @ point


def in_housing(
    pair: Pair, *, seed: int = 0, fixed: bool = False, gravity: Any = (1.0, -3.0, -9.0), **forces: Any
) -> Geared:
    """The pair on bearings in a housing that flies and tumbles, or is fixed; the wheels are not balanced.

    forces: actuators' values by `a` and `b`
    """
    rng = np.random.default_rng(seed)
    origin, axes = rng.normal(size=3), turned(rng)
    m = ww.Mechanism("geared", gravity=gravity)
    found = Geared(m, pair, origin, axes)
    carrier = "ground" if fixed else "housing"
    if not fixed:
        m.add(
            "housing",
            ww.Body(
                mass=3.0,
                inertia=(0.02, 0.025, 0.03),
                position=tuple(found.place(np.array([0.02, 0.03, -0.04]))),
                velocity=tuple(rng.normal(size=3)),
                angular_velocity=tuple(2 * rng.normal(size=3)),
            ),
        )
    for name, axis, point, mass in zip("ab", pair.axes, pair.points, (0.4, 1.1), strict=True):
        centre = point + 2e-3 * rng.normal(size=3)
        m.add(
            name,
            ww.Body(
                mass=mass,
                inertia=(mass * 4e-4, mass * 5e-4, mass * 6e-4),
                position=tuple(found.place(centre)),
                orientation={"rotation_vector": tuple(rng.normal(size=3))},
            ),
        )
        slides = pair.rack and name == "b"
        joint = ww.Prismatic if slides else ww.Revolute
        m.add(
            f"bearing-{name}",
            joint(
                bodies=(carrier, name),
                point=tuple(found.place(point)),
                axis=tuple(axes @ axis),
            ),
        )
    # the plane of the mesh is that of wheel a's centre
    for side, (point, axis) in enumerate(zip(pair.points, pair.axes, strict=True)):
        if pair.mesh.type not in ("bevel", "worm", "crossed"):
            setattr(pair.mesh, f"point_{'ab'[side]}", tuple(found.place(point)))
            setattr(pair.mesh, f"axis_{'ab'[side]}", tuple(axes @ axis))
    m.add("mesh", pair.mesh)
    for side, value in forces.items():
        m.add(f"drive-{side}", ww.Actuator(joint=f"bearing-{side}", value=value))
    return found
