"""`wheelwork modes`, `response` and `sweep`: tables, pictures, files, refusals."""

import json

import numpy as np
import pytest
import xarray as xr

CHAIN = """
name: chain
kind: planar
gravity: [0, 0]
parameters: {speed: 10 rad/s, moment: 0 N m}
bodies:
  motor: {mass: 1, inertia: 0.1}
  load: {mass: 1, inertia: 0.1}
joints:
  a: {type: revolute, bodies: [ground, motor], point: [0, 0]}
  b: {type: revolute, bodies: [ground, load], point: [0, 0]}
forces:
  shaft: {type: torsional_spring, bodies: [motor, load], stiffness: 500, damping: 0.5}
  drag: {type: torsional_spring, joint: b, stiffness: 0, damping: 0.4}
  pull: {type: torque, body: motor, value: moment + 2*cos(speed*t)}
"""
# they swing against each other: omega^2 = 2 k/J
HERTZ = np.sqrt(2 * 500 / 0.1) / (2 * np.pi)


@pytest.fixture
def chain(tmp_path, wheelwork):
    (tmp_path / "chain.yaml").write_text(CHAIN)
    return wheelwork


@pytest.mark.slow
def test_modes(chain, tmp_path):
    done = chain("modes", "chain.yaml", "--shapes", "--picture", "m.png", "-o", "m.nc")
    assert done.code == 0
    assert f"{HERTZ:.4f}"[:5] in done.out
    assert "shaft" in done.out
    assert "rigid" in done.out
    assert (tmp_path / "m.png").stat().st_size > 1000
    with xr.open_dataset(tmp_path / "m.nc", engine="h5netcdf") as stored:
        assert float(stored["natural_frequency"][1]) == pytest.approx(HERTZ)
    data = json.loads(chain("modes", "chain.yaml", "--json").out)
    assert data["data_vars"]["natural_frequency"]["data"][1] == pytest.approx(HERTZ)


PAIR = """
bodies:
  a: {type: rotor, inertia: 1e-3}
  b: {type: rotor, inertia: 4e-3, position: [60 mm, 0, 0]}
meshes:
  pair:
    type: external
    bodies: [a, b]
    teeth: [20, 40]
    module: 2 mm
    model: {type: compliant, stiffness: 1e8 N/m, backlash: 50 um, LAW}
"""


@pytest.mark.parametrize(("law", "told"), [("law: contact", True), ("law: linear", False)])
def test_modes_of_teeth_in_their_backlash(law, told, tmp_path, wheelwork):
    """Nothing touches there: two motions without a frequency, and a word of why."""
    (tmp_path / "pair.yaml").write_text(PAIR.replace("LAW", law))
    done = wheelwork("modes", "pair.yaml")
    assert done.code == 0
    assert ("2 rigid motions" in done.out) is told
    assert ("the teeth of mesh `pair` do not touch" in done.err) is told


SLIDER = """
name: slider
kind: planar
gravity: [0, 0]
bodies:
  hub: {mass: 1, inertia: 0.1, angular_velocity: 50}
  bob: {mass: 0.4, inertia: 0.001, position: [0.2, 0], velocity: [0, 10], angular_velocity: 50}
joints:
  bearing: {type: revolute, bodies: [ground, hub], point: [0, 0]}
  slide: {type: prismatic, bodies: [hub, bob], point: [0, 0], axis: [1, 0]}
forces:
  spring: {type: spring, bodies: [hub, bob], point_a: [-0.8, 0], point_b: [0.2, 0], stiffness: 4000, free_length: 0.95}
drivers:
  drive: {type: joint, joint: bearing, value: 50*t}
"""


