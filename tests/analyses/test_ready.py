"""Equations are derived once for a structure: reuse gives what deriving anew gives, to the last bit, and what changes
the equations is noticed."""

import inspect

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import analyses, examples
from wheelwork.analyses import vibration
from wheelwork.analyses.prepare import DERIVATIONS, derived
from wheelwork.description.flatten import parameters_of
from wheelwork.engine.tables import tables_of

from .models import motor_pendulum


def derivations() -> int:
    return DERIVATIONS.count


def everything(description, parameters) -> dict[str, bytes] | str:
    """All that a run is made from, as bytes; or what is wrong with it."""
    try:
        program = derived(description, parameters)
    except ww.ModelError as error:
        return str(error)
    numbers, tables = program.numbers(), tables_of(program, implicit=False)
    parts = {
        name: getattr(numbers, name).tobytes() for name in ("data", "mass", "inertia", "gravity", "state")
    }
    parts |= {name: array.tobytes() for name, array in tables.arrays.items()}
    parts["kernels"] = repr((tables.kernels, tables.labels, tables.sizes, numbers.parameters)).encode()
    return parts


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["planetary-gearbox", "yaw-drive", "planetary-contact", "cam-follower", "helical-reducer", "squeezer"],
)
def test_reuse_is_deriving_anew(name):
    """Random changes of random parameters, in the order in which a study makes them."""
    m = ww.load(examples.path(name))
    numbers = parameters_of(m).resolve_parameters()
    rng = np.random.default_rng(7)
    for _ in range(6):
        some = rng.choice(sorted(numbers), size=min(2, len(numbers)), replace=False)
        changes = {str(n): numbers[str(n)] * float(rng.choice([1.0, 1.01, 0.97, 2.0])) for n in some}
        kept = everything(m, changes)
        copy = everything(m.with_parameters(changes), None)
        DERIVATIONS.clear()
        anew = everything(m, changes)
        assert kept == anew
        assert copy == anew or isinstance(anew, str)
        everything(m, {})


@pytest.mark.slow
def test_numbers_cost_no_derivation():
    m = motor_pendulum()
    m.simulate(end=0.1)
    before = derivations()
    m.simulate(end=0.1, parameters={"length": 0.7})
    m.with_parameters(mass="2 kg", torque=1.0).simulate(end=0.1)
    m.parameters["torque"] = 2.0
    m.simulate(end=0.1, method="sdirk4")
    m.modes(at="equilibrium", parameters={"torque": 0.0})
    m.linearise(parameters={"length": 0.6})
    m.equilibrium(parameters={"torque": 0.1})
    m.check()
    m.campbell("torque", [0.1, 0.2, 0.3])
    m.sweep("torque", [0.1, 0.2], signals=["bob.w.y"], settle=0.1, measure=0.1)
    m.analysis = ww.Simulate(end=0.2)
    m.name = "another name"
    m.simulate()
    assert derivations() == before


@pytest.mark.slow
def test_changes_of_the_mechanism_are_noticed():
    m = motor_pendulum()
    last = m.simulate(end=0.1)["bob.w.y"].to_numpy()
    before = derivations()
    for change in (
        lambda: m.add("load", ww.Force(body="bob", value=(0, 0, "-5*mass"))),
        lambda: setattr(m.bodies["bob"], "inertia", (0.02, 0.02, 0.02)),
        lambda: m.parameters.update(torque=ww.Formula("2*mass")),
        lambda: setattr(m.joints["hinge"], "axis", (0, -1, 0)),
        lambda: m.forces.pop("load"),
        lambda: setattr(m, "gravity", (0, 0, -1.62)),
    ):
        change()
        found = m.simulate(end=0.1)["bob.w.y"].to_numpy()
        before += 1
        assert derivations() == before
        assert abs(found[-1] - last[-1]) > 1e-3
        last = found


def test_runs_do_not_change_each_other():
    """Two states with different numbers share equations and nothing else: let go level, R = m g I/(I + m l^2)."""
    m = motor_pendulum()
    light, heavy = m.assemble(), m.assemble(parameters={"mass": 10.0, "length": 0.05})
    forces = [float(abs(at["hinge.reaction.force"]).max()) for at in (light, heavy, light)]
    expected = [m * 9.80665 * 0.01 / (0.01 + m * l**2) for m, l in ((1.0, 0.5), (10.0, 0.05), (1.0, 0.5))]
    assert forces == pytest.approx(expected, rel=1e-12)


def test_results_keep_the_mechanism_they_were_made_from():
    m = motor_pendulum()
    result = m.simulate(end=0.1)
    m.bodies["bob"].inertia = (0.03, 0.03, 0.03)
    assert ww.loads(result.provenance.model).bodies["bob"].inertia == (0.01, 0.01, 0.01)


def pair(**parameters) -> ww.Mechanism:
    m = ww.Mechanism(
        "pair",
        parameters={"z": 20, "distance": 0.05, "m": 0.002, "drag": 1.0} | parameters,
        gravity=(0, 0, 0),
    )
    for name, x in (("a", 0), ("b", "distance")):
        m.add(name, ww.Body(mass=1, inertia=(0.01, 0.01, 0.01), position=(x, 0, 0)))
        m.add(f"bearing_{name}", ww.Revolute(bodies=("ground", name), point=(x, 0, 0), axis=(0, 0, 1)))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=("z", 30), module="m"))
    m.add("load", ww.Torque(body="a", value=(0, 0, "drag")))
    return m


