"""Modes, Campbell diagrams and sweeps as labelled arrays, and their files."""

from __future__ import annotations

import io
import json
import os
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork import __version__
from wheelwork.description.whole_file import write_whole
from wheelwork.description.write import dumps
from wheelwork.lazy import backends, h5netcdf
from wheelwork.lazy import xarray as xr
from wheelwork.results.provenance import whole

if TYPE_CHECKING:
    from wheelwork.analyses.linear_equations import Linearised
    from wheelwork.analyses.vibration import Campbell, Modes, Stability

MOTIONS = ("x", "y", "z", "rx", "ry", "rz")
"""Displacements along and rotations about the world's axes."""


def array(values: Any, dims: tuple[str, ...], unit: str, meaning: str = "") -> tuple[Any, ...]:
    """A variable of a Dataset with its unit."""
    return dims, np.asarray(values), {"units": unit} | ({"long_name": meaning} if meaning else {})


def parts(name: str, values: np.ndarray, dims: tuple[str, ...], unit: str, meaning: str) -> dict[str, Any]:
    """Complex numbers as two variables, as files have them."""
    named = (("real", "real part", np.real(values)), ("imaginary", "imaginary part", np.imag(values)))
    return {f"{name}_{part}": array(own, dims, unit, f"{meaning}, {word}") for part, word, own in named}


def modes_dataset(modes: Modes) -> xr.Dataset:
    """One entry per mode; shapes are of unit modal mass, split in real and imaginary parts."""
    elements = sorted({name for mode in modes for name in mode.strain})
    dampers = sorted({name for mode in modes for name in mode.dissipation})
    count, bodies = len(modes), len(modes.bodies)

    def table(pick: Any, *size: int) -> np.ndarray:
        return np.array([pick(mode) for mode in modes]).reshape(count, *size)

    shapes, damped = (table(attrgetter(name), bodies, 6) for name in ("shape", "damped_shape"))
    kinetic = table(lambda mode: [mode.kinetic[name] for name in modes.bodies], bodies, 2)
    strain = table(lambda mode: [mode.strain.get(name, 0.0) for name in elements], len(elements))
    losses = table(lambda mode: [mode.dissipation.get(name, 0.0) for name in dampers], len(dampers))
    values, mass = table(attrgetter("eigenvalues"), 2), table(attrgetter("effective_mass"), 3)
    shape = ("mode", "body", "motion")
    data = {
        "natural_frequency": array(modes.natural_frequencies, ("mode",), "Hz", "frequency without damping"),
        "frequency": array(modes.frequencies, ("mode",), "Hz", "frequency with damping"),
        "damping": array(modes.damping, ("mode",), "1", "damping ratio"),
        **parts("eigenvalue", values, ("mode", "pair"), "1/s", "eigenvalues"),
        "kind": array([mode.kind for mode in modes], ("mode",), "", "kind of the mode"),
        "whirl": array([mode.whirl for mode in modes], ("mode",), "1", "backward -1, forward 1"),
        **parts("shape", shapes, shape, "m or rad", "shape of unit modal mass"),
        **parts("damped_shape", damped, shape, "m or rad", "shape with damping"),
        "kinetic": array(kinetic, ("mode", "body", "part"), "1", "share of the kinetic energy"),
        "strain": array(strain, ("mode", "element"), "1", "share of strain energy"),
        "dissipation": array(losses, ("mode", "damper"), "1", "share in the damping ratio"),
        **parts("control", modes.control, ("added",), "1/s", "eigenvalues of a control"),
        "effective_mass": array(mass, ("mode", "direction"), "1", "share of the mass that moves with it"),
    }
    coordinates = {
        "mode": np.arange(1, count + 1),
        "body": list(modes.bodies),
        "motion": list(MOTIONS),
        "part": ["translation", "rotation"],
        "direction": ["x", "y", "z"],
        "element": elements,
        "damper": dampers,
    }
    prepared = modes.linear.at.prepared
    attributes = about(prepared, "modes") | {"time": modes.linear.at.t} | counted(modes.linear)
    return xr.Dataset(data, coords=coordinates, attrs=attributes)


