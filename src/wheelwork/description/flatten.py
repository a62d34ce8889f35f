"""Spreading components out: from a description with mechanisms inside to one flat list of elements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import Any, TypeVar

from wheelwork.description.base import Element, Part, Value
from wheelwork.description.body import Body
from wheelwork.description.connection import Connection
from wheelwork.description.description import STANDARD_GRAVITY, Component, Description
from wheelwork.description.expansion import BEARING
from wheelwork.description.files import description_of
from wheelwork.description.flat import Flat, Placed
from wheelwork.description.formula import Formula
from wheelwork.description.frame import Frame
from wheelwork.description.names import GROUND
from wheelwork.description.orientation import Pose
from wheelwork.description.overrides import read_overrides
from wheelwork.description.raising import raised
from wheelwork.description.rotor import Rotor
from wheelwork.description.shaft import Shaft
from wheelwork.description.units import Quantity
from wheelwork.description.values import OutOfPlane
from wheelwork.description.walk import each_part, references, transformed
from wheelwork.lazy import dataclass, validating
from wheelwork.problems import ModelError

IDENTITY = Pose()
MOST_COMPONENTS = 10_000

E = TypeVar("E", bound=Part)


@dataclass
class Scope:
    """One mechanism inside the whole.

    prefix: put in front of its names, `stage2.` or empty
    placement: poses, outer to inner, of its frame in the world
    ground: global name of the body that plays its ground
    given: values for its parameters, in global names
    """

    description: Description
    prefix: str = ""
    placement: tuple[Pose, ...] = ()
    ground: str = GROUND
    given: dict[str, Value] = field(default_factory=dict)

    def rename(self, formula: Formula) -> Formula:
        """A formula of this mechanism in global names."""
        return formula.rename(self.name) if self.prefix else formula

    def name(self, name: str) -> str:
        return name if name == "t" else self.prefix + name

    def body(self, name: str) -> str:
        return self.ground if name == GROUND else self.prefix + name

    def written(self, element: E) -> E:
        """A copy of an element of this mechanism in global names, with what its kind leaves unsaid."""
        own = each_part(element, lambda part: part.model_copy())
        return raised(transformed(own, self.name if self.prefix else None), self.description.kind)

    def inside(self, name: str, component: Component, description: Description) -> Scope:
        """The scope of a component of this mechanism."""
        pose = self.written(_pose(component))
        return Scope(
            description,
            prefix=f"{self.prefix}{name}.",
            placement=self.placement if pose == IDENTITY else (*self.placement, pose),
            ground=self.body(component.ground),
            given={
                n: self.rename(v) if isinstance(v, Formula) else v for n, v in component.parameters.items()
            },
        )


def flatten(description: Description, check: bool = True) -> Flat:
    """All elements of a mechanism and of the components in it, under global names.

    Rotors and shafts become bodies with bearings. Made once and kept for as long as the description says the same.

    check: validate first, so that every problem is reported at once (`ModelError`)
    """
    kept = description._kept
    if kept.flat is None or kept.content != content_of(description):
        kept.flat, kept.checked = None, False
    if check and not kept.checked:
        validating.validate(description)  # which flattens on its way
    if kept.flat is None:
        kept.flat = _flatten(description)
        kept.content = content_of(description)  # with the files of components, which are read by now
    return kept.flat


def _flatten(description: Description) -> Flat:
    flat = Flat(
        name=description.name,
        comment=description.comment,
        kind=description.kind,
        gravity=_gravity(description),
        analysis=description.analysis,
        outputs=description.outputs,
        source_text=description.source_text,
        source_file=description.source_file,
    )
    scopes = _scopes(description)
    for scope in scopes:
        _add_parameters(flat, scope)
        _add_bodies(flat, scope)
        _add_frames(flat, scope)
    for scope in scopes:
        _add_connections(flat, scope)
    return flat


def parameters_of(description: Description) -> Flat:
    """The parameters of a mechanism and of the components in it, and nothing else."""
    kept = description._kept
    flat = kept.parameters
    if flat is None:
        flat = Flat()
        for scope in _scopes(description):
            _add_parameters(flat, scope)
        kept.parameters = flat if kept.frozen else None
    return replace(flat, parameters=dict(flat.parameters))


def _gravity(description: Description) -> tuple[Value, Value, Value]:
    x, y, z = description.gravity or STANDARD_GRAVITY[description.kind]
    return x, y, (0.0 if isinstance(z, OutOfPlane) else z)


def _scopes(description: Description) -> list[Scope]:
    """The mechanism and everything inside it, outer before inner."""
    found: list[Scope] = []
    waiting = [Scope(description)]
    while waiting:
        scope = waiting.pop(0)
        found.append(scope)
        if len(found) > MOST_COMPONENTS:
            raise ModelError(f"there are more than {MOST_COMPONENTS} components inside each other")
        for name, component in scope.description.components.items():
            waiting.append(scope.inside(name, component, description_of(component, scope.description)))
    return found


def _placed(scope: Scope, name: str, element: Any, path: tuple[str, str]) -> Placed[Any]:
    where = scope.description.where(path, key=True)
    source = scope.description._source
    return Placed(scope.prefix + name, element, scope.placement, where, ".".join(path), source=source)


def _add_parameters(flat: Flat, scope: Scope) -> None:
    for name, default in scope.description.parameters.items():
        if isinstance(default, str):  # put into the mapping by hand, past the class's own reading
            default = read_overrides({name: default}, {name: 0.0}, {})[name]
        value = scope.given.get(name, scope.rename(default) if isinstance(default, Formula) else default)
        full = scope.prefix + name
        flat.parameters[full] = value if isinstance(value, Formula) else float(value)
        flat.parameter_wheres[full] = scope.description.where(("parameters", name))
        quantity = default if isinstance(default, Quantity) else value
        if isinstance(quantity, Quantity):
            flat.parameter_units[full] = quantity.unit


def _add_bodies(flat: Flat, scope: Scope) -> None:
    named = (used.name for mesh in scope.description.meshes.values() for used in references(mesh))
    meshed = frozenset(name for name in named if "." in name)
    for name, written in scope.description.bodies.items():
        element = scope.written(written)
        if not isinstance(element, Body):
            flat.short_forms[scope.prefix + name] = _placed(scope, name, element, ("bodies", name))
            if isinstance(element, Rotor):
                flat.rotors[scope.prefix + name] = f"{scope.prefix}{name}.{BEARING}"
            element = _expanded(name, element, meshed, scope, flat)
        flat.bodies[scope.prefix + name] = _placed(scope, name, element, ("bodies", name))


def _expanded(name: str, short: Rotor | Shaft, meshed: frozenset[str], scope: Scope, flat: Flat) -> Body:
    """The body that a short form stands for; what comes with it is added to the mechanism.

    meshed: places on shafts that meshes name: the teeth are drawn there
    """
    found = short.expand(name, scope.description.kind, meshed)
    for collection in ("frames", "joints", "forces"):
        for inner, element in getattr(found, collection).items():
            placed = _placed(scope, f"{name}.{inner}", element, ("bodies", name))
            getattr(flat, collection)[placed.name] = _linked(placed, scope, flat)
    return found.body


def _add_frames(flat: Flat, scope: Scope) -> None:
    for name, written in scope.description.frames.items():
        placed = _placed(scope, name, scope.written(written), ("frames", name))
        flat.frames[placed.name] = _linked(placed, scope, flat)


def _add_connections(flat: Flat, scope: Scope) -> None:
    for collection in ("joints", "meshes", "forces", "drivers", "states", "control"):
        into = flat.blocks if collection in ("states", "control") else getattr(flat, collection)
        for name, written in getattr(scope.description, collection).items():
            placed = _placed(scope, name, scope.written(written).stands_for(), (collection, name))
            into[placed.name] = _linked(placed, scope, flat)


def _linked(placed: Placed[Any], scope: Scope, flat: Flat) -> Placed[Any]:
    """References in global names; attachment frames filled in; sides on a component's ground noted."""
    element: Element = placed.element
    frames: dict[str, Pose] = {}
    in_world = isinstance(element, Connection) and any(
        getattr(element, name) is not None for name in element.world
    )
    for path, kind, name in references(element):
        side = _side(path)
        attached = flat.frames.get(scope.prefix + name) if kind == "place" else None
        if attached is not None:
            frame: Frame = attached.element
            frames[f"frame_{side}"] = _pose(frame)
            if "body" in attached.in_world:
                placed.in_world[side] = attached.in_world["body"]
        elif name == GROUND and (scope.placement or scope.ground != GROUND):
            placed.in_world[side] = scope.placement
    if in_world:
        placed.in_world.clear()
    element = transformed(element, None, _renamer(scope, flat))
    if isinstance(element, Connection) and not in_world and getattr(element, "joints", None) is None:
        given = {"frame_a": IDENTITY, "frame_b": IDENTITY, **frames} if element.at_origins else frames
        fill = {name: pose for name, pose in given.items() if getattr(element, name) is None}
        element = element.model_copy(update=fill) if fill else element
    placed.element = element
    return placed


