"""The page about equations shows what is printed, and its code runs."""

import importlib.util

import pytest
from pages import DOCS, ran

FOLDER = DOCS / "guide"

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no documentation beside the tests")


@pytest.mark.slow
def test_page_holds_what_is_printed():
    """After a change of the output: `python docs/guide/make_equations.py`."""
    spec = importlib.util.spec_from_file_location("make_equations", FOLDER / "make_equations.py")
    assert spec is not None
    assert spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    page = maker.PAGE.read_text("utf-8")
    assert maker.renewed(page) == page
    for block in maker.blocks():
        assert block in page


def test_code_on_the_page(capsys):
    ran("guide/equations")
    printed = capsys.readouterr().out
    assert "rod turns about an axis of crank." in printed
    assert "(9, 9) ('x_crank', 'y_crank', 'φ_crank'" in printed
