"""The phase of bevel, worm, crossed and rack meshes as an input: rows against pictures, and while they turn.

The condition is that of text-books, without the code's: along the normal nu of the teeth in the common tangent plane of
the pitch surfaces, the middle of a tooth of a and the middle of a space of b are the same way from the pitch point, but
for whole normal pitches.
"""

from dataclasses import dataclass, replace

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.show.scene.wheels import find_wheels

X, Y, Z = np.eye(3)


@dataclass
class Case:
    """A pair at its given position: axes as users give them, centres, pitch point, pitch radii, teeth, helix of a."""

    mesh: type
    fields: dict
    axes: tuple[np.ndarray, np.ndarray]
    centres: tuple[np.ndarray, np.ndarray]
    point: np.ndarray
    radii: tuple[float, float]
    teeth: tuple[int, int]
    helix: float = 0.0
    """Of a about `axes[0]`."""


def bevel(spiral: float = 0.0, flip: bool = False) -> Case:
    """Axes at 90 deg in the origin, 20 and 30 teeth of 4 mm at the outer ends, 12 mm wide."""
    outer, ratio = 0.04 / np.sin(np.arctan2(20, 30)), np.arctan2(20, 30)
    R = outer - 0.006
    radii = R * np.sin(ratio), R * np.cos(ratio)
    return Case(
        ww.BevelMesh,
        {"teeth": (20, 30), "module": 4e-3, "face_width": 0.012, "spiral_angle": spiral},
        (Z, -X if flip else X),
        (radii[1] * Z, radii[0] * X),
        radii[0] * X + radii[1] * Z,
        radii,
        (20, 30),
    )


def worm(hand: str = "right", flip: bool = False) -> Case:
    """2 threads, 40 teeth of 2 mm, lead angle 10 deg."""
    lead = np.radians(10)
    radii = 2 * 2e-3 / 2 / np.tan(lead), 40 * 2e-3 / 2
    return Case(
        ww.WormMesh,
        {"teeth": (2, 40), "module": 2e-3, "lead_angle": lead, "hand": hand},
        (X, -Y if flip else Y),
        (np.zeros(3), sum(radii) * Z),
        radii[0] * Z,
        radii,
        (2, 40),
        (np.pi / 2 - lead) * (1 if hand == "right" else -1),
    )


def crossed() -> Case:
    """12 and 18 teeth of 2 mm, helix angles of 40 and 25 deg, right hand both: axes at 65 deg."""
    betas = np.radians([40, 25])
    radii = tuple(z * 2e-3 / 2 / np.cos(beta) for z, beta in zip((12, 18), betas, strict=True))
    # z_a turned by -(beta_a + beta_b) about the way from a to b
    other = X * np.cos(sum(betas)) - Y * np.sin(sum(betas))
    return Case(
        ww.CrossedMesh,
        {"teeth": (12, 18), "module": 2e-3, "helix_angles": tuple(betas)},
        (X, other),
        (np.zeros(3), sum(radii) * Z),
        radii[0] * Z,
        radii,
        (12, 18),
        betas[0],
    )


def turned(axis: np.ndarray, angle: float) -> np.ndarray:
    k = np.cross(np.eye(3), axis)
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


SCENE = turned(np.array([1, 2, -2]) / 3, 0.8)
"""In which no wheel has its axis along x of its body."""


def in_scene(case: Case) -> Case:
    places = {"axes": tuple(SCENE @ axis for axis in case.axes), "point": SCENE @ case.point}
    return replace(case, centres=tuple(SCENE @ centre for centre in case.centres), **places)


CASES = {
    "bevel": in_scene(bevel()),
    "spiral bevel, axis towards the apex": in_scene(bevel(0.6, flip=True)),
    "worm": in_scene(worm()),
    "left worm, other axis": in_scene(worm("left", flip=True)),
    "crossed": in_scene(crossed()),
}


def mechanism(case: Case, phase, angles=(0.0, 0.0)) -> ww.Mechanism:
    m = ww.Mechanism("pair", gravity=(0, 0, 0))
    for name, axis, centre, angle in zip(("one", "two"), case.axes, case.centres, angles, strict=True):
        orientation = {"axis": tuple(axis), "angle": angle} if angle else {}
        frame = {"orientation": orientation} if orientation else {}
        m.add(name, ww.Body(mass=1, inertia=(1, 1, 1), position=tuple(centre), **frame))
        m.add(f"on-{name}", ww.Revolute(bodies=("ground", name), point=tuple(centre), axis=tuple(axis)))
    m.add("mesh", case.mesh(bodies=("one", "two"), phase=phase, **case.fields))
    return m


