"""Cams of a mechanism: their constraint, curve parameters and splines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wheelwork.equations.cams.base import CamEquations
from wheelwork.lazy import casadi as ca

from .cam_kernel import CamKernel
from .following import CurveUse, FollowUse
from .program import JointView

if TYPE_CHECKING:
    from wheelwork.description import Placed
    from wheelwork.equations.joint_equations import JointUse

    from .build import _Builder


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
            kernel,
            joint.bodies,
            builder.add_data(*joint.markers, *numbers),
            name=placed.name,
            label=f"joint `{placed.name}`",
            input=slot,
            where=placed.where,
            path=placed.path,
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
            program.constraints[follow.constraint] = replace(use, turn=len(program.turns) + follow.first)
