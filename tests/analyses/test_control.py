"""Blocks of a control against python-control, closed forms, and each other; in both formulations."""

import numpy as np
import pytest

import wheelwork as ww


@pytest.fixture(scope="module")
def control():
    return pytest.importorskip("control")  # takes a second to load


FORMULATIONS = ("absolute", "reduced")
J, DRAG = 0.2, 0.05


def shaft(**parameters) -> ww.Mechanism:
    """J w' = torque - drag w."""
    m = ww.Mechanism("shaft", parameters={"target": 10.0, **parameters})
    m.add("rotor", ww.Rotor(inertia=J))
    m.add("drag", ww.Torque(body="rotor", value=(0, 0, f"-{DRAG}*rotor.w")))
    return m


def run(m, formulation, end=1.0, **options):
    options = {"output": 50, "rtol": 1e-9, **options}
    return m.simulate(end=end, formulation=formulation, progress=False, **options)


@pytest.mark.slow
@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("method", ["dopri5", "sdirk4"])
def test_a_pid_answers_a_step_as_python_control_says(control, formulation, method):
    m = shaft()
    kp, ki, kd, filtered = 0.8, 2.0, 0.02, 5e-3
    m.add(
        "pid",
        ww.Pid(input="target - rotor.w", proportional=kp, integral=ki, derivative=kd, filter_time=filtered),
    )
    m.add("motor", ww.Torque(body="rotor", value=(0, 0, "pid")))
    r = run(m, formulation, method=method, rtol=1e-8)
    s = control.tf("s")
    loop = (kp + ki / s + kd * s / (filtered * s + 1)) / (J * s + DRAG)
    times = np.linspace(0, 1, 20001)  # python-control integrates on the grid it is given
    wanted = 10 * control.step_response(control.feedback(loop, 1), times).outputs[::400]
    np.testing.assert_allclose(r.series("rotor.w").values, wanted, atol=2e-6)


