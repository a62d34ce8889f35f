"""Table and targets of the part `study`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .sheets import Named, Sheet


def targets(part: dict[str, Any]) -> Iterator[tuple[str, float, str, float]]:
    """What was measured, as it is wanted: name, number, comparison, wanted."""
    rk4, cores, contact = part["rk4"], part["cores"], part["contact"]
    yield "yaw drive, rk4, one core [steps/s]", rk4["1"], ">=", 1.2e7
    yield "the same beside SciPy's RK45 [times]", rk4["1"] / rk4["scipy"], ">=", 1500
    if cores > 1:
        yield f"yaw drive, rk4, {cores} cores [steps/s]", rk4[str(cores)], ">=", 1.1e7 * cores
    times = contact["single_seconds"] / contact["seconds"]
    what = f"tooth-contact bench, {contact['variants']} variants at 1e-6 m, {cores} cores, beside single runs [times]"
    yield what, times, ">=", 20
    yield f"map of 1000 variants, {cores} cores, all included [s]", part["map"]["seconds"], "<=", 5
    for kind, run in part["first"].items():
        yield f"first variant from a file, {kind} [s]", run["seconds"], "<=", 1
    if part["dask"]:
        what = f"Dask, two local workers, {part['dask']['variants']:.0f} variants: efficiency"
        yield what, part["dask"]["threads"] / part["dask"]["workers"], ">=", 0.9
    yield (
        f"memory of a study of {part['memory']['variants']:.0f} variants [GB]",
        part["memory"]["peak"] / 1e9,
        "<=",
        1,
    )
    yield from _device(part["device"])


def _device(device: dict[str, Any]) -> Iterator[tuple[str, float, str, float]]:
    if "kernel" not in device:
        return
    rate = device["kernel"]["steps_per_second"]
    yield f"yaw drive, rk4, {device['device']} [steps/s]", rate, ">=", 1e10
    for name, wanted in (("jax", 10), ("diffrax", 40)):
        if name in device:
            yield f"the same beside {name} [times]", rate / device[name], ">=", wanted
    whole = device["study"]
    if whole["variants"] >= 1_000_000:
        yield "10^6 variants of 2 s, all included [s]", whole["seconds"], "<=", 60


def sheets(part: dict[str, Any]) -> Named:
    contact = part["contact"]
    caption = (
        f"Bench: rtol {contact['lanes_tolerance']:.0e} in lanes, {contact['single_tolerance']:.0e} single; single runs "
        f"by processor time, {contact['single_measured']} measured."
    )
    caption += f" Device: {part['device']['why_not']}" if "why_not" in part["device"] else ""
    lines = [
        [name, f"{value:.3g}", f"{comparison} {wanted:g}"]
        for name, value, comparison, wanted in targets(part)
    ]
    yield "studies", Sheet("Studies", ["what", "measured", "wanted"], lines, caption)
