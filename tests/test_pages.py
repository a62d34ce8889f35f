"""Tables that are written by hand name every element of their family: one that is added gets its row."""

import re
import sys
from pathlib import Path

import pytest

from wheelwork.elements import family

DOCS = Path(__file__).parents[1] / "docs"
TABLES = {
    "analyses": "guide/description.md",
    "control": "guide/control.md",
    "damping_laws": "methods/tooth-contact.md",
    "elastic_laws": "methods/tooth-contact.md",
    "friction_laws": "methods/tooth-contact.md",
    "meshes": "guide/meshes.md",
}
"""Of a family, the page with its table."""


def rows(page: str) -> set[str]:
    """What stands in backticks in the first cells of the tables of a page."""
    cells = re.findall(r"^\| ([^|]*) \|", page, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


@pytest.mark.skipif(not DOCS.is_dir(), reason="no documentation beside the tests")
@pytest.mark.parametrize("name", TABLES)
def test_every_element_has_its_row(name):
    ours = {kind for kind, cls in family(name).items() if cls.__module__.startswith("wheelwork.")}
    assert len(ours) > 1
    missing = ours - rows((DOCS / TABLES[name]).read_text(encoding="utf-8"))
    assert missing == set(), f"add a row to docs/{TABLES[name]}"


def test_it_can_fail():
    page = "| type | what |\n|---|---|\n| `one`, `two` | is not `three` |\n"
    assert rows(page) == {"one", "two"}


@pytest.mark.skipif(not DOCS.is_dir(), reason="no documentation beside the tests")
def test_parts_of_the_core_are_where_the_page_says():
    core = DOCS.parent / "src" / "wheelwork" / "engine" / "core"
    page = (DOCS / "develop" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("## The compiled core")[2].partition("\n## ")[0]
    told = re.findall(r"^\| (`[^|]*) \| (`[^|]*) \|", table, re.MULTILINE)
    assert len(told) > 15
    for files, parts in told:
        text = "".join((core / name).read_text(encoding="utf-8") for name in re.findall(r"`([^`]+)`", files))
        for part in re.findall(r"`(\w+)(?:<\w+>)?`", parts):
            assert re.search(rf"^(class|struct) {part}\b[^;]*$", text, re.MULTILINE), (
                f"{part} is not in {files}"
            )


@pytest.mark.skipif(not DOCS.is_dir(), reason="no documentation beside the tests")
def test_every_public_name_and_key_has_its_row(monkeypatch):
    """Without one the documentation is not built."""
    monkeypatch.setattr(sys, "path", [str(DOCS / "ext"), str(DOCS.parent), *sys.path])
    reference, wheelwork_docs = (pytest.importorskip(name) for name in ("reference", "wheelwork_docs"))
    assert "`help`" in [row[0] for row in reference.public_names()]
    assert "`start`" in [row[0] for row in wheelwork_docs.sections()]
    assert len(wheelwork_docs.planar_elements()) > 10
