"""Pictures painted in NumPy: coverage, depth, and what a picture shows."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.show.player import film, film_before_run
from wheelwork.show.player.raster import Canvas, covered, rasterise
from wheelwork.show.player.render import Painter

from .models import gear_pair

ONE = np.array([[0, 1, 2]])
RED, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def test_triangle_covers_its_area():
    corners = np.array([[10.3, 12.1], [190.7, 40.2], [60.4, 170.9]])
    (a, b, c) = corners
    area = abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2
    found = covered(corners, ONE, Canvas(200, 180, np.zeros(3))).sum()
    # pixels on the edge are in or out: their number is the square root of the length of the edge, in all likelihood
    assert found == pytest.approx(area, abs=np.sqrt(600))


def test_a_triangle_that_leans_away_has_no_holes():
    """Its depth differs from pixel to pixel, and is rounded."""
    canvas = Canvas(60, 40, np.zeros(3))
    corners = np.array([[2.0, 1.0], [57.0, 3.0], [20.0, 38.0]])
    rasterise(corners, np.array([0.1, 0.7, 0.33]), ONE, np.array([RED, RED, RED]), canvas)
    assert np.array_equal(canvas.image[:, 0] > 0, covered(corners, ONE, canvas))


def test_neighbours_share_no_pixel_and_leave_none():
    """Two triangles of a square: every pixel once."""
    corners = np.array([[3.2, 5.7], [93.2, 5.7], [93.2, 75.7], [3.2, 75.7]])
    first, second = (
        covered(corners, np.array([face]), Canvas(100, 90, np.zeros(3))) for face in ([0, 1, 2], [0, 2, 3])
    )
    assert not np.any(first & second)
    assert (first | second).sum() == 90 * 70


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_nearer_one_is_seen(order):
    corners = np.array([[0, 0], [40, 0], [0, 40], [0, 0], [40, 0], [0, 40]], float)
    depth = np.array([1.0, 1, 1, 2, 2, 2])
    colors = np.array([RED] * 3 + [BLUE] * 3)
    canvas = Canvas(40, 40, np.zeros(3))
    for k in order:
        rasterise(corners, depth, np.array([[3 * k, 3 * k + 1, 3 * k + 2]]), colors, canvas)
    np.testing.assert_allclose(canvas.image[5 * 40 + 5], BLUE)


def test_colours_are_mixed_across():
    corners = np.array([[0, 0], [40, 0], [0, 40]], float)
    canvas = Canvas(40, 40, np.zeros(3))
    rasterise(corners, np.ones(3), ONE, np.array([RED, BLUE, RED]), canvas)
    pixel = canvas.image[10 * 40 + 10]
    np.testing.assert_allclose(pixel, [1 - 10.5 / 40, 0, 10.5 / 40], atol=1e-5)


def shade(image: np.ndarray, color: str) -> float:
    """Share of the pixels whose hue is that of a colour."""
    wanted = np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)], float)
    flat = image.reshape(-1, 3).astype(float)
    size = np.linalg.norm(flat, axis=1) + 1e-9
    return float(np.mean(flat @ wanted / size / np.linalg.norm(wanted) > 0.995))


@pytest.mark.slow
def test_picture_shows_both_wheels_and_can_leave_one_out(pair_film):
    blue, orange = "#2563b8", "#d9622b"
    whole = Painter(pair_film, (240, 160)).picture(0.0)
    assert whole.shape == (160, 240, 3)
    assert shade(whole, blue) > 0.03
    assert shade(whole, orange) > 0.08
    less = Painter(pair_film, (240, 160), hidden=("wheel",)).picture(0.0)
    assert shade(less, orange) < 0.001
    assert shade(less, blue) > 0.03


@pytest.mark.slow
def test_time_moves_the_wheels_and_forces_are_arrows(pair_film):
    painter = Painter(pair_film, (240, 160))
    first, later = painter.picture(0.0), painter.picture(0.004)  # 0.08 rad: not a whole pitch
    assert np.mean(np.any(first != later, axis=2)) > 0.01
    pushed = Painter(pair_film, (240, 160), forces=("mesh",)).picture(0.0)
    touched = pushed[np.any(pushed != first, axis=2)].astype(float).mean(axis=0)
    assert np.any(pushed != first, axis=2).sum() > 30
    assert touched[0] > 1.5 * touched[1:].max(), "red"
    dark = Painter(pair_film, (240, 160), dark=True).picture(0.0)
    assert dark[0, 0].max() < 40
    assert first[0, 0].min() > 240


@pytest.mark.slow
@pytest.mark.parametrize("model", ["helical-reducer", "planetary-gearbox"])
def test_names_do_not_cover_forces(model):
    """The white of a name where an arrow was: on a tenth of the arrows while names stood where their joints are."""
    r = ww.load(examples.path(model)).simulate(end=0.1, output=2)
    bare, shown, named = (
        Painter(film(r), (900, 600), **look).picture(0.1).astype(int)
        for look in ({}, {"forces": ("joint", "mesh")}, {"forces": ("joint", "mesh"), "named": True})
    )
    arrows = np.abs(shown - bare).sum(axis=2) > 60
    covered = arrows & (named.min(axis=2) > 235) & (shown.min(axis=2) < 200)
    assert arrows.sum() > 400
    assert covered.sum() < 0.02 * arrows.sum()


@pytest.mark.slow
def test_names_and_lines_are_painted(swinging):
    plain = Painter(film(swinging), (240, 160)).picture(0.0)
    assert shade(plain, "#6d747e") > 0.002, "rod and spring"
    before = film_before_run(gear_pair())
    unnamed, named = (Painter(before, (240, 160), named=on).picture(0.0) for on in (False, True))
    assert np.mean(np.any(unnamed != named, axis=2)) > 0.01
