"""`wheelwork run` where the model asks for modes, a Campbell diagram, a frequency response or a sweep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wheelwork.lazy import vibration, vibration_files

from . import FAILED, GOOD
from .modes_show import show_campbell, show_modes
from .response import show_response
from .run_files import OutputPlace, done_with
from .show import print_json, say_written
from .stability import show_stability
from .sweep import show_sweep


def write(found: Any, place: OutputPlace, file: Path, seconds: float, json: bool) -> int:
    """Result and report of what was found in their place, and its tables on the terminal."""
    place.save(found)
    done_with(place.part, interrupted="interrupted" in getattr(found, "report", ""))
    place.write_report(found)
    good = getattr(found, "report", "complete") == "complete" and place.complete
    if json:
        files = [str(path) for path in place.written]
        print_json(
            {"good": good, "files": files, "seconds": seconds, **vibration_files.as_json(found.dataset)}
        )
        return GOOD if good else FAILED
    show(found, file, seconds, place.written)
    return GOOD if good else FAILED


def show(found: Any, file: Path, seconds: float, files: list[Path]) -> None:
    """As the command of its own for this analysis shows it."""
    if isinstance(found, vibration.Sweep):
        show_sweep(found, seconds, files)
        return
    if isinstance(found, vibration.Modes):
        show_modes(found, str(file), shapes=False)
    elif isinstance(found, vibration.Stability):
        show_stability(found, file)
    elif isinstance(found, vibration.Campbell):
        show_campbell(found, str(file))
    else:
        show_response(found, [])
    say_written(*files)
