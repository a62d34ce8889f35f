"""Couplings of joints in files of robots: mimic joints of URDF; equalities of joints and of fixed tendons in MJCF."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from wheelwork.elements.drivers.joint import JointDriver
from wheelwork.elements.forces.coupler import CoupledJoint, Coupler
from wheelwork.problems import did_you_mean
from wheelwork.system.uses import PER_TERM

from .markup import Node
from .robot import RobotBodies

Coordinates = Mapping[str, tuple[str, str]]
"""Joint and coordinate here, by the name in the file."""
Left = Callable[[Node, str], None]


def add_coupler(
    bodies: RobotBodies, node: Node, name: str, factors: Mapping[tuple[str, str], float], offset: float
) -> None:
    """The sum of factor times coordinate is the offset: a coupler, or of one joint a driver that holds it."""
    parts = {key: factor for key, factor in factors.items() if factor != 0.0}
    ours = bodies.named("coupler", name, node)
    if len(parts) == 1:
        ((joint, coordinate), factor), *_ = parts.items()
        bodies.mechanism.add(ours, JointDriver(joint=joint, coordinate=coordinate, value=offset / factor))
    elif parts:
        joints = tuple(
            CoupledJoint(joint=joint, coordinate=coordinate, factor=factor)
            for (joint, coordinate), factor in parts.items()
        )
        bodies.mechanism.add(ours, Coupler(joints=joints, offset=offset))


def add_mimic(bodies: RobotBodies, joint: str, mimic: Node, known: Coordinates, left: Left) -> None:
    """<mimic> of a joint of URDF: its coordinate is multiplier times that of another plus offset."""
    other = mimic.text("joint")
    if other == joint:
        mimic.problem(f"joint `{joint}` follows itself")
    elif other not in known:
        mimic.problem(f"joint `{joint}` follows `{other}`, which is not a joint with one coordinate",
                      did_you_mean(other, known))  # fmt: skip
    elif joint not in known:
        left(mimic, f"joint `{joint}` has no single coordinate: it does not follow `{other}`")
    else:
        multiplier, offset = mimic.number("multiplier", 1.0), mimic.number("offset", 0.0)
        factors = {known[joint]: 1.0}
        factors[known[other]] = factors.get(known[other], 0.0) - multiplier
        add_coupler(bodies, mimic, f"{joint}_mimic", factors, offset)


class MjcfCouplings:
    """Equalities of joints and fixed tendons in MJCF: y - y_0 = a_0 + a_1 (x - x_0) + ..., _0: as the file has them."""

    def __init__(self, root: Node, known: Coordinates, left: Left) -> None:
        self.known, self.left = known, left
        self.tendons: dict[str, dict[tuple[str, str], float]] = {}
        self.unused: dict[str, Node] = {}
        for section in root.all("tendon"):
            for node in section.children:
                self._tendon(node)

    def _tendon(self, node: Node) -> None:
        if node.tag != "fixed":
            return self.left(node, f"<{node.tag}> tendons")
        total: dict[tuple[str, str], float] = {}
        for part in node.all("joint"):
            coordinate = self._coordinate(part, "joint")
            if coordinate is None:
                return None
            total[coordinate] = total.get(coordinate, 0.0) + part.number("coef")
        if {"stiffness", "damping", "frictionloss", "range"} & {*node.attributes}:
            self.left(node, "springs, friction and ranges of a tendon")
        self.tendons[node.name] = total
        self.unused[node.name] = node
        return None

    def tell_unused(self) -> None:
        """Fixed tendons that tie nothing."""
        for node in self.unused.values():
            self.left(node, "<tendon> that no equality holds")

    def _coordinate(self, node: Node, field: str) -> tuple[str, str] | None:
        name = node.text(field)
        if name not in self.known:
            node.problem(
                f"there is no joint `{name}` with a single coordinate", did_you_mean(name, [*self.known])
            )
        return self.known.get(name)

    def add(self, bodies: RobotBodies, node: Node) -> None:
        """<joint> or <tendon> among the equalities."""
        polynomial = node.row("polycoef") or [0.0, 1.0]
        polynomial += [0.0] * (5 - len(polynomial))
        sides: list[dict[tuple[str, str], float]] = []
        for field in (f"{node.tag}1", f"{node.tag}2"):
            if field not in node.attributes:
                continue
            if node.tag == "joint":
                coordinate = self._coordinate(node, field)
                if coordinate is None:
                    return None
                sides.append({coordinate: 1.0})
            elif node.text(field) not in self.tendons:
                return node.problem(
                    f"there is no tendon `{node.text(field)}`", did_you_mean(node.text(field), self.tendons)
                )
            else:
                sides.append(self.tendons[node.text(field)])
                self.unused.pop(node.text(field), None)
        if not sides:
            return node.problem(f"has no `{node.tag}1`")
        if len(sides) == 2 and any(polynomial[2:]):
            return self.left(node, f"the coupling by a polynomial of degree {np.flatnonzero(polynomial)[-1]}")
        factors = dict(sides[0])
        for coordinate, factor in sides[1].items() if len(sides) == 2 else ():
            factors[coordinate] = factors.get(coordinate, 0.0) - polynomial[1] * factor
        name = node.attributes.get("name") or f"{node.text(f'{node.tag}1')}_coupler"
        add_coupler(bodies, node, name, factors, polynomial[0])
        return None


# -- out of a mechanism


@dataclass(frozen=True)
class CoupledBranches:
    """A relation of joint coordinates of a tree: the sum of factor times coordinate keeps what it is."""

    name: str
    factors: dict[str, float]
    """By the link at the end of the joint."""


def couplings_of(tree: Any, program: Any, frames: Mapping[str, Any], data: np.ndarray) -> list[str]:
    """Rigid ratios and couplers into `tree.couplings`; names of those that are carried."""
    carried = []
    for use in program.relations:
        constraint = program.constraints[use.constraint]
        kernel = constraint.kernel
        if not kernel.holonomic or kernel.orders:
            continue
        names = ["ground" if k < 0 else program.bodies[k] for k in constraint.bodies]
        total: dict[str, float] = {}
        for k, term in enumerate(kernel.terms):
            numbers = data[constraint.data + PER_TERM * k :][:PER_TERM]
            axis = frames[names[term.a]].axes @ numbers[3:12].reshape(3, 3)[:, 2]
            found = _by_branch(tree, names[term.a], names[term.b], axis, term.coordinate)
            if found is None:
                break
            for link, share in found.items():
                total[link] = total.get(link, 0.0) + float(numbers[-1]) * share
        else:
            tree.couplings.append(
                CoupledBranches(use.name, {x: c for x, c in total.items() if abs(c) > 1e-14})
            )
            carried.append(use.name)
    return carried


def _by_branch(tree: Any, a: str, b: str, axis: np.ndarray, coordinate: str) -> dict[str, float] | None:
    """The coordinate from a to b about or along an axis as a sum of those of branches; None where it is none."""
    out: dict[str, float] = {}
    branches = {body: tree.branches.get(body) for body in (a, b)}
    parents = {body: branch.parent for body, branch in branches.items() if branch is not None}
    if parents.get(b) == a:
        path = [(b, 1.0)]
    elif parents.get(a) == b:
        path = [(a, -1.0)]
    elif coordinate == "angle" and a in parents and parents.get(a) == parents.get(b):
        path = [(b, 1.0), (a, -1.0)]
    else:
        return None
    wanted = {"angle": "revolute", "displacement": "prismatic"}[coordinate]
    for link, sign in path:
        branch = branches[link]
        if branch.joint is None or branch.joint.kind != wanted:
            return None
        share = float(axis @ (branch.sense * branch.joint.axes[:, 2]))
        if abs(abs(share) - 1) > 1e-9:
            return None
        out[link] = sign * round(share)
    return out
