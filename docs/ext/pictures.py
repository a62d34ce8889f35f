"""The pictures of the documentation: made in its build by the `*_pictures.py` beside the pages, kept between builds.

The public functions of such a file that take these `tools` and nothing else save pictures. They are kept by content:
made again when the file, the tools, what draws in the package (`DRAWS`), a model that the file names or a component of
it, or the version of the package has changed; comments and docstrings of code do not count. After another change in the
package that pictures should show, such as one of a method of integration, remove `docs/_build`. Git ignores them, so
that a build leaves a clone clean. Those named in `ON_REQUEST` are in the repository, for README.md, and only made by
name.

    python docs/make_pictures.py               all that are missing or out of date
    python docs/make_pictures.py four-bar      these, in any case
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import json
import re
import sys
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from matplotlib.figure import Figure

import wheelwork as ww
from wheelwork import examples
from wheelwork.show.figures.style import LIGHT, styled

DOCS = Path(__file__).parents[1]
STATIC = DOCS / "_static"
KEPT = DOCS / "_build" / "pictures.json"
DRAWS = [Path(ww.__file__).parent / room for room in ("show", "gears")]
"""Rooms of the package whose code makes what is seen."""
INK, FAINT, COLORS = LIGHT.ink, LIGHT.line, LIGHT.series
BLUE, ORANGE, GREEN, PURPLE, RED, TEAL = COLORS[:6]
DOTS = 130
"""In an inch."""


def model(name: str) -> ww.Mechanism:
    """A bundled example."""
    return ww.load(examples.path(name))


@cache
def result(name: str) -> Any:
    """What its own analysis gives, run once."""
    return model(name).run()


def style(axis: Any) -> None:
    """Axes in small print, as pictures beside text need it."""
    axis.tick_params(labelsize=7.5, colors=FAINT, labelcolor=INK)
    axis.spines[:].set_color(FAINT)
    axis.spines[["top", "right"]].set_visible(False)
    axis.grid(True, color=FAINT, linewidth=0.5, alpha=0.35)
    axis.margins(x=0)


def title(axis: Any, text: str, below: str = "time [s]") -> None:
    axis.set_title(text, fontsize=9, color=INK)
    axis.set_xlabel(below, fontsize=8, color=INK)


def legend(axis: Any, **more: Any) -> None:
    """A legend, where lines have labels and there is none yet."""
    if axis.get_legend_handles_labels()[1] and axis.get_legend() is None:
        axis.legend(**{"fontsize": 7.5, "labelcolor": INK, "framealpha": 0.85, "edgecolor": "none", **more})


def draw_mechanism(
    axes: Any,
    found: Any,
    t: float,
    yaw: float | None = None,
    pitch: float | None = None,
    bodies: Collection[str] | None = None,
) -> None:
    """The mechanism of a result at one time; `bodies`: names of those to draw."""
    from wheelwork.show.player.film import film_of_motion
    from wheelwork.show.player.render import Painter

    film = film_of_motion(found.at([t]).motion)
    box = axes.get_window_extent()
    hidden = () if bodies is None else tuple(name for name in film.scene.names if name not in bodies)
    painter = Painter(film, (round(box.width), round(box.height)), yaw=yaw, pitch=pitch, hidden=hidden)
    axes.imshow(painter.picture(t), interpolation="none", aspect="auto")
    axes.set_axis_off()


class Wide:
    """A figure of pictures and panels, placed in parts of its width and height."""

    def __init__(self, height: float, width: float = 9.5):
        self.figure = Figure(figsize=(width, height), dpi=DOTS, facecolor="white")

    def mechanism(self, place: tuple[float, float, float, float], found: Any, t: float, **view: Any) -> Any:
        axes = self.figure.add_axes(place)
        draw_mechanism(axes, found, t, **view)
        return axes

    def panel(self, place: tuple[float, float, float, float]) -> Any:
        panel = self.figure.add_axes(place)
        style(panel)
        return panel

    def save(self, name: str, folder: Path | None = None, **legends: Any) -> None:
        for panel in self.figure.axes:
            legend(panel, **legends)
        save(self.figure, name, folder)


class Picture(Wide):
    """A mechanism on the left, panels one above the other on the right."""

    def __init__(self, panels: int, split: float = 0.52, height: float = 3.6):
        super().__init__(height)
        self.split = split
        gap = 0.14
        tall = (1 - 0.13 - 0.09 - gap * (panels - 1)) / panels
        left = split + 0.07
        self.panels = [
            self.panel((left, 0.13 + (panels - 1 - k) * (tall + gap), 0.985 - left, tall))
            for k in range(panels)
        ]

    def mechanism(self, found: Any, t: float, yaw: float | None = None, pitch: float | None = None) -> Any:  # type: ignore[override]
        return super().mechanism((0, 0, self.split, 1), found, t, yaw=yaw, pitch=pitch)


def example(
    name: str, t: float, panels: int, *, yaw: float | None = None, pitch: float | None = None, **more: Any
) -> tuple[Any, Picture, list[Any]]:
    """The result of a bundled example, and its picture with the mechanism at a time and some panels to fill."""
    found, picture = result(name), Picture(panels, **more)
    picture.mechanism(found, t, yaw=yaw, pitch=pitch)
    return found, picture, picture.panels


FOLDER = STATIC / "examples"
GEARS = STATIC / "gears"


def gear_figure(columns: int, width: float = 9.5, height: float = 3.6, **more: Any) -> tuple[Figure, Any]:
    """Panels side by side, for the pages about gears."""
    made = Figure(figsize=(width, height), dpi=DOTS, facecolor="white", layout="constrained")
    return made, made.subplots(1, columns, squeeze=False, **more)[0]


def gear_style(axis: Any, text: str, x: str = "", y: str = "") -> None:
    style(axis)
    title(axis, text, x)
    axis.set_ylabel(y, fontsize=8, color=INK)
    legend(axis, fontsize=7)


def save(figure: Figure, name: str, folder: Path | None = None) -> None:
    target = FOLDER if folder is None else folder
    target.mkdir(parents=True, exist_ok=True)
    figure.savefig(target / f"{name}.png", metadata={"Software": None})


@contextmanager
def _small() -> Iterator[None]:
    """The style of all figures, but lines are solid unless a picture says otherwise."""
    import matplotlib as mpl
    from cycler import cycler

    with (
        styled(LIGHT),
        mpl.rc_context({"axes.prop_cycle": cycler(color=list(COLORS))}),
    ):
        yield


def tools() -> SimpleNamespace:
    """What the functions get: everything public here."""
    return SimpleNamespace(**{name: value for name, value in globals().items() if not name.startswith("_")})


# -- which there are, and which are out of date


def files() -> list[Path]:
    """Files that make pictures."""
    found = [*DOCS.glob("*_pictures.py"), *DOCS.glob("*/*_pictures.py")]
    return sorted(file for file in found if not file.name.startswith("make_"))


def pictures_of(file: Path, *, on_request: bool = False) -> list[Callable[[Any], None]]:
    """The functions of a file that make pictures; `on_request`: those too that are only made by name."""
    module = module_of(file)
    left_out = () if on_request else getattr(module, "ON_REQUEST", ())
    every = [
        one for name, one in vars(module).items() if inspect.isfunction(one) and not name.startswith("_")
    ]
    return [
        one
        for one in every
        if one.__module__ == module.__name__
        and one.__name__ not in left_out
        and [*inspect.signature(one).parameters] == ["tools"]
    ]


def module_of(file: Path) -> ModuleType:
    name = f"wheelwork_docs_{file.parent.name}_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@cache
def fingerprint() -> str:
    """Of these tools, the code that draws, and the package's version."""
    drawing = sorted(
        file for room in DRAWS for file in room.rglob("*") if file.suffix in (".py", ".js", ".css")
    )
    texts = (file.read_text(encoding="utf-8") for file in (Path(__file__), *drawing))
    parts = [
        _meaning(t) if f.suffix == ".py" else t
        for f, t in zip((Path(__file__), *drawing), texts, strict=True)
    ]
    return ww.__version__ + hashlib.sha256("".join(parts).encode()).hexdigest()


