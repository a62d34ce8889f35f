"""What prompts and notebooks show of pairs of gears, of gear trains and of the viewer."""

import re

import pytest

import wheelwork as ww
from wheelwork import examples, gears

PAIRS = {
    "spur": lambda: gears.GearPair.of((12, 24), 3e-3, profile_shift=(0.6, 0.36)),
    "bevel": lambda: gears.BevelPair((20, 40), 2e-3, face_width=5e-3),
    "worm": lambda: gears.WormPair(2, 40, 2e-3, 20e-3),
    "crossed": lambda: gears.CrossedPair((20, 30), 2e-3, (0.7, 0.6)),
}


def text_of(html: str) -> str:
    return re.sub(r"(<[^>]+>)+", "|", html)


@pytest.mark.parametrize("kind", PAIRS)
def test_a_pair_shows_its_data_sheet(kind):
    html = PAIRS[kind]()._repr_html_()
    assert html.count("<table") == html.count("</table>") >= 1
    assert "teeth" in text_of(html) or "threads" in text_of(html)


def test_a_pair_says_in_a_line_what_it_is():
    pair = PAIRS["spur"]()
    assert repr(pair).startswith("<GearPair of 12 and 24 teeth, module 3 mm;")
    assert "|working pressure angle|alpha_wt|26.0886|deg|" in text_of(pair._repr_html_())


def test_a_gear_train_shows_its_gear_pairs():
    train = ww.load(examples.path("planetary-gearbox")).gear_train()
    assert repr(train).startswith("<gear train of 'planetary gearbox': 6 links, 6 gear pairs, 1 free;")
    assert "|sun-planet1|external|motor - planet1|18:27|drum|-1.5|" in text_of(train._repr_html_())


@pytest.mark.slow
def test_a_viewer_shows_its_address():
    viewer = ww.load(examples.path("pendulum")).simulate(end=0.1, output=2).view(browser=False)
    try:
        assert viewer.url in repr(viewer)
        assert f'<a href="{viewer.url}"' in viewer._repr_html_()
    finally:
        viewer.stop()
    assert repr(viewer) == "<viewer: ended>"
