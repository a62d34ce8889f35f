"""Figures of gears, vibration and graphs: labels with units, and what they show is what was computed."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.description import flatten
from wheelwork.gears import Gear, GearPair, RackPair
from wheelwork.gears.stiffness import EnergyMethod, Iso6336
from wheelwork.show.figures import gear_pairs, joint_graph, mesh_stiffness, train_flow
from wheelwork.show.figures.style import DARK, LIGHT
from wheelwork.show.player import picture_of_mode

pytestmark = pytest.mark.usefixtures("figures_closed")


PAIR = GearPair.of((20, 40), 3e-3, face_width=20e-3)


def test_stiffness_over_two_mesh_cycles():
    energy, iso = EnergyMethod(PAIR), Iso6336(PAIR)
    figure = mesh_stiffness({"energy": energy, "ISO 6336": iso}, force=1000.0)
    single, cycle = figure.axes
    assert single.get_ylabel() == "stiffness [N/µm]"
    assert single.get_xlabel().endswith("[mm]")
    assert [text.get_text() for text in cycle.get_legend().get_texts()] == ["energy", "ISO 6336"]
    phase, values = cycle.lines[0].get_data()
    np.testing.assert_allclose(values * 1e6, energy.mesh_stiffness(np.asarray(phase) % 1, 1000.0))
    assert np.ptp(cycle.lines[1].get_ydata()) == 0, "the standard has one number"


@pytest.mark.slow
def test_pairs_of_gears():
    rack = RackPair(Gear(20, 3e-3, face_width=20e-3), rack_face_width=20e-3)
    figure = gear_pairs({"pair": PAIR, "rack": rack}, theme="dark")
    assert [axis.get_xlabel() for axis in figure.axes] == ["x [mm]"] * 4
    colors = {line.get_color() for axis in figure.axes for line in axis.lines}
    assert {DARK.series[0], DARK.series[1], DARK.series[4]} <= colors
    reach = np.linalg.norm(figure.axes[0].lines[0].get_xydata(), axis=1).max()
    assert reach == pytest.approx(PAIR.a.tip_diameter / 2 * 1e3, rel=1e-3)


def test_power_through_a_train():
    from wheelwork.trains import GearTrain, TrainGraph, power_flow, speeds, torques

    train = GearTrain("row")
    for k in range(3):
        train.turning("ground", f"w{k + 1}", point=(k, 0, 0))
    for k in (1, 2):
        train.external(f"w{k}", f"w{k + 1}", (20, 20 * k), name=f"mesh{k}", efficiency=0.9)
    graph = TrainGraph(train)
    found = power_flow(torques(speeds(graph, {"w1": 100}), {"w3": -50}))
    axes = train_flow(found, theme="print").axes[0]
    words = [text.get_text() for text in axes.texts]
    assert {"w1", "w2", "w3", "mesh1", "mesh2", "loss mesh1", "loss mesh2"} <= set(words)
    # 50 N m at 100/2 rad/s go out, and each mesh lets 0.9 of it pass
    assert {"2.5 kW", "2.78 kW", "3.09 kW"} <= set(words)


@pytest.mark.slow
def test_power_of_a_run_is_that_of_its_drive_and_load():
    from wheelwork.show.figures.power_flow import flows_of

    r = ww.load(examples.path("planetary-gearbox")).simulate(end=4, output=200)
    flows = {(flow.start, flow.end): flow.power for flow in flows_of(r, 3.0, 4.0)}
    late = np.linspace(3, 4, 201)
    drive = float(np.mean(r.at(late)["drive.power"]))
    assert flows["drive", "sun"] == pytest.approx(drive, rel=1e-9)
    planets = [flows["sun", f"planet{k}"] for k in (1, 2, 3)]
    np.testing.assert_allclose(planets, planets[0], rtol=1e-7)
    # what the sun gets and does not hand on speeds it up
    assert sum(planets) == pytest.approx(drive, rel=5e-3)


@pytest.mark.slow
def test_vibration():
    m = ww.load(examples.path("drive-line"))
    modes = m.modes()
    shown = sum(mode.natural_frequency > 0 for mode in modes)
    figure = modes.plot(theme="dark")
    assert len(figure.axes) == 3 * min(shown, 6)
    assert figure.axes[-2].get_xlabel() == "share of the kinetic energy"
    response = m.frequency_response("shaft.error", ["fan.w"], np.linspace(1, 60, 50))
    top, below = response.plot(theme="dark").axes
    np.testing.assert_allclose(top.lines[0].get_ydata(), np.abs(response["fan.w"]))
    assert (below.get_xlabel(), below.get_ylabel()) == ("frequency [Hz]", "phase [deg]")
    name = next(iter(m.parameters))
    value = flatten(m).resolve_parameters({})[name]
    campbell = m.campbell(name, [0.9 * value, value, 1.1 * value], orders=())
    top, below = campbell.plot(theme="print").axes
    assert top.get_ylabel() == "frequency [Hz]"
    assert below.get_xlabel().startswith(name)
    assert len(top.lines) == shown


def test_arrows_of_modes_show_who_turns_which_way():
    """Three equal rotors in line: the outer ones against each other, the middle one at rest; then both against it,
    which turns twice as far."""
    m = ww.Mechanism("line", gravity=(0, 0, 0))
    for k, name in enumerate("abc"):
        m.add(name, ww.Rotor(inertia=1e-3, position=(0.1 * k, 0, 0.02 * k)))
    m.add("first", ww.TorsionalSpring(bodies=("a", "b"), stiffness=100))
    m.add("second", ww.TorsionalSpring(bodies=("b", "c"), stiffness=100))
    modes = m.modes()
    for number, expected in ((2, [1, 0, -1]), (3, [1, -2, 1])):
        shape = np.real(modes[number - 1].shape.reshape(3, 6)[:, 5])
        np.testing.assert_allclose(shape / shape[0], expected, atol=1e-6)
        picture, arcs = picture_of_mode(modes, modes[number - 1], (600, 300), dark=False)
        assert picture.shape == (300, 600, 4)
        assert 0.02 < np.mean(picture[:, :, 3] > 0) < 0.9
        shape = shape * np.sign(shape[np.argmax(np.abs(shape))])  # as a film begins
        turned = shape[np.abs(shape) > 1e-6]
        assert len(arcs) == len(turned) == np.count_nonzero(expected)
        middles = [float(arc[:, 0].mean()) for arc in arcs]
        assert middles == sorted(middles), "from left to right, as they stand"
        for arc, angle in zip(arcs, turned, strict=True):
            (u, v), (p, q) = arc[12] - arc[0], arc[-1] - arc[12]
            assert np.sign(u * q - v * p) == -np.sign(angle), "pixels count downward"


def test_arrows_of_modes_show_who_moves_where():
    """A rotor on two bearings: twice across its axis, once up or down along it, twice tilting."""
    modes = ww.load(examples.path("unbalanced-rotor")).modes(parameters={"off": 0})
    kinds = ""
    for mode in list(modes)[1:]:
        _, arrows = picture_of_mode(modes, mode, (600, 300), dark=True)
        assert len(arrows) == 1
        steps = np.diff(arrows[0], axis=0)
        straight = np.ptp(np.arctan2(*steps.T)) < 0.05
        kinds += "-|"[int(abs(steps[0, 0]) < 0.1 * abs(steps[0, 1]))] if straight else "o"
    assert kinds == "--|oo"


def test_graph_of_bodies_and_joints():
    flat = flatten(ww.load(examples.path("falling-cross")))
    axes = joint_graph(flat).axes[0]
    words = [text.get_text() for text in axes.texts]
    assert {"ground", *flat.bodies} <= set(words)
    joints = [line for line in axes.lines if line.get_color() == LIGHT.soft]
    assert len(joints) == len(flat.joints)
    contacts = [line for line in axes.lines if line.get_color() == LIGHT.series[2]]
    assert len(contacts) == 4, "the ground meets four balls"
