"""What users see first: a mechanism in a line, a check in ten, signatures one can read, settings written down."""

import inspect
import re
from pathlib import Path

import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.description import Simulate
from wheelwork.description.base import Part

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def gearbox():
    return ww.load(examples.path("planetary-gearbox"))


def test_a_mechanism_is_one_line(gearbox):
    assert repr(gearbox) == str(gearbox)
    assert repr(gearbox).startswith("<Mechanism 'planetary gearbox': spatial, 10 bodies, 10 joints, 6 meshes")
    assert len(repr(gearbox)) < 120


def test_an_element_shows_what_was_given():
    hinge = ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0))
    assert repr(hinge) == "Revolute(bodies=('ground', 'bob'), point=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0))"


def test_a_check_in_some_lines(gearbox):
    report = gearbox.check()
    lines = str(report).splitlines()
    assert len(lines) < 15
    assert max(map(len, lines)) < 160
    assert "degrees of freedom         1 by rank, -1 by count" in lines
    assert any("planet2-ring.mesh" in line for line in lines)
    assert len(repr(report)) < 100


def parts():
    return [one for one in vars(ww).values() if inspect.isclass(one) and issubclass(one, Part)]


@pytest.mark.parametrize("part", parts(), ids=lambda part: part.__name__)
def test_signatures_can_be_read(part):
    """Types as they are written in the class: nothing of how units are read."""
    text = str(inspect.signature(part))
    assert not re.search(r"Annotated|Dimension|Fraction|typing\.|<", text)
    assert len(text) < 1300  # the longest has 24 fields
    for name in part.model_fields:
        assert f"{name}: " in text


def test_settings_of_a_simulation_are_all_told():
    """In the table of analyses and in the docstring of the method."""
    table = next(
        line
        for line in (DOCS / "guide/description.md").read_text("utf-8").splitlines()
        if "| `simulate` |" in line
    )
    for name in set(Simulate.model_fields) - {"type"}:
        assert f"`{name}`" in table
        assert f"`{name}`" in (ww.Mechanism.simulate.__doc__ or "")


def test_pages_do_not_promise_what_is_there():
    for page in (DOCS / "index.md", DOCS.parent / "CONTRIBUTING.md"):
        assert not re.search(r"come next|none yet|later part of the project", page.read_text("utf-8"))


def test_what_analyses_find_is_one_line():
    """Matrices and lists of misfits filled the cell of a notebook."""
    m = ww.load(examples.path("mesh-phasing"))
    found = [m.assemble(), m.linearise(), *m.modes(), m.campbell("speed", [10, 20])]
    found.append(m.frequency_response("first.error", ["output.w"], [10.0, 20.0]))
    for one in found:
        assert re.fullmatch(r"<[^\n]{20,120}>", repr(one)), repr(one)
    assert repr(found[2]).startswith("<mode 1: 178.99 Hz, damping 0.86 %")


def test_names_in_notes_of_notebooks_are_code(gearbox):
    assert "<code>wheelwork.trains</code>" in gearbox.gear_train()._repr_html_()
