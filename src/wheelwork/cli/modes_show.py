"""How `wheelwork modes` prints what it found."""

from __future__ import annotations

from wheelwork.analyses.vibration import Campbell, Mode, Modes
from wheelwork.lazy import numpy as np

from .show import about_model, console, facts, number, some_of, table

MOTIONS = ("x", "y", "z", "about x", "about y", "about z")


def show_modes(modes: Modes, file: str, shapes: bool) -> None:
    """One line a mode, and the shapes if they are wanted."""
    out = console()
    prepared = modes.linear.at.prepared
    rigid = sum(mode.undamped == 0 for mode in modes)
    rows = [("model", prepared.flat.name or "(no name)"), ("file", file)]
    rows.append(("freedoms", f"{len(modes)}, of which {rigid} rigid motions" if rigid else str(len(modes))))
    for stage in modes.stages:
        planets = ", ".join(modes.bodies[k] for k in stage.planets)
        even = "at equal angles" if stage.regular else "at unequal angles: kinds are mixed"
        rows.append(("planetary stage", f"planets {planets}, {even}"))
    if len(modes.control):
        added = ", ".join(f"{x.real:.4g}" + (f"{x.imag:+.4g}i" if x.imag else "") for x in modes.control)
        rolls = modes.linear.ways.shape[1]
        what = "path coordinates of rolling bodies" if rolls else "states of the control"
        rows.append((what, f"{', '.join(modes.linear.states)}: {added} 1/s beside the modes"))
    rows += modes.linear.assumptions
    out.print(facts(rows))
    out.print()
    lines = [
        (
            str(mode.number),
            number(mode.natural_frequency, 6),
            number(mode.frequency, 6),
            "" if np.isnan(mode.damping) else number(100 * mode.damping, 3),
            mode.kind,
            _shares([(name, a + b) for name, a, b in mode.moving(0.05)][:4]),
            _shares(mode.straining(0.05)[:4]),
        )
        for mode in modes
    ]
    numbers, energies = ["undamped [Hz]", "damped [Hz]", "damping [%]"], ["kinetic energy", "strain energy"]
    columns = ["mode", *numbers, "kind", *energies]
    out.print(table("", columns, lines, right=[0, 1, 2, 3]))
    for mode in modes if shapes else ():
        out.print()
        out.print(_shape(modes, mode))
    growing = [mode for mode in modes if mode.growth > 0 and mode.kind != ""]
    if any(mode.kind == "unstable" for mode in growing):
        out.print()
        out.print("Some motions grow: this position is not a stable equilibrium.", style="yellow")


def _shares(rows: list[tuple[str, float]]) -> str:
    return ", ".join(f"{name}\u00a0{100 * share:.0f}\u00a0%" for name, share in rows)  # no line breaks inside


def _shape(modes: Modes, mode: Mode) -> object:
    """Relative motion of the bodies; rotations times the radius of gyration."""
    relative = mode.readable(modes.lengths)
    size = np.abs(relative)
    used = [c for c in range(6) if np.any(size[:, c] > 5e-4)]
    rows = []
    for k, body in enumerate(modes.bodies):
        if np.any(size[k] >= 5e-4):
            rows.append((body, *(_entry(relative[k, c]) for c in used)))
    title = f"Mode {mode.number}, {number(mode.natural_frequency, 6)} Hz"
    columns = ["body", *(MOTIONS[c] for c in used)]
    return table(title, columns, rows, right=range(1, len(columns)))


def _entry(value: complex) -> str:
    if abs(value) < 5e-4:
        return "0"
    if abs(np.imag(value)) < 5e-4:
        return f"{np.real(value):.3f}"
    return f"{abs(value):.3f} at {np.degrees(np.angle(value)):.0f} deg"


def show_campbell(campbell: Campbell, file: str) -> None:
    """Frequencies at some values, and the critical values."""
    out = console()
    prepared = campbell.first.linear.at.prepared
    unit = prepared.flat.parameter_units.get(campbell.parameter, "")
    out.print(about_model(prepared.flat.name, file))
    for words, names in campbell.last.linear.assumptions:
        out.print(f"{words}: {names}", markup=False)
    out.print()
    moving = [
        k for k in range(campbell.frequencies.shape[1]) if np.any(campbell.natural_frequencies[:, k] > 0)
    ]
    rows = [
        (
            number(float(campbell.values[i])),
            *(number(float(campbell.natural_frequencies[i, k])) for k in moving),
        )
        for i in some_of(len(campbell.values), 11)
    ]
    heading = f"{campbell.parameter} [{unit}]" if unit else campbell.parameter
    columns = [heading, *(f"mode {k + 1} [Hz]" for k in moving)]
    out.print(table("Natural frequencies", columns, rows, right=range(len(columns))))
    critical = campbell.criticals()
    out.print()
    if critical:
        rows = [
            (
                number(c.value),
                number(c.value / (2 * np.pi) * 60),
                number(c.frequency),
                f"{c.order:g}",
                str(c.mode),
                _sense(c.whirl),
            )
            for c in critical
        ]
        columns = [heading, "[rpm]", "frequency [Hz]", "order", "mode", "whirl"]
        out.print(table("Critical values", columns, rows, right=[0, 1, 2, 3, 4]))
    else:
        out.print("no order meets a mode in this range")
    if np.any(campbell.growth > 1e-6 * 2 * np.pi * np.max(campbell.natural_frequencies, initial=1.0)):
        first = campbell.values[np.any(campbell.growth > 1e-6, axis=1)][0]
        out.print(f"Unstable from {campbell.parameter} = {number(float(first))} on.", style="yellow")


def _sense(whirl: float) -> str:
    return "forward" if whirl > 0.5 else "backward" if whirl < -0.5 else ""
