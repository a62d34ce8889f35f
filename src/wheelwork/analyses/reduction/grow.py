"""Growing the tree: breadth first from ground over the links, bodies that nothing holds as free ones."""

from __future__ import annotations

import numpy as np

from .joints import Step, StepType
from .links import GROUND, Edge, JointLinks
from .tree import Inertia, Spin, Tree, TreeBody, TreeNode


def grow(bodies: list[TreeBody], links: JointLinks, edges: list[Edge], planar: bool = False) -> Tree:
    """The tree of a mechanism. An axisymmetric wheel at the end of a branch becomes a spin of what carries it."""
    tree = Tree(bodies)
    members = links.members
    tree.ground_bodies = members.pop(GROUND, [])
    of_link: dict[int, list[Edge]] = {}
    for edge in edges:
        for link in edge.links:
            of_link.setdefault(link, []).append(edge)
    node_of: dict[int, int] = {GROUND: -1}
    parent_edge = _span(members, of_link)
    children: dict[int, int] = {}
    for link, (parent, _) in parent_edge.items():
        children[parent] = children.get(parent, 0) + 1
        children.setdefault(link, 0)
    for link, (parent, edge) in parent_edge.items():
        steps = _free_steps(bodies, members[link], planar) if edge is None else edge.steps_from(parent)
        if len(steps) == 1 and steps[0].type is StepType.TURN and children[link] == 0:
            wheel = [bodies[k] for k in members[link]]
            polar = Inertia.of(wheel).polar_moment(steps[0])  # if the common centre of mass is on the axis
            # so must each one's be: the runtime takes it as a point of the carrier
            each = wheel if len(wheel) > 1 else []
            if polar is not None and all(Inertia.of([body]).is_on(steps[0]) for body in each):
                spin = Spin(members[link], steps[0], _new_rows(tree, steps[0]), polar)
                (tree.nodes[node_of[parent]].spins if node_of[parent] >= 0 else tree.ground_spins).append(
                    spin
                )
                continue
        at = node_of[parent]
        for step in steps:
            node = TreeNode(at, step, _new_rows(tree, step), origin=step.point)
            if step.type is StepType.BALL:
                node.ball, tree.balls = tree.balls, tree.balls + 1
            tree.nodes.append(node)
            at = len(tree.nodes) - 1
        tree.nodes[at].bodies = members[link]
        node_of[link] = at
    for node in tree.nodes:
        inertia = carried_inertia(tree, node)
        if inertia.mass:
            node.origin = inertia.center
    return tree


def carried_inertia(tree: Tree, node: TreeNode) -> Inertia:
    """Of all that moves with a node, its spins as if they were fixed."""
    carried = node.bodies + [k for spin in node.spins for k in spin.bodies]
    return Inertia.of([tree.bodies[k] for k in carried])


def _span(
    members: dict[int, list[int]], of_link: dict[int, list[Edge]]
) -> dict[int, tuple[int, Edge | None]]:
    """Parent and edge of each link, parents first; None: a link that moves freely."""
    out: dict[int, tuple[int, Edge | None]] = {}
    waiting, left = [GROUND], list(members)
    while True:
        while waiting:
            link = waiting.pop(0)
            for edge in of_link.get(link, []):
                other = edge.links[1] if edge.links[0] == link else edge.links[0]
                if other != GROUND and other not in out and edge.steps is not None:
                    out[other] = (link, edge)
                    waiting.append(other)
        free = [link for link in left if link not in out]
        if not free:
            return out
        # of what hangs together without ground, the link with the most joints is the free one
        root = max(free, key=lambda link: len(of_link.get(link, [])))
        out[root] = (GROUND, None)
        waiting.append(root)


def _free_steps(bodies: list[TreeBody], link: list[int], planar: bool) -> list[Step]:
    center = Inertia.of([bodies[k] for k in link]).center
    name = bodies[link[0]].name
    slides = [Step(StepType.SLIDE, np.eye(3)[k], center, f"{name}.{'xyz'[k]}") for k in range(3)]
    if planar:
        return [*slides[:2], Step(StepType.TURN, np.array([0.0, 0.0, 1.0]), center, f"{name}.angle")]
    return [*slides, Step(StepType.BALL, np.array([0.0, 0.0, 1.0]), center, f"{name}.rotation")]


def _new_rows(tree: Tree, step: Step) -> int:
    first = tree.rows
    tree.names += [step.name] if step.freedoms == 1 else [f"{step.name}.{c}" for c in "xyz"]
    return first
