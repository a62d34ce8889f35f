"""Belts that stretch, creep and slip: closed forms of frequency, creep and Eytelwein's limit; energy; both rungs."""

import numpy as np
import pytest
from pages import blocks, page

import wheelwork as ww
from wheelwork.show.scene import make_scene

R_A, R_B, D, EA, T_0, MU = 0.05, 0.1, 0.4, 2e5, 300.0, 0.4
THETA = np.arcsin((R_A - R_B) / D)
LENGTH = np.sqrt(D**2 - (R_A - R_B) ** 2)
TEXT = """
kind: planar
gravity: [0, 0]
parameters: {load: 5, drive: 0, speed: 0}
bodies:
  a: {type: rotor, inertia: 0.01, speed: 2*speed}
  b: {type: rotor, inertia: 0.05, position: [0.4, 0], speed: speed}
meshes:
  belt: {type: belt, bodies: [a, b], SIZE, tension: 300 N, model: MODEL}
forces:
  brake: {type: actuator, joint: b.bearing, value: -load}
  motor: {type: actuator, joint: a.bearing, value: drive}
"""
SIZE = "radii: [50 mm, 100 mm]"
FLAT = "{type: strands, axial_stiffness: 2e5 N, friction: 0.4, damping: 100}"
TOOTHED = "{type: strands, axial_stiffness: 2e5 N}"
TEETH = "teeth: [20, 40], pitch: 15.707963267948966 mm"


def mechanism(model=FLAT, size=SIZE):
    return ww.loads(TEXT.replace("MODEL", model).replace("SIZE", size))


def driven(model, size=SIZE, load=5.0, **options):
    """Pulley a driven at 40 rad/s, b braked; the load comes within 0.2 s."""
    text = TEXT.replace("MODEL", model).replace("SIZE", size)
    text = text.replace("  motor: {type: actuator, joint: a.bearing, value: drive}\n", "")
    text = text.replace("value: -load", 'value: "-load*min(t/0.2, 1)"')
    text += "drivers:\n  shaft: {type: joint, joint: a.bearing, value: 40*t}\n"
    m = ww.loads(text)
    return m.simulate(end=1.0, output=1000, parameters={"load": load, "speed": 20}, **options)


def late(r, name):
    return np.asarray(r[name])[800:]


@pytest.fixture(scope="module")
def flat():
    return driven(FLAT)


def test_small_motions_do_not_slip():
    """At rest a belt neither creeps nor slips: the frequency of two strands with damping, f sqrt(1 - zeta^2)."""
    stiff, mobility = 2 * EA / LENGTH, R_A**2 / 0.01 + R_B**2 / 0.05
    zeta = 2 * 100 / 2 * np.sqrt(mobility / stiff)
    expected = np.sqrt(stiff * mobility * (1 - zeta**2)) / (2 * np.pi)
    assert max(mechanism().modes(parameters={"load": 0}).frequencies) == pytest.approx(expected, rel=1e-9)


def test_natural_frequency():
    """Two pulleys on two strands: w^2 = 2 k (r_a^2/J_a + r_b^2/J_b), k = EA/L."""
    modes = mechanism(TOOTHED, TEETH).modes(parameters={"load": 0})
    expected = np.sqrt(2 * EA / LENGTH * (R_A**2 / 0.01 + R_B**2 / 0.05)) / (2 * np.pi)
    assert max(modes.frequencies) == pytest.approx(expected, rel=1e-9)


def test_pulls_and_creep(flat):
    """T_1 - T_2 = M/r; T_1 + T_2 = 2 T_0; b is slower by the creep (T_1 - T_2)/EA (Johnson, section 8.2)."""
    force = 5.0 / R_B
    assert late(flat, "belt.force.tangential") == pytest.approx(force, rel=1e-6)
    assert late(flat, "belt.force.tight") + late(flat, "belt.force.slack") == pytest.approx(2 * T_0, rel=1e-9)
    lost = 1 - late(flat, "b.w") * R_B / (40 * R_A)
    assert lost == pytest.approx(force / EA, rel=1e-3)


@pytest.mark.parametrize("load", [5.0, 60.0])
def test_both_formulations(load):
    """In creep, and in gross slip."""
    tight = {"rtol": 1e-11, "atol": 1e-13}
    one, two = (driven(FLAT, load=load, formulation=f, **tight) for f in ("absolute", "reduced"))
    for name, scale in (("b.angle", 1e-8), ("belt.force.tight", 1e-3), ("belt.slipped", 1e-9)):
        assert np.asarray(one[name]) == pytest.approx(np.asarray(two[name]), abs=scale)


def test_agrees_with_the_rigid_belt_but_for_creep(flat):
    rigid = driven("rigid")
    assert late(rigid, "shaft.torque") == pytest.approx(late(flat, "shaft.torque"), rel=1e-6)
    slipped = late(flat, "belt.slipped")
    turned = late(rigid, "b.angle") * R_B - late(flat, "b.angle") * R_B
    assert turned == pytest.approx(slipped + late(flat, "belt.stretch"), abs=1e-8)


