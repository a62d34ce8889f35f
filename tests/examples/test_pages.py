"""Every example has its page, picture and comment, runs as it stands, and the Python on the pages works."""

import re
from pathlib import Path

import pytest

from wheelwork import examples
from wheelwork.description.registry import family

from .bundled import model, result, saying

PAGES = Path(__file__).parents[2] / "docs" / "examples"
MAKERS = [
    file.read_text("utf-8") for file in (*PAGES.glob("*_pictures.py"), *PAGES.parent.glob("*_pictures.py"))
]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)

pytestmark = pytest.mark.skipif(not PAGES.is_dir(), reason="no documentation beside the tests")


def is_made(picture: str) -> bool:
    """Whether a file that makes pictures names it; the build of the documentation makes them."""
    return any(f'"{picture}"' in text or f'"{picture}.png"' in text for text in MAKERS)


NONHOLONOMIC = ("rolling_wheel", "rolling_ball", "knife_edge")


@pytest.mark.parametrize(
    "name",
    [
        *family("forces"),
        *(name for name in family("control") if name != "fmu"),  # the binary of another program
        *NONHOLONOMIC,
    ],
)
def test_every_force_and_block_and_what_rolls_is_at_work_somewhere(name):
    """In an example, or, as it is with one that has just been added, in a test file of its own."""
    own = Path(__file__).parents[1] / "elements" / f"test_{name}.py"
    assert saying(rf"[^#\n]*\btype: {name}\b") or own.is_file(), (
        f"no file of src/wheelwork/examples has an element of type {name}, and there is no {own.name}"
    )


@pytest.mark.parametrize("name", examples.names())
def test_example_is_shown_on_a_page(name):
    shown = [page for page in PAGES.glob("*.md") if f"/examples/{name}.yaml\n" in page.read_text("utf-8")]
    assert shown, f"no page in docs/examples includes {name}.yaml"
    for page in shown:
        text = page.read_text("utf-8")
        assert "## What is tested" in text
        for picture in re.findall(r"\{image\} (\S+)", text):
            assert is_made(Path(picture).stem), f"no docs/*/*_pictures.py saves {picture}"
        assert f"\n{page.stem}\n" in (PAGES / "index.md").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", examples.names())
def test_example_has_a_comment_and_runs_as_it_stands(name):
    m = model(name)
    assert len(m.comment) > 100
    assert m.name
    assert m.analysis is not None
    assert result(name).outcome.good


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.stem)
def test_python_on_the_page(page, capsys):
    for block in BLOCK.findall(page.read_text("utf-8")):
        exec(compile(block, str(page), "exec"), {})
