"""Reactions, forces of rigid teeth and accelerations in formulas: read by rates of states, at samples, in conditions;
refused where they would act on the accelerations at the same moment."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import root

import wheelwork as ww
from wheelwork import examples
from wheelwork.system.signals import SignalCatalogue

TIGHT = {"rtol": 1e-9, "atol": 1e-11}
G = 9.80665
BOTH = pytest.mark.parametrize("formulation", ["absolute", "reduced"])


def pendulum(kind="planar", mass=2.0):
    """Hinged at the origin, its centre of mass 0.5 m beside it; `up` is y in the plane and z in space."""
    m = ww.Mechanism("pendulum", kind=kind, parameters={"mass": mass})
    if kind == "planar":
        m.add("arm", ww.Body(mass="mass", inertia=0.1, position=(0.5, 0)))
        m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0)))
    else:
        m.add("arm", ww.Body(mass="mass", inertia=(0.3, 0.1, 0.2), position=(0.5, 0, 0)))
        m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0, 0), axis=(0, -1, 0)))
    return m


def filtered(m, signal, time=0.05):
    m.add("lag", ww.TransferFunction(input=signal, numerator=(1,), denominator=(time, 1)))
    return m


# -- rates


@BOTH
@pytest.mark.parametrize("method", ["dopri5", "dop853", "rk4", "sdirk4"])
@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_the_integral_of_a_reaction_is_the_change_of_momentum(kind, method, formulation):
    """And that of an acceleration the change of speed; errors of sdirk4 are the largest, 2e-8."""
    up = "y" if kind == "planar" else "z"
    m = pendulum(kind)
    m.add("across", ww.Integrator(input="hinge.reaction.force.x"))
    m.add("upward", ww.Integrator(input=f"hinge.reaction.force.{up} - {G}*mass"))
    m.add("faster", ww.Integrator(input="arm.acceleration.x"))
    step = {"step": 1e-3} if method == "rk4" else {}
    r = m.simulate(end=1, output=50, method=method, formulation=formulation, **TIGHT, **step)
    vx, vup = r["arm.velocity.x"].values, r[f"arm.velocity.{up}"].values
    assert np.ptp(vx) > 2
    assert r["across"].values == pytest.approx(2 * vx, abs=1e-7)
    assert r["upward"].values == pytest.approx(2 * vup, abs=1e-7)
    assert r["faster"].values == pytest.approx(vx, abs=1e-7)


PAIR = """
kind: {kind}
gravity: {none}
bodies:
  one: {{type: rotor, inertia: 1e-3, position: {one}}}
  two: {{type: rotor, inertia: 4e-3, position: {two}}}
meshes:
  gears: {{type: external, bodies: [one, two], teeth: [25, 50], module: 2 mm}}
forces:
  drag: {{type: actuator, joint: two.bearing, value: "-0.01*two.w*abs(two.w)"}}
  motor: {{type: actuator, joint: one.bearing, value: torque}}
control:
  sensor: {{type: transfer_function, input: gears.force.tangential, numerator: [1], denominator: [5 ms, 1]}}
  torque: {{type: pid, input: 40 - sensor, proportional: 0.002, integral: 0.4}}
