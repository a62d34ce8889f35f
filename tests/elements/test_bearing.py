"""Elastic bearings against closed forms of rotor dynamics, against ROSS, and against statics."""

import re
import textwrap

import numpy as np
import pytest
from pages import blocks, page, ran
from ruamel.yaml import YAML

import wheelwork as ww
from wheelwork.analyses.kinks import OperatingPointWarning
from wheelwork.layout import layout_of
from wheelwork.show.report.sections.loads import largest_loads
from wheelwork.show.scene import make_scene
from wheelwork.show.scene.arrows import arrows

BOTH = pytest.mark.parametrize("formulation", ["absolute", "reduced"])
X, Z = (1, 0, 0), (0, 0, 1)
TIGHT = {"rtol": 1e-10, "atol": 1e-13}


def last(result, *names):
    return np.array([float(result[name].to_numpy()[-1]) for name in names])


# -- Jeffcott rotor

MASS, K, C, OFF = 8.0, 4e4, 80.0, 1e-4
CRITICAL = np.sqrt(2 * K / MASS)


def whirl(speed: float) -> float:
    """Way of the shaft's centre in steady whirl: e W^2/|w^2 - W^2 + i c W/m| (Jeffcott, 1919)."""
    return OFF * speed**2 / abs(CRITICAL**2 - speed**2 + 2j * C * speed / MASS)


def jeffcott(kind: str, speed: float) -> ww.Mechanism:
    """A disc whose centre of mass is `OFF` from the axis, midway between two bearings; in the plane these are one."""
    planar = kind == "planar"
    m = ww.Mechanism("rotor", kind=kind, gravity=(0, 0) if planar else (0, 0, 0))
    spring = {"radial_stiffness": K, "radial_damping": C}
    if planar:
        m.add("disc", ww.Body(mass=MASS, inertia=0.1, center_of_mass=(OFF, 0), angular_velocity=speed))
        double = {name: 2 * value for name, value in spring.items()}
        m.add("left", ww.Bearing(bodies=("ground", "disc"), point=(0, 0), **double))
        m.add("motor", ww.RotationDriver(bodies=("ground", "disc"), value=f"{speed}*t"))
        return m
    disc = ww.Body(
        mass=MASS, inertia=(0.1, 0.1, 0.2), center_of_mass=(OFF, 0, 0), angular_velocity=(0, 0, speed)
    )
    m.add("disc", disc)
    for name, z in (("left", -0.3), ("right", 0.3)):
        axial = {"axial_stiffness": 1e5} if name == "left" else {}
        m.add(name, ww.Bearing(bodies=("ground", "disc"), point=(0, 0, z), axis=Z, **spring, **axial))
    m.add("motor", ww.Torque(body="disc", value=(0, 0, f"500*({speed} - disc.w.z)")))
    return m


@pytest.mark.parametrize("kind", ["planar", "spatial"])
@pytest.mark.parametrize("times", [0.6, 1.0, 2.5])
def test_jeffcott_rotor_whirls_as_far_as_the_closed_form_says(kind, times):
    """After 2.5 s of damping (e^-25). The motor of the disc in space leaves its speed off by 1e-5."""
    speed = times * CRITICAL
    runs = [
        jeffcott(kind, speed).simulate(end=2.5, output=50, formulation=f) for f in ("absolute", "reduced")
    ]
    for r in runs:
        found = r["left.deflection.radial"].to_numpy()[-10:]
        assert found == pytest.approx(whirl(speed), rel=2e-4)
    assert last(runs[0], "left.speed") == pytest.approx(speed, rel=2e-5)


@pytest.mark.parametrize("damping", [0.0, C])
@pytest.mark.parametrize("speed", [50.0, 150.0])
def test_critical_speed_of_a_jeffcott_rotor(speed, damping):
    """An unbalanced rotor is steady in its own axes alone, from where w + W and |w - W| are seen, and whirls there as
    far as the closed form says. The world sees w, which is told, and conical whirl (I_p = 2 I_t) at root(W^2 +
    k_t/I_t) -+ W."""
    rotor = jeffcott("spatial", speed)
    for name in ("left", "right"):
        rotor.forces[name] = rotor.forces[name].model_copy(update={"radial_damping": (damping, damping)})
    found = rotor.modes(at="steady", frame="disc")
    assert found.frame == "disc"
    if damping:
        assert found.linear.at["left.deflection.radial"] == pytest.approx(whirl(speed), rel=1e-6)
    turning = 2 * np.pi * found.natural_frequencies
    conical = np.sqrt(speed**2 + 2 * K * 0.3**2 / 0.1)
    for exact in (abs(CRITICAL - speed), CRITICAL + speed, conical):
        assert np.min(np.abs(turning - exact)) < 1e-5 * exact
    assert rotor.linearise().frame == "disc"
    world = 2 * np.pi * rotor.modes().natural_frequencies
    exact = [CRITICAL, CRITICAL, np.sqrt(1e5 / MASS), conical - speed, conical + speed]
    assert np.sort(world)[1:] == pytest.approx(np.sort(exact), rel=1e-5)


