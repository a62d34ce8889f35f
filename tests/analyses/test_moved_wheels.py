"""What pushes teeth apart, or draws pulleys together, moves wheels that are not held: in every formulation."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.description import ModelError

from .moved_wheels import CASES, MASS, PERIOD, STIFFNESS, way

TIGHT = {"rtol": 1e-9, "atol": 1e-12, "progress": False}


@pytest.mark.parametrize("formulation", ["auto", "absolute", "reduced"])
@pytest.mark.parametrize("case", CASES)
def test_wheels_yield_as_by_hand(case, formulation):
    """A mass on a spring under a constant force, and the work of that force."""
    m, force = CASES[case]()
    r = m.simulate(end=PERIOD / 2, output=50, formulation=formulation, **TIGHT)
    by_hand = force / STIFFNESS * (1 - np.cos(r.t * np.sqrt(STIFFNESS / MASS)))
    assert np.abs(by_hand).max() > 8e-4
    assert way(m, r) == pytest.approx(by_hand, abs=1e-7 * np.abs(by_hand).max())
    assert r.statistics.formulation.startswith("reduced" if formulation == "reduced" else "absolute")
    assert ("straight-line code" in r.statistics.formulation) is (formulation == "reduced")
    balance = r.energy_balance()
    (mesh,) = m.meshes
    assert balance.work[mesh] == pytest.approx(force * by_hand, abs=1e-6 * force**2 / STIFFNESS)
    assert np.abs(balance.remainder).max() < 1e-7 * balance.scale


@pytest.mark.parametrize("case", CASES)
def test_they_rest_where_the_spring_holds_them(case):
    m, force = CASES[case]()
    at = m.equilibrium()
    joint = "sleeve" if "sleeve" in m.joints else "slide"
    assert float(at[f"{joint}.displacement"]) == pytest.approx(force / STIFFNESS, rel=1e-6)


def test_equations_in_minimal_coordinates_say_what_they_cannot_hold():
    m, _ = CASES["pulley"]()
    with pytest.raises(ModelError, match=r"`belt`.*not held against it.*tooth force"):
        m.reduced()


@pytest.mark.slow
def test_wheels_whose_axes_are_held_have_minimal_coordinates():
    m, _ = CASES["external"]()
    m.add("weld", ww.Fixed(bodies=("ground", "hub"), point=(0.12, 0, 0)))
    r = m.simulate(end=0.01, output=2, progress=False)
    assert r.statistics.formulation.startswith("reduced: 1 coordinate ")


def test_a_tooth_force_that_is_left_open_is_refused():
    """Two meshes side by side share the load as they like, and so push as they like."""
    m, force = CASES["external"]()
    m.add("twin", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module=4e-3))
    with pytest.raises(ModelError, match=r"mesh `(mesh|twin)` moves a wheel.*statically indeterminate"):
        m.simulate(end=0.01, formulation="reduced", progress=False)
    r = m.simulate(end=PERIOD / 2, output=10, **TIGHT)  # half each, where nothing says more
    assert way(m, r)[-1] == pytest.approx(2 * force / STIFFNESS, rel=1e-5)


def on_an_arm() -> ww.Mechanism:
    """A wheel on an arm whose pivot is in line with both wheels: just there, the teeth push against the pivot."""
    m = ww.Mechanism("arm", gravity=(0, -9.81, 0))
    for name, at in (("a", (0, 0, 0)), ("b", (0.12, 0, 0)), ("arm", (0.2, 0, 0))):
        m.add(name, ww.Body(mass=1, inertia=(2e-3,) * 3, position=at))
    m.add("bearing-a", ww.Revolute(bodies=("ground", "a"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("pivot", ww.Revolute(bodies=("ground", "arm"), point=(0.32, 0, 0), axis=(0, 0, 1)))
    m.add("bearing-b", ww.Revolute(bodies=("arm", "b"), point=(0.12, 0, 0), axis=(0, 0, 1)))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module=4e-3))
    m.add("motor", ww.Torque(body="a", value=(0, 0, -20)))
    m.add("load", ww.Torque(body="b", value=(0, 0, -40)))
    return m


@pytest.mark.slow
def test_a_special_position_at_the_start_does_not_hide_it():
    """Swings off by the weight, then the teeth push it on."""
    angles = {}
    for key, options in {
        "absolute": {},
        "reduced": {"formulation": "reduced"},
        "sdirk4": {"method": "sdirk4"},
    }.items():
        r = on_an_arm().simulate(end=0.06, output=6, **TIGHT, **{"formulation": "absolute", **options})
        angles[key] = r["pivot.angle"].to_numpy()
    assert angles["absolute"][-1] > 0.05
    for found in angles.values():
        assert found == pytest.approx(angles["absolute"], abs=1e-7)


@pytest.mark.slow
def test_turns_of_a_belt_without_teeth_are_counted_over_a_slide():
    """Radii of no small ratio, a pulley on a slide: thirty turns later no strand has slipped."""
    m, _ = CASES["pulley"]()
    m.meshes["belt"] = ww.BeltMesh(bodies=("a", "b"), radii=(0.0500123, 0.0317331), tension=200)
    m.add("motor", ww.Actuator(joint="bearing-a", value=5))
    r = m.simulate(end=1, output=10, progress=False)
    a, b = (r[f"bearing-{name}.angle"].to_numpy() for name in "ab")
    assert a[-1] > 2 * np.pi * 20
    assert 0.0500123 * a == pytest.approx(0.0317331 * b, abs=1e-7)