"""


@BOTH
@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_a_tooth_force_held_by_a_controller_moves_as_the_equations_by_hand(kind, formulation):
    """J1 w1' = T - F r1 and J2 w2' = drag + F r2 with w2 = -w1/2: F through a lag of 5 ms, PI of the error."""
    none, one, two = "[0, 0]", "[-0.025, 0]", "[0.05, 0]"
    if kind == "spatial":
        none, one, two = "[0, 0, 0]", "[-0.025, 0, 0]", "[0.05, 0, 0]"
    m = ww.loads(PAIR.format(kind=kind, none=none, one=one, two=two))
    r = m.simulate(end=0.5, output=100, formulation=formulation, **TIGHT)

    def rates(t, y):
        w, sensed, integral = y
        error = 40 - sensed
        torque = 0.002 * error + integral
        drag = 0.01 * (w / 2) * abs(w / 2)  # on two, against its speed -w/2
        acceleration = (torque - drag / 2) / (1e-3 + 4e-3 / 4)
        force = (torque - 1e-3 * acceleration) / 0.025
        return [acceleration, (force - sensed) / 5e-3, 0.4 * error]

    by_hand = solve_ivp(rates, (0, 0.5), [0, 0, 0], "DOP853", r.t, rtol=1e-12, atol=1e-13, max_step=1e-3).y
    size = np.sign(r["sensor"].values[-1])
    assert size > 0
    assert r["one.w"].values == pytest.approx(by_hand[0], rel=1e-8, abs=1e-8)
    assert r["sensor"].values == pytest.approx(by_hand[1], rel=1e-7, abs=1e-7)
    assert r["sensor"].values[-1] == pytest.approx(40, abs=0.01)  # what it is to hold


CLUTCHED = """
kind: planar
gravity: [0, 0]
parameters: {ramp: 20}
bodies:
  motor: {type: rotor, inertia: 2e-3}
  pinion: {type: rotor, inertia: 1e-3}
  wheel: {type: rotor, inertia: 4e-2, position: [0.075, 0]}
meshes:
  gears: {type: external, bodies: [pinion, wheel], teeth: [25, 50], module: 2 mm}
forces:
  drive: {type: torque, body: motor, value: ramp*t}
  coupling: {type: clutch, bodies: [motor, pinion], torque: 60*%s}
control:
%s
"""
OVERLOAD = 100 * 0.025 / 20 * (3e-3 + 1e-2) / 1e-2
"""s: ramp t = (J1 + J2/4) w', of which the teeth pass on F r1 = J2/4 w', up to F = 100 N."""
MACHINE = """
  guard:
    type: state_machine
    modes: [closed, opened]
    transitions: [{leave: closed, enter: opened, when: abs(gears.force.tangential) > 100}]
"""
SAMPLED = """
  guard:
    type: sampled
    every: 10 ms
    memory: {closed: 1}
    update: {closed: guard.closed*(abs(gears.force.tangential) < 100)}
