"""Prefixes of axes follow the numbers that are drawn."""

import pytest
from matplotlib import pyplot as plt

from wheelwork.show.figures.prefixes import prefix_axis


@pytest.mark.parametrize(
    ("values", "label"),
    [((0.0, 0.0), "speed [rad/s]"), ((0.0, 2e-5), "speed [µrad/s]"), ((3.0,) * 2, "speed [rad/s]")],
)
def test_zeros_have_no_prefix(values, label):
    """Of a line at zero matplotlib shows 0.05 each way: axes said mrad/s."""
    axes = plt.figure().add_subplot()
    axes.plot([0.0, 1.0], values)
    prefix_axis(axes.yaxis, "speed", "rad/s")
    assert axes.get_ylabel() == label
    plt.close("all")
