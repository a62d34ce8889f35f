"""The gallery: every bundled model with a picture, a film that plays in the page, and its numbers.

Made when the documentation is built, in two processes, and kept between builds under a key of the model, this file, the
code that draws and the package's version (see pictures.py). Pages of examples get a section "In motion" before "What is
tested".
"""

from __future__ import annotations

import hashlib
import json
import re
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pictures

from wheelwork import examples

DOCS = pictures.DOCS
STATIC = DOCS / "generated" / "static"
FOLDER = STATIC / "gallery"
KEPT = DOCS / "_build" / "gallery.json"
SIZE = (720, 460)
FAR = 0.3
"""A machine travels far where it takes up less than this part of its film."""
REPORT = "planetary-gearbox"
"""Whose whole report is shown: that of `wheelwork demo`."""
BEFORE = "\n## What is tested\n"


def key_of(name: str) -> str:
    """Of everything that the entry depends on."""
    own = pictures._meaning(Path(__file__).read_text(encoding="utf-8"))
    text = pictures.model_text(name)
    return hashlib.sha256(f"{pictures.fingerprint()}{own}{text}".encode()).hexdigest()


def entries(workers: int = 2) -> dict[str, dict[str, Any]]:
    """All entries, those out of date made again."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    known: dict[str, Any] = json.loads(KEPT.read_text()) if KEPT.is_file() else {}
    keys = {name: key_of(name) for name in examples.names()}
    stale = [
        name
        for name, key in keys.items()
        if known.get(name, {}).get("key") != key
        or not all((FOLDER / f).is_file() for f in known[name]["files"])
    ]
    if stale:
        with ProcessPoolExecutor(workers) as pool:
            for name, entry in zip(stale, pool.map(make, stale), strict=True):
                known[name] = {**entry, "key": keys[name]}
                KEPT.parent.mkdir(parents=True, exist_ok=True)
                KEPT.write_text(json.dumps(known, indent=1))
    return {name: known[name] for name in keys}


def make(name: str) -> dict[str, Any]:
    """Run a model and write its film, its picture and, of one, its report."""
    from PIL import Image

    from wheelwork.show.player.player import page
    from wheelwork.show.player.render import Painter
    from wheelwork.show.report import write_report

    mechanism = pictures.model(name)
    found = mechanism.run()
    film = _film(found, mechanism)
    (FOLDER / f"{name}.html").write_text(page(film, mechanism.name or name), encoding="utf-8")
    t = film.start + 0.35 * (film.end - film.start)
    image = Image.fromarray(Painter(_nearer(film, found, t), SIZE).picture(t))
    image.quantize(128, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)
    files = [f"{name}.html", f"{name}.png"]
    if name == REPORT:
        write_report(found, FOLDER / f"{name}-report.html")
        files.append(f"{name}-report.html")
    words = re.split(r"(?<=[a-z0-9)][.:]) ", " ".join(mechanism.comment.split()))[0].rstrip(":")
    return {
        "title": mechanism.name or name,
        "words": words,
        "numbers": numbers(found, mechanism),
        "files": files,
    }


def _film(found: Any, mechanism: Any) -> Any:
    """Of a motion, of one position, or of the first mode that vibrates."""
    from wheelwork.analyses.vibration import Modes
    from wheelwork.results import Result
    from wheelwork.show.player.film import film, film_of_motion

    if isinstance(found, Result):
        return film(found, forces=True)
    if isinstance(found, Modes):
        from wheelwork.show.player.modes import film_of_mode

        return film_of_mode(found, next(mode for mode in found if mode.natural_frequency > 0))
    return film_of_motion(getattr(found, "motion", None) or mechanism.assemble().motion)


def _nearer(film: Any, found: Any, t: float) -> Any:
    """What to paint: of a machine of several bodies that travels far, that moment alone, which shows it larger."""
    from wheelwork.results import Result
    from wheelwork.show.player.film import film_of_motion

    if not isinstance(found, Result):
        return film
    alone = film_of_motion(found.at([t]).motion)
    far = alone.scene.radius < FAR * film.scene.radius
    return alone if far and len(alone.scene.names) > 1 else film


def numbers(found: Any, mechanism: Any) -> list[list[str]]:
    """What a reader compares machines by, as (heading, value)."""
    import numpy as np

    from wheelwork.results import Result
    from wheelwork.show.figures.over_time import reaction_sizes
    from wheelwork.show.report.sections.loads import largest

    check = mechanism.check()
    rows = [["bodies", str(len(check.bodies))], ["joints", str(len(check.joints))]]
    rows += [["gear meshes", str(len(mechanism.meshes))]] if mechanism.meshes else []
    rows.append(["degrees of freedom", str(check.freedoms_by_rank)])
    rows += [["redundant constraints", str(len(check.redundant))]] if check.redundant else []
    kind = mechanism.analysis.type if mechanism.analysis is not None else "simulate"
    if not isinstance(found, Result) or len(found.t) < 2:
        return [*rows, ["analysis", kind]]
    rows.append(["analysis", f"{kind}, {float(found.t[-1] - found.t[0]):.4g} s"])
    steps = found.statistics.steps
    rows += [["steps", str(steps)]] if steps else []
    rows += [["events", str(len(found.events))]] if found.events else []
    forces = reaction_sizes(found, "force")
    if forces:
        joint = max(forces, key=lambda name: float(np.nanmax(forces[name])))
        size, when = largest(found, forces[joint])
        rows.append(["largest reaction", f"{size:.4g} N in `{joint}` at {when:.4g} s"])
    teeth = {
        name: found[signal].to_numpy()
        for name in found.motion.program.flat.meshes
        if (signal := f"{name}.force.tangential") in found.catalogue.signals
    }
    if teeth:
        mesh = max(teeth, key=lambda name: largest(found, teeth[name])[0])
        size, when = largest(found, teeth[mesh])
        rows.append(["largest tooth force", f"{size:.4g} N, tangential, in `{mesh}` at {when:.4g} s"])
    balance = found.energy_balance()
    if not found.events and balance.scale > 0:
        share = float(np.max(np.abs(balance.remainder))) / balance.scale
        rows.append(["energy not accounted for", f"{share:.1e} of the largest"])
    return rows


# -- into the pages


def write(app: Any) -> None:
    """Make what is out of date, and the list of cards."""
    app.wheelwork_gallery = found = entries()
    pages = shown_on()
    cards = []
    for name, entry in found.items():
        if name not in pages:
            continue
        short = {heading: value for heading, value in entry["numbers"]}
        what = [_counted(short["bodies"], "body", "bodies"), short["analysis"]]
        what.insert(1, _counted(short["degrees of freedom"], "freedom", "freedoms"))
        cards.append(
            f"::::{{grid-item-card}} {entry['title']}\n:img-top: /generated/static/gallery/{name}.png\n"
            f":link: /examples/{pages[name]}\n:link-type: doc\n\n{entry['words']}\n\n*{' · '.join(what)}*\n::::\n"
        )
    text = ":::::{grid} 1 2 2 3\n:gutter: 3\n\n" + "\n".join(cards) + ":::::\n"
    (DOCS / "generated" / "gallery.md").write_text(text, encoding="utf-8")


def _counted(count: str, one: str, many: str) -> str:
    return f"{count} {one if count == '1' else many}"


def shown_on() -> dict[str, str]:
    """By model: the page that shows it."""
    texts = {page.stem: page.read_text("utf-8") for page in sorted((DOCS / "examples").glob("*.md"))}
    return {
        name: page
        for page, text in texts.items()
        for name in re.findall(r"/examples/([\w-]+)\.yaml\n", text)
        if page != "index"
    }


def add_films(app: Any, docname: str, source: list[str]) -> None:
    """The section "In motion" of an example's page."""
    if not docname.startswith("examples/") or BEFORE not in source[0]:
        return
    names = [name for name, page in shown_on().items() if f"examples/{page}" == docname]
    found = getattr(app, "wheelwork_gallery", {})
    parts = [_film_and_numbers(name, found[name], len(names) > 1) for name in names if name in found]
    if parts:
        source[0] = source[0].replace(BEFORE, "\n## In motion\n\n" + "\n".join(parts) + BEFORE, 1)


def _film_and_numbers(name: str, entry: dict[str, Any], several: bool) -> str:
    rows = "\n".join(f"| {heading} | {value} |" for heading, value in entry["numbers"])
    caption = f"`{name}.yaml`:\n\n" if several else ""
    return (
        f'{caption}```{{raw}} html\n<div class="film" data-page="../_static/gallery/{name}.html">'
        f'<img src="../_static/gallery/{name}.png" alt="{entry["title"]}" loading="lazy">'
        f'<a href="../_static/gallery/{name}.html">▶ in motion</a></div>\n```\n\n| | |\n|---|---|\n{rows}\n'
    )
