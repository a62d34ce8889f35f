"""`wheelwork help NAME`"""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from wheelwork.elements import data_sheets

from . import GOOD


def help(
    name: Annotated[
        str, Parameter(help="What a file calls it, such as `external`, or Python, such as `ExternalMesh`.")
    ] = "",
    /,
) -> int:
    """Print the data sheet of a joint, mesh, force, law or analysis: fields with units, equations, source."""
    data_sheets.help(name)
    return GOOD
