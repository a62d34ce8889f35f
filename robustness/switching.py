"""Random mechanisms in which something switches: joints that stick and slide, balls that strike; and cams."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from wheelwork import description as ww

from .workshop import Workshop


def switching(w: Workshop, families: dict[str, Callable[[Workshop], None]]) -> None:
    """One of the other families, with dry friction in some joints, balls above planes, or a cam under a body."""
    names = ["tree", "tree", "loop", "train", "planetary"]
    families[w.pick(names if w.planar else [*names, "redundant", "machine"])](w)
    loaded = w.chance(0.4)
    for joint in list(w.m.joints):
        if w.chance(0.4):
            rub(w, joint, loaded)
    for body in list(w.m.bodies):
        if w.chance(0.25):
            strike(w, body)
    if w.chance(0.3):
        push(w)


def rub(w: Workshop, joint: str, loaded: bool) -> None:
    """Dry friction in a joint with a coordinate, by a constant and, if `loaded`, by the reaction too."""
    type_of = w.m.joints[joint].type
    turns = type_of in ("revolute", "cylindrical")
    if not turns and type_of not in ("prismatic", "translational"):
        return
    own: dict[str, Any] = {
        "coulomb": float(w.rng.choice([0.02, 0.2, 2.0])),
        "static_ratio": w.pick([1.0, 1.3]),
    }
    if loaded:
        own |= {"coefficient": float(w.rng.uniform(0.05, 0.3)), **({"radius": 0.01} if turns else {})}
    own["coordinate"] = "angle" if turns else "displacement"
    w.m.add(f"rubbing-{joint}", ww.Friction(joint=joint, **own))


def strike(w: Workshop, body: str) -> None:
    """A ball in a body, a few millimetres above a plane of ground that faces it."""
    up = w.rng.normal(size=3) * ([0.3, 0, 0] if w.planar else [0.3, 0.3, 0])
    up[1 if w.planar else 2] = 1.0
    up /= np.linalg.norm(up)
    centre, radius = w.places[body], 0.02
    law = ww.Restitution(coefficient=float(w.rng.choice([0.0, 0.4, 0.9])))
    below = centre - (radius + w.rng.uniform(0.001, 0.008)) * up
    plane = ww.ContactPlane(body="ground", point_in_body=w.vector(below), normal_in_body=w.vector(up))
    w.m.add(f"contact-{body}", ww.Contact(a=ww.ContactSphere(body=body, radius=radius), b=plane, law=law))


def push(w: Workshop) -> None:
    """An eccentric disc on a shaft of its own, with a flat follower in a guide that a spring presses on it."""
    (x, y, axis), away = np.eye(3), np.array([5.0, 0.0, 0.0])
    radius, offset = 0.05, float(w.rng.uniform(0.005, 0.02))
    cam, top = w.body(away), w.body(away + (radius + 0.2) * y)
    w.hinge("ground", cam, away, axis)
    face = away + radius * y
    kind = ww.Translational if w.planar else ww.Prismatic
    w.m.add("guide", kind(bodies=("ground", top), point=w.vector(face), axis=w.vector(y)))
    disc = {"type": "formula", "x": f"{offset}+{radius}*cos(s)", "y": f"{radius}*sin(s)"}
    faces = {} if w.planar else {"axis": (0.0, 0.0, 1.0)}
    w.m.add(
        "lift",
        ww.CamFlat(
            bodies=(cam, top), point_a=w.vector(away), point_b=w.vector(face), direction=w.vector(x),
            outline=disc, **faces,
        ),
    )  # fmt: skip
    ends = {"point_a": w.vector(face + 0.5 * y), "point_b": w.vector(face)}
    w.m.add("return", ww.Spring(bodies=("ground", top), stiffness=2000.0, free_length=0.6, **ends))
