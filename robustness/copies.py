"""Other ways to write down the same mechanism: other names and order, place, units, handedness, size and time scale.

What a copy does is known from what the first one does, signal by signal. So whatever a library takes from somewhere
else than physics shows: the order of elements, an axis of the world, a number that is small in SI units alone.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from io import StringIO
from typing import Any

import numpy as np
from ruamel.yaml import YAML
from scipy.spatial.transform import Rotation

from wheelwork import description as ww
from wheelwork.description import Description, Formula, dumps
from wheelwork.description.dimensions import Dimension
from wheelwork.description.flatten import flatten
from wheelwork.description.formula import NUMERIC
from wheelwork.description.units import parse_unit
from wheelwork.description.values import OUT_OF_PLANE, OutOfPlane
from wheelwork.description.walk import each_part, plan
from wheelwork.description.write import to_data
from wheelwork.mechanism import Mechanism, loads

NAMES = re.compile(r"\b(?:body|wheel|joint|mesh)\d+\b")
SHUFFLED = ("bodies", "joints", "meshes", "forces")
SCALED = ("bodies", "joints", "meshes", "forces", "drivers")
IDLE = ("rest_speed",)
"""Fields with a default that may not be given where they have no effect."""
DISPLACEMENTS = ("prismatic", "translational")
"""Joints whose coordinate is a length, of which the second dimension of a field counts."""

# collection and field -> unit, and how many of it make one of SI
UNITS = {
    ("bodies", "mass"): ("g", 1e3),
    ("bodies", "inertia"): ("kg*cm^2", 1e4),
    ("bodies", "position"): ("mm", 1e3),
    ("bodies", "velocity"): ("km/h", 3.6),
    ("bodies", "angular_velocity"): ("deg/s", 180 / np.pi),
    ("bodies", "angle"): ("deg", 180 / np.pi),
    ("joints", "point"): ("inch", 1 / 0.0254),
    ("joints", "point_a"): ("cm", 1e2),
    ("joints", "point_b"): ("mm", 1e3),
    ("joints", "length"): ("ft", 1 / 0.3048),
    ("meshes", "module"): ("mm", 1e3),
    ("meshes", "radii"): ("cm", 1e2),
    ("meshes", "helix_angle"): ("deg", 180 / np.pi),
    ("forces", "stiffness"): ("N/mm", 1e-3),
    ("forces", "damping"): ("N*s/mm", 1e-3),
    ("forces", "point_a"): ("mm", 1e3),
    ("forces", "point_b"): ("mm", 1e3),
}


def in_other_units(m: Description) -> tuple[Mechanism, set[str]]:
    """The same file with quantities in the units of the workshop; which units were met."""
    data, met = to_data(m), set()

    def write(value: Any, unit: str, size: float) -> Any:
        if isinstance(value, list | tuple):
            return [write(x, unit, size) for x in value]
        return f"{float(value) * size!r} {unit}"

    for (collection, field), (unit, size) in UNITS.items():
        for element in data.get(collection, {}).values():
            if field in element:
                element[field] = write(element[field], unit, size)
                met.add(unit)
    return loads(_yaml(data)), met


def renamed_and_shuffled(m: Description, seed: int) -> tuple[Mechanism, dict[str, str]]:
    """Other names in another order; the new name of each."""
    rng = random.Random(seed)
    names = sorted(set(NAMES.findall(dumps(m))))
    new = [f"{rng.choice('zyxwvuABC')}{k}_{rng.randrange(1000)}" for k in range(len(names))]
    mapping = dict(zip(names, new, strict=True))
    data = to_data(loads(NAMES.sub(lambda match: mapping[match.group()], dumps(m))))
    for collection in SHUFFLED:
        entries = list(data.get(collection, {}).items())
        rng.shuffle(entries)
        if entries:
            data[collection] = dict(entries)
    return loads(_yaml(data)), mapping


def placed_elsewhere(m: Mechanism, turn: Rotation, shift: np.ndarray) -> Mechanism:
    """The mechanism as a component `in` that stands elsewhere in the world, gravity turned with it."""
    gravity = turn.apply([0.0, 0.0, -9.80665])
    outer = Mechanism("elsewhere", gravity=tuple(map(float, gravity)))
    turned = {"rotation_vector": tuple(map(float, turn.as_rotvec()))}
    place = tuple(map(float, shift))
    outer.add("in", ww.Component(model=m, position=place, orientation=ww.Orientation(**turned)))
    return outer


# -- another scale


def rescaled(m: Mechanism, length: float, mass: float, time: float) -> Mechanism:
    """The same mechanism with all lengths, masses and times multiplied by these factors.

    Whatever has a dimension is multiplied by it, materials and gravity too, so that each signal s(t) becomes
    `scale_of(unit)` s(t/time). Numbers are taken; a formula of time or signals is refused with a ValueError.
    """
    values = flatten(m).values

    def factor_of(dimension: Dimension) -> float:
        metre, kilogram, second, _ = dimension.exponents
        return float(length ** float(metre) * mass ** float(kilogram) * time ** float(second))

    def scale_numbers(value: Any, factor: float) -> Any:
        if isinstance(value, bool | OutOfPlane) or value is None:
            return value
        if isinstance(value, tuple):
            return tuple(scale_numbers(entry, factor) for entry in value)
        if isinstance(value, dict):
            return {key: scale_numbers(entry, factor) for key, entry in value.items()}
        if isinstance(value, Formula):
            if not set(value.names()) <= set(values):
                raise ValueError(f"`{value}` is a formula of time or signals")
            return factor * float(value.evaluate(values.__getitem__, NUMERIC))
        return factor * float(value) if isinstance(value, int | float) else value

    def scale_parts(second: int) -> Callable[[Any], Any]:
        def scale_fields(part: Any) -> Any:
            changed = {}
            for name, (_, kind) in plan(type(part)).items():
                if kind is None or kind.any_dimension or kind.condition:
                    continue
                dimension = kind.dimensions[min(second, len(kind.dimensions) - 1)]
                if name in part.model_fields_set or name not in IDLE:
                    changed[name] = scale_numbers(getattr(part, name), factor_of(dimension))
            return part.model_copy(update=changed)

        return scale_fields

    along = {name for name, joint in m.joints.items() if joint.type in DISPLACEMENTS}
    copy = m.model_copy(deep=True)
    for collection in SCALED:
        elements = getattr(copy, collection)
        for name, element in elements.items():
            moves_along = getattr(element, "joint", name) in along
            elements[name] = each_part(element, scale_parts(1 if moves_along else 0))
    gravity = m.gravity or {"spatial": (0.0, 0.0, -9.80665), "planar": (0.0, -9.80665, OUT_OF_PLANE)}[m.kind]
    copy.gravity = scale_numbers(gravity, length / time**2)
    return copy


def scale_of(unit: str, length: float, mass: float, time: float) -> float:
    """What a signal with this unit is multiplied by in a copy of another scale."""
    metre, kilogram, second, _ = parse_unit(unit)[1] if unit not in ("", "1") else (0, 0, 0, 0)
    return float(length ** float(metre) * mass ** float(kilogram) * time ** float(second))


# -- in a mirror

POLAR = ("position", "velocity", "point", "point_a", "point_b", "point_in_body", "gravity")
"""Vectors that point to where the mirror shows them."""
AXIAL = ("angular_velocity", "rotation_vector")
"""Vectors about which something turns, which come out of a mirror reversed."""
TURNING = ("revolute", "universal", "screw", "cylindrical")


def mirrored(m: Mechanism) -> Mechanism:
    """The mechanism in a mirror at right angles to x: what moves left moves right, and helices change hands.

    Axes of what turns are reversed besides, so that angles keep their signs; where a joint slides along such an axis
    its displacement changes sign. In the plane axes stay, and angles change sign.
    """
    if m.components or m.parameters:
        raise ValueError("only mechanisms without components and parameters are mirrored")
    polar = np.array([-1.0, 1.0, 1.0])

    def flip(vector: Any, signs: np.ndarray) -> Any:
        return tuple(sign * entry if sign < 0 else entry for sign, entry in zip(signs, vector, strict=False))

    def change(part: Any) -> Any:
        fields, kind = plan(type(part)), getattr(part, "type", None)
        changed: dict[str, Any] = {}
        for name in fields:
            value = getattr(part, name)
            if value is None:
                continue
            if name in POLAR and isinstance(value, tuple):
                changed[name] = flip(value, polar)
            elif name in AXIAL and isinstance(value, tuple):
                changed[name] = flip(value, -polar)
            elif name.startswith("axis") and isinstance(value, tuple):
                changed[name] = flip(value, -polar if kind in TURNING else polar)
            elif name == "helix_angle" or (name == "angle" and kind in (None, "body")):
                changed[name] = -value
            elif name == "inertia" and isinstance(value, tuple) and isinstance(value[0], tuple):
                changed[name] = tuple(map(tuple, polar[:, None] * np.array(value) * polar))
            elif name == "flank" and m.kind == "planar":
                changed[name] = "back" if value == "front" else "front"
            elif name == "value" and kind == "torque":
                changed[name] = flip(value, -polar)
            elif name == "value" and kind == "force":
                changed[name] = flip(value, polar)
        return part.model_copy(update=changed)

    copy = m.model_copy(deep=True)
    for collection in SCALED:
        elements = getattr(copy, collection)
        for name, element in elements.items():
            elements[name] = each_part(element, change)
    if m.gravity is not None:
        copy.gravity = flip(m.gravity, polar)
    return copy


def _yaml(data: dict[str, Any]) -> str:
    out = StringIO()
    YAML(typ="safe", pure=True).dump(_plain(data), out)
    return out.getvalue()


def _plain(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return data if isinstance(data, bool | int | str) or data is None else float(data)
