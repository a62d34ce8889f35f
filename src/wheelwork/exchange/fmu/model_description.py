"""`modelDescription.xml` of FMI 2.0 and 3.0."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from wheelwork import __version__
from wheelwork.description.units import UnitError, parse_unit
from wheelwork.engine.compiler import sources

from .model import FmuModel
from .variables import Variable, VariableKind


def identifier(name: str) -> str:
    """A name that C takes, for the binary."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "mechanism"
    return f"_{plain}" if plain[0].isdigit() else plain


def model_description(model: FmuModel, fmi: int) -> bytes:
    """The text, for FMI 2.0 or 3.0."""
    about = model.given.description
    root = Element("fmiModelDescription")
    root.attrib |= {"fmiVersion": f"{fmi}.0", "modelName": model.name}
    root.attrib |= {"guid" if fmi == 2 else "instantiationToken": model.token}
    if about.comment:
        root.attrib["description"] = " ".join(about.comment.split())
    root.attrib |= {"generationTool": f"Wheelwork {__version__}", "variableNamingConvention": "flat"}
    if fmi == 2:
        root.attrib["numberOfEventIndicators"] = str(model.indicators)
    _kinds(root, model, fmi)
    _units(root, model.variables)
    s = model.settings
    span = float(s.end) - float(s.start)
    experiment = {"startTime": s.start, "stopTime": s.end, "tolerance": 1e-6, "stepSize": span / s.output}
    SubElement(root, "DefaultExperiment", {name: repr(float(x)) for name, x in experiment.items()})
    listed = SubElement(root, "ModelVariables")
    for reference, variable in enumerate(model.variables):
        (_scalar if fmi == 2 else _float)(listed, reference, variable)
    _structure(root, model.variables, fmi)
    return document(root)


def document(root: Element) -> bytes:
    """A file of XML."""
    indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="utf-8") + b"\n"


def _kinds(root: Element, model: FmuModel, fmi: int) -> None:
    can = "canGetAndSetFMUstate" if fmi == 2 else "canGetAndSetFMUState"
    serial = "canSerializeFMUstate" if fmi == 2 else "canSerializeFMUState"
    shared = {"modelIdentifier": identifier(model.name), can: "true", serial: "true"}
    slope = "providesDirectionalDerivative" if fmi == 2 else "providesDirectionalDerivatives"
    exchange = {**shared, slope: "true"}
    if fmi == 3:
        exchange["needsCompletedIntegratorStep"] = "true"
    simulation = {**shared, "canHandleVariableCommunicationStepSize": "true"}
    for kind, can_do in (("ModelExchange", exchange), ("CoSimulation", simulation)):
        listed = SubElement(root, kind, can_do)
        if fmi == 2:  # in FMI 3.0 they are in a file of their own
            group = SubElement(listed, "SourceFiles")
            for path in sources():
                SubElement(group, "File", {"name": path.name})


def _units(root: Element, variables: list[Variable]) -> None:
    units = dict.fromkeys(v.unit for v in variables if v.unit not in ("", "1"))
    listed = SubElement(root, "UnitDefinitions")
    for unit in units:
        one = SubElement(listed, "Unit", {"name": unit})
        exponents = base_exponents(unit)
        if exponents is not None:
            SubElement(one, "BaseUnit", {name: str(x) for name, x in exponents.items()})


def _common(reference: int, variable: Variable) -> dict[str, str]:
    out = {"name": variable.name, "valueReference": str(reference)}
    out |= {"causality": variable.causality, "variability": variable.variability}
    if variable.initial:
        out["initial"] = variable.initial
    if variable.meaning:
        out["description"] = variable.meaning
    return out


def _number(variable: Variable) -> dict[str, str]:
    out = {} if variable.unit in ("", "1") else {"unit": variable.unit}
    for name, value in (("min", variable.least), ("max", variable.greatest), ("start", variable.start)):
        if value is not None:
            out[name] = repr(float(value))
    return out


def _scalar(listed: Element, reference: int, variable: Variable) -> None:
    one = SubElement(listed, "ScalarVariable", _common(reference, variable))
    number = _number(variable)
    if variable.derivative_of is not None:
        number["derivative"] = str(variable.derivative_of + 1)  # counted from one
    SubElement(one, "Real", number)


def _float(listed: Element, reference: int, variable: Variable) -> None:
    number = _number(variable)
    if variable.derivative_of is not None:
        number["derivative"] = str(variable.derivative_of)
    SubElement(listed, "Float64", {**_common(reference, variable), **number})


def _structure(root: Element, variables: list[Variable], fmi: int) -> None:
    """Which depend on others; on which is left open: on all."""
    K = VariableKind
    outputs = [k for k, v in enumerate(variables) if v.kind is K.OUTPUT]
    rates = [k for k, v in enumerate(variables) if v.kind is K.RATE]
    states = [k for k, v in enumerate(variables) if v.kind is K.STATE]
    indicators = [k for k, v in enumerate(variables) if v.kind is K.INDICATOR]
    listed = SubElement(root, "ModelStructure")
    initial = sorted([*outputs, *rates, *states])
    if fmi == 2:
        for name, places in (("Outputs", outputs), ("Derivatives", rates), ("InitialUnknowns", initial)):
            if places:
                group = SubElement(listed, name)
                for k in places:
                    SubElement(group, "Unknown", {"index": str(k + 1)})
        return
    for name, places in (
        ("Output", outputs),
        ("ContinuousStateDerivative", rates),
        ("InitialUnknown", initial),
        ("EventIndicator", indicators),
    ):
        for k in places:
            SubElement(listed, name, {"valueReference": str(k)})


def base_exponents(unit: str) -> dict[str, int] | None:
    """Exponents of metre, kilogram, second and radian; None where the unit has no such form (`m or rad`)."""
    try:
        factor, exponents = parse_unit(unit)
    except UnitError:
        return None
    if factor != 1.0 or any(x.denominator != 1 for x in exponents):
        return None
    return {name: int(x) for name, x in zip(("m", "kg", "s", "rad"), exponents, strict=True) if x}
