"""A study on disk: a Zarr store to which chunks are written as they finish, and from which it goes on after any end.

An array for each measure, with the dimensions of the study; `end_time`, `reason`, and `outcome`, which is written last
of a chunk: where it says `not run`, the chunk is to be run. Files are there whole or not at all, with a checksum. The
store is made under another name and renamed. It holds numbers, texts and JSON alone, and nothing in it is executed:
arrays coded in any other way are refused before they are read.
"""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork import __version__
from wheelwork.description import ModelError
from wheelwork.description.write import to_data
from wheelwork.lazy import xarray as xr
from wheelwork.lazy import zarr, zarr_codecs
from wheelwork.results.provenance import whole

from .chunks import NOT_RUN, Chunks, VariantResults
from .dataset import OUTCOMES, OWN, attributes, coordinates, measure_attributes, outcome_words, reasons
from .variation import VARIANT

if TYPE_CHECKING:
    import xarray

    from .study import Study

IDENTITY = "wheelwork_study"
"""Attribute with what a store belongs to."""
CODECS = {"bytes", "zstd", "crc32c", "vlen-utf8"}
"""Of the arrays that we write, and the only ones that are read."""
SHOWN = 8
"""Differences that are listed."""
AT_ONCE = 50_000_000
"""Numbers of a store that are read at once; of a larger one, as they are asked for."""


