"""The contract of teeth that are a force: what a mesh is, and what the force between its wheels needs of it.

A model of :mod:`wheelwork.elements.meshes.teeth` has a class `Equations` derived from :class:`MeshForce`. `bind_mesh`
gathers numbers (start with ``view.data_with()``, the markers and the mesh's own numbers) and says which of them have to
be computed; `effect` turns symbols for them into wrenches, energy, signals and events, as any force's does, and into
the :func:`limits` beyond which the teeth have skipped or the model has no meaning.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from wheelwork.equations.forces import Arguments, Binding, Effect, ToothLimits
from wheelwork.equations.frames import MARKER_RECORD, BodyFrame, Marker
from wheelwork.equations.mesh_equations import MeshEquations, mesh_equations
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

if TYPE_CHECKING:
    import numpy as np

    from wheelwork.description import Placed
    from wheelwork.layout import Layout
    from wheelwork.layout.meshes import MeshGeometry
    from wheelwork.layout.teeth import TeethAt


DEEPEST = 1 / 8
"""Of the pitch, a quarter of the thickness of a tooth: teeth pressed deeper into each other are not a small deflection
of anything elastic, and their model has no meaning."""


def limits(ahead: ca.SX, depth: ca.SX, pitch: ca.SX, cosine: ca.SX) -> ToothLimits:
    """ahead: arc on the pitch line, modulo the pitch; depth and cosine: along the line of action, of its angle"""
    return ToothLimits(ahead / pitch, depth / (DEEPEST * pitch * cosine))


def check_offset(view: MeshView, half: float, deepest: float) -> None:
    """Teeth that start deep inside each other would be shot apart; half: of the backlash; deepest: allowed [m]"""
    offset = float(view.teeth.number(view.value(view.model.offset))[0])
    if abs(offset) - half > deepest:
        raise ValueError(
            f"`offset` puts the teeth {(abs(offset) - half) * 1e3:.4g} mm into each other at the given position; "
            f"flanks just touch at {half * 1e3:.4g} and {-half * 1e3:.4g} mm"
        )


@dataclass(frozen=True)
class MeshView:
    """One mesh of a mechanism, while its force is bound."""

    placed: Placed[Any]
    geometry: MeshGeometry
    equations: MeshEquations
    numbers: Mapping[str, ca.SX]
    """The mesh's own numbers with its phase."""
    layout: Layout
    turn: int = -1
    """Of wheel a, where it is counted."""

    @property
    def model(self) -> Any:
        return self.placed.element.model

    @property
    def teeth(self) -> TeethAt:
        """Numbers of the teeth of all meshes."""
        return self.layout.teeth

    def teeth_at(self, values: Mapping[str, float]) -> TeethAt:
        """The same for other values of the parameters."""
        return self.layout.teeth_at(values)

    def data_with(self, **changed: ca.SX) -> list[ca.SX]:
        """Markers and the numbers that the equations of the mesh take, some of them changed."""
        numbers = {**self.numbers, **changed}
        return [*self.geometry.markers, *(numbers[name] for name in self.equations.extras)]

    def value(self, given: Any) -> ca.SX:
        return self.layout.place(self.placed).value(given)

    @cached_property
    def at_rest(self) -> tuple[Marker, Marker]:
        """The wheels' markers at the given position."""
        frames = (at_rest(self.layout, body) for body in self.geometry.bodies)
        a, b = (Marker.from_record(*pair) for pair in zip(frames, self.geometry.markers, strict=True))
        return a, b

    @cached_property
    def equivalent_mass(self) -> ca.SX:
        """m_e of the two wheels on their teeth along the transverse line of action [kg] (Bai (3.2)),
        that of m_e u'' + k u = 0, (3.1):

            1/m_e = cos^2(alpha_wt) (r_a^2/I_a + r_b^2/I_b)

        with the inertias of the two bodies about their own axes; 1/m in place of r^2/I for a rack, 0 for ground.
        """
        flat, value = self.layout.flat, self.layout.parameters.value
        mobility = ca.SX(0)
        for side, body in enumerate(self.geometry.bodies):
            if body == "ground":
                continue
            mass, tensor = flat.bodies[body].element.mass_properties(value)
            if self.geometry.mesh.b_is_rack and side == 1:
                mobility += 1 / ca.SX(mass)
                continue
            axes = ca.reshape(self.geometry.markers[side][3:12], 3, 3).T
            inertia = ca.vertcat(*(ca.horzcat(*(ca.SX(x) for x in row)) for row in tensor))
            z = axes[:, 2]
            mobility += self.geometry.radii[side] ** 2 / ca.dot(z, ca.mtimes(inertia, z))
        return (1 + self.numbers["tan_alpha_t"] ** 2) / mobility  # (3.2), R_i = r_i cos(alpha_wt)


