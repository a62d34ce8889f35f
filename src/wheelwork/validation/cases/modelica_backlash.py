"""A wheel against the ground through an elastic backlash, against the Modelica Standard Library.

J = 5 kg m^2 starts at rest at phi = pi/2, held by an elastic backlash with c = 2e4 N m/rad, d = 50 N m s/rad and
b = pi/4 rad in all: tau = 0 for |phi| <= b/2; beyond, tc = c (phi - b/2), td = d w, tau = 0 if tc + td <= 0 else
tc + min(tc, td). A second wheel has a plain spring and damper (2e4, 50).

Here the wheel is a pinion of pitch radius 1 m and one tooth, of pressure angle 0, on a rack that is the ground: arcs in
metres are angles in radians.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import wheelwork as ww

from ..case import FORMULATIONS, Refusal, Way, gear_case, ways_of_motion
from ..finding import Comparison, compare
from .shared import columns, same_times

# time; angle and speed with backlash; angle and speed with spring and damper
ROWS = """
0.0 1.570796326794897 0.0 1.570796326794897 0.0
0.1 0.24983109537183157 52.893741383431866 0.9541564089969233 -1.303347221940676
0.2 -0.9618393450177833 12.002158323874227 0.5793116254807117 -1.5810483125321002
0.3 0.23151072087916372 -26.984097386938885 0.3515618256916568 -1.4376965672762172
0.4 0.1902942453283333 21.561319291556178 0.21324986223658532 -1.161876261057824
0.5 -0.30993973272313774 -17.22830512368428 0.12929145333280387 -0.8802069042243189
0.6 0.23183972162420707 13.766178942324402 0.0783524739957234 -0.640143990280762
0.7 -0.030640261440742503 -10.999763372597963 0.04746092248895082 -0.45246169704178346
0.8 -0.24103014641720752 8.78925609996678 0.028734919218974416 -0.31328540096626195
0.9 0.5133061308004566 -2.0450187033586147 0.017388859683663407 -0.21356670549540244
1.0 -0.15557036723690312 -7.022930403126203 0.010518034816392985 -0.14370331391695884
"""


def wheel(**model: Any) -> ww.Mechanism:
    m = ww.Mechanism("backlash", kind="planar", gravity=(0, 0))
    m.add("wheel", ww.Body(mass=1, inertia=5))
    m.add("axle", ww.Revolute(bodies=("ground", "wheel"), point=(0, 0)))
    teeth = ww.CompliantTeeth(stiffness=2e4, damping=50, offset=np.pi / 2, **model)
    line = {"point_a": (0, 0), "point_b": (0, -1), "axis_b": (1, 0)}
    m.add("mesh", ww.RackMesh(bodies=("wheel", "ground"), radius=1, pressure_angle=0, model=teeth, **line))
    return m


@gear_case(
    "modelica-backlash",
    "Wheel in an elastic backlash",
    "Modelica Standard Library 4.1.0 (BSD-3-Clause), reference results, "
    "Modelica.Mechanics.Rotational.Examples.Backlash",
    (
        *ways_of_motion("compliant", setting="law elastic"),
        *(Way(one, "compliant", f"law {law}") for law in ("linear", "printed") for one in FORMULATIONS),
    ),
    refusals=(
        Refusal("rigid teeth have no backlash, which is what the case is about", mesh="rigid"),
        Refusal(
            "one spring acts over an arc of more than a radian; involute teeth part after a pitch, and each pair "
            "has its own",
            mesh="contact",
        ),
    ),
)
def run(way: Way) -> Iterator[Comparison]:
    """Law `elastic` is the one with backlash; `linear` and `printed`, without backlash, are spring and damper."""
    law = way.setting.removeprefix("law ")
    t, *elastic, angle, speed = columns(ROWS)
    if law == "elastic":
        (angle, speed), m, rtol = elastic, wheel(law=law, backlash=np.pi / 4), 1e-10
    else:
        m, rtol = wheel(law=law), 1e-9
    r = way.simulate(m, 1, output=10, rtol=rtol, atol=rtol / 100)
    same_times(r.t, t)
    origin = "the reference rebuilt independently is right to 2e-5 rad, 1.3e-3 rad/s; ours adds 1e-6"
    found = r["mesh.transmission_error"].to_numpy()
    yield compare("angle", found, angle, unit="rad", absolute=2.1e-5, origin=origin)
    found = r["axle.w"].to_numpy()
    yield compare("speed", found, speed, unit="rad/s", absolute=1.4e-3, origin=origin)
