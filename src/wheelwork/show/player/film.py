"""A result as a film: few enough frames to be sent and played, and the motion between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.description import Description, ModelError
from wheelwork.description.registry import find
from wheelwork.equations.frames import MARKER_RECORD
from wheelwork.results import Result
from wheelwork.show.scene import GROUND, Arrows, Label, Scene, arrows, make_scene, movers_of
from wheelwork.show.scene.movers import marker_over_time
from wheelwork.system.attitude import exponential, quaternion_product, rotation_vectors, steps_between
from wheelwork.system.motion import Motion

MOST_FRAMES = 1000
MOST_POSES = 24_000
"""Frames times bodies, about 1.7 MB in a page."""
LEAST_FRAMES = 60
ANGLE = 0.3
"""rad; the fastest body turns no further between frames, if the frames suffice."""
SPEEDS_LOOKED_AT = 4000
ARROW = 0.35


@dataclass(frozen=True)
class Film:
    """Frames of a motion, and the motion between them.

    Between frames k and k + 1, h seconds apart, with s from 0 to 1::

        x(s) = the cubic that meets x and h v at both ends
        e(s) = exp(s rho / 2) e_k,  rho = n (theta + 2 pi m)

    n and theta are axis and angle of the rotation from one frame to the next, as their orientations tell it. Whole
    turns m, which orientations do not tell, are those that come nearest to the integral of the angular velocity along
    n (trapezoidal rule with end correction, from velocities and accelerations at both ends). So a wheel that turns
    many times between frames turns the right way and as far as it should; and angles that a gear mesh ties linearly
    stay tied between frames.

    scene: solids, and position (F, B, 3) and orientation (F, B, 4) at the times scene.t (F,), equal steps apart
    velocity: (F, B, 3), of the centres of mass, m/s
    rotation: (F, B, 3), rotation vector to the next frame, rad; zero for the last
    arrows: forces of joints and teeth at the frames; None where they are not known
    note: what the frames leave out, a sentence; empty if nothing that can be seen
    """

    scene: Scene
    velocity: np.ndarray
    rotation: np.ndarray
    arrows: Arrows | None = None
    note: str = ""
    problems: list[str] = field(default_factory=list)
    """Why there is no motion: the mechanism as it was given, not as it fits together."""

    @property
    def start(self) -> float:
        return float(self.scene.t[0])

    @property
    def end(self) -> float:
        return float(self.scene.t[-1])

    @cached_property
    def arrow_scale(self) -> float:
        """Metres for each newton, such that arrows are usually up to `ARROW` radii long; 0 without forces.

        Usually: four fifths of the time. A short impact does not make all else too small to see.
        """
        if self.arrows is None or not self.arrows.largest:
            return 0.0
        largest = np.max(np.nan_to_num(np.linalg.norm(self.arrows.vectors, axis=2)), axis=1)
        return ARROW * self.scene.radius / (float(np.quantile(largest, 0.8)) or self.arrows.largest)

    def place(self, t: float) -> tuple[int, float]:
        """The frame before a time, and how far it is from there to the next, 0 to 1."""
        count = len(self.scene.t)
        if count < 2 or self.end <= self.start:
            return 0, 0.0
        where = float(np.clip((t - self.start) / (self.end - self.start), 0, 1)) * (count - 1)
        k = min(int(where), count - 2)
        return k, where - k

    def pose(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Positions (B, 3) and Euler parameters (B, 4) at a time."""
        k, s = self.place(t)
        x, e = self.scene.position[k], self.scene.orientation[k]
        if s == 0:
            return x, e
        h = float(self.scene.t[k + 1] - self.scene.t[k])
        d = self.scene.position[k + 1] - x
        v0, v1 = h * self.velocity[k], h * self.velocity[k + 1]
        x = x + s * (v0 + s * (3 * d - 2 * v0 - v1 + s * (v0 + v1 - 2 * d)))
        return x, quaternion_product(exponential(s * self.rotation[k]), e)

    def forces(self, t: float) -> list[tuple[str, np.ndarray, np.ndarray]]:
        """Kind, point [m] and force [N] of each arrow at a time."""
        found = self.arrows
        if found is None:
            return []
        k, s = self.place(t)
        n = min(k + 1, len(found.points) - 1)
        points, vectors = ((1 - s) * both[k] + s * both[n] for both in (found.points, found.vectors))
        return list(zip(found.kinds, points, np.nan_to_num(vectors), strict=True))


def film(result: Result, most: int = MOST_FRAMES, forces: bool = True) -> Film:
    """The film of a result: at equal steps, small enough for the fastest body, at most `most`."""
    times, note = frame_times(result, most)
    if not result.outcome.good:  # what is seen is not all that was asked for
        note = f"The run ended early: {result.report}" + (f" {note[0].upper()}{note[1:]}" if note else "")
    if len(times) < 2:
        motion = result.motion
    else:
        result = result.at(times)
        motion = result.motion
    return film_of_motion(motion, arrows(result) if forces else None, note)


def film_of_motion(motion: Motion, forces: Arrows | None = None, note: str = "") -> Film:
    """A film whose frames are the moments of a motion."""
    scene = make_scene(motion)
    return Film(scene, *with_movers(scene, motion.v[:, :, :3], rotation_between(motion)), forces, note)


