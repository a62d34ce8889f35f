"""Data sheets as text: what a type of a description is, its fields, and its equations with their source."""

from __future__ import annotations

import inspect
import sys
from typing import Any

from wheelwork.description.registry import family_of
from wheelwork.description.schema import all_parts
from wheelwork.equations.joint_equations import data_sheet
from wheelwork.problems import ModelError, did_you_mean


def help(name: str = "") -> None:
    """Print the data sheet of what a file calls `name`, such as `external`, or Python, such as `ExternalMesh`; without
    a name all that have one. Raises ModelError where there is none of that name.

    >>> import wheelwork as ww
    >>> ww.help("saturation")  # doctest: +ELLIPSIS
    saturation, in `control`; in Python Saturation
    ...
    """
    print(data_sheets(name) if name else overview())


def data_sheets(name: str) -> str:
    """The data sheets of a name, one after the other: a few types are in more than one collection."""
    known = _known()
    found = [cls for cls in known if name.lower() in (_type_of(cls), cls.__name__.lower())]
    if not found:
        names = {*map(_type_of, known), *(cls.__name__ for cls in known)} - {""}
        hint = did_you_mean(name, names) or "`wheelwork help` and `ww.help()` list all"
        raise ModelError(f"there is no data sheet of `{name}`", hint=hint)
    return "\n\n\n".join(map(_sheet, found))


def overview() -> str:
    """All types by the collection in which they are, and the other parts of a description."""
    lines: dict[str, list[str]] = {}
    for cls in _known():
        lines.setdefault(family_of(cls) or "other parts", []).append(_type_of(cls) or cls.__name__)
    return "\n".join(f"{family}: {', '.join(sorted(names))}" for family, names in sorted(lines.items()))


def _known() -> list[Any]:
    """Classes that a user writes."""
    every = (cls for cls in all_parts() if cls.__doc__ and not cls.__name__.startswith("_"))
    return [cls for cls in every if _type_of(cls) or not cls.__subclasses__()]


def _type_of(cls: Any) -> str:
    field = cls.model_fields.get("type")
    return field.default if field is not None and isinstance(field.default, str) else ""


def _sheet(cls: Any) -> str:
    kind, family = _type_of(cls), family_of(cls)
    where = f", in `{family}`" if family else ""
    needed = [field for field, info in cls.model_fields.items() if info.is_required()]
    parts = [
        f"{kind or cls.__name__}{where}" + (f"; in Python {cls.__name__}" if kind else ""),
        inspect.cleandoc(cls.__doc__),
        f"Needed: {', '.join(needed)}." if needed else "",
        *_laws(cls),
    ]
    return "\n\n".join(part.strip() for part in parts if part.strip())


def _laws(cls: Any) -> list[str]:
    """What is written about the equations: of a joint in space and in the plane, of others in their file."""
    if not cls.__module__.startswith("wheelwork.elements."):
        return []
    own = [
        equations for name in ("InSpace", "InPlane") if (equations := getattr(cls, name, None)) is not None
    ]
    if not own:
        return [sys.modules[cls.__module__].__doc__ or ""]
    return list(dict.fromkeys(data_sheet(equations()) for equations in own))
