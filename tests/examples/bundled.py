"""The bundled examples, each run once for all tests of a process."""

from functools import cache

import wheelwork as ww
from wheelwork import examples


def model(name: str) -> ww.Mechanism:
    """A fresh copy of an example, to be changed at will."""
    return ww.load(examples.path(name))


@cache
def result(name: str):
    """What the example's own analysis gives."""
    found = model(name).run()
    assert found.outcome.good, found.report
    return found
