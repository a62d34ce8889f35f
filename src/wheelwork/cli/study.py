"""`wheelwork study FILE`"""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from wheelwork.description.extras import need_extras
from wheelwork.lazy import numpy as np
from wheelwork.lazy import studies, study_cluster, vibration_files
from wheelwork.problems import ModelError
from wheelwork.show.figures.prefixes import choose_prefix
from wheelwork.show.report import write_report
from wheelwork.studies.dataset import in_words, not_run_and_failed, scalars, variant_at

from . import FAILED, GOOD
from .options import Json, ModelFile, Settings, read_model
from .show import console, error_console, facts, number, print_json, table

if TYPE_CHECKING:
    import xarray as xr

STORE, FILE = ".zarr", ".nc"
RANGE_WORDS = frozenset({"to", "normal", "uniform"})
"""Of which one is in every text about a range or scatter; anything else is a list of values."""


def study(
    file: ModelFile,
    /,
    *,
    vary: list[str] = [],  # noqa: B006
    measures: Annotated[list[str], Parameter("--measure")] = [],  # noqa: B006
    count: int | None = None,
    seed: int | None = None,
    end: str | None = None,
    run_in: str | None = None,
    engine: Literal["lanes", "threads", "gpu"] | None = None,
    threads: int | None = None,
    scheduler: str | None = None,
    out: Annotated[Path | None, Parameter(["--out", "-o"])] = None,
    report: Path | None = None,
    settings: Settings = [],  # noqa: B006
    json: Json = False,
) -> int:
    """Run many variants of a model, as its section `study` says, and measure each.

    Args:
        vary: What varies, instead of the file's: `--vary 'backlash=0.1 mm to 0.4 mm in 10'`. May be repeated.
        measures: What is measured, instead of the file's: `--measure 'peak=greatest(mesh1.force.transverse)'`. May be
            repeated.
        count: Number of random samples.
        seed: Seed of the random samples.
        end: When each run stops, such as `5` or `200 ms`.
        run_in: Time that is not measured.
        engine: How variants are run; chosen where left out.
        threads: Default: one per core.
        scheduler: Address of a Dask scheduler, whose workers run the variants: `tcp://10.0.0.1:8786`.
        out: Zarr store (`.zarr`), with which a study that was ended or killed goes on by the same command, or a NetCDF
            file (`.nc`), written at the end. Default: the model's name with `-study.zarr`, here.
        report: Write a report: one HTML file with figures.
    """
    mechanism = read_model(file, settings)
    target = Path(f"{file.stem}-study{STORE}") if out is None else out
    if target.suffix not in (STORE, FILE):
        why = f"needs a name with `{STORE}` or `{FILE}`, but is `{target}`"
        raise ModelError(why, path="--out")
    drawn_by_salib = mechanism.study is not None and mechanism.study.sampling in ("saltelli", "morris")
    wanted = {"SALib": drawn_by_salib, "zarr": target.suffix == STORE, "distributed": scheduler is not None}
    need_extras(*(module for module, is_wanted in wanted.items() if is_wanted))
    given: dict[str, Any] = {"count": count, "seed": seed, "end": end, "run_in": run_in}
    given |= {"vary": _named(vary, "--vary") or None, "measures": _named(measures, "--measure") or None}
    there = target.suffix == STORE and target.exists()
    made = studies.Study.described(
        mechanism, **{name: value for name, value in given.items() if value is not None}
    )
    began = time.perf_counter()
    client = None if scheduler is None else study_cluster.connected(scheduler)
    try:
        store = target if target.suffix == STORE else None
        found = made.run(engine=engine, threads=threads, store=store, client=client)
    finally:
        if client is not None:
            client.close(timeout=1)
    seconds = time.perf_counter() - began
    if there:
        error_console().print(f"{target} already existed; its variants were not run again", markup=False)
    if target.suffix == FILE:
        vibration_files.save(found, target)
    missing, failed = (int(np.count_nonzero(which)) for which in not_run_and_failed(found))
    if json:
        print_json(_for_machines(found, seconds, target))
    else:
        show_study(found, seconds, target)
    if report is not None:
        write_report(found, report, made.description)
        error_console().print(f"written  {report}", markup=False)
    if missing and target.suffix == STORE:
        error_console().print("interrupted; the same command goes on from there", markup=False)
    return FAILED if missing or failed else GOOD


def _named(given: list[str], option: str) -> dict[str, Any]:
    """`name=text` by name; values, with commas if there are several, are a list."""
    found: dict[str, Any] = {}
    for one in given:
        name, equals, text = (part.strip() for part in one.partition("="))
        if not equals or not name or not text:
            raise ModelError(f"needs `name=...`, but is `{one}`", path=option)
        listed = option == "--vary" and not RANGE_WORDS.intersection(text.split())
        found[name] = [part.strip() for part in text.split(",")] if listed else text
    return found


def _for_machines(found: xr.Dataset, seconds: float, target: Path) -> dict[str, Any]:
    missing, failed = not_run_and_failed(found)
    measures = {}
    for name in scalars(found):
        values = found[name].values
        some = bool(np.isfinite(values).any())
        span = (np.nanmin(values), np.nanmean(values), np.nanmax(values)) if some else (None,) * 3
        numbers = [None if value is None else float(value) for value in span]
        measures[name] = dict(zip(("least", "mean", "greatest"), numbers, strict=True))
    return {
        "variants": int(missing.size),
        "not_run": int(missing.sum()),
        "failed": int(failed.sum()),
        "engine": found.attrs.get("engine", ""),
        "seconds": seconds,
        "files": [str(target)],
        "measures": measures,
    }


def _in_unit(found: xr.Dataset, name: str, value: float) -> str:
    """What varied, as one would write it in a file: `20 deg`, `65 mm`."""
    unit = found[name].attrs.get("units", "")
    factor, unit = (180 / math.pi, "deg") if unit == "rad" else choose_prefix(unit, abs(value))
    return f"{number(factor * value)} {unit if unit != '1' else ''}".strip()


def show_study(found: xr.Dataset, seconds: float, target: Path) -> None:
    """How it went, and the measures with the variants at which they are least and greatest."""
    missing, failed = not_run_and_failed(found)
    sizes = " x ".join(f"{n} {name}" for name, n in zip(found["outcome"].dims, missing.shape, strict=True))
    rows = [("model", found.attrs.get("title") or "(no name)"), ("analysis", found.attrs.get("analysis", ""))]
    rows.append(("variants", f"{missing.size}: {sizes}" if missing.ndim > 1 else str(missing.size)))
    how = in_words(missing, failed)
    rows.append(("work", f"{seconds:.2f} s, engine {found.attrs.get('engine', '')}{how}"))
    why = found.attrs.get("why_not_lanes")
    if why:
        rows.append(("not in lanes", why))
    first = next((str(text) for text in found["reason"].values.ravel() if text), "")
    if first:
        rows.append(("first failure", first))
    rows.append(("written", str(target)))
    out = console()
    out.print(facts(rows))
    lines = []
    for name in scalars(found):
        values = found[name].values
        if not np.isfinite(values).any():
            continue
        ends = (np.nanmin(values), np.nanmean(values), np.nanmax(values))
        greatest = variant_at(found, int(np.nanargmax(values))).items()
        where = ", ".join(f"{what} = {_in_unit(found, what, value)}" for what, value in greatest)
        unit = found[name].attrs.get("units", "")
        lines.append((name, unit, *(number(float(end)) for end in ends), where))
    if lines:
        out.print()
        headings = ["measure", "unit", "least", "mean", "greatest", "greatest at"]
        out.print(table("", headings, lines, right=[2, 3, 4]))
