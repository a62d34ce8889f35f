"""A field that nothing would read is refused, with what it needs: one who gives a number expects it to count."""

import pytest

import wheelwork as ww

SHAFTS = {"bodies": ("p", "q")}
STOP = {"joint": "hinge", "upper": 1}
IDLE = [
    (ww.Clutch, {**SHAFTS, "torque": 1}, {"surfaces": 8}, "`torque`"),
    (ww.Clutch, {**SHAFTS, "torque": 1}, {"stribeck_speed": 2}, "`static_ratio` is 1"),
    (ww.Stop, STOP, {"damping": 5}, "`stiffness`"),
    (ww.Stop, {**STOP, "stiffness": 5}, {"rest_speed": 5}, "`stiffness`"),
    (ww.DogClutch, {**SHAFTS, "closed": 0}, {"fit_angle": 0.2}, "`dogs`"),
    (ww.Pid, {"input": "1", "integral": 2}, {"tracking_time": 0.1}, "`low` or `high`"),
]


@pytest.mark.parametrize(
    ("element", "fields", "idle", "needs"), IDLE, ids=[f"{x[0].__name__}-{next(iter(x[2]))}" for x in IDLE]
)
def test_a_field_without_effect_is_refused(element, fields, idle, needs):
    element(**fields)
    with pytest.raises(ww.ModelError, match=rf"\.{next(iter(idle))}: has no effect .*{needs}"):
        element(**fields, **idle)
