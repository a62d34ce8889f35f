"""Linear equations about steady motions: closed forms, published numbers and kicked runs, and what is refused."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
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
    with pytest.raises(ww.ModelError, match=r"is not steady: its bodies cannot go on .*`b` would open"):
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


def test_lines_of_an_unsymmetric_rotor_in_the_world():
    """One whirl is a circle, 400 rad/s outside, the other an ellipse in the rotor's axes, which is two circles outside:
    64.575 and 464.575 rad/s, as a matrix pencil finds in a run."""
    found = rotor((0.01, 0.03, 0.035), 200.0, (400.0, 400.0)).modes()
    assert found.frame == "disk"
    whirls = [mode for mode in found if mode.natural_frequency > 0]
    for mode, expected in zip(whirls, ((400.0,), (64.575, 464.575)), strict=True):
        lines = {line.frequency * HZ: line.share for line in mode.lines}
        np.testing.assert_allclose(sorted(lines), expected, atol=1e-3)
        assert sum(lines.values()) == pytest.approx(1)


@pytest.mark.parametrize("ask", ["steady", "world"])
def test_modes_of_a_stage_in_the_carrier_and_in_the_world(ask):
    """A pair of translational modes, seen from outside: one of each circles with the carrier, the other against it."""
    own, W = stage(300.0).modes().natural_frequencies, 300 / HZ
    found = stage(300.0).modes(frame=None if ask == "steady" else ask)
    assert found.frame == ("carrier" if ask == "steady" else "world")
    words = str(found)
    assert "steady as seen from: carrier" in words
    assert ("frequencies: as the world sees them" in words) == (ask == "world")
    assert found.dataset.attrs["frame"] == found.frame
    if ask == "world":
        low = found.natural_frequencies[1:3]
        np.testing.assert_allclose(low, np.sort([own[1] + W, own[2] - W]), rtol=1e-9)  # both near 743 Hz
        assert np.ptp(low) < 10


def test_lines_of_a_symmetric_rotor_do_not_depend_on_the_axes():
    """Asked for in its own axes, its whirls are seen from the world as they are found there."""
    m = rotor((0.03, 0.03, 0.01), 200.0, (400.0, 400.0))
    world, own = m.modes(), m.modes(frame="disk")
    for a, b in zip(world, m.modes(frame="world"), strict=True):
        assert a.undamped == b.undamped
    lines = sorted(mode.lines[0].frequency for mode in own)
    np.testing.assert_allclose(lines, np.sort(world.natural_frequencies), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(
        sorted(mode.whirl for mode in own), sorted(mode.whirl for mode in world), atol=1e-6
    )


def test_shares_of_damping_add_up_in_axes_that_turn():
    """To first order; a damper that stands in the world acts on what turns with its axes too."""
    for inner in (True, False):
        m = slider(4000.0) if inner else stage(300.0)
        for name, spring in list(m.forces.items()):
            change = {"damping": 0.5} if inner else {"damping": (200.0, 200.0)}
            m.forces[name] = type(spring)(**spring.model_dump(exclude_unset=True) | change)
        vibrating = [mode for mode in m.modes() if mode.natural_frequency > 1]
        assert vibrating
        for mode in vibrating:
            assert sum(mode.dissipation.values()) == pytest.approx(mode.damping, rel=2e-3)
            assert sum(mode.strain.values()) == pytest.approx(1)


@pytest.mark.parametrize(("frame", "bands"), [(None, (698.56, 787.18)), ("world", (739.4, 746.3))])
def test_campbell_of_a_stage_over_the_speed_of_its_carrier(frame, bands):
    """It was flat over speed."""
    m = stage(1.0)
    m.parameters["W"] = 1.0
    for name, body in m.bodies.items():
        (x, y), kind = body.position[:2], name.rstrip("123")
        v = (f"-({y})*W", f"{x}*W") if kind == "planet" else (0.0, 0.0)
        moving = {"velocity": v, "angular_velocity": f"{body.angular_velocity[2]}*W"}
        m.bodies[name] = ww.Body(mass=body.mass, inertia=body.inertia, position=(x, y), **moving)
    found = m.campbell("W", np.linspace(0, 300, 4), frame=frame)
    assert found.frame == ("carrier" if frame is None else "world")
    np.testing.assert_allclose(found.natural_frequencies[0, 1:3], 743.2, atol=0.5)
    np.testing.assert_allclose(np.sort(found.natural_frequencies[-1, 1:3]), bands, atol=0.1)


def test_response_in_a_carrier():
    """A force along the slide answers the bob's place on it: 1/(m (w0^2 - w^2)); a force along x of the world does not
    answer at its own frequency alone, and neither is that seen along x."""
    m = slider(4000.0)
    m.parameters["push"] = m.parameters["shove"] = 0.0
    m.add("along", ww.Actuator(joint="slide", value="push"))
    m.add("across", ww.Force(body="bob", value=("shove", 0, 0)))
    f = np.array([0.0, 5.0, 12.0, 20.0])
    found = m.frequency_response("push", ["slide.displacement"], f)
    np.testing.assert_allclose(found["slide.displacement"], 1 / (0.4 * (7500 - (HZ * f) ** 2)), rtol=1e-6)
    assert found.dataset.attrs["frame"] == "world (hub), hub (bob)"
    with pytest.raises(ww.ModelError, match=r"force of `shove` has no constant direction as seen from .*hub"):
        m.frequency_response("shove", ["slide.displacement"], f)
    with pytest.raises(ww.ModelError, match=r"`bob.position.x` changes by itself as seen from .*hub"):
        m.frequency_response("push", ["bob.position.x"], f)


@pytest.mark.parametrize("name", ["mesh-phasing", "yaw-drive", "friction-planetary"])
def test_teeth_that_roll_on_are_no_change(name):
    """Their mean stiffness counts; that of another phase, and another error of the teeth there, were 0.6 and 1.6 %."""
    assert ww.load(examples.path(name)).linearise().change < 1e-9


def test_campbell_says_where_its_axes_change():
    """A rotor that becomes unsymmetric: curves of the world go on in its own axes, 200 rad/s away, or all in these."""
    m = rotor(("0.03", "0.03 + more", "0.01"), 200.0, (400.0, 400.0))
    m.parameters["more"] = 0.0
    with pytest.warns(OperatingPointWarning, match="seen from world below more = 0.001, and from disk there"):
        m.campbell("more", [0.0, 1e-3])
    smooth = m.campbell("more", [0.0, 1e-4], frame="disk").natural_frequencies
    assert smooth[1] == pytest.approx(smooth[0], abs=0.1)


@pytest.mark.parametrize("stiffening", [0.0, 4e4])
def test_weight_across_a_carrier(stiffening):
    """A slide that turns under gravity: forced motion beside linear springs, and a stiffness that comes and goes with
    it where the spring is not linear."""
    m = slider(360.0, speed=10.0)
    m.gravity = (0, -9.81, 0)
    m.add("stop", ww.Actuator(joint="slide", value=f"-{stiffening}*slide.displacement^3"))
    if not stiffening:
        assert m.modes().natural_frequencies == pytest.approx([np.sqrt(360 / 0.4 - 100) / HZ], rel=1e-6)
        return
    with pytest.raises(
        ww.ModelError, match="is not steady: as seen from axes of `world` and `hub` they change"
    ):
        m.modes()
    with pytest.warns(OperatingPointWarning, match="not quite constant"):
        assert m.modes(frame="world").frame == "world"


def test_a_small_unbalance_of_a_geared_rotor_is_no_change():
    """Coefficients of the world are nearly constant, as its centre of mass goes round: frequencies are those of the
    balanced rotors, and weight across the axis changes no more."""

    def pair(off, weight=0.0):
        m, z = ww.Mechanism("pair", gravity=(0, -weight, 0)), (0, 0, 1)
        a = {"mass": 3, "inertia": (0.01, 0.01, 0.006), "center_of_mass": (off, 0, 0)}
        m.add("a", ww.Body(**a, angular_velocity=(0, 0, 100)))
        b = {"mass": 8, "inertia": (0.05, 0.05, 0.04), "position": (0.12, 0, 0)}
        m.add("b", ww.Body(**b, angular_velocity=(0, 0, -50)))
        for name, x, end in (("a", 0, -0.1), ("a", 0, 0.1), ("b", 0.12, -0.1), ("b", 0.12, 0.1)):
            stiff = {"radial_stiffness": 1e7, "axial_stiffness": 1e7, "radial_damping": 50.0}
            bearing = ww.Bearing(bodies=("ground", name), point=(x, 0, end), axis=z, **stiff)
            m.add(f"{name}{'l' if end < 0 else 'r'}", bearing)
        teeth = {"teeth": (20, 40), "module": 4e-3, "face_width": 0.02, "axis_a": z, "axis_b": z}
        model = ww.CompliantTeeth(stiffness=2e8, law="linear")
        places = {"point_a": (0, 0, 0), "point_b": (0.12, 0, 0)}
        m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), model=model, **teeth, **places))
        return m.modes()

    exact = pair(0.0).natural_frequencies
    for found in (pair(1e-5), pair(1e-5, 9.81)):
        assert found.frame == "world"
        assert found.natural_frequencies == pytest.approx(exact, rel=1e-3, abs=1e-2)
