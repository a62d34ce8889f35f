"""Symbols that elements draw themselves, and names of symbols that there are not."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.show.scene.builder import make_scene

PENDULUM = """
bodies: {bob: {mass: 2, inertia: [0.01, 0.01, 0.01], position: [0.5, 0, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}}
"""
SHAFTS = """
bodies:
  motor: {type: rotor, inertia: 0.02}
  fan: {type: rotor, inertia: 0.1}
forces: {tie: {type: clutch, bodies: [motor, fan], torque: 3}}
"""
BEARING = """
bodies: {shaft: {mass: 2, inertia: [0.01, 0.01, 0.01]}}
forces:
  ring:
    {type: bearing, bodies: [ground, shaft], point: [0, 0, 0], axis: [0, 0, 1],
     radial_stiffness: 1e6, axial_stiffness: 1e6}
"""


def parts(text, name):
    scene = make_scene(ww.loads(text).assemble().motion)
    return [part for part in scene.parts if part.name == name]


def test_a_joint_draws_its_own_symbol(monkeypatch):
    """In its frame on that side: z along the axis, which is y of the world here."""

    def star(solids, thin):
        return solids.joined([solids.box((thin, thin, 7 * thin)), solids.box((thin, 5 * thin, thin))])

    (pin,) = parts(PENDULUM, "hinge")
    monkeypatch.setattr(ww.Revolute, "symbol", (star, "pin"))
    drawn = parts(PENDULUM, "hinge")
    assert [part.body for part in drawn] == [-1, 0]
    wide = np.ptp(drawn[0].solid.corners, axis=0)
    assert wide[1] == pytest.approx(7 * min(wide))
    assert np.array_equal(drawn[1].solid.corners, pin.solid.corners)


def test_a_bearing_draws_its_own_rings(monkeypatch):
    def ring(solids, radius, height):
        return solids.tube(radius + height, radius, 2 * height)

    monkeypatch.setattr(ww.Bearing, "symbol", ("", ring))
    (drawn,) = parts(BEARING, "ring")
    assert drawn.body == 0
    reach = np.abs(drawn.solid.corners).max(axis=0)
    assert reach[0] > reach[2] > 0


def test_a_force_between_shafts_draws_its_own_symbol(monkeypatch):
    def hoop(self, parts, placed):
        (a, _), middle, axes = parts.between(placed)
        yield a, parts.solids.tube(9 * parts.thin, 8 * parts.thin, parts.thin), middle, axes

    monkeypatch.setattr(ww.Clutch, "drive_symbol", hoop)
    (drawn,) = parts(SHAFTS, "tie")
    assert drawn.body == 0

    def wrong(self, parts, placed):
        raise ValueError("of its own")

    monkeypatch.setattr(ww.Clutch, "drive_symbol", wrong)
    with pytest.raises(ValueError, match="of its own"):
        parts(SHAFTS, "tie")


@pytest.mark.parametrize(
    ("cls", "attribute", "given", "text", "message"),
    [
        (
            "Revolute",
            "symbol",
            ("", "pinn"),
            PENDULUM,
            r"hinge: asks for a symbol `pinn`.*did you mean `pin`\?",
        ),
        (
            "Bearing",
            "symbol",
            ("inner", ""),
            BEARING,
            r"ring: asks for a symbol `inner`.*there are `inner_ring` and",
        ),
        (
            "Clutch",
            "drive_symbol",
            "cluch",
            SHAFTS,
            r"tie: asks for a symbol `cluch`.*did you mean `clutch`\?",
        ),
    ],
)
def test_a_symbol_that_there_is_not_is_told(monkeypatch, cls, attribute, given, text, message):
    monkeypatch.setattr(getattr(ww, cls), attribute, given)
    with pytest.raises(ww.ModelError, match=message):
        parts(text, "")
