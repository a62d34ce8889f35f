"""Mechanisms of two bodies with one element between them, and states at which to look at them."""

import json
from functools import cache

import numpy as np

import wheelwork as ww
from wheelwork.analyses.assemble import with_turns
from wheelwork.description.registry import family
from wheelwork.show.formulas import Equations

PLANAR_BODIES = """
wheelwork: 1
kind: planar
name: two bodies
gravity: [0.3, -9.5]
parameters: {length: 0.3 m, rate: 2 rad/s, stiffness: 40 N/m}
bodies:
  one: {mass: 1.5 kg, inertia: 0.2, position: [0.2, -0.1], angle: 0.4, center_of_mass: [0.05, 0.02]}
  two: {mass: 2.5 kg, inertia: 0.3, position: [length, 0.5], angle: -0.7, center_of_mass: [-0.03, 0.04]}
"""

PLANAR_JOINTS = {
    "fixed": "{type: fixed, bodies: [one, two], point: [0.4, 0.2]}",
    "revolute": "{type: revolute, bodies: [one, two], point: [0.4, 0.2]}",
    "revolute to ground": "{type: revolute, bodies: [ground, two], point: [length, 0.2]}",
    "prismatic": "{type: prismatic, bodies: [one, two], point: [0.4, 0.2], axis: [1, 0.4]}",
    "translational": "{type: translational, bodies: [ground, two], point: [0, 0.1], axis: [1, 0]}",
    "point_on_line": "{type: point_on_line, bodies: [one, two], point: [0.4, 0.2], axis: [0.3, 1]}",
    "distance": "{type: distance, bodies: [one, two], point_a: [0.1, 0.1], point_b: [0.6, 0.2]}",
    "revolute_revolute": "{type: revolute_revolute, bodies: [one, two], point_a: [0.1, 0.1], point_b: [0.6, 0.2]}",
    "revolute_translational": (
        "{type: revolute_translational, bodies: [one, two], point_a: [0.1, 0.1], axis: [1, 0.3], point_b: [0.6, 0.2]}"
    ),
    "relative x": "{type: relative, bodies: [one, two], coordinate: x}",
    "relative angle": "{type: relative, bodies: [one, two], coordinate: angle, value: -0.3}",
    "absolute y": "{type: absolute, body: two, coordinate: y, point: [0.4, 0.1]}",
}

PLANAR_MESHES = {
    "external": "{type: external, bodies: [one, two], teeth: [20, 40], module: 10 mm}",
    "internal": "{type: internal, bodies: [one, two], teeth: [20, 70], module: 10 mm}",
    "rack": "{type: rack, bodies: [one, two], teeth: 20, module: 10 mm}",
}
"""With the bearings of `BEARINGS`."""

BEARINGS = {
    "external": (
        "revolute, bodies: [ground, one], point: [0, 0]",
        "revolute, bodies: [ground, two], point: [0.3, 0]",
    ),
    "internal": (
        "revolute, bodies: [ground, one], point: [0, 0]",
        "revolute, bodies: [ground, two], point: [0.25, 0]",
    ),
    "rack": (
        "revolute, bodies: [ground, one], point: [0, 0]",
        "translational, bodies: [ground, two], point: [0, 0.1], axis: [1, 0]",
    ),
}

PLANAR_FORCES = {
    "force": "{type: force, body: two, value: [10*sin(3*t), 5], point_in_body: [0.01, 0.03]}",
    "force in body axes": "{type: force, body: two, value: [1, 5], frame: body}",
    "torque": "{type: torque, body: one, value: 3*t}",
    "spring": (
        "{type: spring, bodies: [one, two], point_a: [0, 0.1], point_b: [0.3, 0.1], stiffness: stiffness, "
        "damping: 3, free_length: 0.5}"
    ),
    "torsional_spring": "{type: torsional_spring, joint: pin, stiffness: 3, damping: 0.1}",
    "actuator": "{type: actuator, joint: pin, value: 2*pin.w}",
}

SPATIAL_BODIES = """
wheelwork: 1
name: two bodies in space
gravity: [0.3, -9.5, 1]
parameters: {length: 0.3 m, rate: 2 rad/s}
bodies:
  one:
    mass: 1.5 kg
    inertia: [0.2, 0.3, 0.4]
    position: [0.2, -0.1, 0.3]
    orientation: {rotation_vector: [0.3, 0.4, -0.5]}
    center_of_mass: [0.05, 0.02, 0.01]
  two:
    mass: 2.5 kg
    inertia: [0.5, 0.3, 0.4]
    position: [length, 0.5, -0.2]
    orientation: {rotation_vector: [-0.6, 0.2, 0.5]}
    center_of_mass: [-0.03, 0.04, 0.02]
"""