def campbell_dataset(campbell: Campbell) -> xr.Dataset:
    """Curves over the parameter; the critical values are a table beside them."""
    dims = (campbell.parameter, "mode")
    critical = campbell.criticals()
    prepared = campbell.first.linear.at.prepared
    unit = prepared.flat.parameter_units.get(campbell.parameter, "")
    data = {
        "natural_frequency": array(campbell.natural_frequencies, dims, "Hz", "frequency without damping"),
        "frequency": array(campbell.frequencies, dims, "Hz", "frequency with damping"),
        "damping": array(campbell.damping, dims, "1", "damping ratio"),
        "growth": array(campbell.growth, dims, "1/s", "largest real part of the eigenvalues"),
        "whirl": array(campbell.whirl, dims, "1", "backward -1, forward 1"),
        "critical_value": array([c.value for c in critical], ("critical",), unit, "an order meets a mode"),
        "critical_frequency": array([c.frequency for c in critical], ("critical",), "Hz", "frequency there"),
        "critical_order": array([c.order for c in critical], ("critical",), "1", "order of the excitation"),
        "critical_mode": array([c.mode for c in critical], ("critical",), "", "number of the mode"),
    }
    coordinates = {
        campbell.parameter: (campbell.parameter, campbell.values, {"units": unit}),
        "mode": np.arange(1, campbell.frequencies.shape[1] + 1),
    }
    return xr.Dataset(
        data, coords=coordinates, attrs=about(prepared, "campbell") | counted(campbell.last.linear)
    )


def stability_dataset(found: Stability) -> xr.Dataset:
    """Growth, exponents and periods over the parameters; zones are a table beside them."""
    prepared, over = found.first.linear.at.prepared, found.parameters
    dims, zone = (*over, "exponent"), ("zone",)
    unit = found.unit[0] if over else ""
    data = {
        "growth": array(found.growth, over, "1/s", "of what grows fastest"),
        "period": array(found.periods, over, "s", "of the coefficients; infinite: constant"),
        **parts("exponent", found.exponents, dims, "1/s", "exponents"),
        "zone_from": array([z.low for z in found.zones], zone, unit, "where motions begin to grow"),
        "zone_to": array([z.high for z in found.zones], zone, unit, "where motions cease to grow"),
        "zone_growth": array([z.growth for z in found.zones], zone, "1/s", "largest growth in it"),
        "zone_cause": array([z.cause for z in found.zones], zone, "Hz", "modes that meet"),
        "zone_along": array(
            [z.along for z in found.zones], zone, found.unit[-1] if over else "", "second parameter"
        ),
    }
    coordinates = {
        name: (name, values, {"units": unit})
        for name, values, unit in zip(over, found.values, found.unit, strict=True)
    }
    attributes = about(prepared, "stability") | {"report": found.report, "about": found.first.why}
    return xr.Dataset(data, coords=coordinates, attrs=attributes | counted(found.first.linear))


def about(prepared: Any, analysis: str) -> dict[str, Any]:
    """Attributes of a file: which model, with which parameters."""
    return {
        "title": prepared.flat.name,
        "analysis": analysis,
        "parameters": json.dumps(prepared.numbers.parameters),
        "engine": prepared.engine.name,
        "wheelwork_version": __version__,
        "model": dumps(whole(prepared.description)),
    }


def counted(linear: Linearised) -> dict[str, str]:
    """Attributes of a file: from where bodies are seen in linear equations, and what clutches, dry friction and teeth
    count as. Of teeth: the phase by mesh; null is the mean over the mesh cycle."""
    names: dict[str, Any] = {"closed": linear.closed, "slipping": linear.slipping}
    names |= {"friction_left_out": linear.left_out, "mesh_phase": linear.teeth.phases}
    names |= {"seen_from": linear.seen_from if np.any(linear.turning) else {}}
    frame = {"frame": "world" if linear.from_world else linear.frame}
    return frame | {words: json.dumps(which) for words, which in names.items() if which}


class Saved:
    """What has a `dataset` can be saved."""

    def save(self: Any, path: str | os.PathLike[str]) -> None:
        """Write to a file: `.json`, or NetCDF."""
        save(self.dataset, path)


def save(dataset: xr.Dataset, path: str | os.PathLike[str]) -> None:
    """JSON where the name ends so, else NetCDF. A file that is there is complete."""
    if Path(path).suffix == ".json":
        write_whole(path, json.dumps(as_json(dataset), indent=1, ensure_ascii=False).encode())
    else:
        content = io.BytesIO()  # HDF5 does not survive a disk that fills up, so it does not get near one
        with h5netcdf.File(content, "w") as file:
            dataset.dump_to_store(backends.H5NetCDFStore(file, mode="a"))
        write_whole(path, content.getvalue())


def as_json(dataset: xr.Dataset) -> dict[str, Any]:
    """The Dataset as plain data; what is not a number is null."""
    return _plain(dataset.to_dict())


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
