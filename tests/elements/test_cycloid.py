"""Cycloid discs in rings of pins and pins in holes: rows, forces, load sharing, both rungs and both formulations."""

import numpy as np
import pytest
from equations.mesh_geometry import Geometry, X, Y, Z, frame
from scipy.integrate import quad

import wheelwork as ww
from wheelwork.gears import CycloidDrive
from wheelwork.show.scene import make_scene

LOBES, E, R = 11, 0.02, 0.5


def cycloid() -> Geometry:
    """A disc inside pins, the ring's centre to its left: pitch circles of radius e z and e (z + 1)."""
    K = E * (LOBES + 1) / R
    share = quad(lambda s: np.sin(s) * (np.cos(s) - K) / (1 + K * K - 2 * K * np.cos(s)), 0, np.pi)[0]
    extras = {
        "r_a": E * LOBES,
        "r_b": E * (LOBES + 1),
        "tan_alpha_t": 2 / np.pi * share,
        "pin_circle": R,
        "pin_radius": 0.05,
        "offset": 0.0,
        "shift": 0.0,
        "turned": 0.0,
        "pitch": 2 * np.pi * E,
        "phase": 0.0,
    }
    frames = frame(Z, X), frame(Z, X)
    return Geometry(
        (0 * X, -E * X), frames, E * LOBES * X, Z, X, Y, (LOBES, LOBES + 1), extras, senses=(1.0, 1.0)
    )


def coupling() -> Geometry:
    extras = {"r_a": 0.3, "r_b": 0.3, "eccentric": E, "clearance": 0.0, "count": 6.0, "turned": 0.0}
    extras |= {"pitch": 2 * np.pi * 0.3 / 6, "phase": 0.0}
    frames = frame(Z, X), frame(Z, X)
    return Geometry((0 * X, -E * X), frames, -E * X, Z, X, Y, (6, 6), extras, senses=(1.0, 1.0))


GEOMETRIES = {"cycloid": ("cycloid", cycloid), "pin coupling": ("pin_coupling", coupling)}

PINS = "{type: pins, elastic: {type: %s}, viscous: {type: hunt_crossley, factor: 50}}"
LINEAR = PINS % "linear, stiffness: 2e8"
TEXT = """
kind: planar
gravity: [0, 0]
parameters: {eccentric: 1.5 mm, torque: 20, offset: 0, hole: 0}
bodies:
  input: {mass: 0.3, inertia: 1e-4, position: [0, 0]}
  disc: {mass: 0.5, inertia: 6e-4, position: [eccentric, 0], angular_velocity: -10/11, velocity: [0, 10*eccentric]}
  output: {mass: 1, inertia: 2e-3, position: [0, 0], angular_velocity: -10/11}
joints:
  shaft: {type: revolute, bodies: [ground, input], point: [0, 0]}
  throw: {type: revolute, bodies: [input, disc], point: [eccentric, 0]}
  flange: {type: revolute, bodies: [ground, output], point: [0, 0]}
meshes:
  ring: {type: cycloid, bodies: [disc, ground],
    lobes: 11, pin_circle: 50 mm, pin_radius: 5 mm, offset: offset, model: MODEL}
  pins: {type: pin_coupling, bodies: [disc, output],
    pins: 6, pin_circle: 28 mm, pin_radius: 4 mm, clearance: hole, model: MODEL}
forces:
  load: {type: torque, body: output, value: "torque*min(t/0.1, 1)"}
drivers:
  motor: {type: joint, joint: shaft, value: 10*t}
"""


def run(model, formulation="auto", output=140, **parameters):
    m = ww.loads(TEXT.replace("MODEL", model))
    return m.simulate(end=0.7, output=output, formulation=formulation, parameters=parameters)


def mean(r, name, first=40):
    """Over half a turn and more, after the start has died away."""
    return float(np.mean(np.asarray(r[name])[first:]))


@pytest.fixture(scope="module")
def rigid():
    return run("rigid")


@pytest.fixture(scope="module")
def elastic():
    return run(LINEAR)


