"""Tooth contact: what is wrong is said, and numbers follow the parameters."""

import re
from typing import Any

import numpy as np
import pytest
from pages import blocks, page

import wheelwork as ww
from wheelwork.gears import GearPair, backlash

from .single_force import program_of

LINEAR = {"type": "linear", "stiffness": 2e8}
POWER = {"type": "power", "force": 1e3, "depth": 1e-5}


def wheels(model: dict | None = None, parameters: dict | None = None, **mesh: Any) -> ww.Mechanism:
    m = ww.Mechanism("pair", gravity=(0, 0, 0), parameters=parameters or {})
    m.add("a", ww.Rotor(inertia=1e-3))
    m.add("b", ww.Rotor(inertia=8e-3, position=(60e-3, 0, 0)))
    teeth = ww.ContactTeeth(**{"elastic": LINEAR, **(model or {})})
    sizes = {"teeth": (20, 40), "module": 2e-3, "face_width": 20e-3, **mesh}
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), model=teeth, **sizes))
    return m


@pytest.mark.parametrize(
    ("model", "mesh", "words"),
    [
        (
            {},
            {"teeth": None, "module": None, "ratio": 2},
            "shape of the teeth: the mesh has no tooth numbers",
        ),
        ({}, {"efficiency": 0.98}, "no `efficiency`; give the coefficient of `friction`"),
        ({"elastic": "johnson"}, {"face_width": 0.0}, "`johnson` needs the `face_width`"),
        ({"elastic": "teeth"}, {"face_width": 0.0}, "`teeth` needs the `face_width`"),
        ({"slices": 3}, {"face_width": 0.0}, "slices across the face need the `face_width`"),
        ({}, {"addendum": 0.5}, "the contact ratio is 0."),
        ({}, {"thickness_allowance": (20e-6, 20e-6)}, "these teeth jam: their backlash is -37"),
        ({"offset": "3 mm"}, {}, "`offset` puts the teeth "),
        ({"offset": -3e-3}, {}, "`offset` puts the teeth "),
        ({}, {"tip_alteration": (1.0, 0.0)}, "flanks of `a` meet below its tip circle"),
        ({}, {"thickness_allowance": (-4e-3, 0.0)}, "a tooth of a gear of 20 teeth would be -0.858"),
    ],
)
def test_what_is_wrong_is_said(model, mesh, words):
    with pytest.raises(ww.ModelError, match=re.escape(words)) as caught:
        program_of(wheels(model, **mesh))
    assert "meshes.mesh" in str(caught.value)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ({"elastic": {"type": "linear", "stiffness": 0.0}}, "stiffness: must be greater than zero"),
        ({"elastic": {**POWER, "exponent": 0.5}}, "exponent: must be at least 1"),
        ({"elastic": "hard"}, "elastic"),
        ({"viscous": {"type": "hunt_crossley", "factor": -1.0}}, "factor: must be greater than zero"),
        ({"poisson_ratio": 0.5}, "poisson_ratio: must be at least 0 and less than 0.5"),
        ({"slices": 0}, "slices: must be between 1 and 200"),
    ],
)
def test_fields_are_checked(model, words):
    with pytest.raises(ww.ModelError, match=re.escape(words)):
        wheels(model)


def test_a_rack_has_no_law_of_johnson():
    m = ww.Mechanism("rack", gravity=(0, 0, 0))
    m.add("a", ww.Rotor(inertia=1e-3))
    m.add("b", ww.Body(mass=1, inertia=(1, 1, 1), position=(0, -20e-3, 0)))
    m.add("guide", ww.Prismatic(bodies=("ground", "b"), point=(0, -20e-3, 0), axis=(1, 0, 0)))
    teeth = ww.ContactTeeth(elastic="johnson")
    m.add("mesh", ww.RackMesh(bodies=("a", "b"), teeth=20, module=2e-3, face_width=20e-3, model=teeth))
    with pytest.raises(ww.ModelError, match="take `weber`"):
        program_of(m)


def test_only_cylindrical_teeth_can_be_in_contact():
    with pytest.raises(ww.ModelError, match="must be `rigid` for this type of mesh, but is `contact`"):
        ww.BevelMesh(bodies=("a", "b"), teeth=(20, 40), model=ww.ContactTeeth(elastic=LINEAR))


def test_numbers_follow_the_parameters():
    """Backlash and stiffness of other values, without new equations; more pairs than slots are refused."""
    m = wheels(
        {"elastic": {"type": "linear", "stiffness": "k"}},
        {"thin": 0.0, "k": 1e8, "height": 1.0},
        thickness_allowance=("-thin", "-thin"),
        addendum="height",
        dedendum=1.6,
        root_radius=0.2,
    )
    program = program_of(m)
    first = program.numbers().data
    second = program.numbers({"thin": 4e-5, "k": 3e8}).data
    pair = GearPair.of((20, 40), 2e-3, thickness_allowance=(-4e-5, -4e-5), centre_distance=60e-3)
    changed = second[~np.isclose(first, second, rtol=1e-9, atol=0)]
    assert np.any(np.isclose(changed, backlash(pair).transverse / 2))
    assert np.any(changed == 3e8)
    with pytest.raises(Exception, match="3 pairs of teeth can touch at once, but the mesh was made for 2"):
        program.numbers({"height": 1.45})


def test_the_example_of_the_guide_is_built():
    (text,) = (block for block in blocks(page("guide/meshes"), "yaml") if "type: contact" in block)
    program = program_of(ww.loads(f"wheelwork: 1\n{text}"))
    assert [use.kernel.equations.type for use in program.forces] == ["contact"]
