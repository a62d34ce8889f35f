"""Mesh stiffness: each part against an independent calculation, published numbers, finite elements."""

from itertools import pairwise
from math import log, pi, radians

import numpy as np
import pytest
from scipy.integrate import quad

from wheelwork.gears import Gear, GearPair, GeometryError, RackPair
from wheelwork.gears.stiffness import (
    STEEL,
    BeamSlices,
    ConstantStiffness,
    EnergyMethod,
    Iso6336,
    Material,
    StiffnessTable,
    beam,
    contact,
    foundation,
)
from wheelwork.gears.stiffness.energy import body_twist
from wheelwork.gears.stiffness.tooth import Tooth, ToothLoad, load_on, loads_at, rack_tooth, tooth_of

from .examples import EXTERNAL, INTERNAL, RACK
from .plane_elements import ToothModel

PAIR = GearPair.of((30, 60), 3e-3, face_width=30e-3)
RING = INTERNAL["ring"]
E, NU = STEEL.youngs_modulus, STEEL.poisson_ratio


def middle(pair):
    return (pair.path.start + pair.path.end) / 2


# -- the beam


def test_beam_of_constant_section():
    """A bar under a force across it: l^3/(3 E I) + 1.2 l/(G A); along it: l/(E A)."""
    height = np.linspace(0, 0.1, 400)
    bar = Tooth(height, np.full(400, 0.005), np.inf, internal=False)
    area, inertia = 0.01, 0.01**3 / 12
    across = ToothLoad(0.08, 0.005, 0.0)
    bending, shear, axial = beam.integrals(bar, across, STEEL)
    assert bending == pytest.approx(0.08**3 / (3 * E * inertia), rel=1e-4)
    assert shear == pytest.approx(1.2 * 0.08 / (STEEL.shear_modulus * area))
    assert axial == 0
    along = beam.integrals(bar, ToothLoad(0.08, 0.0, pi / 2), STEEL)
    assert sum(along) == pytest.approx(0.08 / (E * area))
    assert beam.slices(bar, across, STEEL, 3, wide=False) == pytest.approx(bending + shear, rel=1e-4)


