"""Equations of whole mechanisms as text, Markdown, LaTeX and HTML."""

import re
import shutil
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.show.formulas.layout import width

from .models import CAMS, PLANAR_JOINTS, PLANAR_MESHES, SPATIAL_JOINTS, with_cam, with_joint, with_mesh

MODELS = ["pendulum", "slider-crank", "four-bar", "stick-slip", "bouncing-ball", "drive-line", "delta-robot"]


def all_formulas():
    for kind, text in PLANAR_JOINTS.items():
        yield kind, with_joint(text)["pin"]
    for kind, text in SPATIAL_JOINTS.items():
        yield f"{kind} in space", with_joint(text, planar=False)["pin"]
    for kind in PLANAR_MESHES:
        yield kind, with_mesh(kind)["teeth"]
    for kind in CAMS:
        yield kind, with_cam(kind)["pin"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is not None, reason="LaTeX itself reads them in test_latex.py")
def test_latex_is_understood():
    """By Matplotlib, which knows a part of LaTeX; it reads every formula of every constraint."""
    from matplotlib.mathtext import MathTextParser

    parser, seen = MathTextParser("path"), set()
    for kind, entry in all_formulas():
        cells = [
            *entry.phi,
            *entry.jacobian,
            *entry.nu,
            *entry.gamma,
            *(value for _, value in entry.definitions),
        ]
        texts = {text for cell in cells if len(text := cell.latex()) < 500}
        for text in texts - seen:
            assert parser.parse(f"${text}$"), kind
        seen |= texts


class Checker(HTMLParser):
    """Every element that is opened is closed, in order."""

    void = frozenset({"meta", "br"})

    def __init__(self):
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


CHILDREN = {"mfrac": 2, "msub": 2, "msup": 2, "msubsup": 3, "mover": 2}


def check_children(element):
    assert len(element) == CHILDREN.get(element.tag, len(element)), ElementTree.tostring(element)
    for child in element:
        check_children(child)


@pytest.mark.slow
def test_mathml_of_every_constraint():
    for _, entry in all_formulas():
        cells = [
            *entry.phi,
            *entry.jacobian,
            *entry.nu,
            *entry.gamma,
            *(value for _, value in entry.definitions),
        ]
        for cell in cells:
            check_children(ElementTree.fromstring(f"<math>{cell.mathml()}</math>"))


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("full", [False, True])
def test_every_form_of_the_examples(name, full):
    equations = ww.load(examples.path(name)).equations()
    if full and equations.shape[0] > 25:
        pytest.skip("long")
    for columns in (80, 120):
        text = equations.text(columns, full=full)
        assert max(width(line) for line in text.splitlines()) <= columns
    page = equations.html(full=full)
    checker = Checker()
    checker.feed(page)
    assert not checker.open
    for formula in re.findall(r"<math.*?</math>", page):
        check_children(ElementTree.fromstring(formula))
    assert "http" not in page
    for text in (equations.latex(full=full), equations.markdown(full=full)):
        assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
        assert text.count(r"\begin{") == text.count(r"\end{")
        assert text.count(r"\left") == text.count(r"\right")


def test_one_element():
    equations = with_joint(PLANAR_JOINTS["revolute"])
    text = equations.text(element="pin")
    assert text.startswith("A  pin: revolute joint of one and two\n")
    assert "Bodies" not in text
    with pytest.raises(ww.ModelError, match=r"no joint, mesh, driver or force `pn`.*did you mean `pin`"):
        equations.text(element="pn")


def test_what_a_notebook_shows():
    equations = with_joint(PLANAR_JOINTS["revolute"])
    assert equations._repr_markdown_().startswith("## two bodies")
    assert "#### A  `pin`" in equations["pin"]._repr_markdown_()
    assert equations["pin"].phi._repr_latex_().startswith(r"$\displaystyle \begin{bmatrix} x_{\mathrm{two}}")
    assert equations["pin"].phi[0]._repr_latex_().startswith("$")


def test_more_constraints_than_coordinates_is_said():
    text = " ".join(ww.load(examples.path("four-bar")).equations().text().split())
    rows = re.search(r"(\d+) equations Φ = 0 for (\d+) velocities", text)
    assert rows is not None
    assert int(rows[1]) > int(rows[2])
    assert "some follow from others" in text
