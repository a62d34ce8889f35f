"""Kernels of meshes: the constraint, the forces of the teeth that are not in it, friction rows, and signals."""

from __future__ import annotations

from functools import cached_property

from wheelwork.equations.frames import MARKER_RECORD, Marker
from wheelwork.equations.mesh_equations import SPEEDS, MeshEquations
from wheelwork.lazy import casadi as ca

from .kernels import ConstraintKernel, short_name
from .space import SPATIAL, Space

SLIDING = {"sliding": ("m/s", "speed of sliding along the teeth at the pitch point")}


class MeshKernel:
    """Functions of one type of mesh.

    constraint   its ConstraintKernel
    separating   (a, b, data, F_t) -> force and torque beyond G^T F_t on a, then on b (2 V)
    separating_jacobian  its derivatives by small motions of a and b (2 V x 2 V), and by F_t (2 V)
    tooth_force  (a, b, data, F_t) -> P, and the force on b there without friction (6)
    signals      (a, b, data, F_t, F_f) -> values of `signal_names`; F_f the friction of the mesh
    """

    def __init__(self, equations: MeshEquations, space: Space = SPATIAL, counted: str = ""):
        """counted: against what the turns of a are counted, for wheels without tooth numbers: `carrier` or `mate`"""
        self.equations = equations
        self.space = space
        self.counted = counted
        self.key = space.key(f"mesh:{equations.type}")

    @cached_property
    def constraint(self) -> ConstraintKernel:
        equations, counted = self.equations, self.counted

        return ConstraintKernel(
            f"mesh:{equations.type}{f':{counted}' if counted else ''}",
            equations.row_names,
            lambda a, b, extras, _, turns: equations.equations(
                a, b, equations.named(extras), turns if counted else None, counted
            ),
            extras=len(equations.extras),
            space=self.space,
        )

    @cached_property
    def written(self) -> ConstraintKernel:
        """The constraint to be printed: with numbers that are `chosen` after the mesh's own, where there are any."""
        equations = self.equations
        if not equations.chosen:
            return self.constraint
        own = len(equations.extras)

        def make(a: Marker, b: Marker, extras: ca.SX, inputs: ca.SX, turns: ca.SX):
            x = equations.named(extras[:own])
            return equations.equations(
                a, b, x | dict(zip(equations.chosen, ca.vertsplit(extras[own:]), strict=True))
            )

        size = own + len(equations.chosen)
        return ConstraintKernel(
            f"mesh:{equations.type}:written", equations.row_names, make, size, space=self.space
        )

    @cached_property
    def choice(self) -> ca.Function:
        """(a, b, data) -> the numbers that are `chosen`."""
        chosen = self.equations.choose(*self._markers())
        return ca.Function(short_name("choice", self.key), list(self._symbols[:3]), [chosen])

    def friction(self, sliding: bool) -> ConstraintKernel:
        """The speed of rolling, or of sliding along the teeth, as a row that holds while the mesh sticks."""
        equations, word = self.equations, "sliding" if sliding else "rolling"

        return ConstraintKernel(
            f"mesh_{word}:{equations.type}",
            ("friction",),
            lambda a, b, extras, *_: [getattr(equations, word)(a, b, equations.named(extras))],
            extras=len(equations.extras),
            space=self.space,
        )

    @cached_property
    def _symbols(self) -> tuple[ca.SX, ca.SX, ca.SX, ca.SX]:
        size = 2 * MARKER_RECORD + len(self.equations.extras)
        return (
            ca.SX.sym("a", self.space.record),
            ca.SX.sym("b", self.space.record),
            ca.SX.sym("d", size),
            ca.SX.sym("f"),
        )

    def _markers(self) -> tuple[Marker, Marker, dict[str, ca.SX]]:
        a, b, data, _ = self._symbols
        markers = Marker.pair(map(self.space.frame, (a, b)), data)
        return *markers, self.equations.named(data[2 * MARKER_RECORD :])

    def _separating(self, a: Marker, b: Marker, x: dict[str, ca.SX]) -> ca.SX:
        force = self.equations.separating(a, b, x, self._symbols[3])
        point = self.equations.contact_point(a, b, x)
        wrenches = [
            self.space.columns(sign * force, sign * ca.cross(point - marker.body.x, force))
            for marker, sign in ((a, -1.0), (b, 1.0))
        ]
        return ca.densify(ca.vertcat(*wrenches))

    @cached_property
    def separating(self) -> ca.Function:
        wrenches = self._separating(*self._markers())
        return ca.Function(short_name("separating", self.key), self._symbols, ca.cse([wrenches]))

    @cached_property
    def separating_jacobian(self) -> ca.Function:
        space, V = self.space, self.space.V
        a, b, data, force = self._symbols
        nudge = ca.SX.sym("nudge", V, 2)
        still = ca.SX.zeros(V, 1)
        moved = (space.nudged(space.frame(r), nudge[:, k], still) for k, r in enumerate((a, b)))
        wrenches = self._separating(
            *Marker.pair(moved, data), self.equations.named(data[2 * MARKER_RECORD :])
        )
        parts = [ca.jacobian(wrenches, ca.vec(nudge)), ca.jacobian(wrenches, force)]
        at_rest = ca.substitute(parts, [ca.vec(nudge)], [ca.SX.zeros(2 * V, 1)])
        name = short_name("separating_jacobian", self.key)
        return ca.Function(name, self._symbols, ca.cse([ca.densify(part) for part in at_rest]))

    @cached_property
    def tooth_force(self) -> ca.Function:
        """(a, b, data, F_t) -> P and the force of the teeth on b there, without friction (6), world axes."""
        a, b, x = self._markers()
        values = self.equations.contact_point(a, b, x), self.equations.tooth_force(a, b, x, self._symbols[3])
        name = short_name("tooth_force", self.key)
        return ca.Function(name, self._symbols, ca.cse([ca.densify(ca.vertcat(*values))]))

    @property
    def signal_names(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of the signals, in the order of the outputs of `signals`."""
        return {**self.equations.forces, **SPEEDS, **(SLIDING if self.equations.slides else {})}

    @cached_property
    def signals(self) -> ca.Function:
        a, b, x = self._markers()
        equations, F, friction = self.equations, self._symbols[3], ca.SX.sym("r")
        speed = equations.speed(a, b, x)
        values = [*equations.force_signals(a, b, x, F, friction), speed, F * speed]
        if equations.slides:
            values.append(equations.sliding(a, b, x).rate(a, b))
        return ca.Function(
            short_name("mesh_signals", self.key),
            [*self._symbols, friction],
            [ca.densify(ca.vertcat(*values))],
        )
