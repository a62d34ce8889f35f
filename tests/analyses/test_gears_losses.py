"""Losses of meshes: efficiency both ways, self-locking, sticking and breaking loose.

The wheels run at constant speed, so that what the motor gives is what the load takes and what is lost. Wheels that are
out of balance change nothing in that: at constant speed they need no torque about their axes.
"""

from typing import Any

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.engine.engine import EventKind

from .gear_pairs import ALPHA, PAIRS, Pair, crossed, external, in_housing, worm

SPEED = 20.0
ROLLING = [name for name in PAIRS if not name.startswith(("worm", "crossed")) or "belt" in name]


def power_ratio(pair: Pair, load: float) -> float:
    """Power of the motor on a over the power that a load on b takes."""
    m = in_housing(pair, fixed=True, gravity=(0, 0, 0)).mechanism
    m.add("motor", ww.JointDriver(joint="bearing-a", value=f"{SPEED}*t"))
    m.add("load", ww.Actuator(joint="bearing-b", value=load))
    r = m.simulate(end=0.05, output=4)
    assert r.outcome.good, r.report
    assert not r.events
    torque = r["motor.torque"].to_numpy()
    assert torque == pytest.approx(torque[0], rel=1e-9)
    return float(torque[-1] * SPEED / (-load * pair.speeds[1] * SPEED))


def both_ways(pair: Any) -> tuple[float, float]:
    """Efficiency with a driving, and with b driving."""
    loads = (8.0, -8.0) if pair().speeds[1] < 0 else (-8.0, 8.0)
    return 1 / power_ratio(pair(), loads[0]), power_ratio(pair(), loads[1])


