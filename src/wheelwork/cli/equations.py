"""`wheelwork equations FILE`"""

from __future__ import annotations

import sys
from pathlib import Path

from wheelwork.show.formulas.plain import only_ascii

from .options import ModelFile, Settings, read_model
from .show import console, say_written


def equations(
    file: ModelFile,
    /,
    *,
    settings: Settings = [],  # noqa: B006
    html: Path | None = None,
    latex: Path | None = None,
    numbers: bool = False,
    short: bool = False,
    full: bool = False,
    element: str | None = None,
) -> int:
    """Print the mechanism's equations: what each constraint does, its Phi, Phi_q, nu and gamma, and the motion's.

    Args:
        html: Write a page with the formulas in MathML, which browsers show by themselves.
        latex: Write a LaTeX document.
        numbers: Values of lengths and parameters in the place of their symbols.
        short: Bodies by number, not by name.
        full: In space: written out in components, not in vectors.
        element: Only those of one joint, mesh, driver or force.
    """
    written = read_model(file, settings).equations(numbers=numbers, short=short)
    if html is not None:
        written.html(html, full=full, element=element)
    if latex is not None:
        written.latex(latex, full=full, element=element)
    if html is None and latex is None:
        _print(written.text(console().width, full=full, element=element))
    else:
        say_written(html, latex)
    return 0


def _print(text: str) -> None:
    """As it is: a terminal that does not know our letters gets others."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = only_ascii(text)
    print(text, end="")
