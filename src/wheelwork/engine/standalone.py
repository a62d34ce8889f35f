"""A compiled model that stands alone: code, tables and metadata in a folder. Running it needs NumPy and llvmlite,
not CasADi.

>>> save_standalone(mechanism, "arm/")        # doctest: +SKIP
>>> model = Standalone.load("arm/")           # doctest: +SKIP
>>> model.set_parameters(torque=3.0)          # doctest: +SKIP
>>> model.run(end=2.0)                        # doctest: +SKIP
"""

from __future__ import annotations

import ctypes
import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork import __version__
from wheelwork.engine.machine_code import Code
from wheelwork.lazy import build, described, tape
from wheelwork.system.corner_times import corner_times
from wheelwork.system.driver_jumps import driver_faults, driver_functions, driver_jumps, drivers_of
from wheelwork.system.given_speeds import Bodies, GivenSpeed, keep_given
from wheelwork.system.program import numbers_of
from wheelwork.system.signals import SignalCatalogue
from wheelwork.system.space import SPACES
from wheelwork.system.uses import TableUse

from .code import from_text
from .compiled_core import core
from .engine import kernel_groups
from .native_system import NativeSystem
from .options import Progress, RunOptions
from .outcome import Outcome
from .tables import Tables, tables_of

if TYPE_CHECKING:
    from wheelwork.description import Description, Flat
    from wheelwork.system.program import Program

FORMAT = 5
FILES = ("model.json", "tables.npz", "kernels.ll")
_Function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


def save_standalone(description: Description, folder: str | Path, implicit: bool = True) -> Path:
    """Write a mechanism's compiled form to a folder: `model.json`, `tables.npz`, `kernels.ll` (LLVM's language),
    and `seal.json`, by which damage is noticed.

    `implicit`: with the derivatives that `sdirk4` needs. Returns the folder.
    """
    flat = described.flatten(description)
    program = build.build(flat)
    numbers = program.numbers()
    tables = tables_of(program, implicit)
    folder = Path(folder)
    if program.given_coordinates:
        joint = flat.joints[program.given_coordinates[0].joint]
        why = "a model that stands alone does not move bodies to where joints are to start"
        hint = "give positions and velocities of bodies in its place"
        raise described.ModelError(joint.problem(why, hint, ("initial",)))
    _check_start(description, program, numbers.parameters)
    folder.mkdir(parents=True, exist_ok=True)
    functions = [function for group in kernel_groups(program, implicit) for function in group]
    functions += [program.numbers_function, *([program.switches] if program.switches is not None else [])]
    (folder / "kernels.ll").write_text(tape.emit(functions))
    parts = {f"arrays.{name}": array for name, array in tables.arrays.items()}
    parts |= {f"implicit.{name}": array for name, array in (tables.implicit or {}).items()}
    parts["knots"] = program.knots
    parts["computed"] = program.computed_rows
    parts["computed_values"] = numbers.data[parts["computed"]]
    np.savez(folder / "tables.npz", **parts)  # type: ignore[arg-type]
    f = program.numbers_function
    about = {
        "format": FORMAT,
        "wheelwork": __version__,
        "name": flat.name,
        "kind": program.space.name,
        "sizes": tables.sizes,
        "kernels": tables.kernels,
        "labels": tables.labels,
        "has_implicit": tables.implicit is not None,
        "parameters": {name: numbers.parameters[name] for name in program.parameter_names},
        "formulas": {n: v.text for n, v in flat.parameters.items() if isinstance(v, described.Formula)},
        "shaping": sorted(shaping(flat)) if program.computed else [],
        "description": described.dumps(described.changes.in_one_file(description))
        if program.computed
        else "",
        "given_speeds": [[speed.body, speed.field] for speed in program.given_speeds],
        "drivers": [
            [name, unit, program.constraints[index].input]
            for (name, unit), index in zip(
                drivers_of(program), program.driver_constraints.values(), strict=True
            )
        ],
        "switches": 0 if program.switches is None else program.switches.size1_out(0),
        "parameter_units": {name: flat.parameter_units.get(name, "") for name in program.parameter_names},
        "numbers": {"function": f.name(), "shapes": [list(f.size_out(k)) for k in range(f.n_out())]},
        "states": state_names(tables),
        "signals": [
            {"name": s.name, "unit": s.unit, "meaning": s.meaning}
            for s in SignalCatalogue(program).signals.values()
        ],
    }
    (folder / "model.json").write_text(json.dumps(about, indent=1))
    seal = {name: _digest((folder / name).read_bytes()) for name in FILES}
    (folder / "seal.json").write_text(json.dumps({"format": FORMAT, "sha256": seal}, indent=1))
    return folder


