"""A law of contact between balls that lives in a user's project: read from YAML, run, printed, refused where wrong."""

import numpy as np
import pytest
from processes import printed

from wheelwork.elements import family
from wheelwork.lazy import casadi as ca

SCRIPT = '''
from typing import Annotated, Literal
import numpy as np
import wheelwork as ww
from wheelwork.description.schema import schema
from wheelwork.description.values import Number, NumberField, Value
from wheelwork.elements import register
from wheelwork.elements.forces.contact import BallLaw
from wheelwork.lazy import casadi as ca

MODEL = """
bodies: {ball: {mass: 2, inertia: [1, 1, 1], position: [0, 0, 0.3]}}
forces:
  bed: {type: contact, a: {type: sphere, body: ball, radius: 0.1}, b: {type: plane}, law: LAW}
analysis: {type: simulate, end: 0.4, output: 80, rtol: 1e-10, atol: 1e-12}
"""
try:
    ww.loads(MODEL.replace("LAW", "{type: hardening, stiffness: 1e5}"))
except ww.ModelError as error:
    assert "there is no type `hardening`" in str(error), error


@register
class Hardening(BallLaw):
    """A spring that hardens: F = k d (1 + (d/d0)^2).

    Fields:
        stiffness [N/m]: k
        softness [1]: d0 in m
    """

    type: Literal["hardening"] = "hardening"
    stiffness: Annotated[Value, NumberField.like("a stiffness", "1 N/m")]
    softness: Number = 0.01

    def given(self, value):
        return [value(self.stiffness), value(self.softness)]

    @classmethod
    def normal_force(cls, depth, closing, given, options):
        return given[0] * depth * (1 + (depth / given[1]) ** 2)

    @classmethod
    def stored_energy(cls, depth, given, options):
        return given[0] * depth**2 / 2 * (1 + (depth / given[1]) ** 2 / 2)


m = ww.loads(MODEL.replace("LAW", "{type: hardening, stiffness: 1e4 N/m}"))
assert ww.loads(m.to_yaml()) == m
assert "softness" in schema()["$defs"]["Hardening"]["properties"]
r = m.run()
energy, depth = r["energy.total"].to_numpy(), -r["bed.gap"].to_numpy()
np.testing.assert_allclose(energy, energy[0], rtol=1e-7)
assert depth.max() > 0.015, depth.max()  # it has been down
# at the lowest point the spring has all of m g (0.2 + d): 2 * 9.80665 * (0.2 + d) = 1e4 d^2/2 (1 + (d/0.01)^2/2)
from scipy.optimize import brentq
deepest = brentq(lambda d: 2 * 9.80665 * (0.2 + d) - 1e4 * d**2 / 2 * (1 + (d / 0.01) ** 2 / 2), 1e-4, 0.1)
assert abs(depth.max() - deepest) < 0.02 * deepest, (depth.max(), deepest)  # the grid may miss it
assert "bed" in m.equations().text()
'''


@pytest.mark.slow
def test_a_law_of_a_users_own_has_the_same_rights():
    printed("-c", SCRIPT)


@pytest.mark.parametrize("name", [n for n, cls in family("contact_laws").items() if not cls.is_impact])
def test_laws_rise_from_nothing_never_pull_and_store_what_they_take(name):
    cls = family("contact_laws")[name]
    law = cls(**cls.sample)
    given, options = ca.vertcat(ca.SX(0, 1), *law.given(ca.SX)), law.options()

    def force(depth, closing=0.0):
        return float(cls.normal_force(ca.SX(depth), ca.SX(closing), given, options))

    depths = [0.0, 1e-6, 1e-4, 1e-2]
    forces = [force(d) for d in depths]
    assert forces[0] == 0
    assert np.all(np.diff(forces) > 0)
    assert min(force(d, -100.0) for d in depths) >= 0
    x = ca.SX.sym("x")
    slope = ca.Function("slope", [x], [ca.jacobian(cls.stored_energy(x, given, options), x)])
    assert [float(slope(d)) for d in depths] == pytest.approx(forces, rel=1e-12, abs=1e-12)
