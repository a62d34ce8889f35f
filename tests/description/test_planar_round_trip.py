"""Planar mechanisms: writing and reading again changes nothing, and behind flattening everything is in space."""

import copy
import pickle

import pytest
from hypothesis import HealthCheck, given, settings

from wheelwork.description import Formula, Orientation, dumps, flatten, loads
from wheelwork.description.values import OutOfPlane
from wheelwork.description.walk import parts, vectors
from wheelwork.description.write import to_data

from .planar_strategies import planar_mechanisms

slow = settings(
    deadline=None,
    max_examples=15,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def collections(flat):
    return flat.bodies, flat.joints, flat.forces, flat.drivers, flat.frames


@pytest.mark.slow
@slow
@given(planar_mechanisms())
def test_load_of_save_is_identity(description):
    text = dumps(description)
    again = loads(text)
    assert again == description
    assert dumps(again) == text
    for ours, theirs in zip(collections(flatten(again)), collections(flatten(description)), strict=True):
        assert {name: placed.element for name, placed in ours.items()} == {
            name: placed.element for name, placed in theirs.items()
        }


@pytest.mark.slow
@slow
@given(planar_mechanisms(depth=0))
def test_copies_are_written_the_same(description):
    for other in (copy.deepcopy(description), pickle.loads(pickle.dumps(description))):
        assert dumps(other) == dumps(description)


@pytest.mark.slow
@slow
@given(planar_mechanisms(depth=0))
def test_the_schema_accepts_what_is_written(validator, description):
    validator.validate(to_data(description))


@pytest.mark.slow
@slow
@given(planar_mechanisms())
def test_what_is_flattened_lies_in_the_plane(description):
    """Every vector is whole, and every direction in it is one of the plane or its normal."""
    flat = flatten(description)
    for collection in collections(flat):
        for placed in collection.values():
            for _, part in (*parts(placed.element), *((None, pose) for pose in placed.placement)):
                for name, mark, vector in vectors(part):
                    assert not any(isinstance(component, OutOfPlane) for component in vector)
                    if name == "inertia":
                        assert vector[0] == vector[1] == vector[2]
                    elif mark.in_plane == "in" and not isinstance(part, Orientation):
                        assert vector[2] == 0
                    elif mark.in_plane != "in":
                        assert vector[:2] == (0, 0)
                angle = getattr(part, "angle", None)
                if angle not in (None, 0) and hasattr(part, "orientation"):
                    assert part.orientation.axis == (0, 0, 1)
                    assert part.orientation.angle == angle or isinstance(angle, Formula)