def _check_start(description: Description, program: Program, values: Mapping[str, float]) -> None:
    """Refuse a start that is not that of the given speeds."""
    forces = [placed.element for placed in program.flat.forces.values()]
    elastic = bool(program.elastic_meshes) or any(
        one.geared_rates(values) or any(one.held(values)) for one in forces if not one.is_rigid
    )
    still = set(range(len(program.bodies))) - {speed.body for speed in program.given_speeds}
    follows = description.start == "rolling" and program.given_speeds and still
    if elastic and (follows or description.start == "loaded"):
        names = ", ".join(f"`{program.bodies[k]}`" for k in sorted(still)) or "all bodies"
        text = f"is `{description.start}`, but a model that stands alone has the given speeds alone, none for {names}"
        raise described.ModelError(text, path="start", hint="give all speeds, and `start: rest`")


def shaping(flat: Flat) -> set[str]:
    """Parameters on which the shape or place of wheels may depend, and with them numbers that no formula gives."""
    waiting = [
        given.value
        for collection in (flat.bodies, flat.joints, flat.meshes, flat.frames)
        for placed in collection.values()
        for given in described.walk.givens(placed.element)
        if isinstance(given.value, described.Formula)
        and given.path[0] not in ("velocity", "angular_velocity")
    ]
    found: set[str] = set()
    while waiting:
        for name in waiting.pop().names() - found:
            found.add(name)
            value = flat.parameters.get(name)
            waiting += [value] if isinstance(value, described.Formula) else []
    return found & set(flat.parameters)


def state_names(tables: Tables) -> list[dict[str, str]]:
    """Name and unit of every entry of the state."""
    out = []
    planar = tables.space == "planar"
    axes = "xy" if planar else "xyz"
    turned = [("angle", "rad")] if planar else [(f"orientation.{c}", "1") for c in "wxyz"]
    for body in tables.labels["bodies"]:
        out += [{"name": f"{body}.center.{c}", "unit": "m"} for c in axes]
        out += [{"name": f"{body}.{name}", "unit": unit} for name, unit in turned]
    for body in tables.labels["bodies"]:
        out += [{"name": f"{body}.center.velocity.{c}", "unit": "m/s"} for c in axes]
        out += [{"name": f"{body}.w.{c}", "unit": "rad/s"} for c in ("z" if planar else "xyz")]
    out += [{"name": f"turn.{k}", "unit": "rad"} for k in range(tables.sizes["turns"])]
    out += [{"name": f"curve.{k}", "unit": "1"} for k in range(tables.sizes["followed"])]
    return out + [{"name": f"state.{k}", "unit": "1"} for k in range(tables.sizes["states"])]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _sealed(folder: Path) -> dict[str, bytes]:
    """The files of a compiled model, as they were written; tables with other numbers would crash the process."""
    try:
        seal = json.loads((folder / "seal.json").read_text())
        found = seal["format"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{folder} is not a compiled model of this version: seal.json cannot be read ({error})"
        ) from None
    if found != FORMAT:
        raise ValueError(
            f"{folder} has format {found}, but this version reads format {FORMAT}: save it again"
        )
    content = {}
    for name in FILES:
        try:
            content[name] = (folder / name).read_bytes()
            sound = _digest(content[name]) == seal["sha256"][name]
        except (OSError, KeyError, TypeError) as error:
            raise ValueError(f"{folder / name} cannot be read: {error}") from None
        if not sound:
            raise ValueError(f"{folder / name} is not what was written: save the model again")
    return content


@dataclass(frozen=True)
class StandaloneRun:
    """What a run of a compiled model leaves, at N output times."""

    t: np.ndarray
    """(N,) s."""
    state: np.ndarray
    """(N, states); names and units are those of `Standalone.states`."""
    acceleration: np.ndarray
    """(N, 6 bodies): linear of the centre of mass, angular; world axes. In the plane (N, 3 bodies): x, y, about z."""
    multipliers: np.ndarray
    """(N, rows), in the order of the constraints."""
    outcome: Outcome


