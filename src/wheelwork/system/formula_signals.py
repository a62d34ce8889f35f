"""Signals that a formula may use while the mechanism moves.

Positions and speeds of bodies, attachment frames, joints and rotors are read from frames; forces that follow from
these (springs, contacts, elastic teeth) are the expressions of their elements. All other signals, such as reactions,
are read once the accelerations are known (:mod:`.measured`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field

from wheelwork.equations.context import Registry
from wheelwork.equations.frames import BodyFrame, Marker
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

RATES = {"w": "angle", "speed": "displacement"}
"""Name of a joint coordinate's rate, and the coordinate."""


@dataclass(frozen=True)
class SignalReader:
    """How a kernel reads one signal: which bodies and numbers it needs, and the expression."""

    key: str
    bodies: list[str]
    read: Callable[[list[BodyFrame], ca.SX, ca.SX], ca.SX]
    data: list[ca.SX] = field(default_factory=list)
    turn: int | None = None


def block_of(name: str, registry: Registry) -> tuple[str | None, str]:
    """The state or block of a control whose output a name is, and which (empty: the output); None: it is none."""
    blocks = registry.flat.blocks
    if name in blocks:
        return name, ""
    owner, what = owner_of(name, list(blocks))
    if not owner:
        return None, ""
    known = blocks[owner].element.output_names()
    if what not in known:
        near = ", ".join(f"`{owner}.{one}`" if one else f"`{owner}`" for one in known)
        raise ValueError(f"`{name}` is not an output of `{owner}`, which has {near}")
    return owner, what


def force_of(name: str, registry: Registry) -> tuple[str | None, str]:
    """The force, or mesh whose teeth are a force, whose signal a name may be, and which; None: it is none."""
    flat = registry.flat
    owner, what = owner_of(name, [*flat.rotors, *flat.joints, *flat.bodies, *flat.forces, *flat.meshes])
    if owner in flat.forces:
        return owner, what
    if owner in flat.meshes and flat.meshes[owner].element.model.equations() is not None:
        return owner, what
    return None, ""


def reader_of(name: str, registry: Registry) -> SignalReader | None:
    """The reader of a position or speed, by its full name; None: it is none."""
    flat = registry.flat
    owner, rest = owner_of(name, [*flat.rotors, *flat.joints, *flat.bodies, *flat.frames])
    if owner in flat.rotors:
        return _joint(flat.rotors[owner], rest, registry)
    if owner in flat.joints:
        return _joint(owner, rest, registry)
    if owner in flat.bodies:
        return _body(owner, owner, rest, -registry.layout.bodies[owner].center, registry)
    return _frame(owner, rest, registry) if owner in flat.frames else None


def usable_names(registry: Registry) -> list[str]:
    """All signals that formulas may use."""
    flat = registry.flat
    names = list(flat.blocks)
    for rotor in flat.rotors:
        names += [f"{rotor}.angle", f"{rotor}.w"]
    for joint in flat.joints:
        for coordinate in registry.joint(joint).equations.coordinates:
            names += [f"{joint}.{coordinate}", *(f"{joint}.{r}" for r, c in RATES.items() if c == coordinate)]
    for body in flat.bodies:
        if body not in flat.rotors:
            if flat.kind == "planar":
                names += [f"{body}.{q}.{axis}" for q in ("position", "velocity") for axis in "xy"]
                names += [f"{body}.angle", f"{body}.w"]
            else:
                names += [f"{body}.{q}.{axis}" for q in ("position", "velocity", "w") for axis in "xyz"]
    axes = "xy" if flat.kind == "planar" else "xyz"
    names += [
        f"{frame}.{q}.{axis}" for frame in flat.frames for q in ("position", "velocity") for axis in axes
    ]
    return names


def owner_of(name: str, owners: Iterable[str]) -> tuple[str, str]:
    """Owner and rest of a dotted name, owners having dots themselves perhaps; empty: there is none."""
    best = max((o for o in owners if name.startswith(o + ".")), key=len, default="")
    return best, name[len(best) + 1 :]


def _joint(name: str, what: str, registry: Registry) -> SignalReader | None:
    joint = registry.joint(name)
    coordinate = RATES.get(what, what)
    if coordinate not in joint.equations.coordinates:
        return None
    rate = what in RATES
    turn = registry.joint_turn(name) if coordinate == "angle" and not rate else None

    def read(frames: list[BodyFrame], data: ca.SX, turns: ca.SX) -> ca.SX:
        a, b = Marker.pair(frames[:2], data)
        row = joint.equations.coordinate(coordinate, a, b, turns)
        return row.rate(a, b) if rate else row.value

    key = f"{joint.equations.type}_{what}"
    return SignalReader(key, joint.bodies, read, list(joint.markers), turn)


def _turning(frame: BodyFrame, what: str) -> ca.SX:
    """Angle or angular velocity of a body in the plane."""
    assert frame.angle is not None
    return frame.angle if what == "angle" else frame.w[2]


def _frame(name: str, what: str, registry: Registry) -> SignalReader | None:
    """Of a point of a body."""
    body, marker = registry.layout.marker_of_frame(name)
    if body not in registry.flat.bodies:
        raise ValueError(f"`{name}.{what}` stays as it is: the frame is fixed to `{body}`")
    return _body(body, name, what, marker[:3], registry)


def _body(body: str, name: str, what: str, origin: ca.SX, registry: Registry) -> SignalReader | None:
    """Of a body or a frame in it, whose origin is so far from the centre of mass."""
    if registry.flat.kind == "planar" and (what == "w" or (what == "angle" and name == body)):
        return SignalReader(f"body_{what}", [body], lambda frames, data, turns: _turning(frames[0], what))
    quantity, _, axis = what.rpartition(".")
    if quantity not in ("position", "velocity", "w") or axis not in ("x", "y", "z"):
        return None
    k = "xyz".index(axis)

    def read(frames: list[BodyFrame], data: ca.SX, turns: ca.SX) -> ca.SX:
        frame = frames[0]
        arm = ca.mtimes(frame.R, data[0:3])
        if quantity == "position":
            return frame.x[k] + arm[k]
        if quantity == "velocity":
            return frame.v[k] + ca.cross(frame.w, arm)[k]
        return frame.w[k]

    return SignalReader(f"body_{quantity}_{axis}", [body], read, [origin])
