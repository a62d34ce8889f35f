"""Free vibration of a planetary stage in the plane.

Source: J. Lin, R. G. Parker, Analytical characterization of the unique properties of planetary gear free vibration,
ASME J. Vib. Acoust. 121(3):316-321, 1999, Tables 1 and 2 (N = 3: 18 frequencies, printed with 5 digits).

The paper's equations hold arc lengths u = r theta and I/r^2, and no radius by itself; its radii do not fit each other
(r_s + r_p = r_c cos(alpha) fails by a tenth). So sun and planet have their printed base radii, and centre distance and
ring follow from these and the pressure angle; masses and I/r^2 are as printed.
"""

import numpy as np
import pytest

import wheelwork as ww

MASS = {"sun": 0.4, "ring": 2.35, "carrier": 5.43, "planet": 0.66}
REDUCED = {"sun": 0.39, "ring": 3.0, "carrier": 6.29, "planet": 0.61}
ALPHA = np.radians(24.6)
RADIUS = {"sun": 0.0387, "planet": 0.05015}
RADIUS |= {"carrier": (RADIUS["sun"] + RADIUS["planet"]) / np.cos(ALPHA)}
RADIUS |= {"ring": RADIUS["sun"] + 2 * RADIUS["planet"]}
MESH, BEARING, RING_SUPPORT = 5e8, 1e8, 1e9

ROTATIONAL = [0, 1475.7, 1930.3, 2658.3, 7462.8, 11775.3]
TRANSLATIONAL = [743.2, 1102.4, 1896.0, 2276.4, 6986.3, 9647.9]


def stage(n=3, springs=False):
    """Bearings are bushings, meshes compliant: the sun drives the planets, whose other flanks drive the ring. With
    `springs` each mesh is a spring along its line of action, between the points where it touches the base circles.
    """
    m = ww.Mechanism("planetary stage", kind="planar", gravity=(0, 0))
    for name in ("sun", "ring", "carrier"):
        m.add(name, ww.Body(mass=MASS[name], inertia=REDUCED[name] * RADIUS[name] ** 2))
        held = RING_SUPPORT * RADIUS["ring"] ** 2 if name == "ring" else 0.0
        bearing = {"stiffness": (BEARING, BEARING), "rotational_stiffness": held}
        m.add(f"{name}-bearing", ww.Bushing(bodies=("ground", name), point=(0, 0), **bearing))
    for k in range(n):
        psi, planet = 2 * np.pi * k / n, f"planet{k + 1}"
        out = np.array([np.cos(psi), np.sin(psi)])
        around, center = np.array([-out[1], out[0]]), RADIUS["carrier"] * out
        inertia = REDUCED["planet"] * RADIUS["planet"] ** 2
        m.add(planet, ww.Body(mass=MASS["planet"], inertia=inertia, position=tuple(center)))
        pin = {"point": tuple(center), "stiffness": (BEARING, BEARING)}
        m.add(f"pin{k + 1}", ww.Bushing(bodies=("carrier", planet), **pin))
        if not springs:
            mesh(m, ww.ExternalMesh, "sun", planet, (0, 0), tuple(center), "front")
            mesh(m, ww.InternalMesh, planet, "ring", tuple(center), (0, 0), "back")
            continue
        for wheel, side, sense in (("sun", 1, -1), ("ring", -1, 1)):
            line = np.cos(ALPHA) * around + side * np.sin(ALPHA) * out
            foot = np.array([line[1], -line[0]])  # from a centre to where the line touches the base circle
            a, b = RADIUS[wheel] * foot, center + sense * RADIUS["planet"] * foot
            # points further out on the same line do not change the force
            ends = {"point_a": tuple(a - line), "point_b": tuple(b + line)}
            m.add(f"{wheel}-{planet}", ww.Spring(bodies=(wheel, planet), stiffness=MESH, **ends))
    return m


def mesh(m, kind, a, b, point_a, point_b, flank):
    """Compliant teeth that do not part, on the working pitch circles."""
    radii = tuple(RADIUS[name.rstrip("0123456789")] / np.cos(ALPHA) for name in (a, b))
    teeth = {"type": "compliant", "stiffness": MESH, "law": "linear", "flank": flank}
    places = {"point_a": point_a, "point_b": point_b, "radii": radii, "pressure_angle": ALPHA}
    m.add(f"{a}-{b}", kind(bodies=(a, b), model=teeth, **places))


PLANETS = ["planet1", "planet2", "planet3"]


@pytest.fixture(scope="module", params=["meshes", "springs"])
def three(request):
    if request.param == "meshes":
        return stage().modes()  # the planets are found from the meshes
    return stage(springs=True).modes(planets=PLANETS)


def test_all_frequencies(three):
    expected = np.sort(ROTATIONAL + 2 * TRANSLATIONAL)
    assert len(three) == 18
    # 4 or 5 digits are printed: 7e-5 for the smallest
    assert three.natural_frequencies == pytest.approx(expected, rel=1e-4, abs=1e-3)


