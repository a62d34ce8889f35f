"""Random mechanisms by family. The same seed gives the same mechanism.

    tree        bodies on joints of all types, one after or beside the other
    loop        a tree whose bodies are joined once more, so that loops close; in the plane too
    redundant   linkages whose axes are parallel or meet in a point, and hinges twice over: more rows than freedoms
    train       wheels on parallel and crossing shafts, in a housing that stands, turns or floats; racks and belts
    planetary   sun, planets, ring and carrier, one of them held or none, with redundant meshes
    machine     a train that drives a linkage, with springs, dampers and motors
    sampled     a joint, forces, blocks, a driver and a mesh of any types, drawn from the registry
    impossible  links that are too short for the loop they should close
    yielding    a train whose wheels may yield to their teeth; by name only
    elastic     a train whose teeth give way, as springs or flanks in contact, of several materials; by name only
    switching   one of the others with dry friction in its joints, balls that strike planes, a cam; by name only

Some begin in motion; some of those without gears are given beside their places and have to be put together.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from wheelwork import description as ww
from wheelwork.description.registry import family
from wheelwork.mechanism import Mechanism

from .elastic import elastic
from .sampled import sampled
from .switching import switching
from .trains import machine, planetary, train
from .workshop import Workshop
from .yielding import yielding

FRAMED_JOINTS = (ww.Revolute, ww.Prismatic, ww.Cylindrical, ww.Spherical, ww.Planar, ww.Fixed)
SPATIAL_JOINTS = (ww.Revolute, ww.Prismatic, ww.Cylindrical, ww.Spherical, ww.Universal, ww.Planar, ww.Fixed)
PLANAR_JOINTS = (ww.Revolute, ww.Revolute, ww.Translational)
SPATIAL_JOINTS += tuple(  # and what has come since: a joint of a tree that needs a point and an axis alone
    cls
    for cls in family("joints").values()
    if cls.steps is not None
    and cls not in SPATIAL_JOINTS
    and "spatial" in cls.kinds
    and set(cls.world) <= {"point", "axis", "axis2"}
    and [name for name, field in cls.model_fields.items() if field.is_required()] == ["bodies"]
)
CLOSING = (ww.Spherical, ww.PointOnPlane, ww.Cylindrical, ww.Revolute)


def tree(w: Workshop) -> None:
    """Each body hangs on ground or on one before it."""
    for _ in range(int(w.rng.integers(2, 11))):
        parent = w.pick(list(w.places))
        point = w.near(w.places[parent])
        child = w.body(w.near(point))
        kinds = (PLANAR_JOINTS if w.planar else SPATIAL_JOINTS) if not w.by_frames else FRAMED_JOINTS
        add_joint(w, w.pick(kinds if not (w.planar and w.by_frames) else [ww.Revolute]), parent, child, point)


def add_joint(w: Workshop, kind: Any, a: str, b: str, point: np.ndarray) -> None:
    axis = w.direction()
    if "axis2" in kind.world:
        other = np.cross(axis, w.direction())
        if kind is not ww.Universal:  # between shafts, which bend by less than a right angle
            other = axis + 0.5 * other
        w.joints += 1
        fields = {"axis": w.vector(axis), "axis2": w.vector(other)}
        w.m.add(f"joint{w.joints}", kind(bodies=(a, b), point=w.vector(point), **fields))
    elif kind is ww.Translational:
        angle = w.rng.uniform(0, 2 * np.pi)
        w.joints += 1
        along = (float(np.cos(angle)), float(np.sin(angle)))
        w.m.add(f"joint{w.joints}", ww.Translational(bodies=(a, b), point=w.vector(point), axis=along))
    else:
        w.join(kind, a, b, point, axis)


def loop(w: Workshop) -> None:
    tree(w)
    names = list(w.places)
    for _ in range(int(w.rng.integers(1, 4))):
        a, b = w.rng.choice(len(names), size=2, replace=False)
        kind = ww.Revolute if w.planar else w.pick(CLOSING)
        if w.chance(0.3):
            w.rod(names[a], names[b])
        else:
            w.join(
                kind, names[a], names[b], w.near((w.places[names[a]] + w.places[names[b]]) / 2), w.direction()
            )


def redundant(w: Workshop) -> None:
    """A closed chain of four to seven links in space, its axes parallel or through one point; some hinges doubled."""
    links = int(w.rng.integers(3, 7))
    axis, centre = w.direction(), w.near(np.zeros(3), 1.0)
    meeting = w.chance(0.3)
    across = np.cross(axis, w.direction())
    across /= np.linalg.norm(across)
    points = []
    for k in range(links + 1):
        angle = 2 * np.pi * (k + w.rng.uniform(-0.3, 0.3)) / (links + 1)
        arm = np.cos(angle) * across + np.sin(angle) * np.cross(axis, across)
        points.append(centre + w.rng.uniform(0.3, 0.6) * arm + axis)
    names = ["ground", *(w.body((p + q) / 2) for p, q in pairwise(points)), "ground"]
    for k, point in enumerate(points):
        own = point - centre if meeting else axis
        own = own / np.linalg.norm(own)
        w.hinge(names[k], names[k + 1], point, own)
        if w.chance(0.25):
            w.hinge(names[k], names[k + 1], point + w.rng.uniform(-0.2, 0.2) * own, own)


def impossible(w: Workshop) -> None:
    """Two links whose ends stay apart by a part of their length, however they are turned."""
    w.impossible = True
    w.by_frames = True
    axis = w.direction()
    x = np.cross(axis, w.direction())
    x /= np.linalg.norm(x)
    lengths = w.rng.uniform(0.1, 0.5, size=2)
    base = float(sum(lengths)) * w.rng.uniform(1.02, 1.3)
    first, second = w.body(lengths[0] / 2 * x), w.body((lengths[0] + lengths[1] / 2) * x)
    w.hinge("ground", first, np.zeros(3), axis)
    w.hinge(first, second, lengths[0] * x, axis)
    end = w.frame(second, sum(lengths) * x, axis)
    w.m.add(
        "closing",
        ww.Revolute(bodies=("ground", second), frame_a=w.frame("ground", base * x, axis), frame_b=end),
    )


FAMILIES: dict[str, Callable[[Workshop], None]] = {
    "tree": tree,
    "loop": loop,
    "redundant": redundant,
    "train": train,
    "planetary": planetary,
    "machine": machine,
    "impossible": impossible,
}
"""Those that take turns."""
ON_REQUEST: dict[str, Callable[[Workshop], None]] = {
    "sampled": sampled,
    "yielding": yielding,
    "elastic": elastic,
    "switching": lambda w: switching(w, FAMILIES),
}
FLAT = {"sampled", "tree", "loop", "train", "planetary", "yielding", "elastic", "switching"}
"""Families that are made in the plane too."""
SHAKEN = {"tree", "loop", "redundant"}
"""Families of which some are given beside their places."""


def random_mechanism(seed: int, family: str | None = None) -> tuple[str, Mechanism, bool]:
    """Family and mechanism number `seed`, and whether it can be put together; families take turns, or one is given."""
    rng = np.random.default_rng([seed, 451])
    family = family or list(FAMILIES)[seed % len(FAMILIES)]
    planar = family in FLAT and bool(rng.random() < 0.3)
    workshop = Workshop(
        f"{family} {seed}", rng, planar, by_frames=family in SHAKEN and bool(rng.random() < 0.3)
    )
    (FAMILIES | ON_REQUEST)[family](workshop)
    moving = workshop.chance(0.4)
    if workshop.by_frames and not workshop.impossible:
        workshop.shake(0.012)
    if moving and not workshop.impossible and not workshop.at_rest:
        workshop.set_moving(1.0)
    return family, workshop.m, not workshop.impossible
