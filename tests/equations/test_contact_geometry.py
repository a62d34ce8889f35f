"""Contact points by direct formulas against those that the outlines of the teeth themselves give."""

from dataclasses import replace

import casadi as ca
import numpy as np
import pytest

from wheelwork.equations.tooth_section import SMALL, small_angle
from wheelwork.gears import RackPair, backlash

from .contact_wheels import CENTRE_B, KINDS, MODULE, Wheels, free_pair, teeth_of
from .touching_outlines import Placed, gaps

PHASE = 0.2


def test_small_angles_are_those_of_their_sines():
    """Series and arc tangent meet to round-off at either side of where one takes over from the other."""
    s, c = ca.SX.sym("s"), ca.SX.sym("c")
    angle = ca.Function("f", [s, c], [small_angle(s, c)])
    for sine in [*np.linspace(-2.0, 2.0, 81) * SMALL, SMALL * (1 - 1e-15), SMALL, 1e-9, 0.9]:
        cosine = np.sqrt((1 - sine) * (1 + sine))
        assert float(angle(sine, cosine)) == pytest.approx(float(np.arcsin(sine)), rel=3e-16)


def placed(kind, pair, moved, turn_a, turn_b) -> Placed:
    """Both wheels, with their teeth where the phase of the mesh says: see `wheelwork.layout.phases`."""
    path = pair.path
    circle = pair.a.reference_diameter
    thickness = pair.a.thickness(circle) / (np.pi * circle / pair.a.teeth)
    start = (path.pitch_point - path.start) / path.base_pitch + thickness / 2
    pitch = np.pi * MODULE
    place = (PHASE - start) * pitch
    centre = np.array(CENTRE_B[kind]) + moved[:2]
    a = place / (circle / 2) + (-np.pi / 2 if kind == "rack" else 0.0) + turn_a
    if kind == "rack":
        # on the line under the pinion's centre; b moves without turning
        along = np.array([place + pitch / 2 + turn_b, 0.0])
        return Placed(np.zeros(2), centre + along, a, 0.0)
    radius = pair.b.reference_diameter / 2
    arc = place + pitch / 2
    b = np.pi - arc / radius if kind == "external" else arc / radius
    return Placed(np.zeros(2), centre, a, b + turn_b)


def points_of(kind, pair, moved, signals, side) -> list[np.ndarray]:
    """Contact points from the signals, on the line of action of these centres."""
    centre = np.array(CENTRE_B[kind]) + moved[:2]
    if isinstance(pair, RackPair):
        pair = replace(pair, distance=pair.working_distance - moved[1])
        outward = np.array([0.0, -1.0])
    else:
        pair = replace(pair, centre_distance=float(np.hypot(*centre)))
        outward = centre / np.hypot(*centre) * (-1 if kind == "internal" else 1)
    forward = np.array([-outward[1], outward[0]])
    assert signals["path.start"] == pytest.approx(pair.path.start, abs=1e-12)
    assert signals["path.end"] == pytest.approx(pair.path.end, abs=1e-12)
    assert signals["backlash"] == pytest.approx(backlash(pair).transverse, abs=1e-12)
    word = "front" if side > 0 else "back"
    out = []
    for name, s in signals.items():
        inside = signals["path.start"] + 5e-5 < s < signals["path.end"] - 5e-5
        if name.startswith(word) and name.endswith(".position") and inside:
            x, y = pair.contact_point(s)
            out.append(x * outward + side * y * forward)
    return out


@pytest.mark.slow
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("kind", KINDS)
def test_contact_points_are_where_the_outlines_touch(kind, side):
    """At several distances of the centres, also with the line of centres turned; to 1e-9 m."""
    wheels, pair = Wheels(free_pair(kind)), teeth_of(kind)
    away = {"external": (1, 0), "internal": (1, 0), "rack": (0, -1)}[kind]  # opens the backlash
    rng = np.random.default_rng(2)
    seen = 0
    for apart in (0.0, 2e-4, -3e-5):
        for _ in range(3):
            moved = apart * np.array(away) + (0 if kind == "rack" else 1e-4) * np.array([0, rng.normal()])
            turn_a, turn_b = rng.uniform(-0.3, 0.3), 0.0

            def look(turn_b, moved=moved, turn_a=turn_a):
                pose = (*moved, turn_b) if kind != "rack" else (moved[0] + turn_b, moved[1], 0.0)
                return wheels.look((0, 0, turn_a), pose)[1]

            def depth(turn_b, look=look):
                signals = look(turn_b)
                return side * signals["transmission_error"] - signals["backlash"] / 2

            step = 1e-6
            for _ in range(3):  # turn b until the formulas say that flanks touch; depth is linear in its turn
                turn_b -= depth(turn_b) * step / (depth(turn_b + step) - depth(turn_b))
            signals = look(turn_b)
            assert depth(turn_b) == pytest.approx(0, abs=1e-14)
            mine = points_of(kind, pair, moved, signals, side)
            outlines = gaps(pair, placed(kind, pair, moved, turn_a, turn_b), side)
            touching = [(gap, point) for gap, point in outlines if abs(gap) < 1e-7]
            assert len(mine) >= 1
            for point in mine:
                gap, nearest = min(touching, key=lambda found: np.hypot(*(found[1] - point)))
                assert np.hypot(*(nearest - point)) < 1e-9
                assert abs(gap) < 1e-9
                seen += 1
            # the outlines touch nowhere else
            for _, point in touching:
                assert min(np.hypot(*(point - other)) for other in mine) < 1e-9 or _near_an_end(
                    point, pair, signals
                )
    assert seen >= 9


def _near_an_end(point, pair, signals) -> bool:
    """The test leaves out 0.05 mm at either end of the path."""
    s = np.sqrt(max(point @ point - (pair.a.base_diameter / 2) ** 2, 0))
    return min(abs(s - signals["path.start"]), abs(s - signals["path.end"])) < 6e-5