"""


@BOTH
@pytest.mark.parametrize(("guard", "when"), [(MACHINE, OVERLOAD), (SAMPLED, np.ceil(OVERLOAD / 0.01) * 0.01)])
def test_a_clutch_opens_where_the_force_of_rigid_teeth_exceeds_a_limit(guard, when, formulation):
    """At the very moment as an event; at the next sample otherwise."""
    m = ww.loads(CLUTCHED % ("guard.closed", guard))
    r = m.simulate(end=0.3, output=300, formulation=formulation, **TIGHT)
    (opened,) = [event.t for event in r.events if event.element == "coupling"]
    assert opened == pytest.approx(when, abs=1e-9)
    force = np.abs(r["gears.force.tangential"].values)
    closed = r.t < when - 1e-6
    assert force[closed] == pytest.approx(r.t[closed] * 100 / OVERLOAD, abs=1e-6)
    assert force[r.t > when + 1e-6] == pytest.approx(0, abs=1e-9)


@BOTH
@pytest.mark.parametrize("method", ["dopri5", "sdirk4"])
def test_of_redundant_joints_formulas_read_what_the_result_says(method, formulation):
    """Shares are the smallest that fit, to 1e-7 of the largest; their sum is the change of momentum."""
    m = ww.Mechanism("shaft")
    m.add("arm", ww.Body(mass=2, inertia=(0.1, 0.2, 0.3), position=(0.5, 0, 0)))
    m.add("left", ww.Revolute(bodies=("ground", "arm"), point=(0, -0.1, 0), axis=(0, 1, 0)))
    m.add("right", ww.Revolute(bodies=("ground", "arm"), point=(0, 0.3, 0), axis=(0, 1, 0)))
    m.add("share", ww.Integrator(input="left.reaction.force.z"))
    m.add("both", ww.Integrator(input="left.reaction.force.x + right.reaction.force.x"))
    r = m.simulate(end=1, output=1000, method=method, formulation=formulation, rtol=1e-8, atol=1e-10)
    assert r.redundant
    assert "smallest of many" in r["share"].attrs["minimum_norm"]
    assert r["both"].values == pytest.approx(2 * r["arm.velocity.x"].values, abs=1e-6)
    summed = np.trapezoid(r["left.reaction.force.z"].values, r.t)  # right to h^2: 1e-6
    assert r["share"].values[-1] == pytest.approx(summed, abs=3e-6)


@BOTH
def test_bearings_of_wheels_are_read_with_what_pushes_their_teeth_apart(formulation):
    """Which does no work here, and so is left out of steps where nobody asks for it."""
    m = ww.loads(PAIR.format(kind="planar", none="[0, 0]", one="[-0.025, 0]", two="[0.05, 0]"))
    m.add("along", ww.Integrator(input="two.bearing.reaction.force.x"))
    r = m.simulate(end=0.5, output=100, formulation=formulation, **TIGHT)
    tangential = ww.Integrator(input="gears.force.tangential")
    m.add("tangential", tangential)
    again = m.simulate(end=0.5, output=100, formulation=formulation, **TIGHT)
    pushed = np.abs(again["tangential"].values) * np.tan(np.radians(20))
    assert pushed[-1] > 1
    assert np.abs(r["along"].values) == pytest.approx(pushed, abs=1e-7)


@BOTH
def test_friction_of_a_clutch_that_sticks_and_slips_is_read(formulation):
    """The fan is turned by the clutch alone: its momentum is the integral of the torque."""
    m = ww.loads(CLUTCHED % ("0.03", SAMPLED))
    m.add("passed", ww.Integrator(input="coupling.torque"))
    r = m.simulate(end=0.3, output=100, formulation=formulation, **TIGHT)
    assert {event.kind.name for event in r.events if event.element == "coupling"} == {"SLIDE"}
    momentum = (1e-3 + 1e-2) * r["pinion.w"].values
    assert np.abs(r["passed"].values) == pytest.approx(np.abs(momentum), abs=1e-7)


def test_a_ratio_that_follows_a_reaction_is_accepted():
    """It has states of its own, between its formula and what it does."""
    m = ww.Mechanism("drive", kind="planar", gravity=(0, 0))
    m.add("a", ww.Rotor(inertia=0.1))
    m.add("b", ww.Rotor(inertia=0.3))
    m.add("push", ww.Torque(body="a", value="1 + sin(5*t)"))
    m.add(
        "cvt",
        ww.Ratio(bodies=("a", "b"), ratio="2 + 0.1*cvt.torque_b", lag=0.05, ratio_at_start=2),
    )
    one, other = (m.simulate(end=1, output=50, formulation=f, **TIGHT) for f in ("absolute", "reduced"))
    assert np.ptp(one["cvt.ratio"].values) > 0.05
    assert one["cvt.ratio"].values == pytest.approx(other["cvt.ratio"].values, abs=1e-7)


# -- samples and conditions


@BOTH
def test_a_sampled_controller_reads_what_a_controller_in_python_reads(formulation):
    law = pendulum()
    update = {"torque": "0.05*hinge.reaction.force.x - 0.2*hinge.w + 0.3*law.last", "last": "law.torque"}
    law.add("law", ww.Sampled(every="10 ms", memory={"torque": 0, "last": 0}, update=update))
    law.add("motor", ww.Actuator(joint="hinge", value="law"))
    by_hand = pendulum()
    by_hand.add("u", ww.State(unit="N m"))
    by_hand.add("motor", ww.Actuator(joint="hinge", value="u"))
    memory = [0.0, 0.0]

    def call(t, force, speed):
        memory[:] = 0.05 * force - 0.2 * speed + 0.3 * memory[1], memory[0]
        return memory[0]

    inputs = ["hinge.reaction.force.x", "hinge.w"]
    controller = ww.SampledController(every="10 ms", call=call, inputs=inputs, outputs=["u"])
    options = {"end": 0.5, "output": 50, "formulation": formulation, **TIGHT}
    r, q = law.simulate(**options), by_hand.simulate(**options, controllers=[controller])
    assert np.ptp(r["law"].values) > 1
    assert r["law"].values == pytest.approx(q["u"].values, abs=1e-8)
    assert r["hinge.angle"].values == pytest.approx(q["hinge.angle"].values, abs=1e-9)


def test_the_first_sample_reads_the_reaction_at_the_start():
    """Before the jump: of the pendulum that is let go level, m g (1 - m l^2/(J + m l^2))."""
    m = pendulum()
    m.add("law", ww.Sampled(every=1, memory={"kept": 0}, update={"kept": "hinge.reaction.force.y"}))
    m.add("late", ww.Delay(input="hinge.reaction.force.y", time=0.1, samples=10, initial=-1))
    r = m.simulate(end=0.5, output=50, **TIGHT)
    wanted = 2 * G * (1 - 0.5 / 0.6)
    assert r["law"].values[1:] == pytest.approx(wanted, rel=1e-9)
    force = r["hinge.reaction.force.y"].values
    assert r["late"].values[10:] == pytest.approx(force[:-10], rel=1e-6)


@BOTH
def test_a_sample_reads_forces_that_there_are(formulation):
    """Where the drive jumps at the sample, the clutch slips at once: no sample sees it hold more than it can."""
    m = ww.loads(CLUTCHED % ("0.1", SAMPLED))
    m.forces["drive"].value = "1 + 100*(t > 0.1)"
    m.add("kept", ww.Sampled(every=0.1, memory={"x": 0}, update={"x": "abs(coupling.torque)"}))
    r = m.simulate(end=0.2, output=20, formulation=formulation, **TIGHT)
    sticks = 1.1e-2 / 1.3e-2  # what pinion and wheel take of the torque of the drive
    assert r["kept"].values[1:10] == pytest.approx(sticks, rel=1e-9)
    assert r["kept"].values[11:20] == pytest.approx(6, rel=1e-9)


@BOTH
def test_a_condition_on_a_reaction_is_met_where_it_is(formulation):
    m = pendulum()
    modes = {"modes": ("whole", "sheared")}
    shear = {"leave": "whole", "enter": "sheared", "when": "hinge.reaction.force.y > 50"}
    m.add("pin", ww.StateMachine(**modes, transitions=(shear,)))
    m.add("motor", ww.Actuator(joint="hinge", value="-3*pin.sheared*hinge.w"))
    r = m.simulate(end=1, output=1000, formulation=formulation, **TIGHT)
    (event,) = r.events

    def rates(t, y):
        return [y[1], -2 * G * 0.5 * np.cos(y[0]) / 0.6]

    def over(t, y):  # Newton's second law of the centre of mass
        a = rates(t, y)[1]
        return 2 * (0.5 * (np.cos(y[0]) * a - np.sin(y[0]) * y[1] ** 2) + G) - 50

    by_hand = solve_ivp(rates, (0, 1), [0, 0], "DOP853", events=over, rtol=1e-12, atol=1e-13)
    assert event.t == pytest.approx(by_hand.t_events[0][0], abs=1e-8)


# -- pieces of runs, parameters, studies


@BOTH
@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_pieces_are_one_run(method, formulation):
    m = filtered(pendulum(), "hinge.reaction.force.x")
    m.add("law", ww.Sampled(every="70 ms", memory={"a": 0}, update={"a": "0.05*hinge.reaction.force.y"}))
    m.add("motor", ww.Actuator(joint="hinge", value="0.05*lag - 0.1*law"))
    names, ends = ("lag", "hinge.angle", "hinge.reaction.force.x"), []
    s = m.compile().start(method=method, formulation=formulation)
    kept = s.save()
    for pieces in ((1.0,), (0.33, 0.41, 0.7, 1.0)):
        for t in pieces:
            s.advance(t)
        ends.append([float(s[name]) for name in names])
        s.restore(kept)
    assert ends[0] == ends[1]


@BOTH
@pytest.mark.parametrize("method", ["dopri5", "dop853", "sdirk4"])
def test_many_small_pieces_are_one_run_with_many_outputs(method, formulation):
    """What a method evaluates to interpolate for an output leaves no trace in the steps behind it."""
    m = filtered(pendulum(), "hinge.reaction.force.x")
    m.add("motor", ww.Actuator(joint="hinge", value="0.05*lag"))
    options = {"method": method, "formulation": formulation}
    whole = m.simulate(end=0.8, output=160, **options)  # goes on beyond the last piece, as steps of pieces do
    s = m.compile().start(**options)
    for t in whole.t[1:121]:
        s.advance(float(t))
    for name in ("hinge.angle", "hinge.w", "lag", "hinge.reaction.force.y"):
        np.testing.assert_array_equal(s.result()[name].values, whole[name].values[:121])


def test_other_parameters_reach_what_is_read():
    """Masses and places of frames too: the equations are those of all parameters."""
    m = filtered(pendulum(), "arm.acceleration.y + hinge.reaction.force.y + tip.acceleration.x")
    m.parameters["reach"] = 0.5
    m.add("tip", ww.Frame(body="arm", position=("reach", 0)))
    m.add("motor", ww.Actuator(joint="hinge", value="0.05*lag"))
    m.simulate(end=0.1)
    r = m.simulate(end=1, output=20, parameters={"mass": 3.0, "reach": 1.0})
    other = filtered(pendulum(mass=3.0), "arm.acceleration.y + hinge.reaction.force.y + tip.acceleration.x")
    other.add("tip", ww.Frame(body="arm", position=(1.0, 0)))
    other.add("motor", ww.Actuator(joint="hinge", value="0.05*lag"))
    q = other.simulate(end=1, output=20)
    assert r["lag"].values == pytest.approx(q["lag"].values, rel=1e-12)


def test_a_study_runs_each_variant_alone():
    m = filtered(pendulum(), "hinge.reaction.force.x")
    table = ww.Study(m, {"mass": [1.0, 3.0]}, measures={"end": "last(lag)"}, end=0.5).run()
    assert "found together with the accelerations" in table.attrs["why_not_lanes"]
    alone = [m.simulate(end=0.5, parameters={"mass": x})["lag"].values[-1] for x in (1.0, 3.0)]
    assert table["end"].values == pytest.approx(alone, rel=1e-7)


def test_along_a_prescribed_motion_what_the_driver_gives_is_read():
    m = pendulum()
    m.add("moves", ww.JointDriver(joint="hinge", value="0.4*sin(3*t)"))
    m.add("work", ww.Integrator(input="moves.power"))
    r = m.inverse(end=2)
    energy = r["energy.total"].values
    assert r["work"].values == pytest.approx(energy - energy[0], abs=1e-8)


def test_a_run_says_that_reactions_are_found_at_every_moment():
    r = filtered(pendulum(), "hinge.reaction.force.x").simulate(end=0.1, formulation="reduced")
    assert "because formulas read them" in r.statistics.formulation


# -- linear equations and rest


def held_by_force(kind="planar"):
    up = "y" if kind == "planar" else "z"
    m = pendulum(kind)
    m.parameters["demand"] = 10.0
    m.add("soft", ww.TorsionalSpring(joint="hinge", stiffness=30, damping=1))
    filtered(m, f"hinge.reaction.force.{up} + 0.3*hinge.reaction.force.x + 0.1*arm.acceleration.x")
    value = (0, "0.5*lag - demand") if kind == "planar" else (0, 0, "0.5*lag - demand")
    m.add("pull", ww.Force(body="arm", value=value))
    return m


def by_hand(y, demand=10.0):
    """(angle, speed, lag)' of the same."""
    angle, w, lag = y
    force = 0.5 * lag - demand
    a = (-30 * angle - w + (force - 2 * G) * 0.5 * np.cos(angle)) / 0.6
    ax = 0.5 * (-np.sin(angle) * a - np.cos(angle) * w**2)
    ay = 0.5 * (np.cos(angle) * a - np.sin(angle) * w**2)
    return np.array([w, a, (2 * ay + 2 * G - force + 0.3 * 2 * ax + 0.1 * ax - lag) / 0.05])