@pytest.mark.slow
def test_modes_say_from_where_they_are_seen(tmp_path, wheelwork):
    """sqrt(k/m - W^2) on the hub; outside it is seen at W/2 pi more and less, and at its own frequency nowhere."""
    (tmp_path / "s.yaml").write_text(SLIDER)
    (tmp_path / "run.yaml").write_text(SLIDER + "analysis: {type: modes, frame: world}\n")
    own, turn = np.sqrt(7500) / (2 * np.pi), 50 / (2 * np.pi)
    data = json.loads(wheelwork("modes", "s.yaml", "--json").out)
    assert data["data_vars"]["natural_frequency"]["data"] == pytest.approx([own])
    assert "hub (bob)" in wheelwork("modes", "s.yaml").out
    for done in (
        wheelwork("modes", "s.yaml", "--frame", "world", "--json"),
        wheelwork("run", "run.yaml", "--json"),
    ):
        data = json.loads(done.out)
        (found,) = data["data_vars"]["natural_frequency"]["data"]
        assert any(found == pytest.approx(own + sign * turn) for sign in (1, -1))
        assert data["attrs"]["frame"] == "world"
    assert wheelwork("modes", "s.yaml", "--at", "steady").code == 0


@pytest.mark.slow
def test_campbell(chain, tmp_path):
    arguments = ["--campbell", "speed", "--from", "50", "--to", "2000 rpm", "--points", "5", "--order", "1"]
    done = chain("modes", "chain.yaml", *arguments, "--picture", "c.svg")
    assert done.code == 0
    assert "Critical values" in done.out
    assert f"{100:.5g}" in done.out  # sqrt(2 k/J), where the first order meets the mode
    assert (tmp_path / "c.svg").exists()


def test_response(chain):
    arguments = ["--input", "moment", "--signal", "shaft.torque", "--from", "0", "--to", "30"]
    done = chain("response", "chain.yaml", *arguments)
    assert done.code == 0
    assert "peak" in done.out


def test_stability(chain, tmp_path):
    done = chain("stability", "chain.yaml")
    assert done.code == 0
    assert "stable; about a steady motion, by eigenvalues" in " ".join(done.out.split())
    over = ["--parameter", "speed", "--from", "60 rad/s", "--to", "80 rad/s", "--points", "3"]
    done = chain("stability", "chain.yaml", *over, "--picture", "z.png", "--out", "z.nc")
    assert done.code == 0, done.err
    assert "0 unstable zones over speed" in " ".join(done.out.split())
    assert (tmp_path / "z.png").exists()
    with xr.open_dataset(tmp_path / "z.nc", engine="h5netcdf") as stored:
        assert stored["growth"].shape == (3,)


@pytest.mark.slow
def test_sweep(chain, tmp_path):
    arguments = ["--parameter", "speed", "--from", "60 rad/s", "--to", "80", "--points", "3", "--both"]
    spans = ["--frequency", "speed/(2*pi)", "--settle", "300", "--measure", "2", "--order", "1"]
    done = chain("sweep", "chain.yaml", *arguments, *spans, "--signal", "shaft.torque", "--picture", "s.png")
    assert done.code == 0, done.err
    assert "6 steady states" in done.out
    with xr.open_dataset(tmp_path / "chain-sweep.nc", engine="h5netcdf") as stored:
        amplitude = stored["amplitude"].sel(signal="shaft.torque", order=1).to_numpy()
    for k, w in enumerate((60.0, 70.0, 80.0)):
        spring = 500 + 0.5j * w
        M = np.array([[spring - 0.1 * w**2, -spring], [-spring, spring - 0.1 * w**2 + 0.4j * w]])
        x = np.linalg.solve(M, [2, 0])
        assert amplitude[:, k] == pytest.approx(abs(spring * (x[1] - x[0])), rel=1e-4)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["modes", "--campbell", "sped", "--from", "0", "--to", "1"], "did you mean `speed`"),
        (["modes", "--campbell", "speed", "--to", "1"], "--from"),
        (["modes", "--settle", "3 m"], "needs a time"),
        (["modes", "--planet", "mars", "--planet", "load"], "there is no body `mars`"),
        (["response", "--input", "x", "--signal", "a.w", "--from", "0", "--to", "1"], "neither a parameter"),
        (["response", "--input", "moment", "--signal", "a.w", "--from", "2", "--to", "1"], "0 <= from < to"),
        (["sweep", "--parameter", "speed", "--from", "1", "--to", "2"], "no signals to measure are given"),
        (["sweep", "--parameter", "speed", "--from", "1", "--to", "2 kg", "--signal", "a.w"], "angular"),
    ],
)
def test_mistakes(chain, arguments, words):
    verb, *rest = arguments
    done = chain(verb, "chain.yaml", *rest)
    assert done.code == 2
    assert words in " ".join(done.err.split())
