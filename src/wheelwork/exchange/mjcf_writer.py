"""A mechanism as MJCF: trees of bodies, loops closed by `connect` and `weld`, gear pairs on one carrier, ratios and
couplers as `joint`, those of more than two joints as fixed tendons of constant length."""

from __future__ import annotations

import os
from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

import numpy as np

from wheelwork.description import Description
from wheelwork.description.whole_file import write_whole
from wheelwork.problems import ModelError, Problem
from wheelwork.system.attitude import euler_parameters

from .looks import rgba_of
from .notes import Note, hand_over
from .tree import Branch, JointAt, RobotTree, tree_of
from .urdf_writer import numbers

KINDS = ("revolute", "prismatic", "fixed", "spherical", "cylindrical", "universal", "planar")
LOOPS = ("revolute", "spherical", "fixed")


def write_mjcf(
    description: Description, path: str | os.PathLike[str], *, notes: list[Note] | None = None
) -> None:
    """Write a mechanism as MJCF, at its assembled position: there all coordinates are zero.

    What MJCF cannot hold is reported in one warning, or put into the list `notes`. MuJoCo keeps loops and gear pairs by
    stiff springs of its own: they deflect a little there.
    """
    tree = tree_of(description, KINDS, path)
    wrong = [joint for joint in tree.loops if joint.kind not in LOOPS]
    if wrong:
        text = f"closes a loop, which MJCF can express for {', '.join(LOOPS)} only"
        raise ModelError([Problem(text, path=f"joints.{joint.name}") for joint in wrong])
    write_whole(path, _text(tree).encode())
    hand_over(tree.notes, notes)


def _text(tree: RobotTree) -> str:
    lines = [
        f"<mujoco model={quoteattr(tree.name)}>",
        '  <compiler angle="radian" autolimits="false"/>',
        f'  <option gravity="{numbers(tree.gravity)}"/>',
        *_assets(tree),
        "  <worldbody>",
        *(f"    {line}" for line in _geoms(tree.looks)),
        *_bodies(tree, "ground", 4),
        "  </worldbody>",
    ]
    equalities = [line for joint in tree.loops for line in _closing(tree, joint)]
    for gear in tree.gears:
        equalities.append(_coupled(gear.mesh, gear.driven.joint, gear.driver.joint, gear.ratio))
    tendons: list[str] = []
    for one in tree.couplings:
        joints = {link: tree.branches[link].joint for link in one.factors}
        if len(joints) == 2:
            (driven, by), (driver, to) = one.factors.items()
            equalities.append(_coupled(one.name, joints[driven], joints[driver], -to / by))
            continue
        name = quoteattr(one.name)
        tendons.append(f"<fixed name={name}>")
        tendons += [
            f'  <joint joint={quoteattr(_name(joints[link]))} coef="{c!r}"/>'
            for link, c in one.factors.items()
        ]
        tendons.append("</fixed>")
        equalities.append(f'<tendon name={name} tendon1={name} polycoef="0 0 0 0 0"/>')
    if tendons:
        lines += ["  <tendon>", *(f"    {line}" for line in tendons), "  </tendon>"]
    if equalities:
        lines += ["  <equality>", *(f"    {line}" for line in equalities), "  </equality>"]
    return "\n".join([*lines, "</mujoco>", ""])


def _assets(tree: RobotTree) -> list[str]:
    looks = [*tree.looks, *(look for branch in tree.branches.values() for look in branch.looks)]
    meshes = [f"<mesh name={quoteattr(file)} file={quoteattr(file)}/>" for file, _ in looks]
    return ["  <asset>", *(f"    {mesh}" for mesh in meshes), "  </asset>"] if meshes else []


def _geoms(looks: list[tuple[str, str]]) -> Iterator[str]:
    """Looks alone: no mass, no contact."""
    for file, paint in looks:
        rgba = f' rgba="{numbers(rgba_of(paint))}"' if paint else ""
        plain = 'type="mesh" mass="0" contype="0" conaffinity="0" group="2"'
        yield f"<geom {plain} mesh={quoteattr(file)}{rgba}/>"


