"""The examples in docstrings run."""

import doctest
import importlib
import pkgutil

import pytest

import wheelwork.description
import wheelwork.gears

PACKAGES = (wheelwork.description, wheelwork.gears)
MODULES = ["wheelwork.mechanism"] + [
    module.name for one in PACKAGES for module in pkgutil.walk_packages(one.__path__, f"{one.__name__}.")
]
EXAMPLES = [
    test
    for name in MODULES
    for test in doctest.DocTestFinder().find(importlib.import_module(name))
    if test.examples
]


@pytest.mark.parametrize("test", EXAMPLES, ids=lambda test: test.name)
def test_example(test):
    assert doctest.DocTestRunner().run(test).failed == 0


def test_there_are_examples():
    names = " ".join(test.name for test in EXAMPLES)
    assert all(
        name in names for name in ("wheelwork.description.formula", "wheelwork.mechanism", "wheelwork.gears")
    )
