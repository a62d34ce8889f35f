"""The examples in docstrings run."""

import doctest
import importlib
import pkgutil

import pytest

import wheelwork.gears

MODULES = [module.name for module in pkgutil.walk_packages(wheelwork.gears.__path__, "wheelwork.gears.")]
EXAMPLES = [
    test
    for name in MODULES
    for test in doctest.DocTestFinder().find(importlib.import_module(name))
    if test.examples
]


@pytest.mark.parametrize("test", EXAMPLES, ids=lambda test: test.name)
def test_example(test):
    assert doctest.DocTestRunner().run(test).failed == 0
