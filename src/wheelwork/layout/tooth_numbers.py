r"""Numbers of teeth that no formula gives: stiffness over a mesh cycle, backlash, phases; from `wheelwork.gears`.

The phase tau of a mesh counts mesh cycles. It is 0 where a pair of teeth enters contact at A while wheel a drives in
the positive sense (:class:`wheelwork.gears.stiffness.MeshCycle`). The front flank of a tooth of a whose middle is at s
(:mod:`.tooth_places`) is half its thickness s_wa ahead, and touches at the pitch point C where that is at s = 0:

    tau = tau_0 + s/p,   tau_0 = (C - A)/p_bt + s_wa/(2 p)

The back flank does the same in a mirror, s -> -s: its phase is tau_0 - s/p = 2 tau_0 - tau. Where the shape of the
teeth is not known (no tooth numbers), tau_0 = 0.

Stiffness is k(tau) = k_0 + sum over n of c_n cos(2 pi n tau) + s_n sin(2 pi n tau) on the front flank; the same as a
function of tau on the back flank has

    c_n' = c_n cos(4 pi n tau_0) + s_n sin(4 pi n tau_0),   s_n' = c_n sin(4 pi n tau_0) - s_n cos(4 pi n tau_0)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.gears import GearPair, GeometryError, RackPair, backlash
from wheelwork.gears.stiffness import BeamSlices, EnergyMethod, Iso6336, Material, MeshCycle
from wheelwork.gears.stiffness.course import StiffnessSeries, StiffnessTable

from .tooth_pairs import ToothPair, tooth_pair
from .tooth_places import MeshAtStart, tooth_places

if TYPE_CHECKING:
    from .layout import Layout

SAMPLES = 512  # of a mesh cycle
FLAT = ("external", "internal", "rack")


class ToothNumbers:
    """Numbers of the teeth of all meshes, for any values of the parameters."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._own: TeethAt | None = None
        self._last: tuple[dict[str, float], TeethAt] | None = None

    def at(self, values: Mapping[str, float] | None = None) -> TeethAt:
        """With other values of the parameters than the description's, or with these; all meshes share one."""
        own = self.layout.flat.values
        if values is None or values == own:
            self._own = self._own or TeethAt(self.layout, own)
            return self._own
        if self._last is None or self._last[0] != values:
            self._last = dict(values), TeethAt(self.layout, values)
        return self._last[1]


