"""What the documentation takes from the code: data sheets, tables of units and functions, bundled examples."""

from __future__ import annotations

import ast
import inspect
import itertools
import textwrap
from pathlib import Path
from typing import Any

import data_sheets
import gallery
import pictures
import reference
import rooms


def setup(app: Any) -> dict[str, Any]:
    app.connect("builder-inited", generate)
    app.connect("source-read", gallery.add_films)
    app.connect("autodoc-process-docstring", reference.as_rst)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def generate(app: Any) -> None:
    source = Path(app.srcdir)
    pictures.make_stale(say=lambda text: None)
    gallery.write(app)
    data_sheets.write(source / "elements")
    tables = source / "generated"
    tables.mkdir(exist_ok=True)
    made = {
        "dimensions": dimensions(),
        "units": unit_symbols(),
        "functions": functions(),
        "outcomes": outcomes(),
        "events": events(),
        "names": reference.public_names(),
        "operation-counts": operation_counts(),
        "formulations": formulations(),
        "sections": sections(),
        "planar": planar_elements(),
    }
    for name, rows in made.items():
        text = "\n".join(
            "| " + " | ".join(row) + " |" for row in [rows[0], ["---"] * len(rows[0]), *rows[1:]]
        )
        (tables / f"{name}.md").write_text(text + "\n", encoding="utf-8")
    (tables / "rooms.svg").write_text(rooms.picture(), encoding="utf-8")
    (tables / "validation.html").write_text(validation(source), encoding="utf-8")


def validation(source: Path) -> str:
    """The table of the page that `wheelwork validate --html docs/_static/validation.html` has written."""
    page = (source / "_static" / "validation.html").read_text(encoding="utf-8")
    return page.partition("<main>")[2].rpartition("</main>")[0]


def operation_counts() -> list[list[str]]:
    from benchmarks.operations import operation_counts

    head = ["mesh", "$g$", "at the contact", "closed form", "differentiated", "$\\mathbf G$"]
    rows = [[*head, "$\\mathbf G$ / at the contact", "$\\mathbf G$ / closed form"]]
    for count in operation_counts():
        at_contact = count.at_contact
        counts = [count.residual, at_contact or "-", count.closed, count.transformed, count.jacobian]
        ratios = [
            f"{count.jacobian / at_contact:.1f}" if at_contact else "-",
            f"{count.jacobian / count.closed:.1f}",
        ]
        rows.append([count.type.replace(":", ", "), *map(str, counts), *ratios])
    return rows


def formulations() -> list[list[str]]:
    """Unknowns and operations in absolute and in minimal coordinates."""
    import wheelwork as ww
    from benchmarks.operations import WORDS, formulation_operations
    from wheelwork import examples

    models = {"wrist": "bevel-wrist", "robot": "robot", "transmission": "automatic-transmission"}
    columns = {
        f"{title}, {word}": one
        for title, name in models.items()
        for word, one in zip(
            ("absolute", "minimal"), formulation_operations(ww.load(examples.path(name))), strict=True
        )
    }
    rows = [["", *columns]]
    for field, words in WORDS.items():
        rows.append([words, *(f"{getattr(one, field):,}".replace(",", " ") for one in columns.values())])
    return rows


SECTIONS = {
    "wheelwork": ("version of the file format, now 1", "1"),
    "kind": ("`spatial` or `planar`, see [below](#planar-mechanisms)", "`spatial`"),
    "name": ("free text", "empty"),
    "comment": ("free text", "empty"),
    "gravity": ("acceleration vector", "`[0, 0, -9.80665]`, in the plane `[0, -9.80665]`"),
    "parameters": ("name: number, quantity, or formula of other parameters", "none"),
    "bodies": ("name: {doc}`body, rotor or shaft </elements/bodies>`", "none"),
    "joints": ("name: {doc}`joint </elements/joints>`", "none"),
    "meshes": ("name: {doc}`gear mesh </elements/meshes>`, see {doc}`meshes`", "none"),
    "forces": ("name: {doc}`force </elements/forces>`", "none"),
    "drivers": ("name: {doc}`driver </elements/drivers>`", "none"),
    "states": (
        "name: {doc}`state </elements/states>` with a rate of its own, or an input, see {doc}`control`",
        "none",
    ),
    "control": ("name: {doc}`block of a control </elements/control>`, see {doc}`control`", "none"),
    "components": ("name: {doc}`component <components>`", "none"),
    "frames": ("name: attachment frame: `body`, `position`, `orientation` (in the plane `angle`)", "none"),
    "analysis": ("what `wheelwork run` does, see below", "none"),
    "start": (
        "how elastic teeth and shafts begin: `rolling`, `loaded` or `rest`, see {doc}`placement`",
        "`rolling`",
    ),
    "study": ("what `wheelwork study` varies and measures, see {doc}`studies`", "none"),
    "outputs": ("signals to keep", "all"),
}