# -- gyroscopic effect

ROSS = {
    200.0: [-7.990213 + 277.087494j, -10.742057 + 332.146054j, -144.527182 + 1143.09788j, -204.235209 + 1493.52458j],
    500.0: [-7.570669 + 255.691922j, -11.150913 + 348.665742j, -123.025874 + 998.038105j, -225.747205 + 1768.66977j],
}  # fmt: skip
"""Eigenvalues [1/s] from ROSS 2.3.0 (`run_modal`), whose shaft of 0.1 m in diameter was massless with E = 2e15 Pa. The
shaft that is left makes them differ from rigid ones by 4e-6 (with E = 2e13 Pa by 4e-4)."""


@pytest.mark.parametrize("speed", ROSS)
def test_overhung_rotor_on_unequal_bearings_has_the_eigenvalues_of_ross(speed):
    m = ww.Mechanism("overhung", gravity=(0, 0, 0), parameters={"speed": speed})
    body = {"mass": 20, "inertia": (0.3, 0.3, 0.5), "position": (0, 0, 0.5)}
    m.add("rotor", ww.Body(**body, angular_velocity=(0, 0, "speed")))
    for name, z, k in (("back", 0.0, 1), ("front", 0.4, 2)):
        numbers = {"radial_stiffness": (2e6 * k, 1.5e6 * k), "radial_damping": (400 * k, 300 * k)}
        axial = {"axial_stiffness": 1e9} if name == "back" else {}
        m.add(name, ww.Bearing(bodies=("ground", "rotor"), point=(0, 0, z), axis=Z, **numbers, **axial))
    found = sorted((mode.eigenvalues[0] for mode in m.modes()), key=abs)[1:5]  # the first turns
    assert np.array(found) == pytest.approx(np.array(ROSS[speed]), rel=2e-5)


@pytest.mark.parametrize("speed", [0.0, 300.0, -900.0])
def test_conical_whirl_forward_and_backward(speed):
    """I_t w^2 -+ I_p W w - k_t = 0 with k_t = 2 k a^2 + 2 k_tilt."""
    polar, across, arm, k, tilt = 0.5, 0.3, 0.2, 1e6, 2e4
    m = ww.Mechanism("symmetric", gravity=(0, 0, 0))
    m.add("rotor", ww.Body(mass=20, inertia=(across, across, polar), angular_velocity=(0, 0, speed)))
    for name, z in (("left", -arm), ("right", arm)):
        numbers = {"radial_stiffness": k, "tilt_stiffness": tilt, "axial_stiffness": 1e8}
        m.add(name, ww.Bearing(bodies=("ground", "rotor"), point=(0, 0, z), axis=Z, **numbers))
    half, stiff = polar * abs(speed) / (2 * across), (2 * k * arm**2 + 2 * tilt) / across
    backward, forward = (sign * half + np.sqrt(half**2 + stiff) for sign in (-1, 1))
    plunge = np.sqrt(2 * k / 20)
    modes = [(2 * np.pi * mode.natural_frequency, mode.whirl) for mode in m.modes()]
    axial = np.sqrt(2 * 1e8 / 20)
    assert [w for w, _ in modes] == pytest.approx(
        sorted([0, plunge, plunge, backward, forward, axial]), rel=1e-6
    )
    if speed:
        assert [round(way) for w, way in modes if min(abs(w - backward), abs(w - forward)) < 1e-3] == [-1, 1]


# -- statics


def overhung(speed: float = 0.0, **bearings) -> ww.Mechanism:
    """A gear outside of two bearings: 2 kN across, 0.5 kN along the shaft, weight 0."""
    m = ww.Mechanism("overhung gear", gravity=(0, 0, 0))
    m.add(
        "shaft",
        ww.Body(mass=5, inertia=(0.01, 0.05, 0.05), position=(0.1, 0, 0), angular_velocity=(speed, 0, 0)),
    )
    for name, x in (("A", 0.0), ("B", 0.2)):
        m.add(name, bearings[name](bodies=("ground", "shaft"), point=(x, 0, 0)))
    m.add("teeth", ww.Force(body="shaft", value=(500, 0, 2000), point_in_body=(0.2, 0, 0)))
    return m


