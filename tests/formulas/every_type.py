"""One small model for every type of joint, mesh, driver and force, in the plane and in space."""

import re
from functools import cache

import wheelwork as ww
from wheelwork.description.base import PLANAR, SPATIAL
from wheelwork.description.registry import family
from wheelwork.show.formulas import Equations

from .models import (
    CAMS,
    PLANAR_BODIES,
    PLANAR_FORCES,
    PLANAR_JOINTS,
    SPATIAL_BODIES,
    SPATIAL_JOINTS,
    with_samples,
)

ELEMENTS = ("joints", "meshes", "drivers", "forces")

_CAM_BODIES = (
    PLANAR_BODIES.replace("rate:", "shift: 4 mm, rate:")
    .replace("[0.2, -0.1], angle: 0.4", "[0, 0], angle: 0")
    .replace("[length, 0.5], angle: -0.7", "[0, 0.1]")
)

_FORCES = {
    "bushing": "{type: bushing, bodies: [one, two], point: POINT, stiffness: THREE}",
    "friction": "{type: friction, joint: pin, viscous: 0.1, coulomb: 0.2}",
    "stop": "{type: stop, joint: pin, lower: -3, upper: 4, stiffness: 50, damping: 0.1}",
    "motor": "{type: motor, joint: pin, curve: {speed: [0, 10], torque: [3, 1]}}",
    "contact": (
        "{type: contact, a: {type: sphere, body: two, radius: 0.05}, "
        "b: {type: plane, body: ground, point_in_body: LOW}, "
        "law: {type: compliant, stiffness: 1e5}}"
    ),
    "contact with impact": (
        "{type: contact, a: {type: sphere, body: two, radius: 0.05}, "
        "b: {type: plane, body: ground, point_in_body: LOW}, "
        "law: {type: restitution, coefficient: 0.5}}"
    ),
}
_IN_SPACE = {
    "force": "{type: force, body: two, value: [10*sin(3*t), 5, 1], point_in_body: [0.01, 0.03, 0]}",
    "torque": "{type: torque, body: one, value: [0, 0, 3*t]}",
    "spring": (
        "{type: spring, bodies: [one, two], point_a: [0, 0.1, 0], point_b: [0.3, 0.1, 0.2], stiffness: 40, "
        "damping: 3, free_length: 0.5}"
    ),
    "torsional_spring": "{type: torsional_spring, joint: pin, stiffness: 3, damping: 0.1}",
    "actuator": "{type: actuator, joint: pin, value: 2*pin.w}",
}
_FROM_A_TABLE = "{time: [0, 1, 2], value: [0.1, 0.2, 0.1]}"

_PLANAR_DRIVERS = {
    "joint": "{type: joint, joint: pin, value: rate*t + 0.1*sin(t)}",
    "joint by a table": f"{{type: joint, joint: pin, value: {_FROM_A_TABLE}}}",
    "body x": "{type: body, body: two, coordinate: x, value: 0.1*t^2, point_in_body: [0.1, 0.2]}",
    "body angle": "{type: body, body: two, coordinate: angle, value: rate*t}",
    "distance": (
        "{type: distance, bodies: [one, two], point_a: [0.1, 0.1], point_b: [0.6, 0.2], value: 0.5 + 0.1*sin(rate*t)}"
    ),
    "distance by a table": (
        "{type: distance, bodies: [ground, two], point_a: [0.1, 0.1], point_b: [0.6, 0.2], "
        f"value: {_FROM_A_TABLE}}}"
    ),
    "rotation": "{type: rotation, bodies: [one, two], value: rate*t}",
    "rotation against ground": "{type: rotation, bodies: [ground, two], value: rate*t}",
}
_SPATIAL_DRIVERS = {
    "joint": "{type: joint, joint: pin, value: rate*t}",
    "body z": "{type: body, body: two, coordinate: z, value: 0.1*t^2, point_in_body: [0.1, 0.2, 0.3]}",
    "distance": (
        "{type: distance, bodies: [one, two], point_a: [0.1, 0.1, 0], point_b: [0.6, 0.2, 0.3], "
        "value: 0.59 + 0.1*sin(rate*t)}"
    ),
}

