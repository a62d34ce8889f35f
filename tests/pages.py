"""Pages of the documentation, whose blocks tests read and run."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def page(name: str) -> str:
    """By its path in `docs`, without the ending."""
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def blocks(text: str, kind: str = "python") -> list[str]:
    """What a page shows of one kind: `python`, `yaml`, `text`."""
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def ran(name: str, **names: object) -> dict:
    """All code of a page, run in order; what it has made, by name."""
    names = {"__name__": "page", **names}
    for code in blocks(page(name)):
        exec(compile(code, f"{name}.md", "exec"), names)
    return names
