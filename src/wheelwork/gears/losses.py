r"""What teeth lose to friction as they roll: the loss factor H_v of a pair.

Flanks slide on each other except at the pitch point C, with the speed (w_a + w_b) |xi| at the place xi from C on the
line of action (the difference of the speeds in a ring). The load F_t/(cos(alpha_wt) cos(beta_b)) is shared evenly by
the pairs in contact, or along all lines of contact of a helical pair, so that the power lost over a mesh cycle is
mu H_v times the power that goes through, with

    H_v = 2 pi (1/z_a + 1/z_b)/(p_bt cos(beta_b)) mean over tau of (sum of |xi|/number of places in contact)

z_b is negative for a ring, infinite for a rack. For a spur pair with a contact ratio between 1 and 2 the mean is that
of Ohlendorf (G. Niemann, H. Winter, Maschinenelemente II, 1983, sec. 21.11),

    H_v = pi (1/z_a + 1/z_b)/cos(beta_b) (1 - eps_alpha + eps_1^2 + eps_2^2)

eps_1 and eps_2 the parts of the contact ratio before and after C. The path of contact is that of the teeth themselves,
with their addenda, tip alterations and profile shifts, as they stand at their distance.

Helical teeth of which no face width is known count as if they had no overlap.
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, tan

import numpy as np

from .involute import GeometryError
from .pair import GearPair
from .rack_pair import RackPair


def loss_factor(pair: GearPair | RackPair) -> float:
    """H_v: the power lost is H_v times the coefficient of friction times the power transmitted.

    Example:
        >>> from wheelwork.gears import GearPair, loss_factor
        >>> round(loss_factor(GearPair.of((20, 40), 2e-3)), 4)
        0.1661
    """
    path, a = pair.path, pair.a
    if path.length <= 0:
        raise GeometryError("these teeth never touch: the path of contact has no length")
    if pair.total_contact_ratio < 1 - 1e-6:
        raise GeometryError(
            f"the contact ratio is {pair.total_contact_ratio:.3f}, but teeth that transmit continuously need at least 1"
        )
    start, end = ((x - path.pitch_point) / path.base_pitch for x in (path.start, path.end))
    lean = pair.face_width * abs(tan(a.base_helix_angle)) / path.base_pitch
    curvature = 1 / a.teeth
    if isinstance(pair, GearPair):
        curvature += pair.sign / pair.b.teeth
    return float(2 * pi * curvature / cos(a.base_helix_angle) * _mean_distance(start, end, lean))


def _mean_distance(start: float, end: float, lean: float) -> float:
    """Mean of |xi| over a mesh cycle, all in base pitches.

    lean: by how much a flank reaches further along the line of action at one side of its face than at the other
    """
    # Between these phases the pairs in contact stay the same and none passes the pitch point.
    ends = [x + side * lean / 2 for x in (start, end, 0.0) for side in (-1, 1)]
    breaks = np.unique(np.concatenate(([0.0, 1.0], np.mod(ends, 1.0))))
    nodes, weights = np.polynomial.legendre.leggauss(8)
    total = 0.0
    numbers = np.arange(np.floor(start - lean) - 1, np.ceil(end + lean) + 2)
    for low, high in pairwise(breaks):
        phase = low + (high - low) * (nodes + 1) / 2
        middle = phase[:, None] + numbers
        if lean == 0:
            length = ((middle >= start) & (middle <= end)).astype(float)
            moment = np.abs(middle) * length
        else:
            first, last = (np.clip(middle + side * lean / 2, start, end) for side in (-1, 1))
            length, moment = last - first, (last * np.abs(last) - first * np.abs(first)) / 2
        length, moment = length.sum(axis=1), moment.sum(axis=1)
        shared = np.where(length > 0, moment / np.where(length > 0, length, 1.0), 0.0)
        total += float(weights @ shared) / 2 * (high - low)
    return total
