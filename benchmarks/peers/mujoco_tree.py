"""Forward dynamics of a tree of hinges in MuJoCo; meshes as equality constraints between angles.

A mesh in a moving carrier ties more than two angles: these are constraints of a fixed tendon, a weighted sum of
angles. They are soft (`mujoco_train.py`), but at a state that meets them, speeds included, what is left is the
impedance: the accelerations are wrong by some 1e-4 of their size.

`all` is `mj_forward` with contacts, limits, sensors and so on switched off. `bare` are the calls that the
accelerations of an open tree need, one after the other. Loops are compiled (``mujoco_loop.cpp``).
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from ..trees import Hinges
from .loops import compiled, includes
from .mujoco_train import complain, flags

SOURCE = Path(__file__).parent / "mujoco_loop.cpp"
OFF = ("contact", "limit", "frictionloss", "spring", "damper", "actuation", "sensor", "island")


class Loop:
    """The tree in MuJoCo: `many(times)` evaluates the accelerations, `a` are those of the independent angles."""

    def __init__(self, model: Hinges, part: str, q: np.ndarray, v: np.ndarray):
        mujoco.set_mju_user_warning(complain)
        folder = Path(mujoco.__file__).parent
        shared = next(folder.glob("libmujoco.*"))
        self.library = compiled(
            SOURCE,
            mujoco.__version__,
            *includes([folder / "include"]),
            str(shared),
            f"-Wl,-rpath,{folder}",
        )
        call = self.library.forward_bare if part == "bare" else self.library.forward_all
        call.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
        self.call = call
        self.model = mujoco.MjModel.from_xml_string(_xml(model))
        self.data = mujoco.MjData(self.model)
        # MuJoCo numbers bodies depth first
        order = [self.model.joint(f"j{k}").qposadr[0] for k in range(len(model.hinges))]
        self.data.qpos[order], self.data.qvel[order] = model.ratios @ q, model.ratios @ v
        self.independent = [order[k] for k in model.independent]

    def many(self, times: int) -> None:
        self.call(self.model._address, self.data._address, times)

    @property
    def a(self) -> np.ndarray:
        return np.array(self.data.qacc)[self.independent]


def _xml(model: Hinges) -> str:
    hinges = model.hinges
    children: dict[int, list[int]] = {}
    for k, hinge in enumerate(hinges):
        children.setdefault(hinge.parent, []).append(k)

    def body(k: int) -> str:
        hinge = hinges[k]
        at = hinge.point - (hinges[hinge.parent].point if hinge.parent >= 0 else 0)
        I = hinge.inertia
        tensor = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        return (
            f'<body pos="{_text(at)}"><joint name="j{k}" type="hinge" axis="{_text(hinge.axis)}"'
            f' armature="{float(hinge.armature)!r}"/>'
            f'<inertial pos="{_text(hinge.center - hinge.point)}" mass="{float(hinge.mass)!r}"'
            f' fullinertia="{_text(tensor)}"/>' + "".join(map(body, children.get(k, []))) + "</body>"
        )

    tendons, equalities = "", ""
    hard = 'solimp="0.9999 0.9999 0.001 0.5 2"'
    for k in range(len(hinges)):
        if k in model.independent:
            continue
        drives = [(model.independent[j], r) for j, r in enumerate(model.ratios[k]) if r]
        if len(drives) == 1:
            ((j, r),) = drives
            equalities += f'<joint joint1="j{k}" joint2="j{j}" polycoef="0 {float(r)!r} 0 0 0" {hard}/>'
        else:
            own = "".join(f'<joint joint="j{j}" coef="{float(-r)!r}"/>' for j, r in drives)
            tendons += f'<fixed name="t{k}"><joint joint="j{k}" coef="1"/>{own}</fixed>'
            equalities += f'<tendon tendon1="t{k}" {hard}/>'
    gravity = _text(model.gravity)
    return (
        f'<mujoco><compiler balanceinertia="false" boundmass="0"/><option gravity="{gravity}" solver="Newton"'
        f' tolerance="1e-10" jacobian="{"dense" if len(hinges) <= 20 else "sparse"}">{flags(OFF)}</option>'
        f"<worldbody>{''.join(map(body, children[-1]))}</worldbody>"
        f"<tendon>{tendons}</tendon><equality>{equalities}</equality></mujoco>"
    )


def _text(values: Any) -> str:
    return " ".join(repr(float(x)) for x in values)
