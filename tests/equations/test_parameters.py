"""Other values for parameters: the numbers of a mechanism built anew, and kernels that do not change."""

from dataclasses import fields

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.engine.engine import kernel_groups
from wheelwork.engine.tape import emit
from wheelwork.system.motion import Motion
from wheelwork.system.program import Numbers, Program

from .models import program_of

TEXT = """\
name: everything may be a parameter
gravity: [0, 0, -g]
parameters:
  g: 9.81
  length: 500 mm
  half: length/2
  tilt: 0
  density: 7850 kg/m^3
  k: 1e4
  lean: 0
  speed: 3
  mu: 0.1
  far: half + 1
bodies:
  rod:
    shape: {type: box, size: [length, 0.02, 0.03]}
    density: density
    position: [half, 0, 0]
    orientation: {rotation_vector: [0, tilt, 0]}
    center_of_mass: [0, lean, 0]
    angular_velocity: [0, speed, 0]
  bob:
    mass: 2*half
    inertia: [1, "1 + tilt", 1]
    position: [length, 0, 0]
    orientation: {axis: [0, 1, lean], angle: tilt}
  disc: {type: rotor, inertia: 0.1*half, position: [0, far, 0], angle: 7 + tilt, speed: speed}
  wheel: {type: rotor, inertia: 0.2}
joints:
  hinge: {type: revolute, bodies: [ground, rod], point: [0, 0, 0], axis: [lean, 1, 0]}
  thread: {type: screw, bodies: [rod, bob], point: [length, 0, 0], axis: ["1 - tilt", 0, tilt], lead: 0.01*half}
  link: {type: distance, bodies: [ground, bob], point_a: [0, far, 1], point_b: [length, 0, 0]}
forces:
  spring: {type: spring, bodies: [ground, rod], point_a: [0, 0, far], point_b: [half, 0, 0], stiffness: k}
  shaft: {type: torsional_spring, bodies: [disc, wheel], stiffness: k}
  push: {type: force, body: rod, value: [k*t, 0, far], point_in_body: [0, 0, half]}
  control: {type: actuator, joint: hinge, value: -k*hinge.w + far}
  rub: {type: friction, joint: hinge, viscous: mu, coefficient: mu, radius: 0.1*half}
  ball: {type: contact, a: {body: bob, radius: half}, b: {point_in_body: [0, 0, -far], normal_in_body: [tilt, 0, 1]},
         law: {type: compliant, stiffness: k}}
  bump: {type: contact, a: {body: rod, radius: half}, b: {point_in_body: [0, 0, -far]},
         law: {type: restitution, coefficient: mu}}
drivers:
  drive: {type: joint, joint: wheel.bearing, value: speed*t + half*sin(far*t)}
"""

CHANGES = [
    {"length": 0.8},
    {"length": "80 cm", "k": 500.0},
    {"tilt": 0.4},
    {"tilt": 1.0},
    {"lean": 0.3, "density": 1000.0},
    {"half": 0.1},
    {"half": "0.2*length"},
    {"far": 3.0, "speed": -1.0, "mu": 0.2, "g": 1.62},
]


def program() -> Program:
    return program_of(ww.loads(TEXT))


def compare(ours: Numbers, theirs: Numbers) -> None:
    for entry in fields(Numbers):
        a, b = getattr(ours, entry.name), getattr(theirs, entry.name)
        if entry.name == "parameters":
            assert a == pytest.approx(b)
        else:
            # the same operations in the same order, but for those CasADi makes ahead for constants
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-13, err_msg=entry.name)


@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_numbers_for_other_parameters_equal_building_anew(changes):
    ours, anew = program(), program_of(ww.loads(TEXT).with_parameters(changes))
    compare(ours.numbers(changes), anew.numbers())
    assert not np.array_equal(ours.numbers(changes).data, ours.numbers().data)
    compare(ours.numbers(), program().numbers())


@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_functions_of_time_use_other_parameters(changes):
    def inputs(program: Program, numbers: Numbers) -> np.ndarray:
        t = np.linspace(0, 2, 5)
        empty = np.zeros((5, 0))
        return Motion(program, numbers, t, np.tile(numbers.state, (5, 1)), empty, empty, empty).inputs

    ours, anew = program(), program_of(ww.loads(TEXT).with_parameters(changes))
    np.testing.assert_allclose(
        inputs(ours, ours.numbers(changes)), inputs(anew, anew.numbers()), rtol=0, atol=1e-12
    )


@pytest.mark.slow
@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_kernels_do_not_know_parameters(changes):
    """The emitted text is the same, so that nothing is compiled again."""
    ours, anew = (
        kernel_groups(p, True) for p in (program(), program_of(ww.loads(TEXT).with_parameters(changes)))
    )
    assert [emit(group) for group in ours] == [emit(group) for group in anew]


@pytest.mark.slow
def test_numbers_in_the_description_are_not_in_the_kernels_either():
    """Nor does a number that is no parameter: the same types of elements give the same kernels."""
    other = program_of(ww.loads(TEXT.replace("[0, far, 1]", "[0.3, far, 2]").replace("0.01*half", "0.02")))
    assert [emit(group) for group in kernel_groups(program(), False)] == [
        emit(group) for group in kernel_groups(other, False)
    ]


def test_one_kernel_serves_all_elements_of_a_type():
    m = ww.Mechanism("chain")
    for k in range(5):
        m.add(f"link{k}", ww.Body(mass=1 + k, inertia=(1, 1, 1), position=(k, 0, 0)))
        before = f"link{k - 1}" if k else "ground"
        m.add(f"pin{k}", ww.Revolute(bodies=(before, f"link{k}"), point=(k, 0, 0), axis=(0, 1, k)))
        m.add(f"push{k}", ww.Force(body=f"link{k}", value=(k, 0, 0)))
    chain = program_of(m)
    assert len(chain.constraints) == 5
    assert len({id(use.kernel) for use in chain.constraints}) == 1
    assert len(kernel_groups(chain, False)) == 2


def test_an_unknown_parameter_is_refused():
    with pytest.raises(ww.ModelError, match="lenght"):
        program().numbers({"lenght": 1.0})