class TeethAt:
    """Numbers of the teeth for one set of parameters."""

    def __init__(self, layout: Layout, values: Mapping[str, float]) -> None:
        self.layout, self.flat, self.geometries = layout, layout.flat, layout.meshes
        self.values = dict(values)
        self._pairs: dict[str, ToothPair] = {}
        self._never_touch: dict[str, str] = {}
        self._places: dict[str, float] | None = None

    def number(self, expression: Any) -> np.ndarray:
        """The numbers of an expression, as a flat array."""
        return self.layout.number(expression, self.values)

    def value(self, name: str, given: Any) -> float:
        return float(self.number(self.layout.place(self.flat.meshes[name]).value(given))[0])

    def teeth(self, name: str) -> ToothPair:
        if name not in self._pairs:
            self._pairs[name] = tooth_pair(
                self.layout, self.flat.meshes[name], self.geometries[name], self.number
            )
        return self._pairs[name]

    def pair(self, name: str) -> GearPair | RackPair | None:
        """The shape of the teeth, if there is one with a path of contact; else `why_not` says why."""
        pair = self.teeth(name).pair
        if not isinstance(pair, GearPair | RackPair):
            return None
        if name not in self._never_touch:
            try:
                touch = pair.path.length > 0
                why_not = "" if touch else "these teeth never touch: the path of contact has no length"
            except GeometryError as error:
                why_not = str(error)
            self._never_touch[name] = why_not
        return None if self._never_touch[name] else pair

    def why_not(self, name: str) -> str:
        """Why there is no such shape; empty for teeth of another kind."""
        self.pair(name)
        return self._never_touch.get(name) or self.teeth(name).why_not

    # -- phases

    def start(self, name: str) -> float:
        """tau_0: the phase at which the middle of a tooth of a is at the pitch point."""
        pair = self.pair(name)
        if pair is None:
            return 0.0
        circle = pair.working_diameters[0] if isinstance(pair, GearPair) else pair.a.reference_diameter
        thickness = pair.a.thickness(circle) / (np.pi * circle / pair.a.teeth)
        path = pair.path
        return float((path.pitch_point - path.start) / path.base_pitch + thickness / 2)

    def phase(self, name: str) -> float:
        """tau at the given position."""
        if self._places is None:
            meshes = {other: self._at_start(other) for other, g in self.geometries.items() if g.type in FLAT}
            given = {}
            for other, mesh in meshes.items():
                phase = getattr(self.flat.meshes[other].element.model, "phase", None)
                if phase is not None:
                    given[other] = (self.value(other, phase) - self.start(other)) * mesh.pitch
            self._places = {
                other: place / meshes[other].pitch for other, place in tooth_places(meshes, given).items()
            }
        return (self.start(name) + self._places[name]) % 1.0

    def _at_start(self, name: str) -> MeshAtStart:
        geometry, teeth = self.geometries[name], self.teeth(name)
        r_a, r_b = (float(self.number(r)[0]) for r in geometry.radii)
        point = self.number(geometry.contact)
        outward = point - teeth.centres[0]
        wheels = tuple(zip(geometry.bodies, geometry.teeth, strict=True))
        return MeshAtStart(
            geometry.type,
            (wheels[0], wheels[1]),
            teeth.axis,
            outward / np.linalg.norm(outward),
            point,
            (r_a, r_b),
            float(self.number(geometry.numbers["pitch"])[0]),
        )

    # -- backlash

    def backlash(self, name: str) -> float:
        """j_bt of the teeth [m]; 0 where their shape is not known."""
        pair = self.pair(name)
        if pair is None:
            return 0.0
        found = backlash(pair).transverse
        if found < -1e-6 * pair.a.module:
            raise GeometryError(
                f"these teeth jam: their backlash is {found * 1e6:.4g} um; make them thinner by `thickness_allowance`, "
                "or move the axes"
            )
        return found if found > 1e-9 * pair.a.module else 0.0

    # -- material

    def materials(self, name: str) -> tuple[Material, Material]:
        """Of the teeth of wheel a and wheel b, as the model of the teeth has them; else steel."""
        return self.teeth(name).materials

    # -- stiffness

    def stiffness(self, name: str) -> StiffnessSeries | StiffnessTable:
        """Of the mesh, as its model's field `stiffness` says."""
        chosen = self.flat.meshes[name].element.model.stiffness  # type: ignore[union-attr]
        if chosen.type == "constant":
            series = self._given(name, chosen)
        elif chosen.type == "table":
            series = self._table(name, chosen)
        else:
            series = self._method(name, chosen)
        if series.least <= 0:
            raise GeometryError(
                f"the stiffness falls to {series.least:.4g} N/m in a mesh cycle, but must stay above zero; "
                "make its harmonics smaller"
            )
        return series

    def _given(self, name: str, chosen: Any) -> StiffnessSeries:
        orders = tuple(sorted({h.order for h in chosen.variation}))
        harmonics = np.zeros((len(orders), 2))
        for h in chosen.variation:
            amplitude, phase = self.value(name, h.amplitude), self.value(name, h.phase)
            harmonics[orders.index(h.order)] += amplitude * np.sin(phase), amplitude * np.cos(phase)
        return StiffnessSeries(self.value(name, chosen.value), orders, harmonics)

    def _table(self, name: str, chosen: Any) -> StiffnessSeries | StiffnessTable:
        phase, value = (
            np.array([self.value(name, x) for x in column]) for column in (chosen.phase, chosen.value)
        )
        table = StiffnessTable(phase, value)
        return table if chosen.harmonics is None else table.series(chosen.harmonics)

    def _method(self, name: str, chosen: Any) -> StiffnessSeries:
        pair = self.pair(name)
        if pair is None:
            why = self.why_not(name) or "its teeth are not cylindrical"
            raise GeometryError(f"stiffness by `{chosen.type}` needs the shape of the teeth: {why}")
        if pair.face_width <= 0:
            raise GeometryError(
                f"stiffness by `{chosen.type}` needs the `face_width` of the mesh; give it, or a stiffness in N/m"
            )
        materials = self.materials(name)
        if chosen.type == "iso":
            load = None if chosen.line_load is None else self.value(name, chosen.line_load)
            return _series(_cycle("iso", pair, materials, load), 0)
        if chosen.type == "beam":
            load = self.value(name, chosen.line_load)
            return _series(_cycle("beam", pair, materials, load), chosen.harmonics)
        ratios = (3.0, 3.0)
        if chosen.bores is not None:
            bores = [self.value(name, bore) for bore in chosen.bores]
            roots = [pair.a.root_diameter / 2, bores[1] * 3]
            if isinstance(pair, GearPair) and not pair.internal:
                roots[1] = pair.b.root_diameter / 2
            ratios = (roots[0] / bores[0], roots[1] / bores[1])
        return _series(_cycle("energy", pair, materials, ratios), chosen.harmonics)


@lru_cache(maxsize=64)
def _cycle(
    method: str, pair: GearPair | RackPair, materials: tuple[Material, Material], setting: Any
) -> MeshCycle:
    """Kept, as sweeps of parameters ask for the same teeth again and again."""
    if method == "iso":
        return Iso6336(pair, materials, line_load=setting).cycle(8)
    if method == "beam":
        return BeamSlices(pair, materials, line_load=setting).cycle(SAMPLES)
    return EnergyMethod(pair, materials, bore_ratios=setting).cycle(SAMPLES)


def _series(cycle: MeshCycle, count: int) -> StiffnessSeries:
    """c_n and s_n of Re(C_n exp(2 pi i n tau)) are Re(C_n) and -Im(C_n)."""
    waves = cycle.harmonics(count)[1:]
    orders = tuple(range(1, count + 1))
    return StiffnessSeries(cycle.mean, orders, np.stack([np.real(waves), -np.imag(waves)], axis=1))
