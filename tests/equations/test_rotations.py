"""Orientations in every spelling, against SciPy and against each other; Euler parameters there and back."""

import casadi as ca
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import wheelwork as ww
from wheelwork.equations.frames import BodyFrame, Marker, matrix_by_rows, skew
from wheelwork.equations.rotations import about, frame_along, rotation
from wheelwork.equations.values import ParameterSymbols
from wheelwork.system.attitude import euler_parameters, rotation_matrices

NONE = ParameterSymbols({})
HALF_TURNS = [
    Rotation.from_rotvec(np.pi * np.array(axis) / np.linalg.norm(axis)).as_matrix()
    for axis in [
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
        (1, 1, 0),
        (0, -1, 1),
        (1, 1, 1),
        (-3, 2, 1e-9),
        (1e-6, 1, -1e-6),
    ]
]


def matrix(orientation: ww.Orientation) -> np.ndarray:
    return np.array(ca.evalf(rotation(orientation, NONE)))


def random_rotations(count: int = 50) -> list[Rotation]:
    return list(Rotation.random(count, random_state=np.random.default_rng(0)))


@pytest.mark.parametrize("turned", random_rotations(10))
def test_spellings_agree_with_scipy_and_with_each_other(turned):
    """Intrinsic ZXZ and XYZ (upper case in SciPy), scalar first, and a rotation vector of either length."""
    expected = turned.as_matrix()
    vector = turned.as_rotvec()
    angle = np.linalg.norm(vector)
    spellings = [
        ww.Orientation(euler_parameters=tuple(3.7 * turned.as_quat(scalar_first=True))),
        ww.Orientation(euler_parameters=tuple(-turned.as_quat(scalar_first=True))),
        ww.Orientation(euler_zxz=tuple(turned.as_euler("ZXZ"))),
        ww.Orientation(bryant_xyz=tuple(turned.as_euler("XYZ"))),
        ww.Orientation(rotation_vector=tuple(vector)),
        ww.Orientation(rotation_vector=tuple(vector * (1 - 2 * np.pi / angle))),
        ww.Orientation(axis=tuple(5 * vector), angle=angle),
        ww.Orientation(axis=tuple(-vector), angle=-angle),
    ]
    for spelling in spellings:
        np.testing.assert_allclose(matrix(spelling), expected, rtol=0, atol=1e-14 * 10, err_msg=str(spelling))


def test_no_rotation():
    for orientation in (
        ww.Orientation(),
        ww.Orientation(rotation_vector=(0, 0, 0)),
        ww.Orientation(euler_zxz=(0, 0, 0)),
        ww.Orientation(axis=(1, 2, 3), angle=0),
    ):
        np.testing.assert_array_equal(matrix(orientation), np.eye(3))


@pytest.mark.parametrize("angle", [0.0, 1e-200, 1e-12, 1e-5, 1.0, np.pi, 6.0])
def test_a_rotation_vector_of_any_length_may_be_a_parameter(angle):
    """Also one that is zero as described and is given another value later."""
    for default in (0.0, 0.5):
        parameters = ParameterSymbols({"angle": default})
        turned = rotation(ww.Orientation(rotation_vector=("0.6*angle", 0, "0.8*angle")), parameters)
        function = ca.Function("R", [parameters.column], [turned])
        expected = Rotation.from_rotvec([0.6 * angle, 0, 0.8 * angle]).as_matrix()
        np.testing.assert_allclose(np.array(function(angle)), expected, rtol=0, atol=1e-14)


def test_about_is_right_handed():
    for k, axis in enumerate(np.eye(3)):
        np.testing.assert_allclose(
            np.array(ca.evalf(about(k, ca.SX(0.7)))), Rotation.from_rotvec(0.7 * axis).as_matrix(), atol=1e-15
        )


