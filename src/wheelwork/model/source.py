"""Where the parts of a description stand in its file."""

from __future__ import annotations

from dataclasses import dataclass, field

from wheelwork.model.validation_errors import Path

Position = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Source:
    """A file's text and the line and column of each key and value in it."""

    file: str
    text: str
    values: dict[Path, Position] = field(default_factory=dict)
    keys: dict[Path, Position] = field(default_factory=dict)
    prefix: Path = ()

    def where(self, path: Path, key: bool = False) -> str:
        """`file:line:column` of a path, or of the nearest thing around it that is written in the file."""
        full = (*self.prefix, *path)
        while full:
            position = (self.keys if key else self.values).get(full) or self.values.get(full)
            if position:
                return f"{self.file}:{position[0]}:{position[1]}"
            full, key = full[:-1], True
        return self.file
