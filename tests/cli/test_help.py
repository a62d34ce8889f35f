"""Data sheets in a terminal and in Python: `wheelwork help NAME`, `ww.help`."""

import re
from pathlib import Path

import pytest

import wheelwork as ww
from wheelwork.description.schema import field_texts
from wheelwork.elements.data_sheets import data_sheets, overview

ROOT = Path(__file__).parents[2]


def test_a_mesh(wheelwork, capsys):
    """What it is, every field with its unit, what is needed, and the equations with their source."""
    done = wheelwork("help", "external")
    assert done.code == 0
    assert done.out.startswith("external, in `meshes`; in Python ExternalMesh\n")
    for name, (unit, _) in field_texts(ww.ExternalMesh).items():
        assert f"    {name}{f' [{unit}]' if unit else ''}: " in done.out
    assert "Needed: bodies." in done.out
    assert "Position level (Vlasenko, Kasper, (5)" in done.out
    ww.help("ExternalMesh")
    assert capsys.readouterr().out == done.out


def test_a_name_of_several_and_equations_of_both_kinds():
    found = data_sheets("compliant")
    assert "compliant, in `contact_laws`" in found
    assert "compliant, in `tooth_models`" in found
    in_plane = data_sheets("prismatic")
    assert "translational" in in_plane.lower()


def test_what_is_not_known_has_a_suggestion(wheelwork):
    done = wheelwork("help", "extrenal")
    assert (done.code, "did you mean `external`" in done.err) == (2, True)
    with pytest.raises(ww.ModelError, match="did you mean `revolute`"):
        ww.help("revolut")
    with pytest.raises(ww.ModelError, match=r"`ww.help\(\)` list all"):
        ww.help("zzz")


def test_all_that_are_listed_have_one(wheelwork):
    listed = [name for line in overview().splitlines() for name in line.partition(": ")[2].split(", ")]
    assert len(set(listed)) > 100
    for name in set(listed):
        assert "\n\n" in data_sheets(name)
    assert wheelwork("help").out.strip() == overview()


def test_the_readme_links_what_is_in_a_clone():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(([^)#]+)\)", text)
    assert {"docs/getting-started.md", "docs/guide/meshes.md"} <= set(linked)
    assert [name for name in linked if not name.startswith("http") and not (ROOT / name).exists()] == []
