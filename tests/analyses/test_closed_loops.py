"""States of controls in linear equations: closed-loop eigenvalues by hand, python-control, differences; equilibria."""

import numpy as np
import pytest
from pages import blocks, page, ran

import wheelwork as ww
from wheelwork.system.matrices import mass_matrix

J, DRAG, GRAVITY, ARM, MASS = 0.4, 0.15, 9.81, 0.3, 2.0
KP, KI, KD, TF = 30.0, 12.0, 2.5, 0.02
PID = {"proportional": KP, "integral": KI, "derivative": KD, "filter_time": TF}


def arm(angle: float = 0.0, **parameters) -> ww.Mechanism:
    """A pendulum about y that hangs where `angle` is zero, with a motor and drag in its hinge."""
    m = ww.Mechanism("arm", parameters={"target": 0.0, **parameters}, gravity=(0, 0, -GRAVITY))
    place = (-ARM * np.sin(angle), 0, -ARM * np.cos(angle))
    inertia = J - MASS * ARM**2
    m.add("bob", ww.Body(mass=MASS, inertia=(inertia, inertia, inertia), position=place))
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
    m.add("drag", ww.Friction(joint="hinge", viscous=DRAG))
    return m


def controlled(angle: float = 0.0, **parameters) -> ww.Mechanism:
    m = arm(angle, **parameters)
    m.add("pid", ww.Pid(input="target - hinge.angle", **PID))
    m.add("motor", ww.Actuator(joint="hinge", value="pid"))
    return m


def polynomial(stiffness: float) -> np.ndarray:
    """(J s^2 + d s + k) s (Tf s + 1) + (kp s + ki) (Tf s + 1) + kd s^2."""
    plant = np.polymul([J, DRAG, stiffness], [TF, 1, 0])
    return np.polyadd(plant, np.polyadd(np.polymul([KP, KI], [TF, 1]), [KD, 0, 0]))


def same(found, wanted, rel=1e-9):
    np.testing.assert_allclose(np.sort_complex(found), np.sort_complex(wanted), rtol=rel)


def test_closed_loop_eigenvalues_are_roots_of_the_characteristic_polynomial():
    linear = controlled().linearise()
    assert linear.states == ("pid.1", "pid.2")
    assert linear.A.shape == (4, 4)
    same(linear.eigenvalues, np.roots(polynomial(MASS * GRAVITY * ARM)))
    assert linear.stable


def test_modes_are_those_of_the_closed_loop():
    wanted = np.roots(polynomial(MASS * GRAVITY * ARM))
    found = controlled().modes()
    same(np.concatenate([found[0].eigenvalues, found.control]), wanted)
    assert "states of the control" in str(found)
    # with the states held, the proportional and the filtered derivative part are springs
    stiff = MASS * GRAVITY * ARM + KP + KD / TF
    assert found.natural_frequencies == pytest.approx([np.sqrt(stiff / J) / (2 * np.pi)], rel=1e-9)


@pytest.mark.slow
def test_the_reference_of_a_closed_loop_answers_as_python_control_says():
    control = pytest.importorskip("control")
    frequencies = np.geomspace(0.05, 20, 9)
    found = controlled().frequency_response("target", ["hinge.angle", "pid", "motor.torque"], frequencies)
    s = control.tf("s")
    pid = KP + KI / s + KD * s / (TF * s + 1)
    plant = 1 / (J * s**2 + DRAG * s + MASS * GRAVITY * ARM)
    at = 2j * np.pi * frequencies
    np.testing.assert_allclose(found["hinge.angle"], control.feedback(pid * plant, 1)(at), rtol=1e-6)
    for name in ("pid", "motor.torque"):  # differences give signals: 1e-6
        np.testing.assert_allclose(found[name], control.feedback(pid, plant)(at), rtol=1e-6)


def test_an_integrator_finds_its_equilibrium():
    """Held at its target by the integral part alone, which carries the weight."""
    for angle in (0.7, 2.6):
        at = controlled(target=angle).equilibrium()
        linear = controlled(target=angle).linearise(at=at)
        weight = MASS * GRAVITY * ARM
        value = {
            n: float(s.compute(at.motion)[0]) for n, s in signals(at, "hinge.angle", "pid.integral").items()
        }
        assert value["hinge.angle"] == pytest.approx(angle, rel=1e-9)
        assert value["pid.integral"] == pytest.approx(weight * np.sin(angle), rel=1e-9)
        same(linear.eigenvalues, np.roots(polynomial(weight * np.cos(angle))), rel=1e-7)