def test_rigid_ratio_torque_and_forces(rigid):
    """The flange turns 11 times slower, backwards; lobes push with T/(e z)."""
    assert np.asarray(rigid["output.angle"]) == pytest.approx(-10 * rigid.t / 11, abs=1e-12)
    assert mean(rigid, "motor.torque") == pytest.approx(20 / 11, rel=1e-12)
    assert mean(rigid, "ring.force.tangential") == pytest.approx(20 / (11 * 1.5e-3), rel=1e-12)
    assert mean(rigid, "ring.force.normal") == pytest.approx(4 * 20 / (1.5e-3 * 11 * 12), rel=1e-12)
    assert mean(rigid, "pins.force.normal") == pytest.approx(4 * 20 / (6 * 28e-3), rel=1e-12)
    assert mean(rigid, "pins.force.radial") == pytest.approx(4 * 20 / (np.pi * 28e-3), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["rigid", LINEAR])
def test_both_formulations(model):
    one, two = (run(model, formulation) for formulation in ("absolute", "reduced"))
    for name, scale in (
        ("output.angle", 1e-9),
        ("ring.force.tangential", 1e-2),
        ("throw.reaction.force.x", 1e-2),
    ):
        assert np.asarray(one[name]) == pytest.approx(np.asarray(two[name]), abs=scale)


@pytest.mark.slow
def test_elastic_lobes_agree_with_rigid_ones_in_the_mean(rigid, elastic):
    """Load is shared by itself as Malhotra and Parameswaran say: largest force, and the radial force that loads the
    eccentric. The means over pins run over 7 of 12 pitches of pins, so within a percent."""
    for name in ("motor.torque", "ring.force.tangential", "ring.force.radial"):
        assert mean(elastic, name) == pytest.approx(mean(rigid, name), rel=2e-3)
    assert mean(elastic, "ring.force.largest") == pytest.approx(mean(rigid, "ring.force.normal"), rel=0.02)
    assert mean(elastic, "pins.force.radial") == pytest.approx(-mean(rigid, "pins.force.radial"), rel=0.01)
    assert mean(elastic, "ring.loaded") == 6.0
    speed = np.polyfit(elastic.t[40:], np.asarray(elastic["output.angle"])[40:], 1)[0]
    assert speed == pytest.approx(-10 / 11, rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("model", [LINEAR, PINS % "power, force: 1000, depth: 6e-6, exponent: 10/9"])
def test_energy_is_accounted_for(model):
    r = run(model, output=1400, offset=5e-6, hole=5e-6)
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < 1e-4 * balance.scale


@pytest.mark.slow
def test_forces_of_lobes_with_clearance(elastic):
    """The run against the sharing worked out from arms and gaps alone, pin by pin, for the same clearance: what is left
    is the first order of the gaps, and the load that swings a little."""
    r = run(LINEAR, offset=8e-6, hole=0.0)
    drive = CycloidDrive(11, 50e-3, 5e-3, 1.5e-3, offset=8e-6)
    forces = np.array([np.asarray(r[f"ring.pin.{k}.force"]) for k in range(1, 13)])
    assert mean(r, "ring.loaded") < mean(elastic, "ring.loaded") - 1
    for k in range(60, 140, 9):
        turn = 10 * r.t[k]  # pin 1 was at the pitch point, which turns with the eccentric
        moment = float(np.asarray(r["ring.force.tangential"])[k]) * 11 * 1.5e-3
        shared, _ = drive.lobe_forces(moment, -turn, stiffness=2e8)
        assert forces[:, k] == pytest.approx(shared, abs=0.02 * shared.max())
        assert np.flatnonzero(shared > 30).tolist() == np.flatnonzero(forces[:, k] > 30).tolist()


@pytest.mark.slow
def test_modes_see_the_lobes():
    """Under load, the eccentric held: the flange on its pins, and these on the disc on its lobes."""
    springs = "{type: pins, elastic: {type: linear, stiffness: 2e8}}"
    text = TEXT.replace("MODEL", springs).replace("value: 10*t", "value: 0*t").replace("*min(t/0.1, 1)", "")
    text = text.replace(", angular_velocity: -10/11, velocity: [0, 10*eccentric]", "").replace(
        ", angular_velocity: -10/11", ""
    )
    modes = ww.loads(text).modes(at="equilibrium", parameters={"offset": 1e-6, "hole": 1e-6})
    drive = CycloidDrive(11, 50e-3, 5e-3, 1.5e-3)
    forces, _ = drive.lobe_forces(20.0)
    arms = drive.arms(drive.pin_angles())[forces > 0]
    # lobes on the disc, and the pins of the flange in series with them
    torsional = 2e8 * float(arms @ arms)
    pins = 2e8 * float(np.sum(np.maximum(28e-3 * np.sin(2 * np.pi * np.arange(6) / 6), 0) ** 2))
    M, K = np.diag([6e-4, 2e-3]), np.array([[torsional + pins, -pins], [-pins, pins]])
    expected = np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K))) / (2 * np.pi)
    assert sorted(modes.frequencies) == pytest.approx(sorted(expected), rel=0.02)


