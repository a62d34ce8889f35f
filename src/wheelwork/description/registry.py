"""Which types of element there are: `family("joints")` has the classes of all joints by their type name.

Nobody keeps a list. The classes are those in the files under `wheelwork/elements`, those that installed packages name
as entry points of the group `wheelwork.elements`, and those that a program adds with `register`. A class belongs to a
family (`joints`, `forces`, `contact_laws` ...) by its class attribute `family`, which elements of a mechanism inherit
as their `collection`; its type name is the default of its field `type`. They are gathered when a family is first asked
for, not when `wheelwork` is imported, and are sorted by name.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from wheelwork.description.base import Part
from wheelwork.description.union import type_of
from wheelwork.lazy import metadata

ROOM = "wheelwork.elements"
"""The package whose files are elements, and the group of entry points."""
ANALYSES = "wheelwork.analyses"
"""The package whose files may have analyses, as classes derived from `Analysis`; their family is `analyses`."""

C = TypeVar("C", bound=type[Part])
_registered: list[type[Part]] = []
_loaded: list[bool] = []


def family(name: str) -> dict[str, Any]:
    """The classes of a family by their type name, in the order of the names."""
    return dict(_families().get(name, {}))


@cache
def find(name: str, kind: str) -> Any:
    """The class of a type of a family, or None. Only the files that may have it are read: a mechanism needs few."""
    if kind.isidentifier() and not _loaded:
        if name == "analyses" and (known := _known(name, kind)):
            return known
        # most are in a file of their own name: the others need not be read for it
        if Path(import_module(ROOM).__path__[0], name, f"{kind}.py").is_file():
            import_module(f"{ROOM}.{name}.{kind}")
            if known := _known(name, kind):
                return known
        for module in _written_in(f'type: Literal["{kind}"]', ANALYSES if name == "analyses" else ROOM):
            import_module(module)
        if known := _known(name, kind):
            return known
    return family(name).get(kind)


def _known(name: str, kind: str) -> type[Part] | None:
    """The class of a type among those whose files have been read."""
    found = (cls for cls in all_parts() if family_of(cls) == name and _type_name(cls) == kind)
    return next((cls for cls in found if _is_element(cls)), None)


def find_public(name: str) -> type[Part] | None:
    """An element's class by its Python name, or None."""
    if not _loaded:
        for module in _written_in(f"class {name}("):
            import_module(module)
        for cls in all_parts():
            if cls.__name__ == name and _is_element(cls) and _is_public(cls):
                return cls
    return public_names().get(name)


def _written_in(words: str, room: str = ROOM) -> list[str]:
    """Modules of a room with these words in them."""
    return [module for module, text in _texts(room).items() if words in text]


@cache
def _texts(name: str) -> dict[str, str]:
    room = Path(import_module(name).__path__[0])
    return {
        ".".join([name, *path.relative_to(room).with_suffix("").parts]): path.read_text(encoding="utf-8")
        for path in room.rglob("*.py")
        if path.name != "__init__.py"
    }


def public_names() -> dict[str, type[Part]]:
    """Classes of elements, and of the parts in them, that a user writes, by their Python name."""
    _load()
    return {cls.__name__: cls for cls in _classes() if _is_public(cls)}


def _is_public(cls: type[Part]) -> bool:
    """Whether it has a type, or is a part without one that users write (a motor's curve), not a base of others."""
    return bool(_type_name(cls)) or not (hasattr(cls, "collection") or cls.__subclasses__())


def register(cls: C) -> C:
    """Class decorator: an element, or a law in one, of your own, with the same rights as those of Wheelwork.

    The class derives from a base in `wheelwork.elements` (`Load` for a force) and has a field `type` with its name as
    default. From then on YAML, the JSON Schema, printed equations and data sheets know it.
    """
    name = _type_name(cls)
    if not issubclass(cls, Part) or not family_of(cls) or not name:
        raise TypeError(
            f"{cls.__name__} needs a base class of a family, such as wheelwork.elements.forces.Load, "
            'and a field `type: Literal["its_name"] = "its_name"`'
        )
    if lacking := list(cls.lacking()):
        raise TypeError(
            f"{cls.__name__} cannot be one of {family_of(cls)}: it lacks {', '.join(f'`{one}`' for one in lacking)}. "
            f"Write what is missing; the base class says what each has to give, and CONTRIBUTING.md how"
        )
    known = family(family_of(cls)).get(name)
    same = known is not None and (known.__module__, known.__qualname__) == (cls.__module__, cls.__qualname__)
    if known is not None and not same:
        raise TypeError(f"`{name}` of {family_of(cls)} is taken by {known.__module__}.{known.__qualname__}")
    if same:  # defined anew, as cells of a notebook are
        _registered[:] = [one for one in _registered if one is not known]
    _registered.append(cls)
    _families.cache_clear()
    find.cache_clear()
    return cls


def only_own() -> bool:
    """Whether every class that a file can name by now is Wheelwork's own, whose files tell its version.

    A class that is derived from ours and not registered cannot be named in a file.
    """
    return all(cls.__module__.partition(".")[0] == "wheelwork" for cls in _registered)


def family_of(cls: type[Part]) -> str:
    return cls.family or getattr(cls, "collection", "")


def _type_name(cls: Any) -> str:
    field = getattr(cls, "model_fields", {}).get("type")
    return field.default if field is not None and isinstance(field.default, str) else ""


def _load() -> None:
    """Import every file of the room, and what other packages offer, once; what these ask meanwhile is answered."""
    if _loaded:
        return
    _loaded.append(True)
    for module in pkgutil.walk_packages(import_module(ROOM).__path__, f"{ROOM}."):
        import_module(module.name)
    for module in _written_in(" type: Literal[", ANALYSES):
        import_module(module)
    for entry in metadata.entry_points(group=ROOM):
        entry.load()


def _classes() -> Iterator[type[Part]]:
    yield from (cls for cls in all_parts() if _is_element(cls))
    yield from _registered


def _is_element(cls: type[Part]) -> bool:
    own = cls.__module__.startswith(f"{ROOM}.") or (
        cls.family == "analyses" and cls.__module__.startswith("wheelwork.")
    )
    return own and not cls.__name__.startswith("_")


@cache
def _families() -> dict[str, dict[str, type[Part]]]:
    _load()
    found: dict[str, dict[str, type[Part]]] = {}
    for cls in sorted((cls for cls in _classes() if family_of(cls) and _type_name(cls)), key=type_of):
        found.setdefault(family_of(cls), {})[type_of(cls)] = cls
    return found


def all_parts(root: type[Part] = Part) -> list[type[Part]]:
    """Every class below a class of the description, each once."""
    found: dict[type[Part], None] = {}
    for cls in root.__subclasses__():
        found |= dict.fromkeys([cls, *all_parts(cls)])
    return list(found)
