"""`python -m benchmarks.markdown RESULTS`: tables and pictures of the docs, anew from a file of results, which is kept
as ``docs/develop/benchmarks.json``; without one, from that file as it is.

A table stands between the lines `<!-- NAME -->` and `<!-- end -->` of ``docs/develop/benchmarks.md``. Run in a clone.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import plots
from .report import all_sheets
from .runner import read
from .sheets import Sheet

DOCS = Path(__file__).parents[1] / "docs" / "develop"
PAGE = DOCS / "benchmarks.md"
PICTURES = DOCS.parent / "_static" / "benchmarks"
DRAWN = {
    "growth": "Time of a step over the number of bodies",
    "precision-chain": "Time of a run over its error, chains of rods",
    "precision-squeezer": "Time of a run over its error, Andrews' squeezer",
    "precision-yaw": "Time of a run over its error, yaw drive",
    "precision-teeth": "Time of a run over its error, tooth contact",
    "train": "Time of a step over the number of wheels",
    "forward": "Time of the accelerations",
}
"""Pictures, and what they show."""


def main() -> None:
    kept = DOCS / "benchmarks.json"
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else kept
    data = read(file)
    if data is None or not PAGE.exists():
        raise SystemExit(
            f"there is no {file if data is None else PAGE}: this is for a clone of the repository"
        )
    if file != kept:
        shutil.copyfile(file, kept)
    page = PAGE.read_text()
    for name, lines in tables(data):
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not pattern.search(page):
            raise SystemExit(f"there is no place for the table `{name}` in {PAGE}")
        text = "\n".join(lines)
        page = pattern.sub(lambda found, text=text: f"{found[1]}{text}\n{found[2]}", page)
    PAGE.write_text(page)
    plots.draw(data, PICTURES)


def tables(data: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Name and lines of each, of the parts that there are."""
    yield "machine", [_machine(data), *_caution(data)]
    for name, words in DRAWN.items():
        yield f"picture-{name}", [f"![{words}](../_static/{PICTURES.name}/{name}.png)"]
    placed: dict[str, list[Sheet]] = {}
    for name, sheet in all_sheets(data):
        placed.setdefault(name, []).append(sheet)
    placed.pop("", None)
    for name, (first, *others) in placed.items():
        if not others:
            yield name, _table(first)
        else:
            titled = ((f"{sheet.title}:", "", *_table(sheet), "") for sheet in (first, *others))
            yield name, [line for lines in titled for line in lines][:-1]


def _machine(data: dict[str, Any]) -> str:
    about = data["about"]
    names = {
        "wheelwork": "Wheelwork",
        "exudyn": "Exudyn",
        "mujoco": "MuJoCo",
        "pin": "Pinocchio",
        "scipy": "SciPy",
    }
    versions = ", ".join(f"{title} {about['versions'][name]}" for name, title in names.items())
    loads = [part["load"][0] for part in data["parts"].values() if part["load"]]
    load = f"load {min(loads):.0f} to {max(loads):.0f}" if loads else "load unknown"
    commits = ", ".join(dict.fromkeys(part["commit"] for part in data["parts"].values()))
    return (
        f"{about['date'][:10]}, commit {commits}; {about['compiler']}, Python {about['python']}; "
        f"{about['processor']}, {about['cores']} cores ({load}); {versions}."
    )


def _caution(data: dict[str, Any]) -> list[str]:
    """What departs from one run of everything on an idle machine, if anything does."""
    parts = data["parts"].values()
    several, quick = (
        len({part["commit"] for part in parts}) > 1,
        [n for n, p in data["parts"].items() if p["quick"]],
    )
    busy = (
        max((part["load"][0] for part in parts if part["load"]), default=0.0) > 0.7 * data["about"]["cores"]
    )
    found = ["put together from runs of several states of the sources"] if several else []
    found += ["measured beside other work"] if busy else []
    found += [f"in part from the quick mode ({', '.join(quick)})"] if quick else []
    if not found:
        return []
    remedy = "A run of `./wheelwork-dev bench` on an idle machine replaces all of it."
    return ["", f"These figures were {', '.join(found)}. {remedy}"]


def _table(sheet: Sheet) -> list[str]:
    if not sheet.heads:
        return [sheet.caption]
    ruler = ["---", *["---:"] * (len(sheet.heads) - 1)]
    rows = [f"| {' | '.join(cells)} |" for cells in (sheet.heads, ruler, *sheet.lines)]
    return [*rows, *(["", sheet.caption] if sheet.caption else [])]


if __name__ == "__main__":
    main()
