"""Mechanisms for minimal coordinates: chains of every joint, every mesh on moving carriers, and odd ones.

Positions, axes and orientations are those of a random generator with a fixed seed, so that nothing is zero by chance.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

import wheelwork as ww

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
GRAVITY = (1.0, -2.0, -9.0)
LONG_WHEEL = {X: (0.018, 0.01, 0.01), Y: (0.01, 0.018, 0.01), Z: (0.01, 0.01, 0.018)}


def mechanism(name: str) -> ww.Mechanism:
    return ww.Mechanism(name, gravity=GRAVITY)


def body(rng: np.random.Generator, **more: Any) -> ww.Body:
    """A body without any symmetry, somewhere, turned somehow, with its mass beside its frame."""
    given: dict[str, Any] = {
        "mass": 1 + rng.random(),
        "inertia": tuple(0.03 + 0.01 * rng.random(3)),
        "position": tuple(0.3 * rng.normal(size=3)),
        "orientation": {"rotation_vector": tuple(rng.normal(size=3))},
        "center_of_mass": tuple(0.1 * rng.normal(size=3)),
    }
    return ww.Body(**{**given, **more})


def wheel(position: tuple, axis: tuple = Z, **more: Any) -> ww.Body:
    """A body whose mass is spread evenly about an axis through its centre."""
    return ww.Body(**{"mass": 0.7, "inertia": LONG_WHEEL[axis], "position": position, **more})


# -- chains

JOINTS: dict[str, Callable[..., Any]] = {
    "revolute": ww.Revolute,
    "prismatic": ww.Prismatic,
    "cylindrical": ww.Cylindrical,
    "screw": lambda **given: ww.Screw(lead=0.05, **given),
    "spherical": lambda bodies, point, axis: ww.Spherical(bodies=bodies, point=point),
    "planar": ww.Planar,
    "universal": lambda bodies, point, axis: ww.Universal(
        bodies=bodies, point=point, axis=axis, axis2=tuple(np.cross(axis, (0.3, -0.5, 0.8)))
    ),
}


def chain(types: tuple[str, ...], turned: tuple[bool, ...], seed: int = 1) -> ww.Mechanism:
    """Bodies b0, b1, ... one on the other by joints j0, j1, ...; `turned`: the outer body is body a of its joint."""
    rng = np.random.default_rng(seed)
    m = mechanism("-".join(types))
    inner = "ground"
    for k, (type, back) in enumerate(zip(types, turned, strict=True)):
        outer = f"b{k}"
        m.add(outer, body(rng))
        pair = (outer, inner) if back else (inner, outer)
        point, axis = 0.3 * rng.normal(size=3), rng.normal(size=3)
        m.add(f"j{k}", JOINTS[type](bodies=pair, point=tuple(point), axis=tuple(axis)))
        inner = outer
    return m


# -- wheels on a housing that swings and tilts


def housing(m: ww.Mechanism, seed: int = 2) -> None:
    rng = np.random.default_rng(seed)
    m.add("cradle", body(rng))
    m.add("swing", ww.Revolute(bodies=("ground", "cradle"), point=(0.3, 0, 0.1), axis=(0.2, 1, 0.3)))
    m.add("housing", body(rng))
    m.add("tilt", ww.Revolute(bodies=("housing", "cradle"), point=(0.1, 0.1, 0.1), axis=(1, -0.4, 0.3)))


SKEW = 5 * np.pi / 12
PAIRS: dict[str, tuple[Any, ...]] = {
    "external": ((0, 0, 0), Z, (0.03, 0, 0), Z, ww.ExternalMesh, {"teeth": (20, 40), "module": 1e-3}),
    "against": ((0, 0, 0), Z, (0.03, 0, 0), (0, 0, -1.0), ww.ExternalMesh, {"teeth": (20, 40)}),
    "helical": ((0, 0, 0), Z, (0.03, 0, 0), Z, ww.ExternalMesh, {"ratio": 2, "helix_angle": 0.3}),
    "internal": ((0, 0, 0), Z, (0.03, 0, 0), Z, ww.InternalMesh, {"ratio": 2.5}),
    "belt": ((0, 0, 0), Z, (0.3, 0, 0), Z, ww.BeltMesh, {"radii": (0.04, 0.1)}),
    "crossed belt": ((0, 0, 0), Z, (0.3, 0, 0), Z, ww.BeltMesh, {"radii": (0.04, 0.1), "crossed": True}),
    "bevel": ((0, 0, -0.02), Z, (0.03, 0, 0), X, ww.BevelMesh, {"teeth": (30, 20)}),
    "worm": ((0, 0, 0), X, (0, 0.05, 0), Z, ww.WormMesh, {"teeth": (2, 40), "module": 2e-3}),
    "crossed": (
        (0, 0, 0),
        Z,
        (0.05, 0, 0),
        (0, np.sin(SKEW), np.cos(SKEW)),
        ww.CrossedMesh,
        {"teeth": (15, 22), "helix_angles": (np.radians(40), np.radians(35))},
    ),
}


def pair(name: str, unbalanced: bool = False) -> ww.Mechanism:
    """Two wheels in the moving housing; `unbalanced`: the mass of wheel a is beside its axis."""
    at_a, axis_a, at_b, axis_b, mesh, sizes = PAIRS[name]
    m = mechanism(name)
    housing(m)
    beside = {"center_of_mass": (0.01, 0.02, 0.003)} if unbalanced else {}
    m.add("a", wheel(at_a, axis_a, **beside))
    level = np.abs(axis_b)
    tipped = {} if max(level) == 1 else {"axis": Z, "orientation": {"rotation_vector": (-SKEW, 0, 0)}}
    m.add("b", wheel(at_b, **{"axis": tuple(level) if not tipped else Z, **tipped}))
    m.add("ja", ww.Revolute(bodies=("a", "housing"), point=at_a, axis=axis_a))
    m.add("jb", ww.Revolute(bodies=("housing", "b"), point=at_b, axis=axis_b))
    m.add("mesh", mesh(bodies=("a", "b"), **sizes))
    return m


def planetary(planets: int, moving: bool = True, unbalanced: bool = False) -> ww.Mechanism:
    """Sun, ring, arm and planets in a housing that moves, or in ground."""
    m = mechanism(f"{planets} planets")
    inside = "ground"
    if moving:
        housing(m)
        inside = "housing"
    m.add("sun", wheel((0, 0, 0)))
    m.add("ring", wheel((0, 0, 0)))
    m.add("arm", body(np.random.default_rng(3)))
    for name in ("sun", "ring", "arm"):
        m.add(f"j-{name}", ww.Revolute(bodies=(inside, name), point=(0, 0, 0), axis=Z))
    beside = {"center_of_mass": (0.004, 0.002, 0.001)} if unbalanced else {}
    for k in range(planets):
        at = (0.06 * np.cos(2 * np.pi * k / planets), 0.06 * np.sin(2 * np.pi * k / planets), 0)
        m.add(f"p{k}", wheel(at, **beside))
        m.add(f"j-p{k}", ww.Revolute(bodies=("arm", f"p{k}"), point=at, axis=Z))
        m.add(f"sun-p{k}", ww.ExternalMesh(bodies=("sun", f"p{k}"), teeth=(40, 20), module=2e-3))
        m.add(f"p{k}-ring", ww.InternalMesh(bodies=(f"p{k}", "ring"), teeth=(20, 80), module=2e-3))
    return m


# -- odd ones


def rack() -> ww.Mechanism:
    m = mechanism("rack")
    housing(m)
    m.add("pinion", wheel((0, 0, 0)))
    m.add("rack", body(np.random.default_rng(4), position=(0, -0.02, 0)))
    m.add("axle", ww.Revolute(bodies=("housing", "pinion"), point=(0, 0, 0), axis=Z))
    m.add("rails", ww.Prismatic(bodies=("rack", "housing"), point=(0, -0.02, 0), axis=X))
    m.add("mesh", ww.RackMesh(bodies=("pinion", "rack")))
    return m


def helical_wheel_that_slides() -> ww.Mechanism:
    """The axial force of its teeth moves it."""
    m = mechanism("sliding helical wheel")
    housing(m)
    m.add("a", wheel((0, 0, 0)))
    m.add("b", wheel((0.03, 0, 0)))
    m.add("ja", ww.Revolute(bodies=("housing", "a"), point=(0, 0, 0), axis=Z))
    m.add("jb", ww.Cylindrical(bodies=("housing", "b"), point=(0.03, 0, 0), axis=Z))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), ratio=2, helix_angle=0.3))
    return m


def wheel_of_four_lumps(weightless: bool = False) -> ww.Mechanism:
    """Even about its axis only as a whole: none of its parts is. Forces act on the parts."""
    m = mechanism("four lumps")
    housing(m)
    for k, at in enumerate(((0.2, 0, 0), (-0.2, 0, 0), (0, 0.2, 0), (0, -0.2, 0))):
        heavy = not (weightless and k == 1)
        m.add(
            f"l{k}",
            ww.Body(mass=1, inertia=(0.01, 0.01, 0.01), position=at, affected_by_gravity=heavy),
        )
        if k:
            m.add(f"weld{k}", ww.Fixed(bodies=("l0", f"l{k}") if k < 3 else (f"l{k}", "l0")))
    m.add("axle", ww.Revolute(bodies=("housing", "l0"), point=(0, 0, 0.1), axis=Z))
    ends = {"frame_a": {"position": (1, 0.5, 0.2)}, "frame_b": {"position": (0.02, 0.01, 0.03)}}
    m.add("pull", ww.Spring(bodies=("ground", "l2"), **ends, stiffness=100, damping=3))
    m.add("push", ww.Force(body="l1", value=(3, "2*sin(t)", 1)))
    m.add("twist", ww.Torque(body="l3", value=(3, 0.2, 1)))
    return m


def loads_on_wheels() -> ww.Mechanism:
    """Everything that can pull at a wheel in a moving housing."""
    m = mechanism("loads on wheels")
    housing(m)
    m.add("w", wheel((0.1, 0.1, 0.4)))
    m.add("v", wheel((0.16, 0.1, 0.4)))
    m.add("jw", ww.Revolute(bodies=("w", "housing"), point=(0.1, 0.1, 0), axis=Z))
    m.add("jv", ww.Revolute(bodies=("housing", "v"), point=(0.16, 0.1, 0), axis=Z))
    m.add("mesh", ww.ExternalMesh(bodies=("w", "v"), teeth=(40, 20), module=2e-3))
    ends = {"frame_a": {"position": (0.1, 0, 0)}, "frame_b": {"position": (0.03, 0.1, 0.02)}}
    m.add("spring", ww.Spring(bodies=("ground", "w"), **ends, stiffness=50, free_length=0.2, damping=2))
    m.add("force", ww.Force(body="v", value=(1, 2, "3*cos(t)")))
    m.add("torque", ww.Torque(body="w", value=(0.1, 0.2, 0.3)))
    m.add("motor", ww.Actuator(joint="jw", value="2 - 0.1*jw.w - 0.3*jv.angle"))
    m.add("oil", ww.Friction(joint="jv", viscous=0.02))
    return m


def several_joints(*joints: Any) -> ww.Mechanism:
    """One body `s` on ground by several joints."""
    m = mechanism("several joints")
    m.add("s", body(np.random.default_rng(5)))
    for k, joint in enumerate(joints):
        m.add(f"j{k}", joint)
    return m


GS, SG = ("ground", "s"), ("s", "ground")
SEVERAL = {
    "two bearings": several_joints(
        ww.Revolute(bodies=GS, point=(0, 0, 0.1), axis=Z),
        ww.Revolute(bodies=SG, point=(0, 0, -0.2), axis=(0, 0, -1)),
    ),
    "two balls": several_joints(
        ww.Spherical(bodies=GS, point=(0, 0.3, 0.1)), ww.Spherical(bodies=SG, point=(0, 0, -0.2))
    ),
    "two planes": several_joints(
        ww.Planar(bodies=GS, point=(0, 0.3, 0.1), axis=Z), ww.Planar(bodies=SG, point=(0, 0, -0.2), axis=X)
    ),
    "plane and ball": several_joints(
        ww.Planar(bodies=GS, point=(0, 0.3, 0.1), axis=Z), ww.Spherical(bodies=SG, point=(0, 0, -0.2))
    ),
    "parallel cylinders": several_joints(
        ww.Cylindrical(bodies=GS, point=(0, 0.3, 0.1), axis=Z),
        ww.Cylindrical(bodies=SG, point=(0, 0, -0.2), axis=Z),
    ),
    "cylinder and screw": several_joints(
        ww.Cylindrical(bodies=GS, point=(0, 0.3, 0.1), axis=Z),
        ww.Screw(bodies=SG, point=(0, 0.3, -0.2), axis=Z, lead=0.02),
    ),
}


def free_bodies() -> ww.Mechanism:
    """Two bodies with a universal joint and a wheel, on nothing; one body by itself; one fixed to ground."""
    rng = np.random.default_rng(6)
    m = mechanism("free")
    for name in ("a", "b", "alone", "post", "flag"):
        m.add(name, body(rng))
    m.add("wheel", wheel((0.2, 0.5, 0.6)))
    m.add("cross", ww.Universal(bodies=("b", "a"), point=(0, 0, 0.4), axis=X, axis2=Y))
    m.add("axle", ww.Revolute(bodies=("wheel", "b"), point=(0.2, 0.5, 0), axis=Z))
    m.add("foot", ww.Fixed(bodies=("post", "ground")))
    m.add("hinge", ww.Revolute(bodies=("flag", "post"), point=(0, 0, 0.4), axis=X))
    ends = {"frame_a": {"position": (0.1, 0, 0)}, "frame_b": {"position": (0.03, 0.1, 0.02)}}
    m.add("rope", ww.Spring(bodies=("post", "a"), **ends, stiffness=50, free_length=0.2, damping=2))
    return m


def four_bar_behind_a_gear(ratio: float) -> ww.Mechanism:
    """A loop that is no gear, driven by a motor that turns `ratio` times as fast."""
    m = mechanism("four-bar behind a gear")
    at = (-0.05 * (1 + 1 / ratio), 0, 0)
    m.add("motor", wheel(at, Y))
    for name, place in (("crank", (0, 0, 0.01)), ("rod", (0.02, 0, 0.02)), ("rocker", (0.04, 0, 0.015))):
        m.add(name, ww.Body(mass=0.1, inertia=(1e-5, 1e-5, 1e-5), position=place))
    for name, pair, point in (
        ("bearing", ("ground", "crank"), (0, 0, 0)),
        ("pin", ("crank", "rod"), (0, 0, 0.02)),
        ("knee", ("rod", "rocker"), (0.04, 0, 0.03)),
        ("pivot", ("rocker", "ground"), (0.05, 0, 0)),
        ("shaft", ("ground", "motor"), at),
    ):
        m.add(name, ww.Revolute(bodies=pair, point=point, axis=Y))
    m.add("mesh", ww.ExternalMesh(bodies=("motor", "crank"), radii=(0.05 / ratio, 0.05)))
    return m


def all_models() -> dict[str, ww.Mechanism]:
    """Every one that has minimal coordinates, by name."""
    out: dict[str, ww.Mechanism] = {}
    for type in JOINTS:
        for back in (False, True):
            word = " turned" if back else ""
            out[f"{type}{word}"] = chain((type,), (back,))
            out[f"{type}{word} on a hinge"] = chain(("revolute", type), (False, back))
            out[f"hinge on {type}{word}"] = chain((type, "revolute"), (back, True))
    for name in PAIRS:
        out[f"{name} mesh"] = pair(name)
        out[f"{name} mesh, unbalanced"] = pair(name, unbalanced=True)
    for planets in (1, 3, 4):
        out[f"{planets} planets"] = planetary(planets)
    out["unbalanced planet"] = planetary(1, unbalanced=True)
    out |= {"rack": rack(), "sliding helical wheel": helical_wheel_that_slides()}
    out |= {
        "four lumps": wheel_of_four_lumps(),
        "a lump without weight": wheel_of_four_lumps(weightless=True),
    }
    out |= {"loads on wheels": loads_on_wheels(), "free bodies": free_bodies(), **SEVERAL}
    return out
