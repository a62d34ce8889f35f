"""Pictures that pages draw themselves: ticks, labels, and graphs that matplotlib draws as well."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.description import flatten
from wheelwork.show.figures import sketch
from wheelwork.show.figures.joint_graph import joint_graph, train_of
from wheelwork.show.figures.panel import Panel
from wheelwork.show.figures.train_graph import train_graph
from wheelwork.show.report.svg import SKETCH, draw, inline


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.0, 0.1, [0, 0.02, 0.04, 0.06, 0.08, 0.1]), (-3.2, 7.1, [-2, 0, 2, 4, 6]), (1e6, 1.5e6, None)],
)
def test_ticks_are_round_and_inside(low, high, expected):
    found = sketch.ticks(low, high, 6)
    assert 2 <= len(found) <= 7
    assert found[0] >= low - 1e-9 * abs(high)
    assert found[-1] <= high * (1 + 1e-9)
    if expected is not None:
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_labels_say_their_numbers():
    for values in (
        np.array([0, 0.02, 0.04]),
        np.array([-2.5, 0, 2.5]),
        np.array([0, 2e-7]),
        np.array([1e6, 3e6]),
    ):
        texts, power = sketch.labels(values)
        factor = float(power.replace("−", "-") or 1)
        np.testing.assert_allclose([float(text.replace("−", "-")) * factor for text in texts], values)


def test_lines_are_where_their_values_are():
    t = np.linspace(0, 2, 5)
    panel = Panel("one", "N", [("a", np.array([0.0, 1.0, np.nan, 1.0, 0.0]))])
    drawing = draw(panel, t)
    root = ET.fromstring(drawing.svg)
    lines = [e.get("d") or "" for e in root.iter() if "var(--c0)" in (e.get("style") or "")]
    points = [tuple(map(float, p.split())) for p in re.split("[ML]", lines[0])[1:]]
    assert lines[0].count("M") == 2, "a gap where there is no number"
    expected = drawing.left + (drawing.right - drawing.left) * t[[0, 1, 3, 4]] / 2
    np.testing.assert_allclose([x for x, _ in points], expected, atol=0.06)
    assert points[0][1] == points[3][1] > points[1][1] == points[2][1], "up is up"


@pytest.mark.parametrize("values", [np.zeros(5), np.full(5, np.nan), np.full(5, 3.7), np.full(5, 1e-300)])
@pytest.mark.parametrize("log", [False, True])
def test_any_values_give_a_picture(values, log):
    ET.fromstring(draw(Panel("one", "N", [("a", values)], log=log), np.linspace(0, 1, 5)).svg)
    ET.fromstring(draw(Panel("one", "N", [("a", values[:1])], log=log), np.zeros(1)).svg)


@pytest.mark.slow
def test_graphs_have_the_words_that_matplotlib_writes():
    flat = flatten(ww.load(examples.path("planetary-stage")))
    train = train_of(flat)
    assert train is not None
    for make in (lambda theme: train_graph(train, theme=theme), lambda theme: joint_graph(flat, theme=theme)):
        root = ET.fromstring(inline(make(SKETCH)))
        written = {e.text for e in root.iter() if e.tag.endswith("text")}
        axes = make("print").axes[0]
        legend = axes.get_legend()
        assert {text.get_text() for text in [*axes.texts, *legend.get_texts()]} <= written
