"""Parts that random mechanisms are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from wheelwork import description as ww
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.mechanism import Mechanism

CLOSE = 0.008
"""How far bodies may be beside their places, over the size of a mechanism: two that are turned, too, are apart by six
times as much at a joint between them."""


class Workshop:
    """Builds one mechanism from a source of random numbers; everything fits at the given position.

    rng: source of all choices
    planar: in the plane; vectors then have two numbers
    by_frames: joints are placed by a frame in each body, so that bodies need not be given where they fit
    impossible: set by a family whose mechanism cannot be put together
    at_rest: set by a family with what cannot begin in any motion, as a one-way clutch
    """

    def __init__(
        self, name: str, rng: np.random.Generator, planar: bool = False, by_frames: bool = False
    ) -> None:
        self.rng, self.planar, self.by_frames = rng, planar, by_frames
        self.impossible = self.at_rest = False
        self.m = Mechanism(name, kind="planar" if planar else "spatial")
        self.places: dict[str, np.ndarray] = {"ground": np.zeros(3)}
        self.joints = 0

    # -- choices

    def chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def pick(self, choices: Any) -> Any:
        return choices[int(self.rng.integers(len(choices)))]

    def direction(self) -> np.ndarray:
        """Of length 1: any in space, the normal of the plane."""
        if self.planar:
            return np.array([0.0, 0.0, 1.0])
        vector = self.rng.normal(size=3)
        return vector / np.linalg.norm(vector)

    def near(self, point: np.ndarray, size: float = 0.4) -> np.ndarray:
        offset = self.rng.uniform(-size, size, size=3)
        return point + (offset * [1, 1, 0] if self.planar else offset)

    def vector(self, values: np.ndarray) -> tuple[float, ...]:
        return tuple(float(x) for x in values[: 2 if self.planar else 3])

    # -- parts

    def body(self, place: np.ndarray, **more: Any) -> str:
        """A body of random mass and inertia at a place; its name."""
        name = f"body{len(self.places)}"
        mass = float(self.rng.uniform(0.2, 5.0))
        # principal moments of three perpendicular pairs of masses: always possible ones
        squares = mass * self.rng.uniform(0.02, 0.3, size=3) ** 2
        moments = squares.sum() - squares
        inertia: Any = float(moments[2]) if self.planar else tuple(float(x) for x in moments)
        self.places[name] = place
        self.m.add(name, ww.Body(mass=mass, inertia=inertia, position=self.vector(place), **more))
        return name

    def wheel(self, place: np.ndarray, axis: np.ndarray, radius: float, **more: Any) -> str:
        """A disc about an axis through its centre."""
        name = f"wheel{len(self.places)}"
        mass = float(self.rng.uniform(0.5, 5.0))
        polar = mass * radius**2 / 2
        self.places[name] = place
        if self.planar:
            self.m.add(name, ww.Body(mass=mass, inertia=polar, position=self.vector(place), **more))
            return name
        tensor = (polar / 2 + mass * 0.03**2 / 12) * (np.eye(3) - np.outer(axis, axis)) + polar * np.outer(
            axis, axis
        )
        inertia = tuple(tuple(float(x) for x in row) for row in tensor)
        self.m.add(name, ww.Body(mass=mass, inertia=inertia, position=self.vector(place), **more))
        return name

    def join(self, kind: type[Any], a: str, b: str, point: np.ndarray, axis: np.ndarray, **more: Any) -> str:
        """A joint at a point of the world; its name."""
        self.joints += 1
        name = f"joint{self.joints}"
        ends = (a, b) if self.chance(0.5) else (b, a)
        where: dict[str, Any] = {"point": self.vector(point)}
        if self.by_frames:
            where = {
                f"frame_{side}": self.frame(body, point, axis) for side, body in zip("ab", ends, strict=True)
            }
        elif "axis" in kind.model_fields and not self.planar:
            where["axis"] = self.vector(axis * self.pick([-1.0, 1.0, 3.0]))
        self.m.add(name, kind(bodies=ends, **where, **more))
        return name

    def rod(self, a: str, b: str) -> None:
        """A distance between a point of each of two bodies."""
        self.joints += 1
        points = [self.near(self.places[body]) for body in (a, b)]
        ends: dict[str, Any] = {
            f"point_{side}": self.vector(point) for side, point in zip("ab", points, strict=True)
        }
        if self.by_frames:
            frames = [self.frame(*pair, self.direction()) for pair in zip((a, b), points, strict=True)]
            length = float(np.linalg.norm(points[1] - points[0]))
            ends = {"frame_a": frames[0], "frame_b": frames[1], "length": length}
        self.m.add(f"joint{self.joints}", ww.Distance(bodies=(a, b), **ends))

    def frame(self, body: str, point: np.ndarray, axis: np.ndarray) -> ww.Pose:
        """The frame at a point of the world with z along an axis, in a body that is not turned."""
        position = self.vector(point - self.places[body])
        if self.planar:
            return ww.Pose(position=position)
        x = np.cross(axis, [1.0, 0.0, 0.0] if abs(axis[0]) < 0.7 else [0.0, 1.0, 0.0])
        x /= np.linalg.norm(x)
        turn = Rotation.from_matrix(np.column_stack([x, np.cross(axis, x), axis])).as_rotvec()
        return ww.Pose(position=position, orientation=ww.Orientation(rotation_vector=tuple(map(float, turn))))

    def _bodies(self) -> list[Any]:
        """To be given numbers of the plane or of space, whatever their fields are declared as."""
        return list(self.m.bodies.values())

    def set_moving(self, speed: float) -> None:
        """Velocities at the start, as nearly random as joints allow; bodies have their centre of mass at the origin."""
        at = assembled(prepare(self.m), 0.0)
        program, state = at.prepared.program, at.state.copy()
        for k in range(len(self.m.bodies)):
            spin = np.append(self.rng.normal(scale=speed, size=3), self.rng.normal(scale=5 * speed, size=3))
            first = program.nq + k * program.space.V
            state[first : first + program.space.V] = spin[list(program.space.velocities)]
        state = at.prepared.engine.project(0.0, state, 1e-11, 100)[0]
        moving = state[program.nq : program.nq + program.nv].reshape(-1, program.space.V)
        for body, v in zip(self._bodies(), program.space.raised(moving), strict=True):
            body.velocity = self.vector(v[:3])
            body.angular_velocity = float(v[5]) if self.planar else tuple(map(float, v[3:]))

    def shake(self, size: float) -> None:
        """Bodies somewhat beside their places, and turned; joints placed by frames bring them back.

        size [m]: at most; less where the mechanism is small, as joints must nearly close (to 1/20 of its size)
        """
        size = min(size, CLOSE * float(np.linalg.norm(np.ptp(list(self.places.values()), axis=0))))
        for name, body in zip(self.m.bodies, self._bodies(), strict=True):
            body.position = self.vector(self.near(self.places[name], size))
            turn = self.rng.uniform(-size, size, size=3) * 2
            if self.planar:
                body.angle = float(turn[2])
            else:
                body.orientation = ww.Orientation(rotation_vector=tuple(map(float, turn)))

    def hinge(self, a: str, b: str, point: np.ndarray, axis: np.ndarray) -> str:
        return self.join(ww.Revolute, a, b, point, axis)
