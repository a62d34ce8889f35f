"""Other ways to write down the same mechanism."""

import random
import re

import numpy as np
from scipy.spatial.transform import Rotation

import wheelwork as ww
from wheelwork.description import Description, dumps
from wheelwork.description.write import to_data

NAMES = re.compile(r"\b(?:body|wheel|joint|mesh)\d+\b")

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


def in_other_units(m: Description) -> tuple[ww.Mechanism, set[str]]:
    """The same file with quantities in the units of the workshop; which units were met."""
    data, met = to_data(m), set()

    def written(value, unit, size):
        if isinstance(value, list | tuple):
            return [written(x, unit, size) for x in value]
        return f"{float(value) * size!r} {unit}"

    for (collection, field), (unit, size) in UNITS.items():
        for element in data.get(collection, {}).values():
            if field in element:
                element[field] = written(element[field], unit, size)
                met.add(unit)
    return ww.loads(_yaml(data)), met


def renamed_and_shuffled(m: Description, seed: int) -> tuple[ww.Mechanism, dict[str, str]]:
    """Other names in another order; the new name of each."""
    rng = random.Random(seed)
    names = sorted(set(NAMES.findall(dumps(m))))
    new = [f"{rng.choice('zyxwvuABC')}{k}_{rng.randrange(1000)}" for k in range(len(names))]
    mapping = dict(zip(names, new, strict=True))
    data = to_data(ww.loads(NAMES.sub(lambda match: mapping[match.group()], dumps(m))))
    for collection in ("bodies", "joints", "meshes", "forces"):
        entries = list(data.get(collection, {}).items())
        rng.shuffle(entries)
        if entries:
            data[collection] = dict(entries)
    return ww.loads(_yaml(data)), mapping


def placed_elsewhere(m: ww.Mechanism, turn: Rotation, shift: np.ndarray) -> ww.Mechanism:
    """The mechanism as a component `in` that stands elsewhere in the world, gravity turned with it."""
    gravity = turn.apply([0.0, 0.0, -9.80665])
    outer = ww.Mechanism("elsewhere", gravity=tuple(map(float, gravity)))
    turned = {"rotation_vector": tuple(map(float, turn.as_rotvec()))}
    place = tuple(map(float, shift))
    outer.add("in", ww.Component(model=m, position=place, orientation=ww.Orientation(**turned)))
    return outer


def _yaml(data: dict) -> str:
    from io import StringIO

    from ruamel.yaml import YAML

    out = StringIO()
    YAML(typ="safe", pure=True).dump(_plain(data), out)
    return out.getvalue()


def _plain(data):
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return data if isinstance(data, bool | int | str) or data is None else float(data)
