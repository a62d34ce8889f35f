"""Strain-wave gears: ratios of three links, catalogue stiffness, Dahl's loop, kinematic error."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.show.scene import make_scene

TEXT = """
kind: planar
gravity: [0, 0]
bodies:
  wave: {type: rotor, inertia: 1e-4, speed: WAVE}
  flex: {type: rotor, inertia: 0.05, speed: FLEX}
  circle: {type: rotor, inertia: 0.1, speed: CIRCLE}
forces:
  gear: {type: strain_wave, wave_generator: wave, flexspline: flex, circular_spline: circle, FIELDS}
  load: {type: actuator, joint: LOADED.bearing, value: LOAD}
drivers:
DRIVERS
"""
STIFF = "stiffness: 2e4, damping: 10"
TEETH = ", teeth: [100, 102]"


def gear(fields=STIFF, held="circle", load="0", loaded="flex", speeds=(0.0, 0.0, 0.0), wave="0*t"):
    """One of three links held, the wave generator driven, a torque on the third."""
    drivers = f"  hold: {{type: joint, joint: {held}.bearing, value: 0*t}}\n"
    drivers += f"  motor: {{type: joint, joint: wave.bearing, value: {wave}}}\n"
    out = TEXT.replace("FIELDS", fields if "teeth" in fields else fields + TEETH)
    out = out.replace("DRIVERS\n", drivers).replace("LOADED", loaded)
    for name, speed in zip(("WAVE", "FLEX", "CIRCLE"), speeds, strict=True):
        out = out.replace(name, str(speed))
    return ww.loads(out.replace("LOAD", f'"{load}"'))


@pytest.mark.parametrize(
    ("held", "turns", "ratio"), [("circle", "flex", -100 / 2), ("flex", "circle", 102 / 2)]
)
@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_ratios_of_three_links(held, turns, ratio, formulation):
    """-z_f/(z_c - z_f) with the circular spline held, z_c/(z_c - z_f) with the flexspline; torques by the same."""
    speeds = (100.0, 100 / ratio if turns == "flex" else 0.0, 100 / ratio if turns == "circle" else 0.0)
    m = gear(held=held, loaded=turns, load="-3*min(t/0.1, 1)*1", speeds=speeds, wave="100*t")
    r = m.simulate(end=0.6, output=300, formulation=formulation)
    assert np.asarray(r[f"{turns}.w"])[200:] == pytest.approx(100 / ratio, rel=1e-6)
    assert np.asarray(r["motor.torque"])[200:] == pytest.approx(3 / ratio, rel=1e-4)
    parts = [
        np.asarray(r[f"gear.torque_{one}"]) for one in ("wave_generator", "flexspline", "circular_spline")
    ]
    assert np.abs(sum(parts)).max() < 1e-12
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < 1e-5 * balance.scale


@pytest.mark.slow
def test_stiffness_of_catalogues():
    """Wave generator held: windup under a torque, over three pieces and in both senses."""
    fields = "stiffness: [8e3, 1e4, 1.6e4], limits: [14, 48], damping: 60"
    for torque in (7.0, 30.0, 90.0, -90.0):
        at = gear(fields, load=str(torque)).equilibrium()
        size = abs(torque)
        windup = min(size, 14) / 8e3 + max(min(size, 48) - 14, 0) / 1e4 + max(size - 48, 0) / 1.6e4
        assert float(at["gear.windup"]) == pytest.approx(np.sign(torque) * windup, rel=1e-9)


@pytest.mark.parametrize("stiffness", ["[8e3]", "[8e3, 1e4]"])
def test_stiffness_in_fewer_pieces(stiffness):
    limits = ", limits: [14]" if "," in stiffness else ""
    at = gear(f"stiffness: {stiffness}, damping: 60{limits}", load="-30").equilibrium()
    windup = 14 / 8e3 + 16 / 1e4 if limits else 30 / 8e3
    assert float(at["gear.windup"]) == pytest.approx(-windup, rel=1e-9)


def test_hysteresis_is_dahls():
    """Slow torque of +-40 N m on the flexspline: after a turn back h = H (2 exp(-d/a) - 1), and the loop at zero torque
    is 2 H/K wide, less what is built up on the way."""
    H, angle, K = 2.0, 2e-4, 1e4
    fields = f"stiffness: {K}, damping: 5, hysteresis: {H}, hysteresis_angle: {angle}"
    r = gear(fields, load="40*sin(2*t)").simulate(end=6.0, output=3000, rtol=1e-9, atol=1e-11)
    windup, h = np.asarray(r["gear.windup"]), np.asarray(r["gear.hysteresis"])
    top = int(np.argmax(windup[:1500]))
    back = slice(top, top + 500)
    # from h at the top, which is H but for exp(-e/a) of the way there
    closed = -H + (H + h[top]) * np.exp(-(windup[top] - windup[back]) / angle)
    assert h[back] == pytest.approx(closed, abs=2e-3 * H)
    torque = -np.asarray(r["gear.torque_flexspline"])
    crossing = [k for k in range(500, 2999) if torque[k] * torque[k + 1] <= 0]
    assert abs(windup[crossing[0]] - windup[crossing[1]]) == pytest.approx(2 * H / K, abs=4e-5)  # two samples
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < 1e-4 * balance.scale


def test_kinematic_error_comes_twice_in_a_turn():
    """The flexspline, free of load, follows -phi/N + A sin(2 phi) but for its inertia on the spring."""
    fields = "stiffness: 2e5, damping: 100, errors: [{amplitude: 1e-4, order: 2}]"
    m = gear(fields, speeds=(1.0, -1 / 50 + 2e-4, 0.0), wave="1*t")
    r = m.simulate(end=6.0, output=300)
    follows = -r.t / 50 + 1e-4 * np.sin(2 * r.t)
    assert np.asarray(r["flex.angle"]) == pytest.approx(follows, abs=2e-9)
    assert np.asarray(r["gear.error"]) == pytest.approx(1e-4 * np.sin(2 * r.t), abs=1e-12)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            "stiffness: 1e4, teeth: [102, 100]",
            "has more teeth than the flexspline, but `teeth` are 102 and 100",
        ),
        ("stiffness: 1e4, teeth: [100, 101]", "must be even"),
        ("stiffness: 1e4, teeth: [2, 4]", "the flexspline needs 4 teeth or more, but has 2"),
        ("stiffness: 0", "must be greater than zero, but is 0 N m/rad"),
        ("stiffness: [1e4, 2e4, 3e4]", "3 values of `stiffness` change at 2 torques, but `limits` has 0"),
        ("stiffness: [1e4, 2e4]", "2 values of `stiffness` change at 1 torque, but `limits` has 0"),
        ("stiffness: 1e4, limits: [3]", "1 value of `stiffness` changes at no torque, but `limits` has 1"),
        ("stiffness: []", "gear.stiffness: needs one number, or a list of one to 3, but has 0"),
        ("stiffness: [1, 2, 3, 4]", "gear.stiffness: needs one number, or a list of one to 3, but has 4"),
        ("stiffness: {a: 1}", "gear.stiffness: needs a torsional stiffness"),
        (
            "stiffness: [1e4, 2e4, 3e4], limits: [40, 20]",
            "must be greater than zero and increase, but has 40 and 20",
        ),
        ("stiffness: 1e4, hysteresis: 2", "requires `hysteresis`: give both"),
        ("stiffness: 1e4, hysteresis: -2, hysteresis_angle: 1e-4", "must not be negative, but is -2 N m"),
        ("stiffness: 1e4, errors: [{amplitude: 1e-4, order: 0}]", "at least 1, but is 0"),
    ],
)
def test_what_does_not_fit(fields, words):
    with pytest.raises(ww.ModelError) as caught:
        gear(fields).check()
    assert words in str(caught.value)


def test_small_motions_within_the_hysteresis():
    """It only stiffens there, by its torque over its angle: w^2 = (K + H/a) (1/(N^2 J_w) + 1/J_f)."""
    m = gear("stiffness: 1e4, hysteresis: 1.5, hysteresis_angle: 0.1 mrad")
    del m.drivers["motor"]
    stiff = 1e4 + 1.5 / 1e-4
    expected = np.sqrt(stiff * (1 / (50**2 * 1e-4) + 1 / 0.05)) / (2 * np.pi)
    assert max(m.modes().frequencies) == pytest.approx(expected, rel=1e-9)


PIECES = "stiffness: [8e3, 1.6e4, 2e4], limits: [14, 30]"


@pytest.mark.parametrize(("load", "slope"), [("0", 8e3), ("-5", 8e3), ("-20", 1.6e4), ("40", 2e4)])
def test_modes_see_the_slope_of_the_stiffness(load, slope):
    """At zero, in the middle of the first piece, it was none."""
    found = gear(PIECES, load=load).modes(at="equilibrium").frequencies
    assert max(found) == pytest.approx(np.sqrt(slope / 0.05) / (2 * np.pi), rel=1e-9)


@pytest.mark.parametrize("angle", ["1e-3", "1e-4", "1e-6"])
@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize("stiffness", ["stiffness: 8e3", PIECES])
def test_an_equilibrium_loads_the_hysteresis_no_further_than_it_holds(stiffness, sense, angle):
    """Straight from the given position h = H (1 - exp(-e/a)), by Dahl; 20 N m were held by 9.9 N m of an H of 1.5."""
    fields = f"{stiffness}, hysteresis: 1.5, hysteresis_angle: {angle}"
    at = gear(fields, load=str(20 * sense)).equilibrium()
    e, h = sense * float(at["gear.windup"]), sense * float(at["gear.hysteresis"])
    spring = 8e3 * e if stiffness == "stiffness: 8e3" else 14 + 1.6e4 * (e - 14 / 8e3)
    assert h == pytest.approx(1.5 * (1 - np.exp(-e / float(angle))), rel=1e-6)
    assert spring + h == pytest.approx(20, rel=1e-8)


def test_a_run_from_the_equilibrium_of_an_arm_stays_there():
    text = """
    gravity: [0, 0, -9.81]
    bodies:
      wave: {type: rotor, inertia: 1e-4, axis: [0, 1, 0]}
      link: {mass: 3, inertia: [0.02, 0.05, 0.05], position: [0.3, 0, 0]}
    joints:
      elbow: {type: revolute, bodies: [ground, link], point: [0, 0, 0], axis: [0, 1, 0]}
    forces:
      gear: {type: strain_wave, wave_generator: wave, flexspline: link, axis: [0, 1, 0], teeth: [160, 162],
        stiffness: [4e3, 6e3, 8e3], limits: [3, 9], damping: 2, hysteresis: 0.8, hysteresis_angle: 0.2 mrad}
    drivers:
      hold: {type: joint, joint: wave.bearing, value: 0*t}
    """
    m = ww.loads(text)
    at = m.equilibrium()
    angle = float(at["elbow.angle"])
    assert float(at["gear.torque_flexspline"]) == pytest.approx(-3 * 9.81 * 0.3 * np.cos(angle), rel=1e-8)
    r = m.simulate(end=0.5, output=20, start=at)
    assert np.asarray(r["elbow.angle"]) == pytest.approx(angle, abs=1e-11)
    assert np.asarray(r["gear.hysteresis"]) == pytest.approx(float(at["gear.hysteresis"]), abs=1e-7)


# -- rigid


ERRORS = "errors: [{amplitude: 2 mrad}, {amplitude: 1 mrad, order: 4, phase: 0.3}]"


@pytest.mark.parametrize(
    ("held", "turns", "ratio"), [("circle", "flex", -100 / 2), ("flex", "circle", 102 / 2)]
)
def test_rigid_ratios_and_torques(held, turns, ratio):
    speeds = (100.0, 100 / ratio if turns == "flex" else 0.0, 100 / ratio if turns == "circle" else 0.0)
    m = gear(fields="radius: 0.04", held=held, loaded=turns, load="-3", speeds=speeds, wave="100*t")
    r = m.simulate(end=0.3, output=100)
    assert np.asarray(r[f"{turns}.angle"]) == pytest.approx(100 * r.t / ratio, abs=1e-10)
    assert np.asarray(r["motor.torque"]) == pytest.approx(3 / ratio, rel=1e-9)
    names = ("wave_generator", "flexspline", "circular_spline")
    assert np.abs(sum(np.asarray(r[f"gear.torque_{one}"]) for one in names)).max() < 1e-12


FREE = """
kind: KIND
gravity: GRAVITY
bodies:
  wave: {type: rotor, inertia: 1e-4, AXIS}
  arm: {type: rotor, inertia: 0.5, AXIS}
  housing: {type: rotor, inertia: 2, AXIS}
