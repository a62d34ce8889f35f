"""Pydantic's errors in our words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pydantic import ValidationError

from wheelwork.lazy import union
from wheelwork.problems import Problem, did_you_mean, listed

Path = tuple[str | int, ...]

# Tags of our unions have this shape, so that they can be told from names users chose.
TAG = "type="

_MAPPING = "needs a mapping (lines with `key: value`)"
_NEEDS = {
    "string_type": "needs a text",
    "bool_type": "needs true or false",
    "bool_parsing": "needs true or false",
    "int_type": "needs a whole number",
    "int_parsing": "needs a whole number",
    "int_from_float": "needs a whole number",
    "dict_type": _MAPPING,
    "model_type": _MAPPING,
    "model_attributes_type": _MAPPING,
    "tuple_type": "needs a list",
    "list_type": "needs a list",
}
_LIMITS = {"gt": "more than", "ge": "at least", "lt": "less than", "le": "at most"}


class Fault(NamedTuple):
    """One error: its path, what is wrong, what to do, and whether the key rather than the value is at fault."""

    path: Path
    message: str
    hint: str = ""
    at_key: bool = False


def problems_of(error: ValidationError, cls: Any, given: Any = None) -> list[Problem]:
    """Problems of a part made in Python, with paths that start at its class; given: its fields as they were written."""
    return [
        Problem(fault.message, "", path_text((cls.__name__, *fault.path)), fault.hint)
        for fault in all_faults(error, cls, given, cls.model_validate)
    ]


def path_text(path: Path) -> str:
    """`joints.hinge.axis[2]`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def all_faults(
    error: ValidationError, annotation: Any, given: Any, validate: Callable[[Any], Any]
) -> list[Fault]:
    """All errors in validating something, with those that show once the fields which could not be read are left out.

    Checks of several fields come after those of each; what is missing only now was written, if not well.
    """
    found = faults(error, annotation)
    if all(one["type"] == "issues" for one in error.errors(include_url=False)) or not isinstance(given, dict):
        return found
    bad = {str(one.path[0]) for one in found if one.path}
    left = {name: value for name, value in given.items() if name not in bad}
    try:
        validate(left)
    except ValidationError as other:
        besides = [one for one in faults(other, annotation) if one.path and one.path[0] in left]
        return found + [one for one in besides if not any(f"`{name}`" in one.message for name in bad)]
    return found


def faults(error: ValidationError, annotation: Any) -> list[Fault]:
    """All errors in validating something as `annotation`."""
    found: list[Fault] = []
    for item in error.errors(include_url=False):
        path = tuple(part for part in item["loc"] if not (isinstance(part, str) and part.startswith(TAG)))
        context: dict[str, Any] = item.get("ctx", {})
        if item["type"] == "issues":
            for issue in context["issues"]:
                found.append(Fault((*path, *issue.path), issue.message, issue.hint))
        elif item["type"] == "extra_forbidden":
            key, known = str(path[-1]), union.keys_at(annotation, item["loc"][:-1])
            found.append(Fault(path, f"there is no key `{key}` here", key_hint(key, known), at_key=True))
        elif item["type"] == "union_tag_not_found" and isinstance(item["input"], dict):
            hint = f"the types are {listed(_types_at(annotation, item['loc']))}"
            found.append(Fault((*path, "type"), "`type` is missing", hint, at_key=True))
        else:
            found.append(_fault(item["type"], item, path, context))
    return _merged(found)


def _types_at(annotation: Any, loc: Path) -> list[str]:
    held = union.classes_at(annotation, loc)
    return [cls.model_fields["type"].default for cls in held if "type" in cls.model_fields]


def key_hint(key: str, known: list[str]) -> str:
    """The key that was probably meant, or all there are."""
    if key == "<<":
        return "merge keys are not part of YAML 1.2; use an anchor for each value"
    return did_you_mean(key, known) or (f"the keys are {listed(known)}" if known else "")


def _fault(kind: str, item: Any, path: Path, context: dict[str, Any]) -> Fault:
    given = item.get("input")
    if kind == "fault":
        return Fault(path, context["text"], context.get("hint", ""))
    if kind == "missing":
        if path and isinstance(path[-1], int):
            return Fault(path[:-1], f"needs {path[-1] + 1} entries, but has {_size(given)}")
        return Fault(path, f"`{path[-1]}` is missing", at_key=True)
    if kind == "union_tag_invalid":
        tag = str(context["tag"]).removeprefix(TAG)
        known = [name.strip(" '").removeprefix(TAG) for name in context["expected_tags"].split(",")]
        hint = did_you_mean(tag, known) or f"the types are {listed(known)}"
        return Fault((*path, "type"), f"there is no type `{tag}`", hint)
    if kind == "union_tag_not_found":
        return Fault(path, f"{_MAPPING}, but is {shown(given)}")
    if kind == "literal_error":
        expected = [name.strip(" '") for name in context["expected"].replace(" or ", ", ").split(",")]
        return Fault(
            path, f"needs {listed(expected, 'or')}, but is {shown(given)}", did_you_mean(str(given), expected)
        )
    if kind in ("too_short", "too_long"):
        wanted = context.get("min_length", context.get("max_length"))
        cut = [one for one in given if isinstance(one, str) and one.count("(") != one.count(")")]
        hint = f"`{cut[0]}` is a part of a formula: one with a comma in it stands in quotes" if cut else ""
        return Fault(path, f"needs {wanted} entries, but has {context['actual_length']}", hint)
    for short, words in _LIMITS.items():
        if short in context:
            return Fault(path, f"must be {words} {context[short]}, but is {shown(given)}")
    if kind in _NEEDS:
        return Fault(path, f"{_NEEDS[kind]}, but is {shown(given)}")
    return Fault(path, item["msg"].removeprefix("Value error, "))


def _size(given: Any) -> str:
    return str(len(given)) if hasattr(given, "__len__") else "fewer"


def _merged(found: list[Fault]) -> list[Fault]:
    """A list that is too short gives an error for each missing entry; the last one says it all."""
    by_place: dict[tuple[Path, str], Fault] = {}
    for fault in found:
        short = fault.message.startswith("needs ") and " entries, but has " in fault.message
        by_place[fault.path, "entries" if short else fault.message] = fault
    return list(by_place.values())


TRUTH = "write 1 for true and 0 for false where such a number is meant"


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