_WHEELS_IN_PLANE = {
    "external": ("{type: external, bodies: [one, two], teeth: [20, 40], module: 10 mm", "[0.3, 0]"),
    "internal": ("{type: internal, bodies: [one, two], teeth: [20, 70], module: 10 mm", "[0.25, 0]"),
    "rack": ("{type: rack, bodies: [one, two], teeth: 20, module: 10 mm", ""),
    "belt": ("{type: belt, bodies: [one, two], radii: [0.1, 0.2], tension: 20", "[0.5, 0]"),
}
_WHEELS_IN_SPACE = {
    "external": ("teeth: [20, 40], module: 10 mm", "[0.3, 0, 0]", "[0, 0, 1]"),
    "external, helical": (
        "teeth: [20, 40], radii: [0.1, 0.2], helix_angle: 20 deg",
        "[0.3, 0, 0]",
        "[0, 0, 1]",
    ),
    "internal": ("teeth: [20, 70], module: 10 mm", "[0.25, 0, 0]", "[0, 0, 1]"),
    "bevel": ("teeth: [20, 40], module: 10 mm, spiral_angle: 20 deg", "[0.2, 0, 0.1]", "[1, 0, 0]"),
    "crossed": (
        "teeth: [20, 40], radii: [0.1, 0.2], helix_angles: [45 deg, 45 deg]",
        "[0.3, 0, 0]",
        "[0, 1, 0]",
    ),
    "worm": ("teeth: [2, 40], module: 10 mm, diameter: 80 mm", "[0.24, 0, 0]", "[0, 1, 0]"),
    "belt": ("radii: [0.1, 0.2], tension: 20", "[0.5, 0, 0]", "[0, 0, 1]"),
}
_TEETH = {
    "compliant": "model: {type: compliant, stiffness: 1e8, backlash: 1e-4}",
    "contact": "face_width: 20 mm, model: {type: contact}",
}


def _meshes_in_plane() -> dict[str, str]:
    out = {}
    for kind, (text, centre) in _WHEELS_IN_PLANE.items():
        second = (
            "{type: translational, bodies: [ground, two], point: [0, 0.1], axis: [1, 0]}"
            if kind == "rack"
            else f"{{type: revolute, bodies: [ground, two], point: {centre}}}"
        )
        frame = (
            "joints:\n  p: {type: revolute, bodies: [ground, one], point: [0, 0]}\n"
            f"  q: {second}\nmeshes:\n  it: "
        )
        models = {"rigid": "efficiency: 0.95"} | ({} if kind == "belt" else _TEETH)
        out |= {f"{kind}, {m}": f"{PLANAR_BODIES}{frame}{text}, {more}}}\n" for m, more in models.items()}
    out["rack, holds its distance"] = (
        f"{PLANAR_BODIES.replace('[0.2, -0.1], angle: 0.4', '[0, 0.1]')}joints:\n"
        "  q: {type: fixed, bodies: [ground, two], point: [0, 0]}\nmeshes:\n  it: {type: rack, bodies: [one, two], "
        "teeth: 20, module: 10 mm, holds_distance: true, point_a: [0, 0.1], point_b: [0, 0], axis_b: [1, 0]}\n"
    )
    return out


