"""Imports go one way: a room imports only from those listed before it in docs/develop/architecture.md."""

import sys
from pathlib import Path

import pytest

EXT = Path(__file__).parents[1] / "docs" / "ext"
if not EXT.is_dir():
    pytest.skip("no documentation beside the tests", allow_module_level=True)
sys.path.insert(0, str(EXT))
import rooms  # noqa: E402

sys.path.remove(str(EXT))

ROADS_UP = {
    "wheelwork.show.figures": "methods `plot` of results, trains and vibrations",
    "wheelwork.show.player": "methods `view` and `save_film` of results",
    "wheelwork.exchange.fmu.read": "runs of a mechanism with FMUs of other programs in it",
    "wheelwork.analyses.prepare": "equations of a result that was read from a file",
}
"""The only modules that a room below may reach, through `wheelwork.lazy` alone, and what for."""

IN_FUNCTIONS = {
    "cli": 1,  # `main` loads the verbs' table, whose files take the exit codes from beside it
    "engine": 1,  # CuPy, which is there on machines with a GPU alone
    "studies": 1,  # SciPy's statistics, which only random draws need
    "show": 2,  # reports of vibrations and studies are made of parts of that of a run, which chooses between them
    "wheelwork": 2,  # `import wheelwork` loads nothing
}
"""How many imports there may be inside functions, by room: not more, and fewer where it can be."""

BY_NAME = {
    "wheelwork": "the public names, and what is found in rooms, when asked for",
    "wheelwork.description.registry": "elements and analyses from their folders and from installed packages",
    "wheelwork.lazy": "what is listed there, which the other tests follow",
    "wheelwork.validation.runner": "the cases beside it",
}
"""The only modules that import by a name that is a text, which the other tests cannot follow, and what they load."""


def against_the_order(imports, order):
    """What looks upward, but for the roads that are listed."""
    place = {name: k for k, name in enumerate(order)}
    wrong = []
    for one in rooms.own(imports):
        here, there = one.rooms
        if here == "lazy" or (one.when == rooms.LATE and one.imported in ROADS_UP):
            continue
        if place[there] > place[here]:
            wrong.append(f"{one}, but {there} stands above {here}")
    return wrong


def in_functions(imports, allowed):
    found = {}
    for one in imports:
        if one.when == rooms.IN_FUNCTION:
            found.setdefault(one.rooms[0], {})[one.importer, one.line] = str(one)
    return [
        line for name, some in found.items() if len(some) > allowed.get(name, 0) for line in some.values()
    ]


def circles(imports):
    """Modules that wait for each other while they are loaded, as paths that end where they begin."""
    needs = {}
    for one in rooms.own(imports):
        if one.when == rooms.AT_ONCE and one.imported != one.importer:
            needs.setdefault(one.importer, {}).setdefault(one.imported, one)
    done, found = set(), []

    def visit(name, path):
        if name in path:
            found.append(" -> ".join([*path[path.index(name) :], name]))
        elif name not in done:
            for other in needs.get(name, ()):
                visit(other, [*path, name])
            done.add(name)

    for name in needs:
        visit(name, [])
    return found


@pytest.mark.slow
def test_every_room_is_in_the_list():
    assert {room for one in rooms.own(rooms.all_imports()) for room in one.rooms} <= set(rooms.order())


def test_rooms_import_only_from_those_before_them():
    wrong = against_the_order(rooms.all_imports(), rooms.order())
    assert not wrong, "\n".join(wrong)


def test_roads_up_are_used():
    late = {one.imported for one in rooms.all_imports() if one.when == rooms.LATE}
    assert late >= set(ROADS_UP)


def test_imports_stand_at_the_top():
    wrong = in_functions(rooms.all_imports(), IN_FUNCTIONS)
    why = "import at the top; what takes long to load, from wheelwork.lazy"
    assert not wrong, "\n".join([*wrong, why])


@pytest.mark.slow
def test_nothing_else_imports_by_a_name():
    found = rooms.by_name()
    assert found.keys() == BY_NAME.keys(), [found[name] for name in found.keys() - BY_NAME.keys()]


def test_modules_load_in_some_order():
    found = circles(rooms.all_imports())
    assert not found, "\n".join(found)


@pytest.fixture
def house(tmp_path):
    """A house of two rooms in which everything is wrong."""
    files = {
        "__init__": "",
        "lazy": 'plots = _Lazy("wheelwork.high.plots")',
        "low/__init__": "",
        "low/a": "from .b import x\ndef f():\n    from wheelwork.high import top\n",
        "low/b": "if TYPE_CHECKING:\n    from ..high.top import T\nfrom . import a\n",
        "low/c": "import importlib as i\nt = lambda: i.import_module('wheelwork.high.top')\n"
        "from wheelwork.lazy import plots\ntry:\n    import numpy\nexcept ImportError:\n    import json\n",
        "high/__init__": "",
        "high/top": "class C:\n    def m(self):\n        import scipy\n        from wheelwork.low.a import f\n",
        "high/plots": "",
    }
    for name, text in files.items():
        file = tmp_path / "wheelwork" / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return rooms.all_imports(tmp_path)


def test_it_can_fail(house, tmp_path):
    low = tmp_path / "wheelwork" / "low"
    assert against_the_order(house, ["wheelwork", "lazy", "low", "high"]) == [
        f"{low}/a.py:3: wheelwork.low.a imports wheelwork.high.top in a function, but high stands above low",
        f"{low}/b.py:2: wheelwork.low.b imports wheelwork.high.top for types, but high stands above low",
        f"{low}/c.py:3: wheelwork.low.c imports wheelwork.high.plots late, but high stands above low",
    ]
    assert [line.rpartition("/")[2].partition(" ")[0] for line in in_functions(house, {})] == [
        "top.py:3:",
        "top.py:4:",
        "a.py:3:",
    ]
    assert in_functions(house, {"high": 2, "low": 1}) == []
    assert rooms.by_name(tmp_path) == {
        "wheelwork.lazy": [f"{tmp_path}/wheelwork/lazy.py:1"],
        "wheelwork.low.c": [f"{low}/c.py:2"],
    }
    assert circles(house) == ["wheelwork.low.a -> wheelwork.low.b -> wheelwork.low.a"]
