"""The JSON Schema of the description, for editors and other programs."""

from __future__ import annotations

import inspect
import json
import re
from typing import Any

from wheelwork.description.base import Part
from wheelwork.description.description import COLLECTIONS, Description
from wheelwork.description.names import NAME
from wheelwork.description.registry import all_parts as every_part
from wheelwork.description.registry import public_names
from wheelwork.description.union import PART

_FIELD = re.compile(r"    (\w+)(?: \[([^\]]+)\])?: (.*)")


def schema() -> dict[str, Any]:
    """The schema, made from the classes, those that other packages have registered too."""
    definitions: dict[str, Any] = {}
    for cls in sorted(all_parts(), key=lambda cls: cls.__name__):
        if cls.__doc__ and "Fields:" in cls.__doc__ and not cls.__name__.startswith("_"):
            made = cls.model_json_schema(mode="validation")
            inner = made.pop("$defs", {})
            definitions[cls.__name__] = inner.get(cls.__name__, made) if "$ref" in made else made
    for cls in all_parts():
        if cls.__name__ in definitions:
            _document(definitions[cls.__name__], cls)
    root = definitions.pop(Description.__name__)
    for collection in ("parameters", *COLLECTIONS):
        # A heading with nothing under it yet is null in YAML.
        root["properties"][collection] |= {"type": ["object", "null"], "propertyNames": {"pattern": NAME}}
    used = _linked({**root, "$defs": definitions})
    used["$defs"] = _reached(used)
    start = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Wheelwork mechanism"}
    return {**start, **used}


def _linked(node: Any) -> Any:
    """References in their final form: `#` for a mechanism inside a mechanism."""
    if isinstance(node, list):
        return [_linked(entry) for entry in node]
    if not isinstance(node, dict):
        return node
    if PART in node:
        return {"$ref": f"#/$defs/{node[PART]}"}
    linked = {key: _linked(value) for key, value in node.items()}
    if linked.get("$ref") == f"#/$defs/{Description.__name__}":
        linked["$ref"] = "#"
    entries = linked.get("prefixItems")
    if entries and all(entry == entries[0] for entry in entries):
        linked["items"] = linked.pop("prefixItems")[0]
    # Nothing given and the default are the same thing; long defaults of nested parts only clutter what editors show.
    if isinstance(linked.get("default"), dict) or linked.get("default", 0) is None:
        del linked["default"]
    return linked


def _reached(root: dict[str, Any]) -> dict[str, Any]:
    """The definitions that something refers to."""
    found: dict[str, Any] = {}
    waiting = [json.dumps({key: value for key, value in root.items() if key != "$defs"})]
    while waiting:
        for name in re.findall(r'"#/\$defs/(\w+)"', waiting.pop()):
            if name not in found:
                found[name] = root["$defs"][name]
                waiting.append(json.dumps(found[name]))
    return dict(sorted(found.items()))


def schema_text() -> str:
    """The schema as `wheelwork schema` prints it."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def all_parts() -> list[type[Part]]:
    """Every class of the description and of elements, those of other packages too."""
    public = set(public_names().values())
    return [cls for cls in every_part() if cls.__module__.startswith("wheelwork.") or cls in public]


def field_texts(cls: type[Part]) -> dict[str, tuple[str, str]]:
    """Unit and meaning of each field, from the data sheet in the docstring."""
    texts: dict[str, tuple[str, str]] = {}
    _, _, section = inspect.cleandoc(cls.__doc__ or "").partition("Fields:\n")
    name = ""
    for line in section.partition("\n\n")[0].splitlines():
        match = _FIELD.fullmatch(line)
        if match:
            name = match.group(1)
            texts[name] = (match.group(2) or "", match.group(3))
        elif name and line.strip():
            texts[name] = (texts[name][0], f"{texts[name][1]} {line.strip()}")
    return texts


def _document(target: dict[str, Any], cls: type[Part]) -> None:
    """Descriptions for editors to show: the first paragraph for the class, one line for each field."""
    target["description"] = " ".join(inspect.cleandoc(cls.__doc__ or "").split("\n\n")[0].split())
    target.pop("title", None)
    for name, (unit, meaning) in field_texts(cls).items():
        entry = target.get("properties", {}).get(name)
        if entry is not None:
            entry["description"] = f"[{unit}] {meaning}" if unit else meaning
            entry.pop("title", None)
    for entry in target.get("properties", {}).values():
        entry.pop("title", None)
