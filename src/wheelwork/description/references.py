"""Names: what exists in a mechanism, and whether references and formulas use it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from functools import cached_property
from typing import Any

from wheelwork.description.base import Value
from wheelwork.description.body import Body
from wheelwork.description.description import Description, ProblemList
from wheelwork.description.dimensions import in_words
from wheelwork.description.expansion import BEARING
from wheelwork.description.formula import Formula
from wheelwork.description.names import GROUND
from wheelwork.description.registry import find
from wheelwork.description.rotor import Rotor
from wheelwork.description.units import Quantity
from wheelwork.description.validation_errors import Path
from wheelwork.description.values import CURVE_PARAMETER, TABLED, NumberField
from wheelwork.description.walk import givens, references
from wheelwork.lazy import dataclass
from wheelwork.problems import did_you_mean, listed, nearest


@dataclass
class Index:
    """Names in a mechanism; those of components have the component's name in front.

    bodies, frames, others: names of elements (others: meshes, forces and drivers)
    blocks: names of states and blocks of the control, which are signals themselves
    joints: the class of each joint; bearings of rotors and shafts too
    rotors: the bodies that are rotors
    parameters: with their values
    inside: index of each component
    broken: names that could not be read, about which nothing more is reported
    size: elements in all
    """

    bodies: set[str] = field(default_factory=set)
    frames: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    blocks: set[str] = field(default_factory=set)
    joints: dict[str, Any] = field(default_factory=dict)
    rotors: set[str] = field(default_factory=set)
    parameters: dict[str, Value] = field(default_factory=dict)
    inside: dict[str, Index] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    size: int = 0

    @classmethod
    def of(cls, description: Description, inside: dict[str, Index], broken: set[str]) -> Index:
        rotors = {name for name, body in description.bodies.items() if isinstance(body, Rotor)}
        joints: dict[str, Any] = {name: type(joint) for name, joint in description.joints.items()}
        frames, others = (
            set(description.frames),
            {*description.meshes, *description.forces, *description.drivers},
        )
        for name, body in description.bodies.items():
            for inner, (collection, kind) in ({} if isinstance(body, Body) else body.parts()).items():
                if collection == "joints":
                    joints[f"{name}.{inner}"] = find("joints", kind)
                else:
                    (frames if collection == "frames" else others).add(f"{name}.{inner}")
        index = cls(
            bodies=set(description.bodies),
            frames=frames,
            others=others,
            blocks={*description.states, *description.control},
            joints=joints,
            rotors=rotors,
            parameters=dict(description.parameters),
            inside=inside,
            broken=set(broken),
        )
        index.size = (
            len(index.bodies) + len(joints) + len(index.others) + len(index.blocks) + len(index.frames)
        )
        for name, inner in inside.items():
            index.take(f"{name}.", inner)
        return index

    def take(self, prefix: str, inner: Index) -> None:
        """Add the names of a component."""
        self.size += inner.size
        if self.size > 100_000:  # reported by the checker; no need to write them all down
            return
        for names in ("bodies", "frames", "others", "blocks", "rotors", "broken"):
            getattr(self, names).update(prefix + name for name in getattr(inner, names))
        self.joints |= {prefix + name: cls for name, cls in inner.joints.items()}
        self.parameters |= {prefix + name: value for name, value in inner.parameters.items()}

    @cached_property
    def elements(self) -> set[str]:
        """Names of everything that can have signals."""
        return {*self.bodies, *self.frames, *self.others, *self.blocks, *self.joints}

    def is_broken(self, name: str) -> bool:
        """Whether a name, or the component it lies in, could not be read."""
        steps = name.split(".")
        return any(".".join(steps[: i + 1]) in self.broken for i in range(len(steps)))

    def element_of(self, signal: str) -> str | None:
        """The element a signal such as `stage2.planet1.w` belongs to."""
        steps = signal.split(".")
        names = self.elements
        if signal in self.blocks:
            return signal
        for i in range(len(steps) - 1, 0, -1):
            if ".".join(steps[:i]) in names:
                return ".".join(steps[:i])
        return None


def reference_problems(description: Description, index: Index, report: ProblemList) -> None:
    """Names of bodies, frames, joints and rotors that do not exist."""
    wanted: dict[str, tuple[str, Iterable[str]]] = {
        "moving body": ("body", index.bodies),
        "body": ("body", {*index.bodies, GROUND}),
        "place": ("body or frame", {*index.bodies, *index.frames, GROUND}),
        "joint": ("joint", index.joints),
        "rotor": ("rotor", index.rotors),
    }
    for path, kind, name in references(description):
        noun, known = wanted[kind]
        if name in known or index.is_broken(name):
            continue
        report.add(path, *_no_such(noun, name, known, index))


def _no_such(noun: str, name: str, known: Iterable[str], index: Index) -> tuple[str, str]:
    known = sorted(known)
    if name == GROUND:
        return "needs a body that moves, but `ground` does not", ""
    if noun == "rotor" and name in index.bodies:
        return f"`{name}` is a body, but a rotor is needed", "give the `joint` that the motor turns instead"
    if noun == "joint" and name in index.rotors:
        return f"`{name}` is a rotor, not a joint", f"its joint is `{name}.{BEARING}`"
    if name in index.elements or name in index.parameters or name in index.inside:
        return f"`{name}` is not a {noun}", did_you_mean(name, [k for k in known if k != name])
    hint = did_you_mean(name, [*known, *sorted(index.broken)])
    if not hint and len(known) <= 8:
        hint = f"there is {listed(known)}" if known else f"there is no {noun} at all"
    return f"there is no {noun} `{name}`", hint


def formula_problems(description: Description, index: Index, report: ProblemList) -> None:
    """Unknown names in formulas, and parameters of the wrong dimension where one stands alone."""
    for path, value, kind in givens(description):
        if not isinstance(value, Formula):
            continue
        scope = kind.scope if kind is not None else "parameters"
        for name in sorted(value.names()):
            wrong = _name_problem(name, scope, value, index)
            if wrong:
                report.add(path, *wrong)
        _dimension_problem(path, value, kind, index, report)
    for i, signal in enumerate(description.outputs or ()):
        if (
            "*" not in signal
            and signal != "t"
            and not index.is_broken(signal)
            and index.element_of(signal) is None
        ):
            names = _suggestions(signal, index, signals=True)
            report.add(("outputs", i), f"there is no signal `{signal}`", did_you_mean(signal, names))


def _name_problem(name: str, scope: str, formula: Formula, index: Index) -> tuple[str, str] | None:
    if name == CURVE_PARAMETER and scope == "curve":
        if name in index.parameters:
            return (
                f"`{name}` is the parameter of the curve here, but there is a parameter `{name}` too",
                "rename that",
            )
        return None
    if name in index.parameters or index.is_broken(name) or (name == "t" and scope in TABLED):
        return None
    element = index.element_of(name)
    if element is not None and scope == "signals":
        return None
    if name == "t":
        return f"must stay the same during a run, but `{formula}` uses the time `t`", ""
    if element is not None:
        allowed = {"time": "parameters and `t`", "curve": "parameters and `s`"}.get(scope, "parameters")
        return f"`{name}` is a signal, but this value may use {allowed} only", ""
    if name in index.elements:
        hint = f"add the quantity, such as `{name}.w`"
        return f"`{name}` in `{formula}` is an element, not a quantity", hint if scope == "signals" else ""
    unquoted = [known for known in index.elements if "-" in known and known in formula.text]
    if unquoted:
        return (
            f"there is no name `{name}`",
            f"a name with a hyphen stands in backticks: `` `{unquoted[0]}...` ``",
        )
    what = "no name" if scope == "signals" else "no parameter"
    known = _suggestions(name, index, scope == "signals")
    return f"there is {what} `{name}` (in `{formula}`)", did_you_mean(name, known)


def _suggestions(name: str, index: Index, signals: bool) -> list[str]:
    """Parameters, and where signals are allowed the same quantity of elements with a similar name."""
    known = list(index.parameters)
    steps = name.split(".") if signals else []
    for i in range(len(steps) - 1, 0, -1):
        near = nearest(".".join(steps[:i]), [other for other in index.elements if other.count(".") == i - 1])
        if near:
            return [*known, *(".".join([other, *steps[i:]]) for other in near)]
    return known


def _dimension_problem(
    path: Path, formula: Formula, kind: NumberField | None, index: Index, report: ProblemList
) -> None:
    name = formula.single_name
    parameter = index.parameters.get(name) if name is not None else None
    if kind is None or kind.any_dimension or not isinstance(parameter, Quantity):
        return
    if all(dimension.factor(parameter.exponents) is None for dimension in kind.dimensions):
        words = in_words(parameter.exponents)
        report.add(path, f"needs {kind.words()}, but the parameter `{name}` (`{parameter.text}`) is {words}")
