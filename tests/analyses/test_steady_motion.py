"""Linear equations about steady motions: closed forms, published numbers and kicked runs, and what is refused."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.kinks import OperatingPointWarning
from wheelwork.analyses.small_motions import carried
from wheelwork.validation.cases import lin_parker

from .steady_models import absorber, governor, rotor, slider, stage

HZ = 2 * np.pi


def imaginary(linear):
    """rad/s, ascending, zeros left out."""
    values = linear.eigenvalues.imag
    return np.sort(values[values > 1e-3])


@pytest.mark.parametrize("k", [4000.0, 1600.0, 900.0])
def test_a_slider_on_a_hub(k):
    """sqrt(k/m - W^2): 13.78 Hz for 4000 N/m, and unstable for 900 (15.915 and 7.55 Hz, `stable`, were answered)."""
    linear, square = slider(k).linearise(), k / 0.4 - 50.0**2
    assert linear.seen_from["bob"] == "hub"
    assert linear.stable == (square > 0)
    np.testing.assert_allclose(np.sort_complex(linear.eigenvalues**2), [-square] * 2, rtol=1e-6)
    mode = slider(k).modes()[0]
    assert mode.kind == ("" if square > 0 else "unstable")
    assert abs(mode.undamped) == pytest.approx(np.sqrt(abs(square)), rel=1e-6)


def test_a_slider_given_where_it_does_not_balance():
    """The spring is at its free length where the bob is given: it balances at k r/(k - m W^2)."""
    m = slider(4000.0)
    m.forces["spring"] = ww.Spring(
        bodies=("hub", "bob"), stiffness=4000.0, point_a=(-0.8, 0, 0), point_b=(0.2, 0, 0), free_length=1.0
    )
    linear = m.linearise(at="steady")
    assert float(linear.at["bob.position"][0]) == pytest.approx(4000 * 0.2 / (4000 - 0.4 * 2500), rel=1e-9)
    np.testing.assert_allclose(imaginary(linear), [np.sqrt(7500)], rtol=1e-6)


def test_a_governor():
    m, expected = governor()
    linear = m.linearise()
    np.testing.assert_allclose(imaginary(linear), np.sort(expected), rtol=1e-5)
    assert set(linear.seen_from.values()) <= {"world", "shaft"}


def test_a_pendulum_absorber():
    m, expected = absorber()
    np.testing.assert_allclose(imaginary(m.linearise()), [expected], rtol=1e-6)


@pytest.mark.parametrize(
    ("J", "expected"),
    [((0.01, 0.03, 0.035), (200, 100 * np.sqrt(7))), ((0.03, 0.035, 0.01), (53.125, 284.583))],
)
def test_an_unsymmetric_rotor_in_its_own_axes(J, expected):
    """57.7 and 400, 87.3 and 141.4 rad/s were answered."""
    linear = rotor(J, 200.0, (400.0, 400.0)).linearise()
    assert linear.frame == "disk"
    np.testing.assert_allclose(imaginary(linear), expected, rtol=2e-5)


@pytest.mark.parametrize(("speed", "grows"), [(126.0, False), (127.0, True), (141.0, True), (142.0, False)])
def test_an_unsymmetric_rotor_is_unstable_between_two_speeds(speed, grows):
    """sqrt(k/(I - Iz)): 126.4911 and 141.4214 rad/s."""
    assert rotor((0.03, 0.035, 0.01), speed, (400.0, 400.0)).linearise().stable != grows


def test_symmetric_rotors_stay_as_they_are_in_the_world():
    linear = rotor((0.03, 0.03, 0.01), 200.0, (400.0, 500.0)).linearise()
    assert linear.frame == "world"
    np.testing.assert_allclose(imaginary(linear), [92.724, 160.769], rtol=1e-5)


@pytest.mark.parametrize(
    ("speed", "expected"),
    [
        (300.0, (698.56, 787.18)),
        (200.0, (713.49, 772.58)),
        (100.0, (728.36, 757.91)),
        (30.0, (738.73, 747.59)),
    ],
)
def test_a_planetary_stage_splits_as_its_carrier_turns(speed, expected):
    """Flow of the engine to 9e-9 and a Lagrangian's modes by phase in a kicked run to 8e-9 (prototype)."""
    linear = stage(speed).linearise()
    assert linear.frame == "carrier"
    np.testing.assert_allclose(imaginary(linear)[:2] / HZ, expected, atol=6e-3)
    assert linear.change < 1e-8


@pytest.mark.parametrize("speed", [0.0, 1e-6])
def test_slow_motion_goes_over_into_rest(speed):
    np.testing.assert_allclose(
        stage(speed).modes().natural_frequencies,
        lin_parker.stage().modes().natural_frequencies,
        rtol=1e-6,
        atol=1e-3,
    )


def test_the_angle_at_the_start_does_not_matter():
    m = stage(300.0)
    first = m.linearise()
    later = m.linearise(at=carried(first.at, 0.0123, first.turning))
    np.testing.assert_allclose(imaginary(later), imaginary(first), rtol=1e-8)


def test_what_is_steady_from_nowhere_is_refused_in_words():
    m = rotor((0.03, 0.035, 0.01), 145.0, (400.0, 520.0))
    with pytest.raises(ww.ModelError, match=r"is not steady.*`post-.`.* at `disk`, by 2\d %.*`stability`"):
        m.linearise()
    with pytest.warns(OperatingPointWarning, match="seen from the world they change"):
        assert m.linearise(frame="world").change > 0.1


def test_a_bearing_of_the_sun_that_is_not_round_is_named():
    m = stage(300.0)
    m.forces["sun-bearing"] = ww.Bushing(bodies=("ground", "sun"), point=(0, 0), stiffness=(1.0e8, 1.3e8))
    with pytest.raises(ww.ModelError, match="`sun-bearing` at `sun`"):
        m.linearise()


def test_a_linkage_in_motion_is_refused():
    m = ww.Mechanism("pendulum", kind="planar", gravity=(0, 0))
    for name, x, w in (("upper", 0.25, 3.0), ("lower", 0.75, -5.0)):
        m.add(name, ww.Body(mass=1, inertia=0.02, position=(x, 0), angular_velocity=w))
    m.add("a", ww.Revolute(bodies=("ground", "upper"), point=(0, 0)))
    m.add("b", ww.Revolute(bodies=("upper", "lower"), point=(0.5, 0)))
    with pytest.raises(ww.ModelError, match="is not steady"):
        m.modes()


@pytest.mark.parametrize("name", ["disk", "world", "other", "carrier"])
def test_axes_that_are_asked_for(name):
    m = rotor((0.03, 0.03, 0.01), 200.0, (400.0, 400.0))
    if name == "other":
        with pytest.raises(ww.ModelError, match="is not `world`, `steady` or a body"):
            m.linearise(frame=name)
    elif name == "carrier":
        assert stage(300.0).linearise(frame=name).seen_from["ring"] == "carrier"
    else:
        shift = 200.0 if name == "disk" else 0.0
        p = 200 * 0.01 / 0.03 / 2
        whirls = p + np.sqrt(p**2 + 400 / 0.03), p - np.sqrt(p**2 + 400 / 0.03)
        expected = np.sort(np.abs([w - shift for w in whirls]))
        np.testing.assert_allclose(imaginary(m.linearise(frame=name)), expected, rtol=1e-5)
