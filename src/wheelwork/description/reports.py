"""Collecting problems of one mechanism."""

from __future__ import annotations

from wheelwork.description.description import Description
from wheelwork.description.validation_errors import Path, path_text
from wheelwork.problems import Problem


class ProblemList:
    """Problems of a description, each with the place it has in the file."""

    def __init__(self, description: Description) -> None:
        self.description = description
        self.problems: list[Problem] = []

    def add(self, path: Path, message: str, hint: str = "", at_key: bool = False) -> None:
        """Note a problem at a path of the description."""
        source = self.description._source
        prefix = source.prefix if source is not None else ()
        where = self.description.where(path, at_key)
        self.problems.append(Problem(message, where, path_text((*prefix, *path)), hint))