def locating(**at):
    return ww.Bearing(
        axis=X, radial_stiffness=2e8, radial_damping=4e4, axial_stiffness=1e8, axial_damping=2e4, **at
    )


def floating(**at):
    return ww.Bearing(axis=X, radial_stiffness=1e8, radial_damping=2e4, **at)


@BOTH
@pytest.mark.parametrize("speed", [0.0, 700.0])
def test_shares_of_a_shaft_with_an_overhung_gear_at_any_speed(formulation, speed):
    """Levers: the gear is 0.1 m outside of B, 0.2 m from A: A pulls with half of the load, B carries 3/2 of it. The
    deflections tilt the shaft: (3000/1e8 + 1000/2e8)/0.2 rad. As the shaft tilts, so does the line of the axial load,
    which changes the shares by 500 N times that angle and a half: 2e-4 of them."""
    r = overhung(speed, A=locating, B=floating).simulate(end=0.1, output=4, formulation=formulation)
    assert last(r, "A.force.radial", "B.force.radial") == pytest.approx([1000, 3000], rel=2e-4)
    assert last(r, "A.force.z", "B.force.z", "A.force.axial") == pytest.approx([1000, -3000, -500], rel=2e-4)
    assert last(r, "A.deflection.z", "B.force.axial") == pytest.approx([5e-6, 0], abs=1e-9)
    tilt = np.hypot(*last(r, "B.tilt.x", "B.tilt.y"))
    assert tilt == pytest.approx((3000 / 1e8 + 1000 / 2e8) / 0.2, rel=2e-4)
    assert last(r, "A.speed") == pytest.approx(speed, abs=1e-9)


def test_rigid_bearings_that_statics_determines_carry_the_same():
    rigid = overhung(A=lambda **at: ww.Spherical(**at), B=lambda **at: ww.PointOnLine(axis=X, **at))
    r = rigid.simulate(end=0.01, output=2)
    assert r["A.reaction.force"].to_numpy()[-1] == pytest.approx([-500, 0, 1000], abs=1e-6)
    assert r["B.reaction.force"].to_numpy()[-1] == pytest.approx([0, 0, -3000], abs=1e-6)
    assert not r.redundant
    assert not rigid.check().shared_shafts


def test_two_hinges_on_one_shaft_are_said_to_share_its_load_in_an_unknown_way():
    m = overhung(A=lambda **at: ww.Revolute(axis=X, **at), B=lambda **at: ww.Revolute(axis=X, **at))
    (text,) = m.check().shared_shafts
    assert text.startswith("`A` and `B` hold `shaft` in the same directions")
    assert "`spherical`" in text
    assert "`type: bearing`" in text
    assert "minimum_norm" in m.simulate(end=0.01, output=1)["A.reaction.force"].attrs


# -- turning housings


@BOTH
def test_a_housing_that_turns_does_not_matter(formulation):
    """Shaft and housing turn about the same axis at 80 and -50 rad/s: 300 N on 1e6 N/m moves the shaft by 0.3 mm, in
    the direction of the load, over 20 turns."""
    m = ww.Mechanism("hub", gravity=(0, 0, 0))
    m.add("housing", ww.Rotor(inertia=1, axis=Z, speed=-50))
    start = (3e-4, 0, 0)  # where it rests: nothing damps this
    m.add("shaft", ww.Body(mass=2, inertia=(0.01, 0.01, 0.02), position=start, angular_velocity=(0, 0, 80)))
    place = {"frame_a": {"position": (0, 0, 0)}, "frame_b": {"position": (0, 0, 0)}}
    stiff = {"radial_stiffness": 1e6, "axial_stiffness": 1e6, "tilt_stiffness": 100}
    m.add("bearing", ww.Bearing(bodies=("housing", "shaft"), **place, **stiff))
    m.add("load", ww.Force(body="shaft", value=(300, 0, 0)))
    r = m.simulate(end=2.5, output=100, formulation=formulation)
    assert r["shaft.position"].to_numpy() == pytest.approx(np.tile(start, (101, 1)), abs=1e-9)
    assert r["bearing.force.radial"].to_numpy() == pytest.approx(300, abs=1e-3)
    assert r["bearing.speed"].to_numpy() == pytest.approx(130, abs=1e-6)


