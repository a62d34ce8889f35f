"""A mechanism before a run: assembled, or as it was given with what keeps it from fitting together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.description import ModelError
from wheelwork.description.registry import family
from wheelwork.show.scene import GROUND, Label, arrows
from wheelwork.system.motion import Motion

from .film import Film, film_of_motion

if TYPE_CHECKING:
    from wheelwork.description import Description


def film_before_run(description: Description) -> Film:
    """One frame: the mechanism at its start, with the forces it begins with.

    A description that cannot be assembled is shown where its bodies are given, with the problems as text; one that is
    not whole in itself (a joint to a body that is not there) cannot be shown, and its problems are raised.
    """
    prepared = prepare(description)
    try:
        motion = assembled(prepared, 0.0).motion
    except ModelError as error:
        program, numbers = prepared.program, prepared.numbers
        given = Motion(
            program,
            numbers,
            np.zeros(1),
            numbers.state[None, :],
            np.zeros((1, program.nv)),
            np.zeros((1, program.rows)),
            np.zeros((1, len(program.frictions))),
        )
        found = film_of_motion(given)
        found.scene.labels += _open_joints(given)
        problems = ["It does not fit together; this is the given position.", *map(str, error.problems)]
        return Film(found.scene, found.velocity, found.rotation, problems=problems)
    return film_of_motion(motion, arrows(motion))


def _open_joints(motion: Motion) -> list[Label]:
    """Where joints that do not close begin: their place on body a. On body b they are labelled anyway."""
    program, data, out = motion.program, motion.numbers.data, []
    size = float(np.max(np.abs(motion.frames[:, :, :3]), initial=0.0)) or 1.0
    for name, view in program.joints.items():
        use = program.constraints[view.constraint]
        own, other = (
            motion.frames[0, body, :3] + motion.frames[0, body, 3:12].reshape(3, 3) @ data[start : start + 3]
            for body, start in ((use.a, use.data), (use.b, use.data + 12))
        )
        if family("joints")[view.type].points_meet and np.linalg.norm(other - own) > 1e-6 * size:
            body = "ground" if use.a == GROUND else program.bodies[use.a]
            axis = data[use.data + 3 : use.data + 12].reshape(3, 3)[:, 2]
            out.append(
                Label(f"{name} on {body}", "joint", view.type, use.a, data[use.data : use.data + 3], axis)
            )
    return out