SPATIAL_JOINTS = {
    kind: f"{{type: {kind}, bodies: [one, two], point: [0.4, 0.2, 0.1], axis: [1, 0.4, 0.2]}}"
    for kind in ("revolute", "prismatic", "cylindrical", "planar", "point_on_line", "point_on_plane")
} | {
    "fixed": "{type: fixed, bodies: [one, two], point: [0.4, 0.2, 0.1]}",
    "spherical": "{type: spherical, bodies: [one, two], point: [0.4, 0.2, 0.1]}",
    "revolute to ground": "{type: revolute, bodies: [ground, two], point: [0.4, 0.2, 0.1], axis: [1, 0, 0]}",
    "screw": "{type: screw, bodies: [one, two], point: [0.4, 0.2, 0.1], axis: [1, 0.4, 0.2], lead: 0.05}",
    "universal": (
        "{type: universal, bodies: [one, two], point: [0.4, 0.2, 0.1], axis: [1, 0.4, 0.2], axis2: [0.4, -1, 0]}"
    ),
    "distance": "{type: distance, bodies: [one, two], point_a: [0.1, 0.1, 0], point_b: [0.6, 0.2, 0.3]}",
    "revolute_spherical": (
        "{type: revolute_spherical, bodies: [one, two], point_a: [0.1, 0.1, 0], axis: [1, 2, 0], "
        "point_b: [0.6, 0.2, 0.3]}"
    ),
}


def with_samples(texts: dict[str, str], kind: str, collection: str = "joints") -> dict[str, str]:
    """Elements with those that are looked at by nothing else but the sample in their own file."""
    looked_at = {text.split(",")[0].removeprefix("{type: ") for text in texts.values()}
    out = dict(texts)
    for name, cls in family(collection).items():
        sample = cls.sample(kind) if kind in cls.kinds and name not in looked_at else None
        if sample is not None:
            fields = sample.model_dump(exclude_defaults=True, mode="json")
            if collection == "forces" and "axis" in fields:
                fields["axis"] = [1, 0.4, 0.2]  # of the pin between the bodies, about which shafts turn
            out[name] = f"{{type: {name}, {json.dumps(fields)[1:]}"
    return out


PLANAR_JOINTS = with_samples(PLANAR_JOINTS, "planar")
SPATIAL_JOINTS = with_samples(SPATIAL_JOINTS, "spatial")

CAMS = {
    "cam_flat": (
        "{type: cam_flat, bodies: [one, two], point_a: [0, 0], point_b: [0, 0.03], direction: [1, 0], "
        "outline: {type: formula, x: 0.03*cos(s) + shift, y: 0.04*sin(s)}}"
    ),
    "cam_point": (
        "{type: cam_point, bodies: [one, two], point_a: [0, 0], point_b: [0.002, 0.05], radius: 10 mm, "
        "outline: {type: formula, x: 0.03*cos(s) + shift, y: 0.04*sin(s)}}"
    ),
    "cam_cam": (
        "{type: cam_cam, bodies: [one, two], point_a: [0, 0], point_b: [0.002, 0.07], "
        "outline_a: {type: formula, x: 0.03*cos(s) + shift, y: 0.04*sin(s)}, "
        "outline_b: {type: polar, radius: 0.03 + 0.002*cos(2*s)}}"
    ),
}


@cache
def with_joint(text: str, planar: bool = True) -> Equations:
    return ww.loads((PLANAR_BODIES if planar else SPATIAL_BODIES) + f"joints:\n  pin: {text}\n").equations()


@cache
def with_mesh(kind: str) -> Equations:
    first, second = BEARINGS[kind]
    text = (
        f"joints:\n  p: {{type: {first}}}\n  q: {{type: {second}}}\nmeshes:\n  teeth: {PLANAR_MESHES[kind]}\n"
    )
    return ww.loads(PLANAR_BODIES + text).equations()


@cache
def with_force(text: str) -> Equations:
    pin = PLANAR_JOINTS["revolute"]
    return ww.loads(PLANAR_BODIES + f"joints:\n  pin: {pin}\nforces:\n  push: {text}\n").equations()


@cache
def with_cam(kind: str) -> Equations:
    bodies = PLANAR_BODIES.replace("rate:", "shift: 4 mm, rate:")
    bodies = bodies.replace("[0.2, -0.1], angle: 0.4", "[0, 0], angle: 0").replace(
        "[length, 0.5], angle: -0.7", "[0, 0.1]"
    )
    return ww.loads(bodies + f"joints:\n  pin: {CAMS[kind]}\n").equations()


def states(equations: Equations, count: int = 3, size: float = 0.5, seed: int = 0):
    """Motions of one moment about the given position, of any velocity."""
    source = equations._source
    program = source.program
    rng = np.random.default_rng(seed)
    for _ in range(count):
        state = source.given.state[0].copy()
        state[: program.nq] += size * rng.normal(size=program.nq)
        state[program.nq : program.nq + program.nv] = rng.normal(size=program.nv)
        if program.space.name == "spatial":
            q = state[: program.nq].reshape(-1, 7)
            q[:, 3:] /= np.linalg.norm(q[:, 3:], axis=1, keepdims=True)
        yield source.motion(with_turns(program, source.numbers.data, state), float(rng.uniform(0, 2)))
