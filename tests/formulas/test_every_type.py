"""Equations of every type of element, in every form: nothing that can be described is without them."""

import re
from fractions import Fraction

import pytest

import wheelwork as ww
from wheelwork.layout import layout_of

from .every_type import ALL, ELEMENTS, MODELS, RELATIONS, equations_of, types_that_occur, types_there_are
from .models import states
from .test_constraints import agree


@pytest.mark.parametrize(
    ("kind", "group", "name"),
    [(kind, group, name) for kind in MODELS for group in ELEMENTS for name in types_there_are(kind, group)],
)
def test_every_type_is_looked_at(kind, group, name):
    assert name in types_that_occur(kind, group), (
        f"give the class of `{name}` a method `sample(kind, bodies)`"
    )


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "group", "name"), ALL)
def test_every_form(kind, group, name):
    equations = equations_of(kind, group, name)
    for form in ("text", "markdown", "latex", "html"):
        whole = getattr(equations, form)()
        assert "it" in whole
        assert not re.search(r"\bNone\b|object at|\bnan\b", whole)
    numbers = equations.at()
    assert numbers.jacobian.shape == equations.shape
    written = {entry.name for entry in (*equations.constraints, *equations.loads)} | {
        other for other, _ in equations.others
    }
    assert "it" in written


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in MODELS for name in MODELS[kind]["meshes"]]
)
def test_every_mesh_is_in_the_gear_train(kind, name):
    """With sizes that exact ratios are made of; those of a rack are a radius and 1."""
    edge = layout_of(ww.loads(MODELS[kind]["meshes"][name])).gear_train.gears["it"]
    assert all(isinstance(size, Fraction) and size > 0 for size in edge.sizes)


@pytest.mark.parametrize("kind", list(MODELS))
@pytest.mark.parametrize("name", list(RELATIONS))
def test_ratios_and_couplers_agree_with_the_kernels(kind, name):
    equations = equations_of(kind, "forces", name)
    for motion in states(equations, count=2):
        agree(equations["it"], motion)


@pytest.mark.parametrize(
    ("kind", "name"), [(k, n) for k, groups in MODELS.items() for n in groups["drivers"]]
)
def test_drivers_agree_with_the_kernels(kind, name):
    """What is printed, evaluated at random states."""
    equations = equations_of(kind, "drivers", name)
    entry = equations["it"]
    for motion in states(equations, count=2):
        agree(entry, motion)
    assert "follows a function of time" in entry.what
