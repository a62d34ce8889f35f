"""The check: degrees of freedom by count and by rank, redundant rows by name, loose bodies, masses."""

import json

import numpy as np
import pytest

import wheelwork as ww

from .models import four_bar, hinge, link, pendulum, slider_crank


def freedoms(m):
    found = m.check()
    return found.freedoms_by_count, found.freedoms_by_rank, len(found.redundant)


def free_body():
    m = ww.Mechanism("free")
    m.add("stone", ww.Body(mass=1, inertia=(1, 1, 1)))
    return m


def test_free_body():
    assert freedoms(free_body()) == (6, 6, 0)


JOINTS = {
    ww.Fixed: 6,
    ww.Revolute: 5,
    ww.Prismatic: 5,
    ww.Cylindrical: 4,
    ww.Universal: 4,
    ww.Spherical: 3,
    ww.Planar: 3,
    ww.PointOnLine: 2,
    ww.PointOnPlane: 1,
    ww.Distance: 1,
    ww.Rod: 1,
    ww.RevoluteSpherical: 2,
    ww.Screw: 5,
}


@pytest.mark.parametrize("joint", JOINTS, ids=lambda joint: joint.__name__)
def test_each_joint_takes_what_it_says(joint):
    m = free_body()
    placed = {"point": (0.3, 0.2, 0.1), "axis": (1, 2, 3)}
    if joint is ww.Fixed or joint is ww.Spherical:
        del placed["axis"]
    elif joint is ww.Universal:
        placed["axis2"] = (3, 0, -1)
    elif joint is ww.Screw:
        placed["lead"] = 0.01
    elif joint in (ww.Distance, ww.Rod):
        placed = {"point_a": (1, 1, 1), "point_b": (0.3, 0.2, 0.1)}
    elif joint is ww.RevoluteSpherical:
        placed = {"point_a": (2.3, -0.8, 0.1), "axis": (1, 2, 3), "point_b": (0.3, 0.2, 0.1)}
    m.add("joint", joint(bodies=("ground", "stone"), **placed))
    left = 6 - JOINTS[joint]
    assert freedoms(m) == (left, left, 0)


def test_pendulum_and_slider_crank():
    assert freedoms(pendulum()) == (1, 1, 0)
    assert freedoms(slider_crank()) == (-2, 1, 3)


def test_drivers_count():
    m = pendulum()
    m.add("motor", ww.JointDriver(joint="hinge", value="t"))
    assert freedoms(m) == (0, 0, 0)
    m.add("second", ww.JointDriver(joint="hinge", value="t"))
    found = m.check()
    assert (found.freedoms_by_count, found.freedoms_by_rank) == (-1, 0)
    assert found.redundant == ["second.angle"]


def test_redundant_rows_of_a_four_bar_are_named_in_the_last_joint():
    found = four_bar().check()
    assert {row.split(".")[0] for row in found.redundant} == {"D"}
    assert sum(".tilt" in row for row in found.redundant) == 2
    assert not found.singular_position


def test_flat_parallelogram_is_singular():
    """All links in one line: one freedom more than a moment later."""
    m = ww.Mechanism("flat")
    m.add("left", link((0, 0), (1, 0)))
    m.add("top", link((1, 0), (3, 0)))
    m.add("right", link((2, 0), (3, 0)))
    for name, a, b, x in (
        ("A", "ground", "left", 0),
        ("B", "left", "top", 1),
        ("C", "top", "right", 3),
        ("D", "ground", "right", 2),
    ):
        m.add(name, hinge(a, b, (x, 0)))
    found = m.check()
    assert found.singular_position
    assert found.freedoms_by_rank == 2
    assert len(found.redundant) == 3  # those of ordinary positions


def test_loose_bodies_are_named():
    m = pendulum()
    m.add("moon", ww.Body(mass=1, inertia=(1, 1, 1), position=(5, 0, 0)))
    m.add("dust", ww.Body(mass=1, inertia=(1, 1, 1), position=(6, 0, 0)))
    m.add("pair", ww.Spherical(bodies=("moon", "dust"), point=(5.5, 0, 0)))
    m.add("band", ww.Spring(bodies=("arm", "moon"), point_a=(1, 0, 0), point_b=(5, 0, 0), stiffness=1))
    found = m.check()
    assert found.loose_bodies == ["moon", "dust"]  # a spring ties nothing
    assert found.freedoms_by_rank == 1 + 12 - 3


def test_masses_and_moments():
    m = ww.Mechanism("block")
    shape = {"type": "box", "size": (0.2, 0.3, 0.4)}
    m.add("block", ww.Body(shape=shape, density=1000, orientation={"bryant_xyz": (0.1, 0.2, 0.3)}))
    (body,) = m.check().bodies
    assert body.mass == pytest.approx(24)
    assert body.principal_moments == pytest.approx(sorted(2 * np.array([0.25, 0.20, 0.13])), rel=1e-12)


def test_report_is_plain_data():
    found = four_bar().check().to_dict()
    assert json.loads(json.dumps(found))["redundant"] == found["redundant"]
    assert found["constraint_rows"] == 20


def test_equations_without_finite_values_are_refused_by_name(monkeypatch):
    """NumPy would say that a singular value decomposition did not converge."""
    from wheelwork.analyses.prepare import prepare
    from wheelwork.analyses.rank import analyse_rank

    at = prepare(four_bar())
    g, G, *rest = at.engine.constraints(0.0, at.numbers.state)
    G[at.program.constraints[1].first_row, 0] = np.inf
    monkeypatch.setattr(at.engine, "constraints", lambda t, y: (g, G, *rest))
    with pytest.raises(ww.ModelError, match="no finite values at t = 0 s") as caught:
        analyse_rank(at.engine, 0.0, at.numbers.state)
    assert at.program.constraints[1].name in caught.value.problems[0].path
