"""Results as NetCDF files.

The signals are the variables of the file, so that xarray, MATLAB or Panoply read it as it is. Two groups beside them
hold what Wheelwork needs to compute more: `motion` (states, accelerations, multipliers) and `provenance` (how it was
made).
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.equations.motion import Motion
from wheelwork.equations.program import Program

from .provenance import Provenance

if TYPE_CHECKING:
    import xarray as xr

    from .result import Result

FORMAT = 1
ARRAYS = ("state", "acceleration", "multipliers", "friction")


class ResultFileError(ValueError):
    """A file holds no result that this version can read."""


def save(result: Result, path: str | os.PathLike[str]) -> None:
    """Write under a name of its own first: a file that is there is complete."""
    import xarray as xr

    target = Path(path)
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    signals = result.dataset.assign_attrs(wheelwork_result=FORMAT)
    motion = result.motion
    arrays = {name: (("time", name), getattr(motion, name)) for name in ARRAYS}
    layout = json.dumps(_layout(motion.program))
    groups = {
        "motion": xr.Dataset(arrays, coords={"time": motion.t}),
        "provenance": xr.Dataset({"provenance": result.provenance.to_json(), "layout": layout}),
    }
    with reserved(target, partial):
        signals.to_netcdf(partial, engine="h5netcdf", mode="w")
        for name, group in groups.items():
            group.to_netcdf(partial, engine="h5netcdf", mode="a", group=name)


class reserved:
    """A partial file that takes its place when the work on it is done, and goes away when it fails.

    Opening it here gives the system's own words when the folder is missing or may not be written to.
    """

    def __init__(self, target: Path, partial: Path):
        self.target, self.partial = target, partial

    def __enter__(self) -> None:
        if self.target.is_dir():
            raise IsADirectoryError(21, "is a folder, not a file", str(self.target))
        try:
            self.partial.open("wb").close()
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(self.target)) from None

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            os.replace(self.partial, self.target)
        else:
            self.partial.unlink(missing_ok=True)


def load(path: str | os.PathLike[str]) -> Result:
    import xarray as xr

    from .result import Result

    file = Path(path)
    if not file.is_file():
        kind = "is a folder, not a file" if file.is_dir() else "there is no such file"
        raise (IsADirectoryError if file.is_dir() else FileNotFoundError)(2, kind, str(file))
    try:
        signals, motion, about = (
            xr.load_dataset(file, engine="h5netcdf", group=group) for group in (None, "motion", "provenance")
        )
    except (OSError, KeyError, ValueError) as error:
        raise ResultFileError(f"{file}: not a result of Wheelwork, or damaged ({error})") from None
    version = signals.attrs.pop("wheelwork_result", None)
    if version != FORMAT:
        raise ResultFileError(
            f"{file}: the file has format {version}, but this version of Wheelwork reads format {FORMAT}. "
            "Its signals can be read with xarray.open_dataset"
        )
    provenance = Provenance.from_json(str(about["provenance"].item()))
    layout = str(about["layout"].item())
    return Result(provenance, lambda: _rebuilt(provenance, motion, layout), stored=signals)


def _rebuilt(provenance: Provenance, arrays: xr.Dataset, layout: str) -> Motion:
    """The motion with its equations, derived again from the model in the file."""
    from wheelwork.equations.build import build
    from wheelwork.model import flatten
    from wheelwork.model.read import loads

    program = build(flatten(loads(provenance.model)))
    if json.dumps(_layout(program)) != layout:
        raise ResultFileError(
            f"the result was made by Wheelwork {provenance.version}, which orders states and constraints differently. "
            "Signals that are in the file can be read; what needs the equations (`at`, `reaction`) cannot be computed"
        )
    numbers = program.numbers(provenance.parameters)
    t = arrays["time"].to_numpy()
    state, acceleration, multipliers, friction = (_matrix(arrays[name].to_numpy(), len(t)) for name in ARRAYS)
    return Motion(program, numbers, t, state, acceleration, multipliers, friction)


def _matrix(values: np.ndarray, rows: int) -> np.ndarray:
    return np.ascontiguousarray(values, float).reshape(rows, -1) if values.size else np.zeros((rows, 0))


def _layout(program: Program) -> dict[str, list[str]]:
    """What each column of the arrays is."""
    return {
        "bodies": list(program.bodies),
        "rows": [use.row_label(row) for use in program.constraints for row in range(use.rows)],
        "turns": [use.name for use in program.turns],
        "frictions": [use.name for use in program.frictions],
    }
