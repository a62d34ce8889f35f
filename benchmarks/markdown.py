"""`python -m benchmarks.markdown RESULTS`: tables and pictures of the docs, anew from a file of results, which is kept
as ``docs/develop/benchmarks.json``; without one, from that file as it is.

A table stands between the lines `<!-- NAME -->` and `<!-- end -->` of ``docs/develop/benchmarks.md``. Run in a clone.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from . import plots, sheets, study_report, teeth_report, yaw_report
from .figures import figures
from .gear_report import FORWARD, STEP_RATIOS, best
from .report import SIDES as SWEEP_SIDES
from .report import targets
from .runner import read
from .sheets import Sheet
from .tables import ms, us

DOCS = Path(__file__).parents[1] / "docs" / "develop"
PAGE = DOCS / "benchmarks.md"
PICTURES = DOCS.parent / "_static" / "benchmarks"
METHODS = {
    "ours absolute": "**Wheelwork, absolute**, `rk4`",
    "ours reduced": "**Wheelwork, reduced**, `rk4`",
    "exudyn coordinates": "Exudyn, bodies, angles tied directly",
    "exudyn relative": "Exudyn, bodies with Tait-Bryan angles",
    "exudyn lie group": "Exudyn, bodies with rotation vectors",
    "exudyn euler parameters": "Exudyn, bodies with Euler parameters",
    "exudyn tree": "Exudyn, kinematic tree",
    "mujoco RK4": "MuJoCo, RK4",
    "mujoco Euler": "MuJoCo, Euler",
}
SHORT = {name: text.replace("**", "").replace(", `rk4`", "") for name, text in METHODS.items()}


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
    results = {name: part["results"] for name, part in data["parts"].items()}
    yield "machine", [_machine(data), *_caution(data)]
    yield "summary", _sheet(sheets.summary(data["summary"]))
    yield "absent", _sheet(sheets.absent(data["summary"]))
    for name, make in MAKERS.items():
        if name in results:
            yield from make(results[name])
    yield "figures", _sheet(sheets.figures(list(figures(results))))
    yield "targets", _targets(results)


def _growth(part: list[dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    for name, sheet in sheets.growth(part):
        yield f"growth-{name.replace(', ', '-').replace(' ', '-')}", _sheet(sheet)
    yield _picture("growth", "Time of a step over the number of bodies")


def _precision(part: list[dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    lines: list[str] = []
    for _, sheet in sheets.precision(part):
        lines += [f"{sheet.title}:", "", *_sheet(sheet), ""]
    yield "precision", lines[:-1]
    yield _picture("precision-chain", "Time of a run over its error, chains of rods")


def _squeezer(part: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    yield "squeezer", _sheet(sheets.squeezer(part))
    yield _picture("precision-squeezer", "Time of a run over its error, Andrews' squeezer")


def _yaw(part: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    yield "yaw-rates", _table(yaw_report.HEADS[0], list(yaw_report.rates(part)))
    yield "yaw-levels", _table(yaw_report.HEADS[1], list(yaw_report.levels(part)))
    yield _picture("precision-yaw", "Time of a run over its error, yaw drive")


def _study(part: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    yield "studies", _table(study_report.HEADS, list(study_report.lines(part)))


def _teeth(part: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    yield "teeth-bench", _table(teeth_report.HEADS[0], list(teeth_report.levels(part)))
    yield "teeth-stage", _table(teeth_report.HEADS[1], list(teeth_report.stage(part)))
    yield _picture("precision-teeth", "Time of a run over its error, tooth contact")


def _picture(name: str, words: str) -> tuple[str, list[str]]:
    return f"picture-{name}", [f"![{words}](../_static/{PICTURES.name}/{name}.png)"]


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


def _sheet(sheet: Sheet) -> list[str]:
    return [
        *_table(list(sheet.heads), [list(line) for line in sheet.lines]),
        *(["", sheet.caption] if sheet.caption else []),
    ]


def _sweep(part: list[dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    heads = [
        "side",
        *(f"{row['linkage']} [µs a position]" for row in part),
        *(f"{row['linkage']}, error" for row in part),
    ]
    lines = []
    for side, title in SWEEP_SIDES.items():
        cells = [us(row["seconds"][side]) for row in part] + [f"{row['errors'][side]:.0e}" for row in part]
        lines.append([title.format(**part[0]), *cells])
    yield "sweep", _table(heads, lines)


def _targets(results: dict[str, Any]) -> list[str]:
    lines = [
        [name, f"{value:.3g}", f"{sign} {wanted:g}", "met" if met else "**missed**"]
        for name, value, sign, wanted, met in targets(results)
    ]
    return _table(["aim", "measured", "wanted", ""], lines)


def _train(part: list[dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    for housing in ("fixed", "turning"):
        rows = [row for row in part if row["housing"] == housing]
        heads = [f"N = {row['wheels']}" for row in rows]
        names = [name for name in METHODS if any(name in row["methods"] for row in rows)]
        lines = [[METHODS[name], *(us(row["methods"][name]["seconds"]) for row in rows)] for name in names]
        last = rows[-1]["methods"]
        for line, name in zip(lines, names, strict=True):
            line += [f"{last[name]['gear']:.0e}", f"{last[name]['motion']:.0e}"]
        yield (
            f"train-{housing}",
            _table(["a step of 1 ms [µs]", *heads, "gear error [rad]", "motion [rad]"], lines),
        )
        lines = []
        for ours, theirs in STEP_RATIOS:
            if all(theirs in row["methods"] for row in rows):
                pairs = [(row["methods"][ours]["seconds"], row["methods"][theirs]["seconds"]) for row in rows]
                lines.append([f"{SHORT[ours]} / {SHORT[theirs]}", *(f"{a / b:.2g}" for a, b in pairs)])
        yield f"ratios-{housing}", _table(["time of ours / theirs", *heads], lines)
        lines = [
            [METHODS[name], *(_reached(row["reach"][name]) for row in rows)]
            for name in names if all(name in row["reach"] for row in rows)
        ]  # fmt: skip
        yield f"reach-{housing}", _table(["1 s within 1e-5 rad [ms]", *heads], lines)
    yield _picture("train", "Time of a step over the number of wheels")


def _forward(part: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    rows = part["rows"]
    found = [best(row) for row in rows]
    lines = [
        [
            "coordinates / hinges / bodies",
            *(f"{r['coordinates']} / {r['hinges']} / {r['bodies']}" for r in rows),
        ]
    ]
    for side, title in FORWARD.items():
        if not any(side in of for of in found):
            continue
        lines.append([f"**{title}**" if side == "ours" else title.strip(), *(_side(x, side) for x in found)])
    yield "forward", _table(["accelerations from a state [µs]", *(row["name"] for row in rows)], lines)
    growth = part["exponents"]
    titles = {"ours": "ours", "pinocchio aba world": "Pinocchio's `aba`", "mujoco": "`mj_forward`"}
    yield (
        "forward-growth",
        [
            "Growth with the chain, exponent of N from 6 to 43: "
            + ", ".join(
                f"{title} {growth[side]['all']:.2f}" for side, title in titles.items() if side in growth
            )
            + "."
        ],
    )
    yield _picture("forward", "Time of the accelerations")


def _side(sides: dict[str, float], side: str) -> str:
    if side not in sides:
        return "-"
    if side.startswith("ours") or side == "pinocchio call":
        return us(sides[side])
    return f"{us(sides[side])} ({sides['ours'] / sides[side]:.2g})"


def _reached(reached: dict[str, Any]) -> str:
    return ("≈ " if reached["extrapolated"] else "") + ms(reached["seconds"])


def _table(heads: list[str], lines: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (heads, ["---", *["---:"] * (len(heads) - 1)], *lines)]


MAKERS: dict[str, Callable[[Any], Iterator[tuple[str, list[str]]]]] = {
    "start": lambda part: iter([("start", _sheet(sheets.start(part)))]),
    "whole": lambda part: iter([("whole", _sheet(sheets.whole(part)))]),
    "growth": _growth,
    "precision": _precision,
    "squeezer": _squeezer,
    "sweep": _sweep,
    "train": _train,
    "yaw": _yaw,
    "teeth": _teeth,
    "study": _study,
    "forward": _forward,
}


if __name__ == "__main__":
    main()
