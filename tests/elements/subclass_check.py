"""A class derived from each of Wheelwork's own, with another type name, does what its base does: in a run, in pictures,
in gear trains, in data sheets, in printed equations. `python subclass_check.py spatial joints` prints what differs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import yaml
from formulas.every_type import MODELS

import wheelwork as ww
from wheelwork.elements import family, register
from wheelwork.gears import GeometryError
from wheelwork.gears.sheet import sheet
from wheelwork.layout import layout_of
from wheelwork.layout.gear_train import steady_drivers
from wheelwork.show.scene.builder import labels, make_scene
from wheelwork.system.driver_jumps import drivers_of

PREFIX = "own_"
COMPLIANT = [{"type": "compliant", "stiffness": {"type": one}} for one in ("iso", "energy", "beam")]
PINS = [{"type": "pins", "elastic": {"type": "linear", "stiffness": 1e8}}]
TEETH = {
    "belt": [{"type": "strands", "axial_stiffness": 1e5, "friction": 0.4}],
    "chain": [{"type": "links", "axial_stiffness": 1e6}],
    "cycloid": PINS,
    "pin_coupling": PINS,
    "external": COMPLIANT,
}
"""Models of teeth that the models of every type are without."""


def derived(cls: Any) -> Any:
    """A user's class that says nothing but another name of its type."""
    name = PREFIX + cls.model_fields["type"].default
    given = {"__annotations__": {"type": Literal[name]}, "type": name, "__doc__": cls.__doc__}
    module = f"{PREFIX}{cls.__module__.replace('.', '_')}"
    sys.modules[module] = sys.modules[cls.__module__]  # whose docstring is the second half of the data sheet
    return register(type(cls.__name__, (cls,), given | {"__module__": module}))


def seen(model: dict[str, Any], printed: bool) -> dict[str, Any]:
    """All that is looked at of a model, as far as it goes."""
    m = ww.loads(json.dumps(model))
    looks = {
        "simulate": lambda: _arrays(m.simulate(end=2e-3, output=2)),
        "scene": lambda: _scene(m.assemble().motion),
        "train": lambda: _train(m),
        "sheet": lambda: [_sheet(one) for one in layout_of(m).mesh_teeth],
        "equations": lambda: m.equations().text() if printed else "",
        "drivers": lambda: (steady_drivers(layout_of(m).flat), drivers_of(m.assemble().prepared.program)),
        "check": lambda: str(m.check()),
    }
    return {name: _tried(look) for name, look in looks.items()}


def has_teeth_beside(model: dict[str, Any]) -> bool:
    """Whether its teeth are of those above, whose formulas in the plane fill megabytes."""
    return any(
        it.get("model") in [one for some in TEETH.values() for one in some]
        for it in model.get("meshes", {}).values()
    )


def _tried(look: Any) -> Any:
    try:
        return _plain(look())
    except Exception as error:  # which is then to be the same
        return _plain(error)


def _arrays(result: Any) -> Any:
    return {name: result[name].to_numpy() for name in result.names}


def _scene(motion: Any) -> Any:
    scene = make_scene(motion)
    parts = [(p.body, p.kind, p.name, p.color, p.solid.corners.round(9)) for p in scene.parts]
    return parts, scene.lines, scene.notes, labels(motion)


def _train(m: Any) -> Any:
    train = layout_of(m).gear_train
    gears = [(g, g.sizes_text, g.slides(0), g.slides(1)) for g in train.gears.values()]
    return [gears, train.pairs, train.left_out, train.closable, train.couplings, train.supports, train.notes]


def _sheet(one: Any) -> Any:
    try:
        return one.why_not if one.pair is None else sheet(one.pair, one.bodies, one.materials)
    except GeometryError as error:
        return str(error)


def _plain(found: Any) -> str:
    with np.printoptions(threshold=10**7, precision=17):
        return repr(found).replace(PREFIX, "").replace(PREFIX.replace("_", " "), "")


def models(kind: str, group: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """One for each type; of meshes one for each model of teeth."""
    looked_at = set()
    for what, text in MODELS[kind][group].items():
        model = yaml.safe_load(ww.loads(text).to_yaml())
        element = model[group]["it"]
        if element["type"] not in looked_at or group == "meshes":
            yield what, model
        for teeth in (
            TEETH.get(element["type"], ()) if group == "meshes" and element["type"] not in looked_at else ()
        ):
            wide = {"face_width": 0.02} if teeth["type"] == "compliant" else {}
            it = (
                {name: value for name, value in element.items() if name != "efficiency"}
                | {"model": teeth}
                | wide
            )
            yield f"{what}, {teeth}", model | {group: {"it": it}}
        looked_at.add(element["type"])


def renamed(element: Any) -> Any:
    """The element, its model of teeth and their stiffness with the types of a user's own."""
    if isinstance(element, str):
        return PREFIX + element
    parts = {
        name: renamed(element[name]) for name in ("model", "stiffness") if isinstance(element.get(name), dict)
    }
    return element | parts | {"type": PREFIX + element["type"]}


def differences(kind: str, group: str) -> list[str]:
    families = (group, "tooth_models", "mesh_stiffnesses") if group == "meshes" else (group,)
    for cls in [cls for name in families for cls in family(name).values()]:
        derived(cls)
    out = []
    for what, model in models(kind, group):
        printed = not has_teeth_beside(model)
        before = seen(model, printed)
        after = seen(model | {group: {"it": renamed(model[group]["it"])}}, printed)
        for look, found in before.items():
            if after[look] != found:
                pairs = enumerate(zip(f"{found}.", f"{after[look]}.", strict=False))
                k = max(next(k for k, (a, b) in pairs if a != b) - 60, 0)
                out.append(f"{what}, {look}: {found[k : k + 120]!r} became {after[look][k : k + 120]!r}")
    return out


if __name__ == "__main__":
    print(json.dumps(differences(*sys.argv[1:])))
