"""Friction wheels: Carter's creep, sliding when overloaded, an epicyclic friction drive against Willis; energy."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.show.scene import make_scene

MODEL = "{type: traction, press: 1000 N, friction: 0.3, stiffness: 2e7 N/m, creep: 0.004}"
TEXT = """
kind: planar
gravity: [0, 0]
parameters: {load: 5}
bodies:
  a: {type: rotor, inertia: 0.01, speed: 40}
  b: {type: rotor, inertia: 0.05, position: [DISTANCE, 0], speed: START}
meshes:
  pair: {type: KIND, bodies: [a, b], radii: [50 mm, 100 mm], model: MODEL}
forces:
  brake: {type: actuator, joint: b.bearing, value: "-sign(START)*load*min(t/0.1, 1)"}
drivers:
  shaft: {type: joint, joint: a.bearing, value: 40*t}
"""


def text(kind="external", model=MODEL):
    start, distance = ("-20", "150 mm") if kind == "external" else ("20", "-50 mm")
    out = TEXT.replace("START", start).replace("DISTANCE", distance)
    return out.replace("KIND", kind).replace("MODEL", model)


def run(kind="external", model=MODEL, load=5.0, **options):
    m = ww.loads(text(kind, model))
    return m.simulate(end=0.5, output=500, parameters={"load": load}, **options)


def late(r, name):
    return np.asarray(r[name])[400:]


@pytest.mark.parametrize("kind", ["external", "internal"])
@pytest.mark.parametrize("load", [5.0, 25.0])
def test_creep_is_carters(kind, load):
    """v_a - v_b = v xi (1 - sqrt(1 - F/(mu N))); v is the mean of both speeds."""
    r = run(kind, load=load)
    force = load / 0.1
    assert np.abs(late(r, "pair.force.tangential")) == pytest.approx(force, rel=1e-5)
    v_a, v_b = 40 * 0.05, np.abs(late(r, "b.w")) * 0.1
    expected = 0.004 * (1 - np.sqrt(1 - force / 300))
    assert (v_a - v_b) / ((v_a + v_b) / 2) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("slip_speed", [0.05, 5])
def test_slides_when_overloaded(slip_speed):
    """The wheel stops: the brake takes more than mu N r. Friction is mu N, whatever the speed of sliding."""
    model = MODEL.replace("}", f", slip_speed: {slip_speed} m/s}}").replace(
        "2e7 N/m", "5e5 N/m"
    )  # sliding is as stiff as this
    held = text(model=model).replace('"-sign(-20)*load*min(t/0.1, 1)"', "60*tanh(200*(-b.w))")
    r = ww.loads(held).simulate(end=0.2, output=500)
    assert np.abs(late(r, "b.w")).max() < 0.01
    assert late(r, "pair.slip") == pytest.approx(40 * 0.05, rel=1e-2)
    assert late(r, "pair.force.tangential") == pytest.approx(300, rel=1e-12)
    assert np.abs(np.asarray(r["pair.force.tangential"])).max() <= 300 * (1 + 1e-12)
    assert late(r, "pair.use") == pytest.approx(1, rel=1e-12)


def test_an_equilibrium_shears_the_contact_no_further_than_it_holds():
    """F/(k r_b) at rest, and creep of up to xi F/(2 mu N) of that, 3e-4; beyond mu N r_b = 30 N m there is none."""
    still = text().replace("40*t", "0*t").replace("speed: 40", "speed: 0").replace("speed: -20", "speed: 0")
    m = ww.loads(still.replace('"-sign(-20)*load*min(t/0.1, 1)"', "load"))
    at = m.equilibrium()
    assert float(at["b.angle"]) == pytest.approx(50 / 2e7 / 0.1, rel=3e-4)
    with pytest.raises(ww.ModelError, match="no equilibrium was found"):
        m.equilibrium(parameters={"load": 31})


def test_rigid_wheels_agree_but_for_creep():
    rigid, creeping = run(model="rigid"), run()
    assert late(rigid, "shaft.torque") == pytest.approx(late(creeping, "shaft.torque"), rel=1e-4)
    behind = np.abs(late(rigid, "b.angle")) - np.abs(late(creeping, "b.angle"))
    assert behind * 0.1 == pytest.approx(late(creeping, "pair.slipped") + 50 / 2e7, abs=1e-7)


def test_both_formulations():
    one, two = (run(formulation=f) for f in ("absolute", "reduced"))
    for name, scale in (("b.angle", 1e-8), ("pair.force.tangential", 1e-2), ("pair.slipped", 1e-9)):
        assert np.asarray(one[name]) == pytest.approx(np.asarray(two[name]), abs=scale)


@pytest.mark.parametrize("load", [5.0, 40.0])
def test_energy_is_accounted_for(load):
    r = run(load=load)
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < 1e-5 * balance.scale


EPICYCLIC = """
gravity: [0, 0, 0]
bodies:
  sun: {type: rotor, inertia: 0.01, speed: 40}
  carrier: {type: rotor, inertia: 0.05, speed: 10}
  planet: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [60 mm, 0, 0], velocity: [0, 0.6, 0],
    angular_velocity: [0, 0, -20]}
