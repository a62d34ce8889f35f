"""Mechanisms in the guide: meshes fit together, planar ones can be read and move as the text says."""

import numpy as np
import pytest
from pages import blocks, page

from wheelwork.description import ModelError, flatten
from wheelwork.description import loads as described
from wheelwork.layout import layout_of
from wheelwork.mechanism import loads

PAGE = page("guide/meshes")
EXAMPLES = blocks(PAGE, "yaml")
PLANAR = [block for block in blocks(page("guide/description"), "yaml") if "kind: planar" in block]


def geometries(text):
    flat = flatten(described(text))
    return layout_of(flat).meshes


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples_on_the_page(text):
    assert geometries(text)


def test_the_page_has_every_type():
    shown = {geometry.type for text in EXAMPLES for geometry in geometries(text).values()}
    assert shown >= {"external", "internal", "rack", "bevel", "worm", "crossed", "belt"}


def test_the_message_on_the_page():
    shown = blocks(PAGE, "text")[0]
    with pytest.raises(ModelError) as caught:
        geometries(EXAMPLES[0].replace("60 mm", "60.2 mm"))
    assert str(caught.value).split(": ", 1)[1] == shown.replace("\n", " ").strip().split(": ", 1)[1]


@pytest.fixture(params=PLANAR, ids=["slider-crank", "cam"])
def mechanism(request):
    return loads(request.param)


def test_one_freedom_which_is_driven(mechanism):
    assert mechanism.check().freedoms_by_rank == 0


def test_the_slider_goes_as_the_formula_says():
    r = loads(PLANAR[0]).kinematics(end=0.1)
    angle = 100 * r["slider.position.x"].time.to_numpy()
    exact = 0.1 * np.cos(angle) + np.sqrt(0.2**2 - (0.1 * np.sin(angle)) ** 2)
    np.testing.assert_allclose(r["slider.position.x"], exact, rtol=0, atol=1e-9)


def test_the_valve_touches_the_cam_where_its_tangent_is_level():
    """Height of the face = largest y of the turned outline, sampled finely: an independent way to the same number."""
    r = loads(PLANAR[1]).kinematics(end=1)
    s = np.linspace(0, 2 * np.pi, 20001)
    radius = 0.04 + 0.01 * (1 + np.sin(s)) / 2
    heights = [np.max(radius * np.sin(s + 10 * t)) for t in r["valve.position.y"].time.to_numpy()]
    # The best of the samples lies below the top by at most (half a spacing)^2 * radius / 2 = 1e-9 m.
    np.testing.assert_allclose(r["valve.position.y"], heights, rtol=0, atol=1e-8)
