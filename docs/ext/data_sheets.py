"""Pages under elements/: a data sheet for every class a user can write, from the description and the equations."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from docstrings import escaped, fields_of, markdown, prose_of, summary

import wheelwork.description

# collection of a mechanism -> (title of its page, what a sheet's title ends with)
COLLECTIONS = {
    "bodies": ("Bodies", ""),
    "joints": ("Joints", " joint"),
    "meshes": ("Meshes", " mesh"),
    "forces": ("Forces", ""),
    "drivers": ("Drivers", " driver"),
    "states": ("States", ""),
    "control": ("Control", ""),
}
TEETH = "wheelwork.elements.meshes.teeth"
# module (or package of several) -> page and title: other parts of a description, all of a module on one page
PARTS = {
    "wheelwork.description.shapes": ("shapes", "Shapes"),
    "wheelwork.description.body_geometry": ("geometry", "Geometry of bodies"),
    f"{TEETH}.rigid": ("mesh-models", "Mesh models"),
    f"{TEETH}.compliant": ("compliant-teeth", "Compliant teeth"),
    f"{TEETH}.stiffness": ("mesh-stiffness", "Stiffness of compliant teeth"),
    f"{TEETH}.contact": ("tooth-contact", "Tooth contact"),
    f"{TEETH}.pins": ("pin-contact", "Pins of cycloidal drives"),
    f"{TEETH}.strands": ("belt-strands", "Belts that stretch and slip"),
    f"{TEETH}.links": ("chain-links", "Chains whose links stretch"),
    f"{TEETH}.traction": ("traction", "Wheels that drive by friction"),
    f"{TEETH}.elastic": ("elastic-laws", "Laws of tooth contact: elastic"),
    f"{TEETH}.damping": ("damping-laws", "Laws of tooth contact: damping"),
    f"{TEETH}.friction": ("friction-laws", "Laws of tooth contact: friction"),
    "wheelwork.description.orientation": ("orientation", "Orientations and poses"),
    "wheelwork.description.table": ("tables", "Tables"),
    "wheelwork.description.outline": ("outlines", "Outlines"),
    "wheelwork.description.analysis": ("analyses", "Analyses"),
    "wheelwork.description.vibration_analyses": ("vibration-analyses", "Analyses of vibration"),
}

REFERENCES = {
    "place": "name of a body, `ground` or an attachment frame",
    "body": "name of a body or `ground`",
    "moving body": "name of a body",
}


def write(folder: Path) -> None:
    """Write all pages, leaving alone those that have not changed so that Sphinx need not read them again."""
    pages = dict(_pages())
    for path, text in pages.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
    for old in folder.rglob("*.md"):
        if str(old.relative_to(folder)) not in pages:
            old.unlink()


def _pages() -> Iterator[tuple[str, str]]:
    from wheelwork.description.base import Element, Part
    from wheelwork.description.registry import public_names

    public_names()  # reads the files of all elements
    for module in pkgutil.walk_packages(wheelwork.description.__path__, "wheelwork.description."):
        importlib.import_module(module.name)
    named = [cls for cls in _subclasses(Element) if _type_name(cls)]
    entries = []
    for collection, (title, ending) in COLLECTIONS.items():
        classes = sorted((cls for cls in named if cls.collection == collection), key=_type_name)
        entries.append(collection)
        yield f"{collection}.md", _overview(collection, title, classes)
        for cls in classes:
            heading = _type_name(cls).replace("_", " ").capitalize() + ending
            yield f"{collection}/{_type_name(cls)}.md", _sheet(cls, heading, _equations(cls))
    for module, (page, title) in PARTS.items():
        if module not in sys.modules:
            continue
        classes = [
            cls
            for cls in _subclasses(Part)
            if (cls.__module__ == module or cls.__module__.startswith(f"{module}."))
            and not cls.__name__.startswith("_")
            and cls.model_fields
        ]
        entries.append(page)
        # in a package every class has a file of its own, whose docstring is its law
        body = "\n\n".join(
            _sheet(cls, cls.__name__, {} if cls.__module__ == module else {"Law": cls}, level=2)
            for cls in classes
        )
        yield f"{page}.md", f"# {title}\n\n{markdown(sys.modules[module].__doc__ or '')}\n\n{body}"
    intro = (
        "# Data sheets\n\nWhat can be written in a description, made from the classes themselves. "
        "Numeric fields take a number in SI units, a quantity with a unit, or a formula ({doc}`/guide/units`, "
        "{doc}`/guide/formulas`).\n\n"
    )
    yield "index.md", intro + _toctree(entries)


def _overview(collection: str, title: str, classes: list[type]) -> str:
    rows = [
        f"| {{doc}}`{_type_name(c)} <{collection}/{_type_name(c)}>` | {summary(c.__doc__ or '')} |"
        for c in classes
    ]
    table = "\n".join(["| type | what it is |", "|---|---|", *rows])
    return f"# {title}\n\n{table}\n\n" + _toctree(
        [f"{collection}/{_type_name(c)}" for c in classes], hidden=True
    )


def _toctree(entries: list[str], hidden: bool = False) -> str:
    options = ":hidden:\n" if hidden else ":maxdepth: 2\n"
    return f"```{{toctree}}\n{options}\n" + "\n".join(entries) + "\n```\n"


def _sheet(cls: Any, heading: str, equations: dict[str, Any], level: int = 1) -> str:
    """equations: by the heading under which they stand"""
    mark = "#" * level
    parts = [f"{mark} {heading}", _spelling(cls), prose_of(cls), _field_table(cls)]
    for part in _own_parts(cls):
        parts += [f"{mark}# {part.__name__}", _spelling(part), prose_of(part), _field_table(part)]
    for title, written in equations.items():
        parts += [f"{mark}# {title}", markdown(_written_about(written)), _equation_facts(written)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _spelling(cls: Any) -> str:
    if not _type_name(cls):
        return ""
    kinds = getattr(cls, "kinds", ())
    where = f" In {next(iter(kinds))} mechanisms only." if len(kinds) == 1 else ""
    return f"YAML: `type: {_type_name(cls)}`. Python: `{cls.__name__}`.{where}"


def _equation_facts(equations: Any) -> str:
    facts = []
    for attribute, words in (("row_names", "Constraint rows"), ("coordinates", "Coordinates")):
        names = getattr(equations, attribute, ())
        if names:
            facts.append(f"{words}: " + ", ".join(f"`{name}`" for name in names) + ".")
    return "\n\n".join(facts)


def _field_table(cls: Any) -> str:
    meanings = fields_of(cls)
    rows = []
    for name, field in cls.model_fields.items():
        if name in ("type", "comment"):
            continue
        unit, meaning = meanings.get(name, ("", ""))
        takes = _takes(field.annotation, field.metadata)
        if getattr(cls, "kinds", None) == {"planar"}:
            takes = re.sub(r"^3 × (.*); in the plane 2$", r"2 × \1", takes)
        elif getattr(cls, "kinds", None) == {"spatial"}:
            takes = takes.partition("; in the plane")[0]
        if unit and unit != "1":
            what, _, when = takes.partition(";")
            takes = f"{what} [{unit}]" + (f";{when}" if when else "")
        default = "needed" if field.is_required() else _default(field.get_default(call_default_factory=True))
        rows.append(f"| `{name}` | {takes} | {default} | {escaped(meaning)} |")
    return "\n".join(["| field | takes | default | meaning |", "|---|---|---|---|", *rows]) if rows else ""


def _default(value: Any) -> str:
    if value is None or value == "" or value == {}:
        return ""
    if isinstance(value, tuple) and value and all(isinstance(x, int | float) for x in value):
        return "`[" + ", ".join(f"{x:g}" for x in value) + "]`"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, float):
        return f"`{value:g}`"
    if isinstance(value, int | str):
        return f"`{value}`"
    return f"`{value.type}`" if hasattr(value, "type") else ""


def _takes(annotation: Any, metadata: Any = ()) -> str:
    """The type of a field in words."""
    from wheelwork.description.base import Part, Ref
    from wheelwork.description.union import ByType
    from wheelwork.description.values import NumberField, Vector

    for extra in metadata:
        if isinstance(extra, ByType) and extra.family is not None:
            return " or ".join(f"`{_type_name(cls)}`" for cls in extra.classes())
        if isinstance(extra, Vector):
            fewer = {"in": "; in the plane 2", "about": "; in the plane 1"}.get(extra.in_plane, "")
            return _takes(annotation) + fewer
        if isinstance(extra, NumberField):
            varying = {
                "time": "; may change with time",
                "signals": "; may change with time and state",
                "curve": "; formula of `s`",
            }
            return " or ".join(dict.fromkeys(_noun(d.words) for d in extra.dimensions)) + varying.get(
                extra.scope, ""
            )
        if isinstance(extra, Ref):
            name = REFERENCES.get(extra.kind, f"name of a {extra.kind}")
            pair = next((a for a in (annotation, *get_args(annotation)) if get_origin(a) is tuple), None)
            return name if pair is None else f"{len(get_args(pair))} × {name}"
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _takes(arguments[0], arguments[1:])
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in arguments)
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(_takes(a) for a in arguments if a is not type(None)))
    if origin is tuple:
        if arguments[-1] is Ellipsis:
            return f"list of {_takes(arguments[0])}"
        words = dict.fromkeys(_takes(a) for a in arguments)
        return f"{len(arguments)} × {next(iter(words))}" if len(words) == 1 else ", ".join(words)
    if origin is dict:
        return f"mapping of name to {_takes(arguments[1])}"
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return f"`{_type_name(annotation) or annotation.__name__.lower()}`"
    return {str: "text", bool: "true or false", int: "whole number", float: "number"}.get(annotation, "value")


def _noun(words: str) -> str:
    """`a length` -> `length`."""
    return words.split(" ", 1)[1] if words.startswith(("a ", "an ")) else words


def _own_parts(cls: Any) -> list[Any]:
    """Classes used in the fields of this one that have no page of their own."""
    from wheelwork.description.base import Element, Part

    found: dict[Any, None] = {}

    def look(annotation: Any) -> None:
        if isinstance(annotation, type) and issubclass(annotation, Part) and annotation is not cls:
            elsewhere = annotation.__module__ in PARTS or issubclass(annotation, Element)
            if annotation not in found and not elsewhere:
                found[annotation] = None
                for field in annotation.model_fields.values():
                    look(field.annotation)
        for argument in get_args(annotation):
            look(argument)

    for field in cls.model_fields.values():
        look(field.annotation)
    return list(found)


def _equations(cls: Any) -> dict[str, Any]:
    """The equations of an element, those of space and those of the plane each under a heading."""
    if cls.collection == "joints":
        written = [one for one in (cls.InSpace, cls.InPlane) if one is not None]
        both = len(written) == 2 and _written_about(written[0]()) != _written_about(written[1]())
        titles = ["Equations", "Equations in the plane"] if both else ["Equations"]
        return {title: one() for title, one in zip(titles, written, strict=False)}
    if cls.collection == "meshes":
        return {"Equations": cls.equations()}
    return {"Equations": cls} if cls.collection == "forces" else {}


def _written_about(equations: Any) -> str:
    """The data sheet of equations: of their own class in a joint, or of the file."""
    from wheelwork.equations.joint_equations import JointEquations, data_sheet

    if isinstance(equations, JointEquations):
        return data_sheet(equations)
    return sys.modules[_class(equations).__module__].__doc__ or ""


def _subclasses(cls: type) -> list[Any]:
    found: dict[Any, None] = {}
    for child in cls.__subclasses__():
        found |= dict.fromkeys([child, *_subclasses(child)])
    return list(found)


def _type_name(cls: Any) -> str:
    field = cls.model_fields.get("type")
    return field.default if field is not None and isinstance(field.default, str) else ""


def _class(thing: Any) -> type:
    return thing if isinstance(thing, type) else type(thing)
