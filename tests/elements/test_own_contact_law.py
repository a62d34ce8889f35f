"""A law of tooth contact that lives in a user's project: registered after meshes were made, read from YAML, run."""

import pytest
from processes import printed

SCRIPT = '''
from typing import Literal
import numpy as np
import wheelwork as ww
from wheelwork.description.schema import schema
from wheelwork.description.values import Number, Speed
from wheelwork.elements import register
from wheelwork.elements.meshes.teeth.damping.base import DampingLaw
from wheelwork.lazy import casadi as ca

MODEL = """
kind: planar
gravity: [0, 0]
start: rest
bodies:
  a: {type: rotor, inertia: 1e-3, speed: 1}
  b: {type: rotor, inertia: 4e-3, position: [60 mm, 0]}
meshes:
  m:
    type: external
    bodies: [a, b]
    teeth: [20, 40]
    module: 2 mm
    thickness_allowance: [-30 um, -30 um]
    model: {type: contact, elastic: {type: linear, stiffness: 2e8}, viscous: LAW}
analysis: {type: simulate, end: 3 ms, output: 30}
"""
known = ww.loads(MODEL.replace("LAW", "{type: hunt_crossley, factor: 7.125 s/m}")).run()
try:
    ww.loads(MODEL.replace("LAW", "{type: lankarani}"))
except ww.ModelError as error:
    assert "lankarani" in str(error), error


@register
class Lankarani(DampingLaw):
    """Hysteresis damping of Lankarani and Nikravesh.

    Fields:
        restitution [1]: of an impact
        speed [m/s]: of that impact
    """

    type: Literal["lankarani"] = "lankarani"
    restitution: Number
    speed: Speed

    def given(self, value):
        return [3 * (1 - value(self.restitution) ** 2) / (4 * value(self.speed))]

    @classmethod
    def total(cls, elastic, at, given):
        return elastic * ca.fmax(1 + given[0] * at.rate, 0)


m = ww.loads(MODEL.replace("LAW", "{type: lankarani, restitution: 0.9, speed: 20 mm/s}"))
assert ww.loads(m.to_yaml()) == m
assert "restitution" in schema()["$defs"]["Lankarani"]["properties"]
own = m.run()
np.testing.assert_allclose(own["a.w"].to_numpy(), known["a.w"].to_numpy(), rtol=1e-6)  # the step tolerance
assert own["a.w"].to_numpy()[-1] < 0.5  # they have met
'''


@pytest.mark.slow
def test_a_contact_law_of_a_users_own_has_the_same_rights():
    """3 (1 - 0.9^2)/(4 * 0.02) = 7.125 s/m: the same motion as with the factor given to the law that is there."""
    printed("-c", SCRIPT)
