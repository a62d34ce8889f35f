"""Laws of tooth contact: closed forms, limits, and what every law promises."""

import casadi as ca
import numpy as np
import pytest

from wheelwork.description.registry import family
from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.elements.meshes.teeth.elastic.cylinders import (
    cylinder_energy,
    cylinder_force,
    parts_of_lambert,
)
from wheelwork.gears import GearPair
from wheelwork.gears.stiffness import STEEL, BeamSlices, EnergyMethod
from wheelwork.gears.stiffness.contact import half_width, weber

from .contact_wheels import Wheels, free_pair

MODULUS = STEEL.plane_strain_modulus / 2
PAIR = GearPair.of((20, 40), 2e-3, face_width=20e-3)
ELASTIC, DAMPING, FRICTION = (list(family(f"{kind}_laws")) for kind in ("elastic", "damping", "friction"))


def contact(depth, rate=0.0, along=0.3, **changed) -> ContactSlice:
    path = PAIR.path
    place = path.start + (along + 1) / 2 * path.length
    values = {
        "covered": 1.0,
        "width": 20e-3,
        "sum_radius": path.tangent_length,
        "radius": float(path.reduced_curvature(place)),
        "pitch": path.base_pitch,
        "modulus": MODULUS,
        "poisson": STEEL.poisson_ratio,
        "part": 0.5,
        "cos_helix": 1.0,
        **changed,
    }
    return ContactSlice(
        ca.SX(0),
        ca.SX(depth),
        ca.SX(rate),
        ca.SX(place),
        ca.SX(along),
        **{k: ca.SX(v) for k, v in values.items()},
    )


def numbers(name):
    law, given = sample("elastic", name)
    computed = law.computed(PAIR, (STEEL, STEEL), float)
    return law, given, ca.SX(computed) if computed else ca.SX(0, 1)


def sample(kind, name):
    """A law with the fields of its own sample, and their numbers."""
    cls = family(f"{kind}_laws")[name]
    law = cls(**cls.sample)
    return law, ca.vertcat(ca.SX(0, 1), *law.given(ca.SX))


# -- cylinders


def test_force_and_depth_of_cylinders_are_inverse():
    """h(P) is Johnson's formula as he prints it; P(h) comes back to it to round-off at every depth."""
    length = 0.08
    line_load = np.logspace(-3, 8.5, 400)
    y = line_load / (np.pi * MODULUS * length)
    depth = y * length * (np.log(1 / y) - 1)
    x = ca.SX.sym("x")
    back = ca.Function("f", [x], [cylinder_force(x, ca.SX(length), ca.SX(MODULUS))])
    got = np.array([float(back(h)) for h in depth])
    assert depth[-1] / length > 1e-3  # far more than teeth stand: 80 um would be 1e-3
    assert got == pytest.approx(line_load, rel=2e-13)
    assert float(back(0.0)) == 0.0


def test_lambert_is_exact_to_round_off_up_to_the_end_of_the_law():
    """Its own equation W + ln(-W) = ln(y) + 1, whose slope by W goes to zero at the end."""
    x = ca.SX.sym("x")
    parts = ca.Function("w", [x], [*parts_of_lambert(x)])
    for y in [*np.logspace(-20, np.log10(0.1353), 2000), np.exp(-2.0), 0.5]:
        above, below = map(float, parts(y))
        w, level = -above / below, min(np.log(y) + 1, -1.0)
        assert abs(w + np.log(-w) - level) <= 4e-16 * abs(level) + 4e-16 * abs(w + 1)
    assert parts(1e-25) == parts(1e-20)


def test_energy_of_cylinders_is_the_integral_of_the_force():
    x = ca.SX.sym("x")
    arguments = (x, ca.SX(0.08), ca.SX(MODULUS))
    slope = ca.Function("s", [x], [ca.jacobian(cylinder_energy(*arguments), x) - cylinder_force(*arguments)])
    scale = ca.Function("s", [x], [cylinder_force(*arguments)])
    for depth in (1e-8, 1e-6, 1e-5, 1e-4):
        assert float(slope(depth)) == pytest.approx(0, abs=1e-9 * float(scale(depth)))


def test_weber_is_that_of_wheelwork_gears():
    law, given, found = numbers("weber")
    t = PAIR.path.base_pitch / 4
    at = contact(1e-6)
    rho = float(at.radius)
    for line_load in (1e4, 1e5, 1e6):
        depth = float(weber(line_load, rho, (t, t), STEEL))
        force = float(law.normal_force(contact(depth), given, found))
        assert force == pytest.approx(line_load * 20e-3, rel=1e-12)


# -- what every law promises


