"""One random mechanism by a second route: what must come out the same, whoever computes it.

- copies: other names and order, another place in the world, a mirror, another scale of length, mass and time
- pieces: a run in pieces of random lengths is the whole run: to the last digit with fixed steps, and with adaptive
  ones where nothing sticks, touches or kinks (there no step is longer than a piece)
- fmu: co-simulation of the exported unit, in steps of its environment
- lanes: a study of two masses of a body, or of two strengths of gravity, beside single runs with these
- statics: a drive that frictions hold, made from the same seed (:mod:`.holding`), for the family `switching`
- linear: eigenvalues of the linear equations of all copies, and what small kicks to `simulate` do

All of them compare with `find_differences` of :mod:`.comparing`, or say what is different in words.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.transform import Rotation

from wheelwork.analyses.kinks import OperatingPointWarning
from wheelwork.description import Formula, ModelError
from wheelwork.exchange.fmu.write import write_fmu
from wheelwork.mechanism import Mechanism
from wheelwork.results import Result
from wheelwork.studies import Study

from .comparing import MOST_STEPS, TIGHT, Difference, coarser, find_differences, run_quietly, values_of
from .copies import mirrored, placed_elsewhere, renamed_and_shuffled, rescaled, scale_of
from .holding import compare_with_statics
from .mechanisms import random_mechanism

SCALES = (1e-3, 1e-9, 1e-3)
"""Of length, mass and time: a mechanism of a watch."""
SCALES_WITH_EVENTS = (1e-3, 1e-9, 1.0)
"""Of those in which something switches: events are located to 1e-10 s whatever the time scale."""
SCALES_WITH_IMPACTS = (1.0, 1e-9, 1.0)
"""Of those in which something strikes: below a speed in m/s it does not bounce."""
TURN, SHIFT = Rotation.from_rotvec([0.7, -1.9, 0.4]), np.array([1.3, -2.1, 0.8])
EIGENVALUES = 1e-6
"""Of the largest: by which those of copies may differ, and the square of by which double zeros may, which are roots of
round-off."""
SMOOTH = {"torque", "spring", "bushing", "torsional_spring"}
"""Forces without modes, kinks and corners, as random mechanisms have them."""
PIECES = 1e-7
"""Of the largest of the state: by which pieces may differ where they limit the steps."""
LANES = 1e-6
"""m: by which ends of variants may differ; both are run with tight tolerances."""
SHAKEN = ("tree", "loop", "redundant")
"""Families given beside their places: how far they are moved there is known to six digits alone."""


def judge_by_second_routes(seed: int, of: str | None = None, end: float = 0.05) -> Iterator[str]:
    """What is wrong with mechanism number `seed`, in words, each with the route that shows it."""
    family, m, possible = random_mechanism(seed, of)
    if not possible:
        return
    try:
        reference = run_quietly(m, _options(end))
    except ModelError:
        return  # `judge` says whether that is right
    if not reference.outcome.good:
        return
    routes: dict[str, Callable[[], Iterator[Any]]] = {
        "copies": lambda: compare_copies(m, reference, end, seed),
        "pieces": lambda: compare_pieces(m, end, seed),
        "lanes": lambda: compare_lanes(m, end),
        "linear": lambda: compare_eigenvalues(m, seed),
    }
    if family == "switching":
        routes["statics"] = lambda: compare_with_statics(seed)
    if seed % 10 == 0:
        routes["fmu"] = lambda: compare_fmu(m, end)
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", OperatingPointWarning
        )  # teeth that do not touch: so they do in all copies
        for route, look in routes.items():
            try:
                yield from (f"{route}: {words}" for words in look())
            except ModelError as refusal:
                yield f"{route} of {family}: refused though it runs: {refusal}"


def _options(end: float) -> dict[str, Any]:
    return {"end": end, "output": 20, "progress": False, "max_steps": MOST_STEPS, **TIGHT}


# -- copies


def compare_copies(m: Mechanism, reference: Result, end: float, seed: int) -> Iterator[Difference]:
    """Signals of the copies that are not those of the mechanism."""
    coarse = run_quietly(m, coarser(_options(end)))
    for way, copy, span, translate in _copies(m, seed):
        options = {**_options(end), "end": span * end}
        runs = [run_quietly(copy, options), run_quietly(copy, coarser(options))]
        found, own_coarse = (translate(values_of(run), reference) for run in runs)
        yield from find_differences(way, found, reference, coarse, own_coarse)


Values = Mapping[str, np.ndarray]
Translate = Callable[[Values, Result], Values]


def _copies(m: Mechanism, seed: int) -> Iterator[tuple[str, Mechanism, float, Translate]]:
    """Each copy with its name, how long a time of the mechanism is in it, and how its signals are read."""
    other, mapping = renamed_and_shuffled(m, seed)

    def by_name(values: Values, reference: Result) -> Values:
        return {
            n: values[_renamed(n, mapping)] for n in values_of(reference) if _renamed(n, mapping) in values
        }

    yield "other names and order", other, 1.0, by_name
    if _is_plain(m):
        yield "in a mirror", mirrored(m), 1.0, _through_mirror
    placed = all(joint.frame_a is None for joint in m.joints.values())
    if m.kind == "spatial" and placed and _is_plain(m):
        yield "elsewhere", placed_elsewhere(m, TURN, SHIFT), 1.0, _from_elsewhere
    try:
        strikes = any(force.type == "contact" for force in m.forces.values())
        scales = SCALES if _is_smooth(m) else SCALES_WITH_IMPACTS if strikes else SCALES_WITH_EVENTS
        yield "of another size", rescaled(m, *scales), scales[2], partial(_from_other_size, scales=scales)
    except ValueError:  # formulas of time
        return


def _is_plain(m: Mechanism) -> bool:
    """Whether all directions in it are of fields that copies know."""
    forces = {"torque", "spring", "friction", "bushing", "torsional_spring", "actuator"}
    joints = {"revolute", "prismatic", "cylindrical", "spherical", "universal", "fixed", "planar", "distance"}
    types = {joint.type for joint in m.joints.values()} | {force.type for force in m.forces.values()}
    return types <= joints | forces and not m.control


def _renamed(signal: str, mapping: Mapping[str, str]) -> str:
    """`sun-wheel5.force` with the new name of wheel5: elements keep the rest of their names."""
    for old in sorted(mapping, key=len, reverse=True):
        if old in signal:
            head, _, tail = signal.partition(old)
            return f"{head}{mapping[old]}{_renamed(tail, mapping) if tail else ''}"
    return signal


def _through_mirror(values: Values, reference: Result) -> Values:
    signs = np.array([-1.0, 1.0, 1.0])
    places = {n: v * signs[: v.shape[1]] for n, v in values.items() if _is_place(n, reference)}
    return {**places, **_energies(values)}


def _from_elsewhere(values: Values, reference: Result) -> Values:
    own = {name.removeprefix("in."): value for name, value in values.items()}
    places = {n: TURN.inv().apply(v - SHIFT) for n, v in own.items() if _is_place(n, reference)}
    return {**places, **{n: v for n, v in _energies(values).items() if n == "energy.kinetic"}}


def _is_place(name: str, reference: Result) -> bool:
    element, _, quantity = name.rpartition(".")
    return quantity == "position" and element in reference.motion.program.bodies


def _energies(values: Values) -> Values:
    return {name: value for name, value in values.items() if name.startswith("energy.")}


def _from_other_size(
    values: Values, reference: Result, scales: tuple[float, float, float] = SCALES
) -> Values:
    units = {name: signal.unit for name, signal in reference.catalogue.signals.items()}
    known = [name for name in values if " or " not in units[name]]  # residuals of any rows
    return {name: values[name] / scale_of(units[name], *scales) for name in known}


# -- pieces and units


def compare_pieces(m: Mechanism, end: float, seed: int) -> Iterator[str]:
    """A run in pieces of random lengths beside the whole one: states at the end must be equal."""
    times = np.sort(np.random.default_rng([seed, 8]).uniform(0.05 * end, 0.95 * end, size=3))
    for options in ({"method": "dopri5", **TIGHT}, {"method": "rk4", "step": end / 500}):
        ready = m.compile(max_steps=MOST_STEPS, **options)
        whole, pieces = ready.start(), ready.start()
        whole.advance(end)
        for t in (*times, end):
            pieces.advance(float(t))
        a, b = (session.result().motion.state[-1] for session in (whole, pieces))
        smooth = options["method"] == "rk4" or _is_smooth(m)
        apart = float(np.max(np.abs(a - b)))
        if apart > (0.0 if smooth else PIECES * max(1.0, float(np.max(np.abs(a))))):
            at = ", ".join(f"{t:.6g}" for t in times)
            yield f"in pieces to {at} s the end is off by {apart:.2g} with {options['method']}"


def _is_smooth(m: Mechanism) -> bool:
    """Whether nothing in it has modes, kinks or corners."""
    rigid = all(mesh.model.type == "rigid" for mesh in m.meshes.values())
    return rigid and {force.type for force in m.forces.values()} <= SMOOTH


def compare_lanes(m: Mechanism, end: float) -> Iterator[str]:
    """Where a study says that its bodies end, with two masses of the first, beside `simulate` with these."""
    studied = m.model_copy(deep=True)
    masses = {name: getattr(body, "mass", None) for name, body in studied.bodies.items()}
    body, own = next(((name, mass) for name, mass in masses.items() if isinstance(mass, float)), ("", 0.0))
    if not body:
        return
    parameters: dict[str, Any] = studied.parameters
    parameters["studied_mass"] = f"{own!r} kg"
    studied.bodies[body] = studied.bodies[body].model_copy(update={"mass": Formula("studied_mass")})
    axes = "xy" if m.kind == "planar" else "xyz"
    names = {f"end_{k}": f"{b}.position.{x}" for k, (b, x) in enumerate(product(studied.bodies, axes))}
    values = [own, 1.25 * own]
    measures = {name: f"last({signal})" for name, signal in names.items()}
    options = {name: value for name, value in _options(end).items() if name not in ("output", "progress")}
    table = Study(studied, {"studied_mass": values}, measures=measures, samples=10, **options).run(
        progress=False
    )
    for k, mass in enumerate(values):
        run = run_quietly(studied, {**_options(end), "parameters": {"studied_mass": mass}})
        for name, signal in names.items():
            found, wanted = float(table[name][k]), float(run[signal][-1])
            if not abs(found - wanted) <= LANES * max(1.0, abs(wanted)):
                yield f"`{signal}` ends at {found:.9g} in a study ({table.attrs['engine']}), at {wanted:.9g} by itself"


def compare_fmu(m: Mechanism, end: float) -> Iterator[Difference]:
    """The exported unit, run by FMPy, beside `simulate`."""
    import fmpy

    options = {"end": end, "output": 20, **TIGHT}
    reference = run_quietly(m, {**options, "progress": False})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.fmu"
        model = write_fmu(m, file, fmi=2, **options)
        names = [signal.name for signal in model.signals]
        found = fmpy.simulate_fmu(
            str(file), fmi_type="CoSimulation", stop_time=end, output_interval=end / 20, output=names
        )
    values = {name: np.asarray(found[name]).reshape(len(found), -1) for name in names}
    yield from find_differences(
        "fmu", values, reference, run_quietly(m, coarser({**options, "progress": False}))
    )


# -- linear equations


def compare_eigenvalues(m: Mechanism, seed: int) -> Iterator[str]:
    """Eigenvalues about the state at the start: those of copies are the same, over the factor of time. Of what is not
    steady, those of the moment."""
    for frame in (None, "world"):
        try:
            own = m.linearise(frame=frame).eigenvalues
            break
        except ModelError:
            continue  # not steady, or a kink: said in words
    else:
        return
    for way, copy, span, _ in _copies(m, seed):
        size = max(float(np.max(np.abs(own), initial=0.0)), 1.0)
        found = copy.linearise(frame=frame).eigenvalues
        apart = distance_of_spectra(found * span, own, EIGENVALUES**0.5 * size)
        if not apart <= EIGENVALUES * size:
            yield f"{way}: eigenvalues are off by {apart:.2g} 1/s (largest {size:.2g})"


def distance_of_spectra(a: np.ndarray, b: np.ndarray, zero: float = 0.0) -> float:
    """The largest distance between eigenvalues that belong together; inf where there are more of one.

    Those up to `zero` are alike.
    """
    if len(a) != len(b):
        return np.inf
    a, b = (np.where(np.abs(x) <= zero, 0.0, x) for x in (a, b))
    cost = np.abs(a[:, None] - b[None, :])
    rows, columns = linear_sum_assignment(cost)
    return float(np.max(cost[rows, columns], initial=0.0))
