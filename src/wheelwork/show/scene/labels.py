"""Names of joints and meshes with the places and axes they have, to be seen before a run."""

from __future__ import annotations

import numpy as np

from wheelwork.description.registry import family
from wheelwork.system.motion import Motion

from .scene import Label


def labels(motion: Motion) -> list[Label]:
    """All joints and meshes; points and axes are fixed to body b, of a mesh to wheel a."""
    program, data = motion.program, motion.numbers.data
    planar = program.space.name == "planar"
    out = []
    for name, view in program.joints.items():
        use = program.constraints[view.constraint]
        start = use.data + 12
        joint = family("joints")[view.type]
        column = "xyz".index(joint.along_in_plane) if planar else 2
        axis = data[start + 3 : start + 12].reshape(3, 3)[:, column] if joint.has_axis else None
        out.append(Label(name, "joint", view.type, use.b, data[start : start + 3], axis))
    out += [Label(name, "mesh", kind, *place) for name, kind, place in _meshes(motion)]
    return out


def _meshes(motion: Motion) -> list[tuple[str, str, tuple[int, np.ndarray, np.ndarray]]]:
    """Name, type, and where wheel a is: body, centre and axis."""
    program, data, out = motion.program, motion.numbers.data, []
    places = {
        use.name: (program.constraints[use.constraint].a, program.constraints[use.constraint].data)
        for use in program.meshes
    }
    places |= {
        use.name: (use.bodies[0], use.data) for use in program.forces if use.name in program.flat.meshes
    }
    for name, placed in program.flat.meshes.items():
        body, start = places[name]
        axes = data[start + 3 : start + 12].reshape(3, 3)
        out.append((name, placed.element.type, (body, data[start : start + 3], axes[:, 2])))  # type: ignore[attr-defined]
    return out
