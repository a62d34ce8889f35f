"""The HTML report: whole in one file, and saying what the result says."""

import json
import re

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.show.figures.panel import Panel
from wheelwork.show.report import report_page, write_report
from wheelwork.show.report.sections.plots import panels
from wheelwork.show.report.svg import NAMES, draw

from .words import text_of


def data_of(page: str) -> dict:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found.group(1))


@pytest.mark.slow
@pytest.mark.parametrize("which", ["page", "gearbox_page"])
def test_needs_nothing_from_outside(which, request):
    page = request.getfixturevalue(which)
    page = re.sub(r"[A-Za-z0-9+/]{300,}", "", page)  # numbers of films and pictures
    addresses = re.findall(r"""(?:src|href)\s*=\s*["']([^"'#]+)|url\(([^)#]+)\)|@import""", page)
    assert all(one.startswith("data:image/png;base64,") and not other for one, other in addresses)
    assert set(re.findall(r"https?://[^\s\"'<]+", page)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


def test_says_what_was_run(page, swing):
    assert "<h1>pendulum</h1>" in page
    assert '<span class="badge">reached end</span>' in page
    text = text_of(page)
    assert "t = 2 s: reached the end" in text
    assert "method dopri5" in text
    assert "stabilisation projection (tolerance 1e-" in text
    assert re.search(r"took [\d.e-]+ s, [\d.e+]+ times real time", text)
    assert "length 0.5 m" in text
    assert f"wheelwork {ww.__version__}" in text
    assert "type: revolute" in text
    assert "wheelwork run model.yaml" in text, "how to run it again"


def test_model_in_the_page_is_the_model(page, swing):
    from html import unescape

    found = re.search(r'<pre id="model">(.*?)</pre>', page, re.DOTALL)
    assert found is not None
    assert ww.loads(unescape(found.group(1))) == ww.loads(swing.provenance.model)


def test_plots_have_the_main_signals(swing, page):
    shown = panels(swing)
    assert [(p.title, p.unit) for p in shown] == [
        ("Angles", "rad"),
        ("Angular speeds", "rad/s"),
        ("Reaction forces, size", "N"),
        ("Constraint residuals, root mean square", "m, rad; per s"),
    ]
    np.testing.assert_allclose(shown[2].lines[0][1], np.linalg.norm(swing["hinge.reaction.force"], axis=1))
    # these, energies and their remainder; and the graph
    assert page.count("<figure") == 4 + 2 + 1


def test_gears_come_first_where_there_are_gears(gearbox):
    titles = [panel.title for panel in panels(gearbox)]
    assert titles[:2] == ["Angular speeds", "Tooth forces, tangential"]


def test_colours_come_from_the_page(swing):
    panel = Panel("three", "N", [(name, swing["hinge.angle"].to_numpy() + k) for k, name in enumerate("abc")])
    drawing = draw(panel, swing.t)
    assert drawing.svg.startswith("<svg")
    assert all(f"stroke: var(--c{k})" in drawing.svg for k in range(3))
    assert drawing.svg.count("stroke-dasharray") >= 2, "the second and third line are dashed"
    assert "var(--ink)" in drawing.svg
    assert not any(stand_in in drawing.svg for stand_in in NAMES)
    assert (drawing.start, drawing.end) == (0.0, 2.0)


def test_a_power_of_ten_has_room_above_the_axis(swing):
    """Its baseline is as far below the edge of the picture as the letters are high."""
    small = draw(Panel("small", "J", [("rest", 1e-9 * swing["hinge.angle"].to_numpy())]), swing.t).svg
    power = re.search(r'y="([\d.]+)"[^>]*>1e\u22129<', small)
    assert power is not None
    assert float(power[1]) > 8.5


def test_values_under_the_cursor(swing, page):
    data = data_of(page)
    assert (data["start"], data["end"]) == (0, 2)
    values = data["panels"][0]["values"][0]
    times = np.linspace(0, 2, len(values))
    np.testing.assert_allclose(values, swing.at(times)["hinge.angle"], rtol=1e-3, atol=1e-4)


def test_names_cannot_break_the_page():
    m = ww.Mechanism("<script>alert(1)</script>", comment="a </script> & <b>bold</b> claim")
    m.add("ball", ww.Body(mass=1, inertia=(1, 1, 1)))
    page = report_page(m.simulate(end=1, output=4))
    assert "<script>alert" not in page
    assert "<b>bold" not in page
    assert page.count("<script") == page.count("</script>") == 3


def test_failure_and_events_are_shown(tmp_path):
    m = ww.Mechanism("ball")
    m.add("ball", ww.Body(mass=1, inertia=(1e-3,) * 3, position=(0, 0, 1)))
    sphere, plane = ww.ContactSphere(body="ball", radius=0), ww.ContactPlane()
    m.add("bounce", ww.Contact(a=sphere, b=plane, law=ww.Restitution(coefficient=0.8)))
    r = m.simulate(end=2, output=20, max_steps=25)
    write_report(r, tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text()
    assert '<span class="badge bad">too many steps</span>' in page
    assert "Raise max_steps" in text_of(page).split("What was run")[0], "among the warnings, at the top"
    assert f"<h2>Events ({len(r.events)})</h2>" in page
    assert "<td>impact</td><td>bounce</td>" in page
    assert ("Displacements", "m") in [(p.title, p.unit) for p in panels(r)], (
        "positions, where no joint has a coordinate"
    )


@pytest.mark.slow
def test_result_of_one_time_has_a_picture_too():
    m = ww.Mechanism("two")
    m.add("ball", ww.Body(mass=1, inertia=(1, 1, 1)))
    r = m.simulate(end=1, output=4).at([0.5])
    assert 'class="player"' in report_page(r)


@pytest.mark.slow
def test_loaded_result_gives_the_same_page(swing, page, tmp_path):
    swing.save(tmp_path / "x.nc")
    assert report_page(ww.load_result(tmp_path / "x.nc")) == page
