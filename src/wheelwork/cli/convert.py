"""`wheelwork convert`"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wheelwork import exchange
from wheelwork.exchange.notes import Note
from wheelwork.problems import ModelError, Problem

from .options import Json, Settings, read_model
from .show import console, print_json

READ = {".yaml": "", ".yml": "", ".urdf": "read_urdf", ".xml": "read_mjcf", ".mjcf": "read_mjcf"}
WRITTEN = {".yaml": "", ".yml": "", ".urdf": "write_urdf", ".xml": "write_mjcf", ".mjcf": "write_mjcf"}


def convert(
    file: Path,
    out: Path,
    /,
    *,
    packages: Annotated[list[str], Parameter("--package")] = [],  # noqa: B006
    stops: Annotated[bool, Parameter(negative="--no-stops")] = True,
    settings: Settings = [],  # noqa: B006
    json: Json = False,
) -> int:
    """Read a model or a robot in one format and write it in another; what cannot be converted is listed.

    Args:
        file: A model (`.yaml`), or a robot: `.urdf`, `.xml` (MJCF).
        out: What to write; its ending says in which format.
        packages: `NAME=FOLDER`: where meshes of `package://NAME/...` are. May be repeated.
        stops: Ranges of a robot's joints become stops.
    """
    for path, known in ((file, READ), (out, WRITTEN)):
        if path.suffix.lower() not in known:
            needed = ", ".join(f"`{ending}`" for ending in known)
            raise ModelError(f"needs a name that ends in one of {needed}", where=str(path))
    notes: list[Note] = []
    reader, writer = READ[file.suffix.lower()], WRITTEN[out.suffix.lower()]
    if reader:
        mechanism = getattr(exchange, reader)(file, notes=notes, packages=_folders(packages), stops=stops)
        if settings:
            raise ModelError("changes parameters of a model file; a robot has none", path="--set")
    else:
        mechanism = read_model(file, settings)
    if writer:
        getattr(exchange, writer)(mechanism, out, notes=notes)
    else:
        mechanism.save(out)
    if json:
        print_json({"file": str(out), "notes": [{"where": note.where, "text": note.text} for note in notes]})
        return 0
    for note in notes:
        console().print(str(note), markup=False, soft_wrap=True)
    held = f"{len(mechanism.bodies)} bodies, {len(mechanism.joints)} joints"
    left = f"; {len(notes)} things could not be converted exactly" if notes else ""
    console().print(f"{out}: {held}{left}", markup=False, soft_wrap=True)
    return 0


def _folders(given: list[str]) -> dict[str, str]:
    wrong = [one for one in given if not all(one.partition("="))]
    if wrong:
        raise ModelError([Problem(f"needs `NAME=FOLDER`, but is `{one}`", path="--package") for one in wrong])
    return {name: folder for name, _, folder in (one.partition("=") for one in given)}
