"""The page about looking shows code that runs and pictures that are there."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "guide" / "viewing.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_code_on_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for text in re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE):
        exec(compile(text, "viewing.md", "exec"), {"__name__": "guide"})
    written = sorted(file.name for file in tmp_path.iterdir())
    assert written == ["gearbox.gif", "gearbox.glb", "gearbox.html", "gearbox.png"]


def test_pictures_are_there():
    pictures = re.findall(r"\]\(/(_static/viewing/[^)]+)\)", PAGE)
    assert len(pictures) == 5
    assert all((DOCS / picture).stat().st_size > 5000 for picture in pictures)