@pytest.mark.parametrize("R", [*(r.as_matrix() for r in random_rotations()), np.eye(3), *HALF_TURNS])
def test_euler_parameters_there_and_back(R):
    e = euler_parameters(R)
    assert np.linalg.norm(e) == pytest.approx(1, abs=1e-15)
    assert e[0] >= 0
    np.testing.assert_allclose(rotation_matrices(e), R, rtol=0, atol=1e-14)
    np.testing.assert_allclose(matrix(ww.Orientation(euler_parameters=tuple(e))), R, rtol=0, atol=1e-14)
    same = Rotation.from_matrix(R).as_quat(scalar_first=True)
    assert abs(e @ same) == pytest.approx(1, abs=1e-14)


def test_rotation_matrices_of_many_and_of_any_length():
    turned = Rotation.random(20, random_state=np.random.default_rng(1))
    e = turned.as_quat(scalar_first=True) * np.linspace(0.1, 9, 20)[:, None]
    np.testing.assert_allclose(
        rotation_matrices(e.reshape(4, 5, 4)).reshape(20, 3, 3), turned.as_matrix(), atol=1e-14
    )


@pytest.mark.parametrize(
    "z", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, -2), (1, 1, 1), (1e-9, -1, 1e-9), (0.3, -0.2, 5)]
)
def test_frame_along_is_right_handed_with_z_where_asked(z):
    A = np.array(ca.evalf(frame_along(ca.SX(z))))
    np.testing.assert_allclose(A.T @ A, np.eye(3), atol=1e-15 * 4)
    assert np.linalg.det(A) == pytest.approx(1)
    np.testing.assert_allclose(A[:, 2], np.array(z) / np.linalg.norm(z), atol=1e-15)


def test_an_axis_may_be_a_parameter_that_swings_anywhere():
    """The helper axis suits the direction the axis has, not the one it had by default."""
    parameters = ParameterSymbols({"a": 0.0})
    z = parameters.vector(ww.Revolute(bodies=("a", "b"), point=(0, 0, 0), axis=("a", 0, "1 - a")).axis)
    A = ca.Function("A", [parameters.column], [frame_along(z)])
    for a in (0.0, 0.25, 0.5, 1.0, 2.0):
        frame, axis = np.array(A(a)), np.array([a, 0, 1 - a])
        np.testing.assert_allclose(frame.T @ frame, np.eye(3), atol=1e-14)
        np.testing.assert_allclose(frame[:, 2], axis / np.linalg.norm(axis), atol=1e-14)


def test_markers_move_with_their_body():
    """Position, axes, velocity and acceleration of a marker against differences along the motion."""
    from .states import after, derivatives, random_body, random_marker

    rng = np.random.default_rng(2)
    record, local = ca.SX.sym("b", 18), random_marker(rng)
    marker = Marker.from_record(BodyFrame.from_record(record), ca.SX(local))
    function = ca.Function("m", [record], [marker.p, marker.axes, marker.velocity, marker.centripetal])
    body = random_body(rng)
    p, axes, velocity, centripetal = (np.array(part) for part in function(body))
    R = body[3:12].reshape(3, 3)
    np.testing.assert_allclose(p.ravel(), body[:3] + R @ local[:3], atol=1e-14)
    np.testing.assert_allclose(axes, R @ local[3:].reshape(3, 3), atol=1e-14)
    first, second = derivatives(lambda t: np.array(function(after(body, t))[0]).ravel())
    np.testing.assert_allclose(velocity.ravel(), first, atol=1e-9)
    np.testing.assert_allclose(centripetal.ravel(), second, atol=1e-8)


def test_small_helpers():
    a, b = np.array([1.0, 2, 3]), np.array([-2.0, 0.5, 4])
    np.testing.assert_allclose(np.array(ca.DM(ca.evalf(skew(ca.SX(a)) @ b))).ravel(), np.cross(a, b))
    np.testing.assert_array_equal(
        np.array(ca.evalf(matrix_by_rows(ca.SX(np.arange(9.0))))), np.arange(9.0).reshape(3, 3)
    )
