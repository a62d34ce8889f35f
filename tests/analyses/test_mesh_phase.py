"""The phase of a mesh as an input: Haug's theta_i and theta_j in rows and teeth; what contradicts it."""

import re

import numpy as np
import pytest

import wheelwork as ww

PITCH = 2 * np.pi / 20


def pair(
    phase=None, line=0.0, angles=(0.0, 0.0), kind="planar", mesh=ww.ExternalMesh, **options
) -> ww.Mechanism:
    """Wheels of 20 and 40 teeth with pitch radii of 1 and 2 m, in bearings on a line at an angle."""
    flat, apart = kind == "planar", 3.0 if mesh is ww.ExternalMesh else 1.0
    m = ww.Mechanism("pair", kind=kind, gravity=(0, 0) if flat else (0, 0, 0))
    for name, far, angle in (("one", 0.0, angles[0]), ("two", apart, angles[1])):
        place = (far * np.cos(line), far * np.sin(line))
        place = place if flat else (*place, 0)
        turned = {"angle": angle} if flat else {"orientation": {"axis": (0, 0, 1), "angle": angle}}
        m.add(name, ww.Body(mass=1, inertia=1 if flat else (1, 1, 1), position=place, **turned))
        axis = {} if flat else {"axis": (0, 0, 1)}
        m.add(f"on-{name}", ww.Revolute(bodies=("ground", name), point=place, **axis))
    m.add("mesh", mesh(bodies=("one", "two"), teeth=(20, 40), module=0.1, phase=phase, **options))
    return m


def angles_of(at, kind: str) -> list[float]:
    if kind == "planar":
        return [float(at[f"{name}.angle"]) for name in ("one", "two")]
    return [2 * np.arctan2(*at[f"{name}.orientation"].to_numpy()[[3, 0]]) for name in ("one", "two")]


def test_the_example_of_the_course():
    """Example 3.4.1: phi_1 = 0, theta_1 = pi/6, theta_2 = 7 pi/6, R_1 = 1, R_2 = 2; phi_2 = pi/2 with the line upright.

    (3.4.2): 3 pi/2 = pi/6 + 2 (phi_2 + pi/6). Here modulo a tooth of 9 deg: the position is given to 4 deg.
    """
    m = pair((np.pi / 6, 7 * np.pi / 6), np.pi / 2, (0, np.pi / 2 + 0.07))
    m.joints["on-one"] = ww.Fixed(bodies=("ground", "one"), point=(0, 0))
    m.meshes["mesh"].point_a = (0, 0)
    assert m.assemble()["two.angle"] == pytest.approx(np.pi / 2, abs=1e-12)


@pytest.mark.parametrize("radius", [2.0, np.pi / 2, 1.9371])
def test_the_example_with_radii_alone(radius):
    """As it is printed: no teeth. (3.4.2) holds as it stands, also for radii that no whole numbers make."""
    m = pair(line=np.pi / 2)
    m.joints["on-one"] = ww.Fixed(bodies=("ground", "one"), point=(0, 0))
    m.bodies["two"].position = m.joints["on-two"].point = (0, 1 + radius)
    m.meshes["mesh"] = ww.ExternalMesh(
        bodies=("one", "two"), radii=(1, radius), phase=(np.pi / 6, 7 * np.pi / 6), point_a=(0, 0)
    )
    m.bodies["two"].angle = 1.0
    turned = float(m.assemble()["two.angle"])
    rolled = (0 + np.pi / 6 - np.pi / 2) + radius * (turned + 7 * np.pi / 6 - np.pi - np.pi / 2)
    assert rolled == pytest.approx(0, abs=1e-11)
    if radius == 2:
        assert turned == pytest.approx(np.pi / 2, abs=1e-11)  # as printed


