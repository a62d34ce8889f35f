"""`wheelwork check FILE`"""

from __future__ import annotations

from wheelwork.analyses import CheckReport
from wheelwork.description import flatten
from wheelwork.show.report.sections.warnings import of_teeth

from .options import Json, ModelFile, Settings, read_model
from .show import about_model, console, facts, number, print_json, table


def check(file: ModelFile, /, *, settings: Settings = [], json: Json = False) -> int:  # noqa: B006
    """Read, validate and assemble a model; report bodies, joints, degrees of freedom, redundant constraints, misfit."""
    mechanism = read_model(file, settings)
    report, teeth = mechanism.check(), of_teeth(flatten(mechanism))
    if json:
        print_json({**report.to_dict(), "teeth": teeth})
    else:
        _show(report, teeth, str(file))
    return 0


def _show(report: CheckReport, teeth: list[str], file: str) -> None:
    out = console()
    out.print(about_model(report.name, file))
    out.print()
    if report.bodies:
        rows = [(b.name, number(b.mass), *map(number, b.principal_moments)) for b in report.bodies]
        columns = ["name", "mass [kg]", "J1 [kg m^2]", "J2", "J3"]
        out.print(table(f"Bodies ({len(rows)})", columns, rows, right=[1, 2, 3, 4]))
        out.print()
    if report.joints:
        rows = []
        for j in report.joints:
            misfits = (_misfit(j.misfit_length), _misfit(j.misfit_angle))
            rows.append((j.name, j.type, f"{j.bodies[0]} - {j.bodies[1]}", str(j.rows), *misfits))
        columns = ["name", "type", "bodies", "constraints", "misfit [m]", "misfit [rad]"]
        out.print(table(f"Joints ({len(rows)})", columns, rows, right=[3, 4, 5]))
        out.print()
    if report.meshes:
        rows = [(m.name, m.type, f"{m.bodies[0]} - {m.bodies[1]}", m.model) for m in report.meshes]
        out.print(table(f"Gear meshes ({len(rows)})", ["name", "type", "bodies", "teeth"], rows))
        out.print()
    out.print(facts(_summary(report)))
    out.print()
    for line, style in _remarks(report, teeth):
        out.print(line, style=style, markup=False)


def _summary(report: CheckReport) -> list[tuple[str, str]]:
    of_positions = ("of positions, without what holds speeds", str(report.position_freedoms))
    return [
        ("forces", ", ".join(report.forces) or "none"),
        ("drivers", ", ".join(report.drivers) or "none"),
        ("constraints", str(report.constraint_rows)),
        ("degrees of freedom by count", str(report.freedoms_by_count)),
        ("degrees of freedom by rank", str(report.freedoms_by_rank)),
        *([of_positions] if report.position_freedoms != report.freedoms_by_rank else []),
        ("redundant constraints", ", ".join(report.redundant) or "none"),
        ("bodies not tied to ground", ", ".join(report.loose_bodies) or "none"),
    ]


def _remarks(report: CheckReport, teeth: list[str]) -> list[tuple[str, str]]:
    """What a reader should know, each in a sentence, with its colour."""
    out = []
    if report.redundant:
        out.append(
            "Some constraints follow from others. The motion is still correct; reactions of the joints "
            "involved are the smallest possible ones."
        )
    out += report.shared_shafts
    if report.singular_position:
        out.append("At this position the mechanism is singular: it may branch or lock here.")
    if report.freedoms_by_rank == 0 and report.bodies:
        out.append("Nothing can move but what drivers prescribe.")
    if max((max(m.length, m.angle) for m in report.misfits), default=0.0) > 1e-6:
        out.append("Small misfits of joints were removed by assembly; see the table.")
    out += [f"Teeth of {text}." for text in teeth]
    out += [f"At the start {text} along the pitch line, and will strike." for text in report.strikes]
    out += [f"Geometry of {text}." for text in report.geometry]
    return [(text, "yellow") for text in out] or [("No problems found.", "green")]


def _misfit(value: float) -> str:
    return "0" if value < 1e-12 else f"{value:.2e}"