GRIP = np.exp(MU * (np.pi - 2 * abs(THETA)))
"""T_1/T_2 at gross slip on the smaller arc, by Euler and Eytelwein."""
LIMIT = 2 * T_0 * (GRIP - 1) / (GRIP + 1)
"""N: T_1 - T_2 there, with T_1 + T_2 = 2 T_0."""


def overloaded(slip_speed=0.05, damping=100.0, **options):
    """A motor with more torque than the belt carries (60 N m, 15 N m) to a pulley that a brake holds."""
    model = f"{{type: strands, axial_stiffness: 2e5 N, friction: 0.4, damping: {damping}, slip_speed: {slip_speed}}}"
    text = TEXT.replace("MODEL", model).replace("SIZE", SIZE)
    text = text.replace("value: -load", "value: -100*tanh(20*b.w)")
    return ww.loads(text).simulate(end=0.1, output=400, parameters={"drive": 60}, **options)


@pytest.mark.parametrize("slip_speed", [0.005, 0.05, 0.5])
@pytest.mark.parametrize("damping", [0.0, 100.0])
def test_slips_at_the_limit_of_euler_and_eytelwein(slip_speed, damping):
    """T_1/T_2 = exp(mu phi) on the smaller arc while it slips with up to 20 m/s, and at no time more, whatever
    `slip_speed` is; the motor gains what is left of its torque, J w' = M - F r."""
    r = overloaded(slip_speed, damping)
    tight, slack, slip, force, used = (
        np.asarray(r[f"belt.{name}"])
        for name in ("force.tight", "force.slack", "slip", "force.tangential", "friction_used")
    )
    assert np.all(tight <= GRIP * slack * (1 + 1e-12))
    late = slice(200, None)
    assert slip[late].min() > 10
    assert tight[late] / slack[late] == pytest.approx(GRIP, rel=1e-12)
    assert force[late] == pytest.approx(LIMIT, rel=1e-12)
    assert used[late] == pytest.approx(1, rel=1e-12)
    assert used.max() <= 1 + 1e-12
    gained = np.polyfit(r.t[late], np.asarray(r["a.w"])[late], 1)[0]
    assert gained == pytest.approx((60 - LIMIT * R_A) / 0.01, rel=1e-9)


def test_slip_begins_at_the_limit_and_creep_before_it():
    """A load that grows slowly past the limit: below it the slip is the elastic creep of Johnson's section 8.2, from it
    on the belt slips and the braked pulley stays behind."""
    r = driven(FLAT, load=1.2 * LIMIT * R_B)
    force, slip, used = (np.asarray(r[f"belt.{x}"]) for x in ("force.tangential", "slip", "friction_used"))
    speed = np.asarray(r["belt.rolling"])
    below, beyond = used < 0.999, used > 1 - 1e-9
    assert slip[below] == pytest.approx(np.abs(speed[below]) * force[below] / EA, rel=1e-2, abs=1e-5)
    assert beyond[-1]
    assert slip[-1] > 1
    assert force.max() <= LIMIT * (1 + 1e-9)


def test_what_slips_is_lost_and_does_not_depend_on_the_way_it_is_followed():
    """Slip, its way, heat and the energy balance at three values of `slip_speed`, and the way is that of the rims."""
    found = [overloaded(v, rtol=1e-8) for v in (0.005, 0.05, 0.5)]
    for r in found:
        rims = np.asarray(r["a.angle"]) * R_A - np.asarray(r["b.angle"]) * R_B
        assert np.asarray(r["belt.slipped"]) == pytest.approx(rims - np.asarray(r["belt.stretch"]), abs=1e-8)
        lost = np.trapezoid(np.asarray(r["belt.power.loss"]), r.t)
        assert -r.energy_balance().work["belt"][-1] == pytest.approx(lost, rel=1e-3)
        assert np.abs(r.energy_balance().remainder).max() < 1e-5 * r.energy_balance().scale
        assert np.asarray(r["belt.slipped"])[-1] == pytest.approx(
            float(found[-1]["belt.slipped"][-1]), rel=1e-5
        )


def test_v_belts_hold_more():
    """By 1/sin(groove/2): 2 T_0 tanh(mu phi/(2 sin(17 deg)))."""
    v = FLAT.replace("}", ", groove_angle: 34 deg}")
    r = driven(v, load=50.0)
    assert late(r, "belt.force.tangential") == pytest.approx(500, rel=1e-4)
    assert np.abs(late(r, "belt.slip")).max() < 1.1 * 2 * 500 / EA  # creep alone


def test_a_slack_strand_carries_nothing():
    r = driven(TOOTHED.replace("}", ", damping: 300}"), TEETH, load=80.0)
    assert late(r, "belt.force.slack") == pytest.approx(0, abs=1e-9)
    assert late(r, "belt.force.tight") == pytest.approx(800, rel=1e-3)


