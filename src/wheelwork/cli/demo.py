"""`wheelwork demo`"""

from __future__ import annotations

import shutil
import time
import webbrowser
from pathlib import Path

from wheelwork import examples
from wheelwork.mechanism import load

from . import FAILED, GOOD
from .run import show_result
from .run_files import OutputPlace
from .show import console

EXAMPLE = "planetary-gearbox"


def demo(
    *,
    folder: Path = Path("wheelwork-demo"),
    open_: bool = False,
) -> int:
    """Run a bundled example, a planetary gearbox that drives a drum, and write its result and its report.

    Args:
        folder: Where to put the files.
        open_: Show the report in the browser.
    """
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / f"{EXAMPLE}.yaml"
    place = OutputPlace.of(folder, EXAMPLE, report=True)
    place.make()
    place.add(model, lambda path: shutil.copyfile(examples.path(EXAMPLE), path))
    began = time.perf_counter()
    result = load(model).run()
    seconds = time.perf_counter() - began
    place.save(result)
    place.write_report(result)
    show_result(result, seconds, place.written)
    out = console()
    out.print()
    out.print(f"Open [bold]{place.report}[/] in a browser to see it move.")
    if open_:
        assert place.report is not None
        webbrowser.open(place.report.resolve().as_uri())
    return GOOD if result.outcome.good else FAILED
