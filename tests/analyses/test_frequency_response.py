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


def geared_pair(start):
    """Two rotors on teeth of 3e8 N/m; and their transmission error over that of the teeth, in closed form."""
    m = ww.Mechanism("pair", gravity=(0, 0, 0), start=start)
    m.add("a", ww.Rotor(inertia=1e-3))
    m.add("b", ww.Rotor(inertia=4e-3, position=(0.09, 0, 0)))
    teeth = ww.CompliantTeeth(stiffness=3e8, damping_ratio=0.05, law="linear", flank="front")
    m.add("g", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module="3 mm", model=teeth))
    m.add("drive", ww.Torque(body="a", value=(0, 0, 30)))
    m.add("load", ww.Torque(body="b", value=(0, 0, 60)))
    cos = np.cos(np.radians(20))
    mass = 1 / ((0.03 * cos) ** 2 / 1e-3 + (0.06 * cos) ** 2 / 4e-3)
    return m, mass, 2 * 0.05 * np.sqrt(3e8 * mass)


def test_forces_of_loaded_teeth_with_an_error():
    """F = -m s^2 x: k came from a tangent that holds what the load does, too, 1e-5 off, which at 10 Hz was a force of
    6041 for 2484."""
    m, mass, c = geared_pair("loaded")
    f = np.array([10.0, 1000, 3400, 5000])
    s = 2j * np.pi * f
    x = (3e8 + c * s) / (mass * s**2 + c * s + 3e8)
    names = ["g.transmission_error", "g.force.transverse", "g.force.normal"]
    found = m.frequency_response("g.error", names, f).values
    np.testing.assert_allclose(found[:, 0], x, rtol=1e-8)
    for k in (1, 2):
        np.testing.assert_allclose(
            np.abs(found[:, k]), np.abs(mass * s**2 * x), rtol=1e-3 if f[0] < 50 else 1e-6
        )


def test_the_size_of_a_force_that_is_zero_has_no_response():
    """|F| between flanks that carry nothing: a difference to both sides gave 469 + 47264i where F has 2484."""
    m, mass, c = geared_pair("rolling")
    m.forces.clear()
    with pytest.raises(ww.ModelError, match=r"`g\.force\.normal` has a kink"):
        m.frequency_response("g.error", ["g.force.transverse", "g.force.normal"], [10.0])
    names = ["a.w", "g.deflection", "g.force.transverse", "energy.kinetic"]
    assert np.all(np.isfinite(m.frequency_response("g.error", names, [10.0]).values))
    s = 2j * np.pi * 1000
    force = m.frequency_response("g.error", ["g.force.transverse"], [1000.0]).values[0, 0]
    assert abs(force) == pytest.approx(
        abs(mass * s**2 * (3e8 + c * s) / (mass * s**2 + c * s + 3e8)), rel=1e-5
    )


def test_an_error_of_a_preloaded_spring_is_its_free_length():
    """On a lever, where its load stiffens: without damping both are the same input."""
    m = ww.Mechanism("lever", parameters={"free": 0.05}, gravity=(0, 0, 0))
    m.add("lever", ww.Body(mass=1, inertia=(0.01, 0.01, 0.02), position=(0.1, 0, 0)))
    m.add("pin", ww.Revolute(bodies=("ground", "lever"), point=(0, 0, 0), axis=(0, 0, 1)))
    for name, y, free in (("s", -0.12, "free"), ("other", 0.15, 0.05)):
        points = {"point_a": (0.2, y, 0), "point_b": (0.2, 0.03 if y < 0 else 0.0, 0)}
        m.add(name, ww.Spring(bodies=("ground", "lever"), **points, stiffness=1000, free_length=free))
    by_error, by_length = (
        m.frequency_response(name, ["pin.angle", "s.force", "s.length"], [1.0, 8.0], at="equilibrium").values
        for name in ("s.error", "free")
    )
    np.testing.assert_allclose(by_error, by_length, rtol=1e-6)
