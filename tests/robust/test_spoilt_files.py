"""Spoilt model files are read or refused with words. `./wheelwork-dev robustness` reads 1000 of them; here 100."""

import time
from types import SimpleNamespace

import numpy as np
import pytest

from robustness import fuzz, read_spoilt
from robustness.mutations import MUTATIONS, spoilt_text
from wheelwork.description import ModelError

TEXT = "wheelwork: 1\nbodies:\n  bob: {mass: 1, inertia: [1, 1, 1]}\n"


@pytest.mark.slow
def test_every_spoilt_file_is_read_or_refused():
    texts = fuzz.bundled()
    found = [read_spoilt(seed, texts) for seed in range(60)]
    assert [(j.seed, j.done, j.words) for j in found if j.verdict == "wrong"] == []
    assert {j.verdict for j in found} == {"good", "refused"}
    assert all(j.words for j in found if j.verdict == "refused")


def test_all_kinds_of_damage_are_done():
    done = [spoilt_text(seed, {"a": TEXT}) for seed in range(200)]
    assert {kind for _, kinds, _ in done for kind in kinds.split(", ")} == set(MUTATIONS)
    assert sum(text != TEXT for _, _, text in done) > 180
    assert spoilt_text(7, {"a": TEXT}) == spoilt_text(7, {"a": TEXT})


@pytest.mark.parametrize(
    ("error", "verdict", "words"),
    [
        (ModelError([]), "wrong", "refused without words"),
        (KeyError("x"), "wrong", "KeyError"),
        (RecursionError("deep"), "wrong", "RecursionError"),
    ],
)
def test_what_is_wrong_is_noticed(monkeypatch, error, verdict, words):
    def fail(text):
        raise error

    monkeypatch.setattr(fuzz, "loads", fail)
    found = read_spoilt(0, {"a": TEXT})
    assert (found.verdict, words in found.words) == (verdict, True)


def test_warnings_of_others_are_noticed(monkeypatch):
    """Of NumPy, from the middle of an analysis: they tell a user nothing."""
    monkeypatch.setattr(fuzz, "loads", lambda text: SimpleNamespace(check=lambda: np.array([1e200]) ** 2))
    found = read_spoilt(0, {"a": TEXT})
    assert (found.verdict, found.words) == ("wrong", "RuntimeWarning: overflow encountered in square")


def test_words_that_cannot_be_printed_are_noticed(monkeypatch):
    def fail(text):
        raise ModelError("\ud800")

    monkeypatch.setattr(fuzz, "loads", fail)
    assert read_spoilt(0, {"a": TEXT}).verdict == "wrong"


def test_a_hang_is_noticed(monkeypatch):
    monkeypatch.setattr(fuzz, "loads", lambda text: time.sleep(30))
    monkeypatch.setattr(fuzz, "PATIENCE", 1)
    found = read_spoilt(0, {"a": TEXT})
    assert "not done after 1 s" in found.words


def test_hunger_is_noticed(monkeypatch):
    sizes = iter([100.0, 900.0])
    monkeypatch.setattr(fuzz, "_memory", lambda: next(sizes))
    assert read_spoilt(0, {"a": TEXT}).words == "took 800 MB"
