"""`python -m benchmarks`, or `./wheelwork-dev bench`, which installs the peers first."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from wheelwork.cli import GOOD, INTERRUPTED, main
from wheelwork.cli.app import new_app
from wheelwork.cli.options import Json
from wheelwork.cli.show import console, print_json, progress_bar, table
from wheelwork.problems import ModelError, Problem

from . import plots, report, runner
from .parts import PARTS

WIDTH = 170
"""Of the tables where there is no terminal."""


def bench(
    *,
    quick: bool = False,
    only: list[str] = [],  # noqa: B006
    out: Path = Path("wheelwork-bench"),
    show: Path | None = None,
    listing: Annotated[bool, Parameter(name="--list")] = False,
    json: Json = False,
) -> int:
    """Measure speed and memory beside Exudyn, MuJoCo, Pinocchio and SciPy, on the same models in the same run.

    Peers that are not installed are left out, and the table says so: `pip install "wheelwork[bench]"` has them all.
    Ctrl-C keeps the parts that are done.

    Parameters
    ----------
    quick
        Fewer sizes and rounds: under two minutes.
    only
        Parts to measure (`--list`). May be repeated.
    out
        Folder for results.json and the pictures; parts already there are kept.
    show
        Print the tables of such a file, measure nothing.
    listing
        List the parts, measure nothing.
    """
    unknown = [name for name in only if name not in PARTS]
    if unknown:
        needed = f"there is no part `{unknown[0]}`; the parts are {', '.join(PARTS)}"
        raise ModelError([Problem(needed, path="--only")])
    if listing:
        rows = [(name, part.what, ", ".join(part.peers)) for name, part in PARTS.items()]
        console().print(table("Parts", ["name", "what", "beside"], rows))
        return GOOD
    if show is not None:
        data, complete = _read(show), True
    else:
        file = out / "results.json"
        data, complete = runner.read(file), True
        chosen = [
            name
            for name, part in PARTS.items()
            if name in only or not (only or (quick and not part.in_quick))
        ]
        with progress_bar() as watch:
            for k, name in enumerate(chosen):
                watch(k, len(chosen), f"{name}: {PARTS[name].what}")
                try:
                    data = runner.merged(data, runner.measure([name], quick))
                except KeyboardInterrupt:
                    complete = False
                    break
                runner.write(data, file)
        if data is None:
            return INTERRUPTED
    if json:
        print_json(data)
    else:
        _show(data, out if show is None else None)
    return GOOD if complete else INTERRUPTED


def _read(file: Path) -> dict:
    try:
        data = runner.read(file)
    except ValueError:
        data = {}
    if data is None:
        raise ModelError([Problem("there is no such file", where=str(file))])
    if data.get("format") != runner.FORMAT:
        raise ModelError([Problem("is not a file that `./wheelwork-dev bench` has written", where=str(file))])
    return data


def _show(data: dict, folder: Path | None) -> None:
    out = console()
    if not out.is_terminal:
        out.width = WIDTH
    report.show(data, out)
    if folder is not None:
        for path in (folder / "results.json", *plots.draw(data, folder)):
            out.print(f"written: {path}", markup=False)


def make_app() -> App:
    app = new_app("benchmarks")
    app.default(bench)
    return app


def start() -> int:
    return main(make=make_app)


if __name__ == "__main__":
    sys.exit(start())