def test_a_toothed_belt_does_not_creep_and_jumps_when_overloaded():
    held = driven(TOOTHED.replace("}", ", damping: 300, jump_force: 900}"), TEETH, load=40.0)
    assert np.abs(late(held, "belt.slipped")).max() == 0
    never = driven(TOOTHED.replace("}", ", damping: 300}"), TEETH, load=40.0)
    assert late(never, "b.angle") == pytest.approx(late(held, "b.angle"), abs=1e-9)
    assert late(held, "b.w") == pytest.approx(20, rel=1e-4)
    jumped = driven(TOOTHED.replace("}", ", damping: 300, jump_force: 300}"), TEETH, load=40.0)
    assert late(jumped, "belt.jumped")[-1] > 3
    assert np.all(np.diff(np.asarray(jumped["belt.jumped"])) >= 0)
    assert np.asarray(jumped["belt.force.tangential"]).max() <= 300 * (1 + 1e-12)


@pytest.mark.parametrize(
    ("model", "size"),
    [(FLAT, SIZE), (TOOTHED, TEETH), (TOOTHED.replace("N}", "N, jump_force: 200 N}"), TEETH)],
)
def test_an_equilibrium_stretches_the_belt(model, size):
    """Held at a: b turns back by F/(2 k r_b), 2 k = 2 EA/L (it stayed where it was), and creeps by up to F/EA
    of that on its way, 2.5e-4. What the belt cannot hold, beyond
    Eytelwein's limit or `jump_force`, has no equilibrium; it was found at the given position."""
    text = TEXT.replace("MODEL", model).replace("SIZE", size)
    text = text.replace("  motor: {type: actuator, joint: a.bearing, value: drive}\n", "")
    m = ww.loads(text + "drivers:\n  shaft: {type: joint, joint: a.bearing, value: 0*t}\n")
    at = m.equilibrium()
    assert float(at["belt.force.tangential"]) == pytest.approx(5 / R_B, rel=1e-6)
    assert float(at["b.angle"]) == pytest.approx(-(5 / R_B) / (2 * EA / LENGTH) / R_B, rel=2e-4)
    if model != TOOTHED:
        with pytest.raises(ww.ModelError, match="no equilibrium was found"):
            m.equilibrium(parameters={"load": 60})


@pytest.mark.parametrize("load", [5.0, 60.0])
def test_energy_is_accounted_for(load):
    """In creep, and in gross slip."""
    r = driven(FLAT, load=load)
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < 1e-5 * balance.scale
    lost = np.trapezoid(np.asarray(r["belt.power.loss"]), r.t)
    assert -balance.work["belt"][-1] == pytest.approx(lost, rel=2e-3)


@pytest.mark.parametrize(
    ("model", "size", "words"),
    [
        (TOOTHED, SIZE, "holds by `friction`; give it"),
        (FLAT, TEETH, "a toothed belt does not hold by `friction`"),
        (FLAT.replace("friction: 0.4", "friction: -0.4"), SIZE, "must be greater than zero, but is -0.4"),
        (FLAT.replace("2e5 N", "0 N"), SIZE, "must be greater than zero, but is 0 N"),
        (FLAT.replace("}", ", jump_force: 10}"), SIZE, "`jump_force` is for toothed belts"),
        (FLAT.replace("}", ", groove_angle: 200 deg}"), SIZE, "at most 180 deg, but is 200 deg"),
        (FLAT, SIZE + ", efficiency: 0.9", "has no `efficiency`"),
        ("compliant", SIZE, "must be `rigid` or `strands`"),
    ],
)
def test_what_does_not_fit(model, size, words):
    with pytest.raises(ww.ModelError) as caught:
        mechanism(model, size).check()
    assert words in str(caught.value)


def test_a_belt_without_tension_holds_nothing():
    text = TEXT.replace("MODEL", FLAT).replace("SIZE", SIZE)
    with pytest.raises(ww.ModelError, match="holds nothing without `tension`"):
        ww.loads(text.replace("tension: 300 N", "tension: 0 N")).check()
    with pytest.raises(ww.ModelError, match="must not be negative, but is -3 N"):
        ww.loads(text.replace("tension: 300 N", "tension: -3 N"))


def test_both_belts_look_alike(flat):
    """Pulleys and two strands, whether they stretch or not."""
    rigid, stretching = (make_scene(r.motion) for r in (driven("rigid"), flat))
    assert len(rigid.lines) == len(stretching.lines) == 2
    for one, two in zip(rigid.lines, stretching.lines, strict=True):
        for (_, p), (_, q) in zip(one.ends, two.ends, strict=True):
            assert p == pytest.approx(q, abs=1e-12)


def test_the_guide_runs():
    """Every model of the page on special drives."""
    models = blocks(page("guide/special-drives"), "yaml")
    assert len(models) == 6
    for text in models:
        assert ww.loads(text).simulate(end=0.05, output=20).outcome.name == "REACHED_END"
