"""Couplers: a tendon over three joints in both formulations, by the equations of the arm tied by hand."""

import numpy as np
import pytest

import wheelwork as ww

FACTORS = {"j0": 1.0, "j1": -2.0, "j2": 0.5}


def arm(*couplers: dict, free: bool = False) -> ww.Mechanism:
    m = ww.Mechanism("arm", gravity=(0, -9.81, 0))
    outer = "ground"
    for k in range(3):
        m.add(f"link{k}", ww.Body(mass=1.0 + k, inertia=(0.1, 0.1, 0.1), position=(0.5 + k, 0, 0)))
        m.add(f"j{k}", ww.Revolute(bodies=(outer, f"link{k}"), point=(k, 0, 0), axis=(0, 0, 1)))
        outer = f"link{k}"
    for n, factors in enumerate(couplers or (() if free else (FACTORS,))):
        offset = factors.get("offset", 0.0)
        joints = [{"joint": j, "factor": c} for j, c in factors.items() if j != "offset"]
        m.add(f"tendon{n}", ww.Coupler(joints=joints, offset=offset))
    return m


@pytest.mark.parametrize("method", ["dopri5", "sdirk4"])
@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_a_tendon_over_three_joints(formulation, method):
    r = arm().simulate(end=1.0, output=10, formulation=formulation, method=method, rtol=1e-9, atol=1e-11)
    angles = np.array([r[f"{j}.angle"].to_numpy() for j in FACTORS])
    np.testing.assert_allclose([*FACTORS.values()] @ angles, 0, atol=1e-10)
    energy = r["energy.total"].to_numpy()
    np.testing.assert_allclose(energy, energy[0], atol=1e-6)  # it does no work
    efforts = np.array([r[f"tendon0.{j}.torque"].to_numpy() for j in FACTORS])
    np.testing.assert_allclose(efforts, np.outer([*FACTORS.values()], efforts[0]), rtol=1e-9)


def test_accelerations_are_those_of_the_arm_tied_by_hand():
    """B^T (M B u'' + h) = 0 with M and h of the free arm."""
    free, tied = arm(free=True).reduced(), arm().reduced()
    assert len(tied.names) == 2
    C = np.array([[*FACTORS.values()]])
    rows = [free.names.index(name) for name in tied.names]
    (out,) = [k for k in range(3) if k not in rows]
    B = np.zeros((3, 2))
    B[rows, range(2)] = 1
    B[out] = -C[0, rows] / C[0, out]
    u, w = np.array([0.3, -0.5]), np.array([1.1, 0.4])
    q, v = B @ u, B @ w
    h = -free.forward(q, v)
    inverse = np.array([free.forward(q, v, e) + h for e in np.eye(3)]).T
    M = np.linalg.inv(inverse)
    expected = -np.linalg.solve(B.T @ M @ B, B.T @ (M @ h))
    np.testing.assert_allclose(tied.forward(u, w), expected, rtol=1e-9)


@pytest.mark.parametrize("given", ["12 mm", "12 mm/rad", "-2", "30 1/m", "0.03 rad/mm"])
def test_factors_are_of_lengths_and_angles(given):
    assert ww.Coupler(joints=[{"joint": "a", "factor": given}, {"joint": "b", "factor": 1}], offset="3 deg")


@pytest.mark.parametrize(("factor", "offset", "path"), [("5 kg", 0, "factor"), (2, "3 N", "offset")])
def test_other_units_are_refused(factor, offset, path):
    joints = [{"joint": "a", "factor": factor}, {"joint": "b", "factor": 1}]
    with pytest.raises(ww.ModelError, match=rf"{path}: needs a plain number .*, but"):
        ww.Coupler(joints=joints, offset=offset)


def test_a_slide_and_a_hinge_over_many_turns():
    """A drum winds a rope: x = r phi; falling m with J behind r: x'' = g m/(m + J/r^2), over more than a turn."""
    m = ww.Mechanism("winch", gravity=(0, 0, -9.81))
    m.add("drum", ww.Body(mass=1, inertia=(0.3, 0.3, 0.3)))
    m.add("load", ww.Body(mass=5, inertia=(1, 1, 1), position=(0.2, 0, -1)))
    m.add("axle", ww.Revolute(bodies=("ground", "drum"), point=(0, 0, 0), axis=(0, 1, 0)))
    m.add("guide", ww.Prismatic(bodies=("ground", "load"), point=(0.2, 0, -1), axis=(0, 0, -1)))
    m.add("rope", ww.Coupler(joints=[{"joint": "guide", "factor": 1}, {"joint": "axle", "factor": -0.2}]))
    for formulation in ("absolute", "reduced"):
        r = m.simulate(end=2.0, output=10, formulation=formulation, rtol=1e-9, atol=1e-11)
        a = 9.81 * 5 / (5 + 0.3 / 0.04)
        np.testing.assert_allclose(r["guide.displacement"], a * r.t**2 / 2, rtol=1e-8, atol=1e-9)
        assert r["axle.angle"].to_numpy()[-1] > 6 * np.pi
        np.testing.assert_allclose(r["rope.guide.force"], -0.3 / 0.04 * a, rtol=1e-8)


def test_an_offset_is_met_by_assembling():
    start = arm({"j0": 1.0, "j1": 1.0, "offset": 0.3}).assemble()
    assert float(start["j0.angle"]) + float(start["j1.angle"]) == pytest.approx(0.3, abs=1e-10)


WRONG = {
    "one joint": ([{"joint": "j0", "factor": 1}], "a coupler needs two or more joints, but has 1"),
    "no factor": (
        [{"joint": "j0", "factor": 0}, {"joint": "j1", "factor": 1}],
        "factor: must not be zero: the joint would not be coupled",
    ),
    "twice": (
        [{"joint": "j0", "factor": 1}, {"joint": "j0", "factor": 2}],
        "`j0` is listed twice: add its factors up",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_has_no_meaning_is_refused(case):
    joints, message = WRONG[case]
    with pytest.raises(ww.ModelError, match=message):
        ww.Coupler(joints=joints)


@pytest.mark.parametrize(
    ("last", "message"),
    [
        ({"j0": 1.0, "j2": 6.0}, "says nothing beyond `tendon0`, `tendon1`"),
        ({"j0": 1.0, "j2": 6.0, "offset": 0.5}, "contradicts `tendon0`, `tendon1`"),
    ],
)
def test_a_ring_of_couplers(last, message):
    """j0 = 2 j1 and j1 = -3 j2 say j0 = -6 j2."""
    with pytest.raises(ww.ModelError, match=f"tendon2.*{message}"):
        arm({"j0": 1.0, "j1": -2.0}, {"j1": 1.0, "j2": 3.0}, last).check()


def test_a_joint_without_a_coordinate_is_named():
    m = arm(free=True)
    m.add("ball", ww.Spherical(bodies=("ground", "link2"), point=(3, 0, 0)))
    m.add("tie", ww.Coupler(joints=[{"joint": "j0", "factor": 1}, {"joint": "ball", "factor": 1}]))
    with pytest.raises(ww.ModelError, match=r"joint `ball` .spherical. has no coordinates"):
        m.check()