def test_dampers_stand_still_in_the_housing():
    """On a housing that turns at W, a shaft that is held still off its axis by d feels c W d across d."""
    m = ww.Mechanism("damped", gravity=(0, 0, 0))
    m.add("housing", ww.Rotor(inertia=1, axis=Z, speed=10))
    m.add("shaft", ww.Body(mass=2, inertia=(1, 1, 1), position=(0.001, 0, 0)))
    place = {"frame_a": {"position": (0, 0, 0)}, "frame_b": {"position": (0, 0, 0)}}
    m.add(
        "bearing", ww.Bearing(bodies=("housing", "shaft"), radial_stiffness=1e3, radial_damping=50, **place)
    )
    r = m.simulate(end=1e-6, output=1)
    assert [float(r[f"bearing.force.{x}"][0]) for x in "xy"] == pytest.approx([-1, 0.5])


# -- clearance


@BOTH
@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_a_shaft_that_rattles_in_its_clearance(formulation, kind):
    """Through the clearance G at the speed v without force, then half a period of the spring: period
    2 (G/v + pi sqrt(m/k)); the largest force v sqrt(k m). Where it touches is located: the error after three periods
    would be 1e-5 with the steps of the tolerance alone."""
    mass, k, G, v = 2.0, 5e4, 4e-3, 0.3
    period = 2 * (G / v + np.pi * np.sqrt(mass / k))
    planar = kind == "planar"
    m = ww.Mechanism("rattle", kind=kind, gravity=(0, 0) if planar else (0, 0, 0))
    size = 2 if planar else 3
    velocity = (0.6 * v, 0.8 * v, 0.0)[:size]
    m.add("shaft", ww.Body(mass=mass, inertia=1 if planar else (1, 1, 1), velocity=velocity))
    axis = {} if planar else {"axis": Z}
    bearing = ww.Bearing(
        bodies=("ground", "shaft"), point=(0,) * size, radial_stiffness=k, clearance=G, **axis
    )
    m.add("bearing", bearing)
    r = m.simulate(end=3 * period, output=3000, formulation=formulation, **TIGHT)
    assert r["shaft.position"].to_numpy()[-1] == pytest.approx(np.zeros(size), abs=1e-9)
    assert r["shaft.velocity"].to_numpy()[-1] == pytest.approx(velocity, abs=1e-8)
    deflection, touches = r["bearing.deflection.radial"].to_numpy(), r["bearing.contact.radial"].to_numpy()
    force = np.hypot(*(r[f"bearing.force.{x}"].to_numpy() for x in "xy"))
    assert force.max() == pytest.approx(v * np.sqrt(k * mass), rel=1e-5)
    assert np.array_equal(touches, deflection > G / 2)
    assert not force[deflection < G / 2].any()
    assert force == pytest.approx(np.maximum(k * (deflection - G / 2), 0), abs=1e-6)
    assert np.ptp(r["energy.total"].to_numpy()) < 1e-9


@BOTH
def test_a_shaft_rests_on_the_edge_of_its_clearance(formulation):
    """Its weight presses it beyond the clearance by m g/k, at whatever speed; damping never pulls."""
    m = ww.Mechanism("rest", gravity=(0, -9.81, 0))
    m.add("shaft", ww.Body(mass=2, inertia=(1, 1, 1), angular_velocity=(0, 0, 300)))
    numbers = {"radial_stiffness": 1e6, "radial_damping": 2e3, "clearance": 1e-4}
    m.add("bearing", ww.Bearing(bodies=("ground", "shaft"), point=(0, 0, 0), axis=Z, **numbers))
    r = m.simulate(end=0.5, output=500, formulation=formulation)
    assert last(r, "bearing.deflection.y", "bearing.force.radial") == pytest.approx(
        [-0.5e-4 - 2 * 9.81 / 1e6, 2 * 9.81], rel=1e-6
    )
    assert r["bearing.force.y"].to_numpy().min() >= 0
    with pytest.warns(OperatingPointWarning, match="free in the clearance of `bearing`"):
        m.modes()


# -- preload


def pair(force: float, preload: float = 400.0, k: float = 1e7) -> ww.Mechanism:
    """Two angular contact bearings face to face, each preloaded, and a force along the shaft."""
    m = ww.Mechanism("pair", gravity=(0, 0, 0))
    m.add("shaft", ww.Body(mass=2, inertia=(0.01, 0.01, 0.01)))
    side = {"radial_stiffness": 1e7, "axial_stiffness": k, "preload": preload, "one_sided": True}
    side |= {"radial_damping": 1e3, "axial_damping": 4e3}
    for name, x, way in (("left", -0.1, X), ("right", 0.1, (-1, 0, 0))):
        m.add(name, ww.Bearing(bodies=("ground", "shaft"), point=(x, 0, 0), axis=way, **side))
    m.add("load", ww.Force(body="shaft", value=(force, 0, 0)))
    return m


