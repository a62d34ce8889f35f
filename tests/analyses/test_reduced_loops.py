"""Loops with more rows than freedoms, in minimal coordinates: the motion is that in absolute coordinates."""

import numpy as np
import pytest

import wheelwork as ww
from robustness import random_mechanism
from wheelwork import examples


def four_bar(axis: np.ndarray, points: list[np.ndarray]) -> ww.Mechanism:
    """Four hinges about one direction: three of the twenty rows of its loop are redundant wherever it is."""
    m = ww.Mechanism("four-bar")
    for name, a, b in zip(("crank", "rod", "rocker"), points[:-1], points[1:], strict=True):
        m.add(name, ww.Body(mass=1.0, inertia=(0.01, 0.02, 0.015), position=tuple((a + b) / 2)))
    chain = ["ground", "crank", "rod", "rocker", "ground"]
    for k, point in enumerate(points):
        m.add(f"hinge{k}", ww.Revolute(bodies=(chain[k], chain[k + 1]), point=tuple(point), axis=tuple(axis)))
    return m


def turned_four_bar(seed: int) -> ww.Mechanism:
    """The same four points in a plane that lies anyhow in space."""
    rng = np.random.default_rng(seed)
    frame = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    flat = ((0, 0), (0.1, 0.3), (0.6, 0.4), (0.5, 0))
    return four_bar(frame[:, 2], [x * frame[:, 0] + y * frame[:, 1] for x, y in flat])


ABOUT_111 = [np.array(p) for p in ((0, 0, 0), (0.2, -0.4, 0.2), (0.7, -0.2, -0.5), (0.5, 0, -0.5))]


@pytest.mark.parametrize(
    "m", [four_bar(np.ones(3), ABOUT_111), *map(turned_four_bar, range(3))], ids=["111", "0", "1", "2"]
)
def test_four_bar_falls_whatever_way_its_axes_point(m: ww.Mechanism):
    runs = [m.simulate(end=0.8, output=40, formulation=name) for name in ("absolute", "reduced")]
    absolute, reduced = (np.asarray(r["rod.position"]) for r in runs)
    assert np.ptp(absolute, axis=0).max() > 0.1
    assert reduced == pytest.approx(absolute, abs=1e-7)  # rtol 1e-8 over some hundred steps
    energy = np.asarray(runs[1]["energy.total"])
    assert np.ptp(energy) < 1e-7 * np.ptp(np.asarray(runs[1]["energy.kinetic"]))


@pytest.mark.parametrize("seed", [5000, 5010, 5014, 5021])
def test_random_loops_move_as_in_absolute_coordinates(seed: int):
    # frozen or without an end while a row of nothing but round-off counted as one
    _, m, _ = random_mechanism(seed)
    runs = [m.simulate(end=0.3, output=30, formulation=name) for name in ("absolute", "reduced")]
    assert all(r.outcome.good for r in runs)
    for body in m.bodies:
        absolute, reduced = (np.asarray(r[f"{body}.position"]) for r in runs)
        assert reduced == pytest.approx(absolute, abs=1e-6)


def test_loop_through_a_singular_position():
    # equal opposite links: the loop goes through the position in which all of them are in one line
    points = [np.array(p) for p in ((0, 0, 0), (0.0, 0.3, 0.0), (0.5, 0.3, 0.0), (0.5, 0, 0.0))]
    frame = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]
    m = four_bar(frame[:, 2], [frame @ p for p in points])
    spin = tuple(8.0 * frame[:, 2])
    for body, p in (("crank", (0.0, 0.15, 0)), ("rocker", (0.0, 0.15, 0)), ("rod", (0.0, 0.3, 0))):
        m.bodies[body].angular_velocity = spin if body != "rod" else (0.0, 0.0, 0.0)
        m.bodies[body].velocity = tuple(np.cross(spin, frame @ np.array(p)))
    r = m.simulate(end=1.0, output=100, formulation="reduced")
    assert r.outcome.good
    energy = np.asarray(r["energy.total"])
    assert np.ptp(energy) < 1e-5 * np.abs(energy).max()
    assert float(r.statistics.worst_residual) < 1e-9


