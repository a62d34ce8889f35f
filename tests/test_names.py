"""Classes that differ have names that differ."""

import ast
from collections import defaultdict
from pathlib import Path

import wheelwork


def names_of_two(folder: Path) -> dict[str, list[str]]:
    """Names of classes that stand in more than one file, and the files; those inside other classes do not count.
    `_Place` is the same name as `Place`.
    """
    found = defaultdict(list)
    for file in sorted(folder.rglob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef):
                found[node.name.lstrip("_")].append(str(file.relative_to(folder)))
    return {name: files for name, files in found.items() if len(files) > 1}


def test_a_name_stands_for_one_class():
    assert names_of_two(Path(wheelwork.__file__).parent) == {}


def test_it_can_fail(tmp_path):
    for name, one in (("a", "Scene"), ("b", "_Scene")):
        (tmp_path / f"{name}.py").write_text(f"class {one}:\n    class Equations: ...\n")
    assert names_of_two(tmp_path) == {"Scene": ["a.py", "b.py"]}