@BOTH
@pytest.mark.parametrize("force", [0.0, 300.0, -300.0, 790.0, 810.0, 2000.0])
def test_a_preloaded_pair_is_twice_as_stiff_until_one_side_is_free(formulation, force):
    """x = F/(2 k) up to F = 2 F_0, where the bearing that the load relieves lets go; beyond it (F - F_0)/k."""
    k, preload = 1e7, 400.0
    way = force / (2 * k) if abs(force) < 2 * preload else (force - preload) / k
    r = pair(force).simulate(end=0.1, output=4, formulation=formulation)
    found = last(r, "left.deflection.z", "left.force.axial", "right.force.axial")
    on = preload - k * way, max(preload + k * way, 0.0)
    assert found == pytest.approx([way, max(on[0], 0.0), on[1]], abs=1e-5 * preload)
    assert found[0] == pytest.approx(way, abs=1e-12)
    assert float(pair(force).equilibrium()["left.deflection.z"]) == pytest.approx(way, abs=1e-10)
    assert last(r, "left.contact.axial") == (1.0 if on[0] > 0 else 0.0)


@BOTH
@pytest.mark.parametrize("force", [0.0, 250.0, -250.0])
def test_a_pair_preloaded_by_a_spring_behind_the_outer_ring(formulation, force):
    """The ring of the right bearing slides in the housing, pushed by a spring of F_0 and k_s. Along the shaft the right
    bearing and the spring are in series: x = F/(k + k k_s/(k + k_s)); the spring still gives F_0 to 5 %."""
    k, soft, preload = 1e7, 5e5, 400.0
    m = ww.Mechanism("spring preload", gravity=(0, 0, 0))
    m.add("shaft", ww.Body(mass=2, inertia=(0.01, 0.01, 0.01)))
    m.add("ring", ww.Body(mass=0.2, inertia=(1e-4, 1e-4, 1e-4), position=(0.1, 0, 0)))
    m.add("bore", ww.Prismatic(bodies=("ground", "ring"), point=(0.1, 0, 0), axis=X))
    ends = {"point_a": (0.2, 0, 0), "point_b": (0.1, 0, 0)}
    m.add(
        "washer", ww.Spring(bodies=("ground", "ring"), **ends, stiffness=soft, preload=-preload, damping=300)
    )
    side = {"radial_stiffness": 1e7, "axial_stiffness": k, "preload": preload, "one_sided": True}
    side |= {"radial_damping": 1e3, "axial_damping": 4e3}
    m.add("left", ww.Bearing(bodies=("ground", "shaft"), point=(-0.1, 0, 0), axis=X, **side))
    m.add("right", ww.Bearing(bodies=("ring", "shaft"), point=(0.1, 0, 0), axis=(-1, 0, 0), **side))
    m.add("load", ww.Force(body="shaft", value=(force, 0, 0)))
    r = m.simulate(end=0.2, output=4, formulation=formulation)
    way = force / (k + k * soft / (k + soft))
    found = last(r, "left.deflection.z", "left.force.axial", "right.force.axial")
    assert found[0] == pytest.approx(way, abs=1e-10)
    assert found[1:] == pytest.approx([preload - k * way, preload - k * way + force], abs=1e-3)
    assert found[2] == pytest.approx(preload, rel=0.05)


@BOTH
def test_axial_clearance(formulation):
    """Between its ends the shaft keeps its speed; it comes back from an end after half a period of the spring."""
    mass, k, G, v = 2.0, 5e4, 4e-3, 0.3
    period = 2 * (G / v + np.pi * np.sqrt(mass / k))
    m = ww.Mechanism("float", gravity=(0, 0, 0))
    m.add("shaft", ww.Body(mass=mass, inertia=(1, 1, 1), velocity=(0, 0, v)))
    numbers = {"radial_stiffness": 1e6, "axial_stiffness": k, "axial_clearance": G}
    m.add("bearing", ww.Bearing(bodies=("ground", "shaft"), point=(0, 0, 0), axis=Z, **numbers))
    r = m.simulate(end=period, output=1000, formulation=formulation, **TIGHT)
    assert last(r, "shaft.position.z", "shaft.velocity.z") == pytest.approx([0, v], abs=1e-8)
    assert set(r["bearing.contact.axial"].to_numpy()) == {-1.0, 0.0, 1.0}
    assert np.ptp(r["energy.total"].to_numpy()) < 1e-9