@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_rest_and_small_motions_of_a_loop_through_a_reaction(kind):
    """Eigenvalues to seven digits: reactions beside the state come from differences."""
    m = held_by_force(kind)
    at = m.equilibrium()
    rest = root(by_hand, [-0.3, 0, 20], tol=1e-13).x
    assert [float(at["hinge.angle"]), float(at["lag"])] == pytest.approx([rest[0], rest[2]], abs=1e-7)
    steps = 1e-6 * np.eye(3)
    A = np.array([(by_hand(rest + s) - by_hand(rest - s)) / 2e-6 for s in steps]).T
    found, wanted = (np.sort_complex(x) for x in (m.linearise(at=at).eigenvalues, np.linalg.eigvals(A)))
    assert found == pytest.approx(wanted, rel=1e-6)
    B = (by_hand(rest, 10 + 1e-5) - by_hand(rest, 10 - 1e-5)) / 2e-5
    answer = m.frequency_response("demand", ["hinge.angle", "lag"], [0.5, 2.0], at=at).values
    for values, f in zip(answer, (0.5, 2.0), strict=True):
        assert values == pytest.approx(np.linalg.solve(2j * np.pi * f * np.eye(3) - A, B)[[0, 2]], rel=1e-6)


def test_linear_equations_leave_out_friction_and_say_so():
    m = ww.loads(
        CLUTCHED
        % (
            "1",
            "  lag: {type: transfer_function, input: coupling.torque, numerator: [1], denominator: [1, 1]}\n",
        )
    )
    m.add("pull", ww.Torque(body="wheel", value="0.1*lag"))
    with pytest.raises(ww.ModelError, match=r"control.lag: reads `coupling.torque`.*leave out dry friction"):
        m.linearise()