def test_the_filter_of_a_derivative_may_start_at_the_error():
    """e = 3 + 2 t: kd 2 (1 - exp(-t/Tf)) from e(0); from zero kd 3/Tf exp(-t/Tf) besides, which is a kick."""
    m = ww.Mechanism("error", parameters={"target": 3.0})
    m.add("rotor", ww.Rotor(inertia=1))
    error = {"input": "target + 2*t", "derivative": 0.5, "filter_time": 0.1}
    m.add("kicked", ww.Pid(**error))
    m.add("smooth", ww.Pid(**error, initial_error="target"))
    r = m.simulate(end=0.5, output=20)
    rest = np.exp(-r.t / 0.1)
    assert r["smooth.derivative"].to_numpy() == pytest.approx(1 - rest, abs=1e-7)
    assert r["kicked.derivative"].to_numpy() == pytest.approx(1 - rest + 15 * rest, abs=1e-6)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_transfer_function_answers_as_python_control_says(control, formulation):
    """Also one whose output jumps with its input, and one of third order behind a signal of the mechanism."""
    m = shaft()
    m.add("motor", ww.Torque(body="rotor", value=(0, 0, 1.0)))
    cases = {"slow": ([2.0, 1.0], [0.01, 0.1, 1.0]), "jump": ([0.5, 1.0], [0.2, 1.0])}
    for name, (b, a) in cases.items():
        m.add(name, ww.TransferFunction(input=1, numerator=tuple(b), denominator=tuple(a)))
    m.add(
        "behind", ww.TransferFunction(input="rotor.w", numerator=(1.0,), denominator=(1e-4, 2e-3, 0.1, 1.0))
    )
    r = run(m, formulation, rtol=1e-10)
    for name, (b, a) in cases.items():
        wanted = control.step_response(control.tf(b, a), r.t).outputs
        np.testing.assert_allclose(r.series(name).values, wanted, atol=1e-6)
    whole = control.tf([1.0], [J, DRAG]) * control.tf([1.0], [1e-4, 2e-3, 0.1, 1.0])
    np.testing.assert_allclose(
        r.series("behind").values, control.step_response(whole, r.t).outputs, atol=1e-6
    )


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_state_is_integrated_with_the_motion(formulation):
    """The work of the drag as a state is what the energy balance says is lost."""
    m = shaft()
    m.add("motor", ww.Torque(body="rotor", value=(0, 0, "2*(target - rotor.w) - 0.3*heat")))
    m.add("heat", ww.State(rate=f"{DRAG}*rotor.w^2", unit="J"))
    m.add("given", ww.Integrator(input="motor_power"))
    m.add("motor_power", ww.FormulaBlock(value="(2*(target - rotor.w) - 0.3*heat)*rotor.w", unit="W"))
    r = run(m, formulation, end=3.0, rtol=1e-10)
    kinetic = 0.5 * J * r.series("rotor.w").values ** 2
    np.testing.assert_allclose(r.series("given").values, kinetic + r.series("heat").values, atol=1e-7)
    balance = r.energy_balance()
    assert np.max(np.abs(balance.remainder)) < 1e-5 * balance.scale
    half = r.at(1.234)
    np.testing.assert_allclose(
        float(half["given"]), 0.5 * J * float(half["rotor.w"]) ** 2 + float(half["heat"]), atol=1e-4
    )


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_anti_windup_keeps_the_integral_small(formulation):
    """At the limit for long, a controller without it overshoots, and one with it hardly does."""

    def highest(tracking):
        m = shaft()
        m.add(
            "pid",
            ww.Pid(
                input="target - rotor.w", proportional=0.5, integral=2, low=-1, high=1, tracking_time=tracking
            ),
        )
        m.add("motor", ww.Torque(body="rotor", value=(0, 0, "pid")))
        r = run(m, formulation, end=8.0, output=200, rtol=1e-8)
        assert np.max(np.abs(r.series("pid").values)) <= 1.0
        return np.max(r.series("rotor.w").values)

    assert highest(1e6) > 13.0
    assert highest(0.3) < 10.6


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_signals_are_limited_delayed_and_looked_up(formulation):
    m = shaft()
    m.add("sine", ww.FormulaBlock(value="sin(2*pi*t)"))
    m.add("late", ww.Delay(input="sine", time="100 ms", samples=40))
    m.add("ramp", ww.RateLimit(input="step(t - 0.2)", rise=2.0, time_constant="1 ms"))
    m.add("clip", ww.Saturation(input="2*sine", low=-0.5, high=1))
    m.add("full", ww.Integrator(input=3.0, high=1.2))
    m.add("curve", ww.LookUp(input="t", points=(0.1, 0.5, 0.9), values=(1, 2, -1)))
    m.add(
        "map",
        ww.LookUp2(
            input="t", second="3*t", points=(0, 0.4, 1), second_points=(0, 1), values=((0, 1), (2, 5), (3, 1))
        ),
    )
    r = run(m, formulation)
    t = r.t
    later = t > 0.1
    np.testing.assert_allclose(
        r.series("late").values[later],
        np.sin(2 * np.pi * (t[later] - 0.1)),
        atol=(2 * np.pi / 400) ** 2 / 8 * 1.1,
    )
    assert np.all(r.series("late").values[t < 0.1] == 0)
    np.testing.assert_allclose(r.series("ramp").values, np.clip(2 * (t - 0.2), 0, 1), atol=2e-3)
    np.testing.assert_allclose(
        r.series("clip").values, np.clip(2 * np.sin(2 * np.pi * t), -0.5, 1), atol=1e-12
    )
    np.testing.assert_allclose(r.series("full").values, np.minimum(3 * t, 1.2), atol=1e-8)
    np.testing.assert_allclose(
        r.series("curve").values, np.interp(t, [0.1, 0.5, 0.9], [1, 2, -1]), atol=1e-12
    )
    ends = [np.interp(t, [0, 0.4, 1], column) for column in ((0, 2, 3), (1, 5, 1))]
    wanted = ends[0] + np.clip(3 * t, 0, 1) * (ends[1] - ends[0])
    np.testing.assert_allclose(r.series("map").values, wanted, atol=1e-12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_state_machine_changes_at_events(formulation):
    """Full torque up to 4 rad/s, then none for 0.5 s, then half: against the closed solution."""
    m = ww.Mechanism("shaft")
    m.add("rotor", ww.Rotor(inertia=0.5))
    m.add("motor", ww.Torque(body="rotor", value=(0, 0, "3*gear.first + 1.5*gear.second")))
    m.add(
        "gear",
        ww.StateMachine(
            modes=("first", "neutral", "second"),
            transitions=(
                ww.Transition(leave="first", enter="neutral", when="rotor.w > 4"),
                ww.Transition(leave="neutral", enter="second", when="gear.time >= 0.5"),
            ),
        ),
    )
    r = run(m, formulation, end=2.0, output=20)
    shifted = 4 / (3 / 0.5)
    assert [e.t for e in r.events] == pytest.approx([shifted, shifted + 0.5], abs=1e-9)
    assert [e.size for e in r.events] == [1, 2]
    wanted = 4 + 3 * (2.0 - shifted - 0.5)
    assert r.series("rotor.w").values[-1] == pytest.approx(wanted, rel=1e-9)
    assert set(r.series("gear").values) == {0, 1, 2}


def sampled_pid(every: float) -> ww.Mechanism:
    m = shaft()
    m.add("error", ww.FormulaBlock(value="target - rotor.w"))
    m.add(
        "pid",
        ww.Sampled(
            every=every,
            memory={"output": 0.0, "sum": 0.0},
            update={"output": f"0.8*error + 2*(pid.sum + {every}*error)", "sum": f"pid.sum + {every}*error"},
        ),
    )
    m.add("motor", ww.Torque(body="rotor", value=(0, 0, "pid")))
    return m


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_sampled_controller_is_the_difference_equation_it_says(formulation):
    """Between samples the shaft has a closed solution: w -> u/d + (w - u/d) exp(-d h/J)."""
    h = 0.02
    r = run(sampled_pid(h), formulation, output=50)
    w, total, found = 0.0, 0.0, [0.0]
    for _ in range(50):
        error = 10 - w
        u, total = 0.8 * error + 2 * (total + h * error), total + h * error
        w = u / DRAG + (w - u / DRAG) * np.exp(-DRAG * h / J)
        found.append(w)
    np.testing.assert_allclose(r.series("rotor.w").values, found, atol=1e-7)


def test_sampled_comes_to_continuous_with_small_samples():
    """Of first order in the time between samples."""
    m = shaft()
    m.add("pid", ww.Pid(input="target - rotor.w", proportional=0.8, integral=2.0))
    m.add("motor", ww.Torque(body="rotor", value=(0, 0, "pid")))
    wanted = run(m, "auto").series("rotor.w").values
    errors = [
        np.max(np.abs(run(sampled_pid(h), "auto").series("rotor.w").values - wanted)) for h in (4e-3, 1e-3)
    ]
    assert errors[1] < 0.02
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.15)