forces:
  gear: {type: strain_wave, wave_generator: wave, flexspline: arm, circular_spline: housing,
    teeth: [100, 102], AXIS, ERRORS}
  load: {type: actuator, joint: arm.bearing, value: 1}
  motor: {type: actuator, joint: wave.bearing, value: 0.1}
"""


def free(kind="planar", errors=ERRORS):
    text = FREE.replace("KIND", kind).replace("ERRORS", errors)
    text = text.replace("GRAVITY", "[0, 0]" if kind == "planar" else "[0, 0, 0]")
    return ww.loads(text.replace("AXIS", "comment: x" if kind == "planar" else "axis: [0.6, 0, 0.8]"))


@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_a_rigid_error_is_a_function_of_the_angle(kind):
    """phi_f + phi_w/N - error(phi_w) stays, torques follow by de/dphi_w, no energy is lost; in both formulations."""
    m = free(kind)
    runs = [
        m.simulate(end=0.5, output=250, formulation=f, rtol=1e-9, atol=1e-11) for f in ("absolute", "reduced")
    ]
    for r in runs:
        wave, arm, housing = (np.asarray(r[f"{name}.bearing.angle"]) for name in ("wave", "arm", "housing"))
        x = wave - housing
        error = 2e-3 * np.sin(2 * x) + 1e-3 * np.sin(4 * x + 0.3)
        assert np.asarray(r["gear.error"]) == pytest.approx(error, abs=1e-12)
        assert np.abs([wave[0], arm[0], housing[0]]).max() < 1e-12  # it begins where it was put
        assert arm - housing + x / 50 - error == pytest.approx(-1e-3 * np.sin(0.3), abs=1e-9)
        slope = 4e-3 * np.cos(2 * x) + 4e-3 * np.cos(4 * x + 0.3)
        on = [np.asarray(r[f"gear.torque_{n}"]) for n in ("wave_generator", "flexspline", "circular_spline")]
        assert on[0] == pytest.approx(on[1] * (1 / 50 - slope), abs=1e-9)
        assert np.abs(sum(on)).max() < 1e-9 * np.abs(on[2]).max()
        balance = r.energy_balance()
        assert np.abs(balance.remainder).max() < 1e-7 * balance.scale
    assert np.asarray(runs[0]["arm.angle"]) == pytest.approx(np.asarray(runs[1]["arm.angle"]), abs=1e-7)


def test_stiff_springs_approach_the_rigid_gear():
    errors = ERRORS.replace(", phase: 0.3", "")
    rigid = free(errors=errors).simulate(end=0.05, output=50)
    stiff = free(errors=errors + ", stiffness: 1e7, damping: 300").simulate(end=0.05, output=50)
    assert np.asarray(stiff["wave.angle"]) == pytest.approx(np.asarray(rigid["wave.angle"]), abs=3e-4)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ("damping: 3", "damping: requires a `stiffness`: without one it is rigid"),
        ("hysteresis: 2, hysteresis_angle: 0.1", "hysteresis: requires a `stiffness`"),
        ("limits: [2, 3]", "limits: requires a `stiffness`: without one it is rigid"),
        ("radius: 0", "must be greater than zero, but is 0 m"),
        ("errors: [{amplitude: 11 mrad}]", "adds up to 0.022, but must be less than 1/N = 0.02"),
    ],
)
def test_what_a_rigid_gear_cannot_have(fields, words):
    with pytest.raises(ww.ModelError) as caught:
        free(errors=fields)
    assert words in str(caught.value)


def test_the_picture_shows_teeth_in_mesh():
    """At the ends of the long axis teeth of the flexspline are at the pitch radius of the circular one, in its gaps."""
    r = gear(fields="radius: 0.04", speeds=(30.0, -0.6, 0.0), wave="30*t").simulate(end=0.2, output=40)
    scene = make_scene(r.motion)
    assert scene.movers == 100
    teeth = scene.position[:, len(scene.bodies) :]
    radius = np.linalg.norm(teeth, axis=2)
    lift = 0.04 * (1 - 100 / 102)
    assert radius.max() == pytest.approx(0.04, rel=1e-4)
    assert radius.min() == pytest.approx(0.04 - 2 * lift, rel=1e-3)
    for k in (0, 17, 40):
        angles = np.arctan2(teeth[k, :, 1], teeth[k, :, 0])
        along = np.cos(angles - 30 * r.t[k])
        gaps = angles * 102 / (2 * np.pi)
        near = np.abs(along) > np.cos(0.1)
        assert near.sum() >= 4
        assert gaps[near] == pytest.approx(np.round(gaps[near]), abs=0.02)  # of a pitch
