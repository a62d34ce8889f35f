"""Points in the world and points in a body have names that tell them apart."""

import pytest

import wheelwork as ww
from wheelwork import description as model


def test_a_force_beside_the_centre_of_mass_turns_the_body():
    text = """
gravity: [0, 0, 0]
bodies:
  b: {mass: 2, inertia: [0.3, 0.4, 0.5]}
forces:
  push: {type: force, body: b, value: [0, 0, 1], point_in_body: [0.1, 0.2, 0]}
"""
    found = ww.loads(text).assemble()["b.angular_acceleration"].to_numpy()
    assert found == pytest.approx(
        [0.2 / 0.3, -0.1 / 0.4, 0]
    )  # torque r x F = (0.2, -0.1, 0) over the moments
    with pytest.raises(ww.ModelError, match="point_in_body"):
        ww.loads(text.replace("point_in_body", "point"))


def test_every_point_of_the_description_says_where_it_is():
    """No field called `point` or `point_a` is in the body frame."""
    for name in dir(model):
        part = getattr(model, name)
        for line in (part.__doc__ or "").splitlines():
            if line.strip().startswith(("point [m]", "point_a [m]", "point_b [m]")):
                assert "in the world" in line or "same for wheel" in line, (name, line)
