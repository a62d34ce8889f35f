"""The industrial arm: its parts, its gears at position and velocity level, energy, and its torques by other routes."""

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson

import wheelwork as ww
from builders.robot.__main__ import FILES
from builders.robot.kinematics import forward, inverse
from builders.robot.links import LINKS
from builders.robot.path import PICK, PLACE, moves
from builders.robot.ratios import gear_matrix, holding_torques
from builders.robot.runs import FLOOR, robot
from builders.robot.sizes import LARGE_REDUCER, LARGE_SPUR, REACH
from wheelwork import examples
from wheelwork.gears.interference import findings
from wheelwork.layout import layout_of
from wheelwork.trains import displacements

from .bundled import model, result

AXES = range(1, 7)
MATRIX = np.array([[float(ratio) for ratio in row] for row in gear_matrix()])


def of_axes(r, signal):
    """A signal of the six axes, (6, times)."""
    return np.array([r[f"axis{k}.{signal}"].to_numpy() for k in AXES])


def of_motors(r, signal):
    return np.array([r[f"rotor{k}-bearing.{signal}"].to_numpy() for k in AXES])


# -- what it is


@pytest.mark.parametrize("file", FILES)
def test_file_is_what_the_program_writes(file):
    assert (examples.path("robot").parent / file).read_text("utf-8") == FILES[file]().to_yaml()


@pytest.mark.slow
def test_bodies_and_joints_are_those_of_the_paper():
    m = model("robot")
    assert len(m.bodies) == 43
    assert len(m.joints) + len(m.meshes) == 95
    assert Counter(joint.type for joint in m.joints.values()) == {"revolute": 26, "planar": 48, "fixed": 1}
    assert Counter(mesh.type for mesh in m.meshes.values()) == {"external": 7, "bevel": 3, "internal": 10}


def test_size_is_that_of_the_data_sheet():
    assembly = robot("robot", FLOOR, "")
    assert pytest.approx(1.570, abs=5e-4) == REACH
    masses = {name: assembly.mass(name) for name in assembly.mechanism.bodies}
    assert masses.pop("payload") == 15
    assert sum(masses.values()) == pytest.approx(222, abs=0.5)
    # motors at 3000 rpm turn the axes at the speeds of the data sheet
    speeds = 3000 * 360 / 60 / np.diag(MATRIX)
    assert speeds == pytest.approx([152, 152, 152, 284, 293, 604], rel=0.01)


@pytest.mark.slow
def test_freedoms_and_redundant_constraints_by_name():
    """Six freedoms, one for each motor. Of each bolted connection three of nine constraints are redundant."""
    found = model("robot").check()
    assert (found.freedoms_by_rank, found.freedoms_by_count, found.singular_position) == (6, 6 - 48, False)
    bolted = {name[:-2] for name, joint in model("robot").joints.items() if joint.type == "planar"}
    assert len(bolted) == 16
    assert set(found.redundant) == {
        f"{name}-{row}" for name in bolted for row in ("y.tilt_x", "z.tilt_x", "z.tilt_y")
    }
    assert max(max(misfit.length, misfit.angle) for misfit in found.misfits) < 1e-15


@pytest.mark.slow
def test_teeth_can_be_made():
    """No interference, undercut or thin tips in any of the 20 meshes, and always a pair of teeth in contact."""
    pairs = layout_of(model("robot")).mesh_teeth
    assert len(pairs) == 20
    for one in pairs:
        if one.type != "bevel":
            assert one.pair is not None, one.why_not
            assert findings(one.pair) == [], one.name


@pytest.mark.slow
def test_ratios_of_the_graph():
    """Gear trains as a graph of links: exactly the matrix that the program derives by hand, in whole numbers."""
    found = displacements(layout_of(model("robot")).train_graph)
    assert found.chain[1:] == LINKS[1:]
    assert tuple(tuple(found.row(f"rotor{k}")) for k in AXES) == gear_matrix()


# -- under torques, for 10 s


@pytest.mark.slow
def test_gears_at_position_level():
    r = result("robot")
    worst = {name: float(abs(r[f"{name}.residual"]).max()) for name in model("robot").meshes}
    assert max(worst.values()) < 1e-10, worst  # m; found 3e-12


@pytest.mark.slow
def test_gears_at_velocity_level():
    r = result("robot")
    worst = {name: float(abs(r[f"{name}.slip"]).max()) for name in model("robot").meshes}
    assert max(worst.values()) < 1e-9, worst  # m/s; found 2e-14


