"""A compiled model that stands alone: source, tables and metadata in a folder. Running it needs NumPy and a
compiler, not CasADi.

>>> save_standalone(mechanism, "arm/")        # doctest: +SKIP
>>> model = Standalone.load("arm/")           # doctest: +SKIP
>>> model.set_parameters(torque=3.0)          # doctest: +SKIP
>>> model.run(end=2.0)                        # doctest: +SKIP
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.equations.attitude import euler_parameters, planar_coordinates

from .libraries import load_runtime, runtime_path, source_path
from .native_system import NativeSystem
from .options import RunOptions
from .outcome import Outcome
from .tables import Tables

if TYPE_CHECKING:
    from wheelwork.model import Description

FORMAT = 2


def save_standalone(description: Description, folder: str | Path, implicit: bool = True) -> Path:
    """Write a mechanism's compiled form to a folder: `model.json`, `tables.npz`, `kernels.cpp`.

    `implicit`: with the derivatives that `sdirk4` needs. Returns the folder.
    """
    import wheelwork
    from wheelwork.equations.build import build
    from wheelwork.equations.signals import SignalCatalogue
    from wheelwork.model import flatten

    from .emit import emit
    from .native import kernel_groups
    from .tables import tables_of

    flat = flatten(description)
    program = build(flat)
    numbers = program.numbers()
    tables = tables_of(program, implicit)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    functions = [function for group in kernel_groups(program, implicit) for function in group]
    (folder / "kernels.cpp").write_text(emit([*functions, program.numbers_function]))
    parts = {f"arrays.{name}": array for name, array in tables.arrays.items()}
    parts |= {f"implicit.{name}": array for name, array in (tables.implicit or {}).items()}
    np.savez(folder / "tables.npz", **parts)  # type: ignore[arg-type]
    f = program.numbers_function
    about = {
        "format": FORMAT,
        "wheelwork": wheelwork.__version__,
        "name": flat.name,
        "kind": program.space.name,
        "sizes": tables.sizes,
        "kernels": tables.kernels,
        "labels": tables.labels,
        "has_implicit": tables.implicit is not None,
        "parameters": {name: numbers.parameters[name] for name in program.parameter_names},
        "parameter_units": {name: flat.parameter_units.get(name, "") for name in program.parameter_names},
        "numbers": {"function": f.name(), "shapes": [list(f.size_out(k)) for k in range(f.n_out())]},
        "states": _state_names(tables),
        "signals": [
            {"name": s.name, "unit": s.unit, "meaning": s.meaning}
            for s in SignalCatalogue(program).signals.values()
        ],
    }
    (folder / "model.json").write_text(json.dumps(about, indent=1))
    return folder


def _state_names(tables: Tables) -> list[dict[str, str]]:
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
    return out + [{"name": f"curve.{k}", "unit": "1"} for k in range(tables.sizes["followed"])]


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

    def __init__(self, about: dict[str, Any], tables: Tables, library: ctypes.CDLL):
        self.name: str = about["name"]
        self.parameters: dict[str, float] = dict(about["parameters"])
        self.states: list[dict[str, str]] = about["states"]
        self._about, self._library, self._tables = about, library, tables
        self._system = NativeSystem(
            tables,
            load_runtime(runtime_path("core", tables.space)),
            lambda name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0,
            lambda method: load_runtime(runtime_path(method, tables.space)),
        )
        self.set_parameters()
        self._system.alone.hand_over()

    @classmethod
    def load(cls, folder: str | Path) -> Standalone:
        """Read a folder that `save_standalone` wrote; compiles its kernels, or finds them in the cache."""
        folder = Path(folder)
        about = json.loads((folder / "model.json").read_text())
        if about.get("format") != FORMAT:
            raise ValueError(
                f"{folder} has format {about.get('format')}, but this version reads format {FORMAT}"
            )
        with np.load(folder / "tables.npz") as stored:
            arrays = {k.removeprefix("arrays."): stored[k] for k in stored.files if k.startswith("arrays.")}
            implicit = {
                k.removeprefix("implicit."): stored[k] for k in stored.files if k.startswith("implicit.")
            }
        tables = Tables(
            about["sizes"],
            arrays,
            about["kernels"],
            implicit if about["has_implicit"] else None,
            about["labels"],
            about["kind"],
        )
        return cls(about, tables, ctypes.CDLL(str(source_path((folder / "kernels.cpp").read_text()))))

    def set_parameters(self, **values: float) -> None:
        """Other values of parameters (SI). Parameters that were formulas of others keep their numbers unless given."""
        unknown = set(values) - set(self.parameters)
        if unknown:
            raise KeyError(f"no parameter {sorted(unknown)}; there are {sorted(self.parameters)}")
        self.parameters |= values
        parts = self._numbers()
        data, mass, inertia, gravity, _, position, axes, angles, velocity, turns = parts
        count = self._tables.sizes["bodies"]
        tensors = inertia.reshape(3, 3, count, order="F").transpose(2, 0, 1)
        self._system.set_numbers(data.ravel(order="F"), mass.ravel(), tensors, gravity.T)
        rotations = axes.reshape(3, 3, count, order="F").transpose(2, 0, 1)
        if self._tables.space == "planar":
            q = [
                planar_coordinates(*given)
                for given in zip(position.T, rotations, angles.ravel(), strict=True)
            ]
            velocity = velocity[[0, 1, 5]]
        else:
            q = [[*x, *euler_parameters(R)] for x, R in zip(position.T, rotations, strict=True)]
        self.given = np.concatenate([np.ravel(q), velocity.ravel(order="F"), turns.ravel()])

    def _numbers(self) -> list[np.ndarray]:
        shapes = self._about["numbers"]["shapes"]
        p = np.array(list(self.parameters.values()), float)
        results = [np.zeros(rows * columns) for rows, columns in shapes]
        inputs = (ctypes.c_void_p * 1)(p.ctypes.data)
        outputs = (ctypes.c_void_p * len(results))(*(r.ctypes.data for r in results))
        getattr(self._library, self._about["numbers"]["function"])(inputs, outputs)
        return [r.reshape(shape, order="F") for r, shape in zip(results, shapes, strict=True)]

    def derivative(self, t: float, y: np.ndarray) -> np.ndarray:
        """Derivative of a state (n,) at a time, for integrators of your own."""
        return self._system.derivative(t, y)[0]

    def run(
        self,
        end: float,
        output: int = 500,
        progress: Callable[[float, int], bool] | None = None,
        **options: Any,
    ) -> StandaloneRun:
        """Integrate from the given position, assembled, until `end` [s], with `output` equal intervals between records.

        Further options are those of `RunOptions`. `progress(t, steps)` is called now and then; true asks to stop.
        """
        settings = RunOptions(end=end, **options)
        y, done = self._system.project(settings.start, self.given, 1e-11, 100)
        if not done:
            raise ValueError("the mechanism does not close at the given position with these parameters")
        grid = np.linspace(settings.start, end, output + 1)
        records, _, _, report = self._system.integrate(y, grid, settings, progress)
        tables = self._tables
        edges = np.cumsum([1, tables.n, tables.nv, tables.rows])
        return StandaloneRun(
            records[:, 0],
            records[:, edges[0] : edges[1]],
            records[:, edges[1] : edges[2]],
            records[:, edges[2] : edges[3]],
            Outcome(report.outcome),
        )
