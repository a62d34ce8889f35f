"""Random mechanisms move the same whatever names and order, world frame and units they are written in.

Runs at 1e-10 per step over 0.2 s; what is left is round-off, with other orders of elimination where the order differs.
"""

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from robustness import random_mechanism

from .variants import in_other_units, placed_elsewhere, renamed_and_shuffled

FEW = settings(
    max_examples=14,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=[Phase.generate],
)
RUN = {"end": 0.2, "output": 4, "rtol": 1e-10, "atol": 1e-12, "progress": False}
TOLERANCE = 1e-7

seeds = st.integers(0, 10_000).filter(lambda seed: random_mechanism(seed)[2])


def stands_elsewhere(seed: int) -> bool:
    """In space, and given where it fits: how far bodies go when they are put together with redundant joints depends on
    axes in the sixth digit.
    """
    m = random_mechanism(seed)[1]
    return m.kind == "spatial" and all(joint.frame_a is None for joint in m.joints.values())


def positions(result, names) -> dict[str, np.ndarray]:
    return {name: result[f"{name}.position"].to_numpy() for name in names}


@pytest.mark.slow
@given(seed=seeds, order=st.integers(0, 10**6))
@FEW
def test_names_and_order(seed, order):
    m = random_mechanism(seed)[1]
    other, mapping = renamed_and_shuffled(m, order)
    assert list(other.bodies) != [mapping[name] for name in m.bodies] or len(m.bodies) < 3 or order % 7 == 0
    one = positions(m.simulate(**RUN), m.bodies)
    two = positions(other.simulate(**RUN), other.bodies)
    for name, place in one.items():
        assert two[mapping[name]] == pytest.approx(place, abs=TOLERANCE)


@pytest.mark.slow
@given(
    seed=seeds.filter(stands_elsewhere),
    turn=st.tuples(*[st.floats(-3, 3)] * 3),
    shift=st.tuples(*[st.floats(-5, 5)] * 3),
)
@FEW
def test_world_frame(seed, turn, shift):
    m = random_mechanism(seed)[1]
    for force in m.forces.values():
        if force.type == "torque":
            assert force.frame == "body"  # turns with the rest
    rotation = Rotation.from_rotvec(turn)
    one = positions(m.simulate(**RUN), m.bodies)
    other = placed_elsewhere(m, rotation, np.array(shift)).simulate(**RUN)
    for name, place in one.items():
        expected = rotation.apply(place) + shift
        assert other[f"in.{name}.position"].to_numpy() == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.slow
@given(seed=seeds)
@FEW
def test_units(seed):
    m = random_mechanism(seed)[1]
    other, met = in_other_units(m)
    assert {"g", "kg*cm^2"} <= met
    one = positions(m.simulate(**RUN), m.bodies)
    two = positions(other.simulate(**RUN), m.bodies)
    for name, place in one.items():
        assert two[name] == pytest.approx(place, abs=TOLERANCE)