def test_kinds(three):
    for mode in three:
        family = ROTATIONAL if mode.kind.startswith("rotational") else TRANSLATIONAL
        assert min(abs(mode.natural_frequency - f) for f in family) < 0.1
        # structure that the paper proves: central members either turn or move, never both
        central = ("sun", "ring", "carrier")
        moving, turning = (sum(mode.kinetic[name][k] for name in central) for k in range(2))
        assert min(moving, turning) < 1e-12
    kinds = [mode.kind for mode in three]
    assert kinds.count("rotational, rigid") == 1
    assert kinds.count("rotational") == 5
    assert kinds.count("translational") == 12


def analytic(n):
    """The paper's equations (matrices of Appendix A) derived from the mesh deflections, as the second route:
    k_e d d^T for each spring, with d the deflection's gradient in (x, y, u) of each member.
    """
    names = ["carrier", "ring", "sun"] + ["planet"] * n
    M = np.diag([v for name in names for v in (MASS[name], MASS[name], REDUCED[name])])
    K = np.zeros_like(M)

    def spring(stiffness, **gradient):
        d = np.zeros(len(M))
        for member, entries in gradient.items():
            k = int(member[1:])
            d[3 * k : 3 * k + 3] += entries
        K[:] += stiffness * np.outer(d, d)

    for k in range(3):
        for direction in ([1, 0, 0], [0, 1, 0]):
            spring(BEARING, **{f"m{k}": np.array(direction, float)})
    spring(RING_SUPPORT, m1=np.array([0, 0, 1.0]))
    for i in range(n):
        psi, planet = 2 * np.pi * i / n, f"m{3 + i}"
        out = np.array([np.cos(psi), np.sin(psi)])
        around = np.array([-out[1], out[0]])
        spring(BEARING, m0=-np.append(out, 0), **{planet: np.append(out, 0)})
        spring(BEARING, m0=-np.append(around, 1.0), **{planet: np.append(around, 0)})
        sun = np.cos(ALPHA) * around + np.sin(ALPHA) * out
        ring = np.cos(ALPHA) * around - np.sin(ALPHA) * out
        spring(MESH, m2=np.append(sun, 1.0), **{planet: np.append(-sun, 1.0)})
        spring(MESH, m1=np.append(ring, 1.0), **{planet: np.append(-ring, -1.0)})
    return np.sqrt(np.abs(np.linalg.eigvals(np.linalg.solve(M, K)).real)) / (2 * np.pi)


@pytest.mark.parametrize("n", [4, 5])
def test_more_planets_have_planet_modes(n):
    found = stage(n).modes()
    assert found.natural_frequencies == pytest.approx(np.sort(analytic(n)), rel=1e-9, abs=1e-2)
    kinds = [mode.kind for mode in found]
    assert kinds.count("translational") == 12
    assert kinds.count("planet") == 3 * (n - 3)
    for mode in found:
        if mode.kind == "planet":
            assert sum(sum(mode.kinetic[name]) for name in ("sun", "ring", "carrier")) < 1e-12


def test_a_heavy_planet_mixes_the_kinds():
    uneven = stage()
    uneven.bodies["planet2"] = uneven.bodies["planet2"].model_copy(update={"mass": 1.2})
    kinds = [mode.kind for mode in uneven.modes()]
    assert kinds.count("mixed") > 6


def test_damped_modes_belong_to_undamped_ones():
    """Bearings and meshes with damping beta k: zeta = beta omega/2 for every mode, the twelve in pairs too."""
    beta, m = 1e-7, stage(springs=True)
    for name, force in m.forces.items():
        stiffness = force.stiffness
        damping = tuple(beta * k for k in stiffness) if isinstance(stiffness, tuple) else beta * stiffness
        update = {"damping": damping}
        if isinstance(force, ww.Bushing):
            update["rotational_damping"] = tuple(beta * k for k in force.rotational_stiffness)
        m.forces[name] = force.model_copy(update=update)
    found = m.modes()
    assert found.frequencies[0] == 0
    for mode in list(found)[1:]:
        zeta = beta * np.pi * mode.natural_frequency
        assert mode.damping == pytest.approx(zeta, rel=1e-6)
        assert mode.frequency == pytest.approx(mode.natural_frequency * np.sqrt(1 - zeta**2), rel=1e-9)


def test_turned_stage_has_the_same_modes():
    """Frequencies do not depend on where the planets stand."""
    m = stage()
    turned = m.model_copy(deep=True)
    angle = 0.7
    R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def moved(point):
        return tuple(R @ np.array(point[:2], float))

    for name, body in m.bodies.items():
        turned.bodies[name] = ww.Body(mass=body.mass, inertia=body.inertia, position=moved(body.position))
    for name, force in m.forces.items():
        turned.forces[name] = force.model_copy(update={"point": (*moved(force.point), 0.0)})
    for name, teeth in m.meshes.items():
        ends = {side: (*moved(getattr(teeth, side)), 0.0) for side in ("point_a", "point_b")}
        turned.meshes[name] = teeth.model_copy(update=ends)
    assert turned.modes().natural_frequencies == pytest.approx(
        m.modes().natural_frequencies, rel=1e-9, abs=1e-2
    )


def test_kinds_share_all_of_the_energy():
    uneven = stage(4)
    uneven.bodies["planet2"] = uneven.bodies["planet2"].model_copy(update={"mass": 1.2})
    for mode in uneven.modes():
        assert sum(mode.kinds.values()) == pytest.approx(1, rel=1e-9)
