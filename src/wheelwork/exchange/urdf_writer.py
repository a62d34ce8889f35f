"""A mechanism as URDF: trees of links with hinges, slides, planes and welds; gear pairs on one carrier as `mimic`."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import quoteattr

import numpy as np

from wheelwork.description import Description
from wheelwork.description.whole_file import write_whole
from wheelwork.problems import ModelError, Problem

from .looks import rgba_of
from .notes import Note, hand_over
from .robot import UNLIMITED
from .tree import Branch, GearedPair, RobotTree, tree_of

KINDS = {"revolute": "continuous", "prismatic": "prismatic", "planar": "planar", "fixed": "fixed"}


def write_urdf(
    description: Description, path: str | os.PathLike[str], *, notes: list[Note] | None = None
) -> None:
    """Write a mechanism as URDF, at its assembled position: there all coordinates are zero.

    What URDF cannot hold is reported in one warning, or put into the list `notes`; closed loops of joints are refused.
    """
    tree = tree_of(description, KINDS, path)
    if tree.loops:
        raise ModelError(
            [
                Problem("closes a loop of joints, and URDF describes trees only", path=f"joints.{joint.name}")
                for joint in tree.loops
            ]
        )
    weightless = [b.body for b in tree.branches.values() if b.weightless]
    if weightless:
        tree.notes.append(Note(f"bodies.{weightless[0]}", "without weight here, with weight in URDF"))
    if tree.gravity != (0.0, 0.0, -9.80665):
        tree.notes.append(Note("gravity", f"{tree.gravity} is left out: URDF leaves it to the reader"))
    write_whole(path, _text(tree).encode())
    hand_over(tree.notes, notes)


def numbers(values: Sequence[float] | np.ndarray) -> str:
    """Numbers in full precision, without noughts like 1e-17 beside larger ones."""
    size = max((abs(float(x)) for x in values), default=0.0)
    return " ".join(repr(0.0 if abs(x) < 1e-16 * size else float(x)) for x in values)


def roll_pitch_yaw(R: np.ndarray) -> tuple[float, float, float]:
    """Angles about the fixed axes x, y, z with R = Rz Ry Rx."""
    level = math.hypot(R[0, 0], R[1, 0])
    pitch = math.atan2(-R[2, 0], level)
    if level < 1e-12:  # straight up or down: roll and yaw turn about the same line
        return math.atan2(-R[1, 2], R[1, 1]), pitch, 0.0
    return math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])


def _text(tree: RobotTree) -> str:
    follows = _follows(tree)
    ground = [*_visuals(tree.looks)]
    lines = ['<?xml version="1.0"?>', f"<robot name={quoteattr(tree.name)}>"]
    lines += ['  <link name="ground">', *ground, "  </link>"] if ground else ['  <link name="ground"/>']
    for branch in tree.branches.values():
        lines += _link(branch)
        lines += _joint(tree, branch, follows.get(branch.body))
    return "\n".join([*lines, "</robot>", ""])


def _follows(tree: RobotTree) -> dict[str, GearedPair]:
    """The relation that each link follows: one at most, and in no circle."""
    found: dict[str, GearedPair] = {}
    pairs = list(tree.gears)
    for one in tree.couplings:
        if len(one.factors) == 2:
            (driven, by), (driver, to) = one.factors.items()
            ratio = -to / by
            pairs.append(GearedPair(one.name, tree.branches[driver], tree.branches[driven], ratio))
        else:
            text = f"ties {len(one.factors)} joints, and a joint of URDF follows one other: left out"
            tree.notes.append(Note(f"forces.{one.name}", text))
    for gear in pairs:
        for pair in (gear, GearedPair(gear.mesh, gear.driven, gear.driver, 1 / gear.ratio)):
            body, leader = pair.driven.body, pair.driver.body
            while leader in found and leader != body:
                leader = found[leader].driver.body
            if body not in found and leader != body:
                found[body] = pair
                break
        else:
            tree.notes.append(
                Note(gear.mesh, "the gear or coupler is left out: both its joints follow others")
            )
    return found


def _link(branch: Branch) -> list[str]:
    own, t = branch.inertia, branch.inertia.tensor
    moments = " ".join(f'i{"xyz"[i]}{"xyz"[j]}="{numbers([t[i, j]])}"' for i in range(3) for j in range(i, 3))
    return [
        f"  <link name={quoteattr(branch.body)}>",
        f'    <inertial><origin xyz="{numbers(own.center)}"/><mass value="{own.mass!r}"/>',
        f"      <inertia {moments}/></inertial>",
        *_visuals(branch.looks),
        "  </link>",
    ]


def _visuals(looks: list[tuple[str, str]]) -> Iterator[str]:
    for file, paint in looks:
        rgba = numbers(rgba_of(paint)) if paint else ""
        color = f'<material name="{paint}"><color rgba="{rgba}"/></material>' if paint else ""
        yield f"    <visual><geometry><mesh filename={quoteattr(file)}/></geometry>{color}</visual>"


def _joint(tree: RobotTree, branch: Branch, follows: GearedPair | None) -> list[str]:
    place, joint = tree.in_parent(branch), branch.joint
    kind = "floating" if joint is None else KINDS[joint.kind]
    if branch.range and kind == "continuous":
        kind = "revolute"
    name = f"{branch.body}_free" if joint is None else joint.name
    lines = [
        f'  <joint name={quoteattr(name)} type="{kind}">',
        f"    <parent link={quoteattr(branch.parent)}/><child link={quoteattr(branch.body)}/>",
        f'    <origin xyz="{numbers(place.position)}" rpy="{numbers(roll_pitch_yaw(place.axes))}"/>',
    ]
    if joint is not None and kind != "fixed":
        axis = branch.sense * (branch.world.axes.T @ joint.axes[:, 2])
        lines.append(f'    <axis xyz="{numbers(axis)}"/>')
    if kind in ("prismatic", "revolute"):
        low, high = branch.range or (-UNLIMITED, UNLIMITED)
        effort = f'effort="{UNLIMITED:g}" velocity="{UNLIMITED:g}"'
        lines.append(f'    <limit lower="{low!r}" upper="{high!r}" {effort}/>')
    if branch.damping or branch.friction:
        lines.append(f'    <dynamics damping="{branch.damping!r}" friction="{branch.friction!r}"/>')
    if follows is not None and follows.driver.joint is not None:
        leader = quoteattr(follows.driver.joint.name)
        lines.append(f'    <mimic joint={leader} multiplier="{follows.ratio!r}" offset="0"/>')
    return [*lines, "  </joint>"]
