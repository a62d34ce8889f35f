"""What notebooks show: short tables, and the player in a frame."""

import html
import re
import sys
import types
from xml.etree import ElementTree

import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.engine.watch import NotebookBar, Watch


def rows(text):
    """First cell to second, of a table that must be well-formed."""
    table = ElementTree.fromstring(text)
    return {row[0].text: row[1].text for row in table.iter("tr")}


@pytest.fixture(scope="module")
def pendulum():
    m = ww.load(examples.path("pendulum"))
    m.name = "a < b & c"
    return m


def test_a_mechanism_shows_what_it_holds(pendulum):
    shown = rows(pendulum._repr_html_())
    assert shown["bodies"] == "1: ball"
    assert shown["joints"] == "1: hinge"
    assert "a &lt; b &amp; c" in pendulum._repr_html_()
    assert len(pendulum._repr_html_()) < 4000


def test_results_checks_modes_and_studies_are_short(pendulum):
    result = pendulum.simulate(end=0.5)
    shown = rows(result._repr_html_())
    assert shown["outcome"] == "t = 0.5 s: reached the end"
    assert shown["times"].endswith("from 0 to 0.5 s")
    assert rows(pendulum.check()._repr_html_())["degrees of freedom"] == "1 by rank, 1 by count"
    modes = pendulum.modes(at="equilibrium")
    assert rows(modes._repr_html_())["1"] == f"{modes.frequencies[0]:.6g}"
    study = ww.Study(pendulum, {"length": [0.4, 0.5]}, measures={"top": "greatest(ball.position.z)"}, end=0.1)
    assert rows(study._repr_html_())["varies"] == "length"


def test_the_player_stands_in_a_frame_and_loads_nothing(pendulum):
    for shown in (pendulum.inline(height=300), pendulum.simulate(end=0.1).inline()):
        text = shown._repr_html_()
        assert text.startswith('<iframe sandbox="allow-scripts"')
        inner = html.unescape(re.search(r'srcdoc="([^"]*)"', text)[1])
        assert inner == shown.html
        assert not re.search(r"""(src|href)=["']https?:""", inner)


def test_printed_objects_are_short(pendulum):
    assert len(str(pendulum).splitlines()) == 1
    assert len(str(pendulum.check()).splitlines()) < 16
    modes = pendulum.modes(at="equilibrium")
    assert str(modes).splitlines()[0] == "mode frequency [Hz]  damping ratio"
    assert f"{modes.frequencies[0]:.6g}" in str(modes)


def test_progress_is_drawn_below_a_cell(monkeypatch):
    """Without being asked for, and gone when the run is over; not in a terminal's IPython, which has no kernel."""
    drawn = []
    handle = types.SimpleNamespace(update=drawn.append)
    fake = types.SimpleNamespace(HTML=str, display=lambda shown, display_id: handle)
    shell = types.SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", fake)
    monkeypatch.setattr(NotebookBar, "SECONDS", 0.0)
    with Watch(0.0, 4.0, None, "a < b") as watch:
        watch._began -= 1.0  # as after a second
        for t in (1.0, 3.0):
            watch.step(t, 10)
    assert [re.search(r'value="([^"]*)"', text)[1] for text in drawn[:2]] == ["0.250", "0.750"]
    assert "a &lt; b" in drawn[0]
    assert "3 of 4 s" in drawn[1]
    assert drawn[-1] == ""
    shell.kernel = None
    assert not Watch(0.0, 1.0, None).show


@pytest.mark.slow
def test_a_real_notebook(monkeypatch):
    """Cells with all that notebooks show, run by a kernel of Jupyter: tables, the player, equations, one picture."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    monkeypatch.delenv("MPLBACKEND", raising=False)
    cells = [
        "import wheelwork as ww\nfrom wheelwork import examples\nm = ww.load(examples.path('pendulum'))\nm",
        "m.check()",
        "r = m.simulate(end=0.5)\nr",
        "r.inline()",
        "m.equations()",
        "r.plot('hinge.angle')",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    nbclient.NotebookClient(notebook, timeout=100, kernel_name="python3").execute()
    shown = [[one["data"] for one in cell.outputs] for cell in notebook.cells]
    assert all(len(outputs) == 1 for outputs in shown), [len(outputs) for outputs in shown]
    assert all("text/html" in outputs[0] for outputs in shown[:4])
    assert "$$" in shown[4][0]["text/markdown"]
    assert "image/png" in shown[5][0]