def _meshes_in_space() -> dict[str, str]:
    bodies = SPATIAL_BODIES.replace(
        "position: [0.2, -0.1, 0.3]\n    orientation: {rotation_vector: [0.3, 0.4, -0.5]}",
        "position: [0, 0, 0]",
    ).replace(
        "position: [length, 0.5, -0.2]\n    orientation: {rotation_vector: [-0.6, 0.2, 0.5]}",
        "position: CENTRE",
    )
    out = {}
    for kind, (text, centre, axis) in _WHEELS_IN_SPACE.items():
        type = kind.partition(",")[0]
        frame = (
            "joints:\n  p: {type: revolute, bodies: [ground, one], point: [0, 0, 0], axis: [0, 0, 1]}\n"
            f"  q: {{type: revolute, bodies: [ground, two], point: {centre}, axis: {axis}}}\n"
            f"meshes:\n  it: {{type: {type}, bodies: [one, two], {text}"
        )
        models = {"rigid": "efficiency: 0.95"}
        models |= _TEETH if type in ("external", "internal") else {}
        here = bodies.replace("CENTRE", centre)
        out |= {f"{kind}, {m}": f"{here}{frame}, {more}}}\n" for m, more in models.items()}
    rack = (
        "joints:\n  p: {type: revolute, bodies: [ground, one], point: [0, 0, 0], axis: [0, 0, 1]}\n"
        "  q: {type: prismatic, bodies: [ground, two], point: [0, 0.1, 0], axis: [1, 0, 0]}\n"
        "meshes:\n  it: {type: rack, bodies: [one, two], teeth: 20, radius: 0.1"
    )
    here = bodies.replace("CENTRE", "[0, 0.2, 0]")
    out["rack, rigid"] = f"{here}{rack}, friction: 0.05}}\n"
    out["rack, helical"] = f"{here}{rack}, helix_angle: 20 deg}}\n"
    out["rack, compliant"] = f"{here}{rack}, {_TEETH['compliant']}}}\n"
    return out


def _sampled_meshes(texts: dict[str, str], kind: str) -> dict[str, str]:
    """With types that are looked at by nothing else but the sample in their own file, on the axes that it gives."""
    looked_at = {name.partition(",")[0] for name in texts}
    out = dict(texts)
    for name, cls in family("meshes").items():
        sample = cls.sample(kind) if kind in cls.kinds and name not in looked_at else None
        if sample is not None:
            m = ww.Mechanism("wheels", kind=kind)
            for side, body in enumerate(sample.bodies):
                letter = "ab"[side]
                point, axis = getattr(sample, f"point_{letter}"), getattr(sample, f"axis_{letter}")
                size = 2 if kind == PLANAR else 3
                inertia = 0.4 if kind == PLANAR else (0.4, 0.5, 0.6)
                m.add(body, ww.Body(mass=2, inertia=inertia, position=point[:size]))
                carrier = ww.Prismatic if cls.b_is_rack and letter == "b" else ww.Revolute
                m.add(f"joint-{letter}", carrier(bodies=("ground", body), point=point[:size], axis=axis))
            m.add("it", sample)
            out[name] = m.to_yaml()
    return out


def _joints(bodies: str, texts: dict[str, str]) -> dict[str, str]:
    return {kind: f"{bodies}joints:\n  it: {text}\n" for kind, text in texts.items()}


def _with_pin(bodies: str, pin: str, collection: str, texts: dict[str, str]) -> dict[str, str]:
    head = f"{bodies}joints:\n  pin: {pin}\n{collection}:\n  it: "
    return {kind: f"{head}{text}\n" for kind, text in texts.items()}


def _places(point: str, three: str, low: str) -> dict[str, str]:
    return {
        kind: text.replace("POINT", point).replace("THREE", three).replace("LOW", low)
        for kind, text in _FORCES.items()
    }


_CLOSED = {  # at the given position, as checking whole mechanisms asks for
    **PLANAR_JOINTS,
    "relative angle": "{type: relative, bodies: [one, two], coordinate: angle, value: -1.1}",
}
_CLOSED_CAMS = {kind: text.replace("[0, 0.03]", "[0, 0.04]") for kind, text in CAMS.items()}
_CAM_BODIES_IN_SPACE = (
    SPATIAL_BODIES.replace("rate:", "shift: 4 mm, rate:")
    .replace("[0.2, -0.1, 0.3]", "[0, 0, 0]")
    .replace("[length, 0.5, -0.2]", "[0, 0.1, 0]")
    .replace("{rotation_vector: [0.3, 0.4, -0.5]}", "{rotation_vector: [0, 0, 0]}")
    .replace("{rotation_vector: [-0.6, 0.2, 0.5]}", "{rotation_vector: [0, 0, 0]}")
)
_CAMS_IN_SPACE = {
    kind: re.sub(r"(point_.|direction): \[(.*?)\]", r"\1: [\2, 0]", text).replace(
        "point_b:", "axis: [0, 0, 1], point_b:"
    )
    for kind, text in _CLOSED_CAMS.items()
}
_ROD = "{type: rod, bodies: [one, two], point_a: [0.1, 0.1, 0], point_b: [0.6, 0.2, 0.3]}"

