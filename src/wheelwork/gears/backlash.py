"""Backlash of a pair: where it comes from and how it is counted (ISO 21771:2007, 5.5; ISO/TR 10064-2).

    j_wt = p_wt - s_wa - s_wb        circumferential backlash, an arc of the working circles
    j_bn = j_wt cos(alpha_wt) cos(beta_b)     normal backlash: the shortest distance of the flanks that do not touch
    j_r = j_wt / (2 tan(alpha_wt))   radial backlash: by how much the centres could come closer
    phi_j = 2 j_wt / d_w             angular backlash of either wheel while the other is held

s_w is the tooth thickness on the working circle, so both sources are in it: a centre distance greater than that of
the profile shifts, and teeth made thinner by E_sn. Along the transverse line of action, where mesh stiffness is
counted, the clearance is j_bt = j_wt cos(alpha_wt); Bai's (3.4) has it as 2 B.
"""

from __future__ import annotations

from dataclasses import replace
from math import cos, inf, tan

from wheelwork.lazy import dataclass

from .pair import GearPair
from .rack_pair import RackPair


@dataclass(frozen=True)
class Backlash:
    """Backlash of a pair; negative where the teeth jam.

    circumferential: j_wt [m]
    transverse: j_bt [m], along the transverse line of action
    normal: j_bn [m]
    radial: j_r [m]
    angular: phi_j [rad] of wheel a and of wheel b; of a rack there is none, and its entry is 0
    from_centre_distance, from_allowance: the two parts of j_wt [m]
    given: whether it is not that of the teeth, but given for them
    """

    circumferential: float
    transverse: float
    normal: float
    radial: float
    angular: tuple[float, float]
    from_centre_distance: float
    from_allowance: float
    given: bool = False


def backlash(pair: GearPair | RackPair, given: float | None = None) -> Backlash:
    """Backlash at the pair's centre distance with its allowances; given [m]: j_bt in place of that, if any.

    >>> pair = GearPair.of((20, 40), 2e-3, centre_distance=60.1e-3)
    >>> round(backlash(pair).circumferential * 1e6, 1)
    73.4
    """
    circumferential, diameters = _gap(pair)
    nominal, _ = _gap(_without_allowance(pair))
    angle = pair.working_pressure_angle
    if given is not None:
        circumferential = given / cos(angle)
    transverse = circumferential * cos(angle)
    return Backlash(
        circumferential=circumferential,
        transverse=transverse,
        normal=transverse * cos(pair.a.base_helix_angle),
        radial=circumferential / (2 * tan(angle)),
        angular=(2 * circumferential / diameters[0], 2 * circumferential / diameters[1]),
        from_centre_distance=nominal,
        from_allowance=circumferential - nominal,
        given=given is not None,
    )


def _gap(pair: GearPair | RackPair) -> tuple[float, tuple[float, float]]:
    """j_wt and the working diameters [m]."""
    if isinstance(pair, RackPair):
        a, diameter = pair.a, pair.a.reference_diameter
        # Where the rolling line is on the rack: its teeth are thicker behind the reference line.
        behind = diameter / 2 - pair.working_distance
        rack = pair.rack_thickness + 2 * behind * tan(pair.working_pressure_angle)
        return a.transverse_pitch - a.thickness(diameter) - rack, (diameter, inf)
    d_a, d_b = pair.working_diameters
    return pair.working_pitch - pair.a.thickness(d_a) - pair.b.thickness(d_b), (d_a, d_b)


def _without_allowance(pair: GearPair | RackPair) -> GearPair | RackPair:
    a = pair.a.with_(thickness_allowance=0.0)
    if isinstance(pair, RackPair):
        return replace(pair, a=a, rack_thickness_allowance=0.0)
    return replace(pair, a=a, b=pair.b.with_(thickness_allowance=0.0))


def allowance_for(pair: GearPair, normal_backlash: float) -> float:
    """The thickness allowance E_sn [m] which, given to both wheels of a pair, leaves this normal backlash [m].

    On the reference circle E_sn takes E_sn/cos(beta) from the transverse thickness; on the working circle that is wider
    by d_w/d. The sum of both wheels gives j_wt.
    """
    need = normal_backlash / (cos(pair.working_pressure_angle) * cos(pair.a.base_helix_angle))
    bare, (d_a, d_b) = _gap(_without_allowance(pair))
    widened = d_a / pair.a.reference_diameter + d_b / pair.b.reference_diameter
    return -(need - bare) * cos(pair.a.helix_angle) / widened