@pytest.mark.parametrize("kind", ["planar", "spatial"])
@pytest.mark.parametrize("mesh", [ww.ExternalMesh, ww.InternalMesh])
def test_wheels_are_assembled_into_their_phase(kind, mesh):
    """(3.4.2) modulo the pitch; of a ring both points are on the far side of the pinion."""
    rng = np.random.default_rng(1)
    for _ in range(3):
        (a, b), given, line = rng.uniform(-3, 3, 2), rng.uniform(-3, 3, 2), rng.uniform(-3, 3)
        at = pair((a, b), line, tuple(given), kind, mesh).assemble()
        one, two = angles_of(at, kind)
        if mesh is ww.ExternalMesh:
            rolled = (one + a - line) + 2 * (two + b - np.pi - line)
        else:
            rolled = (one + a - np.pi - line) - 2 * (two + b - np.pi - line)
        assert rolled / PITCH == pytest.approx(round(rolled / PITCH), abs=1e-10)
        moved = np.abs((np.array([one, two]) - given + np.pi) % (2 * np.pi) - np.pi)
        assert 0 < moved.max() < PITCH / 2  # by half a tooth at most


def test_the_phase_of_the_given_position_changes_nothing():
    """Also for teeth in contact, whose place in the mesh cycle is then that of the tooth that is said to be there."""
    teeth = {"model": "contact", "face_width": 0.1, "thickness_allowance": ("-1 mm", "-1 mm")}
    runs = []
    for phase in (None, (0, np.pi), (PITCH, np.pi - PITCH / 2), (0.05, np.pi - 0.025)):
        m = pair(phase, **teeth)
        m.bodies["one"].angular_velocity = 5
        runs.append(m.simulate(end=0.1, output=5)["mesh.phase"].to_numpy())
    for same in runs[1:3]:
        np.testing.assert_allclose(same, runs[0], atol=1e-9)
    np.testing.assert_allclose(
        (runs[3] - runs[0])[0] % 1, 0.05 / PITCH, atol=1e-9
    )  # a tooth further on by that


@pytest.mark.parametrize("mesh", [ww.ExternalMesh, ww.InternalMesh])
def test_teeth_in_contact_that_would_overlap_are_refused_with_what_to_turn(mesh):
    teeth = {"model": "contact", "face_width": 0.1, "thickness_allowance": ("-1 mm", "-1 mm"), "mesh": mesh}
    at = np.pi if mesh is ww.ExternalMesh else 0.0
    phase = (0.0, at + 0.05) if mesh is ww.ExternalMesh else (np.pi, np.pi + 0.05)
    with pytest.raises(
        ww.ModelError, match=r"run into each other .* is 100 mm beside .* leaves 1 mm\. Turn"
    ) as error:
        pair(phase, **teeth).check()
    turn = float(re.search(r"by (-?[\d.]+) deg", str(error.value)).group(1))
    pair(phase, angles=(0, np.radians(turn)), **teeth).check()


def test_contradictions():
    m = pair((0, np.pi))
    m.add("three", ww.Body(mass=1, inertia=1, position=(-2, 0)))
    m.add("on-three", ww.Revolute(bodies=("ground", "three"), point=(-2, 0)))
    m.add("other", ww.ExternalMesh(bodies=("one", "three"), teeth=(20, 20), module=0.1, phase=("184 deg", 0)))
    with pytest.raises(ww.ModelError, match="has the teeth of `one` 4 deg from where that of `mesh` has"):
        m.check()
    m.meshes["other"].phase = ("180 deg", "4 deg")
    m.check()
    with pytest.raises(ww.ModelError, match="`teeth` is missing beside `phase`"):
        ww.ExternalMesh(bodies=("a", "b"), radii=(1, 2), phase=(0, 0), model="compliant")
    with pytest.raises(ww.ModelError, match="is given twice: here and in `model`"):
        ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), phase=(0, 0), model=ww.ContactTeeth(phase=0.5))
    m = pair((0, np.pi))
    for name in ("one", "two"):
        m.joints[f"on-{name}"].initial = ww.Initial(angle="4 deg")
    with pytest.raises(ww.ModelError, match=r"contradicts the given .* \(4 deg\) of `on-one`"):
        m.check()
