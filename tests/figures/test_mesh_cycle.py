"""Elastic teeth over the mesh cycle: a line and a band in bins in place of a cloud of dots."""

import numpy as np
import pytest

import wheelwork as ww

pytestmark = pytest.mark.usefixtures("figures_closed")
MEAN, SWING, PRESSED = 2e8, 3e7, 4e-6


def turned(model, offset, outputs=2000, swing="0", **teeth):
    """Both wheels are turned by drivers, 3.7 mesh cycles, with their teeth pressed by what the offset says."""
    m = ww.Mechanism("pair", kind="planar", gravity=(0, 0))
    for name, x, speed in (("one", 0.0, 3.0), ("two", 0.06, -1.5)):
        m.add(name, ww.Body(mass=1, inertia=1e-3, position=(x, 0)))
        m.add(f"on-{name}", ww.Revolute(bodies=("ground", name), point=(x, 0)))
        m.add(f"turn-{name}", ww.JointDriver(joint=f"on-{name}", value=f"{speed}*t + {swing if x else 0}"))
    sizes = {"teeth": (20, 40), "module": 0.002, "face_width": 0.02, **teeth}
    m.add("mesh", ww.ExternalMesh(bodies=("one", "two"), model={**model, "offset": offset}, **sizes))
    return m.simulate(end=3.7 * 2 * np.pi / 20 / 3, output=outputs)


def drawn(axis):
    (line,) = axis.lines
    (band,) = axis.collections
    return line.get_xdata(), line.get_ydata(), band.get_datalim(axis.transData)


@pytest.mark.slow
def test_the_line_is_the_stiffness_that_was_given():
    wave = {"type": "constant", "value": MEAN, "variation": [{"amplitude": SWING}]}
    figure = turned({"type": "compliant", "stiffness": wave, "backlash": 0}, PRESSED).plot.mesh_stiffness()
    stiffness, deflection, error = figure.axes
    phase, median, band = drawn(stiffness)
    assert len(phase) == 52
    # a sine averaged over a bin of 1/50: 1 - (pi/50)^2/6
    assert median * 1e6 == pytest.approx(MEAN + SWING * np.sin(2 * np.pi * phase), abs=0.02 * SWING)
    assert band.height * 1e6 == pytest.approx(2 * SWING, rel=0.02)
    assert drawn(deflection)[1] == pytest.approx(np.full(52, PRESSED), rel=1e-6)
    assert deflection.get_ylabel() == "deflection [µm]"
    assert error.get_ylabel() == "transmission error [µm]"
    assert "in 50 bins" in stiffness.get_title(loc="left")


@pytest.mark.slow
def test_teeth_in_contact_are_a_spring_of_force_over_deflection():
    """A linear law: one pair of teeth has its stiffness, two have twice that while they touch."""
    elastic = {"type": "linear", "stiffness": MEAN}
    thin = {"thickness_allowance": ("-0.05 mm", "-0.05 mm")}
    half = 0.05e-3 * np.cos(np.radians(20))
    r = turned({"type": "contact", "elastic": elastic}, half + PRESSED, **thin)
    _, median, _ = drawn(r.plot.mesh_stiffness().axes[0])
    assert set(np.round(median[1:-1] * 1e6 / MEAN, 3)) <= {1.0, 2.0}
    ratio = float(np.mean(np.asarray(r["mesh.pairs"])))
    assert np.mean(median[1:-1]) * 1e6 / MEAN == pytest.approx(ratio, abs=0.05)


def test_both_flanks_have_a_line_each():
    r = turned(
        {"type": "compliant", "stiffness": MEAN, "backlash": "20 um"}, 0.0, swing="-4e-4*cos(40*t)"
    )  # 15 um to either side
    figure = r.plot.mesh_stiffness()
    front, back = figure.axes[1].lines
    assert (front.get_label(), back.get_label()) == ("mesh, front", "mesh, back")
    assert np.nanmin(front.get_ydata()) >= 0 >= np.nanmax(back.get_ydata())


def test_few_samples_are_dots():
    r = turned({"type": "compliant", "stiffness": MEAN, "backlash": 0}, PRESSED, outputs=40)
    (dots,) = r.plot.mesh_stiffness().axes[0].lines
    assert dots.get_marker() == "."
    r = turned({"type": "compliant", "stiffness": MEAN, "backlash": "20 um"}, 0.0)
    assert len(r.plot.mesh_stiffness().axes[0].lines) == 1  # nothing touches: what there is
