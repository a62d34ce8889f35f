"""Random gear trains whose wheels may yield to their teeth and belts: on slides, sleeves, bushings and arms."""

from __future__ import annotations

from typing import Any

import numpy as np

from wheelwork import description as ww

from .trains import MODULE, housing, spin
from .workshop import Workshop

STIFFNESS = 2e5
"""N/m of what holds a wheel that yields: fractions of a millimetre under the forces here, some 50 Hz."""


def yielding(w: Workshop) -> None:
    """One to three meshes, each with a wheel on a mount of some kind; pulleys under tension, loads on both ends."""
    carrier = housing(w)
    axis = w.direction()
    first = w.wheel(np.zeros(3), axis, 0.03)
    w.hinge(carrier, first, np.zeros(3), axis)
    parent, place = first, np.zeros(3)
    turning = axis
    for _ in range(int(w.rng.integers(1, 4))):
        kinds = ["external", "external", "internal", "belt", "belt", "rack"]
        kind = w.pick(kinds if w.planar else [*kinds, "helical", "bevel"])
        parent, place, turning = _meshing(w, carrier, kind, parent, place, turning)
        if kind == "rack":
            break
    spin(w, first, axis, 3.0)
    if parent.startswith("wheel"):
        spin(w, parent, turning, 3.0)


def _meshing(
    w: Workshop, carrier: str, kind: str, parent: str, place: np.ndarray, axis: np.ndarray
) -> tuple[str, np.ndarray, np.ndarray]:
    """A further wheel or rack in mesh with one that there is; its name, centre and axis."""
    across = np.cross(axis, w.rng.normal(size=3))
    across /= np.linalg.norm(across)
    teeth = (int(w.rng.integers(17, 40)), int(w.rng.integers(17, 40)))
    more: dict[str, Any] = {"teeth": teeth, "module": MODULE}
    mesh: type[Any] = ww.ExternalMesh
    centre, turning, radius = place + MODULE * sum(teeth) / 2 * across, axis, MODULE * teeth[1] / 2
    if kind == "helical":
        more["helix_angle"] = helix = float(w.rng.uniform(-0.4, 0.4))
        centre = place + MODULE * sum(teeth) / 2 / np.cos(helix) * across
    elif kind == "internal":
        mesh, more["teeth"] = ww.InternalMesh, (teeth[0], teeth[0] + int(w.rng.integers(20, 40)))
        centre = place + MODULE * (more["teeth"][1] - teeth[0]) / 2 * across
        radius = MODULE * more["teeth"][1] / 2
    elif kind == "belt":
        pitch = 0.2 / sum(teeth)
        more = {
            "teeth": teeth,
            "pitch": pitch,
            "crossed": w.chance(0.3),
            "tension": float(w.rng.uniform(0, 200)),
        }
        mesh, centre, radius = ww.BeltMesh, place + 0.3 * across, teeth[1] * pitch / (2 * np.pi)
    elif kind == "bevel":
        angle = w.rng.uniform(0.4, 0.6) * np.pi
        apex = place + w.rng.uniform(0.03, 0.08) * axis
        turning = np.cos(angle) * axis + np.sin(angle) * across
        mesh, centre = ww.BevelMesh, apex + 0.05 * turning
    elif kind == "rack":
        return _rack(w, carrier, parent, place, axis, across), place, axis
    wheel = w.wheel(centre, turning, radius)
    _mount(w, carrier, wheel, centre, turning, across)
    where: dict[str, Any] = {"point_a": w.vector(place), "point_b": w.vector(centre)}
    if not w.planar:
        where |= {"axis_a": w.vector(axis), "axis_b": w.vector(turning)}
    w.m.add(f"mesh{len(w.places)}", mesh(bodies=(parent, wheel), **more, **where))
    return wheel, centre, turning


