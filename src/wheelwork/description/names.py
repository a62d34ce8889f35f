"""Names of elements."""

from __future__ import annotations

import re

from wheelwork.description.formula import CONSTANTS, FUNCTIONS

GROUND = "ground"
RESERVED = frozenset({GROUND, "t", *CONSTANTS, *FUNCTIONS})
NAME = "^[A-Za-z][A-Za-z0-9_-]*$"
_NAME = re.compile(NAME.strip("^$"))


def name_fault(name: object) -> str:
    """Why this cannot be a name, or empty when it can."""
    if not isinstance(name, str):
        return f"a name is a text, but this is `{name}`"
    if name in RESERVED:
        return f"`{name}` has a meaning of its own and cannot be a name"
    if not _NAME.fullmatch(name):
        return f"`{name}` is not a name: names have letters, digits, `_` and `-`, and begin with a letter"
    if len(name) > 100:
        return f"the name `{name[:20]}...` has more than 100 characters"
    return ""
