"""Drives that frictions hold give way as statics says; libraries that are spoilt are noticed."""

from dataclasses import replace

import numpy as np
import pytest

from robustness.holding import compare_with_statics
from wheelwork.system.program import Program

SEEDS = range(4)


@pytest.mark.parametrize("seed", SEEDS)
def test_frictions_give_way_as_statics_says(seed):
    assert list(compare_with_statics(seed)) == []


def forget_friction_at_rest(program, found):
    data = found.data.copy()
    for friction in program.frictions:
        if friction.limits < 0:
            data[friction.data + 2] = 1.0
    return {"data": data}


def rub_a_little_more(program, found):
    data = found.data.copy()
    for friction in program.frictions:
        if friction.limits < 0:
            data[friction.data] *= 1.0001
    return {"data": data}


def turn_as_if_heavier(program, found):
    return {"inertia": found.inertia + 1e-3 * np.eye(3)}


@pytest.mark.parametrize("change", [forget_friction_at_rest, rub_a_little_more, turn_as_if_heavier])
def test_what_is_taken_from_elsewhere_than_statics_is_noticed(monkeypatch, change):
    whole = Program.numbers

    def numbers(self, overrides=None):
        found = whole(self, overrides)
        return replace(found, **change(self, found))

    monkeypatch.setattr(Program, "numbers", numbers)
    assert any(list(compare_with_statics(seed)) for seed in SEEDS)