def _meaning(source: str) -> str:
    """What a program does: without comments and docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [
                n for n in body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))
            ]  # type: ignore[attr-defined]
    return ast.dump(tree)


def models_in(source: str) -> list[str]:
    """Bundled models that a program names."""
    return [name for name in examples.names() if f'"{name}"' in source]


def model_text(name: str) -> str:
    """Of a bundled model and of those that are its components."""
    text = examples.path(name).read_text(encoding="utf-8")
    parts = [
        part for part in examples.names() if part != name and re.search(rf"\bfile: {part}\.yaml\b", text)
    ]
    return "".join([text, *map(model_text, parts)])


def key_of(file: Path) -> str:
    """Of a file that makes pictures: what it does, and the models it takes."""
    source = file.read_text(encoding="utf-8")
    models = "".join(map(model_text, models_in(source)))
    return hashlib.sha256(f"{fingerprint()}{_meaning(source)}{models}".encode()).hexdigest()


def make_stale(workers: int = 2, say: Callable[[str], None] = print) -> None:
    """Make what is missing or out of date."""
    known: dict[str, Any] = json.loads(KEPT.read_text()) if KEPT.is_file() else {}
    keys = {file: key_of(file) for file in files()}
    stale = []
    for file, key in keys.items():
        entry = known.get(str(file.relative_to(DOCS)))
        if entry is None or entry["key"] != key or not all((DOCS / p).is_file() for p in entry["made"]):
            stale.append(file)
    if not stale:
        return
    say(f"making pictures: {', '.join(file.stem for file in stale)}")
    with ProcessPoolExecutor(workers, max_tasks_per_child=1) as pool:
        for file, made in zip(stale, pool.map(_make_file, stale), strict=True):
            known[str(file.relative_to(DOCS))] = {"key": keys[file], "made": made}
            KEPT.parent.mkdir(parents=True, exist_ok=True)
            KEPT.write_text(json.dumps(known, indent=1))


def _make_file(file: Path) -> list[str]:
    """Make all pictures of a file; what it saved."""
    saved: list[str] = []
    original = Figure.savefig

    def savefig(self: Figure, target: Any, *arguments: Any, **options: Any) -> None:
        original(self, target, *arguments, **options)
        saved.append(str(Path(target).relative_to(DOCS)))

    Figure.savefig = savefig  # type: ignore[method-assign]
    with _small():
        for draw in pictures_of(file):
            draw(tools())
    return sorted(set(saved))


def make_named(names: Collection[str]) -> None:
    """Make these pictures, whether or not they are out of date."""
    wanted = {name.replace("-", "_") for name in names}
    every = {draw.__name__: draw for file in files() for draw in pictures_of(file, on_request=True)}
    for name in wanted - set(every):
        raise SystemExit(f"there is no picture `{name}`; there are {', '.join(sorted(every))}")
    for name in sorted(wanted):
        with _small():
            every[name](tools())
