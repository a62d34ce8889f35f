"""The LaTeX of equations goes through LaTeX, and no formula leaves the page."""

import re
import shutil

import pytest
from processes import ran

import wheelwork as ww
from wheelwork import examples
from wheelwork.show.formulas.breaking import lines, width
from wheelwork.show.formulas.tex import escaped

from .every_type import ALL, equations_of
from .models import SPATIAL_BODIES

needs_latex = pytest.mark.skipif(
    shutil.which("pdflatex") is None,
    reason="there is no LaTeX here (on Debian: apt-get install texlive-latex-base)",
)


def joined(documents):
    """Several documents as one: LaTeX is started once."""
    head = documents[0].partition(r"\begin{document}")[0]
    bodies = [text.partition(r"\begin{document}")[2].partition(r"\end{document}")[0] for text in documents]
    return head + r"\begin{document}" + "\n\\clearpage\n".join(bodies) + "\\end{document}\n"


def compiled(text, folder):
    """What LaTeX says of a document; an error fails."""
    assert text.isascii()  # so that any LaTeX takes it, old or new
    (folder / "equations.tex").write_text(text)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "equations.tex"]
    done = ran(*command, cwd=folder, errors="replace")
    log = (folder / "equations.log").read_text(errors="replace")
    assert done.returncode == 0, re.findall(r"^!.*(?:\n.*){6}", log, re.M)[:3]
    assert not re.findall(r"Missing character.*|.*invalid in math mode.*", log)
    return log


def overfull(log):
    """Points by which lines or pages are too long, beyond what an eye sees."""
    return [float(one) for one in re.findall(r"Overfull \\[hv]box \(([0-9.]+)pt", log) if float(one) > 1]


@needs_latex
@pytest.mark.slow
def test_every_type_of_element(tmp_path):
    log = compiled(joined([equations_of(*one).latex() for one in ALL]), tmp_path)
    assert overfull(log) == []


@needs_latex
@pytest.mark.slow
def test_bundled_models(tmp_path):
    """Among them gravity with its unit, Greek letters in sentences, long forces, 40 bodies, all in components."""
    names = ["gear-set", "backlash-pair", "robot", "squeezer", "geneva", "bevel-wrist", "pendulum"]
    documents = [ww.load(examples.path(name)).equations().latex() for name in names]
    documents += [
        ww.load(examples.path(n)).equations().latex(full=True) for n in ("four-bar", "geared-satellite")
    ]
    assert overfull(compiled(joined(documents), tmp_path)) == []


@needs_latex
def test_titles_in_any_script(tmp_path):
    """Accents are printed, and what the fonts of LaTeX do not have is said by its number."""
    title = r"Prüfstand & Ønske: 50 % von \alpha_1, 歯車 {#1} ~ ^ ≤ “ω”"
    m = ww.loads(SPATIAL_BODIES)
    m.name = title
    text = m.equations().latex()
    assert r"Pr\"{u}fstand" in text
    assert "U+6B6F" in text
    compiled(text, tmp_path)


def test_lines_fit_and_lose_nothing():
    """Cut lines are as wide as asked, brackets are balanced in each, and all of the formula is there."""
    terms = " + ".join(
        rf"a_{{{k}}}\,\left(x_{{{k}}} - \frac{{y_{{{k}}} + 1}}{{2}}\right)^{{2}}" for k in range(12)
    )
    formula = rf"\frac{{{terms}}}{{m\,n}} - \cos\left({terms}\right)"
    found = lines(formula, 20.0)
    assert len(found) > 8
    assert max(width(line) for line in found) <= 20.0
    for line in found:
        assert line.count(r"\left") == line.count(r"\right")
        assert line.count("{") == line.count("}")
    letters = re.sub(r"\\bigl|\\bigr|\\left|\\right|[\s()/{}]|\\frac", "", "".join(found))
    assert letters == re.sub(r"\\left|\\right|[\s()/{}]|\\frac", "", formula)


def test_words_are_escaped_once():
    assert escaped("a_b & 5 %") == r"a\_\allowbreak b \& 5 \%"
    assert escaped("γ²") == r"$\gamma$$^{2}$"
