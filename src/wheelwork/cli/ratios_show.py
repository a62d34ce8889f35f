"""How `wheelwork ratios` prints what it found."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from wheelwork.trains import PowerFlow, Torques, velocity_ratio

from .ratios_report import RatiosReport
from .show import about_model, console, facts, number, table


def show(report: RatiosReport, file: str, fractions: bool, symbols: bool) -> None:
    """Tables of everything."""
    out = console()
    out.print(about_model(report.graph.train.name, file))

    def printed(what: Any) -> None:
        out.print()
        out.print(what)

    shown = _NumberFormat(fractions and report.graph.is_exact)
    printed(_links(report))
    if report.graph.circuits:
        printed(_gears(report, shown))
    if report.graph.ties:
        printed(_couplers(report, shown))
    printed(facts(_freedoms(report)))
    if symbols:
        out.print()
        out.print("Displacement equations", style="bold")
        for line in report.displacements.equations():
            out.print(line, markup=False, soft_wrap=True)
    else:
        printed(_displacements(report, shown))
    if report.structure is not None:
        printed(_structure(report, shown, symbols))
    if report.modes:
        rows = [(m.held, m.driver, m.driven, shown(m.ratio)) for m in report.modes]
        printed(
            table("Ratios with one link held", ["held", "driver", "driven", "driver/driven"], rows, right=[3])
        )
    if report.speeds is not None:
        printed(_speeds(report, shown))
    if report.torques is not None and report.power is not None:
        for part in _torques(report, report.torques, report.power):
            printed(part)
    if report.motor_answer is not None:
        printed(facts(_motor(report)))
    out.print()
    for remark in _last_words(report):
        out.print(remark, style="yellow", markup=False)


class _NumberFormat:
    """Numbers as decimals, or as exact fractions."""

    def __init__(self, fractions: bool) -> None:
        self.fractions = fractions

    def __call__(self, value: Fraction | float | None) -> str:
        if value is None:
            return "open"
        if self.fractions and isinstance(value, Fraction):
            return str(value)
        return number(float(value), 6)


def _links(report: RatiosReport) -> Any:
    graph, chain = report.graph, report.displacements.chain
    rows = []
    for link in graph.level:
        rate = graph.joint_of(link)
        others = [body for body in graph.links.bodies[link] if body != link]
        role = "base" if rate is None else "major" if link in chain else "carried"
        carried = ("", "") if rate is None else (rate.parent, rate.axis.label)
        rows.append((link, *carried, role, ", ".join(others)))
    return table(f"Links ({len(rows)})", ["link", "carried by", "axis", "role", "rigid with it"], rows)


def _gears(report: RatiosReport, shown: _NumberFormat) -> Any:
    rows = []
    for c in report.graph.circuits:
        gear, sizes = c.gear, c.gear.sizes_text
        rows.append((c.name, gear.type, f"{c.a} - {c.b}", sizes, c.carrier, shown(velocity_ratio(c))))
    columns = ["gear pair", "type", "wheels a - b", "teeth", "carrier", "speed a/b"]
    return table(f"Gear pairs ({len(rows)})", columns, rows, right=[5])


def _couplers(report: RatiosReport, shown: _NumberFormat) -> Any:
    rows = [
        (c.name, " + ".join(f"{shown(x)} {joint}" for joint, x in c.factors.items()) + " = constant")
        for c in report.graph.train.couplings.values()
    ]
    return table(f"Couplers ({len(rows)})", ["coupler", "relation of joints"], rows)


def _freedoms(report: RatiosReport) -> list[tuple[str, str]]:
    m = report.mobility
    couplers = f", {m.couplers} coupler{'s' * (m.couplers > 1)}" if m.couplers else ""
    parts = f"{m.links} links, {m.joints} joints, {m.gears} gear pairs{couplers}, in {m.dimension} dimensions"
    count = f"{m.by_count} ({parts})"
    return [("degrees of freedom by count", count), ("degrees of freedom by rank", str(m.by_rank))]


def _displacements(report: RatiosReport, shown: _NumberFormat) -> Any:
    found = report.displacements
    columns = ["angle", *(f"per {q.name}" for q in found.coordinates)]
    rows = [
        (rate.name, *(shown(x) for x in row)) for rate, row in zip(found.angles, found.matrix, strict=True)
    ]
    return table("Displacement equations", columns, rows, right=range(1, len(columns)))


def _structure(report: RatiosReport, shown: _NumberFormat, symbols: bool) -> Any:
    found = report.displacements
    columns = ["generalised force of", *(f"torque on {name}" for name in report.actuators)]
    if symbols and found.formulas is not None:
        entries = [[x.text(found.pairs) for x in row] for row in report.structure_formulas]
    else:
        entries = [[shown(x) for x in row] for row in report.structure or []]
    rows = [(q.name, *row) for q, row in zip(found.coordinates, entries, strict=True)]
    return table("Structure matrix", columns, rows, right=() if symbols else range(1, len(columns)))


def _speeds(report: RatiosReport, shown: _NumberFormat) -> Any:
    found = report.speeds
    assert found is not None
    single = len(report.inputs) == 1
    first = report.inputs[0]
    driver = found.of(first.name)
    rows = []
    for link in report.graph.moving:
        rate = report.graph.joint_of(link)
        assert rate is not None
        speed, against = found.of(link), found.against_parent(link)
        row = [link, shown(report.shown(link, speed)), rate.parent, shown(report.shown(link, against))]
        if not report.relative:
            row.insert(2, report.unit_of(link))
        if single and not report.relative:
            row.append("" if not speed or driver is None else shown(driver / speed))
        elif single:
            row.append("" if not speed else shown(1 / speed))
        rows.append(row)
    columns = ["link", "speed", "carried by", "speed against it"]
    if not report.relative:
        columns.insert(2, "unit")
    if single:
        columns.append(f"{first.name}/link")
    holding = f" with {', '.join(report.holds)} held" if report.holds else ""
    title = f"Speeds for one turn of {first.name}{holding}" if report.relative else f"Speeds{holding}"
    return table(title, columns, rows, right=[1, *range(len(columns) - (2 if single else 1), len(columns))])


def _torques(report: RatiosReport, found: Torques, flow: PowerFlow) -> list[Any]:
    outside = []
    for e in found.externals:
        torque = "not determined" if e.name in found.undetermined else number(e.torque)
        outside.append((e.name, e.role, torque, number(e.speed), number(e.power)))
    columns = ["on", "role", "torque [N m]", "speed [rad/s]", "power in [W]"]
    parts: list[Any] = [table("Torques from outside", columns, outside, right=[2, 3, 4])]
    rows = []
    for m, f in zip(found.meshes, flow.meshes, strict=True):
        driver = {"a": m.circuit.a, "b": m.circuit.b, "": ""}[m.driver]
        force = "" if m.force is None else number(m.force)
        powers = (number(f.from_a), number(f.from_b), number(f.from_carrier))
        torques = (number(m.torques[0]), number(m.torques[1]))
        rows.append(
            (m.circuit.name, driver, *torques, force, number(m.rolling_power), number(m.loss), *powers)
        )
    columns = ["gear pair", "drives", "on a [N m]", "on b", "force [N]", "rolling [W]", "loss"]
    columns += ["from a [W]", "b", "carrier"]
    if rows:
        title = "Torques on wheels, and power into each gear pair"
        parts.append(table(title, columns, rows, right=range(2, 10)))
    if found.couplings:
        rows = [
            (c.name, joint, number(effort)) for c in found.couplings for joint, effort in c.efforts.items()
        ]
        columns = ["coupler", "joint", "torque or force on b [N m, N]"]
        parts.append(table("Efforts of couplers", columns, rows, right=[2]))
    parts.append(facts(_balance(report, found, flow)))
    return parts


def _balance(report: RatiosReport, found: Torques, flow: PowerFlow) -> list[tuple[str, str]]:
    rows = [("power in", f"{number(found.power_in)} W"), ("power out", f"{number(found.power_out)} W")]
    rows.append(("lost in meshes", f"{number(found.loss)} W"))
    if found.efficiency is not None:
        rows.append(("efficiency", "none: self-locking" if found.locks_itself else number(found.efficiency)))
    if report.efficiency is not None:
        back = report.efficiency.backward
        rows.append(("efficiency backwards", number(back) if back else "none: self-locking"))
    power_through = max(found.power_in, found.power_out)
    bearings = [b for b in flow.bearings if abs(b.power) > 1e-9 * flow.largest]
    for b in bearings:
        rows.append(("through a bearing", f"{number(b.power)} W from {b.link} to {b.parent}"))
    for c in flow.circulations:
        share = f" ({number(c.power / power_through, 3)} times the power in)" if power_through else ""
        rows.append(("circulating power", f"{number(c.power)} W{share}: {' > '.join([*c.way, c.way[0]])}"))
    if not flow.circulations:
        rows.append(("circulating power", "none"))
    return rows


def _motor(report: RatiosReport) -> list[tuple[str, str]]:
    answer, motor = report.motor_answer, report.motor
    assert answer is not None
    assert motor is not None
    largest = sorted(answer.inertia.parts.items(), key=lambda item: -item[1])[:5]
    parts = ", ".join(f"{name} {number(value, 3)}" for name, value in largest if value)
    return [
        ("motor on", motor.name),
        ("inertia it feels", f"{number(answer.inertia.total)} kg m^2 ({parts})"),
        ("steady torque", f"{number(answer.steady_torque)} N m"),
        ("acceleration with its peak torque", f"{number(answer.acceleration)} rad/s^2"),
    ]


def _last_words(report: RatiosReport) -> list[str]:
    out = list(report.remarks)
    if report.speeds is None:
        count = report.mobility.by_rank
        out.append(f"The train has {count} freedoms: give as many of `--input` and `--hold` for speeds.")
    elif report.speeds.undriven:
        named = ", ".join(f"`{link}`" for link in report.speeds.undriven)
        out.append(f"The inputs leave the speed of {named} open.")
    return out
