"""The bundled examples, each run once for all tests of a process."""

import re
from functools import cache

import wheelwork as ww
from wheelwork import examples


def model(name: str) -> ww.Mechanism:
    """A fresh copy of an example, to be changed at will."""
    return ww.load(examples.path(name))


def saying(pattern: str) -> list[str]:
    """Names of examples with a line that begins like this: their text is read and nothing else, which is quick enough
    for lists of parameters of tests."""
    line = re.compile(f"^ *{pattern}", re.MULTILINE)
    return [name for name in examples.names() if line.search(examples.path(name).read_text(encoding="utf-8"))]


@cache
def result(name: str):
    """What the example's own analysis gives."""
    found = model(name).run()
    assert found.outcome.good, found.report
    return found
