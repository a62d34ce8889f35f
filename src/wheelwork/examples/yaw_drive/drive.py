"""The drive with any number of pinions, made from the four of `yaw-drive.yaml`."""

from __future__ import annotations

import math
from typing import Any

from wheelwork import examples
from wheelwork.mechanism import Mechanism, load

BUNDLED = 4
"""Pinions of the file."""


def yaw_drive(pinions: int = BUNDLED, law: str = "printed", **parameters: Any) -> Mechanism:
    """The bundled drive with `pinions` at equal angles, a law of the teeth, and other values of its parameters.

    The load is that of as many motors. Run-out of pinion k starts k/pinions of a turn ahead, as in the file.

    >>> len(yaw_drive(6).meshes)
    6
    """
    m = load(examples.path("yaw-drive"))
    if pinions != BUNDLED:
        m = with_pinions(m, pinions)
    for mesh in m.meshes.values():
        mesh.model = mesh.model.model_copy(update={"law": law})
    return m.with_parameters(parameters) if parameters else m


def with_pinions(m: Mechanism, count: int) -> Mechanism:
    """The drive of the file with another number of pinions, all like its first."""
    m = m.with_parameters(load=f"{count}*torque*ratio")
    none = m.parameters["extra1"]
    first = {
        "pinion": m.bodies["pinion1"], "motor": m.bodies["motor1"],
        "mesh": m.meshes["mesh1"], "shaft": m.forces["shaft1"], "drive": m.forces["drive1"],
    }  # fmt: skip
    for k in range(1, BUNDLED + 1):
        for name in ("pinion", "motor"):
            del m.bodies[f"{name}{k}"]
        del m.meshes[f"mesh{k}"], m.forces[f"shaft{k}"], m.forces[f"drive{k}"]
        if k > count:
            del m.parameters[f"extra{k}"]
    for k in range(1, count + 1):
        angle = 2 * math.pi * (k - 1) / count
        m.parameters.setdefault(f"extra{k}", none)
        for name in ("pinion", "motor"):
            height = first[name].position[2]
            at = (f"distance*{math.cos(angle)}", f"distance*{math.sin(angle)}", height)
            m.add(f"{name}{k}", _changed(first[name], position=at))
        pitch, run_out = first["mesh"].model.errors
        model = _changed(first["mesh"].model, errors=(pitch, _changed(run_out, phase=angle)))
        m.add(f"mesh{k}", _changed(first["mesh"], bodies=(f"pinion{k}", "gear"), model=model))
        m.add(f"shaft{k}", _changed(first["shaft"], bodies=(f"pinion{k}", f"motor{k}")))
        m.add(f"drive{k}", _changed(first["drive"], joint=f"motor{k}.bearing", value=f"torque + extra{k}"))
    return m


def _changed(part: Any, **fields: Any) -> Any:
    """A new element with some fields changed, checked as if it were written down."""
    kept = {name: getattr(part, name) for name in part.model_fields_set}
    return type(part)(**{**kept, **fields})
