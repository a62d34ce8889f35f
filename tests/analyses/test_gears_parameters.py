"""Meshes whose sizes, places and phases are formulas of parameters; and what is said where they do not fit."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.cli import main

TRAIN = """
wheelwork: 1
name: train
gravity: [0, 0, 0]
parameters:
  m: 2 mm
  z1: 20
  z2: 35
  beta: 12 deg
  turn: 0 deg
  eta: 0.95
  d: (z1 + z2)*m/(2*cos(beta))
bodies:
  pinion: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], orientation: {axis: [0, 0, 1], angle: turn}}
  wheel: {mass: 2, inertia: [4e-3, 4e-3, 4e-3], position: [d, 0, 0]}
joints:
  on-pinion: {type: revolute, bodies: [ground, pinion], point: [0, 0, 0], axis: [0, 0, 1]}
  on-wheel: {type: revolute, bodies: [ground, wheel], point: [d, 0, 0], axis: [0, 0, 1]}
meshes:
  pair: {type: external, bodies: [pinion, wheel], teeth: [z1, z2], module: m, helix_angle: beta, efficiency: eta}
drivers:
  motor: {type: joint, joint: on-pinion, value: 30*t}
forces:
  load: {type: actuator, joint: on-wheel, value: 5}
"""


def train() -> ww.Mechanism:
    return ww.loads(TRAIN)


VALUES = [
    {},
    {"z1": 17, "z2": 61},
    {"m": "3.5 mm"},
    {"beta": "-20 deg"},
    {"beta": 0},
    {"turn": "77 deg"},
    {"eta": 0.8, "m": "1 mm", "z2": 20},
]


@pytest.mark.parametrize("values", VALUES, ids=str)
@pytest.mark.parametrize("how", ["parameters=", "with_parameters"])
def test_sweep(values, how):
    """Speeds, forces and losses with other values; the mesh is in phase wherever the bodies stand."""
    m = train()
    options = {"end": 0.5, "output": 5}
    r = (
        m.simulate(**options, parameters=values)
        if how == "parameters="
        else m.with_parameters(values).simulate(**options)
    )
    assert r.outcome.good, r.report
    p = {"m": 2e-3, "z1": 20, "z2": 35, "beta": np.radians(12), "eta": 0.95}
    given = {"3.5 mm": 3.5e-3, "1 mm": 1e-3, "-20 deg": np.radians(-20)}
    p |= {name: given.get(value, value) for name, value in values.items() if name != "turn"}
    assert r["on-wheel.angle"].to_numpy() == pytest.approx(-30 * r.t * p["z1"] / p["z2"], abs=1e-9)
    assert np.abs(r["pair.residual"].to_numpy()).max() < 1e-12
    radius = p["z2"] * p["m"] / 2 / np.cos(p["beta"])
    # the load gets F_t (1 - c/2), the motor gives F_t (1 + c/2)
    c = 2 * (1 - p["eta"]) / (1 + p["eta"])
    F = 5 / radius / (1 - c / 2)
    assert r["pair.force.tangential"].to_numpy()[1:] == pytest.approx(F, rel=1e-9)
    assert np.abs(r["pair.force.axial"].to_numpy()[1:]) == pytest.approx(
        abs(F * np.tan(p["beta"])), rel=1e-9, abs=1e-9
    )
    assert r["motor.torque"].to_numpy()[1:] == pytest.approx(5 * p["z1"] / p["z2"] / p["eta"], rel=1e-9)


def test_other_values_are_checked_as_well():
    m = train()
    m.joints["on-wheel"].point = (0.0562287327, 0, 0)  # the distance for the values as they are
    m.bodies["wheel"].position = (0.0562287327, 0, 0)
    assert m.simulate(end=0.01, output=1).outcome.good
    for run in (
        lambda: m.simulate(end=0.01, parameters={"m": "2.1 mm"}),
        lambda: m.with_parameters(m="2.1 mm").simulate(end=0.01),
    ):
        with pytest.raises(ww.ModelError, match=r"56\.2287327 mm apart, but pitch radii .* need 59\.0401"):
            run()


def test_phase_is_that_of_the_given_position():
    """Whatever the angles at the start, the wheels keep them: no tooth is moved."""
    for angle in np.radians([0, 3, 100, 181]):
        m = train().with_parameters(turn=float(angle))
        at = m.assemble()
        assert abs(at["pair.residual"]) < 1e-15
        q = at["pinion.orientation"]
        assert 2 * np.arctan2(q[3], q[0]) % (2 * np.pi) == pytest.approx(angle, abs=1e-12)


MISFITS = {
    "distance": (
        "position: [61 mm, 0, 0]",
        "type: external, teeth: [20, 40], module: 2 mm",
        "the axes are 61 mm apart, but pitch radii of 20 mm + 40 mm need 60 mm",
        "move the axes to 60 mm, or use a module of 2.03333333 mm",
    ),
    "not parallel": (
        "position: [60 mm, 0, 0], axis: [0, 0.01, 1]",
        "type: external, ratio: 2",
        "are at 0.572938698 deg, but must be parallel",
        "turn one of them",
    ),
    "ring": (
        "position: [21 mm, 0, 0]",
        "type: internal, teeth: [20, 40], module: 2 mm",
        "the axes are 21 mm apart, but pitch radii of 40 mm - 20 mm need 20 mm",
        "use a module of 2.1 mm",
    ),
    "apart": (
        "position: [50 mm, 1 mm, 0], axis: [1, 0, 0]",
        "type: bevel, teeth: [20, 40]",
        "pass each other 1 mm apart, but must meet",
        "move one of them",
    ),
    "contradiction": (
        "position: [60 mm, 0, 0]",
        "type: external, teeth: [20, 40], ratio: 2.5",
        "20 and 40 teeth make a ratio of 2, but `ratio` is 2.5",
        "leave one of them out",
    ),
    "friction without teeth": (
        "position: [60 mm, 0, 0]",
        "type: external, ratio: 2, friction: 0.1",
        "what is lost to friction depends on the numbers of teeth, but the sizes alone make 1 and 2",
        "give `teeth`, or `efficiency` instead",
    ),
    "friction with few teeth": (
        "position: [60 mm, 0, 0]",
        "type: external, teeth: [4, 8], friction: 0.1",
        "a wheel has 4 teeth: what is lost to friction is known for 5 and more",
        "give `efficiency` instead",
    ),
}


@pytest.mark.parametrize("name", MISFITS)
def test_misfits_on_the_command_line(name, tmp_path, capsys):
    """`wheelwork check` says where, what and what to do, without a traceback."""
    place, mesh, what, hint = MISFITS[name]
    if "bevel" not in mesh:
        place = place.replace(", 0]", ", 50 mm]", 1)  # in one plane with a
    file = tmp_path / "gears.yaml"
    file.write_text(
        "wheelwork: 1\nname: gears\nbodies:\n"
        "  a: {type: rotor, inertia: 1e-4, position: [0, 0, 50 mm]}\n"
        f"  b: {{type: rotor, inertia: 1e-3, {place}}}\n"
        f"meshes:\n  pair: {{bodies: [a, b], {mesh}}}\n",
        "utf-8",
    )
    code = main(["check", str(file)])
    text = " ".join("".join(capsys.readouterr()).split())
    assert code == 2
    assert "gears.yaml:7:" in text
    assert what in text
    assert hint in text
    assert "Traceback" not in text
