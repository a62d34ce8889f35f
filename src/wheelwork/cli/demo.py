"""`wheelwork demo`"""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from . import FAILED, GOOD
from .run import show_result
from .show import console

EXAMPLE = "planetary-gearbox"


def demo(
    *,
    folder: Annotated[Path, Parameter(help="Where to put the files.")] = Path("wheelwork-demo"),
    open_: Annotated[
        bool,
        Parameter(name="--open", help="Show the report in the browser.", negative=(), show_default=False),
    ] = False,
) -> int:
    """Run a bundled example, a planetary gearbox that drives a drum, and write its result and its report."""
    from wheelwork import examples
    from wheelwork.mechanism import load
    from wheelwork.report import write_report

    folder.mkdir(parents=True, exist_ok=True)
    model, page, data = folder / f"{EXAMPLE}.yaml", folder / "report.html", folder / f"{EXAMPLE}.nc"
    shutil.copyfile(examples.path(EXAMPLE), model)
    began = time.perf_counter()
    result = load(model).run()
    seconds = time.perf_counter() - began
    result.save(data)
    write_report(result, page)
    show_result(result, seconds, [model, data, page])
    out = console()
    out.print()
    out.print(f"Open [bold]{page}[/] in a browser to see it move.")
    if open_:
        import webbrowser

        webbrowser.open(page.resolve().as_uri())
    return GOOD if result.outcome.good else FAILED