def sections() -> list[list[str]]:
    """The keys of a model file; one without words here, or words without a key, fails the build."""
    from wheelwork.description.description import Description

    keys = [name for name in Description.model_fields if not name.startswith("_")]
    if extra := set(SECTIONS) ^ set(keys):
        raise ValueError(f"the keys of a model file and their table differ: {', '.join(sorted(extra))}")
    return [["key", "holds", "default"], *([f"`{key}`", *SECTIONS[key]] for key in keys)]


def planar_elements() -> list[list[str]]:
    """Joints and meshes that a planar mechanism may have."""
    from docstrings import summary

    from wheelwork.description.base import PLANAR
    from wheelwork.description.registry import family

    rows = [["type", "", "what it is"]]
    for collection, noun in (("joints", "joint"), ("meshes", "mesh")):
        for name, cls in family(collection).items():
            if PLANAR in cls.kinds:
                sheet = f"{{doc}}`{name} </elements/{collection}/{name}>`"
                rows.append([sheet, noun, summary(cls.__doc__ or "")])
    return rows


def outcomes() -> list[list[str]]:
    from wheelwork.engine.outcome import _TEXTS, Outcome

    rows = [["outcome", "good", "text"]]
    for outcome in Outcome:
        text = _TEXTS[outcome].replace("{step:.1e}", "{step}")
        rows.append([f"`{outcome.name}`", "yes" if outcome.good else "no", text])
    return rows


def events() -> list[list[str]]:
    """Kinds of events with the text that stands below each in the class."""
    from wheelwork.engine.engine import WORDS, EventKind

    body = ast.parse(textwrap.dedent(inspect.getsource(EventKind))).body[0].body
    meanings = {
        name.targets[0].id: ast.literal_eval(text.value)
        for name, text in itertools.pairwise(body)
        if isinstance(name, ast.Assign)
    }
    rows = [["kind", "what happened", "as printed"]]
    for kind in EventKind:
        rows.append([f"`{kind.name}`", " ".join(meanings[kind.name].split()), WORDS[kind]])
    return rows


def dimensions() -> list[list[str]]:
    from wheelwork.description.dimensions import DIMENSIONS

    rows = [["dimension", "SI unit", "example"]]
    for d in DIMENSIONS:
        rows.append([d.words.removeprefix("a ").removeprefix("an "), f"`{d.unit}`", f"`{d.example}`"])
    return rows


def unit_symbols() -> list[list[str]]:
    from wheelwork.description import units
    from wheelwork.description.dimensions import si_unit

    rows = [["symbol", "is", "prefixes"]]
    prefixes = " ".join(f"`{p}`" for p in units._PREFIXES if p.isascii())
    for symbol, (factor, exponents) in units._PLAIN.items():
        value = f"{factor:.12g} {si_unit(exponents)}"
        rows.append([f"`{symbol}`", value, prefixes if symbol in units._BASE else ""])
    return rows


def functions() -> list[list[str]]:
    from wheelwork.description.formula import CONSTANTS, FUNCTIONS, VARIADIC

    said = {
        "atan2": "angle of the point (x, y) from the x axis: `atan2(y, x)`",
        "log": "natural logarithm",
        "sign": "-1, 0 or 1",
        "step": "1 for x > 0, else 0",
        "if": "`if(condition, a, b)`: a where the condition is not 0, else b",
        "min": "smallest of two or more",
        "max": "largest of two or more",
        "floor": "largest whole number not above",
        "ceil": "smallest whole number not below",
    }
    rows = [["name", "arguments", "meaning"]]
    for name, (_, count) in FUNCTIONS.items():
        rows.append([f"`{name}`", f"{count} or more" if name in VARIADIC else str(count), said.get(name, "")])
    return rows + [[f"`{name}`", "constant", f"{value:.15g}"] for name, value in CONSTANTS.items()]
