"""What all tests share: compiled kernels go into a folder of their own, kept between sessions.

Libraries are named by their content, so a folder that is kept is as good as a fresh one and much faster: each kernel is
compiled once, by whichever worker of pytest-xdist meets it first. Delete `.pytest_cache` to begin anew.
"""

import os
import signal
import sys
from typing import Any

import jsonschema
import pytest


def pytest_configure(config: pytest.Config) -> None:
    keep_bytecode(str(config.rootpath / ".pytest_cache" / "bytecode"))
    # In the environment, so that workers and the programs which tests start find it too.
    os.environ.setdefault("WHEELWORK_CACHE", str(config.rootpath / ".pytest_cache" / "wheelwork"))
    os.environ.setdefault("MPLBACKEND", "Agg")
    # Workers share the cores: threads of a matrix library that wait for each other cost fifty times what they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def keep_bytecode(folder: str) -> None:
    """Where the environment wants no bytecode beside sources, have it elsewhere rather than none.

    Without it every worker and every program that a test starts compiles hundreds of files, and pytest rewrites the
    asserts of all test files: half of the time of collection.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = folder
        sys.dont_write_bytecode = False


@pytest.fixture(autouse=True, scope="session")
def order_better_code():
    """How better code is ordered from the thread that makes it: not done in tests, unless they put this back.

    It takes the thread a seventh of the suite's time, and which code a test runs would depend on the clock.
    """
    from wheelwork.engine.code import _Workshop

    with pytest.MonkeyPatch.context() as patch:
        order = _Workshop.order
        patch.setattr(_Workshop, "order", lambda *_: None)
        yield order


@pytest.fixture(autouse=True)
def signals_as_before():
    """Who listens to Ctrl-C after a test would take it from the tests that follow: one of these ran for ever."""
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    yield
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    """The JSON Schema of model files, which takes most of a second to make."""
    from wheelwork.description.schema import schema

    return schema()


@pytest.fixture(scope="session")
def validator(schema):
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture
def fresh_cache(tmp_path, monkeypatch):
    """An empty cache folder for one test."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("WHEELWORK_CACHE", str(folder))
    return folder


@pytest.fixture
def figures_closed():
    """After a test that draws with pyplot."""
    yield
    from matplotlib import pyplot

    pyplot.close("all")
