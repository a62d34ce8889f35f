"""Random mechanisms run soundly or are refused rightly. `./wheelwork-dev robustness` runs 500 of them; here are 50."""

import pytest

import wheelwork as ww
from robustness import FAMILIES, judge, judging, random_mechanism
from wheelwork.description import Fixed, ModelError, dumps

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