@pytest.mark.slow
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_function_of_python_is_the_same_as_formulas_in_a_file(formulation):
    h, total = 0.02, [0.0]

    def pi(t, w):
        error = 10 - w
        total[0] += h * error
        return 0.8 * error + 2 * total[0]

    m = shaft()
    m.add("torque", ww.State(unit="N m"))
    m.add("motor", ww.Torque(body="rotor", value=(0, 0, "torque")))
    one = ww.SampledController(every="20 ms", call=pi, inputs=["rotor.w"], outputs=["torque"])
    r = run(m, formulation, controllers=[one])
    wanted = run(sampled_pid(h), formulation)
    assert np.array_equal(r.t, wanted.t)
    np.testing.assert_allclose(r.series("rotor.w").values, wanted.series("rotor.w").values, atol=1e-8)
    for balance in (r.energy_balance(), wanted.energy_balance()):  # powers jump at samples
        assert np.max(np.abs(balance.remainder)) < 1e-4 * balance.scale  # 0.07 without the jumps


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda t, w: 1 / (0.5 - t) if t < 0.4999 else float("nan"),
            "controller `pid` returned nan for `torque`",
        ),
        (
            lambda t, w: [1.0][round(10 * t) // 5],
            "controller `pid` raised IndexError: list index out of range",
        ),
        (lambda t, w: (1.0, 2.0), "controller `pid` returned 2 numbers for 1 outputs"),
        (
            lambda t, w: 1e300 if t > 0.45 else 1,
            "controller `pid` returned 1e+300 for `torque`, which needs a number of at most 1e+40",
        ),
        (lambda t, w: None if t > 0.45 else np.ones(1), "controller `pid` returned None for `torque`, which"),
        (
            lambda t, w: "a" if t > 0.45 else np.float32(1),
            "controller `pid` returned 'a' for `torque`, which",
        ),
    ],
)
def test_a_controller_that_fails_is_named_and_what_was_found_is_kept(call, words):
    m = shaft()
    m.add("torque", ww.State(unit="N m"))
    m.add("motor", ww.Torque(body="rotor", value=(0, 0, "torque")))
    one = ww.SampledController(every=0.1, call=call, inputs=["rotor.w"], outputs=["torque"], name="pid")
    with pytest.warns(UserWarning, match=r"t = .* s: controller"):
        r = m.simulate(end=1.0, output=10, controllers=[one], progress=False)
    assert words in r.report
    assert not r.outcome.good
    assert len(r.t) == (1 if "2 numbers" in words else 6)


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        (np.array([[1.0], [2.0]]), (1, 2)),
        ((np.array([1.0]), np.array([[2.0]])), (1, 2)),  # products of matrices
        ([np.float32(1), True], (1, 1)),
        ((np.array([1.0, 3.0]), 2.0), "returned array([1., 3.]) for `a`"),
        ((1.0, 2j), "returned 2j for `b`"),
        (None, "returned None for 2 outputs"),
        (1.0, "returned 1.0 for 2 outputs"),
    ],
)
def test_what_a_controller_returns_is_taken_as_numbers(given, taken):
    m = shaft()
    m.add("a", ww.State())
    m.add("b", ww.State())
    one = ww.SampledController(every=0.1, call=lambda t, w: given, inputs="rotor.w", outputs=("a", "b"))
    if isinstance(taken, str):
        with pytest.warns(UserWarning, match="controller"):
            r = m.simulate(end=0.2, output=2, controllers=[one], progress=False)
        assert taken in r.report
    else:
        r = m.simulate(end=0.2, output=2, controllers=[one], progress=False)
        assert (float(r["a"][-1]), float(r["b"][-1])) == taken
    twice = ww.SampledController(every=0.1, call=lambda t: (1, 2), outputs=("a", "a"))
    with pytest.raises(ww.ModelError, match=r"outputs: names `a` twice"):
        m.simulate(end=0.2, controllers=[twice])


