"""Files that documentation, docstrings and comments name are there: a move that forgets one is noticed."""

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