# -- matrices


def matrix(k: float, cross: float, z: float = 1e6, tilt: float = 1e4) -> list[list[float]]:
    out = np.diag([k, k, z, tilt, tilt])
    out[0, 1], out[1, 0] = cross, -cross
    return out.tolist()


@pytest.mark.parametrize("share", [0.9, 1.1])
def test_cross_coupling_of_an_oil_film_makes_a_rotor_unstable(share):
    """K = [[k, q], [-q, k]] and a damper c: whirl grows where q > c sqrt(k/m) (Jeffcott rotor, e.g. Kramer, Dynamics of
    Rotors and Foundations). With z = x + i y: m z'' + c z' + (k - i q) z = 0."""
    mass, k, c = 8.0, 4e4, 80.0
    q = share * c * np.sqrt(k / mass)
    m = ww.Mechanism("oil film", gravity=(0, 0, 0))
    m.add("rotor", ww.Body(mass=mass, inertia=(0.1, 0.1, 0.2), velocity=(0, 0.01, 0)))
    numbers = {"stiffness_matrix": matrix(k, q), "damping_matrix": matrix(c, 0.0, 0.0, 0.0)}
    m.add("bearing", ww.Bearing(bodies=("ground", "rotor"), point=(0, 0, 0), axis=Z, **numbers))
    roots = np.roots([mass, c, k - 1j * q])
    found = [x for mode in m.modes() for x in mode.eigenvalues]
    for root in roots:
        assert min(abs(x - root) for x in found) < 1e-5 * abs(root)
    assert (max(roots.real) > 0) == (share > 1)
    t = 1.5
    z = 0.01j * (np.exp(roots[0] * t) - np.exp(roots[1] * t)) / (roots[0] - roots[1])
    for formulation in ("absolute", "reduced"):
        r = m.simulate(end=t, output=300, formulation=formulation, **TIGHT)
        assert r["rotor.position"].to_numpy()[-1, :2] == pytest.approx([z.real, z.imag], abs=1e-9)
        balance = r.energy_balance()
        assert abs(balance.remainder).max() < 1e-5 * balance.scale


@BOTH
def test_a_matrix_holds_what_single_numbers_hold(formulation):
    """And couples: a radial load on a matrix with k_x,tilt_y tilts the shaft; energy lasts through large motions."""
    single = {"radial_stiffness": (40, 50), "axial_stiffness": 60, "tilt_stiffness": (5, 6), "preload": 7}
    whole = {"stiffness_matrix": np.diag([40, 50, 60, 5, 6]).tolist(), "preload": 7}
    ends = []
    for numbers in (single, whole):
        m = ww.Mechanism("mount", gravity=(0, 0, 0))
        m.add("body", ww.Body(mass=1, inertia=(0.3, 0.5, 0.7), angular_velocity=(4, 1, 12)))
        m.add("bearing", ww.Bearing(bodies=("ground", "body"), point=(0, 0, 0.1), axis=Z, **numbers))
        r = m.simulate(end=2, output=50, formulation=formulation, **TIGHT)
        energy = r["energy.total"].to_numpy()
        assert np.ptp(energy) < 1e-7 * energy[0]
        ends.append(r["body.position"].to_numpy()[-1])
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_coupled_stiffness_is_the_inverse_of_its_flexibility():
    """Deflections under a load are K^-1 f, for a symmetric matrix of the kind of an angular contact bearing."""
    K = np.diag([2e8, 2e8, 5e7, 4e4, 4e4])
    K[0, 4] = K[4, 0] = 1.5e6
    K[1, 3] = K[3, 1] = -1.5e6
    force, arm = np.array([100.0, -50.0, 30.0]), 0.01
    m = ww.Mechanism("coupled", gravity=(0, 0, 0))
    m.add("body", ww.Body(mass=1, inertia=(1e-3, 1e-3, 1e-3)))
    m.add(
        "bearing", ww.Bearing(bodies=("ground", "body"), point=(0, 0, 0), axis=Z, stiffness_matrix=K.tolist())
    )
    m.add("force", ww.Force(body="body", value=tuple(force), point_in_body=(0, 0, arm)))
    at = m.equilibrium()
    names = ("deflection.x", "deflection.y", "deflection.z", "tilt.x", "tilt.y")
    load = [*force, -arm * force[1], arm * force[0]]
    assert [float(at[f"bearing.{name}"]) for name in names] == pytest.approx(
        np.linalg.solve(K, load), rel=1e-4
    )
    assert float(at["bearing.moment"]) == pytest.approx(arm * np.hypot(*force[:2]), rel=1e-4)


