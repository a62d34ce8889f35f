"""Static equilibrium of stiff teeth that start inside their backlash: against springs in series by hand."""

import numpy as np
import pytest

import wheelwork as ww

from .test_compliant import ALPHA, R_A, R_B, two_rotors

BASE_A, BASE_B = R_A * np.cos(ALPHA), R_B * np.cos(ALPHA)
HOLD = 5e3


def loaded(torque: float, stiffness: float = 1e9, **model) -> ww.Mechanism:
    """A torque on wheel a; wheel b held by a torsional spring; both in the middle of 0.2 mm of play."""
    m = two_rotors(stiffness, backlash=2e-4, **model)
    m.add("load", ww.Torque(body="a", value=(0, 0, torque)))
    m.add("hold", ww.TorsionalSpring(joint="b.bearing", stiffness=HOLD))
    return m


@pytest.mark.slow
@pytest.mark.parametrize(
    ("torque", "stiffness"), [(40.0, 1e7), (-40.0, 1e9), (1e-3, 1e7), (1e-3, 1e9), (40.0, 1e12)]
)
def test_through_the_play_onto_a_flank(torque, stiffness):
    """u = +-(B + F/k), whichever flank; the held wheel turns by F R_b/k_hold."""
    at = loaded(torque, stiffness).equilibrium()
    force = torque / BASE_A
    assert float(at["mesh.force.transverse"]) == pytest.approx(force, rel=1e-6)
    assert float(at["mesh.side"]) == np.sign(torque)
    lead = np.sign(torque) * 1e-4 + force / stiffness
    assert float(at["mesh.transmission_error"]) == pytest.approx(lead, rel=1e-7)
    # u = R_a a + R_b b; b is turned back by the force
    b = force * BASE_B / -HOLD
    assert float(at["b.angle"]) == pytest.approx(b, rel=1e-6)
    assert float(at["a.angle"]) == pytest.approx((lead - BASE_B * b) / BASE_A, rel=1e-6)


@pytest.mark.slow
def test_a_train_with_play_in_every_mesh():
    """Four wheels in a row, each mesh with its own play: the torque is handed on, flank by flank."""
    m = ww.Mechanism("row", gravity=(0, 0, 0))
    plays = (1e-4, 3e-4, 5e-5)
    for k in range(4):
        m.add(f"w{k}", ww.Rotor(inertia=1e-3, position=(0.04 * k, 0, 0)))
    for k, play in enumerate(plays):
        model = ww.CompliantTeeth(stiffness=5e8, backlash=play)
        m.add(
            f"m{k}", ww.ExternalMesh(bodies=(f"w{k}", f"w{k + 1}"), teeth=(20, 20), module=2e-3, model=model)
        )
    m.add("load", ww.Torque(body="w0", value=(0, 0, 25.0)))
    m.add("hold", ww.TorsionalSpring(joint="w3.bearing", stiffness=HOLD))
    at = m.equilibrium()
    force = 25.0 / BASE_A
    # each next wheel is pushed the other way, and so on the other flanks
    for k, play in enumerate(plays):
        side = (-1) ** k
        assert float(at[f"m{k}.force.transverse"]) == pytest.approx(side * force, rel=1e-6)
        assert float(at[f"m{k}.transmission_error"]) == pytest.approx(
            side * (play / 2 + force / 5e8), rel=1e-6
        )
    assert float(at["w3.angle"]) == pytest.approx(-25.0 / HOLD, rel=1e-6)


@pytest.mark.slow
def test_two_pinions_share_once_the_later_one_touches():
    """Two pinions on one held wheel, one of them behind by 20 um: below the torque that closes the gap it does
    nothing, above it takes what is left. Both are turned by one shaft each from the same hub."""
    stiffness, late, shaft = 1e8, 20e-6, 4e3

    def share(torque):
        m = ww.Mechanism("pinions", gravity=(0, 0, 0))
        m.add("wheel", ww.Rotor(inertia=8e-3))
        m.add("hold", ww.TorsionalSpring(joint="wheel.bearing", stiffness=1e5))
        for name, x, behind in (("p", 1, 0.0), ("q", -1, late)):
            at = (x * (R_A + R_B), 0, 0)
            m.add(name, ww.Rotor(inertia=1e-3, position=at))
            shafts = {"stiffness": shaft, "free_angle": torque / shaft}
            m.add(f"hub-{name}", ww.TorsionalSpring(joint=f"{name}.bearing", **shafts))
            model = ww.CompliantTeeth(stiffness=stiffness, backlash=1e-4, offset=5e-5 - behind)
            sizes = {"teeth": (20, 40), "module": 2e-3}
            m.add(f"mesh-{name}", ww.ExternalMesh(bodies=(name, "wheel"), model=model, **sizes))
        found = m.equilibrium()
        return [float(found[f"mesh-{name}.force.transverse"]) for name in "pq"]

    def by_hand(torque):
        """Piecewise linear: try the second pinion in contact, else out of it."""
        free = torque / shaft * BASE_A  # lead of a pinion whose teeth carry nothing
        soft, held = 1 / stiffness + BASE_A**2 / shaft, BASE_B**2 / 1e5
        matrix = np.array([[soft + held, held], [held, soft + held]])
        both = np.linalg.solve(matrix, [free, free - late])
        return both if both[1] > 0 else np.array([free / (soft + held), 0.0])

    assert by_hand(3.0)[1] == 0
    assert by_hand(60.0)[1] > 0
    for torque in (3.0, 60.0):
        assert share(torque) == pytest.approx(by_hand(torque), rel=1e-5, abs=1e-6)


@pytest.mark.slow
def test_small_motions_about_what_was_found():
    """The flank that carries is the spring of the modes: equivalent mass of two wheels, b on its torsional spring."""
    m = loaded(40.0, 1e9)
    found = m.linearise(at=m.equilibrium()).frequencies
    arms = np.array([BASE_A, BASE_B])
    K = 1e9 * np.outer(arms, arms) + np.diag([0, HOLD])
    exact = np.sort(np.sqrt(np.linalg.eigvals(np.diag([1 / 1e-3, 1 / 8e-3]) @ K).real)) / (2 * np.pi)
    assert np.sort(found) == pytest.approx(exact, rel=1e-6)


@pytest.mark.slow
def test_nothing_holds_the_wheels():
    m = two_rotors(1e6, backlash=2e-4)
    m.add("load", ww.Torque(body="a", value=(0, 0, 5.0)))
    with pytest.raises(ww.ModelError, match=r"no equilibrium was found.*`[ab]`.*rad/s\^2.*hold it"):
        m.equilibrium()


def test_without_load_the_given_place_in_the_play_is_kept():
    """Any place in the backlash would do: the nearest is the given one."""
    at = two_rotors(1e9, backlash=2e-4, offset=3e-5).equilibrium()
    assert float(at["mesh.transmission_error"]) == pytest.approx(3e-5, rel=1e-9)
    assert float(at["mesh.side"]) == 0
