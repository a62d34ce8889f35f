"""The train of meshed wheels in MuJoCo: hinges, and equality constraints between their angles (`polycoef` with the
ratio).

MuJoCo's constraints are soft: a violation g decays as g'' = -2 p g' - p^2 g, and the impedance, at most 0.9999,
lets a ten- thousandth of the unconstrained acceleration through, so that loaded gears stand apart by about its p^-2
part. The largest p that is stable belongs to the step h: p h = 2 with RK4; with Euler MuJoCo's own limit, 0.5.

Best settings found (MuJoCo 4.0, N = 7, 20, 50): Newton's solver (CG takes 1.1 to 2 times as long, PGS 1.3 to 4
times), sparse matrices from N = 50 on and dense ones below; no islands (saves a tenth); torque as an applied
generalised force rather than by an actuator; contacts, limits, dry friction, springs, actuators and sensors
switched off.
"""

from __future__ import annotations

import functools
from typing import Any

import mujoco
import numpy as np

from ..measure import clock
from ..train_model import END_TIME, HOUSING_INERTIA, HOUSING_MASS, HOUSING_SPEED, train

DENSE = 20
"""Up to this many wheels dense matrices are faster."""
OFF = ("contact", "limit", "frictionloss", "gravity", "spring", "actuation", "sensor", "island")
"""Parts of MuJoCo's pipeline that the train does not need."""
STIFFNESS = {"RK4": 2.0, "Euler": 0.5}
"""p h."""


def flags(off: tuple[str, ...] = OFF) -> str:
    """The element that switches these off, as far as this version of MuJoCo knows them."""
    known = {name.removeprefix("mjDSBL_").lower() for name in dir(mujoco.mjtDisableBit)}
    return "<flag " + " ".join(f'{name}="disable"' for name in off if name in known) + "/>"


def complain(text: str) -> None:
    """In place of a warning, which MuJoCo would write to a file in the working directory."""
    raise RuntimeError(text)


@functools.cache
def model(n: int, housing: str, integrator: str, step: float) -> Any:
    """The train compiled."""
    numbers = train(n)
    p = STIFFNESS[integrator] / step
    wheels = "".join(
        f'<body pos="{w.x!r} 0 0"><joint name="j{k}" type="hinge" axis="0 0 1"'
        f' damping="{numbers.drag if k == n - 1 else 0.0!r}"/>'
        f'<inertial pos="0 0 0" mass="{w.mass!r}" diaginertia="{w.across!r} {w.across!r} {w.along!r}"/></body>'
        for k, w in enumerate(numbers.wheels)
    )
    if housing == "turning":
        inertia = " ".join(map(repr, HOUSING_INERTIA))
        wheels = (
            f'<body><joint name="pivot" type="hinge" axis="0 1 0"/>'
            f'<inertial pos="0 0 0" mass="{HOUSING_MASS!r}" diaginertia="{inertia}"/>{wheels}</body>'
        )
    meshes = "".join(
        f'<joint joint1="j{k}" joint2="j{k - 1}" polycoef="0 {-a.teeth / b.teeth!r} 0 0 0"'
        f' solref="{-p * p!r} {-2 * p!r}" solimp="0.9999 0.9999 0.001 0.5 2"/>'
        for k, (a, b) in enumerate(zip(numbers.wheels, numbers.wheels[1:], strict=False), start=1)
    )
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{step!r}" integrator="{integrator}" solver="Newton" tolerance="1e-10"'
        f' jacobian="{"dense" if n <= DENSE else "sparse"}">{flags()}</option>'
        f"<worldbody>{wheels}</worldbody><equality>{meshes}</equality></mujoco>"
    )


def simulate(
    n: int, housing: str, integrator: str, step: float, end: float = END_TIME
) -> tuple[float, int, np.ndarray]:
    """Seconds of the steps, which MuJoCo takes in one call; their number; angles of the wheels at the end."""
    mujoco.set_mju_user_warning(complain)
    compiled = model(n, housing, integrator, step)
    data = mujoco.MjData(compiled)
    first = int(housing == "turning")
    if first:
        data.qvel[0] = HOUSING_SPEED
    data.qfrc_applied[first] = train(n).torque
    count = round(end / step)
    start = clock()
    mujoco.mj_step(compiled, data, count)
    return clock() - start, count, np.array(data.qpos[first:])