# -- gears, pictures, report


def gears() -> ww.Mechanism:
    m = ww.Mechanism("gears on bearings", gravity=(0, 0, 0))
    for name, y in (("pinion", 0.0), ("wheel", 0.15)):
        m.add(name, ww.Body(mass=10, inertia=(0.02, 0.1, 0.1), position=(0.15, y, 0)))
        for side, x in (("left", 0.0), ("right", 0.3)):
            m.add(f"{name}-{side}", locating(bodies=("ground", name), point=(x, y, 0)))
    teeth = {"type": "compliant", "stiffness": 1e8, "damping_ratio": 0.05}
    m.add("mesh", ww.ExternalMesh(bodies=("pinion", "wheel"), teeth=(20, 40), module=0.005, model=teeth))
    m.add("drive", ww.Torque(body="pinion", value=(100, 0, 0)))
    m.add("load", ww.Torque(body="wheel", value=(200, 0, 0)))
    return m


def test_wheels_turn_about_the_axes_of_their_bearings():
    """No joint, and no axes given to the mesh. 100 N m on 0.05 m: 2000 N, and 2000/cos(20 deg) on two bearings; the
    widened distance of the axes changes the pressure angle by 1e-4."""
    m = gears()
    train = layout_of(m).gear_train
    (gear,) = train.gears.values()
    assert gear.axes is not None
    assert np.abs(gear.axes[0].direction) == pytest.approx(X)
    r = m.simulate(end=0.05, output=4)
    assert abs(last(r, "mesh.force.tangential")) == pytest.approx(2000, rel=1e-6)
    loads = last(
        r, *(f"{name}-{side}.force.radial" for name in ("pinion", "wheel") for side in ("left", "right"))
    )
    assert loads == pytest.approx(1000 / np.cos(np.radians(20)), rel=2e-4)


def test_bearings_are_drawn_have_arrows_and_are_among_the_largest_loads():
    r = overhung(A=locating, B=floating).simulate(end=0.1, output=4)
    scene = make_scene(r.motion)
    assert [(part.name, part.body) for part in scene.parts if part.symbol] == [
        ("A", -1),
        ("A", 0),
        ("B", -1),
        ("B", 0),
    ]
    assert [(label.name, label.type) for label in scene.labels] == [("A", "bearing"), ("B", "bearing")]
    found = arrows(r)
    assert found.names == ["A", "B"]
    assert found.vectors[-1] == pytest.approx(np.array([[-500, 0, 1000], [0, 0, -3000]]), rel=2e-4, abs=1e-2)
    assert found.points[-1] == pytest.approx(np.array([[0, 0, 0], [0.2, 0, 0]]), abs=1e-4)
    page = largest_loads(r)
    assert "joint or bearing" in page
    assert page.index("<td>B") < page.index("<td>A")


# -- what cannot be

