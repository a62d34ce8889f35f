"""Random mechanisms of whatever elements there are, drawn from the registry: what is added to it is run from then on.

Ground, a shaft and a body behind it, between which a joint of any type stands; forces of any type between the two;
blocks of any type that read a signal and drive an actuator; a free body that a driver of any type moves; and two wheels
with a mesh of any type beside them. An element is its own `sample`, or is made of its required fields, by their names.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from wheelwork import description as ww
from wheelwork.description.registry import family

from .workshop import Workshop

AXIS = np.array([0.2, 1.0, 0.4]) / np.linalg.norm([0.2, 1.0, 0.4])
"""About which the samples of forces between shafts turn."""
NUMBERS: dict[str, Any] = {
    "stiffness": 30.0,
    "curve": {"speed": (0.0, 20.0), "torque": (0.5, 0.1)},
    "coordinate": "x",
    "time": 0.05,
    "rise": 3.0,
    "low": -0.5,
    "high": 0.4,
    "numerator": (1.0,),
    "denominator": (1.0, 0.05),
    "points": (-1.0, 0.0, 2.0),
    "second_points": (-1.0, 1.0),
    "every": 0.01,
}
"""Of required fields, for elements without a sample, whatever their type is."""
OF_TYPE: dict[str, dict[str, Any]] = {
    "look_up": {"values": (0.0, 1.0, 0.5)},
    "look_up_2": {"values": ((0.0, 1.0), (1.0, 0.5), (0.5, 0.2))},
    "sampled": {"memory": {"x": 0.0}, "update": {"x": "0.5 + base.angle"}},
    "state_machine": {
        "modes": ("low", "high"),
        "transitions": [{"leave": "low", "enter": "high", "when": "base.angle > 0.01"}],
    },
    "actuator": {"value": 0.3},
    "spring": {"stiffness": 40.0, "damping": 1.0},
    "torsional_spring": {"stiffness": 3.0, "damping": 0.1},
    "friction": {"viscous": 0.05, "coulomb": 0.1},
    "stop": {"lower": -0.02, "upper": 0.02, "stiffness": 500.0, "damping": 0.1},
    "pid": {"proportional": 0.5, "integral": 0.2, "derivative": 0.01},
    "contact": {
        "a": {"type": "sphere", "body": "body2", "radius": 0.02},
        "b": {"type": "sphere", "body": "ground", "radius": 0.02},
        "law": {"type": "compliant", "stiffness": 1e4},
    },
    "coupler": {"joints": [{"joint": "base", "factor": 1}, {"joint": "far", "factor": -2}]},
}
"""What cannot be told by the name of a field alone."""
NOT_ALONE = {"fmu", "cam_cam", "cam_flat", "cam_point"}
"""A file of another program; outlines, which `switching` has."""


def drawn(w: Workshop, group: str, **known: Any) -> Any:
    """An element of a type that is drawn, or None where it is none for such a place."""
    kind = "planar" if w.planar else "spatial"
    classes = [c for name, c in family(group).items() if kind in c.kinds and name not in NOT_ALONE]
    cls = w.pick(classes)
    bodies = known.get("bodies")
    if group == "forces" and "axis" in cls.model_fields:  # shafts about the axis of the sample
        bodies = known["shafts"]
    found = cls.sample(kind, bodies) if bodies is not None else None
    return found if found is not None else filled(w, cls, known)


def filled(w: Workshop, cls: Any, known: dict[str, Any]) -> Any:
    """One with its required fields, and with what places it."""
    name = cls.model_fields["type"].default
    given = {**NUMBERS, **known, **OF_TYPE.get(name, {})}
    wanted = {field for field, info in cls.model_fields.items() if info.is_required()}
    wanted |= {*OF_TYPE.get(name, {}), *(getattr(cls, "world", ()) if "bodies" in known else ())} & {
        *cls.model_fields
    }
    if name == "bushing":
        given["stiffness"] = w.vector(np.array([300.0, 400.0, 500.0]))
    if name == "torque" and w.planar:
        given["value"] = 0.2
    if "joint" in cls.model_fields:
        wanted |= {"joint"}
    wanted -= {"axis"} if w.planar and not any(known.get("axis", ())) else set()
    if wanted - {*given}:
        raise KeyError(f"{name} needs {sorted(wanted - {*given})}: give it a `sample`")
    return cls(**{field: given[field] for field in wanted})


def sampled(w: Workshop) -> None:
    axis = w.direction() if w.planar else AXIS
    shaft, place = w.body(w.near(np.zeros(3))), w.near(np.zeros(3))
    vector = {} if w.planar else {"axis": w.vector(axis)}
    w.m.add("base", ww.Revolute(bodies=("ground", shaft), point=w.vector(place), **vector))
    far = _joined(w, shaft, place)
    free = w.body(np.array([3.0, 0.0, 0.0]))
    w.m.add("far", ww.Revolute(bodies=("ground", free), point=w.vector(np.array([3.0, 0.1, 0.0])), **vector))
    between = {
        "bodies": (shaft, far),
        "shafts": (shaft, free),
        "body": far,
        "joint": "base",
        "axis": w.vector(axis),
        "value": _value(w),
    }
    between |= {
        "point": w.vector(place),
        "point_a": w.vector(w.near(place)),
        "point_b": w.vector(w.near(place)),
    }
    forces = [drawn(w, "forces", **between) for _ in range(int(w.rng.integers(1, 3)))]
    for force in {force.type: force for force in forces}.values():  # two couplers of one kind say the same
        w.m.add(force.type, force)
        w.at_rest = w.at_rest or force.type == "one_way_clutch"
    for k in range(int(w.rng.integers(0, 3))):
        reads = f"base.w + block{k - 1}" if k else "base.angle"
        w.m.add(f"block{k}", drawn(w, "control", input=reads, second="t", value=f"sin({reads})"))
        w.m.add(f"drive{k}", ww.Actuator(joint="far", value=f"0.1*block{k}"))
    if w.chance(0.4):
        _driven(w, axis)
    if w.chance(0.3):
        _geared(w)


def _value(w: Workshop) -> Any:
    return w.vector(np.array([0.3, -0.2, 0.1]))


def _joined(w: Workshop, shaft: str, place: np.ndarray) -> str:
    """A body on a joint that is drawn, at a place where that holds."""
    kind = "planar" if w.planar else "spatial"
    classes = [c for n, c in family("joints").items() if kind in c.kinds and n not in NOT_ALONE]
    cls = w.pick(classes)
    at = w.near(place)
    far = w.body(w.near(at))
    pair = (shaft, far)
    pose = None if w.planar else cls.sample_pose(w.rng)
    if pose is not None:
        origin, axes = pose
        body: Any = w.m.bodies[far]
        w.places[far] = w.places[shaft] + origin
        body.position = w.vector(w.places[far])
        turn = Rotation.from_matrix(axes).as_rotvec()
        body.orientation = ww.Orientation(rotation_vector=tuple(map(float, turn)))
        fields = cls.sample(kind, pair).model_dump(exclude_unset=True, exclude={"type", *cls.world})
        w.m.add("it", cls(**fields, frame_a=ww.Pose(), frame_b=ww.Pose()))
        return far
    ends = {"point_a": w.vector(w.near(place)), "point_b": w.vector(w.near(at))}
    known = {"bodies": pair, "body": far, "point": w.vector(at), **ends}
    known["axis"] = (0.6, 0.8) if w.planar else w.vector(w.direction())
    found = cls.sample(kind, pair)
    w.m.add("it", found if found is not None else filled(w, cls, known))
    return far


def _driven(w: Workshop, axis: np.ndarray) -> None:
    """A body by itself that a driver moves from where it is."""
    there = np.array([6.0, 0.0, 0.0])
    body = w.body(there)
    ends = {"point_a": w.vector(there - [0.5, 0, 0]), "point_b": w.vector(there)}
    driver = drawn(w, "drivers", bodies=("ground", body), body=body, joint="far", value="0.2*t^2", **ends)
    if driver.type == "distance":
        driver.value = ww.Formula("0.5 + 0.2*t^2")
    elif driver.type == "body":
        driver.value = ww.Formula("6 + 0.2*t^2")
    w.m.add("driver", driver)


def _geared(w: Workshop) -> None:
    """Two wheels on the axes that a mesh's sample has."""
    kind = "planar" if w.planar else "spatial"
    names = ("wheel-a", "wheel-b")
    samples = [c.sample(kind, names) for c in family("meshes").values() if kind in c.kinds]
    mesh = w.pick([one for one in samples if one is not None])
    for side, body in zip("ab", names, strict=True):
        point, axis = np.array(getattr(mesh, f"point_{side}"), float), getattr(mesh, f"axis_{side}")
        inertia: Any = 1e-3 if w.planar else (1e-3, 1e-3, 1e-3)
        w.places[body] = np.resize(point, 3)
        w.m.add(body, ww.Body(mass=0.5, inertia=inertia, position=w.vector(point)))
        vector = {} if w.planar else {"axis": axis}
        w.m.add(f"axle-{side}", ww.Revolute(bodies=("ground", body), point=w.vector(point), **vector))
    w.m.add("mesh", mesh)
    w.m.add("turning", ww.Actuator(joint="axle-a", value=0.01))
