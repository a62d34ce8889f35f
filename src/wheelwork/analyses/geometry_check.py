"""How far the geometry of bodies agrees with what else is given of them: masses, centres, and sizes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wheelwork.description import Body, Value
from wheelwork.layout import layout_of

from .prepare import Prepared

ALIKE = 0.01
"""Differences of masses, moments and centres below this share are not told."""
LARGE, SMALL = 50.0, 1e-3
"""A solid that is so many times as large as its surroundings, or as small, is likely in another unit."""


def geometry_remarks(prepared: Prepared) -> list[str]:
    """What a reader should know, each in a sentence without its full stop."""
    out: list[str] = []
    surroundings = _surroundings(prepared)
    for k, (name, placed) in enumerate(prepared.flat.bodies.items()):
        body = placed.element
        out += [f"`{name}`: {text}" for text in _sizes(body, surroundings[name])]
        if body.geometry and not any(piece.why_no_volume for piece in body.geometry):
            numbers = prepared.numbers
            found = _differences(body, numbers.value, float(numbers.mass[k]), numbers.inertia[k])
            out += [f"`{name}`: {text}" for text in found]
    return out


def _sizes(body: Body, around: float) -> list[str]:
    """Files whose size does not fit that of the mechanism."""
    out = []
    for piece in body.geometry:
        size = 0.0 if piece.shape is not None else piece.surface().size
        if size and around and not SMALL <= size / around <= LARGE:
            unit = "it gives its unit itself" if piece.content and piece.content.metres else ""
            unit = unit or f"its numbers are read as `{piece.unit or 'mm'}`"
            out.append(
                f"`{piece.file or 'geometry'}` is {_length(size)} across, but joints, bodies and wheels around it "
                f"reach over {_length(around)}; {unit}. Give `unit`, or `scale`"
            )
    return out


def _differences(body: Body, value: Callable[[Value], float], mass: float, inertia: np.ndarray) -> list[str]:
    """Where mass, centre or inertia are given beside the geometry: how far they are from its own."""
    try:
        plain = body.model_copy(update={"mass": None, "inertia": None, "shape": None})
        own = plain.of_geometry(value).mass
    except ValueError:  # no density: the mass says nothing
        own = None
    out = []
    if own is not None and not body.weighs_geometry and abs(mass - own) > ALIKE * own:
        out.append(
            f"its mass is {mass:.5g} kg as given, and {own:.5g} kg by its geometry ({mass / own - 1:+.1%})"
        )
    with_mass = body.model_copy(update={"mass": mass, "inertia": None, "shape": None})
    try:
        whole = with_mass.of_geometry(value)
    except ValueError:
        return out
    J = np.array([[float(x) for x in row] for row in whole.tensor])
    apart = float(np.abs(inertia - J).max() / np.abs(J).max())
    if apart > ALIKE:
        given, found = (np.linalg.eigvalsh(x) for x in (inertia, J))
        numbers = [", ".join(f"{x:.4g}" for x in moments) for moments in (given, found)]
        out.append(
            f"its principal moments are {numbers[0]} kg m^2 as given, and {numbers[1]} kg m^2 by its geometry for "
            f"the same mass (entries of the tensor differ by up to {apart:.1%})"
        )
    away = float(np.linalg.norm(np.subtract(body.center(value), whole.center)))
    size = max((piece.surface().size for piece in body.geometry if piece.shape is None), default=0.0)
    if away > ALIKE * size:
        out.append(f"its centre of mass is {_length(away)} from that of its geometry")
    return out


def _surroundings(prepared: Prepared) -> dict[str, float]:
    """For each body, over what length joints and bodies are spread at the start, or how large its wheels are [m]."""
    layout, numbers = layout_of(prepared.flat), prepared.numbers
    points = [layout.number(at.frame.position) for name, at in layout.bodies.items() if name != "ground"]
    frames = {name: layout.bodies[name] for name in prepared.flat.bodies}
    for view in prepared.program.joints.values():
        use = prepared.program.constraints[view.constraint]
        body = "ground" if use.a < 0 else prepared.program.bodies[use.a]
        record = numbers.data[use.data : use.data + 3]
        at = frames.get(body)
        if at is None:
            points.append(record)
        else:
            axes = layout.number(at.frame.axes).reshape(3, 3).T
            points.append(layout.number(at.frame.position) + axes @ (record + layout.number(at.center)))
    spread = float(np.linalg.norm(np.ptp(np.array(points), axis=0))) if len(points) > 1 else 0.0
    out = dict.fromkeys(prepared.flat.bodies, spread)
    for mesh in layout.meshes.values():
        for body, radius in zip(mesh.bodies, mesh.radii, strict=True):
            across = 2 * float(layout.number(radius)[0])
            if body in out and np.isfinite(across):
                out[body] = max(out[body], across)
    return out


def _length(metres: float) -> str:
    return f"{metres * 1e3:.4g} mm" if metres < 1 else f"{metres:.4g} m"