class Standalone:
    """A compiled model, loaded from a folder with `Standalone.load`.

    name: of the mechanism
    parameters: values of the parameters, SI
    states: name and unit of every entry of the state
    given: the position and velocity at the start, before assembly
    """

    def __init__(self, about: dict[str, Any], tables: Tables, code: Code, numbers: Mapping[str, np.ndarray]):
        self.name: str = about["name"]
        self.parameters: dict[str, float] = dict(about["parameters"])
        self.states: list[dict[str, str]] = about["states"]
        self._about, self._code, self._tables, self._space = about, code, tables, SPACES[tables.space]
        self._knots, self._computed = numbers["knots"], numbers["computed"]
        self._saved = self.parameters, numbers["computed_values"]
        self._set: dict[str, float] = {}
        self._program: Program | None = None
        self._system = NativeSystem(
            tables,
            core(tables.space),
            lambda names: np.array([code.address(name) if name else 0 for name in names], dtype=np.uintp),
        )
        self.set_parameters()
        self._system.alone.hand_over()

    @classmethod
    def load(cls, folder: str | Path) -> Standalone:
        """Read a folder that `save_standalone` wrote; compiles its kernels, or finds them in the cache."""
        folder = Path(folder)
        content = _sealed(folder)
        about = json.loads(content["model.json"])
        with np.load(io.BytesIO(content["tables.npz"])) as stored:
            arrays = {k.removeprefix("arrays."): stored[k] for k in stored.files if k.startswith("arrays.")}
            implicit = {
                k.removeprefix("implicit."): stored[k] for k in stored.files if k.startswith("implicit.")
            }
            numbers = {k: stored[k] for k in ("knots", "computed", "computed_values")}
        tables = Tables(
            about["sizes"],
            arrays,
            about["kernels"],
            implicit if about["has_implicit"] else None,
            about["labels"],
            about["kind"],
        )
        return cls(about, tables, from_text(content["kernels.ll"].decode()), numbers)

    def set_parameters(self, values: Mapping[str, float] | None = None, /, **named: float) -> None:
        """Other values of parameters (SI), by name; those of components as `{"stage.speed": 3.0}`.

        Parameters that are formulas of others follow, unless they are given themselves. Numbers found from the shape of
        teeth (stiffness, backlash) are found again where a parameter may change them; that alone needs CasADi.
        """
        values = {**(values or {}), **named}
        unknown = set(values) - set(self.parameters)
        if unknown:
            raise KeyError(f"no parameter {sorted(unknown)}; there are {sorted(self.parameters)}")
        given = self._set | values
        parameters = self._followed(given)
        computed = self._numbers_from_teeth(parameters)
        self._set, self.parameters = given, parameters
        parts = self._numbers()
        numbers = numbers_of(parts, self._space, parameters)
        numbers.data[self._computed] = computed
        self._masses = numbers.data, numbers.mass, numbers.inertia, numbers.gravity
        self._system.set_numbers(*self._masses)
        self.given, self._center = numbers.state, numbers.center
        self._size = float(np.linalg.norm(np.ptp(parts[5], axis=1))) or 1.0

    def _followed(self, given: Mapping[str, float]) -> dict[str, float]:
        """All parameters with some of them given."""
        formulas = {name: described.Formula(text) for name, text in self._about["formulas"].items()}
        found = described.flat.evaluate_parameters({**self._saved[0], **formulas, **given}, {})
        return {name: found[name] for name in self.parameters}

    def _numbers_from_teeth(self, parameters: Mapping[str, float]) -> np.ndarray:
        """The numbers that no formula gives."""
        saved, values = self._saved
        changed = [name for name in self._about["shaping"] if parameters[name] != saved[name]]
        if not changed:
            return values
        try:
            derive = build.build
        except ImportError as error:
            raise ValueError(
                f"{', '.join(f'`{name}`' for name in changed)} may change numbers that are found from the shape of "
                f"teeth, which needs {error.name}: install it, or save the model again with this value"
            ) from None
        if self._program is None:
            self._program = derive(described.flatten(described.loads(self._about["description"])))
            if not np.array_equal(self._program.computed_rows, self._computed):
                raise ValueError("the model was saved by another version of Wheelwork: save it again")
        return self._program.numbers(parameters).data[self._computed]

    def _numbers(self) -> list[np.ndarray]:
        shapes = self._about["numbers"]["shapes"]
        p = np.array(list(self.parameters.values()), float)
        results = [np.zeros(rows * columns) for rows, columns in shapes]
        inputs = (ctypes.c_void_p * 1)(p.ctypes.data)
        outputs = (ctypes.c_void_p * len(results))(*(r.ctypes.data for r in results))
        _Function(self._code.address(self._about["numbers"]["function"]))(inputs, outputs)
        return [r.reshape(shape, order="F") for r, shape in zip(results, shapes, strict=True)]

    def derivative(self, t: float, y: np.ndarray) -> np.ndarray:
        """Derivative of a state (n,) at a time, for integrators of your own."""
        return self._system.derivative(t, y)[0]

    def _corners(self, start: float, end: float) -> tuple[float, ...]:
        """Times at which functions of time jump or bend."""
        rows = self._about["switches"]
        if not rows:
            return corner_times(None, self._knots, start, end)
        p, out, at = np.array(list(self.parameters.values()), float), np.zeros(rows), np.zeros(1)
        inputs = (ctypes.c_void_p * 2)(at.ctypes.data, p.ctypes.data)
        outputs = (ctypes.c_void_p * 1)(out.ctypes.data)
        function = _Function(self._code.address("switches"))

        def c(times: np.ndarray) -> np.ndarray:
            found = np.empty((rows, len(times)))
            for k, at[0] in enumerate(times):
                function(inputs, outputs)
                found[:, k] = out
            return found

        return corner_times(c, self._knots, start, end)

    def _check_drivers(self, start: float, end: float, corners: Sequence[float]) -> None:
        """Refuse drivers that jump; warn of those whose speed does."""
        drivers = [(name, unit) for name, unit, _ in self._about["drivers"]]
        if not drivers:
            return
        arrays, count = self._tables.arrays, self._tables.sizes["formula_count"]
        data, at, out = self._masses[0], np.zeros(1), np.zeros(3 * count)

        def formulas(times: np.ndarray) -> np.ndarray:
            function = _Function(self._code.address(self._tables.kernels["formulas"][0]))
            inputs = (ctypes.c_void_p * 2)(at.ctypes.data, data.ctypes.data)
            outputs = (ctypes.c_void_p * 1)(out.ctypes.data)
            found = np.empty((len(times), count, 3))
            for k, at[0] in enumerate(times):
                function(inputs, outputs)
                found[k] = out.reshape(count, 3)
            return found.transpose(1, 2, 0)

        functions = driver_functions(
            [slot for *_, slot in self._about["drivers"]],
            formulas if count else None,
            arrays["formula_input"].tolist(),
            [
                TableUse(slot, arrays["knots"][first : first + n], arrays["pieces"][first : first + n])
                for slot, first, n in arrays["table"].tolist()
            ],
        )
        faults = driver_faults(driver_jumps(functions, start, end, corners), drivers)
        if faults:
            raise ValueError(
                "; ".join(f"driver `{name}` {text} ({hint})" for name, (text, hint) in faults.items())
            )

    def _started(self, t: float) -> np.ndarray:
        """The given position, assembled, with the speeds that were given."""
        system = self._system
        y, done = system.project(t, self.given, 1e-11, 100)
        if not done:
            raise ValueError("the mechanism does not close at the given position with these parameters")
        speeds = [GivenSpeed(body, field) for body, field in self._about["given_speeds"]]
        if not speeds:
            return y
        nq = self._tables.Q * self._tables.sizes["bodies"]
        moving = slice(nq, nq + self._tables.nv)
        before, after = (self._bodies(state[:nq]) for state in (self.given, y))
        values = np.array([before.rows(speed) @ self.given[moving] for speed in speeds])
        data, mass, inertia, gravity = self._masses

        def project(v: np.ndarray) -> np.ndarray:
            moved = np.array(y)
            moved[moving] = v
            return system.project(t, moved, 1e-10, 10)[0][moving]

        def set_masses(mass: np.ndarray, inertia: np.ndarray) -> None:
            system.set_numbers(data, mass, inertia, gravity)

        misfit = float(np.max(np.abs(y[:nq] - self.given[:nq]), initial=0.0)) / min(1.0, self._size)
        y[moving], contradictions = keep_given(
            speeds, values, y[moving], after, (mass, inertia), self._size, misfit, project, set_masses
        )
        if contradictions:
            names = self._tables.labels["bodies"]
            found = contradictions[0]
            others = [names[speeds[k].body] for k in found.others] or ["the joints, meshes and drivers"]
            raise ValueError(
                f"the given speed {found.given} of `{names[speeds[found.speed].body]}` contradicts "
                f"{', '.join(others)}, which make it {found.needed}"
            )
        return y

    def _bodies(self, q: np.ndarray) -> Bodies:
        R = self._space.poses(q.reshape(-1, self._space.Q))[1]
        return Bodies(self._space.velocities, R, self._center)

    def run(
        self, end: float, output: int = 500, progress: Progress | None = None, **options: Any
    ) -> StandaloneRun:
        """Integrate from the given position, assembled, until `end` [s], with `output` equal intervals between records.

        Further options are those of `RunOptions`. `progress(t, steps)` is called now and then; true asks to stop.
        """
        settings = RunOptions(end=end, **options)
        if not settings.corners:
            settings = replace(settings, corners=self._corners(settings.start, end))
        self._check_drivers(settings.start, end, settings.corners)
        y = self._started(settings.start)
        grid = np.linspace(settings.start, end, output + 1)
        done = self._system.integrate(y, grid, settings, progress)
        tables = self._tables
        edges = np.cumsum([1, tables.n, tables.nv, tables.rows])
        t, state, acceleration, multipliers, _ = np.split(done.records, edges, axis=1)
        return StandaloneRun(
            t[:, 0],
            state,
            acceleration,
            multipliers,
            Outcome(done.report.outcome),
        )