@pytest.mark.parametrize("name", ELASTIC)
def test_elastic_laws_rise_from_nothing_and_store_what_they_take(name):
    law, given, found = numbers(name)
    forces = [float(law.normal_force(contact(h), given, found)) for h in (0.0, 1e-9, 1e-6, 1e-5, 5e-5)]
    assert forces[0] == 0
    assert np.all(np.diff(forces) > 0)
    assert float(law.stored_energy(contact(0.0), given, found)) == 0
    for h in (1e-6, 2e-5):
        step = 1e-4 * h
        slope = float(
            law.stored_energy(contact(h + step), given, found)
            - law.stored_energy(contact(h - step), given, found)
        ) / (2 * step)
        assert slope == pytest.approx(float(law.normal_force(contact(h), given, found)), rel=1e-6)


@pytest.mark.parametrize("name", ELASTIC)
def test_helical_flanks_store_what_they_take(name):
    law, given, found = numbers(name)
    h, step = 1e-5, 1e-9
    at = [contact(x, cos_helix=0.9) for x in (h - step, h, h + step)]
    slope = float(law.stored_energy(at[2], given, found) - law.stored_energy(at[0], given, found)) / (
        2 * step
    )
    assert slope == pytest.approx(float(law.normal_force(at[1], given, found)), rel=1e-6)


@pytest.mark.parametrize("name", DAMPING)
def test_damping_laws_add_nothing_at_no_depth_and_never_pull(name):
    law, given = sample("damping", name)
    elastic, elastic_given, found = numbers("linear")
    for rate in (-10.0, -0.01, 0.0, 0.01, 10.0):
        for depth in (0.0, 1e-7, 1e-5, 1e-4):
            at = contact(depth, rate)
            spring = elastic.normal_force(at, elastic_given, found)
            total = float(law.total(spring, at, given))
            assert total >= 0
            if depth == 0:
                assert total == 0
            assert (total - float(spring)) * rate >= 0  # it only takes power
            if rate == 0:
                assert total == float(spring)


@pytest.mark.parametrize("name", FRICTION)
def test_friction_laws_go_with_sliding_and_are_limited(name):
    law, given = sample("friction", name)
    parts = [float(law.part(ca.SX(v), given)) for v in (-5.0, -1e-2, 0.0, 1e-2, 5.0)]
    assert parts[2] == 0
    assert np.sign(parts).tolist() == [-1, -1, 0, 1, 1]
    assert parts == pytest.approx([-one for one in reversed(parts)], abs=1e-15)  # the same either way
    assert max(parts) <= 1


@pytest.mark.parametrize("name", ["coulomb", "film"])
def test_friction_laws_that_rise_reach_the_whole_friction(name):
    law, given = sample("friction", name)
    assert float(law.part(ca.SX(5.0), given)) == pytest.approx(1, abs=1e-6)


# -- numbers from `wheelwork.gears`


@pytest.mark.parametrize("method", ["energy", "beam"])
def test_pairs_of_teeth_have_the_stiffness_of_wheelwork_gears(method):
    """All pairs together, with what they share; at every phase of the mesh."""
    model = {"energy": EnergyMethod, "beam": BeamSlices}[method](PAIR)
    m = free_pair(
        "external",
        mesh={"thickness_allowance": (0.0, 0.0), "dedendum": 1.25},
        elastic={"type": "teeth", "method": method},
        phase=0.0,
    )
    wheels = Wheels(m)
    turn = 2 * np.pi / 20
    for phase in np.linspace(0.03, 0.97, 9):
        lead = 1e-6 / (20e-3 * np.cos(np.radians(20)))  # 1 um on the line of action
        _, signals = wheels.look((0, 0, phase * turn + lead), (0, 0, -phase * turn / 2))
        depth = signals["transmission_error"]
        expected = depth * float(model.mesh_stiffness(signals["phase"] - depth / (2 * PAIR.path.base_pitch)))
        assert depth == pytest.approx(1e-6, rel=1e-6)
        assert signals["force.transverse"] == pytest.approx(expected, rel=2e-4)
        assert signals["potential"] == pytest.approx(expected * depth / 2, rel=2e-4)


def test_pressure_and_half_width_are_those_of_hertz():
    m = free_pair("external", elastic="johnson")
    _, signals = Wheels(m).look((0, 0, 0.004), (0, 0, 0))
    force, place = signals["front.1.force.normal"], signals["front.1.position"]
    width = float(half_width(force / 20e-3, float(PAIR.path.reduced_curvature(place)), STEEL))
    assert signals["front.1.half_width"] == pytest.approx(width, rel=1e-9)
    assert signals["front.1.pressure"] == pytest.approx(2 * force / 20e-3 / (np.pi * width), rel=1e-9)