def about(axis, line, other) -> float:
    return float(np.arctan2(other @ np.cross(axis, line), other @ line))


def arm(case: Case, side: int) -> np.ndarray:
    """From the axis of a wheel to the pitch point, of length 1."""
    out = case.point - case.centres[side]
    out = out - case.axes[side] * (case.axes[side] @ out)
    return out / np.linalg.norm(out)


def apart(case: Case, tooth_a: np.ndarray, space_b: np.ndarray) -> float:
    """Of a tooth and a space by their directions from the axes, in normal pitches, from -0.5 to 0.5."""
    (z_a, z_b), e_a, e_b = case.axes, arm(case, 0), arm(case, 1)
    along = np.cos(case.helix) * z_a + np.sin(case.helix) * np.cross(z_a, e_a)  # the tooth
    normal = np.cross(e_a, along) if case.helix else np.cross(z_a, e_a)
    ways = [
        normal @ np.cross(z, e) * r * about(z, e, x)
        for z, e, r, x in ((z_a, e_a, case.radii[0], tooth_a), (z_b, e_b, case.radii[1], space_b))
    ]
    pitch = 2 * np.pi * case.radii[0] * np.cos(case.helix) / case.teeth[0]
    off = (ways[0] - ways[1]) / pitch
    return off - round(off)


def x_axis(case: Case, side: int) -> np.ndarray:
    """Where angles are counted from, in the body."""
    out = X - case.axes[side] * (case.axes[side] @ X)
    return out / np.linalg.norm(out)


@pytest.mark.parametrize("name", CASES)
def test_wheels_stand_and_turn_in_their_phase(name):
    """The points of the phase are in a tooth and a space of the picture, at the pitch line when the row is zero, and
    stay so while the wheels turn by several teeth."""
    case = CASES[name]
    rng = np.random.default_rng(4)
    for _ in range(2):
        phase, given = tuple(rng.uniform(-3, 3, 2)), tuple(rng.uniform(-3, 3, 2))
        m = mechanism(case, phase, given)
        m.bodies["one"].angular_velocity = tuple(5.0 * case.axes[0])
        r = m.simulate(end=0.2, output=4)
        wheels = find_wheels(r.motion)
        assert not [note for note in wheels.notes if "run into each other" in note]
        by_body = {wheel.body: wheel for wheel in wheels.wheels}
        for k in range(5):
            teeth, points = [], []
            for side in (0, 1):
                R, wheel = r.motion.R[k, side], by_body[side]
                own = wheel.axes @ [np.cos(wheel.angle), np.sin(wheel.angle), 0]
                half = 0.0 if side == 0 else np.pi / case.teeth[1]
                teeth.append(turned(case.axes[side], half) @ R @ own)
                # the axis has the same components in the body, which was turned about it alone
                points.append(R @ turned(case.axes[side], phase[side]) @ x_axis(case, side))
                pitch = 2 * np.pi / case.teeth[side]
                off = about(case.axes[side], teeth[-1], points[-1]) / pitch
                assert off == pytest.approx(round(off), abs=1e-8)
            assert apart(case, *teeth) == pytest.approx(0, abs=1e-8)
            assert apart(case, *points) == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("name", CASES)
def test_another_phase_is_another_place(name):
    """Half a tooth of b further on: the wheels are assembled half a tooth apart; a whole one changes nothing."""
    case = CASES[name]
    angles = []
    for more in (0.0, 0.25, 1.0):
        step = 2 * np.pi / case.teeth[1] * more
        at = mechanism(case, (0.3, 0.2 + step), (0.1, 0.2)).assemble()
        angles.append([float(at[f"on-{name}.angle"]) for name in ("one", "two")])
    (a, b), (a_moved, b_moved), same = angles
    np.testing.assert_allclose(same, (a, b), atol=1e-9)
    assert abs(a_moved - a) + abs(b_moved - b) > 1e-3


def test_axes_along_x_are_refused_with_what_to_do():
    """Angles are counted from the x axis of a body, which must not be along the wheel's axis."""
    m = mechanism(bevel(), (0, 0))
    with pytest.raises(
        ww.ModelError, match="from the x axis of `two`, which is along the axis of its wheel: turn"
    ):
        m.check()