def _renamer(scope: Scope, flat: Flat) -> Callable[[str, str], str]:
    def rename(kind: str, name: str) -> str:
        if kind == "joint":
            return scope.prefix + name
        attached = flat.frames.get(scope.prefix + name) if kind == "place" else None
        return attached.element.body if attached is not None else scope.body(name)

    return rename


def _pose(part: Component | Frame) -> Pose:
    return Pose.model_construct(position=part.position, orientation=part.orientation, angle=part.angle)


def _side(path: tuple[str | int, ...]) -> str:
    """`bodies[0]` and `a.body` are side a, a lone `body` is side `body`."""
    if path[0] == "bodies":
        return "ab"[int(path[1])]
    return str(path[0])


def content_of(value: Any) -> Any:
    """What a description says, as plain data to compare: parts can be changed in place, so that identity tells nothing.

    Two parts (or values in them) with equal content say the same, to the spelling of quantities.

    >>> from wheelwork.description import Body
    >>> body = Body(mass="1 kg", inertia=(1, 1, 1))
    >>> before = content_of(body)
    >>> body.mass = 2.0
    >>> content_of(body) == before
    False
    """
    if isinstance(value, Part):
        inside = tuple(map(content_of, vars(value).values()))
        if isinstance(value, Component) and value._loaded is not None:
            return value.__class__, inside, content_of(value._loaded)
        return value.__class__, inside
    if isinstance(value, dict):
        return tuple((name, content_of(entry)) for name, entry in value.items())
    if isinstance(value, tuple | list):
        return tuple(map(content_of, value))
    return (float(value), value.text) if isinstance(value, Quantity) else value