def signals(at, *names):
    catalogue = ww.system.signals.SignalCatalogue(at.prepared.program)
    return {name: catalogue[name] for name in names}


def test_matrices_are_those_of_differences():
    """Of the right-hand side at rest, in (eta, eta', z): two bodies in space, a PID and a filter of third order."""
    m = controlled(angle=0.4, target=0.9)
    place = (-2 * ARM * np.sin(0.4), 0.2, -2 * ARM * np.cos(0.4))
    m.add("tool", ww.Body(mass=0.5, inertia=(0.02, 0.03, 0.01), position=place))
    m.add("wrist", ww.Universal(bodies=("bob", "tool"), point=place, axis=(1, 0, 0), axis2=(0, 0, 1)))
    m.add(
        "filter",
        ww.TransferFunction(
            input="tool.w.x*hinge.angle + tool.position.z", numerator=(1, 2), denominator=(0.1, 1, 3, 5)
        ),
    )
    m.add("push", ww.Force(body="tool", value=("3*filter", "filter*tool.position.x", 0)))
    at = m.assemble()
    linear = m.linearise(at=at)
    program, n, count = at.prepared.program, len(linear.K), len(linear.states)
    M = mass_matrix(program, at.prepared.numbers, at.state)
    places = linear.control.places

    def right(x):
        y = program.displaced(at.state, linear.basis @ x[:n])
        y, _ = at.prepared.engine.project(0.0, y, 1e-13, 30)
        y[program.nq : program.nq + program.nv] = linear.basis @ x[n : 2 * n]
        y[places] += x[2 * n :]
        rates, a, _ = at.prepared.engine.derivative(0.0, y)
        return linear.basis.T @ M @ a, rates[places]

    def by(part, k):
        step = np.zeros(2 * n + count)
        step[k] = 1e-5
        return (right(step)[part] - right(-step)[part]) / 2e-5

    # the mechanism hangs askew: its basis turns as it moves, which K has and this difference has not
    B = np.column_stack([by(0, 2 * n + k) for k in range(count)])
    np.testing.assert_allclose(linear.B, B, atol=1e-7 * np.abs(B).max())
    rates = np.column_stack([by(1, k) for k in range(2 * n + count)])
    wanted = np.hstack([linear.by_eta, linear.by_rate, linear.control.own])
    np.testing.assert_allclose(wanted, rates, atol=1e-6 * np.abs(rates).max())


def test_states_that_only_watch_change_nothing():
    plain, watched = arm(), arm()
    watched.add("work", ww.Integrator(input="hinge.w^2"))
    np.testing.assert_array_equal(plain.linearise().A, watched.linearise().A)


@pytest.mark.parametrize(
    ("block", "how"),
    [
        (ww.Delay(input="-hinge.angle", time=0.01), "at its samples"),
        (
            ww.StateMachine(
                modes=("off", "on"), transitions=({"leave": "off", "enter": "on", "when": "hinge.angle > 1"},)
            ),
            "from one mode to the other",
        ),
    ],
)
def test_what_jumps_is_refused_with_words(block, how):
    m = arm()
    m.add("rule", block)
    m.add("motor", ww.Actuator(joint="hinge", value="rule"))
    for analysis in (m.linearise, m.modes, m.equilibrium):
        with pytest.raises(ww.ModelError, match=f"rule.*has a state that jumps {how}"):
            analysis()


PAGE = page("guide/control")
SHAFT = """
name: shaft
parameters: {target: 10, demand: 1}
bodies: {rotor: {type: rotor, inertia: 0.2}}
"""


@pytest.mark.slow
def test_the_code_of_the_guide(capsys):
    names = ran("guide/control")
    assert len(blocks(PAGE)) == 7
    assert "('pid.1', 'pid.2')" in capsys.readouterr().out
    assert names["linear"].stable
    assert abs(names["answer"]["hinge.angle"][0]) == pytest.approx(1, abs=0.2)  # slow: it follows
    assert np.ptp(names["r"]["sensor"].values) > 0.1  # along the prescribed motion


@pytest.mark.parametrize("text", blocks(PAGE, "yaml"))
def test_the_models_of_the_guide(text):
    """Each piece in a model with a rotor; `error` is in the one before."""
    if "error" in text and "error:" not in text:
        text = text.replace("control:\n", "control:\n  error: {type: formula, value: target - rotor.w}\n")
    assert ww.loads(SHAFT + text).simulate(end=0.02, output=2, progress=False).outcome.good