# -- what is refused


@pytest.mark.parametrize(
    ("blocks", "value", "path"),
    [
        ({}, "hinge.reaction.force.x", "`motor` -> `hinge.reaction.force.x`"),
        ({}, "2*arm.acceleration.y", "`motor` -> `arm.acceleration.y`"),
        (
            {
                "gain": ww.FormulaBlock(value="2*hinge.reaction.torque"),
                "bounded": ww.Saturation(input="gain + 1", low=-1, high=1),
            },
            "3 - bounded",
            "`motor` -> `bounded` -> `gain` -> `hinge.reaction.torque`",
        ),
        (
            {"pid": ww.Pid(input="1 - hinge.reaction.force.x", integral=1, derivative=0.1)},
            "pid",
            "`motor` -> `pid` -> `hinge.reaction.force.x`",
        ),
        (
            {"quick": ww.TransferFunction(input="brake.torque", numerator=(1, 1), denominator=(1, 2))},
            "quick",
            "`motor` -> `quick` -> `brake.torque`",
        ),
        (
            {"held": ww.Actuator(joint="hinge", value="lag")},
            "held.torque + hinge.reaction.force.y",
            "`motor` -> `h",
        ),
    ],
)
def test_what_acts_at_the_same_moment_is_refused_with_the_way(blocks, value, path):
    m = filtered(pendulum(), "hinge.reaction.force.x")
    m.add("brake", ww.Brake(joint="hinge", torque=0.1))
    for name, block in blocks.items():
        m.add(name, block)
    m.add("motor", ww.Actuator(joint="hinge", value=value))
    with pytest.raises(ww.ModelError, match=r"forces.motor: .*found together with the accelerations") as said:
        m.simulate(end=0.1)
    assert path in str(said.value)
    assert all(what in str(said.value) for what in ("`transfer_function`", "`sampled`"))


