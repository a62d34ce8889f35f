"""Play between shafts and springs with a characteristic, against closed forms."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.equations.piecewise import piecewise
from wheelwork.lazy import casadi as ca

BOTH = pytest.mark.parametrize("formulation", ["absolute", "reduced"])
TIGHT = {"rtol": 1e-10, "atol": 1e-12}
J1, J2 = 0.2, 0.3
J = J1 * J2 / (J1 + J2)


def shafts(element, speed=1.0):
    m = ww.Mechanism("shafts", gravity=(0, 0, 0))
    m.add("one", ww.Rotor(inertia=J1, speed=speed))
    m.add("two", ww.Rotor(inertia=J2, speed=0))
    m.add("link", element(bodies=("one", "two")))
    return m


@BOTH
def test_period_of_rattling_in_the_play(formulation):
    """Through the play 2 B at the speed w, then half a period of the spring; the speed comes back: period
    2 (2 B/w + pi sqrt(J/k)); the largest torque w sqrt(J k)."""
    play, k = 0.05, 2000.0
    link = lambda **at: ww.Clearance(play=play, stiffness=k, **at)  # noqa: E731
    period = 2 * (play + np.pi * np.sqrt(J / k))
    r = shafts(link).simulate(end=2 * period, output=4000, formulation=formulation, **TIGHT)
    assert abs(r["link.torque"].to_numpy()).max() == pytest.approx(np.sqrt(J * k), rel=1e-5)
    assert r["link.angle"].to_numpy()[-1] == pytest.approx(0, abs=1e-8)
    assert r["link.speed"].to_numpy()[-1] == pytest.approx(-1, abs=1e-8)
    assert np.ptp(r["energy.total"].to_numpy()) < 1e-9
    assert set(r["link.mode"].to_numpy()) == {-1.0, 0.0, 1.0}
    assert np.mean(r["link.mode"].to_numpy() == 0) == pytest.approx(2 * play / period, abs=1e-3)


@pytest.mark.parametrize("law", ["contact", "elastic", "printed"])
def test_laws_agree_in_both_formulations_and_lose_what_the_damper_takes(law):
    m = shafts(lambda **at: ww.Clearance(play=0.05, stiffness=2000.0, damping=3.0, law=law, **at))
    runs = [m.simulate(end=0.3, output=3000, formulation=f, **TIGHT) for f in ("absolute", "reduced")]
    angles = [r["link.angle"].to_numpy() for r in runs]
    assert angles[0] == pytest.approx(angles[1], abs=1e-8)
    balance = runs[0].energy_balance()
    assert balance.work["link"][-1] < -0.01 * balance.scale
    heat = runs[0]["link.heat"].to_numpy()
    assert heat.min() > -1e-9 * heat.max()
    assert np.trapezoid(heat, runs[0].t) == pytest.approx(-balance.work["link"][-1], rel=0.02)  # it jumps
    assert abs(balance.remainder).max() < 1e-5 * balance.scale


@pytest.mark.slow
def test_curves_of_straight_pieces_and_their_integrals():
    x, y = np.array([-1.0, 0.5, 2.0]), np.array([3.0, 1.0, 5.0])
    at = ca.SX.sym("x")
    inside, beyond = (
        ca.Function("f", [at], list(piecewise(at, ca.SX(x), ca.SX(y), beyond=b))) for b in (False, True)
    )
    grid = np.linspace(-3, 4, 141)
    ends = {False: np.interp(grid, x, y), True: np.interp(grid, x, y)}
    ends[True] = np.where(
        grid < -1, 3 - (grid + 1) * 4 / 3, np.where(grid > 2, 5 + (grid - 2) * 8 / 3, ends[True])
    )
    fine = np.linspace(-3, 4, 140001)
    for function, b in ((inside, False), (beyond, True)):
        values, areas = (np.array(part).ravel() for part in function(grid.reshape(1, -1)))
        assert values == pytest.approx(ends[b], abs=1e-12)
        y_fine = np.array(function(fine.reshape(1, -1))[0]).ravel()
        area = np.append(0, np.cumsum((y_fine[1:] + y_fine[:-1]) / 2 * np.diff(fine)))[::1000]
        assert areas - areas[0] == pytest.approx(area, abs=1e-6)


@BOTH
def test_spring_that_stiffens(formulation):
    """Two stages, symmetric: a quarter period is the way through both, each part of a cosine."""
    k1, k2, phi = 100.0, 400.0, 0.02
    curve = {
        "angle": [-0.1, -phi, phi, 0.1],
        "torque": [-k1 * phi - k2 * 0.08, -k1 * phi, k1 * phi, k1 * phi + k2 * 0.08],
    }
    m = shafts(lambda **at: ww.TorsionalSpring(characteristic=ww.SpringCurve(**curve), **at))
    w1, w2 = np.sqrt(k1 / J), np.sqrt(k2 / J)
    first = np.arcsin(phi * w1) / w1  # at speed 1
    speed = np.cos(w1 * first)
    # then w2^2 x + (k1 phi/J) decelerates: x = phi + s sin(w2 t)/w2 - (k1 phi/k2)(1 - cos(w2 t)), at rest where
    second = np.arctan2(speed * w2, w1**2 * phi) / w2
    r = m.simulate(end=4 * (first + second), output=400, formulation=formulation, **TIGHT)
    assert r["link.angle"].to_numpy()[-1] == pytest.approx(0, abs=1e-8)
    assert r["link.speed"].to_numpy()[-1] == pytest.approx(-1, abs=1e-7)
    assert np.ptp(r["energy.total"].to_numpy()) < 1e-9


def test_springs_need_stiffness_or_characteristic():
    with pytest.raises(ww.ModelError, match="`stiffness` or `characteristic`"):
        shafts(lambda **at: ww.TorsionalSpring(**at)).simulate(end=0.1)


@BOTH
def test_straight_spring_that_stiffens(formulation):
    """A mass between two stages, as above: back where it was, at the same speed, after a period."""
    k1, k2, reach, mass = 100.0, 400.0, 0.02, 0.25
    curve = {
        "stretch": [-0.1, -reach, reach, 0.1],
        "force": [-k1 * reach - k2 * 0.08, -k1 * reach, k1 * reach, k1 * reach + k2 * 0.08],
    }
    m = ww.Mechanism("mass", gravity=(0, 0, 0))
    m.add("mass", ww.Body(mass=mass, inertia=(1, 1, 1), velocity=(1, 0, 0)))
    m.add("guide", ww.Prismatic(bodies=("ground", "mass"), point=(0, 0, 0), axis=(1, 0, 0)))
    ends = {"point_a": (-0.5, 0, 0), "point_b": (0, 0, 0)}
    m.add("link", ww.Spring(bodies=("ground", "mass"), characteristic=ww.TensionCurve(**curve), **ends))
    w1, w2 = np.sqrt(k1 / mass), np.sqrt(k2 / mass)
    first = np.arcsin(reach * w1) / w1
    second = np.arctan2(np.cos(w1 * first) * w2, w1**2 * reach) / w2
    r = m.simulate(end=4 * (first + second), output=400, formulation=formulation, **TIGHT)
    assert r["guide.displacement"].to_numpy()[-1] == pytest.approx(0, abs=1e-8)
    assert r["guide.speed"].to_numpy()[-1] == pytest.approx(1, abs=1e-7)
    assert np.ptp(r["energy.total"].to_numpy()) < 1e-9


def test_curves_of_straight_springs_are_checked():
    spring = {"bodies": ("ground", "mass"), "point_a": (-0.5, 0, 0), "point_b": (0, 0, 0)}
    for fields, words in (
        ({}, "`stiffness` or `characteristic`"),
        ({"characteristic": {"stretch": [0, 0.1], "force": [1]}}, "has 2 elongations and 1 forces"),
        ({"characteristic": {"stretch": [0.1, 0], "force": [1, 2]}}, "elongations must increase"),
    ):
        with pytest.raises(ww.ModelError, match=words):
            ww.Spring(**spring, **fields)


# A damper whose torque jumps where the play is used up; the second comes there at the very end of a step, t = 0.05.
RATTLES = {"driven": "20*sin(40*t)", "free": 0.0}


def rattling(push, kind="spatial", spin=0.0):
    """Two discs that rattle in the play between them; in space they turn with `spin` besides."""
    m = ww.Mechanism(
        "rattle", kind=kind, gravity=(0, 0) if kind == "planar" else (0, 0, 0), parameters={"k": 300}
    )
    for name, w in (("one", spin + 1), ("two", spin - 1)):
        if kind == "planar":
            m.add(name, ww.Body(mass=1, inertia=1, angular_velocity=w))
            m.add(f"{name}-bearing", ww.Revolute(bodies=("ground", name), point=(0, 0)))
        else:
            m.add(name, ww.Rotor(inertia=1, speed=w))
    m.add("play", ww.Clearance(bodies=("one", "two"), play=0.2, stiffness="k", damping=2.0))
    m.add("push", ww.Actuator(joint="one-bearing" if kind == "planar" else "one.bearing", value=push))
    return m


@pytest.mark.slow
@pytest.mark.parametrize("push", RATTLES.values(), ids=RATTLES)
@pytest.mark.parametrize(
    ("formulation", "spin"), [("reduced", 0.0), ("absolute", 0.0), ("absolute", 50.0), ("lanes", 0.0)]
)
def test_fixed_steps_keep_their_order_over_jumps_of_a_force(formulation, spin, push):
    """No stage of a step that ends before a jump may see it: one that did left an error of order 1, 1e-3."""
    kind, errors = "spatial" if spin else "planar", []
    exact = rattling(push, "planar").simulate(end=1, rtol=1e-12, atol=1e-14)["one.w"].to_numpy()[-1]
    for step in (2e-3, 1e-3, 5e-4):
        m = rattling(push, kind, spin)
        run = {"end": 1, "method": "rk4", "step": step}
        if formulation == "lanes":
            made = ww.Study(m, {"k": [300.0]}, measures={"w": "last(one.w)"}, formulation="reduced", **run)
            w = float(made.run(engine="lanes", progress=False).w[0])
        else:
            w = m.simulate(output=50, formulation=formulation, **run)["one.w"].to_numpy()[-1]
        errors.append(abs(w - spin - exact))
    # of order 4: 16 times less each time, down to the 1e-10 that events are located to; wheels that spin have an error
    # of their own, (spin h)^4 of the angle
    assert errors[0] < 1e-4
    assert errors[2] < errors[0] / 100


def test_what_is_kept_before_a_jump_has_not_seen_it():
    """A fixed step comes to the end of the play by round-off, t = 0.05: until then the discs turn freely, then the
    damper gives 4 N m at once. Between outputs accelerations are those, not a polynomial through both."""
    r = rattling(0.0, "planar").simulate(end=0.08, output=2, method="rk4", step=5e-4, formulation="reduced")
    assert r.events[0].t == pytest.approx(0.05, abs=1e-10)
    acceleration = r.at(np.linspace(0.001, 0.0499, 50))["one.angular_acceleration"].to_numpy()
    assert abs(acceleration).max() < 1e-6
