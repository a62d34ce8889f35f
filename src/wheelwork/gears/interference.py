"""What can go wrong with a pair of gears, found by number.

One gear
    undercut            a rack-type tool cuts away involute at the root: x_E < x_min
    pointed teeth       the flanks meet below the tip circle; thin tips (s_an < 0.2 m_n; hardened teeth want 0.4 m_n)
Any pair
    contact ratio       epsilon_alpha (spur) or epsilon_gamma (helical) below 1: no steady motion; below 1.2: little
    fillet interference a tip reaches below the other wheel's form circle, where a fillet is in its way
    lost contact        the same where the root is undercut: nothing strikes, but contact ends early
    tip clearance       a tip touches the other wheel's root
    backlash            negative: the teeth jam
Internal pairs, in the notation of the text-books (KHK, Gear Technical Reference, "internal gears"; there after
Colbourne), with alpha_a the pressure angle at a tip circle, for teeth without backlash:
    involute            the ring's tip lies inside T1 on the line of action, or inside its own base circle:
                        d_ab < d_bb, or sqrt(r_ab^2 - r_bb^2) < a_w sin(alpha_w)
    trochoid            the pinion's tip, leaving mesh, strikes the ring's tip:
                        needs theta_1 z_a/z_b + inv(alpha_w) - inv(alpha_ab) >= theta_2 with
                        theta_1 = arccos((r_ab^2 - r_aa^2 - a^2)/(2 a r_aa)) + inv(alpha_aa) - inv(alpha_w),
                        theta_2 = arccos((a^2 + r_ab^2 - r_aa^2)/(2 a r_ab))
    trimming            the pinion cannot be put into the ring radially, only along its axis:
                        needs theta_1 + inv(alpha_aa) - inv(alpha_w)
                        >= (z_b/z_a)(theta_2 + inv(alpha_ab) - inv(alpha_w)), with
                        sin(theta_1)^2 = (1 - (cos(alpha_aa)/cos(alpha_ab))^2) / (1 - (z_a/z_b)^2),
                        sin(theta_2)^2 = ((cos(alpha_ab)/cos(alpha_aa))^2 - 1) / ((z_b/z_a)^2 - 1)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import acos, asin, cos, degrees, hypot, inf, sin, sqrt
from typing import Literal

from wheelwork.lazy import dataclass

from .backlash import backlash
from .gear import Gear
from .involute import involute, pressure_angle_at
from .outline import half_tooth
from .pair import GearPair
from .rack_pair import RackPair

LEAST_TIP_THICKNESS = 0.2  # of the normal module
LEAST_CLEARANCE = 0.1


@dataclass(frozen=True)
class Finding:
    """Something about a gear or a pair that a designer should know.

    level: `error` (does not work) or `warning` (works, but look at it)
    kind: one word or two, such as `undercut`
    message: what is the case, with numbers, and what to do
    """

    level: Literal["error", "warning"]
    kind: str
    message: str


error, warning = partial(Finding, "error"), partial(Finding, "warning")


def findings_of_gear(gear: Gear, name: str = "the gear") -> Iterator[Finding]:
    """Undercut and tip thickness of one gear."""
    if not gear.internal and half_tooth(gear).undercut:
        form = 2e3 * half_tooth(gear).form_radius
        yield warning(
            "undercut",
            f"{name} is undercut: its generating profile shift is {gear.generating_profile_shift:.3f}, and below "
            f"{gear.least_profile_shift:.3f} the tool cuts into the involute, which now begins at a diameter of "
            f"{form:.3f} mm; raise profile_shift or take more teeth",
        )
    tip = gear.tip_thickness * cos(gear.helix_angle)
    if tip < 0:
        yield error(
            "pointed teeth",
            f"the teeth of {name} come to a point at a diameter of {gear.pointed_diameter * 1e3:.3f} mm, below "
            f"the tip circle of {gear.tip_diameter * 1e3:.3f} mm; lower profile_shift, or shorten the teeth with "
            f"tip_alteration",
        )
    elif tip < LEAST_TIP_THICKNESS * gear.module:
        yield warning(
            "thin tips",
            f"the teeth of {name} are {tip * 1e3:.3f} mm thick at the tip, {tip / gear.module:.2f} modules; less "
            f"than {LEAST_TIP_THICKNESS} modules tends to break (hardened teeth: 0.4)",
        )


def findings(pair: GearPair | RackPair, names: tuple[str, str] = ("wheel a", "wheel b")) -> list[Finding]:
    """All findings about a pair, errors first."""
    out = [*findings_of_gear(pair.a, names[0])]
    if isinstance(pair, GearPair):
        out += findings_of_gear(pair.b, names[1])
        out += _internal(pair, names) if pair.internal else ()
    out += [*_contact_ratio(pair), *_fillets(pair, names), *_clearance(pair, names), *_backlash(pair)]
    return sorted(out, key=lambda finding: finding.level != "error")


def _contact_ratio(pair: GearPair | RackPair) -> Iterator[Finding]:
    ratio = pair.transverse_contact_ratio
    helical = pair.a.helix_angle != 0
    whole = pair.total_contact_ratio if helical else ratio
    said = f"the contact ratio is {ratio:.3f}" + (f", with overlap {whole:.3f}" if helical else "")
    if whole < 1:
        yield error(
            "contact ratio",
            f"{said}: below 1 there are positions in which no teeth touch; bring the wheels closer, take more or "
            f"longer teeth" + (", or a wider face" if helical else ""),
        )
    elif whole < 1.2:
        words = "below 1.2 the next pair engages late, deviations considered"
        yield warning("contact ratio", f"{said}: {words}")


def _fillets(pair: GearPair | RackPair, names: tuple[str, str]) -> Iterator[Finding]:
    """Tips that reach below the form circle of the other wheel."""
    whole, used = pair.tip_path, pair.path
    slack = 2e-3 * pair.a.module  # ISO 53 A itself ends its flanks 3e-5 modules early
    hidden = (
        isinstance(pair, GearPair) and pair.internal and involute_margin(pair) < 0
    )  # said with another name
    pointed_b = isinstance(pair, GearPair) and not pair.internal and pair.b.tip_thickness < 0
    if used.start > whole.start + slack and not hidden and not pointed_b:
        met = 2e3 * hypot(pair.a.base_diameter / 2, whole.start)
        where = f"at a diameter of {met:.3f} mm"
        if whole.start < 0:
            where = f"{-1e3 * whole.start:.3f} mm beyond the end of the line of action"
        yield _fillet(names[1], names[0], where, pair.a)
    if used.end < whole.end - slack and pair.a.tip_thickness >= 0:
        if isinstance(pair, RackPair):
            yield _fillet(names[0], names[1], "below the end of its straight flanks", None)
        else:
            met = 2e3 * hypot(pair.b.base_diameter / 2, float(whole.curvature_b(whole.end)))
            yield _fillet(names[0], names[1], f"at a diameter of {met:.3f} mm", pair.b)


def _fillet(tip: str, root: str, where: str, gear: Gear | None) -> Finding:
    """An undercut root gives way to the tip: contact is lost and nothing strikes."""
    half = None if gear is None else half_tooth(gear)
    ends = "ends already" if gear is not None and gear.internal else "begins only"
    form = "" if half is None else f", and its involute {ends} at {2e3 * half.form_radius:.3f} mm"
    if half is not None and half.undercut:
        return warning(
            "lost contact",
            f"the tips of {tip} would meet {root} {where}{form}; the undercut there costs contact ratio",
        )
    return error(
        "fillet interference",
        f"the tips of {tip} meet {root} {where}{form}: they strike the fillet; shorten the tips with tip_alteration, "
        "shift the profiles, or move the wheels apart",
    )


def _clearance(pair: GearPair | RackPair, names: tuple[str, str]) -> Iterator[Finding]:
    for k, clearance in enumerate(pair.tip_clearances):
        ratio = clearance / pair.a.module
        said = f"the tip clearance of {names[k]} in {names[1 - k]} is {clearance * 1e3:.3f} mm, {ratio:.3f} modules"
        cure = ""
        if isinstance(pair, GearPair) and not pair.internal:
            needed = pair.clearance_keeping_alteration
            cure = f"; tip_alteration {needed:.4f} keeps that of the basic rack" if needed < 0 else ""
        if clearance < 0:
            yield error("tip clearance", f"{said}: the tip cuts into the root{cure}")
        elif ratio < LEAST_CLEARANCE:
            yield warning("tip clearance", f"{said}; usual are 0.1 to 0.3{cure}")


def _backlash(pair: GearPair | RackPair) -> Iterator[Finding]:
    gap = backlash(pair).circumferential
    if gap <= -1e-9:
        yield error(
            "backlash",
            f"the teeth jam: the backlash is {gap * 1e3:.4f} mm; move the wheels apart, lower the profile shifts, or "
            "give a (more negative) thickness_allowance",
        )


# -- internal pairs


def _internal(pair: GearPair, names: tuple[str, str]) -> Iterator[Finding]:
    if (margin := involute_margin(pair)) < 0:
        yield error(
            "involute interference",
            f"the tip circle of {names[1]} ({pair.b.tip_diameter * 1e3:.3f} mm) reaches "
            f"{-margin * 1e3:.3f} mm too far in: "
            + (
                f"its base circle has {pair.b.base_diameter * 1e3:.3f} mm"
                if pair.b.tip_diameter < pair.b.base_diameter
                else "past the end of the line of action"
            )
            + "; shorten its teeth with tip_alteration or make its profile_shift more negative",
        )
    if (margin := trochoid_margin(pair)) < 0:
        yield error(
            "trochoid interference",
            f"the tips of {names[0]} strike those of {names[1]} when they leave mesh, by {-degrees(margin):.3f} "
            f"deg of the ring: a difference of {pair.b.teeth - pair.a.teeth:g} teeth is too small; take more, or "
            "shorten the tips",
        )
    if (margin := trimming_margin(pair)) < 0:
        yield warning(
            "trimming interference",
            f"{names[0]} cannot be put into {names[1]} radially (by {-degrees(margin):.3f} deg), only along the "
            "axis, and a shaper cutter of its size would trim the ring's tips; a difference of "
            f"{pair.b.teeth - pair.a.teeth:g} teeth is too small for that",
        )


def _tip_angles(pair: GearPair) -> tuple[float, float]:
    """Pressure angles at the tip circles; of a tip inside the base circle, 0."""
    return (
        float(pressure_angle_at(pair.a.tip_diameter, pair.a.base_diameter)),
        float(pressure_angle_at(pair.b.tip_diameter, pair.b.base_diameter)),
    )


def involute_margin(pair: GearPair) -> float:
    """By how much [m, radially] the ring's tip circle stays outside the least one that the line of action allows."""
    base = pair.b.base_diameter / 2
    least = hypot(base, pair.working_centre_distance * sin(pair.working_pressure_angle))
    return pair.b.tip_diameter / 2 - least