@pytest.mark.slow
@pytest.mark.parametrize("name", ROLLING)
def test_efficiency_is_the_same_both_ways(name):
    assert both_ways(lambda: PAIRS[name](efficiency=0.87)) == pytest.approx((0.87, 0.87), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("degrees", [6, 12, 30])
def test_worm_with_friction(degrees):
    """eta = tan(gamma)/tan(gamma + rho') and tan(gamma - rho')/tan(gamma), with tan(rho') = mu/cos(alpha_n)."""
    gamma, mu = np.radians(degrees), 0.06
    rho = np.arctan(mu / np.cos(ALPHA))
    exact = np.tan(gamma) / np.tan(gamma + rho), np.tan(gamma - rho) / np.tan(gamma)
    assert both_ways(lambda: worm(gamma, friction=mu)) == pytest.approx(exact, rel=1e-9)


HANDS = [(50, 25), (60, -15), (-60, -15), (-60, 15), (15, -60)]


@pytest.mark.parametrize("angles", HANDS)
def test_crossed_wheels_with_friction(angles):
    """Forces at b and a are as cos(beta_b + rho') to cos(beta_a - rho'), speeds as cos(beta_a) to cos(beta_b), for
    hands with which the teeth of a slide towards +tau; the other way round with -rho'."""
    beta_a, beta_b = np.radians(angles)
    rho = np.arctan(0.06 / np.cos(ALPHA)) * np.sign(np.tan(beta_a) + np.tan(beta_b))
    forward, backward = (
        np.cos(beta_b + r) * np.cos(beta_a) / (np.cos(beta_a - r) * np.cos(beta_b)) for r in (rho, -rho)
    )
    found = both_ways(lambda: crossed(beta_a, beta_b, friction=0.06))
    assert found == pytest.approx((forward, 1 / backward), rel=1e-9)


@pytest.mark.parametrize("pair", [worm, *(lambda h=h, **k: crossed(*np.radians(h), **k) for h in HANDS)])
def test_efficiency_of_sliding_teeth_is_that_with_a_driving(pair):
    assert both_ways(lambda: pair(efficiency=0.8))[0] == pytest.approx(0.8, rel=1e-9)


def test_an_efficiency_that_no_friction_makes():
    """tan(45)/tan(50) = 0.839: with opposite hands the teeth hardly slide."""
    pair = crossed(np.radians(50), np.radians(-45), efficiency=0.8)
    with pytest.raises(ww.ModelError, match=r"more than 0\.8391, whatever the friction, but 0\.8 is given"):
        in_housing(pair, fixed=True).mechanism.assemble()


@pytest.mark.slow
def test_friction_between_spur_teeth():
    """eta = 1 - mu H_v with Ohlendorf's H_v, the parts of the path of contact written out for this pair."""
    z_a, z_b, mu = 21, 34, 0.08
    # in modules: tip circles z/2 + 1, base circles z/2 cos(alpha)
    after, before = (
        (np.sqrt((z / 2 + 1) ** 2 - (z / 2 * np.cos(ALPHA)) ** 2) - z / 2 * np.sin(ALPHA))
        / (np.pi * np.cos(ALPHA))
        for z in (z_a, z_b)
    )
    H = np.pi * (1 / z_a + 1 / z_b) * (1 - after - before + after**2 + before**2)
    eta = 1 - mu * H
    assert 0.97 < eta < 0.995
    assert both_ways(lambda: external(friction=mu)) == pytest.approx((eta, eta), rel=1e-9)


# -- self-locking: a worm with a load on its wheel

RADIUS, LOAD = 0.05, 400.0


def lift(
    gamma: float, mu: float, motor: str = "0", drag: float = 0.0
) -> tuple[ww.Mechanism, dict[str, float]]:
    """A worm whose wheel carries a drum of 50 mm with a force of 400 N on it; what moves has inertia J at the worm."""
    threads, z, m_x = 1, 40, 4e-3
    r_1, r_2 = threads * m_x / 2 / np.tan(gamma), z * m_x / 2
    m = ww.Mechanism("lift", gravity=(0, 0, 0))
    m.add("worm", ww.Body(mass=1.0, inertia=(2e-3, 1e-3, 1e-3)))
    m.add("wheel", ww.Body(mass=3.0, inertia=(0.01, 0.02, 0.01), position=(0, 0, r_1 + r_2)))
    m.add("worm-bearing", ww.Revolute(bodies=("ground", "worm"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add("wheel-bearing", ww.Revolute(bodies=("ground", "wheel"), point=(0, 0, r_1 + r_2), axis=(0, 1, 0)))
    m.add("mesh", ww.WormMesh(bodies=("worm", "wheel"), teeth=(threads, z), module=m_x, friction=mu))
    m.add("motor", ww.Actuator(joint="worm-bearing", value=motor))
    # the worm that turns about +x turns the wheel about +y; the load is against that
    m.add("load", ww.Actuator(joint="wheel-bearing", value=-LOAD * RADIUS))
    if drag:
        m.add("drag", ww.Friction(joint="worm-bearing", coulomb=drag))
    rho = np.arctan(mu / np.cos(ALPHA))
    torque = LOAD * RADIUS / z  # at the worm, without losses
    return m, {
        "rho": rho,
        "up": torque * np.tan(gamma + rho) / np.tan(gamma),
        "down": torque * np.tan(gamma - rho) / np.tan(gamma),
        "torque": torque,
        "ratio": z,
    }


STEEP, FLAT = np.radians(20), np.radians(4)


def test_a_self_locking_worm_holds_its_load():
    """gamma = 4 deg, rho' = 5.5 deg: nothing moves, and nothing happens."""
    m, x = lift(FLAT, 0.09)
    assert x["rho"] > FLAT
    r = m.simulate(end=5, output=50)
    assert r.outcome.good, r.report
    assert r.events == []
    assert np.abs(r["wheel-bearing.angle"].to_numpy()).max() < 1e-13
    assert np.abs(r["worm-bearing.w"].to_numpy()).max() < 1e-13
    assert r.statistics.steps < 200


def test_a_steep_worm_runs_back():
    """gamma = 20 deg: the load drives the worm, with tan(gamma - rho')/tan(gamma) of its torque."""
    m, x = lift(STEEP, 0.09)
    r = m.simulate(end=0.5, output=50)
    speed = r["worm-bearing.w"].to_numpy()
    wheel, worm_inertia = 0.02, 2e-3
    eta = x["down"] / x["torque"]
    # J_1 a = eta (T_2 - J_2 a/i)/i, a the acceleration of the worm
    exact = -eta * x["torque"] / (worm_inertia + eta * wheel / x["ratio"] ** 2)
    assert speed == pytest.approx(exact * r.t, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("way", ["up", "down"])
def test_breaks_loose_where_statics_says(way):
    """A torque that grows lifts the load at tan(gamma + rho'), one the other way lowers it at tan(rho' - gamma)."""
    sign = 1 if way == "up" else -1
    m, x = lift(FLAT, 0.09, motor=f"{sign}*2*t")
    breaks = abs(x[way]) / 2
    r = m.simulate(end=breaks + 0.1, output=100)
    (event,) = r.events
    assert event.kind is EventKind.SLIDE
    assert event.t == pytest.approx(breaks, abs=1e-7)
    resting = r.t < event.t
    assert np.abs(r["worm-bearing.angle"].to_numpy()[resting]).max() < 1e-13
    assert sign * r["worm-bearing.w"].to_numpy()[-1] > 1
    assert sign * r["wheel-bearing.angle"].to_numpy()[-1] > 0


@pytest.mark.slow
def test_lifts_stops_holds_and_lowers():
    """Up for a second, off, down for a second: it rests in between and at the end, with four changes of mode."""
    _, x = lift(FLAT, 0.09)
    up, down = 1.2 * x["up"], 1.5 * x["down"]
    m, _ = lift(FLAT, 0.09, motor=f"if(t < 1, {up}, if(t < 2, 0, if(t < 3, {down}, 0)))")
    r = m.simulate(end=5, output=500)
    assert r.outcome.good, r.report
    kinds = [event.kind for event in r.events]
    assert kinds == [EventKind.SLIDE, EventKind.STICK] * 2
    _, stop, start, end = (event.t for event in r.events)
    assert 1 < stop < 2
    assert start == pytest.approx(2.0, abs=1e-8)
    assert 3 < end < 5
    for first, last in ((stop, start), (end, 5.0)):
        resting = (r.t > first) & (r.t < last)
        assert np.ptp(r["wheel-bearing.angle"].to_numpy()[resting]) < 1e-12
    # after the motor is off the load and friction stop the worm: J_1 w' = -F r_1 tan(gamma + rho'), F with the
    # inertia of the wheel
    wheel, inertia, ratio = 0.02, 2e-3, x["ratio"]
    lossy = x["up"] / x["torque"]
    braking = x["up"] / (inertia + lossy * wheel / ratio**2)
    speeding = (up - x["up"]) / (inertia + lossy * wheel / ratio**2)
    # the step across the jump of a formula is not as good as others
    assert stop - 1 == pytest.approx(speeding * 1.0 / braking, abs=1e-5)


@pytest.mark.slow
def test_work_is_kept_or_lost_to_friction():
    """What the motor gives is in the load and in motion, or was lost between the teeth: force times path slid."""
    m, _ = lift(STEEP, 0.05, motor="2.5 + sin(5*t)")
    r = m.simulate(end=2, output=4000)
    given = r["motor.power"].to_numpy() + r["load.power"].to_numpy()
    lost = r["mesh.friction.force"].to_numpy() * r["mesh.sliding"].to_numpy()
    assert lost.max() < 1e-9
    assert lost.min() < -1
    energy = r["energy.total"].to_numpy()
    power = given + lost
    work = np.append(0, np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(r.t)))
    assert energy - energy[0] == pytest.approx(work, abs=1e-4 * np.abs(energy).max())


# -- several frictions on one freedom


def test_with_a_rubbing_bearing_besides():
    """Dry friction in the worm's bearing adds to what breaks it loose."""
    m, x = lift(FLAT, 0.09, motor="2*t", drag=0.3)
    breaks = (x["up"] + 0.3) / 2
    r = m.simulate(end=breaks + 0.1, output=100)
    assert r.outcome.good, r.report
    assert [event.t for event in r.events] == pytest.approx([breaks, breaks], abs=1e-7)
    assert r["worm-bearing.w"].to_numpy()[-1] > 1


def lossy_train(meshes: int, efficiency: float, drag: float, motor: str, load: float) -> ww.Mechanism:
    """Equal wheels in a row, every mesh with losses, every bearing with dry friction."""
    m = ww.Mechanism("train", gravity=(0, 0, 0))
    for k in range(meshes + 1):
        m.add(f"wheel{k}", ww.Body(mass=1, inertia=(0.5, 0.5, 0.5), position=(0.1 * k, 0, 0)))
        m.add(
            f"bearing{k}",
            ww.Revolute(bodies=("ground", f"wheel{k}"), point=(0.1 * k, 0, 0), axis=(0, 0, 1)),
        )
        if drag:
            m.add(f"drag{k}", ww.Friction(joint=f"bearing{k}", coulomb=drag))
    for k in range(meshes):
        pair = (f"wheel{k}", f"wheel{k + 1}")
        m.add(f"mesh{k}", ww.ExternalMesh(bodies=pair, ratio=1, efficiency=efficiency))
    m.add("motor", ww.Actuator(joint="bearing0", value=motor))
    m.add("load", ww.Actuator(joint=f"bearing{meshes}", value=load * (-1) ** meshes))
    return m


@pytest.mark.parametrize(
    ("meshes", "drag", "load"), [(1, 0.5, -20.0), (2, 0, -20.0), (7, 0.5, -20.0), (2, 0.3, 0.0)]
)
def test_a_train_breaks_loose_as_one(meshes, drag, load):
    """At rest it is not known which bearing or mesh takes how much; but all of them give way when the torque of the
    motor is what the load needs, through all losses: ((T + d)/eta + d)/eta + ..."""
    needed = -load + drag
    for _ in range(meshes):
        needed = needed / 0.9 + drag
    m = lossy_train(meshes, 0.9, drag, f"{-load} + 2*t", load)
    breaks = (needed + load) / 2
    r = m.simulate(end=breaks + 0.2, output=100)
    assert r.outcome.good, r.report
    assert len(r.events) == meshes + (meshes + 1 if drag else 0)  # each once
    assert [event.t for event in r.events] == pytest.approx([breaks] * len(r.events), abs=1e-7)
    resting = r.t < breaks
    assert np.abs(r["bearing0.w"].to_numpy()[resting]).max() < 1e-12
    # then every wheel has its own torque: J a = in - d - out/..., along the train
    inertia = 0.0
    for _ in range(meshes):
        inertia = (inertia + 0.5) / 0.9
    s = r.t[~resting] - breaks
    assert r["bearing0.w"].to_numpy()[~resting] == pytest.approx(s**2 / (inertia + 0.5), abs=1e-6)


@pytest.mark.slow
def test_a_train_that_turns_round_and_rests():
    """Both ways and with rests between: energy is what the drives gave, less what friction took."""
    m = lossy_train(3, 0.95, 0.3, "20 + 8*sin(3*t)", -20.0)
    r = m.simulate(end=6, output=2000)
    assert r.outcome.good, r.report
    speed = r["bearing0.w"].to_numpy()
    assert speed.max() > 0.1
    assert speed.min() < -0.1
    assert 0.02 < np.mean(np.abs(speed) < 1e-12) < 0.2
    assert len(r.events) < 60
    given = r["motor.power"].to_numpy() + r["load.power"].to_numpy()
    lost = sum(r[f"drag{k}.torque"].to_numpy() * r[f"bearing{k}.w"].to_numpy() for k in range(4))
    lost = lost + sum(
        r[f"mesh{k}.friction.force"].to_numpy() * r[f"mesh{k}.rolling"].to_numpy() for k in range(3)
    )
    assert lost.max() < 1e-12
    power = given + lost
    work = np.append(0, np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(r.t)))
    energy = r["energy.total"].to_numpy()
    assert energy - energy[0] == pytest.approx(work, abs=1e-3 * energy.max())


# -- what is reported


@pytest.mark.parametrize("name", [name for name in PAIRS if "belt" not in name])
def test_reported_tooth_forces_have_friction_in_them(name):
    """On wheels that run at constant speed the mesh has the torque of motor and load: the tangential force times the
    pitch radius."""
    losses = {"friction": 0.05} if name.startswith(("worm", "crossed")) else {"efficiency": 0.9}
    pair = PAIRS[name](**losses)
    geared = in_housing(pair, fixed=True, gravity=(0, 0, 0))
    m = geared.mechanism
    m.add("motor", ww.JointDriver(joint="bearing-a", value=f"{SPEED}*t"))
    m.add("load", ww.Actuator(joint="bearing-b", value=8.0))
    r = m.simulate(end=0.05, output=4)
    radii = wheel_radii(pair)
    for side, torque in (("a", -r["motor.torque"].to_numpy()), ("b", np.full(len(r.t), -8.0))):
        found = r[f"mesh.{side}.force.tangential"].to_numpy()
        assert np.abs(found) == pytest.approx(np.abs(torque) / radii[side], rel=1e-9)
    if name == "worm":
        gamma, rho = np.radians(12), np.arctan(0.05 / np.cos(ALPHA))
        slope = np.tan(gamma + rho) if r["motor.torque"].to_numpy()[-1] * SPEED > 0 else np.tan(gamma - rho)
        on_worm, on_wheel = (r[f"mesh.{side}.force.tangential"].to_numpy() for side in "ab")
        assert np.abs(on_worm) == pytest.approx(np.abs(on_wheel) * abs(slope), rel=1e-9)
        assert np.abs(r["mesh.a.force.axial"].to_numpy()) == pytest.approx(np.abs(on_wheel), rel=1e-9)


def wheel_radii(pair: Pair) -> dict[str, float]:
    """Lever of the contact point about each axis (1 for a rack, whose load is a force)."""
    ((_, point),) = pair.on_b(1.0)
    levers = {}
    for side, axis, origin in zip("ab", pair.axes, pair.points, strict=True):
        levers[side] = float(np.linalg.norm(np.cross(axis, point - origin)))
    if pair.rack:
        levers["b"] = 1.0
    return levers


# -- planetary sets


def planetary(planets: int, efficiency: float) -> ww.Mechanism:
    """Sun 24, planets 18, ring 60, which is the ground; sun and carrier on bearings."""
    m = ww.Mechanism("planetary", gravity=(0, 0, 0))
    arm = 42e-3
    for name, inertia in (("sun", 4e-4), ("carrier", 2e-3)):
        m.add(name, ww.Body(mass=1, inertia=(inertia,) * 3))
        m.add(f"on-{name}", ww.Revolute(bodies=("ground", name), point=(0, 0, 0), axis=(0, 0, 1)))
    for k in range(planets):
        angle = 2 * np.pi * k / planets
        at = (arm * np.cos(angle), arm * np.sin(angle), 0.0)
        m.add(f"planet{k}", ww.Body(mass=0.3, inertia=(1e-4,) * 3, position=at))
        m.add(f"pin{k}", ww.Revolute(bodies=("carrier", f"planet{k}"), point=at, axis=(0, 0, 1)))
        losses = {"efficiency": efficiency}
        m.add(f"inner{k}", ww.ExternalMesh(bodies=("sun", f"planet{k}"), teeth=(24, 18), **losses))
        m.add(f"outer{k}", ww.InternalMesh(bodies=(f"planet{k}", "ground"), teeth=(18, 60), **losses))
    return m


@pytest.mark.slow
@pytest.mark.parametrize("planets", [1, 3])
def test_efficiency_of_a_planetary_stage(planets):
    """Only what rolls against the carrier is lost: eta = (1 + eta_0 R)/(1 + R) with the sun driving and
    (1 + R)/(1 + R/eta_0) with the carrier driving, R = z_ring/z_sun and eta_0 the product of both meshes
    (e.g. G. Niemann, H. Winter, Maschinenelemente II, planetary gears)."""
    R, eta_0 = 60 / 24, 0.95**2
    for load, exact in ((-6.0, (1 + eta_0 * R) / (1 + R)), (6.0, (1 + R) / (1 + R / eta_0))):
        m = planetary(planets, 0.95)
        m.add("motor", ww.JointDriver(joint="on-sun", value="50*t"))
        m.add("load", ww.Actuator(joint="on-carrier", value=load))
        r = m.simulate(end=0.05, output=5)
        assert r.outcome.good, r.report
        motor = r["motor.torque"].to_numpy() * 50
        carrier = load * 50 / (1 + R)
        found = -carrier / motor if load < 0 else -motor / carrier
        assert found == pytest.approx(exact, rel=1e-6)
        for stage in ("inner", "outer"):
            forces = np.array([r[f"{stage}{k}.force.tangential"].to_numpy() for k in range(planets)])
            assert np.ptp(forces, axis=0).max() < 1e-5 * np.abs(forces).max()  # equal planets share equally