def test_a_ring_that_two_discs_share_has_one_set_of_pins():
    """Half a turn apart, with an odd number of pins: the second disc has a pin half a pitch beside its eccentric, and
    fits the pins of the first (no lobe is pressed)."""
    text = """
    kind: planar
    bodies:
      input: {mass: 1, inertia: 1e-3, position: [0, 0]}
      disc1: {mass: 1, inertia: 1e-3, position: [2 mm, 0]}
      disc2: {mass: 1, inertia: 1e-3, position: [-2 mm, 0]}
    joints:
      shaft: {type: revolute, bodies: [ground, input], point: [0, 0]}
      one: {type: revolute, bodies: [input, disc1], point: [2 mm, 0]}
      two: {type: revolute, bodies: [input, disc2], point: [-2 mm, 0]}
    meshes:
      ring1: {type: cycloid, bodies: [disc1, ground], lobes: 10, pin_circle: 50 mm, pin_radius: 5 mm, model: MODEL}
      ring2: {type: cycloid, bodies: [disc2, ground], lobes: 10, pin_circle: 50 mm, pin_radius: 5 mm, model: MODEL}
    """.replace("MODEL", PINS % "linear, stiffness: 1e8")
    at = ww.loads(text).assemble()
    for ring in ("ring1", "ring2"):
        assert float(at[f"{ring}.force.largest"]) < 1e-5  # 1e-13 m of round-off
    moved = ww.loads(text.replace("ring1: ", "turned: ")).assemble()
    assert float(moved["ring2.force.largest"]) < 1e-5


def test_a_disc_on_an_elastic_bearing_is_drawn_with_its_cam():
    """The bore was empty: where a joint has a cam of 0.97 of it, a bearing has one of 0.6 with an inner ring."""
    hinged = TEXT.replace("MODEL", LINEAR)
    line = next(line for line in hinged.splitlines() if line.strip().startswith("throw:"))
    elastic = line.replace("revolute", "bearing").replace("}", ", radial_stiffness: 1e8}")
    widths = []
    for text in (hinged, hinged.replace(line + "\n", "").replace("forces:\n", f"forces:\n{elastic}\n")):
        motion = ww.loads(text).assemble().motion
        shaft = motion.program.body_index("input")
        found = [part.solid.corners for part in make_scene(motion).parts if part.body == shaft]
        widths.append(max(np.linalg.norm(one[:, :2] - [1.5e-3, 0], axis=1).max() for one in found))
    assert widths[1] == pytest.approx((0.6 + 0.3 * 0.37) / 0.97 * widths[0], rel=1e-6)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("lobes: 11", "lobes: 11, pins: 13"), "a disc with 11 lobes runs inside 12 pins, but `pins` is 13"),
        (("eccentric: 1.5 mm", "eccentric: 4.5 mm"), "the eccentricity of 4.5 mm is too large: with 12 pins"),
        (
            ("pin_radius: 5 mm", "pin_radius: 10 mm", "eccentric: 1.5 mm", "eccentric: 3.6 mm"),
            "the lobes are undercut: the disc is made for pins of radius 10 mm",
        ),
        (("pins: 6", "pins: 2"), "must be a whole number, at least 3, but is 2"),
        (("pin_radius: 4 mm", "pin_radius: 13 mm"), "the holes run into each other: their radius is 14.5 mm"),
        (("clearance: hole", "clearance: -1 mm"), "must not be negative, but is -0.001 m"),
        (
            ("offset: offset", "offset: -0.2 mm"),
            "the disc overlaps the pins by up to 0.2 mm, so that it could not turn (take a larger `offset`",
        ),
        (("model: MODEL}\n  pins", "model: compliant}\n  pins"), "must be `pins` or `rigid`"),
        (
            ("model: MODEL}\n  pins", "model: {type: pins, elastic: johnson}}\n  pins"),
            "must be `linear` or `power`",
        ),
    ],
)
def test_what_does_not_fit(change, words):
    text = TEXT
    for old, new in zip(change[::2], change[1::2], strict=True):
        text = text.replace(old, new)
    with pytest.raises(ww.ModelError) as caught:
        ww.loads(text.replace("MODEL", "rigid")).check()
    assert words in str(caught.value)
