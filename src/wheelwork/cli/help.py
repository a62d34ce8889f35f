"""`wheelwork help NAME`"""

from __future__ import annotations

from wheelwork.elements import data_sheets

from . import GOOD


def help(
    name: str = "",
    /,
) -> int:
    """Print the data sheet of a joint, mesh, force, law or analysis: fields with units, equations, source.

    Args:
        name: What a file calls it, such as `external`, or Python, such as `ExternalMesh`.
    """
    data_sheets.help(name)
    return GOOD