ROOT = "sqrt(0.05 - t - 0*rotor.w)"  # no number from 50 ms on
NO_NUMBER = [
    (ww.Saturation(input=ROOT, low=-1, high=1), "x", "force `motor`"),
    (ww.RateLimit(input=ROOT, rise=3), "x", "block `x`"),
    (ww.LookUp(input=ROOT, points=(0, 1), values=(2, 3)), "x", "force `motor`"),
    (
        ww.LookUp2(input="t", second=ROOT, points=(0, 1), second_points=(0, 1), values=((0, 1), (1, 2))),
        "x",
        "force `motor`",
    ),
    (ww.Pid(input=ROOT, proportional=1, low=-1, high=1), "x", "force `motor`"),
    (ww.Integrator(input=f"max(0, {ROOT})"), "x", "block `x`"),
    (ww.Sampled(every=1e-3, memory={"y": 0}, update={"y": f"min({ROOT}, 1)"}), "x", "block `x`"),
    (ww.FormulaBlock(value=ROOT), "5*(x > 0.1)", "force `motor`"),
    (ww.FormulaBlock(value=ROOT), "if(x < 0.1, 1, 2)", "force `motor`"),
    (
        ww.StateMachine(modes=("a", "b"), transitions=({"leave": "a", "enter": "b", "when": f"{ROOT} > 1"},)),
        "x",
        "block `x`",
    ),
]


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(("block", "value", "named"), NO_NUMBER)
def test_what_is_no_number_is_not_taken_for_a_limit(block, value, named, formulation):
    """Comparisons with it are false, and the larger of it and another is the other: both would hide it."""
    m = shaft()
    m.add("x", block)
    m.add("motor", ww.Torque(body="rotor", value=(0, 0, value)))
    with pytest.warns(UserWarning, match=f"not finite.* It came from {named}"):
        r = run(m, formulation, end=0.1)
    assert not r.outcome.good
    assert r.t[-1] == pytest.approx(0.05, abs=2e-3)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_conditions_that_are_numbers_and_tables(formulation):
    """True above 0.5, as formulas are: 0 never comes true, 1 at once, a table from 0 to 1 in 0.4 s after 0.2 s."""
    m = shaft()
    ramp = {"time": (0, 0.4), "value": (0, 1), "interpolation": "linear"}
    for name, when in (("never", 0), ("no", False), ("always", 1), ("ramp", ramp)):
        step = {"leave": "a", "enter": "b", "when": when}
        m.add(name, ww.StateMachine(modes=("a", "b"), transitions=(step,)))
    r = run(m, formulation, end=0.5)
    assert [event.element for event in r.events] == ["always", "ramp"]
    assert [event.t for event in r.events] == pytest.approx([0, 0.2], abs=1e-9)
    assert [float(r[name][-1]) for name in ("never", "no", "always", "ramp")] == [0, 0, 1, 1]


