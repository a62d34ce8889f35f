"""The reference of the public interface: our docstrings for Sphinx's autodoc, and the list of public names."""

from __future__ import annotations

import importlib
import re
from typing import Any

from data_sheets import COLLECTIONS, PARTS, _type_name
from docstrings import CODE, FIELD, summary

import wheelwork

PLAIN_ROLE = re.compile(r":(?:[a-z]+:)?[a-z]+:`[^`]*`")
SECTION = re.compile(r"\w+:")

# names that are no part of a description, and the pages that tell about them
PAGES = {
    "Mechanism": "mechanism", "help": "mechanism", "load": "mechanism", "loads": "mechanism",
    "ModelError": "mechanism", "Problem": "mechanism", "Formula": "mechanism", "Result": "results",
    "load_result": "results", "Initial": "/guide/placement", "Study": "studies", "StudyPlan": "studies",
    "SampledController": "analyses", "Session": "analyses", "read_mjcf": "exchange", "read_urdf": "exchange",
    "write_fmu": "exchange", "write_mjcf": "exchange", "write_urdf": "exchange",
}  # fmt: skip

# attributes that the docstring of an ordinary class describes, one per line
ATTRIBUTES = {"wheelwork.engine.standalone.Standalone": ("name", "parameters", "states", "given")}


def as_rst(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Our docstrings as reStructuredText: code in backticks, `Fields:` as a list, nothing else given a meaning."""
    own = getattr(thing, "__dataclass_fields__", {}) if isinstance(thing, type) else {}
    out: list[str] = []
    i = 0
    while i < len(lines):
        line = lines[i]
        if line.startswith(">>> "):
            end = next((j for j in range(i, len(lines)) if not lines[j].strip()), len(lines))
            out += ["", ".. code-block:: pycon", "", *(f"   {text}" for text in lines[i:end]), ""]
            i = end
        elif line.rstrip() == "Fields:":
            end = next((j for j in range(i + 1, len(lines)) if not lines[j].strip()), len(lines))
            out += ["", *_field_list(lines[i + 1 : end]), ""]
            i = end
        elif (match := FIELD.fullmatch(line)) and match[1] in ATTRIBUTES.get(name, own):
            out += _field_list([line])
            i += 1
        elif line.startswith("    ") and out and not out[-1].strip():
            # an indented block in our docstrings is text to be shown as it stands
            outside = (j for j in range(i, len(lines)) if lines[j].strip() and not lines[j].startswith(" "))
            end = next(outside, len(lines))
            out += [".. code-block:: text", "", *(f"   {text}" for text in lines[i:end]), ""]
            i = end
        else:
            out.append(_escaped(line))
            i += 1
    lines[:] = out


def _field_list(lines: list[str]) -> list[str]:
    out: list[str] = []
    for line in lines:
        match = FIELD.fullmatch(line.strip())
        if match and len(line) - len(line.lstrip()) <= 4:
            unit = f" [{match[2]}]" if match[2] else ""
            out.append(f"* ``{match[1]}``{unit}: {_escaped(match[3])}")
        elif line.strip():
            out.append(f"  {_escaped(line.strip())}")
    return out


def _escaped(line: str) -> str:
    """One line with code spans and roles kept and every other special character shown as itself."""
    parts, end = [], 0
    for match in re.finditer(f"{PLAIN_ROLE.pattern}|{CODE.pattern}", line):
        text = match[0]
        code = text if text.startswith(":") else _literal(text)
        parts += [_plain(line[end : match.start()]), code]
        end = match.end()
    return "".join([*parts, _plain(line[end:])])


def _literal(code: str) -> str:
    """A code span of Markdown, in one or two backticks, as one of reStructuredText."""
    inner = code[2:-2].strip() if code.startswith("``") else code[1:-1]
    return f"``{inner}``"


def _plain(text: str) -> str:
    return re.sub(r"([\\*|]|_(?=\W|$))", r"\\\1", text)


def public_names() -> list[list[str]]:
    """Every name of `wheelwork` itself, with what it is and the page that tells more."""
    rows = [["name", "is", "page"]]
    for name in wheelwork.__all__:
        thing = getattr(wheelwork, name)
        if name == "__version__":
            rows.append([f"`{name}`", "version of the package, a text", ""])
            continue
        rows.append([f"`{name}`", summary(thing.__doc__ or ""), _page(name, thing)])
    return rows


def _page(name: str, thing: Any) -> str:
    if name in PAGES:
        return f"{{doc}}`{PAGES[name]}`"
    collection = getattr(thing, "collection", "")
    if collection in COLLECTIONS:
        return f"{{doc}}`data sheet </elements/{collection}/{_type_name(thing)}>`"
    for module, (page, _) in PARTS.items():
        if f"{thing.__module__}.".startswith(f"{module}."):
            return f"{{doc}}`data sheet </elements/{page}>`"
    if collection == "components":
        return "{doc}`/guide/components`"
    if collection == "frames":
        return "{doc}`/guide/placement`"
    owner = importlib.import_module(thing.__module__)
    for other in vars(owner).values():
        if getattr(other, "collection", "") in COLLECTIONS and _type_name(other):
            return f"{{doc}}`data sheet </elements/{other.collection}/{_type_name(other)}>`"
    raise KeyError(f"no page tells about wheelwork.{name}; add it to PAGES in {__file__}")