class StudyStore:
    """The store of a study.

    path: its folder
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)
        _check_installed()
        if not self.path.is_dir() or not (self.path / "zarr.json").is_file():
            what = "is not a Zarr store of a study" if self.path.exists() else "there is no such store"
            raise ModelError(what, where=str(self.path))
        self._check_codecs()
        try:
            self._group: Any = zarr.open_group(self.path, mode="r+", zarr_format=3, use_consolidated=False)
            self.attributes: dict[str, Any] = dict(self._group.attrs)
            self.identity: dict[str, Any] = self.attributes[IDENTITY]
            self.chunks = Chunks(tuple(self._group["outcome"].shape), int(self.identity["chunk"]))
        except ModelError:
            raise
        except Exception as error:  # whatever a file may hold
            raise self._damaged("its metadata", error) from None

    # -- making and finding

    @classmethod
    def of(cls, path: str | os.PathLike[str], study: Study, size: int) -> StudyStore:
        """The store of this study: made where there is none, else the one that is there, which must belong to it."""
        target = Path(path)
        if target.is_dir() and not any(target.iterdir()):
            target.rmdir()
        if not target.exists():
            _make(target, study, size)
            return cls(target)
        store = cls(target)
        store.check(study)
        return store

    def check(self, study: Study) -> None:
        """Refuse a study of another model, or with other settings, with what differs."""
        wanted = identity(study)
        found = [*differences({k: v for k, v in self.identity.items() if k != "chunk"}, wanted)]
        if not found:
            for name, (_, values, _) in coordinates(study).items():
                held = self.read(name)
                if not np.array_equal(held, values):
                    found.append(f"`{name}`: {_values(held)} in the store, {_values(values)} now")
        if found:
            rest = len(found) - SHOWN
            text = "; ".join(found[:SHOWN]) + (f"; and {rest} more" if rest > 0 else "")
            hint = "give the study a store of its own, or move this one away"
            raise ModelError(f"belongs to another study: {text}", where=str(self.path), hint=hint)

    # -- chunks

    def missing(self) -> list[int]:
        """Chunks that are not there, or not whole."""
        outcome = self.read("outcome").ravel()
        ranges = map(self.chunks.range, range(self.chunks.count))
        return [k for k, (first, last) in enumerate(ranges) if np.any(outcome[first:last] == NOT_RUN)]

    def write(self, k: int, found: VariantResults) -> None:
        """A chunk; `outcome` comes last, which says that the rest is there."""
        box = self.chunks.box(k)
        shape = tuple(s.stop - s.start for s in box)
        for name, values in found.measured.items():
            self._group[name][box] = values.reshape(*shape, *values.shape[1:])
        self._group["end_time"][box] = found.time.reshape(shape)
        why = reasons(found)
        if any(why):
            self._group["reason"][box] = why.reshape(shape)
        self._group["outcome"][box] = found.outcome.reshape(shape).astype("int8")

    def add(self, **run: Any) -> None:
        """How the last run went."""
        self._group.attrs.update(run)
        self.attributes |= run

    # -- reading

    def read(self, name: str) -> np.ndarray:
        """All of one array; what is damaged is reported with its file."""
        try:
            return np.asarray(self._group[name][...])
        except Exception as error:  # whatever a file may hold
            raise self._damaged(f"`{name}`", error, next(self._bad_files(name), ("", error))[0]) from None

    def verify(self) -> None:
        """Read everything once; a damaged file is a ModelError."""
        for name in sorted(self._group.array_keys()):
            for file, error in self._bad_files(name):
                raise self._damaged(f"`{name}`", error, file)

    def dataset(self) -> xarray.Dataset:
        """The table; that of a large study reads its numbers when they are asked for."""
        arrays = {name: self._group[name] for name in self._group.array_keys()}
        if sum(math.prod(array.shape) for array in arrays.values()) > AT_ONCE:
            table = xr.open_zarr(self.path, consolidated=False, chunks=None)
        else:
            data: dict[str, Any] = {}
            for name, array in arrays.items():
                values = self.read(name)
                data[name] = (
                    array.metadata.dimension_names,
                    values if values.dtype.kind in "fi" else values.astype(object),
                    {k: v for k, v in array.attrs.items() if k not in ("flag_values", "flag_meanings")},
                )
            names = [name for name in self.identity["coordinates"] if name in data]
            coords = {name: data.pop(name) for name in names}
            table = xr.Dataset(data, coords, {k: v for k, v in self.attributes.items() if k != IDENTITY})
        words = outcome_words(np.asarray(table["outcome"].values).astype(int))
        table["outcome"] = (table["outcome"].dims, words, OWN["outcome"])
        measures = [name for name in self.identity["measures"] if name in table]
        return table[[*measures, "outcome", "end_time", "reason"]]

    def _bad_files(self, name: str) -> Iterator[tuple[str, Exception]]:
        """The files of chunks that cannot be read, and why."""
        array = self._group[name]
        for box in _boxes(array.shape, array.chunks):
            try:
                array[box]
            except Exception as error:  # whatever a file may hold
                at = [str(s.start // c) for s, c in zip(box, array.chunks, strict=True)]
                yield str(self.path / name / "/".join(["c", *at])), error

    def _damaged(self, what: str, error: Exception, file: str = "") -> ModelError:
        place = f"the file {file} of {what}" if file else what
        hint = (
            f"delete {file} and the folder {self.path / 'outcome' / 'c'}: all variants are then run again"
            if file
            else "move it away: the study then starts again"
        )
        text = f"the store is damaged: {place} cannot be read ({type(error).__name__}: {error})"
        return ModelError(text, where=str(self.path), hint=hint)

    def _check_codecs(self) -> None:
        """Before Zarr looks at an array: whether it is one of ours."""
        for file in sorted(self.path.glob("*/zarr.json")):
            try:
                data = json.loads(file.read_text(encoding="utf-8"))
                used = {codec["name"] for codec in data["codecs"]}
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise self._damaged(f"{file}", error) from None
            if not used <= CODECS:
                text = f"is not a store of ours: {file} asks for the codec `{sorted(used - CODECS)[0]}`"
                raise ModelError(text, where=str(self.path))


def load_study(path: str | os.PathLike[str]) -> xarray.Dataset:
    """The table of a study from its store. Raises ModelError where there is none, or where it is damaged."""
    return StudyStore(path).dataset()


def variant_of(path: str | os.PathLike[str], number: int) -> tuple[str, dict[str, float], dict[str, Any]]:
    """Of one variant, by its number from 0: the model as text, the parameters, and the settings of what was run."""
    store = StudyStore(path)
    table = store.dataset()
    shape = table["outcome"].shape
    if not 0 <= number < math.prod(shape):
        text = f"there are variants from 0 to {math.prod(shape) - 1}, and {number} is not one of them"
        raise ModelError(text, where=str(path))
    place = dict(zip(table["outcome"].dims, np.unravel_index(number, shape), strict=True))
    parameters = {
        str(name): float(coordinate.isel({d: place[d] for d in coordinate.dims}))
        for name, coordinate in table.coords.items()
        if set(coordinate.dims) <= set(place) and name != VARIANT
    }
    return store.attributes["model"], parameters, store.identity["analysis"]


def _boxes(shape: tuple[int, ...], chunks: tuple[int, ...]) -> Iterator[tuple[slice, ...]]:
    for index in np.ndindex(*(-(-n // c) for n, c in zip(shape, chunks, strict=True))):
        yield tuple(slice(i * c, min((i + 1) * c, n)) for i, c, n in zip(index, chunks, shape, strict=True))


def identity(study: Study) -> dict[str, Any]:
    """What results depend on, but for the values of what varies, as plain data."""
    model = to_data(whole(study.description), inline=True)
    given = {
        "model": {key: value for key, value in model.items() if key not in ("study", "analysis", "comment")},
        **study.plain_settings,
        "measures": dict(zip(study.wanted.names, study.wanted.texts, strict=True)),
        "coordinates": list(coordinates(study)),
        "wheelwork": __version__,
    }
    return json.loads(json.dumps(given))  # as it comes back


def differences(held: Any, now: Any, path: str = "") -> Iterator[str]:
    """What differs between two pieces of plain data, with both values."""
    if isinstance(held, dict) and isinstance(now, dict):
        for key in {**held, **now}:
            below = f"{path}.{key}" if path else str(key)
            yield from differences(held.get(key), now.get(key), below)
    elif held != now:
        yield f"`{path}`: {_short(held)} in the store, {_short(now)} now"


def _short(value: Any) -> str:
    if value is None:
        return "nothing"
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _values(values: np.ndarray) -> str:
    if values.dtype.kind != "f":
        return ", ".join(map(str, values))
    return f"{len(values)} values from {values.min():.6g} to {values.max():.6g}, first {values[0]:.9g}"


def _check_installed() -> None:
    try:
        zarr.open_group  # noqa: B018  # loads it
    except ImportError:
        raise ImportError('a store of a study needs Zarr: pip install "wheelwork[studies]"') from None


def _make(target: Path, study: Study, size: int) -> None:
    _check_installed()
    if not target.parent.is_dir():
        raise ModelError(f"there is no folder `{target.parent}` to make it in", where=str(target))
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    chunks, dims, variants = (
        Chunks(study.variants.shape, size),
        tuple(study.variants.dimensions),
        study.variants,
    )
    try:
        about = attributes(study) | {IDENTITY: identity(study) | {"chunk": size}}
        group = zarr.create_group(partial, zarr_format=3, overwrite=True, attributes=about)

        def array(name: str, kind: Any, empty: Any, more: tuple[tuple[str, int], ...], attrs: Any) -> None:
            codecs = [zarr_codecs.ZstdCodec(), zarr_codecs.Crc32cCodec()]
            group.create_array(
                name,
                shape=(*variants.shape, *(n for _, n in more)),
                chunks=(*chunks.block, *(n for _, n in more)),
                dtype=kind,
                fill_value=empty,
                compressors=codecs,
                dimension_names=[*dims, *(d for d, _ in more)],
                attributes=attrs,
            )

        for name, attrs in measure_attributes(study).items():
            array(name, "f8", math.nan, study.further(name), attrs)
        flags = {"flag_values": list(range(len(OUTCOMES))), "flag_meanings": list(OUTCOMES)}
        array("outcome", "i1", NOT_RUN, (), OWN["outcome"] | flags)
        array("end_time", "f8", math.nan, (), OWN["end_time"])
        array("reason", str, "", (), OWN["reason"])
        for name, (dimension, values, attrs) in coordinates(study).items():
            about = dict[str, Any](attrs)
            if values.dtype.kind == "U":
                own = group.create_array(
                    name, shape=values.shape, dtype=str, dimension_names=dimension, attributes=about
                )
                own[...] = values.astype(object)
            else:
                group.create_array(name, data=values, dimension_names=dimension, attributes=about)
        os.rename(partial, target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
