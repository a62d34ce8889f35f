"""`wheelwork info FILE`"""

from __future__ import annotations

from wheelwork.description import Formula, flatten
from wheelwork.system.build import build
from wheelwork.system.signals import SignalCatalogue

from .options import Json, ModelFile, Settings, read_model
from .show import about_model, console, number, print_json, table


def info(file: ModelFile, /, *, settings: Settings = [], json: Json = False) -> int:  # noqa: B006
    """List parameters with their values, and signals with units and meaning."""
    mechanism = read_model(file, settings)
    flat = flatten(mechanism)
    values = flat.resolve_parameters()
    parameters = [
        {
            "name": name,
            "value": values[name],
            "unit": flat.parameter_units.get(name, ""),
            "formula": given.text if isinstance(given, Formula) else "",
        }
        for name, given in flat.parameters.items()
    ]
    signals = [
        {"name": s.name, "unit": s.unit, "meaning": s.meaning, "components": list(s.components)}
        for s in SignalCatalogue(build(flat)).signals.values()
    ]
    if json:
        print_json(
            {"name": flat.name, "comment": mechanism.comment, "parameters": parameters, "signals": signals}
        )
        return 0
    out = console()
    out.print(about_model(flat.name, str(file)))
    if mechanism.comment:
        out.print()
        out.print(mechanism.comment.rstrip(), markup=False, style="italic")
    out.print()
    if parameters:
        rows = [(p["name"], number(p["value"], 8), p["unit"], p["formula"]) for p in parameters]
        out.print(table("Parameters", ["name", "value", "unit", "formula"], rows, right=[1]))
    else:
        out.print("no parameters")
    out.print()
    rows = [(" .".join([s["name"], *s["components"]]), s["unit"], s["meaning"]) for s in signals]
    out.print(table("Signals", ["name", "unit", "meaning"], rows))
    return 0
