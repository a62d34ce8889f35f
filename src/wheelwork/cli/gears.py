"""`wheelwork gears FILE`"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from rich.text import Text

from wheelwork import exchange
from wheelwork.exchange.notes import Note
from wheelwork.gears import BevelPair, GearPair, GeometryError, RackPair
from wheelwork.gears.sheet import Sheet, planetary_sheet, sheet
from wheelwork.layout import layout_of
from wheelwork.layout.teeth import MeshTeeth, planetary_sets
from wheelwork.problems import ModelError, Problem, did_you_mean
from wheelwork.show.figures.gear_pair import gear_pairs

from .options import Json, ModelFile, Settings, read_model, save_figure
from .show import console, facts, print_json, table


def gears(
    file: ModelFile,
    /,
    *,
    only: Annotated[list[str], Parameter("--mesh")] = [],  # noqa: B006
    picture: Path | None = None,
    solids: Path | None = None,
    kind: Annotated[Literal["stl", "glb", "step"], Parameter("--format")] = "stl",
    step: Path | None = None,
    settings: Settings = [],  # noqa: B006
    json: Json = False,
) -> int:
    """Data sheets of gear pairs: circles, contact ratio, line of action, backlash, interference, stiffness.

    Planetary sets found among the meshes get a sheet of their own: assembly, neighbouring planets, mesh phases.

    Args:
        only: Only this mesh. May be given several times.
        picture: Draw the meshes: `.svg`, `.png`, `.pdf`.
        solids: Write the wheels as solids into this folder, for CAD and printing.
        kind: Of the solids: `stl` (mm), `glb` (m) or `step` (true surfaces).
        step: The same as `--solids FOLDER --format step`.
    """
    mechanism = read_model(file, settings)
    pairs = _chosen(layout_of(mechanism).mesh_teeth, list(only), str(file))
    sheets: dict[str, Sheet | str] = {}
    for one in pairs:
        try:
            sheets[one.name] = one.why_not if one.pair is None else _sheet(one)
        except GeometryError as error:  # there is a pair, but no teeth that could be cut
            sheets[one.name] = str(error)
    stages = {name: planetary_sheet(stage) for name, stage in planetary_sets(pairs).items()}
    if picture is not None:
        _draw(pairs, picture)
    notes: list[Note] = []
    wanted = [(folder, one) for folder, one in ((solids, kind), (step, "step")) if folder is not None]
    written = [
        path for folder, one in wanted for path in exchange.write_wheels(mechanism, folder, one, notes=notes)
    ]
    if json:
        print_json(
            {
                "meshes": {one.name: {"type": one.type, **_plain(sheets[one.name])} for one in pairs},
                "planetary": {name: _plain(stage) for name, stage in stages.items()},
                "solids": [str(path) for path in written],
            }
        )
        return 0
    for one in pairs:
        _show(f"{one.name}: {one.type}, {one.bodies[0]} and {one.bodies[1]}", sheets[one.name])
    for name, stage in stages.items():
        _show(f"planetary set {name}", stage)
    if picture is not None:
        console().print(f"The picture is in {picture}.", markup=False)
    for note in notes:
        console().print(str(note), markup=False)
    for path in written:
        console().print(f"Solid: {path}", markup=False)
    return 0


def _sheet(one: MeshTeeth) -> Sheet:
    about = one.pair, one.bodies, one.materials
    if one.backlash is None or not isinstance(one.pair, GearPair | RackPair):
        return sheet(*about)
    return sheet(*about, one.backlash)


def _chosen(pairs: Sequence[MeshTeeth], only: list[str], file: str) -> list[MeshTeeth]:
    if not pairs:
        hint = "data sheets are for mechanisms with gears; see `wheelwork check`"
        raise ModelError("the mechanism has no meshes", where=file, path="meshes", hint=hint)
    names = [one.name for one in pairs]
    wrong = [
        Problem(f"there is no mesh `{name}`", path="--mesh", hint=did_you_mean(name, names))
        for name in only
        if name not in names
    ]
    if wrong:
        raise ModelError(wrong)
    return [one for one in pairs if not only or one.name in only]


def _draw(pairs: Sequence[MeshTeeth], file: Path) -> None:
    drawn = {one.name: one.pair for one in pairs if isinstance(one.pair, GearPair | RackPair | BevelPair)}
    if not drawn:
        text = "none of the meshes can be drawn: pictures are of cylindrical and bevel wheels, and racks"
        raise ModelError(text, path="--picture")
    try:
        figure = gear_pairs(drawn)
    except GeometryError as error:
        raise ModelError(f"the teeth cannot be drawn: {error}", path="--picture") from None
    save_figure(figure, file, "--picture")


def _plain(sheet: Sheet | str) -> dict[str, Any]:
    """For machines: numbers in SI units."""
    if isinstance(sheet, str):
        return {"why_not": sheet}
    return {
        "tables": [
            {
                "title": t.title,
                "columns": list(t.columns),
                "rows": [
                    {"name": e.name.strip(), "symbol": e.symbol, "values": [_number(v) for v in e.values]}
                    for e in t.entries
                ],
            }
            for t in sheet.tables
        ],
        "findings": [vars(finding) for finding in sheet.findings or ()],
    }


def _number(value: float | None) -> float | None:
    """JSON knows no infinity."""
    return float(value) if value is not None and isfinite(value) else None


def _show(heading: str, sheet: Sheet | str) -> None:
    out = console()
    out.print(Text(heading, style="bold"))
    if isinstance(sheet, str):
        out.print(facts([("no data sheet", sheet)]))
        out.print()
        return
    for one in sheet.tables:
        has_unit = any(entry.unit for entry in one.entries)
        rows = [
            [entry.name, entry.symbol, *entry.shown, *([entry.unit] if has_unit else [])]
            for entry in one.entries
        ]
        columns = [one.title, "", *one.columns, *([""] if has_unit else [])]
        out.print()
        out.print(table("", columns, rows, right=range(2, 2 + len(one.columns))))
    out.print()
    for finding in sheet.findings or ():
        style = "red" if finding.level == "error" else "yellow"
        line = Text.assemble((f"{finding.level}, {finding.kind}: ", f"bold {style}"), finding.message)
        out.print(line, soft_wrap=True)
    if sheet.findings == ():
        out.print(Text("Nothing wrong with these teeth.", style="green"))
    out.print()
