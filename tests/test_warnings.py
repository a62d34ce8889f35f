"""A warning shows the user's line that led to it, however deep inside the library it is given."""

import pytest

import wheelwork as ww
from wheelwork import examples


def unsettled(m):
    m.sweep("motor_inertia", [0.01, 0.018], signals=["fan.w"], settle=0.05, measure=0.05)


def long_steps(m):
    m.simulate(end=3, method="rk4", step=0.05, formulation="absolute", output=4)


def too_few_steps(m):
    m.simulate(end=1.0, max_steps=3)


@pytest.mark.parametrize(
    ("example", "act", "words"),
    [
        ("drive-line", unsettled, "had not settled"),
        ("planetary-gearbox", long_steps, "a step of `rk4`"),
        ("planetary-gearbox", too_few_steps, "steps"),
    ],
)
def test_the_users_line_is_shown(example, act, words):
    m = ww.load(examples.path(example))
    for _ in range(2):  # also where the second run comes from the cache
        with pytest.warns(Warning, match=words) as told:
            act(m)
        assert {one.filename for one in told} == {__file__}
