"""Forward dynamics of a tree of hinges in Pinocchio.

Its `aba` is the articulated-body algorithm: accelerations of an open tree. It takes no gears. Where there are some:

- `geared`: the same equations as ours: mass matrix (`crba`) and bias forces (`nonLinearEffects`) of the tree with
  all its wheels, brought onto the independent coordinates by the matrix of ratios, and a Cholesky factorisation;
- `aba of the tree`: all bodies, gears ignored: another mechanism, but what the algorithm costs on as many bodies;
- `aba lumped`: see `benchmarks.trees.lumped`: another mechanism as well, and what is usually simulated.

Loops are compiled (``pinocchio_loop.cpp``) from the headers that come with the package, with Eigen's from CasADi,
at -O3 for this processor. Beside it stands a loop in Python over the package's own library, with what a call costs:
that of an empty tree. Both conventions (LOCAL, WORLD) are tried, the better one counts. Fixed axes along x, y or z
take Pinocchio's special joints, which are faster than those with any axis.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

import casadi
import numpy as np
import pinocchio as pin

from ..trees import Hinges
from .loops import compiled, includes

SOURCE = Path(__file__).parent / "pinocchio_loop.cpp"
DEFINES = (  # as in the package's own CMake files
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
)


def _library() -> ctypes.CDLL:
    prefix = next(p for p in Path(pin.__file__).parents if p.name == "cmeel.prefix")
    eigen = Path(casadi.__file__).parent / "include" / "eigen3"
    found = compiled(SOURCE, pin.__version__, *includes([prefix / "include", eigen]), *DEFINES)
    found.tree_make.restype = ctypes.c_void_p
    found.tree_free.argtypes = [ctypes.c_void_p]
    for function in (found.tree_aba, found.tree_geared):
        function.argtypes = [*[ctypes.c_void_p] * 4, ctypes.c_int, ctypes.c_int]
    return found


class Loop:
    """The tree in C++: `many(times)` evaluates the accelerations, which are then in `a`."""

    def __init__(self, model: Hinges, algorithm: str, q: np.ndarray, v: np.ndarray, world: bool):
        self.library = _library()
        self.call = self.library.tree_geared if algorithm == "geared" else self.library.tree_aba
        if algorithm != "geared":
            q, v = model.ratios @ q, model.ratios @ v
        self.q, self.v, self.a = np.ascontiguousarray(q), np.ascontiguousarray(v), np.zeros(len(q))
        self.world = int(world)
        arrays = _arrays(model)
        self.handle = self.library.tree_make(
            len(model.hinges), model.ratios.shape[1], *[ctypes.c_void_p(x.ctypes.data) for x in arrays]
        )

    def __del__(self) -> None:
        self.library.tree_free(self.handle)

    def many(self, times: int) -> None:
        self.call(self.handle, self.q.ctypes.data, self.v.ctypes.data, self.a.ctypes.data, self.world, times)


def _arrays(model: Hinges) -> list[np.ndarray]:
    origin = [hinge.point for hinge in model.hinges]
    place = [h.point - (origin[h.parent] if h.parent >= 0 else 0) for h in model.hinges]
    body = [[h.mass, *(h.center - h.point), *h.inertia.ravel()] for h in model.hinges]
    return [
        np.array([h.parent for h in model.hinges], np.int32),
        np.array([h.axis for h in model.hinges], float),
        np.array(place, float),
        np.array(body, float),
        np.array([h.armature for h in model.hinges], float),
        np.ascontiguousarray(model.ratios, float),
        np.ascontiguousarray(model.gravity, float),
    ]


class Binding:
    """`aba` of the package, called from Python."""

    def __init__(self, model: Hinges, q: np.ndarray, v: np.ndarray, world: bool):
        self.model = pin.Model()
        fixed = {(1, 0, 0): pin.JointModelRX, (0, 1, 0): pin.JointModelRY, (0, 0, 1): pin.JointModelRZ}
        _, axis, place, *_ = _arrays(model)
        for k, hinge in enumerate(model.hinges):
            kind = fixed.get(tuple(axis[k]))
            joint = kind() if kind else pin.JointModelRevoluteUnaligned(*axis[k])
            at = self.model.addJoint(hinge.parent + 1, joint, pin.SE3(np.eye(3), place[k]), str(k))
            own = pin.Inertia(hinge.mass, hinge.center - hinge.point, hinge.inertia)
            self.model.appendBodyToJoint(at, own, pin.SE3.Identity())
        self.model.armature = np.array([h.armature for h in model.hinges])
        self.model.gravity.linear = model.gravity
        self.data = self.model.createData()
        self.q, self.v, self.tau = model.ratios @ q, model.ratios @ v, np.zeros(len(model.hinges))
        self.convention = pin.Convention.WORLD if world else pin.Convention.LOCAL

    def many(self, times: int) -> None:
        aba, model, data, q, v, tau = pin.aba, self.model, self.data, self.q, self.v, self.tau
        convention = self.convention
        for _ in range(times):
            aba(model, data, q, v, tau, convention)