def with_movers(scene: Scene, velocity: np.ndarray, rotation: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Velocities and rotations of the bodies, and after them those of parts that move by themselves, by differences."""
    if not scene.movers:
        return velocity, rotation
    first = len(scene.bodies)
    x, e = scene.position[:, first:], scene.orientation[:, first:]
    if len(x) < 2:
        return tuple(np.concatenate([own, np.zeros_like(x)], axis=1) for own in (velocity, rotation))  # type: ignore[return-value]
    turned = np.zeros_like(x)
    turned[:-1] = rotation_vectors(steps_between(e))
    moving = np.gradient(x, scene.t, axis=0)
    return np.concatenate([velocity, moving], axis=1), np.concatenate([rotation, turned], axis=1)


def frame_times(result: Result, most: int = MOST_FRAMES) -> tuple[np.ndarray, str]:
    """Times at equal steps, and what to say about those that are left out."""
    t = result.t
    if len(t) < 2:
        return t, ""
    span = float(t[-1] - t[0])
    motion = result.motion
    bodies = max(1, len(motion.program.bodies) + movers_of(motion))
    rows = np.unique(np.linspace(0, len(t) - 1, SPEEDS_LOOKED_AT).astype(int))
    fastest = float(np.nanmax(np.linalg.norm(motion.moments(rows).v[:, :, 3:], axis=2), initial=0.0))
    wanted = max(LEAST_FRAMES, min(4 * len(t), 400), int(np.ceil(fastest * span / ANGLE)) + 1)
    count = min(wanted, max(2, most), max(LEAST_FRAMES, MOST_POSES // bodies))
    note = ""
    if count < wanted or count < len(t) / 10:
        turn = fastest * span / (count - 1)
        note = f"{count} frames stand for {len(t)} output times"
        if turn > 2 * ANGLE:
            note += f"; the fastest body turns by up to {turn:.2g} rad from one to the next"
    return np.linspace(t[0], t[-1], count), note


def rotation_between(motion: Motion) -> np.ndarray:
    """Rotation vectors from each moment to the next (N, bodies, 3), whole turns counted; zero for the last."""
    e, w, alpha = motion.e, motion.v[:, :, 3:], motion.a[:, :, 3:]
    out = np.zeros_like(w)
    if motion.count < 2:
        return out
    h = np.diff(motion.t)[:, None, None]
    turned = h * (w[1:] + w[:-1]) / 2 + h**2 / 12 * (np.nan_to_num(alpha[:-1]) - np.nan_to_num(alpha[1:]))
    short = rotation_vectors(steps_between(e))
    angle = np.linalg.norm(short, axis=-1, keepdims=True)
    size = np.linalg.norm(turned, axis=-1, keepdims=True)
    # nearly the same orientation has no axis of its own: then the angular velocity tells it
    own = angle > 2e-9
    axis = np.where(own, short / np.where(own, angle, 1.0), turned / np.where(size > 0, size, 1.0))
    along = np.sum(turned * axis, axis=-1, keepdims=True)
    turns = np.nan_to_num(np.round((along - angle) / (2 * np.pi)))
    out[:-1] = axis * (angle + 2 * np.pi * turns)
    return out


# -- a mechanism before a run: assembled, or as it was given with what keeps it from fitting together


def film_before_run(description: Description) -> Film:
    """One frame: the mechanism at its start, with the forces it begins with.

    A description that cannot be assembled is shown where its bodies are given, with the problems as text; one that is
    not whole in itself (a joint to a body that is not there) cannot be shown, and its problems are raised.
    """
    prepared = prepare(description, units=True)
    try:
        motion = assembled(prepared, 0.0).motion
    except ModelError as error:
        program, numbers = prepared.program, prepared.numbers
        given = Motion.at_moment(program, numbers, 0.0, numbers.state)
        found = film_of_motion(given)
        found.scene.labels += _open_joints(given)
        problems = ["It does not fit together; this is the given position.", *map(str, error.problems)]
        return Film(found.scene, found.velocity, found.rotation, problems=problems)
    return film_of_motion(motion, arrows(motion))


def _open_joints(motion: Motion) -> list[Label]:
    """Where joints that do not close begin: their place on body a. On body b they are labelled anyway."""
    program, data, out = motion.program, motion.numbers.data, []
    size = float(np.max(np.abs(motion.frames[:, :, :3]), initial=0.0)) or 1.0
    for name, view in program.joints.items():
        use = program.constraints[view.constraint]
        own, other = (
            marker_over_time(motion, body, data[start : start + MARKER_RECORD])[0][0]
            for body, start in ((use.a, use.data), (use.b, use.data + MARKER_RECORD))
        )
        if find("joints", view.type).points_meet and np.linalg.norm(other - own) > 1e-6 * size:
            body = "ground" if use.a == GROUND else program.bodies[use.a]
            point, axes = motion.numbers.marker(use.data)
            out.append(Label(f"{name} on {body}", "joint", view.type, use.a, point, axes[:, 2]))
    return out
