"""The phase of pinion and rack as an input: rows, pictures and teeth in contact, and while they move."""

import re

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.show.scene.wheels import find_wheels

TEETH, MODULE, RADIUS = 20, 4e-3, 0.04
PITCH = np.pi * MODULE


def drive(phase, kind="spatial", angle=0.0, way=0.0, back=False, helix=0.0, **options) -> ww.Mechanism:
    """A pinion of 20 teeth of 4 mm over a rack along x, whose line is given forwards or backwards; the frame of the
    rack is 10 mm beside the pitch point and below the line."""
    flat = kind == "planar"
    radius = RADIUS / np.cos(helix)

    def place(*x):
        return x if flat else (*x, 0.0)

    m = ww.Mechanism("rack", kind=kind, gravity=place(0, 0))
    turned = {"angle": angle} if flat else {"orientation": {"axis": (0, 0, 1), "angle": angle}}
    inertia = 1e-3 if flat else (1e-3, 1e-3, 1e-3)
    m.add("pinion", ww.Body(mass=1, inertia=inertia, position=place(0, radius), **turned))
    m.add("bar", ww.Body(mass=1, inertia=inertia, position=place(0.01 + way, -0.02)))
    axis = {} if flat else {"axis": (0, 0, 1)}
    m.add("hub", ww.Revolute(bodies=("ground", "pinion"), point=place(0, radius), **axis))
    m.add(
        "guide",
        ww.Prismatic(bodies=("ground", "bar"), point=place(0, 0), axis=place(-1 if back else 1, 0)),
    )
    tilt = {"helix_angle": helix} if helix else {}
    m.add(
        "mesh",
        ww.RackMesh(bodies=("pinion", "bar"), teeth=TEETH, module=MODULE, phase=phase, **tilt, **options),
    )
    return m


def off_the_teeth(r, k: int, kind: str, phase, back: bool, radius: float) -> list[float]:
    """In pitches: the points of the phase from the middle of a drawn tooth of the pinion and of a space of the rack,
    and of these from each other along the pitch line."""
    wheels = {wheel.body: wheel for wheel in find_wheels(r.motion).wheels}
    R, x = r.motion.R[k], r.motion.x[k]
    pinion, bar = wheels[0], wheels[1]
    own = R[0] @ pinion.axes @ [np.cos(pinion.angle), np.sin(pinion.angle), 0]
    q = R[0] @ [np.cos(phase[0]), np.sin(phase[0]), 0]

    def way_of(direction):  # on the pitch circle from the pitch point, which is below
        return radius * np.arctan2(direction[0], -direction[1])

    tooth_of_bar = x[1] + R[1] @ (bar.point + bar.axes[:, 0] * bar.angle)
    point = x[1, 0] + (-phase[1] if back else phase[1])
    ways = way_of(own), way_of(q), tooth_of_bar[0] + PITCH / 2, point
    pairs = ((0, 1), (2, 3), (0, 2), (1, 3))
    return [(ways[i] - ways[j]) / PITCH - round((ways[i] - ways[j]) / PITCH) for i, j in pairs]


@pytest.mark.parametrize("kind", ["planar", "spatial"])
@pytest.mark.parametrize("back", [False, True])
def test_pinion_and_rack_stand_and_move_in_their_phase(kind, back):
    rng = np.random.default_rng(2)
    for _ in range(2):
        phase = rng.uniform(-3, 3), rng.uniform(-0.05, 0.05)
        m = drive(phase, kind, rng.uniform(-3, 3), rng.uniform(-5e-3, 5e-3), back)
        spin = 8.0
        m.bodies["pinion"].angular_velocity = spin if kind == "planar" else (0, 0, spin)
        r = m.simulate(end=0.3, output=3)
        for k in range(4):
            np.testing.assert_allclose(off_the_teeth(r, k, kind, phase, back, RADIUS), 0, atol=1e-7)


def test_a_helical_rack_too():
    helix = 0.3
    m = drive((0.4, 2e-3), helix=helix)
    r = m.simulate(end=0.1, output=1)
    wheels = {wheel.body: wheel for wheel in find_wheels(r.motion).wheels}
    own = wheels[0].axes @ [np.cos(wheels[0].angle), np.sin(wheels[0].angle), 0]
    turned = (np.arctan2(own[1], own[0]) - 0.4) * TEETH / 2 / np.pi
    assert turned == pytest.approx(round(turned), abs=1e-7)
    way = (wheels[1].point + wheels[1].axes[:, 0] * wheels[1].angle)[0] - 2e-3
    way = way / (PITCH / np.cos(helix)) + 0.5
    assert way == pytest.approx(round(way), abs=1e-7)