def test_controllers_with_one_sample_see_what_was_before_it():
    """As all memory of `sampled` blocks does: two that hand each other their values swap them."""
    m = shaft()
    for name, value in (("a", 1.0), ("b", 2.0)):
        m.add(name, ww.State(initial=value))
    swap = [
        ww.SampledController(every=0.1, first=0.05, call=lambda t, x: x, inputs=[one], outputs=[other])
        for one, other in ("ab", "ba")
    ]
    r = m.simulate(end=0.3, output=3, controllers=swap, progress=False)
    np.testing.assert_array_equal(r["a"].values, [1, 2, 1, 2])
    np.testing.assert_array_equal(r["b"].values, [2, 1, 2, 1])


def test_what_cannot_be_is_said():
    m = shaft()
    m.add("a", ww.FormulaBlock(value="2*b"))
    m.add("b", ww.Saturation(input="c + 1", low=0, high=1))
    m.add("c", ww.FormulaBlock(value="a - 1"))
    with pytest.raises(ww.ModelError, match=r"loop, without a state in it: a -> b -> c -> a"):
        m.simulate(end=1.0)
    m = shaft()
    m.add("motor", ww.Torque(body="rotor", value=(0, 0, "pid")))
    with pytest.raises(ww.ModelError, match=r"there is no name `pid`"):
        m.simulate(end=1.0)
    m.add("pid", ww.Pid(input="target - rotor.w", proportional=1.0))
    m.add("x", ww.State(rate="pid.integrall"))
    with pytest.raises(
        ww.ModelError, match=r"`pid.integrall` is not an output of `pid`, which has `pid`, `pid.error`"
    ):
        m.simulate(end=1.0)
    with pytest.raises(ww.ModelError, match=r"must be above `low`, 1, but is 0"):
        ww.Saturation(input="t", low=1, high=0)
    with pytest.raises(ww.ModelError, match=r"it would differentiate"):
        ww.TransferFunction(input="t", numerator=(1, 0, 0), denominator=(1, 1))
    with pytest.raises(ww.ModelError, match=r"there is no mode `hgh`.*high"):
        ww.StateMachine(
            modes=("low", "high"), transitions=(ww.Transition(leave="low", enter="hgh", when="t > 1"),)
        )
    m = shaft()
    m.add("x", ww.State(initial=1.0, rate="sqrt(0.5 - t)"))
    with pytest.warns(UserWarning, match=r"not finite.*`x`"):
        r = m.simulate(end=1.0, progress=False)
    assert 0.4 < r.t[-1] <= 0.5


def test_blocks_are_written_and_read_again():
    m = sampled_pid(0.02)
    m.add("x", ww.State(initial="target", rate="-x", unit="m"))
    again = ww.loads(m.to_yaml())
    assert again == m
    found = [run(one, "auto", end=0.3).series("rotor.w").values for one in (m, again)]
    np.testing.assert_array_equal(*found)
    outer = ww.Mechanism("outer")
    outer.add("inside", ww.Component(model=m))
    inner = run(outer, "auto", end=0.3)
    np.testing.assert_array_equal(inner.series("inside.rotor.w").values, found[0])
    assert inner.series("inside.x").values[-1] == pytest.approx(10 * np.exp(-0.3), rel=1e-7)


