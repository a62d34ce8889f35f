"""Random mechanisms run soundly or are refused rightly. `./wheelwork-dev robustness` runs 500 of them; here are 50."""

import numpy as np
import pytest

import wheelwork as ww
from robustness import FAMILIES, comparing, judge, judging, random_mechanism, sanitize
from robustness.sampled import NOT_ALONE
from wheelwork import examples
from wheelwork.description import Fixed, ModelError, dumps
from wheelwork.description.registry import family
from wheelwork.layout import layout_of

IN_CI = 50


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_all_of_a_family_are_sound(family):
    seeds = range(list(FAMILIES).index(family), IN_CI + len(FAMILIES) - 1, len(FAMILIES))
    found = [judge(seed) for seed in seeds]
    assert {j.family for j in found} == {family}
    assert [(j.seed, j.words) for j in found if j.verdict == "wrong"] == []
    assert {j.verdict for j in found} == {"refused" if family == "impossible" else "ran"}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_mechanism():
    for seed in range(len(FAMILIES)):
        one, two = (random_mechanism(seed)[1] for _ in range(2))
        assert dumps(one) == dumps(two)
    assert dumps(random_mechanism(0)[1]) != dumps(random_mechanism(len(FAMILIES))[1])


@pytest.mark.slow
def test_families_are_what_they_say():
    """Loops and redundant rows are there, and so are all kinds of mesh."""
    surplus, meshes = set(), set()
    for seed in range(60):
        family, m, possible = random_mechanism(seed)
        if not possible:
            with pytest.raises(ModelError):
                m.check()
            continue
        report = m.check()
        if report.freedoms_by_rank > report.freedoms_by_count:
            surplus.add(family)
        meshes |= {mesh.type for mesh in m.meshes.values()}
    assert {"redundant", "planetary"} <= surplus
    assert {"external", "internal", "bevel", "belt"} <= meshes


@pytest.mark.slow
def test_elements_of_every_type_are_drawn_from_the_registry():
    """All but those that need a file of another program; cams, and meshes without a sample, are in other families."""
    groups = ("joints", "forces", "drivers", "control")
    seen = {group: set() for group in groups}
    meshes = set()
    for seed in range(100):
        m = random_mechanism(seed, "sampled")[1]
        for group in groups:
            seen[group] |= {element.type for element in getattr(m, group).values()}
        meshes |= {mesh.type for mesh in m.meshes.values()}
    for group in groups:
        assert {*family(group)} - seen[group] <= NOT_ALONE
    with_sample = {name for name, cls in family("meshes").items() if cls.sample("spatial") is not None}
    assert meshes == with_sample >= {"chain", "crossed", "cycloid", "pin_coupling", "worm"}


@pytest.mark.slow
def test_elements_of_any_type_run_soundly():
    found = [judge(seed, of="sampled") for seed in range(24)]
    assert [(j.seed, j.words) for j in found if j.verdict != "ran"] == []


@pytest.mark.slow
def test_what_is_given_beside_its_place_can_be_put_together():
    """A small tree was moved so far that joints did not close to a twentieth of its size."""
    assert random_mechanism(10, "tree")[1].check().freedoms_by_rank > 0


@pytest.mark.slow
def test_the_sanitizers_see_every_model_of_teeth_and_what_else_they_say():
    mechanisms = [ww.load(examples.path(name)) for name in sanitize.ENDS]
    flats = [layout_of(m).flat for m in mechanisms]
    teeth = {placed.element.model.type for flat in flats for placed in flat.meshes.values()}
    forces = {placed.element.type for flat in flats for placed in flat.forces.values()}
    assert teeth == {*family("tooth_models")}
    assert {"clutch", "friction", "contact"} <= forces
    assert sum(bool(flat.blocks) for flat in flats) > 1


def test_two_that_are_infinite_are_the_same():
    one, other = np.array([[np.inf, 1.0], [np.inf, 2.0]]), np.array([[np.inf, 1.5], [3.0, 2.0]])
    assert comparing._apart(one, other).tolist() == [0.5, np.inf]
    assert comparing._largest(one) == 2


PENDULUM = """
bodies: {bob: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], angular_velocity: [0, 20, 0]}}
joints: {pin: {type: revolute, bodies: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}}
"""


@pytest.mark.parametrize(
    ("spoilt", "possible", "options", "verdict", "words"),
    [
        (False, True, {}, "ran", ""),
        (False, False, {}, "wrong", "ran though it cannot be put together"),
        (True, False, {}, "refused", "nobody"),
        (True, True, {}, "wrong", "refused though it fits"),
        (False, True, {"method": "rk4", "step": 0.1}, "wrong", "energy balance open"),
        (False, True, {"method": "no such"}, "wrong", "refused though it fits"),
        (False, True, {"nonsense": 1}, "wrong", ""),
    ],
)
def test_judges_find_what_is_wrong(monkeypatch, spoilt, possible, options, verdict, words):
    """A pendulum in place of a random mechanism."""
    m = ww.loads(PENDULUM)
    if spoilt:
        m.add("weld", Fixed(bodies=("bob", "nobody"), point=(0, 0, 0)))
    monkeypatch.setattr(judging, "random_mechanism", lambda seed: ("made up", m, possible))
    found = judge(0, **options)
    assert (found.verdict, words in found.words) == (verdict, True)
