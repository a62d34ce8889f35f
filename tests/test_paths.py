"""Files and names that documentation, docstrings and comments name are there: a move that forgets one is noticed."""

import ast
import keyword
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PATH = re.compile(r"`+((?:[\w.-]+/)+[\w-]+\.(?:py|cpp|hpp|js|md|yaml|json))`+")
FROM = [
    ROOT / folder for folder in ("", "src", "src/wheelwork", "src/wheelwork/engine", "docs", "benchmarks")
]
TEXTS = [
    ROOT / "CONTRIBUTING.md",
    ROOT / "README.md",
    *sorted(
        path
        for folder in ("src", "docs", "tests", "benchmarks", "robustness")
        for pattern in ("*.py", "*.md", "*.hpp", "*.cpp")
        for path in (ROOT / folder).rglob(pattern)
        if "_build" not in path.parts and "generated" not in path.parts
    ),
]


@pytest.mark.parametrize("folder", sorted({path.relative_to(ROOT).parts[0] for path in TEXTS}))
def test_named_files_are_there(folder):
    missing = [
        f"{text.relative_to(ROOT)}: {name}"
        for text in TEXTS
        if text.relative_to(ROOT).parts[0] == folder
        for name in PATH.findall(text.read_text(encoding="utf-8"))
        if not any((base / name).exists() for base in (*FROM, text.parent, text.parent.parent))
    ]
    assert missing == []


WORD = re.compile(r"[A-Za-z_]\w{2,}")
MADE_UP = {"arm_position_x", "BODY", "between_mean", "is_stopped", "phi_rod", "rrggbb", "v8f64", "zTEETH"}
"""Names in docstrings that stand for others."""


def names_and_texts(files):
    """Every name that the code of these files has, in texts of it too, and their docstrings with file and line."""
    names, texts = set(), []
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        alone = {
            id(node.value): node
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if id(node) in alone and isinstance(node.value, str):
                texts.append((file, node.lineno, node.value))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                names.update(WORD.findall(node.value))
            else:
                own = (
                    getattr(node, field, None) for field in ("id", "attr", "name", "arg", "module", "asname")
                )
                names.update(word for one in own if isinstance(one, str) for word in one.split("."))
        names.update(file.with_suffix("").parts)
    return names, texts


@pytest.mark.slow
def test_names_in_docstrings_are_there():
    """What stands in backticks is a name that the code has: a change that forgets one is noticed."""
    code = [
        file for folder in ("src", "tests", "docs", "benchmarks") for file in (ROOT / folder).rglob("*.py")
    ]
    names, texts = names_and_texts(code)
    others = [file for kind in ("*.hpp", "*.cpp", "*.js", "*.yaml") for file in (ROOT / "src").rglob(kind)]
    for file in [*others, ROOT / "wheelwork-dev", ROOT / "pyproject.toml", *(ROOT / "docs").rglob("*.md")]:
        names.update(WORD.findall(file.read_text(encoding="utf-8")), file.name.split("."))
    known = names | MADE_UP | set(keyword.kwlist)
    missing = [
        f"{file.relative_to(ROOT)}:{line}: {quoted}"
        for file, line, text in texts
        if "src" in file.relative_to(ROOT).parts
        for quoted in re.findall(r"`+([^`]+)`+", text)
        if not set(WORD.findall(quoted)) <= known
    ]
    assert missing == []


def test_a_name_that_is_not_there_is_found(tmp_path):
    file = tmp_path / "a.py"
    file.write_text('"""`there` and `gone`."""\nthere = 1\n')
    names, ((_, line, text),) = names_and_texts([file])
    assert line == 1
    assert set(WORD.findall(text)) - names >= {"gone"}
    assert "there" in names
