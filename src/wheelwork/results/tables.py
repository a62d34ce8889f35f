"""Signals as tables: one row per time, one column per number."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.lazy import described, scipy_io
from wheelwork.lazy import pandas as pd
from wheelwork.lazy import parquet as pq
from wheelwork.lazy import pyarrow as pa

from .names import SignalInfo

if TYPE_CHECKING:
    from .result import Result

LONGEST_IN_MATLAB = 63
"""Letters of a name."""


def columns(result: Result, names: Iterable[str] | None = None) -> dict[str, tuple[SignalInfo, np.ndarray]]:
    """Numbers over time by column name; vectors are spread out (`arm.position.x`). The first column is `time`."""
    out = {"time": (SignalInfo("time", "s", "time"), np.asarray(result.t))}
    for name in [s.name for s in result.signals] if names is None else names:
        for one in result.series(name).columns():
            note = f" ({one.notes['minimum_norm']})" if "minimum_norm" in one.notes else ""
            out[one.name] = SignalInfo(one.name, one.unit, one.info.meaning + note), one.values
    return out


def to_csv(result: Result, path: str | os.PathLike[str], names: Iterable[str] | None = None) -> None:
    """Write signals (default: all) as text, a column each, in full precision. Lines with `#` in front tell units and
    provenance; `pandas.read_csv(path, comment="#")` reads it back."""
    table = columns(result, [names] if isinstance(names, str) else names)
    provenance = result.provenance
    head = [f"{heading}: {value}" for heading, value in provenance.lines()]
    head += [
        f"event: t = {e.t!r} s, {e.kind.name.lower()}, {e.element}, {e.size!r}" for e in provenance.events
    ]
    head += [f"column {info.name} [{info.unit}]: {info.meaning}" for info, _ in table.values()]
    head += ["model text:", *(f"  {line}" for line in provenance.model.splitlines())]
    data = np.column_stack([values for _, values in table.values()])
    with (
        described.whole_file.Draft(path) as draft,
        draft.open("w", encoding="utf-8", newline="\n") as file,
    ):
        file.writelines(f"# {line}\n" for text in head for line in text.splitlines() or [""])
        file.write(",".join(table) + "\n")
        file.writelines(",".join(map(repr, row)) + "\n" for row in data.tolist())


def to_pandas(result: Result, names: Iterable[str] | None = None) -> pd.DataFrame:
    """Signals (default: all) as a pandas DataFrame over time, a column each; `attrs` has `units` and meanings
    (`long_name`) by column."""
    table = columns(result, [names] if isinstance(names, str) else names)
    info, times = table.pop("time")
    frame = pd.DataFrame(
        {name: values for name, (_, values) in table.items()}, index=pd.Index(times, name="time")
    )
    known = {"time": info, **{name: of for name, (of, _) in table.items()}}
    frame.attrs["units"] = {name: of.unit for name, of in known.items()}
    frame.attrs["long_name"] = {name: of.meaning for name, of in known.items()}
    return frame


def to_mat(result: Result, path: str | os.PathLike[str], names: Iterable[str] | None = None) -> None:
    """Write signals (default: all) as a MAT file for MATLAB or Octave, a column each, under its name with `_` for what
    MATLAB's names cannot have: `arm_position_x`. Beside them `signals`, a list of what each is: variable, name here,
    unit, meaning; and `provenance` as JSON: how it was made."""
    table = columns(result, [names] if isinstance(names, str) else names)
    variables: dict[str, np.ndarray] = {}
    about = np.zeros((len(table), 4), dtype=object)
    for k, (name, (info, values)) in enumerate(table.items()):
        plain = re.sub(r"\W", "_", name)
        plain = plain if plain[:1].isalpha() else f"x{plain}"
        if len(plain) > LONGEST_IN_MATLAB:
            plain = f"{plain[: LONGEST_IN_MATLAB - 6]}_{k}"
        variable = plain if plain not in (*variables, "signals", "provenance") else f"{plain[:57]}_{k}"
        variables[variable] = values
        about[k] = variable, name, info.unit, info.meaning
    with described.whole_file.Draft(path) as draft, draft.open("wb") as file:
        provenance = result.provenance.to_json()
        scipy_io.savemat(file, {**variables, "signals": about, "provenance": provenance}, oned_as="column")


def to_parquet(result: Result, path: str | os.PathLike[str], names: Iterable[str] | None = None) -> None:
    """Each column's metadata has `units` and `long_name`; the table's has `wheelwork`, the provenance as JSON."""
    try:
        to_schema, write = pa.schema, pq.write_table
    except ImportError:
        raise ImportError(
            "Parquet tables need pyarrow, which is not installed: pip install 'wheelwork[tables]', or use to_csv"
        ) from None
    table = columns(result, names)
    fields = [
        pa.field(name, pa.float64(), metadata={"units": info.unit, "long_name": info.meaning})
        for name, (info, _) in table.items()
    ]
    names_and_units = json.dumps({name: info.unit for name, (info, _) in table.items()})
    schema = to_schema(fields, metadata={"wheelwork": result.provenance.to_json(), "units": names_and_units})
    with described.whole_file.Draft(path) as draft:
        write(pa.table([values for _, values in table.values()], schema=schema), draft)