@pytest.mark.slow
def test_numbers_that_change_structure_derive_again():
    """Teeth and module make the wheel sizes, and these must fit the axes: whatever deriving looked at counts."""
    m = pair()
    first = m.simulate(end=0.1)
    before = derivations()
    m.simulate(end=0.1, parameters={"drag": 2.0})
    assert derivations() == before
    other = m.simulate(end=0.1, parameters={"z": 30, "distance": 0.06})
    assert derivations() == before + 1
    ratios = [abs(float(r["b.w.z"][-1] / r["a.w.z"][-1])) for r in (first, other)]
    assert ratios == pytest.approx([20 / 30, 1.0], rel=1e-9)
    with pytest.raises(ww.ModelError, match="the axes are 55 mm apart"):
        m.simulate(end=0.1, parameters={"distance": 0.055})
    with pytest.raises(ww.ModelError, match="the axes are 50 mm apart"):
        m.sweep("z", [20, 21], signals=["b.w.z"], settle=0.1, measure=0.1)


def test_wrong_numbers_are_refused_with_known_equations():
    m = motor_pendulum()
    m.simulate(end=0.1)
    with pytest.raises(ww.ModelError, match="mass"):
        m.simulate(end=0.1, parameters={"mass": -1.0})
    with pytest.raises(ww.ModelError, match="there is no parameter `masss`"):
        m.simulate(end=0.1, parameters={"masss": 1.0})
    m.simulate(end=0.1, parameters={"mass": 3.0})


@pytest.mark.slow
def test_a_ready_model_runs_with_other_numbers():
    m = motor_pendulum()
    ready = m.compile()
    before = derivations()
    found = ready.simulate({"length": 0.7, "torque": "0.1 N m"}, end=0.3)
    assert ready.modes({"torque": 0.0}, at="equilibrium").frequencies[0] > 0
    ready.linearise()
    ready.equilibrium({"length": 0.4})
    assert derivations() == before
    expected = motor_pendulum().with_parameters(length=0.7, torque=0.1).simulate(end=0.3)
    for name in ("bob.position", "bob.w", "hinge.reaction.force"):
        np.testing.assert_array_equal(found[name], expected[name])


@pytest.mark.parametrize(
    "change",
    [
        lambda m: setattr(m.bodies["bob"], "inertia", (0.02, 0.02, 0.02)),
        lambda m: m.parameters.update(length=0.7),
        lambda m: m.add("rope", ww.Spring(bodies=("ground", "bob"), stiffness=10.0, free_length=0.1)),
        lambda m: m.forces.clear(),
        lambda m: setattr(m.bodies["bob"].orientation, "rodrigues", (0.1, 0.0, 0.0)),
        lambda m: setattr(m.bodies["bob"], "velocity", (-0.0, 0.0, 0.0)),
    ],
)
def test_a_ready_model_notices_that_its_mechanism_was_changed(change):
    m = motor_pendulum()
    ready = m.compile()
    m.comment, m.analysis = "not about equations", ww.Simulate(end=1)
    m.bodies["bob"].inertia = tuple(m.bodies["bob"].inertia)  # the same again
    ready.simulate(end=0.01)
    change(m)
    with pytest.raises(ww.ModelError, match="`pendulum` was changed after it was compiled"):
        ready.simulate(end=0.01)


def test_a_parameter_in_a_ratio_by_time_changes_the_start():
    """The speed that was given is kept for every value of it: the other speed follows from the ratio of that moment."""
    m = ww.Mechanism("cvt", gravity=(0, 0, 0), parameters={"ratio": 2.0})
    m.add("a", ww.Rotor(inertia=1, speed=10.0))
    m.add("b", ww.Rotor(inertia=1, position=(1, 0, 0)))
    m.add("cvt", ww.Ratio(bodies=("a", "b"), ratio="ratio + 0.1*t"))
    for ratio in (2.0, 3.0):
        r = m.simulate(end=0.01, output=1, parameters={"ratio": ratio})
        assert [r["a.w"].values[0], r["b.w"].values[0]] == pytest.approx([10.0, 10.0 / ratio], rel=1e-12)


def test_what_no_joint_and_no_driver_takes_leaves_positions_as_they_are():
    """The stiffness of a spring; the speed of the driver is another thing."""
    program = derived(ww.load(examples.path("cam-follower")), {})
    given = program.numbers().parameters

    def kinematic(**parameters):
        return program.kinematic(program.numbers({**given, **parameters}))

    assert kinematic(stiffness=1e4) == kinematic()
    assert kinematic(speed=200.0) != kinematic()
    assert kinematic(lift=8e-3) != kinematic()


def test_options_of_compile_are_those_of_its_runs():
    m = ww.load(examples.path("pendulum"))
    ready = m.compile(method="rk4", step=1e-3)
    assert ready.simulate(end=0.1).statistics.steps == 100
    assert ready.simulate(end=0.1, step=2e-3).statistics.steps == 50
    session = ready.start()
    session.advance(0.1)
    assert session.result().statistics.steps == 100


NAMED = ("campbell", "sweep", "modes", "frequency_response", "stability", "linearise", "assemble", "check")


@pytest.mark.parametrize("name", NAMED)
def test_methods_name_the_options_of_their_analyses(name):
    """`**options` tells nobody what there is."""
    own = inspect.signature(getattr(ww.Mechanism, name)).parameters
    assert all(parameter.kind is not parameter.VAR_KEYWORD for parameter in own.values())
    module = vibration if hasattr(vibration, name) else analyses
    analysis = inspect.signature(inspect.unwrap(getattr(module, name))).parameters
    for option, parameter in analysis.items():
        if option not in ("description", "options"):
            assert own[option].default == parameter.default
