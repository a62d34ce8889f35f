"""`import wheelwork` is quick because it loads almost nothing; everything public is there all the same."""

import ast
import sys
from importlib import import_module
from pathlib import Path

import pytest
from processes import printed

import wheelwork


def modules_after(code):
    """Modules loaded by a statement in a fresh interpreter, beyond those of the interpreter itself."""
    script = f"import sys; before = set(sys.modules)\n{code}\nprint(*sorted(set(sys.modules) - before))"
    return set(printed("-c", script).split())


def test_importing_loads_only_what_is_listed():
    # The standard library's part depends on the Python version; anything of weight would show up beyond it.
    loaded = {name.partition(".")[0] for name in modules_after("import wheelwork")}
    assert loaded - set(sys.stdlib_module_names) == {"wheelwork"}
    assert "wheelwork.description" not in modules_after("import wheelwork")


@pytest.mark.slow
def test_describing_loads_no_numerics():
    code = "import wheelwork as ww; ww.Mechanism('m').add('b', ww.Body(mass=1, inertia=(1, 1, 1)))"
    loaded = modules_after(code)
    assert "pydantic" in loaded
    heavy = {"casadi", "numpy", "scipy", "xarray", "matplotlib", "ruamel.yaml", "rich", "cyclopts"}
    assert loaded & heavy == set()


@pytest.mark.parametrize("name", wheelwork.__all__)
def test_every_public_name_is_there(name):
    assert getattr(wheelwork, name) is not None
    assert name in dir(wheelwork)


def test_type_checkers_see_the_names_that_there_are():
    """The block for type checkers names every class where it is, and nothing else."""
    tree = ast.parse(Path(wheelwork.__file__).read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        (one.name, node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for one in node.names
    }
    there = set(wheelwork.__all__) - {"__version__"}
    homes = {name: getattr(wheelwork, name).__module__ for name in sorted(there - {name for name, _ in seen})}
    missing = [f"    from {home} import {name}" for name, home in homes.items()]
    assert not missing, "\n".join(["add to the block for type checkers in wheelwork/__init__.py:", *missing])
    assert {name for name, _ in seen} == there
    for name, module in seen:
        assert getattr(import_module(module), name) is getattr(wheelwork, name)


def test_an_unknown_name_gets_the_nearest():
    with pytest.raises(
        AttributeError, match="module 'wheelwork' has no attribute 'Mechansm'; did you mean 'Mechanism'"
    ):
        wheelwork.Mechansm  # noqa: B018


@pytest.mark.slow
def test_star_import():
    assert {"Mechanism", "load"} <= modules_after_names("from wheelwork import *")


def modules_after_names(code):
    """Names that a statement defines in a fresh interpreter."""
    return set(printed("-c", f"{code}\nprint(*dir())").split())
