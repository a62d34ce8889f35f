"""The spatial revolute chain in MuJoCo: an open tree of hinges, which is what MuJoCo is made for.

Minimal coordinates, no constraints, so that nothing is soft. RK4 is its one method of higher order (Euler and the
implicit ones are of order 1); its step is fixed. Switched off is what the chain does not need; the matrices are
MuJoCo's own sparse form of the tree whatever `jacobian` says.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ..measure import clock
from ..model import END_TIME, GRAVITY, INERTIA
from .mujoco_train import OFF, complain, flags


@dataclass
class Run:
    """Seconds of the steps, their number, the rods' end points (N x 3) at the end."""

    solve: float
    count: int
    points: np.ndarray


@functools.cache
def model(n: int, step: float, integrator: str) -> Any:
    """The chain compiled; body by body, because XML may not be nested a thousand deep."""
    gravity = " ".join(map(repr, GRAVITY))
    off = tuple(name for name in OFF if name != "gravity")
    spec = mujoco.MjSpec.from_string(
        f'<mujoco><option timestep="{step!r}" integrator="{integrator}" gravity="{gravity}">{flags(off)}</option>'
        "</mujoco>"
    )
    body = spec.worldbody
    for k in range(n):
        body = body.add_body(pos=[float(k > 0), 0, 0], mass=1.0, ipos=[0.5, 0, 0], inertia=INERTIA)
        body.explicitinertial = True
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1] if k % 2 else [0, 1, 0])
    return spec.compile()


def simulate(n: int, step: float, integrator: str = "RK4", end: float = END_TIME) -> Run:
    """One simulation from rest; compiling the model is not timed."""
    mujoco.set_mju_user_warning(complain)
    compiled = model(n, step, integrator)
    data = mujoco.MjData(compiled)
    count = round(end / step)
    start = clock()
    mujoco.mj_step(compiled, data, count)
    seconds = clock() - start
    mujoco.mj_kinematics(compiled, data)  # places that belong to the angles after the last step
    ends = data.xpos[1:] + data.xmat[1:].reshape(-1, 3, 3)[:, :, 0]
    return Run(seconds, count, np.array(ends))
