"""The energy balance: works of all elements are the change of energy, to the accuracy of run and quadrature."""

import numpy as np
import pytest

import wheelwork as ww
from robustness import random_mechanism
from wheelwork import examples
from wheelwork.engine import retrace
from wheelwork.engine.recorded import Reactions
from wheelwork.results import works
from wheelwork.results.energy import EnergyWarning


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "share", "elements"),
    [
        ("planetary-gearbox", 1e-9, {"drive", "load"}),  # rigid teeth, a motor, a drag
        ("helical-reducer", 1e-9, {"motor", "machine"}),
        ("drive-line", 1e-6, {"windings", "air", "shaft"}),  # springs and dampers
        ("stick-slip", 1e-3, {"motor", "rubbing"}),  # dry friction, with events between outputs
        ("slider-crank", 1e-6, {"motor"}),  # a driver
        (
            "backlash-pair",
            1e-5,
            {"mesh", "drive", "brake"},
        ),  # compliant teeth whose stiffness and error do work
    ],
)
def test_works_are_the_change_of_energy(name, share, elements):
    balance = ww.load(examples.path(name)).run().energy_balance()
    assert elements <= set(balance.work)
    assert np.max(np.abs(balance.remainder)) < share * balance.scale
    np.testing.assert_allclose(
        balance.brought_in + balance.taken_out + balance.remainder, balance.change, atol=1e-12 * balance.scale
    )


