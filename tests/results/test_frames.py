"""Attachment frames in results, motion as others see it, and orientations in three numbers, against SciPy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import wheelwork as ww
from wheelwork.system.frame_motion import bryant_xyz, euler_parameters, euler_zxz, rodrigues


def machine() -> ww.Mechanism:
    """A plate that turns about z, and on it an arm that swings about a tilted axis, with a tool on it."""
    m = ww.Mechanism("two", gravity=(0, 0, -9.81), parameters={"reach": 0.3})
    m.add(
        "plate", ww.Body(mass=3, inertia=(0.1, 0.1, 0.2), position=(0.1, 0, 0), center_of_mass=(0.05, 0, 0))
    )
    arm = {"mass": 1, "inertia": (0.02, 0.03, 0.04), "center_of_mass": (0.1, 0.02, 0)}
    m.add("arm", ww.Body(**arm, position=(0.4, 0, 0), angular_velocity=(1.2, -0.8, 2.0)))
    m.add("axle", ww.Revolute(bodies=("ground", "plate"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("hinge", ww.Spherical(bodies=("plate", "arm"), point=(0.4, 0, 0)))
    m.add(
        "tool", ww.Frame(body="arm", position=("reach", 0.1, 0), orientation={"rodrigues": (0.2, -0.4, 0.1)})
    )
    m.add(
        "camera", ww.Frame(body="plate", position=(0, 0.2, 0.3), orientation={"bryant_xyz": (0.3, 0.2, -0.5)})
    )
    m.add("corner", ww.Frame(body="ground", position=(1, 2, 3), orientation={"euler_zxz": (0.3, 1.2, -0.5)}))
    m.add("spin", ww.Torque(body="plate", value=(0, 0, 2)))
    return m


@pytest.fixture(scope="module")
def r():
    return machine().simulate(end=1, output=2000, rtol=1e-10, atol=1e-12)


def differences(values, t):
    return (values[2:] - values[:-2]) / (t[2:] - t[:-2])[:, None]


@pytest.mark.slow
def test_a_frame_is_where_its_body_has_it(r):
    x, y, z, w = 0.2, -0.4, 0.1, 1.0
    own = Rotation.from_quat([x, y, z, w])
    turned = Rotation.from_quat(r["arm.orientation"].to_numpy()[:, [1, 2, 3, 0]])
    at = r["arm.position"].to_numpy() + turned.apply([0.3, 0.1, 0])
    assert r["tool.position"].to_numpy() == pytest.approx(at, abs=1e-12)
    found = Rotation.from_quat(r["tool.orientation"].to_numpy()[:, [1, 2, 3, 0]])
    assert (found.inv() * turned * own).magnitude() == pytest.approx(0, abs=1e-12)
    assert r["corner.position"].to_numpy() == pytest.approx(np.tile([1, 2, 3], (2001, 1)))
    assert r["tool.w"].to_numpy() == pytest.approx(r["arm.w"].to_numpy())


@pytest.mark.slow
@pytest.mark.parametrize("observer", ["ground", "camera", "corner", "arm"])
def test_velocities_and_accelerations_are_rates_of_what_the_observer_sees(r, observer):
    """By differences over 1 ms: (0.5 ms)^2/6 of the third derivative, some 1e3/s^3, is 1e-4."""
    seen = r.seen_from(observer, "tool")
    position, velocity, acceleration = (seen[n].to_numpy() for n in ("position", "velocity", "acceleration"))
    assert differences(position, r.t) == pytest.approx(velocity[1:-1], abs=2e-4)
    assert differences(velocity, r.t) == pytest.approx(acceleration[1:-1], abs=2e-3)
    turned = Rotation.from_quat(seen["orientation"].to_numpy()[:, [1, 2, 3, 0]])
    over = (turned[2:] * turned[:-2].inv()).as_rotvec() / (r.t[2:] - r.t[:-2])[:, None]
    assert over == pytest.approx(seen["w"].to_numpy()[1:-1], abs=2e-3)
    assert differences(seen["w"].to_numpy(), r.t) == pytest.approx(
        seen["angular_acceleration"].to_numpy()[1:-1], abs=2e-2
    )


@pytest.mark.slow
def test_seen_from_the_ground_is_in_the_world(r):
    seen = r.seen_from("ground", "tool")
    for name in ("position", "velocity", "acceleration", "w"):
        assert seen[name].to_numpy() == pytest.approx(r[f"tool.{name}"].to_numpy(), abs=1e-12)
    fixed = r.seen_from("arm", "tool")
    assert fixed["position"].to_numpy() == pytest.approx(np.tile([0.3, 0.1, 0], (2001, 1)), abs=1e-12)
    assert fixed["velocity"].to_numpy() == pytest.approx(0, abs=1e-11)


@pytest.mark.slow
def test_frames_follow_parameters_and_files(tmp_path):
    short = machine().simulate(end=0.01, output=1, parameters={"reach": 0.1})
    assert short.seen_from("arm", "tool")["position"].to_numpy()[0] == pytest.approx([0.1, 0.1, 0])
    short.save(tmp_path / "r.nc", ["tool.position", "arm.bryant_xyz", "tool.euler_zxz.x"])
    again = ww.load_result(tmp_path / "r.nc")
    for name in ("tool.velocity", "arm.bryant_xyz", "tool.rodrigues"):
        assert again[name].to_numpy() == pytest.approx(short[name].to_numpy(), abs=1e-12)


def test_orientations_in_three_numbers_are_those_of_scipy():
    turned = Rotation.from_quat(np.random.default_rng(1).normal(size=(200, 4)))
    R = turned.as_matrix()
    assert Rotation.from_euler("XYZ", bryant_xyz(R)).as_matrix() == pytest.approx(R, abs=1e-12)
    assert bryant_xyz(R) == pytest.approx(turned.as_euler("XYZ"), abs=1e-9)
    assert Rotation.from_euler("ZXZ", euler_zxz(R)).as_matrix() == pytest.approx(R, abs=1e-12)
    assert rodrigues(R) == pytest.approx(
        turned.as_mrp() * 2 / (1 - np.sum(turned.as_mrp() ** 2, axis=1))[:, None]
    )
    e = euler_parameters(R)
    assert all(euler_parameters(one[None])[0, 0] >= 0 for one in R)
    assert np.all(np.sum(e[1:] * e[:-1], axis=1) >= 0)  # the next is the nearer of two
    assert Rotation.from_quat(e[:, [1, 2, 3, 0]]).as_matrix() == pytest.approx(R, abs=1e-12)
    special = Rotation.from_euler(
        "XYZ", [(0.3, np.pi / 2, 0), (0, 0, 0), (np.pi, 0, 0), (0.2, -np.pi / 2, 0.4)]
    )
    for of, axes in ((bryant_xyz, "XYZ"), (euler_zxz, "ZXZ")):
        assert Rotation.from_euler(axes, of(special.as_matrix())).as_matrix() == pytest.approx(
            special.as_matrix(), abs=1e-9
        )


@pytest.mark.parametrize("near", [1e-4, 1e-7, 1e-9, 1e-11, 1e-13])
def test_beside_their_singular_orientations_three_numbers_keep_their_digits(near):
    """Single angles are as good as 1e-16/near there, and what they say together is so to round-off. Rodrigues
    parameters, of an R with round-off 2e-16, are known to 2e-16/near of their size."""
    for of, axes, middle in (
        (bryant_xyz, "XYZ", np.pi / 2),
        (euler_zxz, "ZXZ", 0),
        (euler_zxz, "ZXZ", np.pi),
    ):
        for side in (-near, near):
            R = Rotation.from_euler(axes, [(0.3, middle + side, 0.4), (-2, middle + side, 3)]).as_matrix()
            assert Rotation.from_euler(axes, of(R)).as_matrix() == pytest.approx(R, abs=2e-12)
    wanted = np.array([1.0, -2.0, 0.5]) / np.sqrt(5.25) * np.tan(np.pi / 2 - near / 2)
    R = Rotation.from_rotvec((np.pi - near) * np.array([[1.0, -2.0, 0.5]]) / np.sqrt(5.25)).as_matrix()
    assert rodrigues(R)[0] == pytest.approx(wanted, rel=1e-15 / near + 1e-12)


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_a_controller_reads_angles(formulation):
    """A filter of them, and a sampled law: they are those of the result."""
    m = ww.Mechanism("one", gravity=(0, 0, 0))
    m.add("body", ww.Body(mass=1, inertia=(1, 2, 2.5), angular_velocity=(0.4, 2, 0.3)))
    m.add("tip", ww.Frame(body="body", position=(1, 0, 0), orientation={"euler_zxz": (0.3, 1.2, -0.5)}))
    read = [
        f"{of}.{what}.{x}" for of in ("body", "tip") for what in ("bryant_xyz", "euler_zxz") for x in "xz"
    ]
    read += ["body.rodrigues.y", "tip.rodrigues.z"]
    for k, name in enumerate(read):
        m.add(f"reads{k}", ww.FormulaBlock(value=name))
    m.add("lag", ww.TransferFunction(input="body.bryant_xyz.y", numerator=(1,), denominator=(0.1, 1)))
    m.add("push", ww.Torque(body="body", value=(0, "-2*lag", 0)))
    r = m.simulate(end=1, output=20, formulation=formulation)
    for k, name in enumerate(read):
        assert r[f"reads{k}"].to_numpy() == pytest.approx(r[name].to_numpy(), rel=1e-12, abs=1e-12), name


@pytest.mark.parametrize("spelling", ["bryant_xyz", "euler_zxz", "rodrigues"])
def test_what_was_given_comes_out(spelling):
    m = ww.Mechanism("one", gravity=(0, 0, 0))
    m.add("body", ww.Body(mass=1, inertia=(1, 1, 1), orientation={spelling: (0.3, 0.5, -0.7)}))
    r = m.simulate(end=0.1, output=1)
    assert r[f"body.{spelling}"].to_numpy()[0] == pytest.approx([0.3, 0.5, -0.7], abs=1e-12)
    assert float(r[f"body.{spelling}.y"][0]) == pytest.approx(0.5)
    assert f"body.{spelling}" not in r.names


def test_names_that_are_no_frames_are_said(r):
    with pytest.raises(KeyError, match=r"no body or frame `tol`.*`tool`"):
        r.seen_from("ground", "tol")


def test_frames_in_the_plane():
    m = ww.Mechanism("plane", kind="planar", gravity=(0, 0))
    m.add("disc", ww.Body(mass=1, inertia=1, angular_velocity=2))
    m.add("rim", ww.Frame(body="disc", position=(0.5, 0)))
    r = m.simulate(end=1, output=10)
    t = r.t
    assert r["rim.position"].to_numpy() == pytest.approx(
        0.5 * np.stack([np.cos(2 * t), np.sin(2 * t)], 1), abs=1e-9
    )
    assert np.hypot(*r["rim.acceleration"].to_numpy().T) == pytest.approx(2.0)
    assert r["rim.w"].to_numpy() == pytest.approx(2.0)
