"""Kernels of cams: the constraint, and the function that keeps its curve parameters at the contact."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property

from wheelwork.equations.cams.base import FOLLOWING_ROUNDS, FURTHEST, ROUNDS, CamContact, CamEquations
from wheelwork.lazy import casadi as ca

from ..equations.frames import MARKER_RECORD, Marker
from .kernels import ConstraintArguments, ConstraintKernel
from .space import SPATIAL, Space


class CamKernel(ConstraintKernel):
    """A constraint with curve parameters.

    Its functions take (a, b, data, inputs, turns) like those of all constraints: `turns` are the curve parameters,
    `inputs` the pieces of splines. Two more: `follow` -> parameters, rates: the contact next to the parameters given,
    and how they change; `where` -> the point of contact (3).
    """

    def __init__(self, cam: CamEquations, space: Space = SPATIAL):
        def make(a: Marker, b: Marker, numbers: ca.SX, inputs: ca.SX, turns: ca.SX):
            return [cam.contact(a, b, numbers, inputs, turns, ROUNDS).row]

        super().__init__(f"joint:{cam.key}", cam.row_names, make, cam.numbers, cam.inputs, space)
        self.cam = cam

    @cached_property
    def _arguments(self) -> ConstraintArguments:
        made = ConstraintArguments.make(self.extras, self.inputs, self.space)
        return replace(made, turns=ca.SX.sym("z", self.cam.followed))

    def _contact(self, rounds: int) -> CamContact:
        arguments = self._arguments
        a, b = (
            Marker.from_record(self.space.frame(record), arguments.data[start : start + MARKER_RECORD])
            for record, start in ((arguments.a, 0), (arguments.b, MARKER_RECORD))
        )
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
        parameters = ca.if_else(sound, contact.parameters, math.nan)
        return self._function("follow", [parameters, contact.rates])

    @cached_property
    def where(self) -> ca.Function:
        return self._function("where", [ca.densify(self._contact(ROUNDS).point)])
