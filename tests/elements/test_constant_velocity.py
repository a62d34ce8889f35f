"""Constant-velocity joint: both shafts turn at the same speed, those of a universal joint do not; trees as rows."""

import numpy as np
import pytest

import wheelwork as ww

BENT = np.radians(35.0)
SHAFT = (float(np.cos(BENT)), 0.0, float(np.sin(BENT)))


def shafts(joint) -> ww.Mechanism:
    """Two shafts in bearings of ground that meet at the origin; the first turns unevenly, as given."""
    m = ww.Mechanism("shafts")
    m.add("one", ww.Body(mass=1, inertia=(0.01, 0.02, 0.02), position=(-0.1, 0, 0)))
    m.add("two", ww.Body(mass=2, inertia=(0.02, 0.03, 0.03), position=tuple(0.1 * np.array(SHAFT))))
    m.add("in", ww.Revolute(bodies=("ground", "one"), point=(-0.1, 0, 0), axis=(1, 0, 0)))
    m.add("out", ww.Revolute(bodies=("ground", "two"), point=tuple(0.1 * np.array(SHAFT)), axis=SHAFT))
    m.add("joint", joint)
    m.add("turn", ww.JointDriver(joint="in", value="3*t + 0.5*sin(4*t)"))
    return m


def speeds(joint) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Angle and speed of the first shaft, speed of the second."""
    r = shafts(joint).kinematics(end=3.0, output=150)
    return r["in.angle"].to_numpy(), r["in.w"].to_numpy(), r["out.w"].to_numpy()


def test_both_shafts_turn_at_the_same_speed_at_a_constant_angle():
    theta, first, second = speeds(
        ww.ConstantVelocity(bodies=("one", "two"), point=(0, 0, 0), axis=(1, 0, 0), axis2=SHAFT)
    )
    assert np.ptp(first) > 3.9  # it turns unevenly, between 1 and 5 rad/s, over more than a turn
    assert np.ptp(theta) > 2 * np.pi
    np.testing.assert_allclose(second, first, rtol=0, atol=1e-9)


def test_a_universal_joint_in_its_place_has_the_known_ratio():
    """cos(beta)/(1 - sin(beta)^2 cos(theta)^2), theta from where the arm on a lies in the plane of the shafts."""
    theta, first, second = speeds(
        ww.Universal(bodies=("one", "two"), point=(0, 0, 0), axis=(0, 0, 1), axis2=(0, 1, 0))
    )
    ratio = np.cos(BENT) / (1 - np.sin(BENT) ** 2 * np.cos(theta) ** 2)
    np.testing.assert_allclose(second, ratio * first, rtol=1e-9)
    assert np.ptp(ratio) > 0.3


ALONG = np.array([0.3, 0, -0.9]) / np.hypot(0.3, 0.9)
BISECTOR = ALONG + np.array([0, 0, -1])


def swinging(formulation: str):
    """A top on a constant-velocity joint to ground: it swings and cannot spin."""
    m = ww.Mechanism("swing")
    w = np.cross(BISECTOR, (0.5, -1, 0))
    place = {"mass": 1, "inertia": (0.02, 0.03, 0.01), "position": (0.1, 0, -0.3)}
    m.add("top", ww.Body(**place, angular_velocity=tuple(w)))
    axes = {"axis": (0, 0, -1), "axis2": tuple(ALONG)}
    m.add("joint", ww.ConstantVelocity(bodies=("ground", "top"), point=(0, 0, 0), **axes))
    return m.simulate(end=1.0, output=20, formulation=formulation, rtol=1e-9, atol=1e-11)


def test_minimal_coordinates_agree_with_rows_and_the_top_does_not_spin():
    rows, tree = swinging("absolute"), swinging("reduced")
    for signal in ("top.position.x", "top.position.y", "top.position.z"):
        np.testing.assert_allclose(tree[signal].to_numpy(), rows[signal].to_numpy(), rtol=0, atol=1e-6)
    # it may only turn across the bisector of the two shafts
    R = rows.motion.frames[:, 0, 3:12].reshape(-1, 3, 3)
    shaft = R @ (R[0].T @ ALONG)
    w = np.stack([rows[f"top.w.{axis}"].to_numpy() for axis in "xyz"], axis=1)
    np.testing.assert_allclose(np.sum(w * np.add(shaft, (0, 0, -1)), axis=1), 0, atol=1e-8)
    energy = rows["energy.total"].to_numpy()
    np.testing.assert_allclose(energy, energy[0], rtol=1e-7)


def test_shafts_that_lead_back_are_refused():
    back = (-float(np.cos(np.radians(20))), 0, float(np.sin(np.radians(20))))
    with pytest.raises(
        ww.ModelError, match=r"is at 160 deg to `axis`, but the shafts bend by less than 90 deg"
    ):
        ww.ConstantVelocity(bodies=("one", "two"), point=(0, 0, 0), axis=(1, 0, 0), axis2=back)
