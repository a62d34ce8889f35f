"""Free vibration of a planetary stage in the plane.

J. Lin, R. G. Parker, Analytical characterization of the unique properties of planetary gear free vibration, ASME J.
Vib. Acoust. 121(3):316-321, 1999, Tables 1 and 2 (N = 3: 18 frequencies, printed with 5 digits).

The paper's equations hold arc lengths u = r theta and I/r^2, and no radius by itself; its radii do not fit each other
(r_s + r_p = r_c cos(alpha) fails by a tenth). So sun and planet have their printed base radii, and centre distance and
ring follow from these and the pressure angle; masses and I/r^2 are as printed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import wheelwork as ww

from ..case import Refusal, Way, gear_case
from ..finding import Comparison, compare

MASS = {"sun": 0.4, "ring": 2.35, "carrier": 5.43, "planet": 0.66}
REDUCED = {"sun": 0.39, "ring": 3.0, "carrier": 6.29, "planet": 0.61}
ALPHA = np.radians(24.6)
RADIUS = {"sun": 0.0387, "planet": 0.05015}
RADIUS |= {"carrier": (RADIUS["sun"] + RADIUS["planet"]) / np.cos(ALPHA)}
RADIUS |= {"ring": RADIUS["sun"] + 2 * RADIUS["planet"]}
MESH, BEARING, RING_SUPPORT = 5e8, 1e8, 1e9

ROTATIONAL = [0, 1475.7, 1930.3, 2658.3, 7462.8, 11775.3]
TRANSLATIONAL = [743.2, 1102.4, 1896.0, 2276.4, 6986.3, 9647.9]


def stage(n: int = 3, springs: bool = False) -> ww.Mechanism:
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


def mesh(m: ww.Mechanism, kind: type, a: str, b: str, point_a: tuple, point_b: tuple, flank: str) -> None:
    """Compliant teeth that do not part, on the working pitch circles."""
    radii = tuple(RADIUS[name.rstrip("0123456789")] / np.cos(ALPHA) for name in (a, b))
    teeth = {"type": "compliant", "stiffness": MESH, "law": "linear", "flank": flank}
    places = {"point_a": point_a, "point_b": point_b, "radii": radii, "pressure_angle": ALPHA}
    m.add(f"{a}-{b}", kind(bodies=(a, b), model=teeth, **places))


def analytic(n: int) -> np.ndarray:
    """Frequencies [Hz] by the paper's equations (matrices of its Appendix A), derived from the mesh deflections:
    k_e d d^T for each spring, with d the deflection's gradient in (x, y, u) of each member.
    """
    names = ["carrier", "ring", "sun"] + ["planet"] * n
    M = np.diag([v for name in names for v in (MASS[name], MASS[name], REDUCED[name])])
    K = np.zeros_like(M)

    def spring(stiffness: float, **gradient: np.ndarray) -> None:
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
    return np.sort(np.sqrt(np.abs(np.linalg.eigvals(np.linalg.solve(M, K)).real)) / (2 * np.pi))


@gear_case(
    "lin-parker",
    "Free vibration of a planetary stage with three planets",
    "J. Lin, R. G. Parker, ASME J. Vib. Acoust. 121 (1999) 316-321, Tables 1 and 2",
    (
        Way("absolute", "compliant"),
        Way("absolute", "compliant", "springs for meshes"),
    ),
    refusals=(
        Refusal(
            "modes are found from absolute coordinates, on the freedoms that constraints leave", "reduced"
        ),
        Refusal("rigid teeth have no mesh stiffness, which is what the case is about", mesh="rigid"),
        Refusal(
            "the mesh stiffness of the paper is constant; that of teeth in contact changes with the pairs",
            mesh="contact",
        ),
    ),
)
def run(way: Way) -> Iterator[Comparison]:
    springs = way.setting == "springs for meshes"
    planets = ["planet1", "planet2", "planet3"] if springs else None  # None: found from the meshes
    modes = stage(springs=springs).modes(planets=planets)
    found = modes.natural_frequencies
    rotational = [mode.natural_frequency for mode in modes if mode.kind.startswith("rotational")]
    translational = [mode.natural_frequency for mode in modes if mode.kind == "translational"]
    printed = {"unit": "Hz", "relative": 1e-4, "absolute": 1e-3, "origin": "4 or 5 digits are printed"}
    yield compare("rotational modes", np.sort(rotational), ROTATIONAL, **printed)
    yield compare(
        "translational modes, in pairs", np.sort(translational), np.sort(2 * TRANSLATIONAL), **printed
    )
    origin = "rounding; the square root makes 1e-2 Hz of it where a frequency is 0"
    exact = analytic(3)
    yield compare(
        "all modes, the paper's equations",
        found,
        exact,
        unit="Hz",
        relative=1e-9,
        absolute=1e-2,
        origin=origin,
    )
    # what the paper proves: central members either turn or move, never both
    central = ("sun", "ring", "carrier")
    mixed = [min(sum(mode.kinetic[name][k] for name in central) for k in range(2)) for mode in modes]
    origin = "rounding; the paper proves 0"
    yield compare(
        "energy of central members off their kind", mixed, np.zeros(18), absolute=1e-12, origin=origin
    )
