"""Pictures of graphs show every link and every edge, and no edge runs through a vertex that is not its own."""

import numpy as np
import pytest
from matplotlib.patches import Polygon

from wheelwork.show.figures.style import LIGHT
from wheelwork.trains import TrainGraph
from wheelwork.trains.layout import alike, arrange

from .trains import bevel_differential, planetary, ravigneaux, row_of_wheels, wolfrom, wrist

pytestmark = pytest.mark.usefixtures("figures_closed")

THIN, HEAVY = LIGHT.soft, LIGHT.series[1]
TRAINS = [
    wrist(),
    planetary(planets=3),
    wolfrom(18, 27, 72, 26, 71),
    ravigneaux(30, 36, 18, 18, 72),
    bevel_differential(),
]
NAMES = [graph.train.name for graph in TRAINS]


def lines(figure, color):
    return [line for line in figure.axes[0].lines if line.get_color() == color]


@pytest.mark.parametrize("graph", TRAINS, ids=NAMES)
@pytest.mark.parametrize("canonical", [True, False])
def test_everything_is_there(graph, canonical):
    figure = graph.plot(canonical=canonical, every_planet=True)
    axes = figure.axes[0]
    assert len(lines(figure, THIN)) == len(graph.train.pairs)
    assert len(lines(figure, HEAVY)) == len(graph.train.gears)
    assert len([p for p in axes.patches if isinstance(p, Polygon)]) == len(graph.level)
    texts = [text.get_text() for text in axes.texts]
    assert {*graph.level, *graph.axes} <= set(texts)
    teeth = [f"{g.sizes[0]}:{g.sizes[1]}" for g in graph.train.gears.values()]
    assert all(texts.count(pair) >= teeth.count(pair) for pair in teeth)


@pytest.mark.parametrize("graph", TRAINS, ids=NAMES)
def test_vertices_are_apart_and_the_base_is_on_top(graph):
    places = arrange(graph, {link: link for link in graph.level})
    points = np.array(list(places.values()))
    gaps = np.abs(points[:, None] - points[None])
    apart = (gaps[..., 0] > 0.99) | (gaps[..., 1] > 0.99)
    assert (apart | np.eye(len(points), dtype=bool)).all()
    assert max(places, key=lambda link: places[link][1]) == "ground"


@pytest.mark.slow
def test_edges_keep_clear_of_other_vertices():
    graph = wrist()
    places = arrange(graph, {link: link for link in graph.level})
    figure = graph.plot()
    ends = {tuple(np.round(p, 6)): link for link, p in places.items()}
    for line in figure.axes[0].lines:
        points = np.array(line.get_data()).T
        own = {ends[tuple(np.round(points[k], 6))] for k in (0, -1)}
        for link, place in places.items():
            if link not in own:
                assert np.linalg.norm(points - place, axis=1).min() > 0.3


def test_planets_that_do_the_same_are_one_vertex():
    graph = planetary(planets=3)
    assert alike(graph)["planet1"] == ["planet1", "planet2", "planet3"]
    figure = graph.plot()
    assert len(lines(figure, HEAVY)) == 2
    assert "planet1 × 3" in [text.get_text() for text in figure.axes[0].texts]
    # Not so where one has other teeth, or where they hand on to different wheels.
    train = planetary(planets=2).train
    train.turning("arm", "odd", point=(0, 3, 0))
    train.external("sun", "odd", (40, 17))
    assert alike(TrainGraph(train))["odd"] == ["odd"]
    assert all(len(same) == 1 for same in alike(ravigneaux(30, 36, 18, 18, 72)).values())
    assert all(len(same) == 1 for same in alike(wrist()).values())


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_file(tmp_path, ending):
    path = tmp_path / f"graph.{ending}"
    row_of_wheels(10, 20, 30).plot().savefig(path)
    start = path.read_bytes()[:200]
    assert (b"<?xml" in start) if ending == "svg" else start.startswith(b"\x89PNG")


@pytest.mark.slow
def test_nothing_is_cut_off_at_the_edge():
    """The arc 27:72 of the bundled stage in contact bulges beyond the boxes of the links."""
    from wheelwork import examples, load

    figure = load(examples.path("planetary-contact")).gear_train().plot()
    axes = figure.axes[0]
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    for line in axes.lines:
        x, y = line.get_data()
        assert left < min(x)
        assert max(x) < right
        assert low < min(y)
        assert max(y) < high
    figure.canvas.draw()
    inside = axes.get_window_extent()
    for text in axes.texts:
        box = text.get_window_extent()
        assert inside.x0 <= box.x0, text.get_text()
        assert box.x1 <= inside.x1, text.get_text()