def rhombus(excess: float) -> ww.Mechanism:
    """Four links of one length, one of them longer by `excess`: then the ratio of its angles is not constant."""
    m = ww.Mechanism("rhombus", kind="planar")
    top, rod = np.array([0.6, 0.8]), 1 + excess
    # the far end of the rod, a rod from `top` and a rocker from (1, 0)
    across, base = np.linalg.norm(top - [1, 0]), np.array([1, 0]) - top
    along = (rod**2 - 1 + across**2) / (2 * across)
    far = top + along * base / across + np.sqrt(rod**2 - along**2) * np.array([-base[1], base[0]]) / across
    points = [np.zeros(2), top, far, np.array([1.0, 0])]
    for name, a, b in zip(("crank", "rod", "rocker"), points[:-1], points[1:], strict=True):
        m.add(name, ww.Body(mass=1.0, inertia=0.1, position=tuple((a + b) / 2)))
    chain = ["ground", "crank", "rod", "rocker", "ground"]
    for k, point in enumerate(points):
        m.add(f"hinge{k}", ww.Revolute(bodies=(chain[k], chain[k + 1]), point=tuple(point)))
    return m


def test_a_rhombus_has_one_coordinate():
    r = rhombus(0.0).simulate(end=0.3, output=10, formulation="reduced")
    assert "reduced: 1 coordinate " in r.statistics.formulation
    assert "close loops" not in r.statistics.formulation


@pytest.mark.parametrize("excess", [1e-4, 1e-7, 1e-8])
def test_an_almost_constant_ratio_is_none(excess: float):
    m = rhombus(excess)
    runs = [m.simulate(end=0.3, output=10, formulation=name) for name in ("absolute", "reduced")]
    assert "close loops" in runs[1].statistics.formulation
    assert float(runs[1].statistics.worst_residual) < 1e-10
    absolute, reduced = (np.asarray(r["rod.angle"]) for r in runs)
    assert np.abs(absolute).max() > 0.01 * excess  # it turns
    assert reduced == pytest.approx(absolute, abs=1e-8)  # of the tolerance of the runs


@pytest.mark.parametrize("rtol", [1e-5, 1e-8])
def test_rows_that_are_redundant_by_shape_do_not_hold_steps_back(rtol):
    """Bricard's loop moves by its shape alone: off it, by a step's error, its rows are independent and hold it."""
    m = ww.load(examples.path("bricard"))
    runs = [
        m.simulate(end=1, output=20, formulation=formulation, rtol=tolerance, atol=tolerance / 100)
        for formulation, tolerance in (("reduced", rtol), ("absolute", rtol), ("absolute", 1e-11))
    ]
    reduced, absolute, exact = runs
    assert reduced.statistics.formulation.startswith("reduced")
    for run in (reduced, absolute):
        assert run.statistics.rejected <= 2
        found = run["bar3.position"].to_numpy()
        assert found == pytest.approx(exact["bar3.position"].to_numpy(), abs=100 * rtol)
    assert reduced.statistics.steps < 1.5 * absolute.statistics.steps


RODS = (
    ((0.0, -0.3, 0.2), (0.05, 0.1, 0.15)),
    ((0.0, 0.3, 0.25), (-0.05, 0.12, 0.18)),
    ((0.0, -0.25, -0.2), (0.04, 0.1, -0.15)),
    ((0.0, 0.35, -0.15), (-0.03, 0.12, -0.12)),
    ((0.3, 0.1, -0.05), (0.1, -0.1, 0.02)),
)
"""Ends of the five links of a wheel's suspension: on the car, and on the carrier of the wheel."""


@pytest.mark.parametrize("ball", [False, True])
def test_several_joints_between_two_bodies_need_not_leave_an_axis(ball: bool):
    # one freedom is left, and its axis moves: as a hinge about the axis at the start, the rods froze it or held it up
    m = ww.Mechanism("suspension")
    at = np.array([0.4, 0.0, 0.0])
    m.add("carrier", ww.Body(mass=12.0, inertia=(0.2, 0.3, 0.25), position=(0.45, 0.02, 0.0)))
    if ball:
        m.add("ball", ww.Spherical(bodies=("ground", "carrier"), point=tuple(at + RODS[0][1])))
    for k, (car, carrier) in enumerate(RODS[3:] if ball else RODS):
        fields = {"point_a": car, "point_b": tuple(at + carrier)}
        m.add(f"rod{k}", ww.Distance(bodies=("ground", "carrier"), **fields))
    runs = [m.simulate(end=0.3, output=30, formulation=name) for name in ("absolute", "reduced")]
    assert all(r.outcome.good for r in runs)
    assert runs[1].statistics.formulation.startswith("reduced")
    absolute, reduced = (np.asarray(r["carrier.position"]) for r in runs)
    assert np.ptp(absolute, axis=0).max() > 0.05
    assert reduced == pytest.approx(absolute, abs=1e-7)
    assert runs[1].statistics.steps < 3 * runs[0].statistics.steps
    energy = np.asarray(runs[1]["energy.total"])
    assert np.ptp(energy) < 1e-7 * np.ptp(np.asarray(runs[1]["energy.kinetic"]))