def test_limits_of_friction_act_at_the_same_moment():
    m = pendulum()
    m.add("brake", ww.Brake(joint="hinge", torque="1 + abs(hinge.reaction.force.x)"))
    with pytest.raises(ww.ModelError, match=r"forces.brake: .*`brake` -> `hinge.reaction.force.x`.*bushing"):
        m.simulate(end=0.1)


@pytest.mark.parametrize(("proportional", "output"), [(1, "pid.integral"), (0, "pid")])
def test_the_integral_part_of_a_controller_lies_behind_a_state(proportional, output):
    m = pendulum()
    m.add("pid", ww.Pid(input="1 - hinge.reaction.force.x", proportional=proportional, integral=1))
    m.add("motor", ww.Actuator(joint="hinge", value=f"0.1*{output}"))
    r = m.simulate(end=0.2, **TIGHT)
    impulse = 2 * r["arm.velocity.x"].values
    assert r[output].values == pytest.approx(r.t - impulse, abs=1e-8)


@pytest.mark.parametrize(
    ("signal", "said"),
    [
        (
            "hinge.reaction.force",
            "is a vector, of which a formula uses the components: `hinge.reaction.force.x`",
        ),
        ("hinge.reaction.forc.x", "cannot be used in a formula.* the nearest: `hinge.reaction.force.x`"),
        ("brake.nonsense", "not a signal of `brake` that a formula may use; these are: .*`brake.torque`"),
        ("rub.slip_work", "cannot be used in a formula: it is summed up along a run"),
    ],
)
def test_names_that_are_no_numbers_of_one_moment_are_refused(signal, said):
    m = pendulum("planar")
    m.add("rub", ww.Friction(joint="hinge", coulomb=0.1))
    m.add("brake", ww.Brake(joint="hinge", torque=0.1))
    m.add("sum", ww.Integrator(input=signal))
    with pytest.raises(ww.ModelError, match=f"control.sum: .*{said}"):
        m.simulate(end=0.1)


