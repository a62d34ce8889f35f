"""Points in the world and points in a body have names that tell them apart; old names still work."""

import pytest

import wheelwork as ww
from wheelwork import description as model

POINT = (0.1, 0.2, 0.3)
MADE = {
    "force": lambda **where: ww.Force(body="b", value=(0, 0, 1), **where),
    "sphere": lambda **where: ww.ContactSphere(body="b", **where),
    "plane": lambda **where: ww.ContactPlane(body="b", **where),
    "body": lambda **where: ww.BodyDriver(body="b", coordinate="x", value="t", **where),
}


@pytest.mark.parametrize("kind", MADE)
def test_old_and_new_names(kind):
    new = MADE[kind](point_in_body=POINT)
    with pytest.warns(
        FutureWarning, match=f"`point` of a `{kind}` is in the body frame.*write `point_in_body`"
    ):
        old = MADE[kind](point=POINT)
    assert old.in_body() == new.in_body() == POINT
    with pytest.raises(ww.ModelError, match="given twice"):
        MADE[kind](point=POINT, point_in_body=POINT)


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_they_mean_the_same():
    """A force beside the centre of mass turns the body alike, in a file with either name."""
    text = """
gravity: [0, 0, 0]
bodies:
  b: {mass: 2, inertia: [0.3, 0.4, 0.5]}
forces:
  push: {type: force, body: b, value: [0, 0, 1], NAME: [0.1, 0.2, 0]}
"""
    accelerations = [
        ww.loads(text.replace("NAME", name)).assemble()["b.angular_acceleration"].to_numpy()
        for name in ("point", "point_in_body")
    ]
    # torque r x F = (0.2, -0.1, 0) over the moments of inertia
    assert accelerations[0] == pytest.approx([0.2 / 0.3, -0.1 / 0.4, 0])
    assert accelerations[1] == pytest.approx(accelerations[0])


def test_every_point_of_the_description_says_where_it_is():
    """No field called `point` or `point_a` is in the body frame, but for old names."""
    for name in dir(model):
        part = getattr(model, name)
        for line in (part.__doc__ or "").splitlines():
            if line.strip().startswith(("point [m]", "point_a [m]", "point_b [m]")):
                assert "in the world" in line or "old name" in line or "same for wheel" in line, (name, line)
