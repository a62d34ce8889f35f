"""Paths of errors are those that a user wrote: classes, fields and entries, and nothing of what reads them."""

import re

import pytest

import wheelwork as ww
from wheelwork.description.registry import all_parts, public_names

WRONG = ("#", [1, 2, 3, 4, 5, 6, 7], [], {"zzz": 1}, [{"zzz": 1}], [["#"]], True, object())
PART = re.compile(r"[A-Za-z_]\w*(\[\d+\])*")

public_names()  # loads all elements
CLASSES = {cls.__name__: cls for cls in all_parts() if not cls.__subclasses__()}
KEPT = {*CLASSES, "Formula"}


@pytest.mark.parametrize("name", CLASSES)
def test_no_path_shows_what_reads_it(name):
    cls = CLASSES[name]
    for field in cls.model_fields:
        for wrong in WRONG:
            try:
                cls(**{field: wrong})
            except ww.ModelError as error:
                for problem in error.problems:
                    parts = problem.path.split(".")
                    assert all(PART.fullmatch(part) for part in (name, *parts[1:])), problem.path
                    named = {part.split("[")[0] for part in parts[1:]}
                    assert not named & {"str", "int", "float", "bool", *KEPT}, problem.path
