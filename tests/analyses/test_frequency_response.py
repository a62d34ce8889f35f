"""Linear frequency response: closed forms, and steady states of the simulation."""

import numpy as np
import pytest

import wheelwork as ww

from .test_modes import chain, rotor


def driven_chain():
    m = chain([0.3, 0.5], [40.0], [0.2])
    m = m.model_copy(update={"parameters": {"moment": 0.0, "omega": 9.0}})
    m.add("motor", ww.Torque(body="disk0", value="moment"))
    m.add("mount", ww.TorsionalSpring(joint="axle1", stiffness=15, damping=0.1))
    return m


def matrices():
    M = np.diag([0.3, 0.5])
    K = np.array([[40.0, -40], [-40, 55]])
    C = np.array([[0.2, -0.2], [-0.2, 0.3]])
    return M, C, K


def test_force_to_motion_speed_acceleration_and_torques():
    """(K - w^2 M + i w C) x = (1, 0), then what is seen of it."""
    f = np.array([0.4, 1.0, 2.5])
    names = [
        "axle0.angle",
        "axle1.angle",
        "axle1.w",
        "disk0.angular_acceleration",
        "shaft0.torque",
        "motor.torque.z",
    ]
    found = driven_chain().frequency_response("moment", names, f)
    M, C, K = matrices()
    for k, w in enumerate(2 * np.pi * f):
        x = np.linalg.solve(K - w**2 * M + 1j * w * C, [1, 0])
        assert found["axle0.angle"][k] == pytest.approx(x[0], rel=1e-6)
        assert found["axle1.angle"][k] == pytest.approx(x[1], rel=1e-6)
        assert found["axle1.w"][k] == pytest.approx(1j * w * x[1], rel=1e-6)
        assert found["disk0.angular_acceleration"][k] == pytest.approx(-(w**2) * x[0], rel=1e-6)
        assert found["shaft0.torque"][k] == pytest.approx(-(40 + 0.2j * w) * (x[1] - x[0]), rel=1e-6)
        assert found["motor.torque.z"][k] == pytest.approx(1, rel=1e-6)


def test_peaks_are_at_the_natural_frequencies():
    """Off by the step of 0.002 Hz, and by the square of the damping ratio, which is below 0.04 in both modes."""
    found = driven_chain().frequency_response("moment", ["axle0.angle"], np.linspace(0.1, 4.0, 1951))
    M, _, K = matrices()
    natural = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real)) / (2 * np.pi)
    places = found.peaks("axle0.angle")
    assert found.frequencies[places] == pytest.approx(natural, rel=2e-3, abs=2e-3)
    highest = places[int(np.argmax(np.abs(found["axle0.angle"][places])))]
    assert found.peaks("axle0.angle", most=1) == [highest]


def test_error_in_an_elastic_element():
    """Torque of a shaft k (phi - e) + c (phi' - e'): on the disks f = (-1, 1) (k + i w c) e."""
    f = np.array([0.7, 1.9])
    found = driven_chain().frequency_response("shaft0.error", ["axle0.angle", "axle1.angle"], f)
    M, C, K = matrices()
    for k, w in enumerate(2 * np.pi * f):
        x = np.linalg.solve(K - w**2 * M + 1j * w * C, np.array([-1, 1]) * (40 + 0.2j * w))
        assert found.values[k] == pytest.approx(x, rel=1e-6)


def test_signals_of_the_element_that_has_the_error():
    """Its torque is (k + i w c) (phi - e), its angle phi; so for a spring on a mass, F = (k + i w c) (x - e)."""
    f = np.array([0.7, 1.9])
    m = driven_chain()
    found = m.frequency_response("shaft0.error", ["shaft0.torque", "shaft0.angle", "shaft0.speed"], f)
    M, C, K = matrices()
    for k, w in enumerate(2 * np.pi * f):
        x = np.linalg.solve(K - w**2 * M + 1j * w * C, np.array([-1, 1]) * (40 + 0.2j * w))
        phi = x[1] - x[0]
        assert found.values[k] == pytest.approx([-(40 + 0.2j * w) * (phi - 1), phi, 1j * w * phi], rel=1e-6)
    m = ww.Mechanism("block", kind="planar", gravity=(0, 0))
    m.add("block", ww.Body(mass=2, inertia=1))
    m.add("slide", ww.Prismatic(bodies=("ground", "block"), point=(0, 0), axis=(1, 0)))
    ends = {"bodies": ("ground", "block"), "point_a": (-1, 0), "point_b": (0, 0)}
    m.add("mount", ww.Spring(**ends, stiffness=50, damping=1))
    own = m.frequency_response("mount.error", ["mount.force", "mount.length"], f)
    w = 2 * np.pi * f
    x = (50 + 1j * w) / (50 - 2 * w**2 + 1j * w)
    assert own["mount.length"] == pytest.approx(x, rel=1e-6)
    assert own["mount.force"] == pytest.approx(2 * w**2 * x, rel=1e-6)  # which is all that moves the mass


