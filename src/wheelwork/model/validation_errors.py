"""Pydantic's errors in our words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from wheelwork.model.problems import Problem, did_you_mean, listed

Path = tuple[str | int, ...]

_NEEDS = {
    "string_type": "needs a text",
    "bool_type": "needs true or false",
    "bool_parsing": "needs true or false",
    "int_type": "needs a whole number",
    "int_parsing": "needs a whole number",
    "int_from_float": "needs a whole number",
    "float_type": "needs a number",
    "float_parsing": "needs a number",
    "dict_type": "needs a mapping (`name: value` lines)",
    "model_type": "needs a mapping (`name: value` lines)",
    "model_attributes_type": "needs a mapping (`name: value` lines)",
    "tuple_type": "needs a list",
    "list_type": "needs a list",
}


def problems_of(error: ValidationError, prefix: str = "") -> list[Problem]:
    """Problems of a part made in Python, with paths that start at the class name."""
    return [
        Problem(message, "", path_text((prefix, *path) if prefix else path), hint)
        for path, message, hint, _ in faults(error)
    ]


def path_text(path: Path) -> str:
    """`joints.hinge.axis[2]`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def faults(
    error: ValidationError, fields: Callable[[Path], list[str]] | None = None
) -> list[tuple[Path, str, str, bool]]:
    """(path, message, hint, whether the key rather than the value is at fault) for each error."""
    found: list[tuple[Path, str, str, bool]] = []
    for item in error.errors(include_url=False):
        context: dict[str, Any] = item.get("ctx", {})
        path = tuple(part for part in item["loc"] if not _is_tag(part))
        if item["type"] == "issues":
            for issue in context["issues"]:
                inner = tuple(int(p) if p.isdigit() else p for p in issue.field.split(".") if p)
                found.append(((*path, *inner), issue.message, issue.hint, False))
        else:
            found.append(_fault(item, path, context))
    return found


# Our unions carry tags of this shape, so that they can be told from names users chose.
TAG = "type="


def _is_tag(part: str | int) -> bool:
    return isinstance(part, str) and part.startswith(TAG)


def _fault(item: Any, path: Path, context: dict[str, Any]) -> tuple[Path, str, str, bool]:
    kind, given = item["type"], item.get("input")
    if kind == "extra_forbidden":
        return path, f"there is no key `{path[-1]}` here", "", True
    if kind == "missing":
        return path, f"`{path[-1]}` is missing", "", True
    if kind == "union_tag_invalid":
        tag = str(context["tag"]).removeprefix(TAG)
        known = [name.strip(" '").removeprefix(TAG) for name in context["expected_tags"].split(",")]
        hint = did_you_mean(tag, known) or f"the types are {listed(known)}"
        return (*path, "type"), f"there is no type `{tag}`", hint, False
    if kind == "union_tag_not_found":
        if not isinstance(given, dict):
            return path, f"{_NEEDS['dict_type']}, but is {shown(given)}", "", False
        return path, "`type` is missing", "", True
    if kind == "literal_error":
        expected = [name.strip(" '") for name in context["expected"].replace(" or ", ", ").split(",")]
        return (
            path,
            f"needs {listed(expected, 'or')}, but is {shown(given)}",
            did_you_mean(str(given), expected),
            False,
        )
    if kind in ("too_short", "too_long"):
        least, actual = context.get("min_length", context.get("max_length")), context["actual_length"]
        return path, f"needs {least} entries, but has {actual}", "", False
    if kind in ("greater_than", "greater_than_equal", "less_than", "less_than_equal"):
        limit = next(context[k] for k in ("gt", "ge", "lt", "le") if k in context)
        words = {"gt": "more than", "ge": "at least", "lt": "less than", "le": "at most"}
        how = words[next(k for k in words if k in context)]
        return path, f"must be {how} {limit}, but is {shown(given)}", "", False
    if kind == "fault":
        return path, context["text"], context.get("hint", ""), False
    if kind in _NEEDS:
        return path, f"{_NEEDS[kind]}, but is {shown(given)}", "", False
    return path, item["msg"].removeprefix("Value error, "), "", False


def shown(value: Any) -> str:
    """A value in a message: what it is, and short."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    text = str(value)
    return f"`{text if len(text) <= 60 else text[:57] + '...'}`"