@pytest.mark.parametrize("gear", [PAIR.a, Gear(10, 3e-3), RING.b], ids=["standard", "undercut", "ring"])
def test_energy_integrals_by_quadrature(gear):
    """The same energy, from the moment of the force about each section, by adaptive quadrature."""
    tooth = tooth_of(gear)
    base = gear.base_diameter / 2
    tip, form = gear.tip_diameter / 2, gear.reference_diameter / 2
    load = load_on(gear, np.sqrt(((tip + form) / 2) ** 2 - base**2))
    y_c, h_c, angle = float(load.height), float(load.half), float(load.angle)

    def energy(y: float) -> float:
        h = np.interp(y, tooth.height, tooth.half)
        force = np.array([-np.sin(angle), -np.cos(angle)])  # along the tooth's axis, across it
        arm = np.array([y_c - y, h_c])
        moment = arm[0] * force[1] - arm[1] * force[0]
        bent = moment**2 / (E * (2 * h) ** 3 / 12)
        return bent + 1.2 * force[1] ** 2 / (STEEL.shear_modulus * 2 * h) + force[0] ** 2 / (E * 2 * h)

    knots = tooth.height[(tooth.height > tooth.height[0]) & (tooth.height < y_c)]
    ends = [tooth.height[0], *knots[:: max(len(knots) // 40, 1)], y_c]
    expected = sum(quad(energy, a, b, limit=200)[0] for a, b in pairwise(ends))
    assert sum(beam.integrals(tooth, load, STEEL)) == pytest.approx(expected, rel=1e-4)


def test_slices_converge_to_the_integrals():
    """Second order in the thickness of a slice."""
    tooth, load = tooth_of(PAIR.a), load_on(PAIR.a, PAIR.path.end)
    exact = sum(beam.integrals(tooth, load, STEEL, wide=True))
    errors = [abs(beam.slices(tooth, load, STEEL, n, wide=True) / exact - 1) for n in (10, 20, 40)]
    assert errors[-1] < 2e-3
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    assert rates == pytest.approx([2, 2], abs=0.35)


def test_load_angle_is_that_of_the_line_of_action():
    """The line of the force, through the contact at alpha_F to the tooth's middle line, touches the base circle."""
    for gear in (PAIR.a, RING.b):
        for rho in np.linspace(0.3, 0.6, 4) * gear.base_diameter / 2:
            load = load_on(gear, rho)
            root, side = gear.root_diameter / 2, -1 if gear.internal else 1
            point = np.array([root + side * float(load.height), float(load.half)])
            direction = np.array([-side * np.sin(load.angle), -np.cos(load.angle)])
            assert abs(point[0] * direction[1] - point[1] * direction[0]) == pytest.approx(
                gear.base_diameter / 2
            )
            crossing = root + side * float(load.lever)
            at = point + direction * point[1] / -direction[1]
            assert at == pytest.approx([crossing, 0], abs=1e-12)


def test_rack_tooth_is_the_limit_of_large_wheels():
    tooth, large = rack_tooth(RACK), tooth_of(Gear(20_000, RACK.a.module))
    for y in np.linspace(0.1e-3, 4.4e-3, 9):
        thick = np.interp(y, tooth.height, tooth.half), np.interp(y, large.height, large.half)
        assert thick[0] == pytest.approx(thick[1], abs=2e-6)
    position = np.linspace(RACK.path.start, RACK.path.end, 5)
    on_rack = loads_at(RACK, position)[1]
    pair = GearPair(RACK.a, Gear(100_000, RACK.a.module))
    on_wheel = loads_at(pair, position)[1]
    assert on_rack.height == pytest.approx(on_wheel.height, abs=1e-6)
    assert on_rack.half == pytest.approx(on_wheel.half, abs=1e-6)
    assert on_rack.angle == pytest.approx(on_wheel.angle, abs=1e-4)


# -- contact


def test_weber_from_strains_under_hertz_pressure():
    """The strain below the middle of the strip (Johnson, eq. 4.46), summed down to the depth t."""
    force, rho, depth = 200e3, 8e-3, 2.5e-3
    a = float(contact.half_width(force, rho, STEEL))
    pressure = 2 * force / (pi * a)

    def strain(z: float) -> float:
        root = np.sqrt(a**2 + z**2)
        s_x = -pressure / a * ((a**2 + 2 * z**2) / root - 2 * z)
        s_z = -pressure * a / root
        return (1 + NU) / E * ((1 - NU) * s_z - NU * s_x)

    summed = -quad(strain, 0, 20 * a)[0] - quad(strain, 20 * a, depth)[0]
    # the formula is for depths much greater than the strip
    assert contact.weber(force, rho, (depth, depth), STEEL) / 2 == pytest.approx(summed, rel=(a / depth) ** 2)


def test_hertz_half_width():
    # the text-book form for nu = 0.3: p_max = 0.418 sqrt(F E / (b R))
    a = contact.half_width(100e3, 5e-3, STEEL)
    assert 2 * 100e3 / (pi * a) == pytest.approx(0.418 * np.sqrt(100e3 * E / 5e-3), rel=1e-3)
    # closed form of Hertz's pressure, p = sqrt(F E*/(pi R)) with E* = E/(2 (1 - nu^2))
    assert 2 * 100e3 / (pi * a) == pytest.approx(np.sqrt(100e3 * E / (2 * (1 - NU**2)) / (pi * 5e-3)))


def test_contact_hardens_with_load():
    stiffness = [
        BeamSlices(PAIR, line_load=load).pair_stiffness(middle(PAIR)) for load in (50e3, 200e3, 800e3)
    ]
    assert stiffness == sorted(stiffness)
    assert stiffness[-1] < 1.25 * stiffness[0]
    # four times the load doubles the strip, which takes 4 ln(2) / (pi E_e b) off the compliance
    step = 1 / stiffness[0] - 1 / stiffness[1]
    assert step == pytest.approx(4 * log(2) / (pi * STEEL.plane_strain_modulus * 30e-3))


# -- foundation


def test_sainsot_factors_outside_the_fitted_range():
    """Taken at the edge, not extrapolated; the terms in 1/theta would run away."""
    assert foundation.sainsot_factors(20.0, 0.2) == foundation.sainsot_factors(7.0, 0.12)
    assert foundation.sainsot_factors(1.1, 1e-3) == foundation.sainsot_factors(1.4, 0.01)
    # L* hardly varies: Sainsot et al. (2004) give 6.82 to 6.94
    values = [foundation.sainsot_factors(h, theta)["L"] for h in (2, 4, 6) for theta in (0.03, 0.06, 0.12)]
    assert min(values) > 6.82
    assert max(values) < 6.95


@pytest.mark.parametrize("ratio", [2.0, 3.0, 5.0])
@pytest.mark.parametrize("gear", ["a", "b"])
def test_external_tooth_against_finite_elements(gear, ratio):
    """Beam and Sainsot's body against a plane model of wheel and tooth, from the lowest to the highest contact."""
    wheel = getattr(PAIR, gear)
    path = PAIR.path
    places = np.array([path.start, path.pitch_point, path.end])
    rho = places if gear == "a" else path.curvature_b(places)
    model = ToothModel(wheel, STEEL, wheel.root_diameter / 2 / ratio, size=6)
    tooth, load = tooth_of(wheel), load_on(wheel, rho)
    summed = sum(beam.integrals(tooth, load, STEEL)) + foundation.sainsot(tooth, load, STEEL, ratio)
    # a beam as stout as a tooth is no better than this; most of the difference is at the root
    assert summed == pytest.approx(model.compliance(rho), rel=0.12)


def test_ring_tooth_against_finite_elements():
    """Beam and half plane against a plane model of a ring with a thick rim."""
    ring, path = RING.b, RING.path
    rho = path.curvature_b(np.array([path.start, path.pitch_point]))
    model = ToothModel(ring, STEEL, ring.root_diameter / 2 + 6 * ring.module, size=6)
    tooth, load = tooth_of(ring), load_on(ring, rho)
    summed = sum(beam.integrals(tooth, load, STEEL)) + foundation.half_plane(tooth, load, STEEL, wide=False)
    assert summed == pytest.approx(model.compliance(rho), rel=0.2)


def test_pairs_share_the_bodies():
    """Two pairs in contact, by finite elements with what each does to the other through the bodies: adding pairs is
    a third too stiff, with the twist shared a seventh."""
    path, ratio = PAIR.path, 3.0
    first = (path.start + path.lower_single_contact) / 2
    second = first + path.base_pitch
    both = np.zeros((2, 2))
    for wheel, ahead in ((PAIR.a, 1), (PAIR.b, -1)):
        rho = [first, second] if wheel is PAIR.a else [float(path.curvature_b(x)) for x in (first, second)]
        model = ToothModel(wheel, STEEL, wheel.root_diameter / 2 / ratio, size=5)
        both += np.diag(model.compliance(np.array(rho)))
        there, back = model.coupling(rho[0], rho[1], ahead), model.coupling(rho[1], rho[0], -ahead)
        assert there == pytest.approx(back, rel=0.02)  # Maxwell and Betti
        both += (there + back) / 2 * np.array([[0, 1], [1, 0]])
    both = both / PAIR.face_width + np.eye(2) * contact.yang_sun(STEEL) / PAIR.face_width
    truth = np.linalg.inv(both).sum()
    alone = (1 / np.diag(both)).sum()
    shared = EnergyMethod(PAIR, bore_ratios=(ratio, ratio)).shared_compliance
    local = (1 / (np.diag(both) - shared)).sum()
    assert alone / truth == pytest.approx(1.37, abs=0.05)
    assert local / (1 + shared * local) / truth == pytest.approx(1.15, abs=0.05)


def test_twist_of_a_ring():
    """q_s against the plane model: far from the tooth the root circle turns as a whole."""
    model = ToothModel(PAIR.a, STEEL, PAIR.a.root_diameter / 6, size=5)
    _, _, moved = model._pushed(PAIR.path.pitch_point)
    radius = np.hypot(*model.points.T)
    at = np.flatnonzero(np.abs(radius - PAIR.a.root_diameter / 2) < 1e-9)
    x, y = model.points[at].T
    angle = np.arctan2(y, x)
    order = np.argsort(angle)
    tangential = (x * moved[at, 1] - y * moved[at, 0]) / (PAIR.a.root_diameter / 2)
    mean = np.trapezoid(tangential[order], angle[order]) / (2 * pi)
    along = abs(mean) * PAIR.a.base_diameter / PAIR.a.root_diameter
    assert body_twist(PAIR.a, 3.0, STEEL) == pytest.approx(along, rel=0.02)


@pytest.mark.slow
def test_finite_elements_themselves():
    """Finer elements change little; a wheel whose bore is near its root is stiffer."""
    rho = np.array([PAIR.path.pitch_point])
    bore = PAIR.a.root_diameter / 6
    coarse, fine = (ToothModel(PAIR.a, STEEL, bore, size=n).compliance(rho)[0] for n in (4, 8))
    assert coarse == pytest.approx(fine, rel=0.01)
    assert ToothModel(PAIR.a, STEEL, bore * 2, size=4).compliance(rho)[0] < 0.8 * coarse


# -- ISO 6336 (its printed example is the case `iso-6336-stiffness` of `wheelwork validate`)


def test_iso_corrections():
    iso = Iso6336(PAIR)
    assert Iso6336(PAIR, materials=(STEEL, Material(103e9))).single == pytest.approx(iso.single * 2 / 3)
    assert Iso6336(PAIR, line_load=50e3).single == pytest.approx(iso.single * 0.5**0.25)
    assert Iso6336(PAIR, line_load=500e3).single == iso.single
    # a web of b_s/b = 0.3 under a rim of 3 modules: C_R = 1 + ln(0.3)/(5 e^0.6) = 0.868
    assert Iso6336(PAIR, web=(9e-3, 9e-3)).single == pytest.approx(iso.single * 0.8678, rel=1e-3)
    assert Iso6336(RING).theoretical > Iso6336(GearPair.of((27, 81), 2e-3, face_width=20e-3)).theoretical
    # the usual value for steel gears, c' = 14 and c_gamma = 20 N/(mm um), is in the standard as an approximation
    assert iso.single / 1e9 == pytest.approx(14, rel=0.1)
    assert iso.mean / 1e9 == pytest.approx(20, rel=0.1)


# -- mesh cycle

METHODS = {
    "constant": lambda pair: ConstantStiffness(pair, 20e9 * pair.face_width),
    "iso": Iso6336,
    "slices": BeamSlices,
    "slices, constant local part": lambda pair: BeamSlices(pair, local="constant"),
    "energy": EnergyMethod,
    "energy, pairs added": lambda pair: EnergyMethod(pair, coupled=False),
    "table": lambda pair: StiffnessTable(pair, [0, 0.5, 1], np.array([10e9, 14e9, 9e9]) * pair.face_width),
}
MESHES = {**EXTERNAL, **INTERNAL, "rack": RACK}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("mesh", MESHES)
def test_mesh_cycle(method, mesh):
    """All methods within a factor of two of each other on every pair; mean = pair stiffness over the path / pitch."""
    pair = MESHES[mesh]
    model = METHODS[method](pair)
    cycle = model.cycle(128)
    assert 12e9 < cycle.mean / pair.face_width < 32e9
    if model.shared_compliance == 0 and method not in ("constant", "iso"):
        at = np.linspace(pair.path.start, pair.path.end, 400)
        over_path = np.trapezoid(model.pair_stiffness(at), at) / pair.path.base_pitch
        assert cycle.mean == pytest.approx(over_path, rel=0.02)
    assert model.pair_stiffness(pair.path.start - 1e-4) == 0
    assert model.pair_stiffness(pair.path.end + 1e-4) == 0


@pytest.mark.parametrize("method", ["slices", "energy, pairs added"])
def test_one_and_two_pairs(method):
    """Spur gears: between B and D one pair carries, elsewhere the sum of two."""
    model = METHODS[method](PAIR)
    path = PAIR.path
    for phase in (0.05, 0.3, 0.55, 0.8, 0.95):
        at = path.start + phase * path.base_pitch
        alone = at + path.base_pitch > path.end
        expected = model.pair_stiffness(at) + (0 if alone else model.pair_stiffness(at + path.base_pitch))
        assert model.mesh_stiffness(phase) == pytest.approx(expected)
    assert model.cycle().stiffness.min() < 0.75 * model.cycle().stiffness.max()


def test_helical_slices_smooth_the_cycle():
    """A face of one axial pitch (overlap ratio 1) makes a thin-slice mesh even; a narrow one is like a spur gear."""
    width = pi * 2e-3 / np.sin(radians(20))
    ripple = []
    for b in (1e-4, 0.5 * width, width):
        pair = GearPair.of((30, 45), 2e-3, helix_angle=radians(20), face_width=b)
        k = EnergyMethod(pair).cycle(64).stiffness
        ripple.append(np.ptp(k) / k.mean())
    assert ripple[0] > 0.3
    assert ripple[2] < 1e-3 < ripple[1] < ripple[0]


def test_symmetric_pair_is_symmetric():
    """Equal wheels: the stiffness of a pair is the same as far before as after the pitch point."""
    pair = EXTERNAL["sharp"]
    for model in (EnergyMethod(pair), BeamSlices(pair)):
        at = np.linspace(pair.path.start, pair.path.end, 9)
        assert model.pair_stiffness(at) == pytest.approx(model.pair_stiffness(at)[::-1], rel=1e-6)


def test_size_does_not_matter():
    """Stiffness per face width of similar gears is the same (but for the contact, which knows the load)."""
    small, large = (GearPair.of((25, 40), m, face_width=10 * m) for m in (1e-3, 8e-3))
    assert EnergyMethod(small).cycle(32).mean / 10e-3 == pytest.approx(
        EnergyMethod(large).cycle(32).mean / 80e-3
    )


def test_table_and_harmonics():
    model = EnergyMethod(PAIR, coupled=False)
    along = np.linspace(0, 1, 201)
    table = StiffnessTable(PAIR, along, model.pair_stiffness(PAIR.path.start + along * PAIR.path.length))
    cycle = table.cycle(256)
    assert cycle.stiffness == pytest.approx(model.cycle(256).stiffness, rel=1e-4)
    c = cycle.harmonics(100)
    again = np.real(c @ np.exp(2j * pi * np.outer(np.arange(101), cycle.phase)))
    assert np.mean(np.abs(again - cycle.stiffness)) < 0.01 * cycle.mean  # the jumps are all that is missing
    assert c[0] == pytest.approx(cycle.mean)
    fine = np.arange(20000) / 20000
    first = 2 * np.mean(table.mesh_stiffness(fine) * np.exp(-2j * pi * fine))
    assert abs(c[1] - first) < 3e-3 * abs(first)  # half a sample would be 12e-3


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: EnergyMethod(GearPair.of((20, 30), 1e-3)), "face width"),
        (lambda: EnergyMethod(PAIR, bore_ratios=(0.9, 3)), "bore must be smaller"),
        (lambda: StiffnessTable(PAIR, [0, 0.5], [1e8, 1e8]), "cover 0 .* to 1"),
        (lambda: StiffnessTable(PAIR, [0, 1], [1e8]), "as many places as values"),
        (lambda: ConstantStiffness(PAIR, -1.0), "greater than zero, but is -1"),
        (lambda: BeamSlices(RackPair(Gear(20, 1e-3, face_width=1e-2))), "face width"),
    ],
)
def test_refusals(make, said):
    with pytest.raises(GeometryError, match=said):
        make()


def test_bais_number_for_the_local_part():
    """y_L = 4.55 (1 - nu^2) F/(W E) of each tooth is about what Cornell's base and contact give together."""
    at = np.linspace(PAIR.path.start, PAIR.path.end, 21)
    parts = BeamSlices(PAIR).parts(at)
    lumped = 2 * 4.55 * (1 - NU**2) / (E * PAIR.face_width)
    assert np.mean(parts["foundation"] + parts["contact"]) == pytest.approx(lumped, rel=0.25)
    assert BeamSlices(PAIR, local="constant").parts(at)["foundation and contact"][0] == pytest.approx(lumped)