def test_the_phase_of_the_given_position_changes_nothing():
    """Of teeth in contact too: a tooth at the pitch point is what is taken where nothing is said."""
    teeth = {"model": "contact", "face_width": 0.02, "thickness_allowance": ("-0.1 mm", "-0.1 mm")}
    runs = []
    for phase in (None, (-np.pi / 2, -0.01), (-np.pi / 2 + 2 * np.pi / TEETH, -0.01 + 3 * PITCH)):
        m = drive(phase, **teeth)
        m.bodies["pinion"].angular_velocity = (0, 0, 5)
        runs.append(m.simulate(end=0.05, output=5)["mesh.phase"].to_numpy())
    np.testing.assert_allclose(runs[1], runs[0], atol=1e-7)
    np.testing.assert_allclose(runs[2], runs[0], atol=1e-7)
    moved = drive((-np.pi / 2 + 0.01, -0.01 + 0.01 * RADIUS), **teeth).assemble()["mesh.phase"]
    at = drive(None, **teeth).assemble()["mesh.phase"]
    assert (float(moved) - float(at)) % 1 == pytest.approx(0.01 * TEETH / 2 / np.pi, abs=1e-9)


@pytest.mark.parametrize("back", [False, True])
def test_teeth_in_contact_that_would_overlap_are_refused_with_how_to_move(back):
    teeth = {"model": "contact", "face_width": 0.02, "thickness_allowance": ("-0.1 mm", "-0.1 mm")}
    phase = (-np.pi / 2, 0.012 if back else -0.012)
    with pytest.raises(ww.ModelError, match=r"run into each other .* Move `bar` by") as error:
        drive(phase, back=back, **teeth).check()
    way = float(re.search(r"Move `bar` by (-?[\d.]+) mm", str(error.value)).group(1)) * 1e-3
    assert abs(way) == pytest.approx(2e-3, rel=1e-3)
    drive(phase, back=back, way=-way if back else way, **teeth).check()


@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_a_rack_without_teeth_touches_at_the_two_points(kind):
    """A point of the pinion stands at 0.3 rad past the pitch point, one of the rack at 2 mm: open by 12 - 2 mm."""
    m = drive(None, kind, angle=0.3)
    line = {"point_b": (0.3, 0) if kind == "planar" else (0.3, 0, 0)}  # beside the joint's own point
    m.meshes["mesh"] = ww.RackMesh(
        bodies=("pinion", "bar"), radius=RADIUS, phase=(-np.pi / 2, -0.008), **line
    )
    at = m.assemble()
    assert max(one.length for one in at.misfits) == pytest.approx(0.01, abs=1e-9)
    moved = float(at["guide.displacement"]) - RADIUS * float(at["hub.angle"])
    assert abs(moved) == pytest.approx(0.01, abs=1e-9)


def test_contradictions():
    m = drive((-np.pi / 2, -0.01))
    m.add("other", ww.Body(mass=1, inertia=(1e-3, 1e-3, 1e-3), position=(0.2, RADIUS, 0)))
    m.add("pin", ww.Revolute(bodies=("ground", "other"), point=(0.2, RADIUS, 0), axis=(0, 0, 1)))
    second = {"bodies": ("other", "bar"), "teeth": TEETH, "module": MODULE}
    m.add("beside", ww.RackMesh(**second, phase=(0, "3 mm")))
    with pytest.raises(
        ww.ModelError, match=r"has the teeth of `bar` 0\.4336 mm from where that of `mesh` has"
    ):
        m.check()
    m.meshes["beside"].phase = (0, -0.01 + 2 * PITCH)
    m.check()
    with pytest.raises(ww.ModelError, match="`teeth` is missing beside `phase`"):
        ww.RackMesh(bodies=("a", "b"), radius=1, phase=(0, 0), model="compliant")
    with pytest.raises(ww.ModelError, match="is given twice: here and in `model`"):
        ww.RackMesh(bodies=("a", "b"), teeth=20, module=1, phase=(0, 0), model=ww.ContactTeeth(phase=0.5))
