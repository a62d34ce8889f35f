"""The page about meshes shows mechanisms that fit together."""

import re
from pathlib import Path

import pytest

from wheelwork.description import ModelError, flatten, loads
from wheelwork.layout import layout_of

PAGE = (Path(__file__).parents[2] / "docs" / "guide" / "meshes.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def geometries(text):
    flat = flatten(loads(text))
    return layout_of(flat).meshes


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples_on_the_page(text):
    assert geometries(text)


def test_the_page_has_every_type():
    shown = {geometry.type for text in EXAMPLES for geometry in geometries(text).values()}
    assert shown >= {"external", "internal", "rack", "bevel", "worm", "crossed", "belt"}


def test_the_message_on_the_page():
    shown = re.search(r"^```text\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert shown is not None
    with pytest.raises(ModelError) as caught:
        geometries(EXAMPLES[0].replace("60 mm", "60.2 mm"))
    assert str(caught.value).split(": ", 1)[1] == shown[1].replace("\n", " ").strip().split(": ", 1)[1]
