"""Distance in the plane, and the revolute-revolute joint, which is the same equation: a massless rod with two hinges.

Equation (1), with d = p_b - p_a, n = d/|d| and D = d' its rate::

    Phi   = |d| - length = 0
    Phi_q = [-n^T, -n . B_a s_a',  n^T, n . B_b s_b']
    nu    = 0
    gamma = -((|D|^2 - (n . D)^2)/|d| - n . (A_b s_b' w_b^2 - A_a s_a' w_a^2))

Departure from the source (Haug, 1989, sec. 3.3): there the row is d . d - C^2. Written with the distance itself the
multiplier is the force in the rod (N, tension positive), and Newton's method converges in one step along the rod.
`length` must be positive; left out, it is the distance at the given position. A point of ground as the first makes
it the course's absolute distance.
"""

from __future__ import annotations

from ..joints.distance import Distance as SpatialDistance


class Distance(SpatialDistance):
    """The row in space is right in the plane as it is."""


class RevoluteRevolute(Distance):
    type = "revolute_revolute"
