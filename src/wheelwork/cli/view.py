"""`wheelwork view FILE`"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from wheelwork.lazy import study_store
from wheelwork.mechanism import loads
from wheelwork.problems import ModelError
from wheelwork.results import load_result
from wheelwork.show.player import Film, SignalPlots, film_before_run, save_film
from wheelwork.show.player import film as film_of
from wheelwork.show.player.save import possible
from wheelwork.show.player.viewer import Viewer

from . import FAILED, GOOD
from .options import Settings, read_model
from .show import console, say_written
from .study import STORE

RESULTS = (".nc",)


def view(
    file: Path,
    /,
    *,
    save: Path | None = None,
    time: float | None = None,
    seconds: float | None = None,
    size: str = "960x640",
    forces: bool = False,
    names: bool = False,
    dark: bool = False,
    variant: int | None = None,
    settings: Settings = [],  # noqa: B006
    host: str = "127.0.0.1",
    port: int = 8080,
    browser: Annotated[bool, Parameter(negative="--no-browser")] = True,
) -> int:
    """Look at a mechanism in the browser: before a run with all names, after it in motion; or write it to a file.

    Args:
        file: A model (YAML), a result (`.nc`), a folder that `wheelwork run` wrote, or the store of a study (`.zarr`)
            with `--variant`.
        save: Write a file instead: `.html` (plays anywhere), `.glb`, `.png`, `.gif`, or `.mp4` (needs ffmpeg).
        time: Time of the still picture [s].
        seconds: How long the moving picture lasts.
        size: Width and height of pictures, in pixels.
        forces: Pictures show forces as arrows.
        names: Show names of joints and meshes; a model has them anyway.
        dark: Pictures on a dark background.
        variant: Of a study: number of the variant, from 0, which is run again.
        host: Who may see the page: 127.0.0.1 is this machine alone.
        port: Port of the page; the next free one if it is taken.
        browser: Open the page in the browser.
    """
    given: dict[str, Any] = {"time": time, "seconds": seconds, "size": _size(size), "dark": dark}
    if forces:
        given["forces"] = ("joint", "mesh")
    if save is not None:
        possible(save)
    film, title, result = _read(file, settings, variant)
    out = console()
    for text in (*film.problems, film.note):
        if text:
            out.print(text, markup=False)
    if save is not None:
        plots = None if result is None else SignalPlots(result, film)
        save_film(film, save, title, named=names or result is None, plots=plots, **given)
        say_written(save)
        return FAILED if film.problems else GOOD
    viewer = Viewer(film, result, title=title, host=host, port=port)
    with suppress(KeyboardInterrupt):
        out.print(f"{title}: {viewer.url}   (Ctrl-C ends it)", markup=False)
        if browser and not viewer.open():
            out.print(
                "There is no screen here: open the address in a browser, or write a file with `--save x.html`."
            )
        viewer.wait()
    viewer.stop()
    return GOOD


def _read(file: Path, settings: list[str], variant: int | None) -> tuple[Film, str, Any]:
    """The film of a file, a title, and the result if it is one."""
    if file.suffix == STORE:
        return _of_study(file, settings, variant)
    if variant is not None:
        raise ModelError(f"is for studies, and {file} is not a study", path="--variant")
    if file.is_dir() and (file / "result.nc").is_file():
        file = file / "result.nc"
    if file.suffix.lower() not in RESULTS:
        mechanism = read_model(file, settings)
        return film_before_run(mechanism), mechanism.name or file.stem, None
    if settings:
        raise ModelError("has no meaning for a result, which has its parameters already", path="--set")
    result = load_result(file)
    return film_of(result), result.provenance.name or file.stem, result


def _of_study(file: Path, settings: list[str], variant: int | None) -> tuple[Film, str, Any]:
    """One variant, run again with its parameters and the settings of the study."""
    if settings:
        raise ModelError("has no meaning for a variant, which has its parameters", path="--set")
    if variant is None:
        raise ModelError("which variant of the study? Its number, from 0", path="--variant")
    model, parameters, run = study_store.variant_of(file, variant)
    mechanism = loads(model).with_parameters(parameters)
    title = f"{mechanism.name or file.stem}, variant {variant}"
    console().print(", ".join(f"{name} = {value:.6g}" for name, value in parameters.items()), markup=False)
    if run.get("type") != "simulate":
        return film_before_run(mechanism), title, None
    result = mechanism.simulate(**{name: value for name, value in run.items() if name != "type"})
    return film_of(result), title, result


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if width.isdigit() and height.isdigit() and all(16 <= int(n) <= 8192 for n in (width, height)):
        return int(width), int(height)
    why = f"needs width and height from 16 to 8192 pixels, such as `960x640`, but is `{text}`"
    raise ModelError(why, path="--size")
