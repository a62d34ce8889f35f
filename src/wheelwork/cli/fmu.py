"""`wheelwork fmu`"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from wheelwork import exchange
from wheelwork.problems import ModelError, Problem

from .options import Json, ModelFile, Settings, read_model
from .run_files import check_file
from .show import console, print_json, progress_bar


def fmu(
    file: ModelFile,
    /,
    *,
    out: Annotated[Path | None, Parameter(["--out", "-o"])] = None,
    inputs: Annotated[list[str], Parameter(consume_multiple=True)] = [],  # noqa: B006
    outputs: Annotated[list[str] | None, Parameter(consume_multiple=True)] = None,
    fmi: Literal[2, 3] = 3,
    ranges: Annotated[list[str], Parameter("--range")] = [],  # noqa: B006
    platforms: str | None = None,
    formulation: Literal["auto", "absolute", "reduced"] | None = None,
    end: str | None = None,
    settings: Settings = [],  # noqa: B006
    json: Json = False,
) -> int:
    """Write a model as a functional mock-up unit (FMI 2.0 or 3.0) for co-simulation and model exchange.

    Args:
        out: The FMU to write; FILE.fmu if not given.
        inputs: What is given from outside: states without a rate, parameters, fields of forces, drivers.
        outputs: Signals; if not given, those of the file or the coordinates of rotors and joints.
        fmi: Version of the standard.
        ranges: Least and greatest value of a parameter or input: `--range torque=-5:5`. May be given several times.
        platforms: Systems to make binaries for, such as `linux64,win64,darwin64,aarch64-linux`; this one if not given.
        formulation: Coordinates; the file's if not given.
        end: End of the default experiment, such as `2 s`.
    """
    mechanism = read_model(file, settings)
    target = file.with_suffix(".fmu") if out is None else out
    check_file(target)
    with progress_bar(lines=True) as bar:
        model = exchange.write_fmu(
            mechanism,
            target,
            inputs=inputs,
            outputs=outputs,
            fmi=fmi,
            ranges=_ranges(ranges),
            platforms=None if platforms is None else platforms.split(","),
            formulation=formulation,
            end=end,
            progress=bar,
        )
    groups = {
        group: [v.name for v in model.variables if v.causality == group]
        for group in ("input", "output", "parameter")
    }
    if json:
        print_json({"file": str(target), "states": len(model.continuous), **groups})
        return 0
    held = ", ".join(f"{len(names)} {group}s" for group, names in groups.items())
    text = f"{target}: FMI {fmi}.0, {len(model.continuous)} states, {held}"
    console().print(text, markup=False, soft_wrap=True)
    return 0


def _ranges(given: list[str]) -> dict[str, tuple[float, float]]:
    found, problems = {}, []
    for one in given:
        name, _, limits = one.partition("=")
        try:
            least, greatest = (float(x) for x in limits.split(":"))
            found[name.strip()] = least, greatest
            if not least <= greatest:
                raise ValueError
        except ValueError:
            problems.append(
                Problem(f"needs `name=least:greatest` in SI units, but is `{one}`", path="--range")
            )
    if problems:
        raise ModelError(problems)
    return found