def test_friction_takes_and_springs_give_back():
    """A block on a spring with Coulomb friction c: it loses c times its way (a text-book exercise)."""
    m = ww.Mechanism("block", gravity=(0, 0, 0))
    m.add("block", ww.Body(mass=1, inertia=(1, 1, 1), position=(0.1, 0, 0)))
    m.add("guide", ww.Prismatic(bodies=("ground", "block"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add(
        "spring",
        ww.Spring(
            bodies=("ground", "block"), point_a=(-1, 0, 0), point_b=(0.1, 0, 0), stiffness=100, free_length=1
        ),
    )
    m.add("rub", ww.Friction(joint="guide", coulomb=2))
    r = m.simulate(end=2, output=400)
    balance = r.energy_balance()
    way = np.concatenate([[0], np.cumsum(np.abs(np.diff(r["guide.displacement"])))])
    np.testing.assert_allclose(balance.work["rub"], -2 * way, atol=2e-3)
    assert np.max(np.abs(balance.remainder)) < 1e-3 * balance.scale
    assert "spring" not in balance.work or np.max(np.abs(balance.work["spring"])) < 1e-3 * balance.scale


def test_impacts_take_what_the_restitution_says():
    """Each impact leaves e^2 of the energy with which the ball arrives."""
    r = ww.load(examples.path("bouncing-ball")).run()
    balance = r.energy_balance()
    (name,) = balance.work
    assert balance.work[name][-1] < -1
    assert np.max(np.abs(balance.remainder)) < 1e-6 * balance.scale
    first = r.events[0]
    assert (name, first.element) == ("ground-contact", "ground-contact")
    assert first.lost == pytest.approx((1 - 0.8**2) * 0.5 * 9.80665 * 1.0, rel=1e-3)


@pytest.mark.slow
def test_jumps_and_many_outputs_do_no_harm():
    """A torque that jumps between outputs: more outputs are never worse (it was 1e-3 of the energy from 4000 on)."""
    m = ww.Mechanism("jumps", gravity=(0, 0, 0))
    m.add("a", ww.Rotor(inertia=0.1, axis=(0, 0, 1)))
    m.add("b", ww.Rotor(inertia=0.3, axis=(0, 0, 1), position=(0, 0, 1)))
    m.add("shaft", ww.TorsionalSpring(bodies=("a", "b"), stiffness=500, damping=0.5))
    m.add("motor", ww.Actuator(joint="a.bearing", value="10*step(sin(40*t))"))
    open_shares = []
    for output in (500, 2000, 4100):
        r = m.simulate(end=1, output=output, rtol=1e-10, atol=1e-12)
        balance = r.energy_balance()
        open_shares.append(np.max(np.abs(balance.remainder)) / balance.scale)
        if output == 4100:  # by hand: torque times the angle turned while it is on
            angle, on = r["a.bearing.angle"].to_numpy(), np.sin(40 * r.t) > 0
            steps = np.diff(angle) * 0.5 * (1.0 * on[1:] + on[:-1])
            np.testing.assert_allclose(balance.work["motor"][-1], 10 * steps.sum(), rtol=3e-3)
    assert open_shares[0] < 3e-6
    assert open_shares[1] < 5e-7
    assert open_shares[2] < 1e-7


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "outputs"), [(24, 600), (36, 2400)])
def test_teeth_that_strike_between_outputs_lose_nothing(seed, outputs):
    """Flanks without damping, torques from both sides: what the mesh does is what it stores (5.6 % was left open)."""
    _, m, _ = random_mechanism(seed, "elastic")
    balance = m.simulate(end=0.004, output=outputs).energy_balance()
    for mesh in m.meshes:
        assert np.max(np.abs(balance.work.get(mesh, 0.0))) < 1e-5 * balance.scale
    assert np.max(np.abs(balance.remainder)) < 1e-5 * balance.scale  # rtol 1e-8 over some thousand steps
    assert balance.work["load"][-1] > 0.2 * balance.scale


def blow(**model) -> ww.Mechanism:
    """A pinion of 0.2 J strikes a gear of half its inertia, seen from its own axis: momentum leaves 2/3 of that."""
    teeth = {
        "elastic": {"type": "linear", "stiffness": 2e8},
        "viscous": {"type": "hunt_crossley", "factor": 20.0},
    }
    m = ww.Mechanism("pair", kind="planar", gravity=(0, 0))
    m.add("pinion", ww.Body(mass=1, inertia=1e-3, position=(0, 0), angular_velocity=20.0))
    m.add("gear", ww.Body(mass=2, inertia=2e-3, position=(60e-3, 0), angular_velocity=0.0))
    m.add("left", ww.Revolute(bodies=("ground", "pinion"), point=(0, 0)))
    m.add("right", ww.Revolute(bodies=("ground", "gear"), point=(60e-3, 0)))
    sizes = {"teeth": (20, 40), "module": 2e-3, "face_width": 20e-3}
    model = ww.ContactTeeth(**{**teeth, "phase": 0.0, **model})
    m.add("mesh", ww.ExternalMesh(bodies=("pinion", "gear"), model=model, **sizes))
    return m


@pytest.mark.parametrize(
    "options",
    [
        {"output": 1},
        {"output": 50},
        {"output": 500},
        {"output": 50, "method": "sdirk4"},
        {"output": 50, "formulation": "absolute"},
        {"output": 50, "method": "dop853"},
        {"output": 50, "method": "rk4", "step": 1e-5},
    ],
    ids=str,
)
def test_blows_between_outputs_take_what_momentum_says(options):
    """At 50 outputs the pair took 43.6 J (another phase), at 500 some 0.159 J, within a relative remainder of 1."""
    part = 1e-3 if options.get("method") == "rk4" else 2e-5  # of a fixed step, of the tolerance
    r = blow().simulate(end=0.3, rtol=1e-7, atol=1e-9, **options)
    balance = r.energy_balance()
    assert balance.change[-1] == pytest.approx(-0.2 / 3, rel=part)
    assert balance.work["mesh"][-1] == pytest.approx(-0.2 / 3, rel=part)
    assert np.max(np.abs(balance.remainder)) < part * balance.scale
    assert balance.scale == pytest.approx(0.2, rel=1e-6)
    middle = r.at([0.0, 0.15, 0.3]).energy_balance()  # and of a view at other times
    assert middle.work["mesh"][-1] == pytest.approx(-0.2 / 3, rel=part)


def test_long_runs_are_summed_up_in_stretches(monkeypatch):
    """Each of which begins with the very steps that the run went on with."""
    r = blow().simulate(end=0.1, output=20)
    whole = r.energy_balance().work["mesh"]
    monkeypatch.setattr(retrace, "AT_ONCE", 1500)
    r = blow().simulate(end=0.1, output=20)
    stretches = list(r.retrace.stretches(works.IN_STEPS, r.t))
    assert len(stretches) > 3
    np.testing.assert_array_equal(np.concatenate([s.t for s in stretches]), r.t)
    np.testing.assert_allclose(np.concatenate([s.state for s in stretches]), r.motion.state, atol=1e-13)
    np.testing.assert_allclose(r.energy_balance().work["mesh"], whole, atol=1e-9)


def test_what_has_no_power_for_a_while_is_summed_up_too(monkeypatch):
    """The lossy gears of a hoist are no element while their drum moves freely: the balance of 4000 outputs failed."""
    r = ww.load(examples.path("hoist")).simulate(output=200)
    whole = r.energy_balance().work
    monkeypatch.setattr(works, "AT_ONCE", 40)
    again = ww.load(examples.path("hoist")).simulate(output=200).energy_balance().work
    assert again.keys() == whole.keys()
    for name, work in whole.items():
        np.testing.assert_allclose(again[name], work, rtol=1e-12, atol=1e-9)


def test_runs_in_pieces_are_summed_up_along_their_steps():
    m = blow()
    m.parameters["brake"] = "0 N*m"
    m.add("held", ww.Actuator(joint="right", value="-brake"))
    s = m.compile(rtol=1e-7, atol=1e-9).start()
    for t in (0.1, 0.2, 0.3):
        s.advance(t)
    r, again = s.result(), s.result()
    assert r.energy_balance().work["mesh"][-1] == pytest.approx(-0.2 / 3, rel=2e-5)
    s.set("brake", 0.1)  # with which the steps until here are not made again
    s.advance(0.4)
    with pytest.warns(EnergyWarning):
        again.energy_balance()


def test_where_the_steps_are_not_at_hand_it_is_said(tmp_path):
    r = blow().simulate(end=0.05, output=20)
    r.save(tmp_path / "before.nc")
    work = r.energy_balance().work["mesh"]
    r.save(tmp_path / "after.nc")
    np.testing.assert_array_equal(ww.load_result(tmp_path / "after.nc").energy_balance().work["mesh"], work)
    with pytest.warns(EnergyWarning, match="21 outputs, between which"):
        balance = ww.load_result(tmp_path / "before.nc").energy_balance()
    assert balance.scale == pytest.approx(0.2, rel=1e-6)  # works that nothing pays for are no measure
    assert np.max(np.abs(balance.remainder)) > balance.scale


def test_losses_of_a_locked_mesh_take_no_time(monkeypatch):
    """The train is held by a coupler and moves by round-off: it was searched for work for seconds."""
    m = ww.Mechanism("locked", gravity=(0, 0, 0))
    for name, x in (("a", 0.0), ("b", 0.1)):
        m.add(name, ww.Rotor(inertia=1e-2, axis=(0, 0, 1), position=(x, 0, 0)))
    sizes = {"teeth": (20, 30), "helix_angle": "20 deg", "face_width": "20 mm", "efficiency": 0.95}
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), **sizes))
    joints = [{"joint": "a.bearing", "factor": 1.0}, {"joint": "b.bearing", "factor": 1.0}]
    m.add("lock", ww.Coupler(joints=joints))
    m.add("drive", ww.Torque(body="a", value=(0, 0, "10*sin(20*t)")))
    looked, whole = [], works._integrals

    def integrals(result, low, high, powers):
        looked.append(len(low))
        return whole(result, low, high, powers)

    monkeypatch.setattr(works, "_integrals", integrals)
    r = m.simulate(end=1.0, output=40)
    assert np.max(np.abs(r["mesh.friction.slip_work"])) < 1e-12
    assert sum(looked) <= 2 * 40


