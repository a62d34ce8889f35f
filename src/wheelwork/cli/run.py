"""`wheelwork run FILE`"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from wheelwork.description.extras import need_extras
from wheelwork.engine.outcome import Outcome
from wheelwork.engine.watch import uninterrupted
from wheelwork.lazy import described, over_time, results, vibration_files
from wheelwork.mechanism import Mechanism
from wheelwork.problems import ModelError, Problem
from wheelwork.results import Result

from . import FAILED, GOOD, run_vibration
from .options import Json, Method, ModelFile, Settings, Tolerance, read_model
from .run_files import OutputPlace, look_for_part
from .show import console, error_console, facts, number, print_json, table

MOST_LINES = 12


def run(
    file: ModelFile,
    /,
    *,
    settings: Settings = [],  # noqa: B006
    out: Annotated[Path | None, Parameter(["--out", "-o"])] = None,
    csv: bool = False,
    parquet: bool = False,
    mat: bool = False,
    report: Annotated[bool | None, Parameter(negative="--no-report")] = None,
    end: str | None = None,
    method: Method = None,
    step: str | None = None,
    rtol: Tolerance = None,
    resume: bool = False,
    trust: bool = False,
    json: Json = False,
) -> int:
    """Run the model's `analysis` section (or a simulation until `--end`); write its result and a report.

    Args:
        out: Folder for `result.nc` and `report.html`; a name with `.nc` is the file of the result alone. Default: the
            model's name with `-run`, here.
        csv: Also write the signals as a CSV table beside it.
        parquet: Also write the signals as a Parquet table beside it.
        mat: Also write the signals as a MAT file (MATLAB, Octave) beside it.
        report: Write a report: one HTML file with animation and plots. Default: in a folder yes, beside a file no.
        end: When to stop, such as `5` or `200 ms`.
        step: Step: fixed for `rk4`, the first one for others.
        resume: Go on with a run or sweep that was ended or killed, from the `.part` file beside its result.
        trust: Run the binaries of FMUs in the model: they can do whatever a program can.
    """
    mechanism = read_model(file, settings)
    given = {"end": end, "method": method, "step": step, "rtol": rtol}
    _set_up(mechanism, {name: value for name, value in given.items() if value is not None})
    _no_tables(mechanism, csv=csv, parquet=parquet, mat=mat)
    units = trust and any(block.is_fmu for block in mechanism.control.values())
    need_extras(*["pyarrow"] * bool(parquet), *["fmpy"] * units)
    place = OutputPlace.of(out, file.stem, report)
    place.make()
    options = _part_options(mechanism, place.part, resume) | ({"trust": True} if trust else {})
    began = time.perf_counter()
    try:
        found = mechanism.run(**options)
    except BaseException:
        place.leave()
        raise
    seconds = time.perf_counter() - began
    if mechanism.analysis is not None and mechanism.analysis.of_vibration:
        return run_vibration.write(found, place, file, seconds, json)
    if not hasattr(found, "motion"):
        return _write_dataset(found, place, seconds, json)
    result = as_result(found, mechanism)
    tables = {
        ".csv": result.to_csv if csv else None,
        ".parquet": result.to_parquet if parquet else None,
        ".mat": result.to_mat if mat else None,
    }
    if result.outcome.name != "INTERRUPTED":
        return _write(result, place, tables, seconds, json)
    error_console().print(f"interrupted at t = {result.t[-1]:.6g} s; saving what there is")
    with uninterrupted():  # nothing is to be lost now
        if place.part.exists():
            error_console().print("`--resume` goes on from there", markup=False)
        return _write(result, place, tables, seconds, json)


def _write(
    result: Result,
    place: OutputPlace,
    tables: Mapping[str, Callable[[Path], object] | None],
    seconds: float,
    json: bool,
) -> int:
    """Write and show a result; tables: how each is written that is asked for, by the ending of its name."""
    try:
        place.save(result)
    except OSError:
        if place.part.exists():
            text = (
                f"what the run has done is in {place.part}: `--resume` goes on from there when there is room"
            )
            error_console().print(text, markup=False)
        raise
    if result.outcome.name != "INTERRUPTED":
        place.part.unlink(missing_ok=True)
    for suffix, write in tables.items():
        if write is not None:
            place.add(place.result.with_suffix(suffix), write)
    place.write_report(result)
    if json:
        print_json(_for_machines(result, seconds, place.written))
    else:
        show_result(result, seconds, place.written)
    return GOOD if result.outcome.good and place.complete else FAILED


def _write_dataset(found: Any, place: OutputPlace, seconds: float, json: bool) -> int:
    """The arrays of an analysis that is neither a motion nor one of vibration: one of a user's own, say."""
    dataset = found.to_dataset()
    place.add(place.result, lambda path: vibration_files.save(dataset, path))
    if json:
        files = [str(path) for path in place.written]
        print_json({"good": True, "files": files, "seconds": seconds, **vibration_files.as_json(dataset)})
    else:
        console().print(str(found), markup=False)
        console().print(facts([("written", str(path)) for path in place.written]))
    return GOOD