joints:
  pin: {type: revolute, bodies: [carrier, planet], point: [60 mm, 0, 0], axis: [0, 0, 1]}
meshes:
  inner: {type: external, bodies: [sun, planet], radii: [30 mm, 30 mm], model: MODEL}
  outer: {type: internal, bodies: [planet, ground], radii: [30 mm, 90 mm], model: MODEL}
forces:
  brake: {type: actuator, joint: carrier.bearing, value: "-8*min(t/0.1, 1)"}
drivers:
  shaft: {type: joint, joint: sun.bearing, value: 40*t}
"""


@pytest.mark.slow
def test_epicyclic_friction_drive():
    """Willis: w_sun/w_carrier = 1 + 90/30; with traction the creep of two contacts in series besides."""
    rigid = ww.loads(EPICYCLIC.replace("MODEL", "rigid")).simulate(end=0.5, output=200)
    assert np.asarray(rigid["carrier.w"]) == pytest.approx(10, rel=1e-9)
    r = ww.loads(EPICYCLIC.replace("MODEL", MODEL)).simulate(end=0.5, output=200)
    force = 8 / 4 / 0.03
    assert np.abs(np.asarray(r["inner.force.tangential"])[150:]) == pytest.approx(force, rel=1e-4)
    assert np.abs(np.asarray(r["outer.force.tangential"])[150:]) == pytest.approx(force, rel=1e-4)
    # against the carrier both contacts roll, and each loses creep of the mean of its two speeds
    creep = 0.004 * (1 - np.sqrt(1 - force / 300))
    lossy = 1 + 3 * ((1 + creep / 2) / (1 - creep / 2)) ** 2
    assert np.asarray(r["carrier.w"])[150:] == pytest.approx(40 / lossy, rel=1e-5)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("press: 1000 N", "press: 0 N", "must be greater than zero, but is 0 N"),
        ("friction: 0.3", "friction: -1", "must be greater than zero, but is -1"),
        (
            "radii: [50 mm, 100 mm]",
            "teeth: [20, 40], module: 5 mm",
            "must be `compliant`, `contact` or `rigid`",
        ),
        ("radii: [50 mm, 100 mm]", "radii: [50 mm, 100 mm], efficiency: 0.9", "have no `efficiency`"),
    ],
)
def test_what_does_not_fit(old, new, words):
    with pytest.raises(ww.ModelError) as caught:
        ww.loads(text().replace(old, new)).check()
    found = str(caught.value)
    assert words in found or ("traction" in found and "must be" in words)


def test_plain_wheels_are_drawn_plain():
    """Wheels that drive by friction have no teeth in pictures either."""
    scene = make_scene(ww.load(ww.examples.path("friction-planetary")).assemble().motion)
    wheels = [part for part in scene.parts if part.kind == "wheel"]
    assert len(wheels) == 5
    for part in wheels:
        radii = np.linalg.norm(part.solid.corners[:, :2], axis=1)
        assert len(np.unique(np.round(radii, 9))) <= 3