@pytest.mark.parametrize("outputs", [20, 500])
def test_losses_of_a_mesh_by_hand(outputs):
    """A free pair under a torque that swings: what friction of the teeth takes is what the drive brings and the wheels
    do not keep (20 outputs gave 3.10 J, 500 gave 3.0302)."""
    m = ww.Mechanism("free", gravity=(0, 0, 0))
    for name, x in (("a", 0.0), ("b", 0.1)):
        m.add(name, ww.Rotor(inertia=1e-2, axis=(0, 0, 1), position=(x, 0, 0)))
    sizes = {"teeth": (20, 30), "helix_angle": "20 deg", "face_width": "20 mm", "efficiency": 0.95}
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), **sizes))
    m.add("drive", ww.Torque(body="a", value=(0, 0, "10*sin(20*t)")))
    r = m.simulate(end=1.0, output=outputs)
    fine = m.simulate(end=1.0, output=20000)
    w, t = fine["a.w"].to_numpy(), fine.t
    brought = np.trapezoid(10 * np.sin(20 * t) * w, t)
    kept = 0.5e-2 * (w[-1] ** 2 + fine["b.w"].to_numpy()[-1] ** 2)
    assert r["mesh.friction.slip_work"].to_numpy()[-1] == pytest.approx(brought - kept, rel=2e-5)