def test_a_controller_that_cannot_be_asked_is_named_before_the_run():
    m = shaft()
    m.add("torque", ww.State(unit="N m"))
    given = {"call": lambda t, w: 0.0, "outputs": ["torque"], "name": "pid"}
    for fields, words in (
        (
            {"every": "1 m", "inputs": ["rotor.w"]},
            r"controllers\.pid\.every: needs a time .* `1 m` is a length",
        ),
        ({"every": 1, "first": "x", "inputs": ["rotor.w"]}, r"controllers\.pid\.first: .*`x`"),
        ({"every": 1, "inputs": ["rotor.v"]}, r"controllers\.pid\.inputs: .*`rotor\.v`"),
    ):
        with pytest.raises(ww.ModelError, match=words):
            m.simulate(end=1.0, controllers=[ww.SampledController(**given, **fields)])


@pytest.mark.parametrize("kind", ["planar", "spatial"])
@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_a_formula_reads_frames(kind, formulation):
    """The tip of an arm, as the result has it; in space with its frame turned."""
    flat = kind == "planar"
    m = ww.Mechanism("arm", kind=kind, parameters={"reach": 0.4})
    if flat:
        m.add("arm", ww.Body(mass=1, inertia=0.1, position=(0.3, 0), center_of_mass=(0.1, 0.05)))
        m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0)))
        m.add("tip", ww.Frame(body="arm", position=("reach", 0.1)))
    else:
        m.add(
            "arm",
            ww.Body(mass=1, inertia=(0.1, 0.2, 0.3), position=(0.3, 0, 0), center_of_mass=(0.1, 0, 0.05)),
        )
        m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0, 0), axis=(0, 1, 1)))
        m.add("tip", ww.Frame(body="arm", position=("reach", 0.1, 0.2), orientation={"euler_zxz": (1, 1, 1)}))
    names = [
        "position.x",
        "position.y",
        "velocity.x",
        "velocity.y",
        *(["w"] if flat else ["w.z", "position.z"]),
    ]
    for k, name in enumerate(names):
        m.add(f"read{k}", ww.FormulaBlock(value=f"tip.{name}"))
    r = m.simulate(end=0.6, output=10, formulation=formulation)
    for k, name in enumerate(names):
        wanted = r[f"arm.{name}" if name == "w" else f"tip.{name}"].values
        assert np.ptp(wanted) > 0
        np.testing.assert_allclose(r[f"read{k}"].values, wanted, atol=1e-12)
    m.add("base", ww.Frame(body="ground", position=(1, 0) if flat else (1, 0, 0)))
    m.add("still", ww.FormulaBlock(value="base.position.x"))
    with pytest.raises(ww.ModelError, match="stays as it is: the frame is fixed to `ground`"):
        m.check()


def test_a_state_machine_that_never_rests_is_named():
    m = shaft()
    turns = [{"leave": a, "enter": b, "when": "t > 0.1"} for a, b in (("low", "high"), ("high", "low"))]
    m.add("gear", ww.StateMachine(modes=("low", "high"), transitions=turns))
    said = r"t = 0\.1 s: state machine `gear` changes from mode to mode without end: .* exclude each other"
    with pytest.warns(UserWarning, match=said):
        r = m.simulate(end=0.3, output=3, progress=False)
    assert r.t[-1] == pytest.approx(0.1, abs=1e-6)
    assert "residual" not in r.report