@BOTH
def test_what_is_no_number_names_the_block(formulation):
    m = pendulum()
    m.add("sum", ww.Integrator(input="sqrt(hinge.reaction.force.x)"))  # which is negative from the start on
    with pytest.warns(UserWarning, match="not finite.* It came from block `sum`"):
        m.simulate(end=1, formulation=formulation)


def test_a_force_that_is_no_number_is_blamed_and_not_who_reads_reactions():
    m = filtered(pendulum(), "hinge.reaction.force.x")
    m.add("motor", ww.Actuator(joint="hinge", value="log(-1 - t)"))
    with pytest.warns(UserWarning, match="It came from force `motor`"):
        m.simulate(end=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["friction-planetary", "cvt-bench", "cam-follower", "trailer", "rack-and-pinion"]
)
def test_any_signal_that_a_formula_reads_is_that_of_the_result(name):
    """Rigid teeth with friction, ratios, clutches, cams, what rolls: definitions with symbols, and with arrays."""
    m = ww.load(examples.path(name))
    known = SignalCatalogue(m.compile().start().program)
    own = (*m.bodies, *m.joints, *m.meshes, *m.forces, *m.drivers)
    counted = ("skipped", "lost", "residual", "mode")
    read = [
        signal
        for signal in known.names()
        if not known[signal].components and signal.partition(".")[0] in own and not signal.endswith(counted)
    ]
    for k, signal in enumerate(read):
        m.add(f"reads{k}", ww.FormulaBlock(value=f"`{signal}`"))
    r = m.simulate(end=0.05, output=5)
    assert len(read) > 20
    for k, signal in enumerate(read):
        wanted = np.asarray(r[signal])
        size = max(float(np.max(np.abs(wanted))), 1e-3)  # what is zero is so to round-off
        assert np.asarray(r[f"reads{k}"]) == pytest.approx(wanted, rel=1e-9, abs=1e-9 * size), signal