@pytest.mark.slow
def test_a_train_at_rest_is_not_searched_for_work(monkeypatch):
    """Its bodies move by round-off (1e-50 J), in which every interval was halved twelve times over, for a minute"""
    _, m, _ = random_mechanism(73)
    looked, whole = [], works._integrals

    def integrals(result, low, high, powers):
        looked.append(len(low))
        return whole(result, low, high, powers)

    monkeypatch.setattr(works, "_integrals", integrals)
    balance = m.simulate(end=0.05, output=20).energy_balance()
    assert np.max(balance.kinetic) < 1e-30
    assert sum(looked) <= 2 * 20


def test_samples_that_meet_the_end_are_no_other_run():
    """A controller of 1 kHz over 1.2 s at 201 outputs: steps were left aside, for they ended behind the last sample,
    and outputs left twice the energy open."""
    r = ww.load(examples.path("controlled-arm")).simulate(end="1.2 s", output=200, rtol=1e-7)
    balance = r.energy_balance()
    assert np.max(np.abs(balance.remainder)) < 1e-6 * balance.scale
    mgh = 2 * 9.80665 * 0.25 * (1 - np.cos(r["shoulder.angle"].to_numpy()[-1]))
    assert balance.change[-1] == pytest.approx(
        mgh, rel=1e-2
    )  # it stands: the drive has lifted the arm, less losses


def test_tooth_forces_are_not_solved_for_where_axes_are_held(monkeypatch):
    """Reactions of an automatic gearbox at 160,000 points took a minute, for powers that are none; a wheel that moves
    aside needs them."""
    solved, whole = [], Reactions.solve

    def solve(self, t, state):
        solved.append(len(t))
        return whole(self, t, state)

    monkeypatch.setattr(Reactions, "solve", solve)
    r = ww.load(examples.path("automatic-transmission")).simulate(end=0.5, output=3)
    balance = r.energy_balance()
    assert sum(solved) <= 100
    assert np.max(np.abs(balance.remainder)) < 1e-9 * balance.scale
    sizes = {"teeth": (20, 30), "face_width": "20 mm"}
    m = ww.Mechanism("aside", kind="planar", gravity=(0, 0))
    m.add("a", ww.Rotor(inertia=1e-2))
    m.add("b", ww.Body(mass=1, inertia=1e-2, position=(0.1, 0)))
    m.add("block", ww.Body(mass=1, inertia=1e-2, position=(0.1, 0)))
    m.add("pin", ww.Revolute(bodies=("block", "b"), point=(0.1, 0)))
    m.add("slide", ww.Translational(bodies=("ground", "block"), point=(0.1, 0), axis=(1, 0)))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), **sizes))
    m.add("spring", ww.Actuator(joint="slide", value="-1e5*slide.displacement - 100*slide.speed"))
    m.add("drive", ww.Torque(body="a", value="20*sin(300*t)"))
    r = m.simulate(end=0.05, output=500)
    balance = r.energy_balance()
    spread = np.gradient(r["slide.displacement"].to_numpy(), r.t)
    radial = r["mesh.force.radial"].to_numpy()
    by_hand = np.trapezoid(np.abs(radial) * spread, r.t)
    assert balance.work["mesh"][-1] == pytest.approx(by_hand, rel=1e-2)
    assert abs(by_hand) > 1e-3 * balance.scale