WRONG = {
    "no stiffness": ({}, "has no stiffness"),
    "negative": ({"radial_stiffness": (1, -1)}, "must not be negative, but is -1"),
    "three numbers": ({"radial_stiffness": (1, 1, 1)}, "needs one number, or two, but has 3"),
    "a mass": ({"radial_stiffness": "3 kg"}, "needs a stiffness .*, but `3 kg` is a mass"),
    "twice": (
        {"radial_stiffness": 1, "stiffness_matrix": matrix(1, 0)},
        "is in the `stiffness_matrix` already",
    ),
    "matrix with clearance": (
        {"stiffness_matrix": matrix(1, 0), "clearance": 1e-5},
        "is not available with a matrix",
    ),
    "energy from damping": (
        {"radial_stiffness": 1, "damping_matrix": np.diag([1.0, -1, 0, 0, 0]).tolist()},
        "negative eigenvalue -1",
    ),
    "unequal with clearance": (
        {"radial_stiffness": (1, 2), "clearance": 1e-5},
        "must be the same along x and y in a bearing with `clearance`, but is 1 and 2",
    ),
    "clearance without stiffness": (
        {"axial_stiffness": 1, "clearance": 1e-5},
        "is missing beside `clearance`",
    ),
    "preload and clearance": (
        {"axial_stiffness": 1, "axial_clearance": 1e-5, "preload": 1},
        "closes the `axial_clearance`",
    ),
    "pulls": (
        {"axial_stiffness": 1, "one_sided": True, "preload": -5},
        "must not be negative where .* but is -5 N",
    ),
    "matrix of nothing": ({"stiffness_matrix": np.zeros((5, 5)).tolist()}, "has no stiffness"),
    "mass in a matrix": (
        {"stiffness_matrix": [["5 kg", 0, 0, 0, 0], *matrix(1, 0)[1:]]},
        r"stiffness_matrix\[0\]\[0\]: needs a stiffness .*, but `5 kg` is a mass",
    ),
    "stiffness against tilt in N/m": (
        {"stiffness_matrix": [*matrix(1, 0)[:4], [0, 0, 0, 0, "3 N/m"]]},
        r"stiffness_matrix\[4\]\[4\]: needs a torsional stiffness",
    ),
    "damping in a corner": (
        {"stiffness_matrix": matrix(1, 0), "damping_matrix": [[1, 0, 0, 0, "2 N*s/m"], *matrix(1, 0)[1:]]},
        r"damping_matrix\[0\]\[4\]: needs a damping between force and tilt",
    ),
    "small matrix": ({"stiffness_matrix": [[1, 2], [3, 4]]}, "stiffness_matrix"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_bearing_cannot_be_is_said(name):
    fields, text = WRONG[name]
    with pytest.raises(ww.ModelError, match=text):
        ww.Bearing(bodies=("ground", "shaft"), point=(0, 0, 0), axis=Z, **fields)


def test_a_matrix_takes_units():
    """Of forces and moments over deflections and tilts; per radian or not where one crosses the other."""
    K = [["200 N/um", 0, 0, 0, "1.5 kN/rad"], *matrix(2e8, 0)[1:4], ["1500 N", 0, 0, 0, "4 kN*m/rad"]]
    C = [["2 kN*s/m", 0, 0, 0, "3 N*s/rad"], *matrix(2e3, 0)[1:4], ["3 N*s", 0, 0, 0, "4 N*m*s"]]
    one = ww.Bearing(
        bodies=("ground", "shaft"), point=(0, 0, 0), axis=Z, stiffness_matrix=K, damping_matrix=C
    )
    found = [np.array(m)[[0, 0, 4, 4], [0, 4, 0, 4]] for m in (one.stiffness_matrix, one.damping_matrix)]
    assert np.array(found) == pytest.approx(np.array([[2e8, 1500, 1500, 4000], [2000, 3, 3, 4]]))


@BOTH
def test_the_radial_load_is_a_signal_in_the_plane_too(formulation):
    m = ww.Mechanism("plane", kind="planar", gravity=(3, -4))
    m.add("disc", ww.Body(mass=2, inertia=1, angular_velocity=100))
    place = {"bodies": ("ground", "disc"), "point": (0, 0)}
    m.add("bearing", ww.Bearing(**place, radial_stiffness=1e6, radial_damping=2e3))
    r = m.simulate(end=0.2, output=10, formulation=formulation)
    assert last(r, "bearing.force.radial") == pytest.approx(10, rel=1e-9)


def test_in_the_plane_bearings_are_radial():
    m = ww.Mechanism("plane", kind="planar")
    m.add("disc", ww.Body(mass=1, inertia=1))
    m.add(
        "bearing", ww.Bearing(bodies=("ground", "disc"), point=(0, 0), radial_stiffness=1, axial_stiffness=2)
    )
    with pytest.raises(ww.ModelError, match="axial_stiffness: has no meaning in a planar mechanism"):
        m.check()
    space = ww.Mechanism("space")
    space.add("disc", ww.Body(mass=1, inertia=(1, 1, 1)))
    space.add("bearing", ww.Bearing(bodies=("ground", "disc"), point=(0, 0, 0), radial_stiffness=1))
    with pytest.raises(ww.ModelError, match="`axis` is missing"):
        space.check()


def test_the_page_of_the_guide():
    loads, text = ran("guide/bearings")["loads"], page("guide/bearings")
    assert loads["statics"] == pytest.approx([1000, -3000], rel=1e-6)
    assert loads["elastic"] == pytest.approx([1000, -3000], rel=1e-4)
    assert sum(loads["hinges"]) == pytest.approx(-2000, rel=1e-6)
    assert abs(loads["hinges"][0] - 1000) > 100
    given = re.findall(r"^forces:\n(  left:\n.*?)^```", text, re.DOTALL | re.MULTILINE)[0]
    one = YAML(typ="safe").load(textwrap.dedent(given))["left"]
    assert ww.Bearing(**one).axial_stiffness == 1e8
    for given in (block for block in blocks(text, "yaml") if block.startswith(("film:", "left:"))):
        for name, fields in YAML(typ="safe").load(given).items():
            assert ww.Bearing(**fields).type == "bearing", name
