"""Signals that a formula may use while the mechanism moves.

Positions and speeds of bodies, attachment frames, joints and rotors are read from frames; forces that follow from
these (springs, contacts, elastic teeth) are the expressions of their elements. Reactions are found together with the
accelerations, which the formula is a part of, so they cannot be used inside the equations; such names get an error that
says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from wheelwork.equations.context import Registry
from wheelwork.equations.frames import BodyFrame, Marker
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass
from wheelwork.problems import nearest

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
    owner, _, what = _split(name, list(blocks))
    if not owner:
        return None, ""
    known = blocks[owner].element.output_names()
    if what not in known:
        near = ", ".join(f"`{owner}.{one}`" if one else f"`{owner}`" for one in known)
        raise ValueError(f"`{name}` is no output of `{owner}`, which has {near}")
    return owner, what


def force_of(name: str, registry: Registry) -> tuple[str | None, str]:
    """The force, or mesh whose teeth are a force, whose signal a name may be, and which; None: it is none."""
    flat = registry.flat
    owner, _, what = _split(name, [*flat.rotors, *flat.joints, *flat.bodies, *flat.forces, *flat.meshes])
    if owner in flat.forces:
        return owner, what
    if owner in flat.meshes:
        if flat.meshes[owner].element.model.equations() is None:
            raise _reaction(name, "give the mesh elastic teeth (`model: compliant`), whose force can be used")
        return owner, what
    return None, ""


def unknown_force_signal(owner: str, what: str, known: list[str], sticks: bool) -> ValueError:
    """A force has no signal of this name that follows from positions and speeds."""
    if sticks and what in ("torque", "heat", "mode"):
        return _reaction(
            f"{owner}.{what}", "put a torsional spring in series with it, whose torque can be used"
        )
    near = ", ".join(f"`{owner}.{one}`" for one in known) or "none"
    return ValueError(f"`{owner}.{what}` is no signal of `{owner}` that a formula may use; these are: {near}")


def _reaction(name: str, remedy: str) -> ValueError:
    return ValueError(
        f"`{name}` is a reaction: it is found together with the accelerations, which this formula is a part of; "
        f"{remedy}, or read it at samples in a controller in Python"
    )


def reader_of(name: str, registry: Registry) -> SignalReader:
    """The reader of a signal, by its full name."""
    flat = registry.flat
    owner, _, rest = _split(name, [*flat.rotors, *flat.joints, *flat.bodies, *flat.frames])
    if (owner in flat.rotors or owner in flat.joints) and rest.split(".")[0] in ("force", "torque", "load"):
        raise _reaction(name, "put a bushing in place of the joint, whose force can be used")
    if owner in flat.rotors:
        return _joint(flat.rotors[owner], rest, registry)
    if owner in flat.joints:
        return _joint(owner, rest, registry)
    if owner in flat.bodies:
        return _body(owner, owner, rest, -registry.layout.bodies[owner].center, registry)
    if owner in flat.frames:
        return _frame(owner, rest, registry)
    raise _unusable(name, registry)


def _unusable(name: str, registry: Registry) -> ValueError:
    known = ", ".join(f"`{x}`" for x in nearest(name, usable_names(registry)))
    hint = f"; the nearest that can: {known}" if known else ""
    return ValueError(
        f"`{name}` cannot be used in a formula, which may use states, blocks, positions and speeds of bodies, "
        f"frames, joints and rotors, and forces that follow from these{hint}"
    )


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


def _split(name: str, owners: list[str]) -> tuple[str, str, str]:
    """Owner and rest of a dotted name; owners may have dots themselves."""
    best = max((o for o in owners if name.startswith(o + ".")), key=len, default="")
    return best, ".", name[len(best) + 1 :]


def _joint(name: str, what: str, registry: Registry) -> SignalReader:
    joint = registry.joint(name)
    coordinate = RATES.get(what, what)
    if coordinate not in joint.equations.coordinates:
        raise _unusable(f"{name}.{what}", registry)
    rate = what in RATES
    turn = registry.joint_turn(name) if coordinate == "angle" and not rate else None

    def read(frames: list[BodyFrame], data: ca.SX, turns: ca.SX) -> ca.SX:
        a, b = Marker.from_record(frames[0], data[0:12]), Marker.from_record(frames[1], data[12:24])
        row = joint.equations.coordinate(coordinate, a, b, turns)
        return row.rate(a, b) if rate else row.value

    key = f"{joint.equations.type}_{what}"
    return SignalReader(key, joint.bodies, read, list(joint.markers), turn)


def _turning(frame: BodyFrame, what: str) -> ca.SX:
    """Angle or angular velocity of a body in the plane."""
    assert frame.angle is not None
    return frame.angle if what == "angle" else frame.w[2]


def _frame(name: str, what: str, registry: Registry) -> SignalReader:
    """Of a point of a body."""
    body, marker = registry.layout.marker_of_frame(name)
    if body not in registry.flat.bodies:
        raise ValueError(f"`{name}.{what}` stays as it is: the frame is fixed to `{body}`")
    return _body(body, name, what, marker[:3], registry)


def _body(body: str, name: str, what: str, origin: ca.SX, registry: Registry) -> SignalReader:
    """Of a body or a frame in it, whose origin is so far from the centre of mass."""
    if registry.flat.kind == "planar" and (what == "w" or (what == "angle" and name == body)):
        return SignalReader(f"body_{what}", [body], lambda frames, data, turns: _turning(frames[0], what))
    quantity, _, axis = what.rpartition(".")
    if quantity not in ("position", "velocity", "w") or axis not in ("x", "y", "z"):
        raise _unusable(f"{name}.{what}", registry)
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
