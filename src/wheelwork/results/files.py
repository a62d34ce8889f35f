"""Results as NetCDF files.

The signals are the variables of the file, so that xarray, MATLAB or Panoply read it as it is. Two groups beside them
hold what Wheelwork needs to compute more: `motion` (states, accelerations, multipliers) and `provenance` (how it was
made). Behind the NetCDF stands a seal, a line with the digest of all before it, which other programs do not mind.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.description.whole_file import write_whole
from wheelwork.engine.engine import skips_of
from wheelwork.equations.motion import Motion
from wheelwork.equations.program import Program

from .provenance import Provenance, printable

if TYPE_CHECKING:
    import xarray as xr

    from .result import Result

FORMAT = 2
ARRAYS = ("state", "acceleration", "multipliers", "friction")
SEAL = b"\nwheelwork result, format %d, sha256 %64s\n"
SEAL_LENGTH = len(SEAL % (FORMAT, b""))


class ResultFileError(ValueError):
    """A file holds no result that this version can read."""


@dataclass(frozen=True)
class Kept:
    """A motion without its equations, which are derived again when they are needed: for files and other processes.

    arrays: `t` and those of `ARRAYS`
    layout: what each of their columns is
    """

    provenance: Provenance
    arrays: dict[str, np.ndarray]
    layout: str

    @classmethod
    def of(cls, provenance: Provenance, motion: Motion) -> Kept:
        arrays = {name: getattr(motion, name) for name in ("t", *ARRAYS)}
        return cls(provenance, arrays, json.dumps(_layout(motion.program)))

    def __call__(self) -> Motion:
        """The motion with its equations."""
        from wheelwork.description import flatten
        from wheelwork.description.read import loads
        from wheelwork.equations.build import build

        program = build(flatten(loads(self.provenance.model)))
        if json.dumps(_layout(program)) != self.layout:
            raise ResultFileError(
                f"the result was made by Wheelwork {self.provenance.version}, which orders states and constraints "
                "differently. Signals that are in the file can be read; what needs the equations (`at`, `reaction`) "
                "cannot be computed"
            )
        numbers = program.numbers(self.provenance.parameters)
        t = self.arrays["t"]
        state, acceleration, multipliers, friction = (_matrix(self.arrays[name], len(t)) for name in ARRAYS)
        skips = skips_of(self.provenance.events)
        return Motion(program, numbers, t, state, acceleration, multipliers, friction, skips)


def save(result: Result, path: str | os.PathLike[str]) -> None:
    """Made in memory and written at once, with a seal at its end: a file that is there is whole."""
    import xarray as xr

    kept = Kept.of(result.provenance, result.motion)
    arrays = {name: (("time", name), kept.arrays[name]) for name in ARRAYS}
    content = netcdf(
        {
            None: result.dataset.assign_attrs(wheelwork_result=FORMAT),
            "motion": xr.Dataset(arrays, coords={"time": kept.arrays["t"]}),
            "provenance": xr.Dataset({"provenance": result.provenance.to_json(), "layout": kept.layout}),
        }
    )
    write_whole(path, content + SEAL % (FORMAT, hashlib.sha256(content).hexdigest().encode()))


def netcdf(groups: Mapping[str | None, xr.Dataset]) -> bytes:
    """Datasets as a NetCDF file. HDF5 does not survive a disk that fills up, so it does not get near one."""
    import h5netcdf
    from xarray.backends import H5NetCDFStore

    content = io.BytesIO()
    with h5netcdf.File(content, "w") as file:
        for name, dataset in groups.items():
            dataset.dump_to_store(H5NetCDFStore(file, group=name, mode="a"))
    return content.getvalue()


def load(path: str | os.PathLike[str]) -> Result:
    import xarray as xr

    from .result import Result

    file = Path(path)
    if not file.is_file():
        if file.is_dir():
            raise IsADirectoryError(21, "is a folder, not a file", str(file))
        why = "is not an ordinary file" if file.exists() else "there is no such file"
        raise FileNotFoundError(2, why, str(file))
    _check_seal(file)
    try:
        signals, motion, about = (
            xr.load_dataset(file, engine="h5netcdf", group=group) for group in (None, "motion", "provenance")
        )
        del signals.attrs["wheelwork_result"]
        provenance = Provenance.from_json(str(about["provenance"].item()))
        arrays = {"t": motion["time"].to_numpy(), **{name: motion[name].to_numpy() for name in ARRAYS}}
        kept = Kept(provenance, arrays, str(about["layout"].item()))
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise ResultFileError(f"{printable(str(file))}: not a result of Wheelwork ({error})") from None
    return Result(provenance, kept, stored=signals)


def _check_seal(file: Path) -> None:
    """Only what was written is read: HDF5 itself takes a flipped bit for a number, and may crash on worse."""
    size = file.stat().st_size - SEAL_LENGTH
    digest, end = hashlib.sha256(), b""
    with file.open("rb") as opened:
        for start in range(0, max(size, 0), 2**20):
            digest.update(opened.read(min(2**20, size - start)))
        end = opened.read(SEAL_LENGTH)
    if end == SEAL % (FORMAT, digest.hexdigest().encode()):
        return
    found = re.fullmatch(rb"\nwheelwork result, format ([0-9]+), sha256 [0-9a-f]{64}\n", end)
    if found is None:
        why = "not a result of Wheelwork, or damaged: it does not end with a seal"
    elif int(found[1]) != FORMAT:
        why = f"the file has format {int(found[1])}, but this version of Wheelwork reads format {FORMAT}"
    else:
        why = "damaged, or changed since it was saved: its content does not match its seal. Take a copy, or run again"
    raise ResultFileError(
        f"{printable(str(file))}: {why}. Signals of a file that is whole can be read with xarray.open_dataset"
    )


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
