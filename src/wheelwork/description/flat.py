"""A description without components: what the equations are made from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from wheelwork.description.base import SPATIAL, Element, Value
from wheelwork.description.body import Body
from wheelwork.description.formula import NUMERIC, Formula
from wheelwork.description.frame import Frame
from wheelwork.description.orientation import Pose
from wheelwork.description.overrides import read_overrides
from wheelwork.description.validation_errors import Path, path_text
from wheelwork.description.vibration_analyses import AnyAnalysis
from wheelwork.lazy import dataclass
from wheelwork.problems import ModelError, Problem, did_you_mean

E = TypeVar("E", bound=Element)

if TYPE_CHECKING:
    from wheelwork.description.source import Source


@dataclass
class Placed(Generic[E]):
    """An element with its global name.

    name: such as `stage2.planet1`
    element: formulas and references in it use global names
    placement: poses, outer to inner, whose product is the world pose of the mechanism frame the element was written in
    where: `file:line:column`, or empty
    path: in the description it came from, such as `joints.hinge`
    in_world: for each side (`a`, `b`, or `body`) that was written relative to a component's ground: the poses, outer to
        inner, in front of that side's frame or point. World pose of the frame = product(in_world["a"]) * frame_a at the
        given position. A side that is not listed is given in the frame of its body.
    source: the file it came from, for messages
    """

    name: str
    element: E
    placement: tuple[Pose, ...] = ()
    where: str = ""
    path: str = ""
    in_world: dict[str, tuple[Pose, ...]] = field(default_factory=dict)
    source: Source | None = field(default=None, repr=False, compare=False)

    def problem(self, message: str, hint: str = "", inside: Path = ()) -> Problem:
        """A problem of this element, or of the field at the path `inside` it."""
        parts = (*self.path.split("."), *inside)
        where = self.where if self.source is None or not inside else self.source.where(parts)
        return Problem(message, where, path_text(parts), hint)


@dataclass
class Flat:
    """A mechanism with its components spread out; every name is global.

    kind: `spatial` or `planar`; the elements of a planar mechanism are raised to space: everything is
        three-dimensional, in the plane z = 0
    gravity: [m/s^2] in the world
    bodies, joints, meshes, forces, drivers, frames: by global name; bodies are named `ground` where ground is meant
    blocks: states and blocks of the control, by global name
    parameters: by global name, SI
    parameter_units: SI unit of each parameter that was given with a unit
    rotors: rotor name to the joint that carries it
    short_forms: rotors and shafts as they are written; `bodies` has what they stand for
    kept: what others have made of it (its layout), so that it is made once; a flat mechanism is not changed any more
    """

    name: str = ""
    comment: str = ""
    kind: str = SPATIAL
    gravity: tuple[Value, Value, Value] = (0.0, 0.0, 0.0)
    bodies: dict[str, Placed[Body]] = field(default_factory=dict)
    joints: dict[str, Placed[Any]] = field(default_factory=dict)
    meshes: dict[str, Placed[Any]] = field(default_factory=dict)
    forces: dict[str, Placed[Any]] = field(default_factory=dict)
    drivers: dict[str, Placed[Any]] = field(default_factory=dict)
    blocks: dict[str, Placed[Any]] = field(default_factory=dict)
    frames: dict[str, Placed[Frame]] = field(default_factory=dict)
    parameters: dict[str, Value] = field(default_factory=dict)
    parameter_units: dict[str, str] = field(default_factory=dict)
    parameter_wheres: dict[str, str] = field(default_factory=dict)
    rotors: dict[str, str] = field(default_factory=dict)
    short_forms: dict[str, Placed[Any]] = field(default_factory=dict)
    analysis: AnyAnalysis | None = None
    outputs: tuple[str, ...] | None = None
    source_text: str = ""
    source_file: str = ""
    kept: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def collections(self) -> tuple[Mapping[str, Placed[Any]], ...]:
        """All elements, rotors and shafts both as they are written and as what they stand for."""
        names = ("short_forms", "bodies", "joints", "meshes", "forces", "drivers", "blocks", "frames")
        return tuple(getattr(self, name) for name in names)

    @cached_property
    def values(self) -> Mapping[str, float]:
        """The number behind each parameter."""
        return evaluate_parameters(self.parameters, self.parameter_wheres)

    def resolve_parameters(self, overrides: Mapping[str, Any] | None = None) -> dict[str, float]:
        """The number behind each parameter, with some of them replaced.

        overrides: global name to number, quantity (`80um`) or formula
        """
        if not overrides:
            return dict(self.values)
        return dict(self.with_parameters(overrides).values)

    def with_parameters(self, overrides: Mapping[str, Any]) -> Flat:
        """The same mechanism with other values for some of its parameters; the last one is kept."""
        read = read_overrides(overrides, self.parameters, self.parameter_units)
        key, made = self.kept.get("with parameters", (None, None))
        if key != read:
            made = replace(self, parameters={**self.parameters, **read}, kept={})
            self.kept["with parameters"] = read, made
        return made


def evaluate_parameters(values: Mapping[str, Value], wheres: Mapping[str, str]) -> dict[str, float]:
    """Numbers of parameters that may depend on each other; a circle, an unknown name or nan is a `ModelError`."""
    done: dict[str, float] = {n: float(v) for n, v in values.items() if not isinstance(v, Formula)}
    problems: list[Problem] = []
    for start in values:
        # Depth first with a list instead of recursion: a chain of parameters may be long.
        path = [] if start in done else [start]
        while path and not problems:
            name = path[-1]
            formula = values[name]
            assert isinstance(formula, Formula)
            missing = sorted(n for n in formula.names() if n not in done)
            if not missing:
                done[path.pop()] = formula.evaluate(done.__getitem__, NUMERIC)
            elif missing[0] not in values:
                hint = did_you_mean(missing[0], values)
                problems.append(_problem(name, f"there is no parameter `{missing[0]}`", wheres, hint))
            elif missing[0] in path:
                circle = " -> ".join([*path[path.index(missing[0]) :], missing[0]])
                problems.append(
                    _problem(missing[0], f"the parameters depend on each other in a circle: {circle}", wheres)
                )
            else:
                path.append(missing[0])
    for name, number in done.items():
        if not math.isfinite(number):
            problems.append(
                _problem(name, f"`{values[name]}` has no finite value (it comes out as {number})", wheres)
            )
    if problems:
        raise ModelError(problems)
    return done


def _problem(name: str, message: str, wheres: Mapping[str, str], hint: str = "") -> Problem:
    return Problem(message, wheres.get(name, ""), f"parameters.{name}", hint)