def at_rest(layout: Layout, body: str) -> BodyFrame:
    """A body at the given position."""
    at = layout.bodies[body]
    zero = ca.SX(3, 1)
    return BodyFrame(at.frame.point(at.center), at.frame.axes, zero, zero)


@dataclass(frozen=True)
class MeshBinding:
    """What the force of one mesh needs."""

    data: list[ca.SX]
    options: tuple[Any, ...] = ()
    """What changes the equations and not only their numbers, in words and numbers."""
    computed: list[int] = field(default_factory=list)
    """Which of the data `recompute` gives; the data have these for the values of the parameters in the description."""
    recompute: Callable[[Mapping[str, float]], np.ndarray] | None = None
    states: list[Any] = field(default_factory=list)
    """Values at the start of states of its own (:class:`wheelwork.equations.forces.Binding`)."""


class MeshForce(ABC):
    """Base of all models; see the module's docstring for how to write one."""

    type: str
    # Why the mesh may have no `efficiency` beside it, where it may not.
    no_efficiency: ClassVar[str] = ""
    # Whether its stiffness depends on how it stands without a phase that could be another one (`phase_place`).
    stands: ClassVar[bool] = False

    @abstractmethod
    def bind_mesh(self, view: MeshView) -> MeshBinding:
        """Its numbers for one mesh."""

    @abstractmethod
    def effect(self, arguments: Arguments) -> Effect:
        """Wrenches on a and b, with stored energy, signals and events."""

    def phase_place(self, options: tuple[Any, ...]) -> int | None:
        """Where the phase of the mesh at the given position [mesh cycles] is among the numbers of the force, if its
        stiffness varies over the mesh cycle."""
        return None

    def cycle_place(self, options: tuple[Any, ...]) -> int | None:
        """The same, if anything varies over the mesh cycle: its stiffness, or its error."""
        return self.phase_place(options)

    def at_mean(self, data: np.ndarray, options: tuple[Any, ...]) -> np.ndarray | None:
        """The same numbers with the mean of a stiffness at every phase; None: only its values at phases tell it."""
        return None

    def binding(self, view: MeshView) -> tuple[Binding, MeshBinding]:
        if self.no_efficiency and view.placed.element.efficiency is not None:
            raise ValueError(self.no_efficiency)
        made = self.bind_mesh(view)
        options = (view.equations.type, *made.options)
        turns = [view.turn] if view.turn >= 0 else []
        bodies = list(view.geometry.bodies)
        return Binding(bodies, made.data, turns=turns, options=options, states=made.states), made

    @staticmethod
    def mesh(arguments: Arguments) -> tuple[MeshEquations, Marker, Marker, dict[str, ca.SX], ca.SX]:
        """Equations, markers and own numbers of the mesh, and what is left of the data."""
        equations = mesh_equations(arguments.options[0])
        a, b = arguments.marker(0, 0), arguments.marker(1, MARKER_RECORD)
        first, last = 2 * MARKER_RECORD, own_numbers(arguments.options)
        return equations, a, b, equations.named(arguments.data[first:last]), arguments.data[last:]


def own_numbers(options: tuple[Any, ...]) -> int:
    """Where the numbers of a model begin, after those of the mesh."""
    return 2 * MARKER_RECORD + len(mesh_equations(options[0]).extras)
