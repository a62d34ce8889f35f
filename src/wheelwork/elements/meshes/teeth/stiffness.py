"""Where the stiffness of compliant teeth comes from: the field `stiffness` of the mesh model `compliant`.

All are stiffnesses along the transverse line of action, of all pairs of teeth in contact together. Over a mesh cycle
`constant`, `energy` and `beam` are kept as a mean value and a number of harmonics, a table as it stands.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from wheelwork.description import dimensions
from wheelwork.description.base import Evaluate, Issue, Part, between, whole
from wheelwork.description.values import Angle, Length, Number, NumberField, Stiffness, Value
from wheelwork.elements.meshes.teeth.materials import Elasticity, Modulus
from wheelwork.lazy import gears, stiffness
from wheelwork.lazy import numpy as np

if TYPE_CHECKING:
    from wheelwork.gears import GearPair, RackPair
    from wheelwork.gears.stiffness import Material, MeshCycle, SeriesCourse, TableCourse
    from wheelwork.layout.teeth import TeethAt

MOST_ORDER = 1000
HARMONICS = between(0, 30)
"""Of harmonics over a mesh cycle; teeth have no finer ones."""
MOST_POINTS = 1000
SAMPLES = 512
"""Of a mesh cycle."""
LineLoad = Annotated[Value, NumberField((dimensions.STIFFNESS,))]  # N/m as well


class StiffnessChoice(Part):
    """The stiffness of the teeth in mesh, over a mesh cycle."""

    family: ClassVar[str] = "mesh_stiffnesses"
    # Whether its mean is a number or formula of the description, its field `value`.
    is_given: ClassVar[bool] = False

    @abstractmethod
    def course(self, teeth: TeethAt, name: str) -> SeriesCourse | TableCourse:
        """Of a mesh, in numbers."""


class FromShape(StiffnessChoice):
    """A stiffness that follows from the shape of the teeth."""

    def course(self, teeth: TeethAt, name: str) -> SeriesCourse:
        kind = type(self).model_fields["type"].default
        pair = teeth.pair(name)
        if pair is None:
            why = teeth.why_not(name) or "its teeth are not cylindrical"
            raise gears.GeometryError(f"stiffness by `{kind}` needs the shape of the teeth: {why}")
        if pair.face_width <= 0:
            raise gears.GeometryError(
                f"stiffness by `{kind}` needs the `face_width` of the mesh; give it, or a stiffness in N/m"
            )
        cycle = _kept_cycle(self.cycle, pair, teeth.materials(name), self.setting(pair, teeth, name))
        count = getattr(self, "harmonics", 0)
        # c_n and s_n of Re(C_n exp(2 pi i n tau)) are Re(C_n) and -Im(C_n)
        waves = cycle.harmonics(count)[1:]
        both = np.stack([np.real(waves), -np.imag(waves)], axis=1)
        return stiffness.SeriesCourse(cycle.mean, tuple(range(1, count + 1)), both)

    @abstractmethod
    def setting(self, pair: GearPair | RackPair, teeth: TeethAt, name: str) -> Any:
        """What its method takes besides the pair and the materials."""

    @staticmethod
    @abstractmethod
    def cycle(pair: GearPair | RackPair, materials: tuple[Material, Material], setting: Any) -> MeshCycle:
        """Its method, over a mesh cycle."""

    def doubts(self, pair: GearPair | RackPair) -> str:
        """What a reader should know before using this stiffness for such teeth; empty if nothing."""
        return ""


@lru_cache(maxsize=64)
def _kept_cycle(
    method: Any, pair: GearPair | RackPair, materials: tuple[Material, Material], setting: Any
) -> MeshCycle:
    """Kept, as sweeps of parameters ask for the same teeth again and again."""
    return method(pair, materials, setting)


class StiffnessHarmonic(Part):
    """A part of the stiffness that repeats with every tooth: amplitude sin(2 pi order tau + phase), tau the phase of
    the mesh in mesh cycles.

    Fields:
        order [1]: periods in a mesh cycle, a whole number
        amplitude [N/m]: of the stiffness
        phase [rad]: where tau is 0
    """

    order: int = 1
    amplitude: Stiffness
    phase: Angle = 0.0
    ranges: ClassVar = {"order": whole(1, MOST_ORDER)}


class GivenStiffness(StiffnessChoice):
    """A number, as it stands in a catalogue, and how it varies.

    Fields:
        value [N/m]: mean over a mesh cycle
        variation: harmonics over a mesh cycle
    """

    type: Literal["constant"] = "constant"
    is_given = True
    value: Stiffness
    variation: tuple[StiffnessHarmonic, ...] = ()
    positive = ("value",)

    def course(self, teeth: TeethAt, name: str) -> SeriesCourse:
        orders = tuple(sorted({h.order for h in self.variation}))
        harmonics = np.zeros((len(orders), 2))
        for h in self.variation:
            amplitude, phase = teeth.value(name, h.amplitude), teeth.value(name, h.phase)
            harmonics[orders.index(h.order)] += amplitude * np.sin(phase), amplitude * np.cos(phase)
        return stiffness.SeriesCourse(teeth.value(name, self.value), orders, harmonics)


class IsoStiffness(Modulus, FromShape):
    """c_gamma of ISO 6336-1, method B: the same at every phase of the mesh.

    Fields:
        line_load [N/m]: tangential force over face width, where it is below 100 N/mm
    """

    type: Literal["iso"] = "iso"
    line_load: LineLoad | None = None
    positive = ("line_load",)

    def setting(self, pair, teeth, name):
        return None if self.line_load is None else teeth.value(name, self.line_load)

    @staticmethod
    def cycle(pair, materials, setting):
        return stiffness.Iso6336(pair, materials, line_load=setting).cycle(8)

    def doubts(self, pair: GearPair | RackPair) -> str:
        return stiffness.Iso6336(pair).out_of_range


class StiffnessHarmonics(Elasticity, FromShape):
    """The stiffness over a mesh cycle as harmonics.

    Fields:
        harmonics [1]: how many are kept; 0 for the mean alone
    """

    harmonics: int = 5
    ranges: ClassVar = {"harmonics": HARMONICS}


class EnergyStiffness(StiffnessHarmonics):
    """The energy method: bending, shear, compression, body and contact.

    Fields:
        bores [m]: radii of the bores of wheel a and wheel b; a third of the root circles where left out
    """

    type: Literal["energy"] = "energy"
    bores: tuple[Length, Length] | None = None
    positive = ("bores",)

    def setting(self, pair, teeth, name):
        if self.bores is None:
            return 3.0, 3.0
        bores = [teeth.value(name, bore) for bore in self.bores]
        roots = [pair.a.root_diameter / 2, bores[1] * 3]
        if isinstance(pair, gears.GearPair) and not pair.internal:
            roots[1] = pair.b.root_diameter / 2
        return roots[0] / bores[0], roots[1] / bores[1]

    @staticmethod
    def cycle(pair, materials, setting):
        return stiffness.EnergyMethod(pair, materials, bore_ratios=setting).cycle(SAMPLES)


class BeamStiffness(StiffnessHarmonics):
    """Cornell's beam of slices on an elastic base.

    Fields:
        line_load [N/m]: force over face width at which the contact is taken
    """

    type: Literal["beam"] = "beam"
    line_load: LineLoad = 200e3
    positive = ("line_load",)

    def setting(self, pair, teeth, name):
        return teeth.value(name, self.line_load)

    @staticmethod
    def cycle(pair, materials, setting):
        return stiffness.BeamSlices(pair, materials, line_load=setting).cycle(SAMPLES)


class TabledStiffness(StiffnessChoice):
    """A table over a mesh cycle, from finite elements or a measurement; straight lines between its points, from the
    last to the first too. Two values at one phase are a jump, and so are two at 0 and 1.

    Fields:
        phase [1]: of the mesh, from 0 where a pair of teeth enters contact (wheel a driving) to 1, not decreasing
        value [N/m]: of all pairs in contact, one for each phase
        harmonics [1]: how many are kept, 0 for the mean alone, in place of the lines themselves; at jumps some are
            missed by a tenth and more
    """

    type: Literal["table"] = "table"
    phase: tuple[Number, ...]
    value: tuple[Stiffness, ...]
    harmonics: int | None = None
    not_negative = ("value",)
    ranges: ClassVar = {"harmonics": HARMONICS}

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if not 2 <= len(self.phase) <= MOST_POINTS or len(self.phase) != len(self.value):
            yield Issue(
                "phase",
                f"needs as many phases as values, from two to {MOST_POINTS}, but has {len(self.phase)} and "
                f"{len(self.value)}",
            )
        known = [x for x in map(value, self.phase) if x is not None]
        if any(b < a for a, b in pairwise(known)) or any(not 0 <= x <= 1 for x in known):
            yield Issue("phase", "must go from 0 or more to 1 or less and must not decrease")
        elif len(known) == len(self.phase) > 1:
            triple = next((a for a, _, b in zip(known, known[1:], known[2:], strict=False) if a == b), None)
            if triple is not None:
                yield Issue("phase", f"has {triple:g} more than twice; a jump has two values")
            elif known[0] == known[-1]:
                yield Issue("phase", "needs two different phases at least")

    def course(self, teeth: TeethAt, name: str) -> SeriesCourse | TableCourse:
        phase, value = (
            np.array([teeth.value(name, x) for x in column]) for column in (self.phase, self.value)
        )
        table = stiffness.TableCourse(phase, value)
        return table if self.harmonics is None else table.series(self.harmonics)
