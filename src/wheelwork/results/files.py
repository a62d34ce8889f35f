"""Results as NetCDF files.

A file keeps the states of the run and the signals that were asked for: those are its variables, so that xarray, MATLAB
or Panoply read it as it is. Two groups beside them hold what Wheelwork needs to compute all others: `motion` (states;
accelerations and multipliers where the states do not tell them; records of both sides of events) and `provenance` (how
it was made, which signals there are, and what a run needs that goes on from here with the same steps). Behind the
NetCDF stands a seal, a line with the digest of all before it, which other programs do not mind.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.engine.engine import Ending, noted_in
from wheelwork.engine.kept_ending import read, written
from wheelwork.engine.recorded import RecordedMotion
from wheelwork.lazy import dataclass, described, h5netcdf, h5py, prepare
from wheelwork.system.program import Program

from .names import Series, SignalInfo
from .provenance import Provenance, printable

if TYPE_CHECKING:
    from wheelwork.description import Description

    from .result import Result


FORMAT = 3
READ = (2, 3)
"""Formats that can be read. In 2 every signal was kept, and accelerations and multipliers always."""
EFFORTS = ("acceleration", "multipliers", "friction")
SIDES = ("sides",)
"""Records of both sides of events, which have times of their own in their first column."""
SEAL = b"\nwheelwork result, format %d, sha256 %64s\n"
SEAL_LENGTH = len(SEAL % (FORMAT, b""))
# A vector has the dimension `component`; Euler parameters have four, so theirs has a name of its own.
DIMENSIONS = {
    ("x", "y", "z"): "component",
    ("x", "y"): "plane_component",
    ("w", "x", "y", "z"): "euler_parameter",
}


class ResultFileError(ValueError):
    """A file holds no result that this version can read."""


@dataclass(frozen=True)
class KeptMotion:
    """A motion without its equations, which are derived again when they are needed: for files and other processes.

    arrays: `t`, `state`, those of `EFFORTS` where the states do not tell them, and of `SIDES` where there are any
    layout: what each of their columns is
    works: names of works that were summed up along the steps of the run, the columns of the array `works`
    """

    provenance: Provenance
    arrays: dict[str, np.ndarray]
    layout: str
    works: tuple[str, ...] = ()

    @classmethod
    def of(cls, result: Result) -> KeptMotion:
        motion, works = result.motion, result.works_along_steps
        names = ("t", "state", *(() if motion.follows_from_states else EFFORTS))
        arrays = {name: getattr(motion, name) for name in (*names, *(SIDES if len(motion.sides) else ()))}
        if works:
            arrays["works"] = np.column_stack([*works.values()])
        return cls(result.provenance, arrays, json.dumps(_layout(motion.program)), tuple(works))

    @cached_property
    def description(self) -> Description:
        return described.loads(self.provenance.model)

    def __call__(self) -> RecordedMotion:
        """The motion with its equations."""
        program = prepare.derived(self.description, self.provenance.parameters)
        if json.dumps(_layout(program)) != self.layout:
            raise ResultFileError(
                f"the result was made by Wheelwork {self.provenance.version}, which orders states and constraints "
                "differently. Signals that are in the file can be read; what needs the equations (`at`, `reaction`) "
                "cannot be computed"
            )
        numbers = program.numbers()
        t = self.arrays["t"]
        state, *efforts = (
            _matrix(self.arrays[name], len(t)) for name in ("state", *EFFORTS) if name in self.arrays
        )
        return RecordedMotion(
            program,
            numbers,
            t,
            state,
            efforts or None,
            *noted_in((*self.provenance.earlier, *self.provenance.events)),
            sides=self.arrays.get("sides"),
        )


def save(result: Result, path: str | os.PathLike[str], signals: Iterable[str]) -> None:
    """Made in memory and written at once, with a seal at its end: a file that is there is whole.

    HDF5 does not survive a disk that fills up, so it does not get near one.
    """
    kept = KeptMotion.of(result)
    texts = {
        "provenance": result.provenance.to_json(),
        "layout": kept.layout,
        "works": json.dumps(kept.works),
    }
    texts["signals"] = json.dumps([(s.name, s.unit, s.meaning, s.components) for s in result.signals])
    if result.ending is not None:
        texts["ending"] = written(result.ending)
    content = io.BytesIO()
    with h5netcdf.File(content, "w") as file:
        file.attrs.update({**result.attributes, "wheelwork_result": FORMAT})
        file.dimensions["time"] = len(result.t)
        _variable(file, "time", ("time",), result.t, {"units": "s", "long_name": "time"})
        for name in signals:
            _write_series(file, result.series(name))
        group: Any = file.create_group("motion")
        for name in kept.arrays:
            if name != "t":
                group.dimensions[f"of_{name}"] = kept.arrays[name].shape[1]
                moments = "side" if name in SIDES else "time"
                if moments not in group.dimensions and name in SIDES:
                    group.dimensions[moments] = len(kept.arrays[name])
                _variable(group, name, (moments, f"of_{name}"), kept.arrays[name], {})
        group = file.create_group("provenance")
        for name, text in texts.items():
            _variable(group, name, (), np.array(text, dtype=object), {})
    whole = content.getvalue()
    described.whole_file.write_whole(
        path, whole + SEAL % (FORMAT, hashlib.sha256(whole).hexdigest().encode())
    )


def _write_series(file: Any, series: Series) -> None:
    dimensions = ["time"]
    if series.components:
        dimensions.append(DIMENSIONS[series.components])
        if dimensions[1] not in file.dimensions:
            file.dimensions[dimensions[1]] = len(series.components)
            _variable(file, dimensions[1], dimensions[1:], np.array(series.components, dtype=object), {})
    _variable(file, series.name, dimensions, series.values, series.attributes)


def _variable(
    group: Any, name: str, dimensions: Iterable[str], values: np.ndarray, attributes: Mapping[str, str]
) -> None:
    kind = h5py.string_dtype() if values.dtype == object else np.dtype(float)
    made = group.create_variable(name, tuple(dimensions), kind, data=values)
    made.attrs.update(attributes)


def load(
    path: str | os.PathLike[str],
) -> tuple[KeptMotion, dict[str, Series], list[SignalInfo], Ending | None]:
    """Motion and provenance, signals that are in the file, what is known of all, and the end of the run."""
    file = Path(path)
    if not file.is_file():
        if file.is_dir():
            raise IsADirectoryError(21, "is a folder, not a file", str(file))
        why = "is not an ordinary file" if file.exists() else "there is no such file"
        raise FileNotFoundError(2, why, str(file))
    _check_seal(file)
    try:
        with h5netcdf.File(file, "r", decode_vlen_strings=True) as opened:
            stored = {
                name: _read_series(opened, name) for name in opened.variables if _is_series(opened, name)
            }
            motion: Any = opened.groups["motion"]
            texts = {name: str(v[...]) for name, v in opened.groups["provenance"].variables.items()}
            arrays = {name: np.array(v[...]) for name, v in motion.variables.items() if name != "time"}
            arrays["t"] = np.array(opened.variables["time"][...])
        provenance = Provenance.from_json(texts["provenance"])
        listed = json.loads(texts.get("signals", "[]"))
        known = [SignalInfo(name, unit, meaning, tuple(parts)) for name, unit, meaning, parts in listed]
        kept = KeptMotion(provenance, arrays, texts["layout"], tuple(json.loads(texts.get("works", "[]"))))
        ending = read(texts["ending"]) if "ending" in texts else None
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise ResultFileError(f"{printable(str(file))}: not a result of Wheelwork ({error})") from None
    return kept, stored, known or [series.info for series in stored.values()], ending


def _is_series(file: Any, name: str) -> bool:
    return name != "time" and file.variables[name].dimensions[:1] == ("time",)


def _read_series(file: Any, name: str) -> Series:
    variable = file.variables[name]
    attributes = {key: str(value) for key, value in variable.attrs.items() if key != "_FillValue"}
    components = tuple(str(c) for dim in variable.dimensions[1:] for c in file.variables[dim][...])
    info = SignalInfo(name, attributes.pop("units", ""), attributes.pop("long_name", ""), components)
    attributes.pop("coordinates", None)
    return Series(info, np.array(variable[...]), attributes)


def _check_seal(file: Path) -> None:
    """Only what was written is read: HDF5 itself takes a flipped bit for a number, and may crash on worse."""
    size = file.stat().st_size - SEAL_LENGTH
    digest, end = hashlib.sha256(), b""
    with file.open("rb") as opened:
        for start in range(0, max(size, 0), 2**20):
            digest.update(opened.read(min(2**20, size - start)))
        end = opened.read(SEAL_LENGTH)
    if end in [SEAL % (known, digest.hexdigest().encode()) for known in READ]:
        return
    found = re.fullmatch(rb"\nwheelwork result, format ([0-9]+), sha256 [0-9a-f]{64}\n", end)
    if found is None:
        why = "not a result of Wheelwork, or damaged: it does not end with a checksum"
    elif int(found[1]) not in READ:
        known = " and ".join(map(str, READ))
        why = f"the file has format {int(found[1])}, but this version of Wheelwork reads formats {known}"
    else:
        why = "damaged, or changed since it was saved: its content does not fit its checksum. Take a copy, or run again"
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