def _set_up(mechanism: Mechanism, given: dict[str, Any]) -> None:
    """Options become part of the model's own analysis, and are checked like it."""
    own = mechanism.analysis
    kind = described.Simulate if own is None else type(own)
    foreign = [name for name in given if name not in kind.model_fields]
    if foreign:
        why = f"has no meaning for the analysis `{own.type if own else 'simulate'}` that the model asks for"
        raise ModelError([Problem(why, path=f"--{name}") for name in foreign])
    kept = {} if own is None else {name: getattr(own, name) for name in own.model_fields_set}
    if "end" in kind.model_fields and "end" not in {**kept, **given}:
        why = "needs the time at which to stop: the model has no `analysis` section that says so"
        raise ModelError(why, path="--end", hint="such as `--end 5s`")
    if own is None or given:
        mechanism.analysis = kind(**{**kept, **given})
    described.flatten(mechanism)  # which checks it


def _part_options(mechanism: Mechanism, part: Path, resume: bool) -> dict[str, Any]:
    """Where a run keeps what it has done, and whether it goes on from there."""
    asked = mechanism.analysis
    if asked is not None and asked.goes_on:
        look_for_part(part, resume)
        return {"part": part, "resume": resume}
    if resume:
        kind = "" if asked is None else asked.type
        why = f"has no meaning for the analysis `{kind}`; simulations, driven motions and sweeps can go on"
        raise ModelError(why, path="--resume")
    return {}


def _no_tables(mechanism: Mechanism, **wanted: bool) -> None:
    """Signals over time are what tables hold; analyses of vibration have none."""
    asked = mechanism.analysis
    if asked is not None and asked.of_vibration and any(wanted.values()):
        why = f"has no meaning for the analysis `{asked.type}` that the model asks for"
        hint = "its result is a file of arrays, `result.nc`"
        raise ModelError([Problem(why, path=f"--{name}", hint=hint) for name, on in wanted.items() if on])


def as_result(found: Any, mechanism: Mechanism) -> Result:
    """What an analysis found as a result; a state (of `assemble`, `equilibrium`) is one of a single time."""
    if isinstance(found, results.Result):
        return found
    kind = mechanism.analysis.type if mechanism.analysis is not None else ""
    words = f"t = {found.t:g} s: " + ("in equilibrium" if kind == "equilibrium" else "assembled")
    return results.Result.from_motion(
        found.motion,
        report=results.KeptReport(Outcome.REACHED_END, found.t, "", 0.0, 0.0, 0, 0, 0, 0, words=words),
        events=[],
        description=found.prepared.description,
        settings=mechanism.analysis,
        engine=found.prepared.engine.name,
    )


def _for_machines(result: Result, seconds: float, files: list[Path]) -> dict[str, Any]:
    return {
        "outcome": result.outcome.name,
        "good": result.outcome.good,
        "report": result.report,
        "files": [str(path) for path in files],
        "steps": result.statistics.steps,
        "seconds": seconds,
        "events": len(result.events),
    }


def show_result(result: Result, seconds: float, files: list[Path]) -> None:
    """How it went, what the signals did, where it is."""
    out = console()
    statistics = result.statistics
    good = result.outcome.good
    word = "good" if good else result.outcome.name.lower().replace("_", " ")
    span = float(result.t[-1] - result.t[0])
    rows = [
        ("model", result.provenance.name or "(no name)"),
        ("analysis", str(result.provenance.analysis.get("type", ""))),
        ("outcome", f"{word}: {result.report}"),
    ]
    if statistics.steps:
        own = statistics.seconds
        speed = f" in {own:.3g} s, {span / own:.3g} times real time" if own > 0 else ""
        rows.append(("work", f"{statistics.steps} steps ({statistics.rejected} rejected){speed}"))
        rows.append(("in all", f"{seconds:.2f} s, with deriving and compiling the equations"))
        rows.append(("coordinates", statistics.formulation))
    if result.events:
        first = ", ".join(f"{e.kind.name.lower()} {e.element} at {e.t:.4g} s" for e in result.events[:3])
        rows.append(("events", f"{len(result.events)}: {first}{', ...' if len(result.events) > 3 else ''}"))
    rows += [("written", str(path)) for path in files]
    out.print(facts(rows))
    coordinates, zero = over_time.moving_and_zero(result)
    moving = len(result.t) > 1
    headings = ["start", "end", "least", "greatest"] if moving else ["value"]
    lines = []
    for name, values in list(coordinates.items())[:MOST_LINES]:
        shown = (values[0], values[-1], values.min(), values.max()) if moving else (values[0],)
        lines.append((name, result.series(name).unit, *map(number, shown)))
    if lines:
        out.print()
        out.print(table("", ["signal", "unit", *headings], lines, right=[2, 3, 4, 5]))
    if zero:
        out.print(
            f"{'always ' * moving}zero: {', '.join(zero[:MOST_LINES])}{', ...' * (len(zero) > MOST_LINES)}",
            markup=False,
        )