def _coupled(name: str, driven: JointAt | None, driver: JointAt | None, ratio: float) -> str:
    pair = f"joint1={quoteattr(_name(driven))} joint2={quoteattr(_name(driver))}"
    return f'<joint name={quoteattr(name)} {pair} polycoef="0 {ratio!r} 0 0 0"/>'


def _name(joint: JointAt | None) -> str:
    """Of a joint that moves by one coordinate."""
    assert joint is not None
    return joint.name


def _bodies(tree: RobotTree, parent: str, indent: int) -> list[str]:
    lines, space = [], " " * indent
    for branch in tree.branches.values():
        if branch.parent != parent:
            continue
        place = tree.in_parent(branch)
        own, t = branch.inertia, branch.inertia.tensor
        full = numbers([t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]])
        place_in = f'pos="{numbers(place.position)}" quat="{numbers(euler_parameters(place.axes))}"'
        weight = ' gravcomp="1"' if branch.weightless else ""
        lines += [
            f"{space}<body name={quoteattr(branch.body)} {place_in}{weight}>",
            *(f"{space}  {line}" for line in _joints(branch)),
            f'{space}  <inertial pos="{numbers(own.center)}" mass="{own.mass!r}" fullinertia="{full}"/>',
            *(f"{space}  {line}" for line in _geoms(branch.looks)),
            *_bodies(tree, branch.body, indent + 2),
            f"{space}</body>",
        ]
    return lines


def _joints(branch: Branch) -> list[str]:
    joint = branch.joint
    if joint is None:
        return [f"<freejoint name={quoteattr(branch.body + '_free')}/>"]
    into = branch.sense * branch.world.axes.T
    x, y, z = (into @ joint.axes[:, k] for k in range(3))
    z_b = into @ joint.axes_b[:, 2]
    passive = f' damping="{branch.damping!r}"' if branch.damping else ""
    passive += f' frictionloss="{branch.friction!r}"' if branch.friction else ""
    passive += f' limited="true" range="{numbers(branch.range)}"' if branch.range else ""

    def one(kind: str, axis: np.ndarray | None = None, suffix: str = "", more: str = "") -> str:
        along = "" if axis is None else f' axis="{numbers(axis)}"'
        return f'<joint name={quoteattr(joint.name + suffix)} type="{kind}"{along}{more}/>'

    # one after the other from the parent: turned about, the order of a joint's two arms is the other one
    arms = [("_first", z), ("_second", z_b)][:: branch.sense]
    return {
        "fixed": list,
        "revolute": lambda: [one("hinge", z, more=passive)],
        "prismatic": lambda: [one("slide", z, more=passive)],
        "spherical": lambda: [one("ball")],
        "cylindrical": lambda: [one("slide", z, "_displacement"), one("hinge", z, "_angle")],
        "universal": lambda: [one("hinge", axis, suffix) for suffix, axis in arms],
        "planar": lambda: [one("slide", x, "_x"), one("slide", y, "_y"), one("hinge", z, "_angle")],
    }[joint.kind]()


def _closing(tree: RobotTree, joint: JointAt) -> list[str]:
    def element(tag: str, name: str, point: np.ndarray | None) -> str:
        a, b = joint.bodies if joint.bodies[0] != "ground" else joint.bodies[::-1]
        bodies = f"body1={quoteattr(a)}" + (f" body2={quoteattr(b)}" if b != "ground" else "")
        place = tree.branches[a].world
        anchor = "" if point is None else f' anchor="{numbers(place.axes.T @ (point - place.position))}"'
        return f"<{tag} name={quoteattr(name)} {bodies}{anchor}/>"

    if joint.kind == "fixed":
        return [element("weld", joint.name, None)]
    if joint.kind == "spherical":
        return [element("connect", joint.name, joint.point)]
    reach = 0.1 * joint.axes[:, 2]
    return [
        element("connect", f"{joint.name}_{k}", joint.point + s * reach) for k, s in enumerate((-1.0, 1.0), 1)
    ]
