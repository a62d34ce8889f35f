"""Which room of the house imports which: read from the source, for `tests/test_direction.py` and the picture in
`docs/develop/architecture.md`. The order of the rooms is the list at the top of that page, here and in the test.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
PAGE = ROOT / "docs" / "develop" / "architecture.md"
HOUSE = "wheelwork"

AT_ONCE, TYPES, IN_FUNCTION, LATE = "when loaded", "for types", "in a function", "late"
BY_NAME = {"import_module", "__import__", "find_loader", "exec_module", "run_module", "run_path", "_Lazy"}
"""Calls that import a module whose name is a text, here or in `wheelwork.lazy`."""


@dataclass(frozen=True)
class Import:
    """One module imported by another.

    when: `AT_ONCE`, `TYPES` (under TYPE_CHECKING), `IN_FUNCTION`, or `LATE` (through `wheelwork.lazy`)
    """

    file: Path
    line: int
    importer: str
    imported: str
    when: str

    @property
    def rooms(self) -> tuple[str, str]:
        return room(self.importer), room(self.imported)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.importer} imports {self.imported} {self.when}"


def room(module: str) -> str:
    """`wheelwork.show.scene.belts` is in `show`; `wheelwork` itself is the front door."""
    first, _, rest = module.partition(".")
    return rest.partition(".")[0] or first


def order(page: Path = PAGE) -> list[str]:
    """The rooms, each of which imports only from those before it."""
    listed = page.read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    return [line.split()[0] for line in listed.splitlines() if line[:1].strip()]


@cache
def all_imports(source: Path = SOURCE) -> tuple[Import, ...]:
    """Every import in the house, those of other packages too."""
    files = {module_name(file, source): file for file in sorted((source / HOUSE).rglob("*.py"))}
    late = _late_names(files.get(f"{HOUSE}.lazy"))
    return tuple(one for name, file in files.items() for one in _Reader(name, file, set(files), late).found())


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def module_name(file: Path, source: Path) -> str:
    parts = file.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _late_names(file: Path | None) -> dict[str, str]:
    """Names in `wheelwork.lazy`, and the modules that they stand for."""
    out: dict[str, str] = {}
    for node in ast.walk(parsed(file)) if file else ():
        if isinstance(node, ast.Assign):
            names = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else node.targets
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            for name, value in zip(names, values, strict=False):
                if isinstance(value, ast.Call) and ast.unparse(value.func) == "_Lazy":
                    out[ast.unparse(name)] = ast.literal_eval(value.args[0])
    return out


class _Reader:
    """The imports of one file."""

    def __init__(self, name: str, file: Path, modules: set[str], late: dict[str, str]):
        self.name, self.file, self.modules, self.late = name, file, modules, late
        self.package = name if file.name == "__init__.py" else name.rpartition(".")[0]

    def found(self) -> Iterator[Import]:
        yield from self._in(parsed(self.file), AT_ONCE)

    def _in(self, node: ast.AST, when: str) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import | ast.ImportFrom):
                for module, this in self._targets(child, when):
                    yield Import(self.file, child.lineno, self.name, module, this)
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from self._in(child, IN_FUNCTION)
            elif isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING" and when == AT_ONCE:
                yield from self._in(ast.Module(child.body, []), TYPES)
                yield from self._in(ast.Module(child.orelse, []), when)
            elif isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                yield from self._in(child, when)

    def _targets(self, node: ast.Import | ast.ImportFrom, when: str) -> Iterator[tuple[str, str]]:
        if isinstance(node, ast.Import):
            yield from ((alias.name, when) for alias in node.names)
            return
        parents = self.package.split(".")
        base = parents[: len(parents) - node.level + 1] if node.level else []
        module = ".".join([*base, *filter(None, [node.module])])
        for name in dict.fromkeys(alias.name for alias in node.names):
            if module == f"{HOUSE}.lazy" and name in self.late:
                yield self.late[name], LATE if when == AT_ONCE else when
            elif f"{module}.{name}" in self.modules:
                yield f"{module}.{name}", when
            elif (module, name) != (HOUSE, "__version__"):  # which is there before any room
                yield module, when


def by_name(source: Path = SOURCE) -> dict[str, list[str]]:
    """Modules that import others by a name at run time, which nothing here can follow, and the lines where they do."""
    out: dict[str, list[str]] = {}
    for file in sorted((source / HOUSE).rglob("*.py")):
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in BY_NAME:
                out.setdefault(module_name(file, source), []).append(f"{file}:{node.lineno}")
    return out


def own(imports: tuple[Import, ...]) -> list[Import]:
    """Those between modules of the house."""
    return [one for one in imports if one.imported.partition(".")[0] == HOUSE]


def picture() -> str:
    """The rooms from the bottom to the top as SVG; an arc for each pair of which one imports the other, the wider the
    more. All arcs to the right go down; one on the left goes up, late (see `ROADS_UP` in the test)."""
    names = order()
    place = {name: k for k, name in enumerate(names)}
    counts = Counter((one.rooms, one.when == LATE) for one in own(all_imports()) if one.when != TYPES)
    step, left, width = 34, 250, 130
    height = step * len(names) + 10
    at = {name: height - 22 - step * k for name, k in place.items()}
    arcs = []
    for ((above, below), late), count in sorted(counts.items()):
        if above == below or above not in place or below not in place:
            continue
        y1, y2 = at[above], at[below]
        up = place[below] > place[above]
        x, bend = (left, -1) if up else (left + width, 1)
        reach = x + bend * (18 + 0.42 * abs(y2 - y1))
        style = 'stroke="#b5651d" stroke-dasharray="4 3"' if up else 'stroke="#4a6fa5"'
        arcs.append(
            f'<path d="M{x} {y1 + 3} C{reach:.0f} {y1 + 3} {reach:.0f} {y2 - 3} {x} {y2 - 3}" fill="none" {style} '
            f'stroke-width="{min(0.6 + 0.35 * count**0.5, 4):.1f}" opacity="0.6"><title>{above} imports {below}, '
            f"{count} times{', late' if late else ''}</title></path>"
        )
    rooms = [
        f'<rect x="{left}" y="{y - 12}" width="{width}" height="24" rx="4" fill="#eef2f7" stroke="#4a6fa5"/>'
        f'<text x="{left + width / 2}" y="{y + 5}" text-anchor="middle">{name}</text>'
        for name, y in at.items()
    ]
    style = 'font-family="sans-serif" font-size="13" style="background:#fff"'
    size = f'viewBox="0 0 {2 * left + width + 60} {height}" width="{2 * left + width + 60}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>', *arcs, *rooms, "</svg>"])


if __name__ == "__main__":
    print(picture())