def test_conditions_and_units_that_mean_something_else_are_refused():
    """Values are in SI units: 3 mm would be shown as 0.003 mm."""
    with pytest.raises(ww.ModelError, match=r"there is no `and` in formulas; multiply two conditions"):
        ww.Transition(leave="a", enter="b", when="t > 1 and t < 2")
    with pytest.raises(ww.ModelError, match=r"State\.unit: needs an SI unit.* `mm` is 0\.001 of one"):
        ww.State(rate="1", initial="3 mm", unit="mm")
    assert ww.State(unit="V").unit == "V"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: ww.State(unit="N m", initial="5 mm"),
            r"initial: needs a torque \(in N\*m\), but `5 mm` is a length",
        ),
        (lambda: ww.State(unit="m", rate="5 m"), r"rate: needs a speed \(in m/s\), but `5 m` is a length"),
        (
            lambda: ww.State(unit="m", rate=ww.Table(time=(0, 1), value=("1 m", "2 m"))),
            r"rate: needs a speed",
        ),
        (
            lambda: ww.Saturation(input="t", unit="N m", low="-1 mm", high="5 N"),
            r"(?s)low: .*high: .*is a force",
        ),
        (
            lambda: ww.Saturation(input="t", low="-1 mm", high="5 N"),
            r"high: needs a length .*`5 N` is a force",
        ),
        (lambda: ww.RateLimit(input="t", unit="m", rise="1 m"), r"rise: needs a speed"),
        (lambda: ww.Integrator(input="t", unit="m", high="1 s"), r"high: needs a length"),
        (lambda: ww.Pid(input="t", unit="N m", high="1 N"), r"high: needs a torque"),
        (lambda: ww.Delay(input="t", unit="m", time=1, initial="1 N"), r"initial: needs a length"),
        (
            lambda: ww.LookUp(input="t", unit="m", points=(0, 1), values=(0, "1 N")),
            r"values.1.: needs a length",
        ),
        (
            lambda: ww.Sampled(
                every=1, unit="m", memory={"u": "1 N", "v": "1 s"}, update={"u": "v", "v": "u"}
            ),
            r"memory.u: needs a length",
        ),
        (
            lambda: ww.Integrator(input="-1", initial=5, low=0, high=2),
            r"initial: must be at most `high`, 2, but is 5",
        ),
        (
            lambda: ww.Integrator(input="-1", initial=-5, low=0),
            r"initial: must be at least `low`, 0, but is -5",
        ),
    ],
)
def test_units_and_limits_of_blocks_fit(make, words):
    with pytest.raises(ww.ModelError, match=words):
        make()


def test_units_of_blocks_that_fit_are_taken():
    m = shaft()
    m.add("torque", ww.State(unit="N m", initial="5 N*m", rate="2 N*m/s"))
    m.add("held", ww.State(unit="N m"))
    m.add("plain", ww.State(initial="5 mm"))
    m.add("part", ww.Saturation(input="t", unit="1", low="-1 %", high=1))
    s = m.compile().start()
    s.set("held", "5 kN*mm")
    assert (s["torque"], s["held"], s["plain"]) == (5, 5, 0.005)
    with pytest.raises(ww.ModelError, match=r"held: needs a torque \(in N\*m\), but `5 N` is a force"):
        s.set("held", "5 N")
    assert s["held"] == 5


@pytest.mark.parametrize("kind", ["spatial", "planar"])
def test_between_samples_the_motion_is_smooth(kind):
    """A sample makes accelerations jump and nothing else: what is between outputs is of fourth order (speeds), and the
    energy balance with it, where samples are at outputs."""
    m = ww.Mechanism("held", kind=kind, gravity=(0, 0) if kind == "planar" else (0, 0, 0))
    m.add("p", ww.Rotor(inertia=0.2, speed=3))
    m.add("q", ww.Rotor(inertia=0.6))
    m.add("shaft", ww.TorsionalSpring(bodies=("p", "q"), stiffness=20, damping=0.2))
    m.add("held", ww.Sampled(every=0.1, memory={"u": 0.0}, update={"u": "q.w*0.5"}))
    m.add("heat", ww.State(rate="p.w^2"))
    m.add("motor", ww.Actuator(joint="p.bearing", value="-held"))
    fine = m.simulate(end=2, output=8000, rtol=1e-10, atol=1e-12)
    off, left = [], []
    for output in (40, 80):
        r = m.simulate(end=2, output=output, rtol=1e-10, atol=1e-12)
        between = r.at(fine.t[13::37])
        off.append(
            [np.max(np.abs(between[x].values - fine[x].values[13::37])) for x in ("p.w", "heat", "held")]
        )
        balance = r.energy_balance()
        left.append(np.max(np.abs(balance.remainder)) / balance.scale)
    assert off[0][0] < 5e-4  # 0.27 where samples cut all ties to what was before
    assert off[0][0] / off[1][0] > 12
    assert off[0][1] / off[1][1] > 6  # rates may jump, too: third order
    assert off[1][2] == 0
    assert left[1] < 1e-6