def _rack(
    w: Workshop, carrier: str, pinion: str, place: np.ndarray, axis: np.ndarray, across: np.ndarray
) -> str:
    """A rack beside the pinion that slides along its pitch line; the spring behind it holds it."""
    teeth = int(w.rng.integers(17, 40))
    along, foot = np.cross(axis, across), place - MODULE * teeth / 2 * across
    rack = w.body(foot)
    if w.chance(0.5):  # on a bed that yields
        bed = w.body(foot - 0.05 * across)
        _slide(w, carrier, bed, foot - 0.05 * across, across)
    else:
        bed = carrier
    _slide(w, bed, rack, foot, along)
    where: dict[str, Any] = {"point_a": w.vector(place), "point_b": w.vector(foot), "axis_b": w.vector(along)}
    if not w.planar:
        where["axis_a"] = w.vector(axis)
    w.m.add("rack-mesh", ww.RackMesh(bodies=(pinion, rack), teeth=teeth, module=MODULE, **where))
    return rack


def _mount(
    w: Workshop, carrier: str, wheel: str, place: np.ndarray, axis: np.ndarray, from_other: np.ndarray
) -> None:
    """What carries a wheel: a bearing that stands, or one that gives, some along the line of centres."""
    kind = w.pick(["bearing", "slide", "slide", "bushing", "arm", *([] if w.planar else ["sleeve"] * 2)])
    across = np.cross(axis, w.rng.normal(size=3))
    across = from_other if w.chance(0.5) else across / np.linalg.norm(across)
    if kind == "bearing":
        w.hinge(carrier, wheel, place, axis)
    elif kind == "sleeve":
        w.join(ww.Cylindrical, carrier, wheel, place, axis)
        _spring(w, carrier, wheel, place, axis)
    elif kind == "bushing":
        _bushing(w, carrier, wheel, place, axis)
    elif kind == "slide":
        hub = w.body(place)
        slanted = across if w.planar or w.chance(0.5) else across + 0.5 * axis
        _slide(w, carrier, hub, place, slanted / np.linalg.norm(slanted))
        w.hinge(hub, wheel, place, axis)
    else:
        arm = w.body(place + 0.1 * across)
        pivot = w.hinge(carrier, arm, place + 0.2 * across, axis)
        w.hinge(arm, wheel, place, axis)
        stiff = STIFFNESS * 0.2**2
        w.m.add(f"{pivot}-spring", ww.TorsionalSpring(joint=pivot, stiffness=stiff, damping=stiff / 1000))


def _slide(w: Workshop, a: str, b: str, place: np.ndarray, along: np.ndarray) -> None:
    if w.planar:
        w.joints += 1
        fields: dict[str, Any] = {"point": w.vector(place), "axis": w.vector(along)}
        w.m.add(f"joint{w.joints}", ww.Translational(bodies=(a, b), **fields))
    else:
        w.join(ww.Prismatic, a, b, place, along)
    _spring(w, a, b, place, along)


def _spring(w: Workshop, a: str, b: str, place: np.ndarray, along: np.ndarray) -> None:
    ends = {"point_a": w.vector(place - 0.2 * along), "point_b": w.vector(place)}
    strong = {"stiffness": STIFFNESS, "damping": STIFFNESS / 1000}
    w.m.add(f"spring{len(w.m.forces)}", ww.Spring(bodies=(a, b), **ends, **strong))


def _bushing(w: Workshop, a: str, b: str, place: np.ndarray, axis: np.ndarray) -> None:
    linear = STIFFNESS * w.rng.uniform(0.5, 2.0, size=3)
    fields: dict[str, Any] = {
        "stiffness": w.vector(linear),
        "damping": w.vector(linear / 1000),
        "point": w.vector(place),
    }
    if not w.planar:
        fields |= {
            "axis": w.vector(axis),
            "rotational_stiffness": (300.0, 300.0, 0.0),
            "rotational_damping": (0.3, 0.3, 0.0),
        }
    w.m.add(f"bushing{len(w.m.forces)}", ww.Bushing(bodies=(a, b), **fields))
