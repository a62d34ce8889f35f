"""Random states of bodies and elements, and differences along motions, for comparing equations with calculus."""

from collections.abc import Callable

import casadi as ca
import numpy as np
from scipy.spatial.transform import Rotation

from wheelwork.equations.cams.base import CamEquations
from wheelwork.equations.frames import BodyFrame
from wheelwork.equations.mesh_equations import every_mesh
from wheelwork.system.kernels import (
    ConstraintArguments,
    ConstraintKernel,
    driver_kernel,
    gap_kernel,
    joint_kernel,
    rate_kernel,
)
from wheelwork.system.mesh_kernels import MeshKernel

from .every_joint import equations_of_joints
from .mesh_states import random_mesh_arguments

JOINTS = {
    name: joint
    for name, joint in equations_of_joints("spatial").items()
    if not isinstance(joint, CamEquations)
}
PLANAR_JOINTS = {
    name: joint
    for name, joint in equations_of_joints("planar").items()
    if not isinstance(joint, CamEquations)
}
COORDINATES = [(joint, name) for joint in JOINTS.values() for name in joint.coordinates]

KERNELS: dict[str, ConstraintKernel] = {
    kernel.key: kernel
    for kernel in (
        *(joint_kernel(joint) for joint in JOINTS.values()),
        *(driver_kernel(joint, name) for joint, name in COORDINATES),
        *(rate_kernel(joint, name) for joint, name in COORDINATES),
        gap_kernel("plane"),
        gap_kernel("sphere"),
        *(MeshKernel(mesh).constraint for mesh in every_mesh().values()),
        *(MeshKernel(mesh).friction(sliding=False) for mesh in every_mesh().values()),
        *(MeshKernel(mesh).friction(sliding=True) for mesh in every_mesh().values() if mesh.slides),
    )
}
"""Every constraint kernel there is, by its key."""


def has_angle(key: str) -> bool:
    """Whether rows of a kernel have a joint angle in them; their closed forms need parallel z axes."""
    return key.endswith(":angle") or key == "joint:screw"


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    return Rotation.random(random_state=rng).as_matrix()


def random_body(rng: np.random.Generator) -> np.ndarray:
    """A body record: x, R by rows, v, w."""
    x, v, w = rng.normal(size=(3, 3))
    return np.concatenate([x, random_rotation(rng).ravel(), v, w])


def random_marker(rng: np.random.Generator) -> np.ndarray:
    """A marker record: position and axes in the body."""
    return np.concatenate([0.5 * rng.normal(size=3), random_rotation(rng).ravel()])


def random_pair(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two bodies some way apart, so that a distance between them does not vary abruptly."""
    a, b = random_body(rng), random_body(rng)
    b[:3] = a[:3] + 5 * random_rotation(rng)[0]
    return a, b


def rotation_of(record: np.ndarray) -> np.ndarray:
    return record[3:12].reshape(3, 3)


def moved(record: np.ndarray, small: np.ndarray, twist: np.ndarray | float = 0.0) -> np.ndarray:
    """A body after a displacement and a rotation vector (world axes), and a change of twist."""
    R = Rotation.from_rotvec(small[3:]).as_matrix() @ rotation_of(record)
    return np.concatenate([record[:3] + small[:3], R.ravel(), record[12:] + twist])


def after(record: np.ndarray, t: float) -> np.ndarray:
    """A body after moving on with constant twist for a time: an exact rigid motion without accelerations."""
    return moved(record, t * record[12:])


def with_parallel_axes(
    rng: np.random.Generator, a: np.ndarray, b: np.ndarray, data: np.ndarray
) -> np.ndarray:
    """Body b, turned so that its marker's z axis is parallel to that of body a's marker; its twist is left as it is."""
    A = rotation_of(a) @ data[3:12].reshape(3, 3)
    spin = Rotation.from_rotvec([0, 0, rng.uniform(-3, 3)]).as_matrix()
    R = A @ spin @ data[15:24].reshape(3, 3).T
    return np.concatenate([b[:3], R.ravel(), b[12:]])


def random_arguments(rng: np.random.Generator, kernel: ConstraintKernel) -> list[np.ndarray]:
    """Body a, body b, data (markers and extras), inputs (u, u', u''), whole turns.

    Bodies, markers, twists and inputs are random and far from satisfying the constraint: differentiation does not ask
    for that. Only where an angle is in the rows are the z axes made parallel: the closed form of an angle,
    G^ v = z . (w_b - w_a), holds there alone (see `turn_about_axis`), which is where all joints with an angle live.
    """
    what, _, type = kernel.key.partition(":")
    if what.startswith("mesh"):
        return random_mesh_arguments(rng, type)
    a, b = random_pair(rng)
    data = np.concatenate([random_marker(rng), random_marker(rng), rng.normal(size=kernel.extras)])
    if has_angle(kernel.key):
        b = with_parallel_axes(rng, a, b, data)
    return [a, b, data, rng.normal(size=3 * kernel.inputs), 2 * np.pi * rng.integers(-3, 4, size=1)]


def full(kernel: ConstraintKernel, arguments: list[np.ndarray]) -> tuple[np.ndarray, ...]:
    """g, G (rows x 12), gamma, nu of a kernel, without the padding."""
    g, G_a, G_b, gamma, nu = (np.array(part) for part in kernel.full.call([ca.DM(x) for x in arguments]))
    rows = kernel.rows
    return g[:rows, 0], np.hstack([G_a, G_b])[:rows], gamma[:rows, 0], nu[:rows, 0]


def residual(kernel: ConstraintKernel, arguments: list[np.ndarray]) -> np.ndarray:
    return np.array(kernel.residual.call([ca.DM(x) for x in arguments])[0])[: kernel.rows, 0]


def symbols(kernel: ConstraintKernel) -> tuple[ConstraintArguments, BodyFrame, BodyFrame]:
    arguments = ConstraintArguments.make(kernel.data_size, kernel.inputs)
    a, b = (BodyFrame.from_record(record) for record in arguments.bodies)
    return arguments, a, b


STENCIL = np.arange(-4, 5)
_FIRST = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
_SECOND = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])


def derivatives(function: Callable[[float], np.ndarray], h: float = 0.01) -> tuple[np.ndarray, np.ndarray]:
    """First and second derivative at 0 by central differences of order 8.

    With h = 0.01 the error of the formula is of the size of h^8 = 1e-16 times the ninth derivative, round-off 1e-14 and
    1e-12; functions here vary over times and lengths of about 1.
    """
    values = np.array([function(k * h) for k in STENCIL])
    return np.tensordot(_FIRST, values, 1) / h, np.tensordot(_SECOND, values, 1) / h**2
