"""Light links between heavy ones: a warning where numbers would be wrong, and none where they are right."""

import warnings
from contextlib import suppress

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.analyses.precision import PrecisionWarning

LIFT = """
kind: planar
bodies:
  crank: {{mass: {light}, inertia: {light}*1e-3, position: [0.05, 0]}}
  rod: {{mass: {light}, inertia: {light}*1e-3, position: [0.1, 0.15]}}
  weight: {{mass: 1, inertia: 1, position: [0.1, 0.3]}}
joints:
  bearing: {{type: revolute, bodies: [ground, crank], point: [0, 0]}}
  pin: {{type: revolute, bodies: [crank, rod], point: [0.1, 0]}}
  wrist: {{type: revolute, bodies: [rod, weight], point: [0.1, 0.3]}}
  guide: {{type: translational, bodies: [ground, weight], point: [0.1, 0.3], axis: [0, 1]}}
drivers:
  motor: {{type: joint, joint: bearing, value: "t"}}
"""


def lifted(light: float) -> tuple[float, list]:
    """Torque of the motor at the start, where the crank is level and the rod upright: the weight times its arm."""
    m = ww.loads(LIFT.format(light=light))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torque = float(np.array(m.inverse(end=1e-3, output=1)["motor.torque"])[0])
    return torque, [w for w in caught if issubclass(w.category, PrecisionWarning)]


@pytest.mark.parametrize("light", [1e-1, 1e-3, 1e-4, 1e-6, 1e-8])
def test_right_numbers_come_without_a_warning(light):
    torque, caught = lifted(light)
    # no more than the weight: where the crank is level, its end rises without acceleration
    assert torque == pytest.approx(
        0.1 * 9.80665 * (1 + 1.5 * light), rel=1e-6
    )  # crank at half, rod at its whole arm
    assert not caught


def test_where_digits_run_out_a_warning_says_so():
    m = ww.loads(LIFT.format(light=1e-13))
    with (
        pytest.warns(PrecisionWarning, match="`crank`.*`weight`.*formulation: reduced"),
        suppress(ww.ModelError),
    ):
        m.inverse(end=1e-3, output=1)


def swinging(J: float, twice: bool = False) -> ww.Mechanism:
    """A kilogram on an arm of half a metre that swings about an oblique axis; `twice`: in two hinges."""
    m = ww.Mechanism("bob")
    across = np.cross(AXIS, (0, 0, 1)) / np.linalg.norm(np.cross(AXIS, (0, 0, 1)))
    m.add("bob", ww.Body(mass=1.0, inertia=(J, J, J), position=tuple(0.5 * across)))
    for k, place in enumerate((-0.1, 0.1) if twice else (0.0,)):
        point = tuple(place * AXIS)
        m.add(f"hinge{k}", ww.Revolute(bodies=("ground", "bob"), point=point, axis=tuple(AXIS)))
    return m


AXIS = np.ones(3) / np.sqrt(3)
WEIGHT = np.array([0, 0, -9.80665])


@pytest.mark.parametrize("twice", [False, True], ids=["one hinge", "two hinges"])
@pytest.mark.parametrize("formulation", ["absolute", "auto", "reduced"])
@pytest.mark.parametrize("J", [1e-6, 1e-9, 1e-10])
def test_hinge_force_of_a_bob_with_next_to_no_inertia(J, formulation, twice):
    r = swinging(J, twice).simulate(end=1.0, output=100, formulation=formulation)
    x, v = (np.asarray(r[f"bob.{name}"]) for name in ("position", "velocity"))
    # by hand: the hinge carries m (a - g), with v^2 / L towards it and g along the path, J making it slower
    inward = -x / 0.5
    along = np.cross(AXIS, inward)
    a = np.sum(v * v, axis=1)[:, None] / 0.5 * inward + (along @ WEIGHT)[:, None] * along / (1 + J / 0.25)
    force = sum(np.asarray(r[f"hinge{k}.reaction.force"]) for k in range(1 + twice))
    size = np.linalg.norm(a - WEIGHT, axis=1)
    # round-off in S, 1e-16 m L^2 / J, over some operations
    assert np.linalg.norm(force, axis=1) == pytest.approx(size, abs=1e-7 + 1e-14 / J)


def test_inertia_beyond_double_precision_is_said():
    with pytest.warns(PrecisionWarning, match="inertia of `bob`.*0.5 m"):
        swinging(1e-14).assemble()


def test_redundant_joints_of_unlike_bodies_are_factorised_once_an_evaluation():
    """All small pivots are geometry's, however unlike the rods: there is no second look at each evaluation."""
    m = ww.load(examples.path("n-four-bar"))
    did = m.simulate(end=0.5, output=1, formulation="absolute").statistics
    assert did.evaluations > 50
    assert did.factorisations < 1.1 * did.evaluations


def test_redundant_rows_that_differ_inside_a_step_do_not_spoil_it():
    """Bricard's mechanism moves only where its rows depend on each other; its bodies are alike."""
    m = ww.load(examples.path("bricard"))
    did = m.simulate(end=0.5, output=5, formulation="absolute").statistics
    assert did.rejected == 0
