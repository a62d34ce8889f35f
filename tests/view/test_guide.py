"""The page about looking shows code that runs and pictures that are there."""

import re

import pytest
from pages import DOCS, page, ran


@pytest.mark.slow
def test_code_on_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran("guide/viewing")
    written = sorted(file.name for file in tmp_path.iterdir())
    assert written == ["gearbox.gif", "gearbox.glb", "gearbox.html", "gearbox.png"]


def test_pictures_are_there():
    pictures = re.findall(r"\]\(/(_static/viewing/[^)]+)\)", page("guide/viewing"))
    assert len(pictures) == 5
    assert all((DOCS / picture).stat().st_size > 5000 for picture in pictures)
