"""A mechanism as a functional mock-up unit (FMI 2.0 or 3.0), for co-simulation and model exchange."""

from __future__ import annotations

import io
import os
import sys
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from wheelwork.description import Description
from wheelwork.description.whole_file import write_whole
from wheelwork.engine.compiler import RUNTIME, SPACES, sources
from wheelwork.problems import ModelError

from .binary import PROCESSORS, Tell, binaries, chosen
from .model import FmuModel, Ranges
from .model_description import document, identifier, model_description
from .model_image import image_of


def write_fmu(
    description: Description,
    path: str | os.PathLike[str],
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] | None = None,
    fmi: int = 3,
    ranges: Ranges | None = None,
    platforms: Sequence[str] | None = None,
    parameters: Mapping[str, Any] | None = None,
    progress: Tell | None = None,
    **options: Any,
) -> FmuModel:
    """Write a mechanism as an FMU for co-simulation and model exchange; nothing in it needs Python.

    inputs: what is given from outside: states without a rate, parameters, fields of forces (`motor.value`), drivers
    outputs: names of signals; those of the file, or coordinates of rotors and joints, where left out
    fmi: version of the standard, 2 or 3
    ranges: least and greatest value of parameters and inputs, by name, for the description
    platforms: systems to make binaries for, by their names in FMI 2.0 or 3.0; this one where left out
    parameters: other values of parameters
    progress: is given how many files are compiled, of how many, and for what; a line in the terminal where left out
    options: those of :class:`wheelwork.Simulate` (`end`, `method`, `rtol`, `formulation` ...)

    Platforms are `linux64`, `win64`, `darwin64` of FMI 2.0, or `x86_64-linux`, `aarch64-linux`, `x86_64-windows`,
    `x86_64-darwin`, `aarch64-darwin`. Those of other systems need `pip install ziglang`, and minutes when they are
    first made.

    >>> import wheelwork as ww
    >>> from wheelwork import examples
    >>> m = ww.load(examples.path("drive-line"))
    >>> ww.write_fmu(m, "drive.fmu", outputs=["motor_shaft.w"])  # doctest: +SKIP
    """
    if fmi not in (2, 3):
        raise ModelError(f"must be 2 or 3, but is {fmi}", path="fmi")
    systems = chosen(platforms)
    model = FmuModel.of(description, inputs, outputs, dict(ranges or {}), parameters, options, fmi)
    space, name = model.program.space.name, identifier(model.name)
    files: dict[str, bytes] = {"modelDescription.xml": model_description(model, fmi)}
    files |= binaries(systems, fmi, name, space, _say if progress is None else progress)
    for processor in PROCESSORS:
        files[f"resources/model-{processor}.bin"] = image_of(model, processor)
    files |= _sources(fmi, name, space)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for inside, held in files.items():
            archive.writestr(zipfile.ZipInfo(inside, (2000, 1, 1, 0, 0, 0)), held, zipfile.ZIP_DEFLATED)
    write_whole(path, content.getvalue())
    return model


def _say(done: int, count: int, words: str) -> None:
    """That there is something to wait for, where somebody looks on."""
    if done == 0 and sys.stderr is not None and sys.stderr.isatty():
        print(f"{words} ({count} files, a minute or so)", file=sys.stderr, flush=True)


def _sources(fmi: int, name: str, space: str) -> dict[str, bytes]:
    """The C++ of the binaries: the core and both interfaces; model and code are in `resources`."""
    files = [*sources(), *sorted(RUNTIME.glob("*.hpp"))]
    out = {f"sources/{path.name}": path.read_bytes() for path in files}
    defines = "".join(f"#define {define}\n" for define in SPACES[space])
    out["sources/body.hpp"] = defines.encode() + out["sources/body.hpp"]  # FMI 2.0 cannot say them elsewhere
    if fmi == 3:
        root = Element("fmiBuildDescription", {"fmiVersion": "3.0"})
        build = SubElement(root, "BuildConfiguration", {"modelIdentifier": name})
        group = SubElement(build, "SourceFileSet", {"language": "C++17"})
        for path in sources():
            SubElement(group, "SourceFile", {"name": path.name})
        out["sources/buildDescription.xml"] = document(root)
    return out
