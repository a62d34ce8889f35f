"""The examples in docstrings run."""

import doctest
import importlib
import pkgutil

import pytest

import wheelwork.description
import wheelwork.mechanism

MODULES = ["wheelwork.mechanism"] + [
    module.name for module in pkgutil.walk_packages(wheelwork.description.__path__, "wheelwork.description.")
]


def examples(name):
    return [test for test in doctest.DocTestFinder().find(importlib.import_module(name)) if test.examples]


@pytest.mark.parametrize(
    "test", [test for name in MODULES for test in examples(name)], ids=lambda test: test.name
)
def test_example(test):
    result = doctest.DocTestRunner().run(test)
    assert result.failed == 0


def test_there_are_examples():
    assert {"wheelwork.description.formula", "wheelwork.mechanism"} <= {
        name for name in MODULES if examples(name)
    }
