"""Cams in a program: fits of their outlines, their kernels, and how they enter it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.equations.cams.base import FOLLOWING_ROUNDS, FURTHEST, ROUNDS, CamContact, CamEquations
from wheelwork.equations.cams.outline import OutlineCurve
from wheelwork.equations.frames import MARKER_RECORD, Marker
from wheelwork.lazy import casadi as ca

from .kernels import ConstraintArguments, ConstraintKernel
from .space import SPATIAL, Space
from .uses import CurveUse, FollowUse, JointView

if TYPE_CHECKING:
    from wheelwork.description import Placed
    from wheelwork.equations.joint_equations import JointUse

    from .build import _Builder
    from .program import Numbers, Program


SAMPLES = 720


def faults(program: Program, numbers: Numbers) -> Iterator[tuple[str, str, str]]:
    """Cams whose follower does not fit their outline: name of the joint, what is wrong, what to do.

    A face needs it convex, a roller needs hollows wider than itself. With c', c'' at s, kappa = (c' x c'')/|c'|^3 the
    curvature of the outline, positive where it bends to the left, and side = 1 where the follower is on the right of
    the tangent (-1: on its left):

        flat face   side kappa > 0
        roller      1 + side kappa radius > 0

    Where this fails, the contact of a moving cam jumps, or the follower touches in two places at once. Two cams are
    not looked at: which points of them meet is not known before they move.
    """
    for follow in program.follows:
        cam = follow.kernel.cam
        start = program.constraints[follow.constraint].data + 24
        own = numbers.data[start : start + cam.numbers]
        outline = cam.outlines[0]
        if cam.follower == "face":
            s, curvature, orientation = _curvature(outline, own[1:])
            worst = int(np.argmin(orientation * curvature))
            if orientation * curvature[worst] <= 0:
                text = f"the outline is hollow or straight at s = {s[worst]:.4g}: a flat face cannot follow it there"
                yield (
                    follow.name,
                    text,
                    "make the outline convex, or use a roller (`cam_point` with a `radius`)",
                )
        elif cam.follower == "roller" and own[1] > 0:
            side, radius = own[:2]
            s, curvature, _ = _curvature(outline, own[2:])
            worst = int(np.argmin(side * curvature))
            if 1 + side * radius * curvature[worst] <= 0:
                text = (
                    f"the roller, of radius {radius:.4g} m, does not fit into the hollow of the outline at "
                    f"s = {s[worst]:.4g}, whose radius is {1 / abs(curvature[worst]):.4g} m"
                )
                yield follow.name, text, "take a smaller `radius`, or widen the hollow"


def _curvature(outline: OutlineCurve, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """s and curvature at many points; 1 for a curve that runs counterclockwise, -1 for one that runs clockwise."""
    s = outline.spread(numbers, SAMPLES)
    c, first, second = outline.at(s, numbers)
    cross = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    area = np.sum(c[:, 0] * np.roll(c[:, 1], -1) - np.roll(c[:, 0], -1) * c[:, 1])
    return s, cross / np.linalg.norm(first, axis=1) ** 3, 1.0 if area >= 0 else -1.0


# -- kernels of cams: the constraint, and the function that keeps its curve parameters at the contact


class CamKernel(ConstraintKernel):
    """A constraint with curve parameters.

    Its functions take (a, b, data, inputs, turns) like those of all constraints: `turns` are the curve parameters,
    `inputs` the pieces of splines. Three more: `follow` -> parameters, rates: the contact next to the parameters given,
    and how they change; `there`: the same as `full`, for parameters that are those of the contact already; `where` ->
    the point of contact (3).
    """

    def __init__(self, cam: CamEquations, space: Space = SPATIAL):
        def make(a: Marker, b: Marker, numbers: ca.SX, inputs: ca.SX, turns: ca.SX):
            return [cam.contact(a, b, numbers, inputs, turns, ROUNDS).row]

        super().__init__(f"joint:{cam.key}", cam.row_names, make, cam.numbers, cam.inputs, space)
        self.cam = cam

    @cached_property
    def _arguments(self) -> ConstraintArguments:
        return ConstraintArguments.make(self.data_size, self.inputs, self.space, turns=self.cam.followed)

    def _contact(self, rounds: int) -> CamContact:
        arguments = self._arguments
        a, b = Marker.pair(map(self.space.frame, arguments.bodies), arguments.data)
        return self.cam.contact(a, b, self._numbers, self._slots, arguments.turns, rounds)

    @property
    def _numbers(self) -> ca.SX:
        return self._arguments.data[2 * MARKER_RECORD :]

    @property
    def _slots(self) -> ca.SX:
        return ca.reshape(self._arguments.inputs, 3, self.inputs)

    @cached_property
    def follow(self) -> ca.Function:
        contact = self._contact(FOLLOWING_ROUNDS)
        spans = ca.vertcat(*(numbers[1] for _, numbers, _ in self.cam.parts(self._numbers, self._slots)))
        moved = ca.fabs(contact.parameters - self._arguments.turns) / spans
        sound = ca.logic_and(contact.clearance > 0, ca.mmax(moved) < FURTHEST)
        found = [ca.if_else(sound, part, math.nan) for part in (contact.parameters, contact.rates)]
        return self._function("follow", found)

    @cached_property
    def there(self) -> ca.Function:
        return self._function("there", self._parts_of([self._contact(0).row]))

    @cached_property
    def where(self) -> ca.Function:
        return self._function("where", [ca.densify(self._contact(ROUNDS).point)])


# -- cams of a mechanism: their constraint, curve parameters and splines


class CamBuilder:
    """Collects the followed parameters of a mechanism."""

    def __init__(self, builder: _Builder):
        self.builder = builder
        self.starts: list[ca.SX] = []
        """Curve parameters at the given position."""

    def add(self, placed: Placed[Any], joint: JointUse, cam: CamEquations) -> None:
        """A cam as a constraint of the program, with its curve parameters."""
        builder, program = self.builder, self.builder.program
        numbers, starts = cam.start(placed.element, builder.layout.place(placed), joint.markers)
        kernel = builder.kernel(f"joint:{cam.key}", lambda: CamKernel(cam, builder.space))
        slot = builder.inputs.reserve(cam.inputs) if cam.inputs else -1
        constraint = builder.constrain(
            kernel, joint.bodies, builder.add_data(*joint.markers, *numbers), placed, "joint", input=slot
        )
        first = program.followed
        for k, outline in enumerate(cam.outlines):
            if outline.spline is not None:
                program.curves.append(CurveUse(first + k, slot, outline.spline))
                slot += outline.inputs
        program.follows.append(FollowUse(placed.name, constraint, first, kernel, cam.labels))
        program.joints[placed.name] = JointView(placed.name, constraint, cam.type, (), -1)
        self.starts += starts

    def finish(self) -> None:
        """Where the parameters are in z: after the counted angles, whose number is known now."""
        program = self.builder.program
        for follow in program.follows:
            use = program.constraints[follow.constraint]
            program.constraints[follow.constraint] = replace(
                use, turns=tuple(len(program.turns) + follow.first + k for k in range(follow.count))
            )
