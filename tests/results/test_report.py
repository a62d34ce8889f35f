"""The HTML report: whole in one file, and saying what the result says."""

import json
import re

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.report import report_page, write_report
from wheelwork.report.choose import coordinates, panels
from wheelwork.report.plots import draw, thinned
from wheelwork.scene import make_scene
from wheelwork.scene.solids import box, cylinder, sphere, tube


@pytest.fixture(scope="module")
def page(swing):
    return report_page(swing)


def data_of(page: str) -> dict:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found.group(1))


def test_needs_nothing_from_outside(page):
    addresses = re.findall(r"""(?:src|href)\s*=\s*["']([^"'#]+)|url\(([^)#]+)\)|@import""", page)
    assert addresses == []
    assert set(re.findall(r"https?://[^\s\"'<]+", page)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


def test_says_what_was_run(page, swing):
    assert "<h1>pendulum</h1>" in page
    assert '<span class="badge">reached end</span>' in page
    assert "t = 2 s: reached the end" in page
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "method dopri5" in text
    assert "stabilisation projection (tolerance 1e-" in text
    assert "length 0.5 m" in text
    assert f"wheelwork {ww.__version__}" in text
    assert "type: revolute" in text


def test_plots_have_the_main_signals(swing, page):
    shown = panels(swing)
    assert [(p.title, p.unit) for p in shown] == [
        ("Angles", "rad"),
        ("Angular speeds", "rad/s"),
        ("Energy", "J"),
        ("Reaction forces, size", "N"),
        ("Constraint residuals, root mean square", "m, rad; per s"),
    ]
    assert [label for label, _ in shown[2].lines] == ["energy.kinetic", "energy.potential", "energy.total"]
    np.testing.assert_allclose(shown[3].lines[0][1], np.linalg.norm(swing["hinge.reaction.force"], axis=1))
    assert page.count("<figure") == page.count("</svg>") == 5


def test_colours_come_from_the_page(swing):
    drawing = draw(panels(swing)[2], swing.t)
    assert drawing.svg.startswith("<svg")
    assert all(f"stroke: var(--c{k})" in drawing.svg for k in range(3))
    assert "var(--ink-soft)" in drawing.svg
    assert "#0c0c" not in drawing.svg
    assert (drawing.start, drawing.end) == (0.0, 2.0)


def test_animation_follows_the_motion(swing, page):
    data = data_of(page)
    frames = len(data["t"])
    assert data["t"][0] == 0
    assert data["t"][-1] == 2
    poses = np.array(data["poses"]).reshape(frames, 1, 7)
    there = swing.at(data["t"])
    np.testing.assert_allclose(poses[:, 0, :3], there["bob.position"], atol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(poses[:, 0, 3:], axis=1), 1, atol=1e-4)
    assert np.all(np.sum(poses[1:, 0, 3:] * poses[:-1, 0, 3:], axis=1) > 0), "no jumps from e to -e"
    values = data["panels"][0]["values"][0]
    np.testing.assert_allclose(values, there["hinge.angle"], rtol=1e-3, atol=1e-3)


def test_names_cannot_break_the_page():
    m = ww.Mechanism("<script>alert(1)</script>", comment="a </script> & <b>bold</b> claim")
    m.add("ball", ww.Body(mass=1, inertia=(1, 1, 1)))
    page = report_page(m.simulate(end=1, output=4))
    assert "<script>alert" not in page
    assert "<b>bold" not in page
    assert page.count("<script") == page.count("</script>") == 2


def test_failure_and_events_are_shown(tmp_path):
    m = ww.Mechanism("ball")
    m.add("ball", ww.Body(mass=1, inertia=(1e-3,) * 3, position=(0, 0, 1)))
    sphere_, plane = ww.ContactSphere(body="ball", radius=0), ww.ContactPlane()
    m.add("bounce", ww.Contact(a=sphere_, b=plane, law=ww.Restitution(coefficient=0.8)))
    r = m.simulate(end=2, output=20, max_steps=25)
    write_report(r, tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text()
    assert '<span class="badge bad">too many steps</span>' in page
    assert "Raise `max_steps`" in page
    assert f"<h2>Events ({len(r.events)})</h2>" in page
    assert "<td>impact</td><td>bounce</td>" in page
    assert ("Displacements", "m") in [(p.title, p.unit) for p in panels(r)], (
        "positions, where no joint has a coordinate"
    )


def test_result_of_one_time_has_a_picture_too():
    m = ww.Mechanism("two")
    m.add("ball", ww.Body(mass=1, inertia=(1, 1, 1)))
    r = m.simulate(end=1, output=4).at([0.5])
    assert 'id="canvas"' in report_page(r)


def test_loaded_result_gives_the_same_page(swing, page, tmp_path):
    swing.save(tmp_path / "x.nc")
    assert report_page(ww.load_result(tmp_path / "x.nc")) == page


def test_rotors_are_discs_side_by_side_and_their_bearings_not_repeated():
    m = ww.Mechanism("line")
    for name, inertia in (("motor", 1.0), ("load", 0.1)):
        m.add(name, ww.Rotor(inertia=inertia, axis=(1, 0, 0)))
    m.add("shaft", ww.TorsionalSpring(bodies=("motor", "load"), stiffness=100))
    m.add("push", ww.Actuator(joint="motor.bearing", value=1))
    r = m.simulate(end=0.1, output=4)
    assert coordinates(r) == ["motor.angle", "load.angle"]
    scene = make_scene(r.motion)
    middles = [part.solid.corners.mean(axis=0) for part in scene.parts]
    assert abs(middles[1][0] - middles[0][0]) > 0.1 * scene.radius
    sizes = [np.abs(part.solid.corners[:, 1]).max() for part in scene.parts]
    assert sizes[0] > sizes[1]


@pytest.mark.parametrize(
    ("solid", "volume"),
    [
        (box((1, 2, 3)), 6),
        (cylinder(1, 2, 200), 2 * np.pi),
        (tube(2, 1, 1, 200), 3 * np.pi),
        (sphere(1, 120), 4 / 3 * np.pi),
        (box((1, 2, 3)).divided(0.4), 6),
    ],
    ids=["box", "cylinder", "tube", "sphere", "divided"],
)
def test_faces_close_and_look_outwards(solid, volume):
    """Gauss: the volume is a third of the sum of x . n over the faces; a face turned inwards would take away."""
    total = 0.0
    for face in solid.faces:
        p = solid.corners[face]
        for k in range(1, len(face) - 1):
            total += np.dot(p[0], np.cross(p[k], p[k + 1])) / 6
    assert total == pytest.approx(volume, rel=2e-3)


def test_springs_and_rods_are_lines():
    m = ww.Mechanism("swing")
    m.add("seat", ww.Body(mass=1, inertia=(1, 1, 1), position=(0, 0, -1)))
    m.add("rope", ww.Rod(bodies=("ground", "seat"), point_a=(0, 0, 0), point_b=(0, 0, -1)))
    m.add(
        "spring", ww.Spring(bodies=("ground", "seat"), point_a=(1, 0, -1), point_b=(0, 0, -1), stiffness=10)
    )
    scene = make_scene(m.simulate(end=0.1, output=2).motion)
    assert [line.kind for line in scene.lines] == ["rod", "spring"]
    (ground, point), (body, _) = scene.lines[1].ends
    assert (ground, body) == (-1, 0)
    np.testing.assert_allclose(point, [1, 0, -1])


def test_long_results_are_thinned_without_losing_peaks():
    t = np.linspace(0, 1, 100_001)
    values = np.zeros_like(t)
    values[54_321] = 7.0
    kept_t, kept = thinned(t, values)
    assert len(kept_t) <= 1502
    assert kept.max() == 7.0
    assert kept_t[0] == 0
    assert kept_t[-1] == 1
