"""Data sheets: the quantities of a pair with their names, symbols and units, as ISO 21771 has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import singledispatch
from math import degrees, isfinite, pi
from typing import Any

from .backlash import Backlash, backlash
from .bevel import BevelPair
from .crossed import CrossedPair
from .cycloid import CycloidDrive
from .gear import Gear
from .interference import Finding, findings
from .involute import GeometryError
from .outline import half_tooth
from .pair import GearPair
from .planetary import PlanetarySet
from .rack_pair import RackPair
from .stiffness import STEEL, EnergyMethod, Iso6336, Material
from .worm import WormPair

UNITS = {"mm": 1e3, "um": 1e6, "deg": 180 / pi, "": 1.0, "N/(mm um)": 1e-9}
"""Units on a sheet: SI times this."""


@dataclass(frozen=True)
class Entry:
    """One line of a sheet.

    name, symbol: of the quantity
    unit: one of `UNITS`
    values: in SI units; None where it does not apply
    """

    name: str
    symbol: str
    unit: str
    values: tuple[float | None, ...]

    @property
    def shown(self) -> list[str]:
        """Values in the unit, as text."""
        return [_text(value, self.unit) for value in self.values]


@dataclass(frozen=True)
class SheetTable:
    """Entries under the same headings."""

    title: str
    columns: tuple[str, ...]
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Sheet:
    """All about one pair; `findings` is None where nothing was looked for."""

    tables: tuple[SheetTable, ...]
    findings: tuple[Finding, ...] | None


def _text(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    if not isfinite(value):
        return "infinite"
    number = value * UNITS[unit]
    if unit == "" and number == round(number) and abs(number) < 1e6:
        return f"{number:.0f}"
    digits = {"mm": 4, "um": 1, "deg": 4, "": 4}.get(unit, 3)
    text = f"{number:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text


Names = tuple[str, str]
Materials = tuple[Material, Material]


@singledispatch
def sheet(pair: Any, names: Names = ("wheel a", "wheel b"), materials: Materials = (STEEL, STEEL)) -> Sheet:
    """The data sheet of a pair; materials: of wheel a and wheel b. Those of cylindrical wheels take a fourth,
    the backlash along the transverse line of action [m] that is given in place of that of the teeth.

    Teeth of your own have one by a function of the same arguments under `@sheet.register`.
    """
    kind = type(pair).__name__
    raise GeometryError(
        f"there is no data sheet of teeth `{kind}`; write one, with `sheet.register({kind})` over it"
    )


@sheet.register(GearPair | RackPair)
def _(
    pair: Any,
    names: Names = ("wheel a", "wheel b"),
    materials: Materials = (STEEL, STEEL),
    given: float | None = None,
) -> Sheet:
    gap = backlash(pair, given)
    tables = (
        _wheels(pair, names, gap),
        _pair(pair, gap),
        _line_of_action(pair, names),
        *_stiffness(pair, materials),
    )
    return Sheet(tables, tuple(findings(pair, names)))


@sheet.register
def _(pair: BevelPair, names: Names = ("wheel a", "wheel b"), materials: Any = None) -> Sheet:
    virtual = pair.virtual_pair
    tables = _bevel(pair, names), _pair(virtual, backlash(virtual), "Virtual pair")
    return Sheet(tables, tuple(findings(virtual, names)))


@sheet.register
def _(pair: WormPair, names: Names = ("wheel a", "wheel b"), materials: Any = None) -> Sheet:
    return Sheet((_worm(pair, names),), None)


@sheet.register
def _(pair: CrossedPair, names: Names = ("wheel a", "wheel b"), materials: Any = None) -> Sheet:
    return Sheet((_crossed(pair, names),), None)


@sheet.register
def _(pair: CycloidDrive, names: Names = ("wheel a", "wheel b"), materials: Any = None) -> Sheet:
    return Sheet((_cycloid(pair, names),), None)


Row = tuple[str, str, str, float | Iterable[float | None]]
"""Name, symbol, unit, and values by column; one that is of the whole stands in the first column."""


def _table(title: str, columns: tuple[str, ...], rows: Iterable[Row]) -> SheetTable:
    def entries() -> Iterator[Entry]:
        for name, symbol, unit, given in rows:
            values = tuple(given) if isinstance(given, Iterable) else (given, *[None] * (len(columns) - 1))
            yield Entry(name, symbol, unit, values)

    return SheetTable(title, columns, tuple(entries()))


def _wheels(pair: GearPair | RackPair, names: tuple[str, str], gap: Backlash) -> SheetTable:
    if isinstance(pair, RackPair):
        gears: tuple[Gear, ...] = (pair.a,)
        working: tuple[float, ...] = (pair.a.reference_diameter,)
    else:
        gears, working = (pair.a, pair.b), pair.working_diameters

    def rows() -> Iterator[Row]:
        yield "teeth", "z", "", [g.teeth for g in gears]
        yield "profile shift", "x", "", [g.profile_shift for g in gears]
        if pair.a.helix_angle:
            yield "helix angle, right-handed positive", "beta", "deg", [g.helix_angle for g in gears]
            yield "virtual number of teeth", "z_n", "", [g.virtual_teeth for g in gears]
        yield "reference diameter", "d", "mm", [g.reference_diameter for g in gears]
        yield "base diameter", "d_b", "mm", [g.base_diameter for g in gears]
        yield "working diameter", "d_w", "mm", working
        yield "tip diameter", "d_a", "mm", [g.tip_diameter for g in gears]
        yield "root diameter", "d_f", "mm", [g.root_diameter for g in gears]
        yield "root form diameter", "d_Ff", "mm", [2 * half_tooth(g).form_radius for g in gears]
        yield "tooth thickness at d (transverse)", "s_t", "mm", [g.reference_thickness for g in gears]
        yield "tooth thickness at the tip", "s_at", "mm", [g.tip_thickness for g in gears]
        yield (
            "least profile shift without undercut",
            "x_min",
            "",
            [None if g.internal else g.least_profile_shift for g in gears],
        )
        yield "tip clearance", "c", "mm", pair.tip_clearances[: len(gears)]
        yield "angular backlash", "phi_j", "deg", gap.angular[: len(gears)]

    return _table("Wheels", names[: len(gears)], rows())


def _pair(pair: GearPair | RackPair, gap: Backlash, title: str = "Pair") -> SheetTable:
    a = pair.a

    def rows() -> Iterator[Row]:
        yield "normal module", "m_n", "mm", a.module
        yield "normal pressure angle", "alpha_n", "deg", a.normal_pressure_angle
        if a.helix_angle:
            yield "transverse pressure angle", "alpha_t", "deg", a.transverse_pressure_angle
            yield "base helix angle", "beta_b", "deg", abs(a.base_helix_angle)
        yield "working pressure angle", "alpha_wt", "deg", pair.working_pressure_angle
        if isinstance(pair, GearPair):
            yield "gear ratio", "u", "", pair.gear_ratio
            yield "reference centre distance", "a_d", "mm", pair.reference_centre_distance
            yield "working centre distance", "a_w", "mm", pair.working_centre_distance
        else:
            yield "axis to reference line of the rack", "H", "mm", pair.working_distance
        yield "base pitch", "p_bt", "mm", a.base_pitch
        yield "length of path of contact", "g_alpha", "mm", pair.path.length
        yield "transverse contact ratio", "epsilon_alpha", "", pair.transverse_contact_ratio
        if a.helix_angle and pair.face_width:
            yield "overlap ratio", "epsilon_beta", "", pair.overlap_ratio
            yield "total contact ratio", "epsilon_gamma", "", pair.total_contact_ratio
        yield "circumferential backlash", "j_wt", "um", gap.circumferential
        if gap.given:
            yield "  as the model of the mesh has it", "", "um", gap.circumferential
        else:
            yield "  from the centre distance", "", "um", gap.from_centre_distance
            yield "  from thickness allowances", "", "um", gap.from_allowance
        yield "normal backlash", "j_bn", "um", gap.normal
        yield "radial backlash", "j_r", "um", gap.radial

    return _table(title, ("",), rows())


def _line_of_action(pair: GearPair | RackPair, names: tuple[str, str]) -> SheetTable:
    path = pair.path
    points = ("start", "lower single contact", "pitch point", "upper single contact", "end")
    words = dict(zip("ABCDE", points, strict=True))

    def rows() -> Iterator[Row]:
        for letter, position in path.points.items():
            if isinstance(pair, RackPair):
                radius = float((position**2 + (pair.a.base_diameter / 2) ** 2) ** 0.5)
                yield words[letter], letter, "mm", [position, 2 * radius]
            else:
                r_a, r_b = pair.radii(position)
                yield words[letter], letter, "mm", [position, 2 * float(r_a), 2 * float(r_b)]

    columns = ("from T1", f"diameter on {names[0]}", f"diameter on {names[1]}")
    return _table("Line of action", columns[:2] if isinstance(pair, RackPair) else columns, rows())


def _stiffness(pair: GearPair | RackPair, materials: tuple[Material, Material]) -> tuple[SheetTable, ...]:
    """For unit face width; none where the face width is not known or the teeth do not reach."""
    if pair.total_contact_ratio < 1:
        return ()
    try:
        iso, energy = Iso6336(pair, materials), EnergyMethod(pair, materials)
    except GeometryError:
        return ()
    cycle = energy.cycle(64)
    b = pair.face_width
    standard = "ISO 6336-1" + (" (profile shifts out of its range)" if iso.out_of_range else "")
    rows = [
        (f"single pair, {standard}", "c'", "N/(mm um)", iso.single),
        (f"mesh, {standard}", "c_gamma", "N/(mm um)", iso.mean),
        ("single pair at the pitch point, energy", "", "N/(mm um)", _at_pitch_point(energy)),
        ("mesh, energy, mean", "", "N/(mm um)", cycle.mean / b),
        ("mesh, energy, least", "", "N/(mm um)", float(cycle.stiffness.min()) / b),
        ("mesh, energy, greatest", "", "N/(mm um)", float(cycle.stiffness.max()) / b),
    ]
    moduli = [material.youngs_modulus for material in materials]
    if materials == (STEEL, STEEL):
        title = "Stiffness of steel teeth"
    elif materials[0] == materials[1]:
        title = f"Stiffness of teeth with E = {moduli[0] / 1e9:.4g} GPa"
    else:
        title = f"Stiffness of teeth with E = {moduli[0] / 1e9:.4g} and {moduli[1] / 1e9:.4g} GPa"
    return (_table(title, ("",), rows),)


def _at_pitch_point(energy: EnergyMethod) -> float:
    path = energy.pair.path
    inside = min(max(path.pitch_point, path.start), path.end)
    return float(energy.pair_stiffness(inside)) / energy.pair.face_width


def _bevel(pair: BevelPair, names: tuple[str, str]) -> SheetTable:
    rows: list[Row] = [
        ("teeth", "z", "", pair.teeth),
        ("pitch cone angle", "delta", "deg", pair.cone_angles),
        ("outer pitch diameter", "d_e", "mm", pair.outer_diameters),
        ("mean pitch diameter", "d_m", "mm", pair.mean_diameters),
        ("virtual number of teeth", "z_v", "", pair.virtual_teeth),
        ("outer transverse module", "m_et", "mm", pair.outer_module),
        ("mean normal module", "m_mn", "mm", pair.mean_module),
        ("outer cone distance", "R_e", "mm", pair.outer_cone_distance),
        ("face width", "b", "mm", pair.face_width),
        ("shaft angle", "Sigma", "deg", pair.shaft_angle),
        ("mean spiral angle", "beta_m", "deg", pair.spiral_angle),
    ]
    return _table("Bevel wheels", names, rows)


def _worm(pair: WormPair, names: tuple[str, str]) -> SheetTable:
    rows: list[Row] = [
        ("threads and teeth", "z", "", [pair.threads, pair.wheel_teeth]),
        ("reference diameter", "d", "mm", [pair.worm_diameter, pair.wheel_diameter]),
        ("axial module", "m_x", "mm", pair.axial_module),
        ("normal module", "m_n", "mm", pair.normal_module),
        ("normal pressure angle", "alpha_n", "deg", pair.pressure_angle),
        ("axial pressure angle", "alpha_x", "deg", pair.axial_pressure_angle),
        ("diameter quotient", "q", "", pair.diameter_quotient),
        ("lead", "p_z", "mm", pair.lead),
        ("lead angle", "gamma", "deg", pair.lead_angle),
        ("gear ratio", "u", "", pair.gear_ratio),
        ("centre distance", "a", "mm", pair.centre_distance),
    ]
    for friction in (0.03, 0.06, 0.1):
        forward, back = pair.efficiency(friction)
        rows.append((f"efficiency driving, friction {friction:g}", "eta", "", [forward, max(back, 0.0)]))
    return _table("Worm and wheel", names, rows)


def _crossed(pair: CrossedPair, names: tuple[str, str]) -> SheetTable:
    return _table(
        "Crossed helical wheels",
        names,
        [
            ("teeth", "z", "", pair.teeth),
            ("helix angle, right-handed positive", "beta", "deg", pair.helix_angles),
            ("reference diameter", "d", "mm", pair.reference_diameters),
            ("normal module", "m_n", "mm", pair.module),
            ("shaft angle", "Sigma", "deg", pair.shaft_angle),
            ("centre distance", "a", "mm", pair.centre_distance),
            ("gear ratio", "u", "", pair.gear_ratio),
            ("sliding over pitch speed", "v_g/v_a", "", pair.sliding_ratio),
        ],
    )


def _cycloid(drive: CycloidDrive, names: tuple[str, str]) -> SheetTable:
    bottom, top = drive.radii
    return _table(
        "Cycloid disc and pins",
        names,
        [
            ("lobes and pins", "z", "", [drive.lobes, drive.pins]),
            ("pitch radius", "e z", "mm", drive.pitch_radii),
            ("eccentricity", "e", "mm", drive.eccentricity),
            ("radius of the pin circle", "R", "mm", [None, drive.pin_circle]),
            ("radius of the pins", "r", "mm", [None, drive.pin_radius]),
            ("equidistant modification", "", "um", drive.offset),
            ("moved-distance modification", "", "um", drive.shift),
            ("radius of valleys and lobes", "", "mm", [bottom, top]),
            ("shortening", "K", "", drive.shortening),
            (
                "largest pin radius without undercut",
                "",
                "mm",
                [None, drive.least_convex_radius - drive.offset],
            ),
            ("largest lobe force for 1 N m", "4/(e z z_p)", "", drive.largest_force(1.0)),
        ],
    )


def planetary_sheet(stage: PlanetarySet) -> Sheet:
    """The data sheet of a planetary set."""
    sun, planet, ring = stage.teeth
    sun_phase, ring_phase = stage.phases
    rows: list[Row] = [
        ("teeth of sun, planet, ring", "z", "", [sun, planet, ring]),
        (
            "centre distance at sun and ring",
            "a_w",
            "mm",
            [stage.sun.working_centre_distance, stage.ring.working_centre_distance, None],
        ),
        ("planets fit every", "2 pi/(z_s + z_r)", "deg", stage.assembly_step),
        ("between tips of neighbours", "", "mm", stage.neighbour_clearance),
        ("ring mesh behind sun mesh, in periods", "gamma_rs", "", stage.ring_sun_phase),
    ]
    planets = [
        (f"planet {k + 1}", "", "", [degrees(angle), sun_phase[k], ring_phase[k], degrees(stage.misfits[k])])
        for k, angle in enumerate(stage.angles)
    ]
    columns = ("place [deg]", "phase at the sun", "phase at the ring", "misfit [deg]")
    return Sheet(
        (_table("Planetary set", ("", "", ""), rows), _table("Planets", columns, planets)),
        tuple(stage.findings()),
    )
