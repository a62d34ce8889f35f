"""What an element does, in a sentence, and its equations as its data sheet has them."""

from __future__ import annotations

import inspect
import re
import sys
from typing import Any

from wheelwork.description import Placed
from wheelwork.description.registry import family, find
from wheelwork.equations.cams.base import CamEquations
from wheelwork.equations.joint_equations import JointEquations, data_sheet
from wheelwork.system.program import Program
from wheelwork.system.uses import ConstraintUse

COLLECTIONS = ("joints", "meshes", "drivers", "forces")


def placed(program: Program, name: str) -> Placed[Any] | None:
    """The element of that name."""
    for collection in COLLECTIONS:
        found = getattr(program.flat, collection, {}).get(name)
        if found is not None:
            return found
    return None


def element(program: Program, name: str) -> Any:
    """As `placed` has it; None where there is none."""
    found = placed(program, name)
    return None if found is None else found.element


def first_sentence(cls: type) -> str:
    text = inspect.cleandoc(cls.__doc__ or "").split("\n\n")[0].replace("\n", " ")
    return re.split(r"(?<=[.;:])\s", text)[0].rstrip(".;:") + "." if text else ""


def what(program: Program, use: ConstraintUse) -> str:
    """What the constraint does, with the bodies' own names."""
    found = placed(program, use.name)
    if found is None:
        return ""
    if use.name in program.flat.drivers:
        return found.element.what(use.kernel.row_names[0]) or first_sentence(type(found.element))
    names = {side: "ground" if k < 0 else program.bodies[k] for side, k in (("a", use.a), ("b", use.b))}
    own = found.element.what(names["a"], names["b"]) if use.name in program.flat.joints else ""
    if own:
        return own
    text = first_sentence(type(found.element))
    for side, name in names.items():
        text = re.sub(rf"\b[Bb]ody {side}\b", name, text)
    return text[:1].upper() + text[1:] if text.lower().startswith(("the ", "a ", "an ")) else text


def type_of(program: Program, use: ConstraintUse) -> str:
    found = placed(program, use.name)
    kind = str(getattr(found.element, "type", "")) if found is not None else ""
    return kind.replace("revolute_", "revolute-").replace("_", " ")


def extras_of(program: Program, use: ConstraintUse) -> dict[str, str]:
    """Names of a constraint's own numbers, with their units."""
    meshes = (mesh.kernel.equations for mesh in program.meshes if mesh.name == use.name)
    equations = next(meshes, None) or joint_equations(program, use.name)
    if equations is None or len(equations.extras) != use.kernel.extras:
        return {f"c{k + 1}": "m" for k in range(use.kernel.extras)}
    plain = ("tan", "sin", "cos")
    return {
        name: "1" if name.startswith(plain) else equations.units.get(name, "m") for name in equations.extras
    }


def joint_equations(program: Program, name: str) -> JointEquations | None:
    """The equations of the joint of that name, if it is one."""
    view = program.joints.get(name)
    return None if view is None else find("joints", view.type).equations(program.space.name)


def equations_in_words(program: Program, use: ConstraintUse) -> str:
    """The vector equations of a joint as its data sheet has them."""
    equations = joint_equations(program, use.name)
    if equations is None:
        return ""
    text = data_sheet(equations)
    if isinstance(equations, CamEquations):
        block = re.search(r"::\n\n((?: {4}.*\n)+)", text)
        lines = block.group(1).splitlines() if block else []
        return _typeset("; ".join(" ".join(line.split()) for line in lines))
    found = re.search(r"^Equations? \(\d+\): (.*?)(?=\n\n|\bCoordinates?: |\bSource: |\Z)", text, re.S | re.M)
    if found is None:
        return ""
    lines = _typeset(" ".join(found.group(1).split()))
    return re.split(r"\.\s(?=[A-Z`])", lines)[0].rstrip(".")


_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "phi": "φ", "pi": "π", "psi": "ψ", "theta": "θ", "lambda": "λ"
}  # fmt: skip


def _typeset(text: str) -> str:
    """Signs as they are printed: Greek letters, a cross for x between vectors, dots, minus."""
    for word, letter in _GREEK.items():
        text = re.sub(rf"\b{word}(?=\b|[0-9_])", letter, text)
    text = re.sub(r"\bG\^ v\b", "Φ_q v", text).replace("^2", "²").replace(" - ", " − ").replace("-(", "−(")
    text = re.sub(r"\bw_([ab])\b", r"ω_\1", text).replace(" . ", " · ")
    return re.sub(r"(?<=[\w)']) x (?=[\w(])", " × ", text).replace(" -", " −")


def force_in_words(kind: str, teeth: str = "") -> list[str]:
    """The law of a force as its data sheet has it, paragraph by paragraph: what follows its title.

    teeth: the model of a mesh's teeth, where the force is theirs
    """
    known = family("tooth_models").get(teeth) or family("forces").get(kind)
    if known is None:
        return []
    text = inspect.cleandoc(sys.modules[known.__module__].__doc__ or "")
    text = re.sub(r":\w+:`\.*(?:[\w.]*\.)?(\w+)`", r"`\1`", text)
    out = []
    for part in text.split("\n\n")[1 : 4 if teeth else 2]:
        if part.startswith("    "):  # equations, one in a line, with remarks beside them
            lines = [re.sub(r"\s+=\s+", " = ", line.strip(), count=1) for line in part.splitlines()]
            out += [_typeset(re.sub(r" {3,}", ": ", re.sub(r"`\w+`: ", "", line))) for line in lines]
        elif not part.startswith("and "):
            out.append(_typeset(" ".join(part.split())))
    return out