_AXIS = ", axis: [1, 0.4, 0.2]"
RELATIONS = {
    "coupler": "{type: coupler, joints: [{joint: base, factor: 1}, {joint: pin, factor: -2}], offset: 0}",
    "ratio, rigid": "{type: ratio, bodies: [one, two], support: groundAXIS, ratio: -2.5}",
    "ratio, with losses": "{type: ratio, bodies: [one, two], support: groundAXIS, ratio: 3, efficiency: 0.9}",
    "ratio, varying": "{type: ratio, bodies: [one, two], support: groundAXIS, ratio: 2 + sin(t)}",
    "planetary, rigid": "{type: planetary, sun: one, ring: two, carrier: groundAXIS, ratio: 3}",
}


def _relations(bodies: str, pin: str, base: str, axis: str) -> dict[str, str]:
    """Those that are constraints, between bodies on one axis."""
    head = f"{bodies}joints:\n  pin: {pin}\n  base: {base}\nforces:\n  it: "
    return {name: f"{head}{text.replace('AXIS', axis)}\n" for name, text in RELATIONS.items()}


MODELS: dict[str, dict[str, dict[str, str]]] = {
    PLANAR: {
        "joints": _joints(PLANAR_BODIES, _CLOSED) | _joints(_CAM_BODIES, _CLOSED_CAMS),
        "meshes": _sampled_meshes(_meshes_in_plane(), PLANAR),
        "drivers": _with_pin(PLANAR_BODIES, PLANAR_JOINTS["revolute"], "drivers", _PLANAR_DRIVERS),
        "forces": _with_pin(
            PLANAR_BODIES,
            PLANAR_JOINTS["revolute"],
            "forces",
            with_samples(PLANAR_FORCES | _places("[0.1, 0]", "[3e3, 4e3]", "[0, 0]"), PLANAR, "forces"),
        )
        | _relations(
            PLANAR_BODIES,
            PLANAR_JOINTS["revolute"],
            "{type: revolute, bodies: [ground, one], point: [0, 0]}",
            "",
        ),
    },
    SPATIAL: {
        "joints": _joints(SPATIAL_BODIES, SPATIAL_JOINTS | {"rod": _ROD})
        | _joints(_CAM_BODIES_IN_SPACE, _CAMS_IN_SPACE),
        "meshes": _sampled_meshes(_meshes_in_space(), SPATIAL),
        "drivers": _with_pin(SPATIAL_BODIES, SPATIAL_JOINTS["revolute"], "drivers", _SPATIAL_DRIVERS),
        "forces": _with_pin(
            SPATIAL_BODIES,
            SPATIAL_JOINTS["revolute"],
            "forces",
            with_samples(
                _IN_SPACE | _places("[0.1, 0, 0.2]", "[3e3, 4e3, 5e3]", "[0, 0, -1]"), SPATIAL, "forces"
            ),
        )
        | _relations(
            SPATIAL_BODIES,
            SPATIAL_JOINTS["revolute"],
            "{type: revolute, bodies: [ground, one], point: [0, 0, 0], axis: [1, 0.4, 0.2]}",
            _AXIS,
        ),
    },
}
"""YAML by kind of mechanism, collection and what it shows; the element is called `it`."""

ALL = [
    (kind, group, name)
    for kind, groups in MODELS.items()
    for group, texts in groups.items()
    for name in texts
]


@cache
def equations_of(kind: str, group: str, name: str) -> Equations:
    return ww.loads(MODELS[kind][group][name]).equations()


@cache
def types_that_occur(kind: str, group: str) -> set[str]:
    return {getattr(ww.loads(text), group)["it"].type for text in MODELS[kind][group].values()}


def types_there_are(kind: str, group: str) -> list[str]:
    return [name for name, cls in family(group).items() if kind in cls.kinds]