def trochoid_margin(pair: GearPair) -> float:
    """Angle [rad] of the ring by which the pinion's tips clear the ring's tips; infinite where they never meet."""
    distance = pair.working_centre_distance
    tip_a, tip_b = pair.a.tip_diameter / 2, pair.b.tip_diameter / 2
    if tip_b >= distance + tip_a:
        return inf
    at_a, at_b = _tip_angles(pair)
    base = involute(pair.working_pressure_angle)
    cosine = (tip_b**2 - tip_a**2 - distance**2) / (2 * distance * tip_a)
    if cosine < -1:
        return inf
    theta_1 = acos(cosine) + float(involute(at_a) - base)
    theta_2 = acos((distance**2 + tip_b**2 - tip_a**2) / (2 * distance * tip_b))
    return theta_1 * pair.a.teeth / pair.b.teeth + float(base - involute(at_b)) - theta_2


def trimming_margin(pair: GearPair) -> float:
    """Angle [rad] of the pinion by which it clears the ring's tips when it is moved in radially; infinite where it
    clears them anyway."""
    at_a, at_b = _tip_angles(pair)
    u = pair.gear_ratio
    share = (cos(at_b) / cos(at_a)) ** 2 - 1
    if share <= 0:
        return inf
    first = (1 - (cos(at_a) / cos(at_b)) ** 2) / (1 - 1 / u**2)
    second = share / (u**2 - 1)
    if first > 1 or second > 1:
        return inf
    base = involute(pair.working_pressure_angle)
    theta_1, theta_2 = asin(sqrt(first)), asin(sqrt(second))
    return theta_1 + float(involute(at_a) - base) - u * (theta_2 + float(involute(at_b) - base))