def test_speeds_and_angles_follow_the_ratios():
    """Motors turn up to 54 times; a residual of 3e-12 m on the 15 mm of a crank, times 117, is 2e-8 of a turn."""
    r = result("robot")
    assert np.abs(of_motors(r, "angle")).max() > 50 * 2 * np.pi
    assert MATRIX @ of_axes(r, "w") == pytest.approx(of_motors(r, "w"), abs=1e-6)
    assert MATRIX @ of_axes(r, "angle") == pytest.approx(of_motors(r, "angle"), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("wheel", ["rotor1", "crank1"])
def test_slip_of_a_wheel_that_turns_alone(wheel):
    """At 1 rad/s about z through its centre of mass, against all constraints, it slips by the distance to the contact.

    For the rotor that is its pitch radius; the crank's counterweight is on the same side as the contact.
    """
    at = model("robot").assemble()
    program, state = at.prepared.program, at.state.copy()
    state[program.nq + 6 * program.bodies.index(wheel) + 5] = 1.0
    moving = replace(at, state=state)
    contact = -LARGE_SPUR.radii[1]  # on the x axis, the crank's axis being z
    assert moving["spur1.slip"] == pytest.approx(abs(contact - float(at[f"{wheel}.position"][0])), rel=1e-12)
    assert moving["spur2.slip"] == 0


def test_energy_balance():
    """Work of the motors less losses in their bearings is the change of energy; outputs every 5 ms, Simpson's rule."""
    r = result("robot")
    work = cumulative_simpson(of_drives(r).sum(axis=0), x=r.t, initial=0)
    energy = r["energy.total"].to_numpy()
    assert np.ptp(energy) > 200
    assert energy - energy[0] == pytest.approx(work, abs=2e-5)  # J


def of_drives(r):
    """Power that each motor gives less what its bearing takes [W]."""
    torque = [r[f"drive{k}.torque"].to_numpy() + r[f"losses{k}.viscous"].to_numpy() for k in AXES]
    return np.array(torque) * of_motors(r, "w")


@pytest.mark.slow
def test_minimal_coordinates_agree():
    """The same motion and tooth forces from 6 equations instead of 558, over a fifth of the run."""
    r = result("robot")
    reduced = model("robot").run(formulation="reduced", end=2, output=400)
    same = slice(len(reduced.t))
    np.testing.assert_allclose(reduced.t, r.t[same], rtol=1e-12)
    assert of_axes(reduced, "angle") == pytest.approx(of_axes(r, "angle")[..., same], abs=1e-6)
    for name in ("spur1", "planet2-in-output2", "bevel6b"):
        force = r[f"{name}.force.tangential"].to_numpy()[same]
        scale = np.abs(force).max()
        assert reduced[f"{name}.force.tangential"].to_numpy() == pytest.approx(force, abs=1e-5 * scale)


# -- pick and place


def test_kinematics_of_the_program():
    rng = np.random.default_rng(1)
    for _ in range(20):
        angles = rng.uniform([-3, -0.6, -0.8, -3, 0.1, -3], [3, 1.2, 0.9, 3, 2.2, 3])
        assert inverse(*forward(angles)) == pytest.approx(angles, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("t", "place"), [(2.1, PICK), (5.5, PLACE), (8.0, forward(np.zeros(6)))])
def test_flange_is_at_its_places(t, place):
    """Forward kinematics through 20 gears: motors by formulas of time, the flange where it was asked to be."""
    at = result("robot-pick-and-place").at(t)
    position, axes = place
    outside = at["flange.position"].to_numpy() + 0.01 * axes[:, 0]  # its middle is 10 mm behind its face
    assert outside == pytest.approx(position, abs=1e-8)
    along = at["payload.position"].to_numpy() - outside
    assert along == pytest.approx(0.12 * axes[:, 0], abs=1e-8)


def test_axes_follow_the_path():
    r = result("robot-pick-and-place")
    for move in moves():
        k = np.flatnonzero(np.isclose(r.t, move.start + move.duration))
        assert of_axes(r, "angle")[:, k[0]] == pytest.approx(move.angles, abs=1e-9)


@pytest.mark.slow
def test_holding_torques():
    """At the start nothing moves yet: the motors hold the weight, by virtual work, and pass it on from tooth to tooth.

    Redundant constraints are solved for with a small shift, which leaves some 1e-9 of the torques.
    """
    r = result("robot-pick-and-place")
    torque = np.array([float(r[f"drive{k}.torque"][0]) for k in AXES])
    held = holding_torques(robot("robot", FLOOR, ""), FLOOR)
    assert torque == pytest.approx(held, abs=1e-8)
    assert np.abs(held[:3]).max() > 1
    on_axis = (MATRIX.T @ held)[1]
    first = abs(float(r["spur2.force.tangential"][0]))
    last = abs(float(r["planet2-in-output2.force.tangential"][0]))
    assert first == pytest.approx(abs(held[1]) / LARGE_SPUR.radii[0], rel=1e-8)
    assert last == pytest.approx(abs(on_axis) / LARGE_REDUCER.rows[1].radii[1], rel=1e-8)


def test_work_along_the_path():
    """Power of the motors is the rate of the energy; there and back again it takes no work, since nothing is lost."""
    r = result("robot-pick-and-place")
    power = sum(r[f"drive{k}.power"].to_numpy() for k in AXES)
    work = cumulative_simpson(power, x=r.t, initial=0)
    energy = r["energy.total"].to_numpy()
    assert np.ptp(energy) > 500
    assert work == pytest.approx(
        energy - energy[0], abs=0.05
    )  # J; outputs every 20 ms, and kinks between moves
    assert energy[-1] == pytest.approx(energy[0], abs=1e-6)


@cache
def first_move():
    return model("robot-pick-and-place").inverse(end=moves()[0].duration, output=120)


@pytest.mark.slow
def test_torques_reproduce_the_path():
    """Inverse dynamics fed back: its torques as tables, and free motion goes where the drivers went.

    The arm is an inverted pendulum, so that errors of the tables grow; over the first move to 2e-8 rad.
    """
    driven, m = first_move(), model("robot-pick-and-place")
    for k in AXES:
        del m.drivers[f"drive{k}"]
        table = ww.Table(time=driven.t.tolist(), value=driven[f"drive{k}.torque"].to_numpy().tolist())
        m.add(f"drive{k}", ww.Actuator(joint=f"rotor{k}-bearing", value=table))
    free = m.simulate(end=float(driven.t[-1]), output=120, formulation="absolute")
    assert np.abs(of_axes(driven, "angle")[:, -1]).max() > 0.5
    assert of_axes(free, "angle") == pytest.approx(of_axes(driven, "angle"), abs=2e-7)
