"""Which class stands at a path of a description; for hints about keys."""

from __future__ import annotations

from typing import Any

from wheelwork.description.base import Part
from wheelwork.description.union import parts_in, type_of
from wheelwork.description.validation_errors import TAG, Path


def keys_at(root: Any, path: Path) -> list[str]:
    """The keys that may stand in the mapping at `path`, where pydantic's path names the chosen `type`s."""
    return list(dict.fromkeys(name for cls in classes_at(root, path) for name in cls.model_fields))


def classes_at(root: Any, path: Path) -> list[type[Part]]:
    """The classes that `path` may lead to."""
    found = list(parts_in(root))
    for step in path:
        if isinstance(step, str) and step.startswith(TAG):
            chosen = [
                cls for cls in found if "type" in cls.model_fields and type_of(cls) == step.removeprefix(TAG)
            ]
            found = chosen or found
        elif isinstance(step, str) and any(step in cls.model_fields for cls in found):
            fields = [cls.model_fields[step] for cls in found if step in cls.model_fields]
            found = [cls for field in fields for cls in parts_in(field)]
    return found