def test_reaction_of_a_joint():
    """A block on a spring in a slide that is pushed across: the slide's reaction is the push, at every frequency; along
    it the spring's foot feels k x.
    """
    m = ww.Mechanism("block", kind="planar", gravity=(0, 0), parameters={"push": 0.0})
    m.add("block", ww.Body(mass=2, inertia=1))
    m.add("slide", ww.Prismatic(bodies=("ground", "block"), point=(0, 0), axis=(1, 0)))
    m.add(
        "spring",
        ww.Spring(bodies=("ground", "block"), point_a=(-1, 0), point_b=(0, 0), stiffness=50, damping=1),
    )
    m.add("load", ww.Force(body="block", value=("push", "3*push")))
    f = np.array([0.3, 0.8])
    found = m.frequency_response("push", ["slide.reaction.force", "spring.force"], f)
    w = 2 * np.pi * f
    x = 1 / (50 - 2 * w**2 + 1j * w)
    assert found["slide.reaction.force.y"] == pytest.approx([-3, -3], rel=1e-6)
    assert found["spring.force"] == pytest.approx((50 + 1j * w) * x, rel=1e-6)


@pytest.mark.slow
def test_simulated_steady_state():
    """The same response from the equations of motion themselves, a small torque swinging."""
    m = driven_chain()
    m.forces["motor"] = ww.Torque(body="disk0", value="moment + 1e-3*cos(omega*t)")
    s = m.sweep(
        "omega",
        [7.0, 11.0],
        signals=["axle1.angle"],
        frequency="omega/(2*pi)",
        settle=300,
        measure=2,
        orders=[1],
    )
    found = m.frequency_response("moment", ["axle1.angle"], np.array([7.0, 11.0]) / (2 * np.pi))
    one = s["axle1.angle"].sel(direction="up", order=1)
    amplitude = one["amplitude"].to_numpy() * np.exp(1j * one["phase"].to_numpy())
    assert amplitude == pytest.approx(1e-3 * found["axle1.angle"], rel=1e-4)


def test_rotor_with_gyroscopic_moment():
    """A tilting moment on a turning rotor: J_t a'' - i J_p Omega a' + k a = T for a = tilt about x + i about y; a
    moment about x alone is half forward, half backward.
    """
    J_t, J_p, k, speed = 0.02, 0.03, 500.0, 120.0
    m = rotor(speed)
    m = m.model_copy(update={"parameters": {**m.parameters, "moment": 0.0}})
    m.add("tilt", ww.Torque(body="disk", value=("moment", 0, 0)))
    f = np.array([10.0, 31.0])
    w = 2 * np.pi * f
    found = m.frequency_response("moment", ["disk.w", "sleeve.w"], f)

    def whirl(w):
        return 1 / (k - J_t * w**2 + J_p * speed * w)

    about_x, about_y = (whirl(w) + whirl(-w)) / 2, (whirl(w) - whirl(-w)) / 2j
    # of the sleeve, which tilts with the disk but does not turn; 1e-12 of its inertia is neglected
    assert found["sleeve.w.x"] == pytest.approx(1j * w * about_x, rel=1e-5)
    assert found["sleeve.w.y"] == pytest.approx(1j * w * about_y, rel=1e-5)


def test_mistakes():
    m = driven_chain()
    with pytest.raises(ww.ModelError, match="neither a parameter nor an elastic element"):
        m.frequency_response("momnt", ["axle0.angle"], [1.0])
    with pytest.raises(ww.ModelError, match="there is no signal"):
        m.frequency_response("moment", ["axle9.angle"], [1.0])
    heavy = ww.Mechanism("block", kind="planar", gravity=(0, 0), parameters={"m": 2.0, "a": 0.1, "k": 1.0})
    heavy.add("block", ww.Body(mass="m", inertia=1))
    heavy.add("drive", ww.BodyDriver(body="block", coordinate="x", value="a*t"))
    heavy.add("mount", ww.Bushing(bodies=("ground", "block"), point=(0, 0), stiffness=(1, 1)))
    for name, words in (("m", "changes masses"), ("a", "moves a joint"), ("k", "acts through no force")):
        with pytest.raises(ww.ModelError, match=words):
            heavy.frequency_response(name, ["block.position.y"], [1.0])
    with pytest.raises(ww.ModelError, match="no single direction"):
        heavy.frequency_response("mount.error", ["block.position.y"], [1.0])
