"""What notebooks show: short tables, and the player in a frame."""

import html
import re
from xml.etree import ElementTree

import pytest

import wheelwork as ww
from wheelwork import examples


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
