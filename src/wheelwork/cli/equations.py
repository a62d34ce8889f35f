"""`wheelwork equations FILE`"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wheelwork.show.formulas.plain import only_ascii

from .options import ModelFile, Settings, option, read_model
from .show import console


def equations(
    file: ModelFile,
    /,
    *,
    settings: Settings = [],  # noqa: B006
    html: Annotated[
        Path | None,
        Parameter(help="Write a page with the formulas in MathML, which browsers show by themselves."),
    ] = None,
    latex: Annotated[Path | None, Parameter(help="Write a LaTeX document.")] = None,
    numbers: Annotated[
        bool, option(help="Values of lengths and parameters in the place of their symbols.")
    ] = False,
    short: Annotated[bool, option(help="Bodies by number, not by name.")] = False,
    full: Annotated[bool, option(help="In space: written out in components, not in vectors.")] = False,
    element: Annotated[str | None, Parameter(help="Only those of one joint, mesh, driver or force.")] = None,
) -> int:
    """Print the mechanism's equations: what each constraint does, its Phi, Phi_q, nu and gamma, and the motion's."""
    written = read_model(file, settings).equations(numbers=numbers, short=short)
    if html is not None:
        written.html(html, full=full, element=element)
    if latex is not None:
        written.latex(latex, full=full, element=element)
    if html is None and latex is None:
        _print(written.text(console().width, full=full, element=element))
    else:
        for path in (html, latex):
            if path is not None:
                console().print(f"written {path}", markup=False)
    return 0


def _print(text: str) -> None:
    """As it is: a terminal that does not know our letters gets others."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = only_ascii(text)
    print(text, end="")
