"""Random mechanisms move the same whatever names and order, place, units, size and handedness they have.

Runs at 1e-10 per step over 0.2 s; what is left is round-off, with other orders of elimination where the order differs.
"""

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import wheelwork as ww
from robustness import random_mechanism
from robustness.copies import (
    in_other_units,
    mirrored,
    placed_elsewhere,
    renamed_and_shuffled,
    rescaled,
    scale_of,
)

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


@pytest.mark.slow
@given(seed=seeds)
@FEW
def test_in_a_mirror(seed):
    m = random_mechanism(seed)[1]
    one = positions(m.simulate(**RUN), m.bodies)
    two = positions(mirrored(m).simulate(**RUN), m.bodies)
    for name, place in one.items():
        signs = np.array([-1.0, 1.0, 1.0])[: place.shape[1]]
        assert two[name] == pytest.approx(signs * place, abs=TOLERANCE)


@pytest.mark.slow
@given(seed=seeds, scales=st.sampled_from([(1e-3, 1e-9, 1e-3), (1e3, 1e6, 1e2)]))
@FEW
def test_another_scale_of_length_mass_and_time(seed, scales):
    m = random_mechanism(seed)[1]
    one = positions(m.simulate(**RUN), m.bodies)
    two = positions(rescaled(m, *scales).simulate(**{**RUN, "end": RUN["end"] * scales[2]}), m.bodies)
    for name, place in one.items():
        assert two[name] / scale_of("m", *scales) == pytest.approx(place, abs=TOLERANCE)


@pytest.mark.parametrize("kind", ["spatial", "planar"])
@pytest.mark.parametrize("axis", [None, (0.2, -0.5, 1.0)])
def test_mounts_that_are_stiffer_along_x_than_along_y_turn_with_their_component(kind, axis):
    """x of a frame along an axis was the axis of the world that suited; in a component that is turned it is another."""
    planar = kind == "planar"
    inner = ww.Mechanism("inner", kind=kind)
    inertia = 0.1 if planar else (0.1, 0.2, 0.3)
    inner.add("block", ww.Body(mass=2, inertia=inertia, position=(0.3, 0.1) if planar else (0.3, 0.1, 0.2)))
    fields = {"stiffness": (4e4, 9e4) if planar else (4e4, 9e4, 16e4)}
    fields["rotational_stiffness"] = 500.0 if planar else (300.0, 500.0, 800.0)
    fields |= {} if planar or axis is None else {"axis": axis}
    inner.add(
        "mount", ww.Bushing(bodies=("ground", "block"), point=(0.2, 0) if planar else (0.2, 0, 0), **fields)
    )
    outer = ww.Mechanism("outer", kind=kind)
    turned = {"angle": 0.7} if planar else {"orientation": ww.Orientation(rotation_vector=(0.4, 1.9, -0.8))}
    outer.add("in", ww.Component(model=inner, **turned))
    own, other = (m.linearise().frequencies for m in (inner, outer))
    assert np.ptp(own) > 1  # the stiffnesses differ
    assert other == pytest.approx(own, rel=1e-9)
