"""Components that come from files."""

from __future__ import annotations

from pathlib import Path

from wheelwork.description.description import Component, Description, ProblemList
from wheelwork.lazy import reading
from wheelwork.problems import ModelError, Problem


def folder_of(description: Description) -> Path:
    """Where relative file names in a description start: its own file's folder, or the working folder."""
    file = description.source_file
    return Path(file).parent if file and Path(file).is_file() else Path()


def description_of(component: Component, parent: Description) -> Description:
    """The mechanism of a component, read from its file the first time it is asked for."""
    if component.model is not None:
        return component.model
    if component._loaded is None:
        component._loaded = reading.load(folder_of(parent) / str(component.file))
    return component._loaded


def component_file_problems(
    error: ModelError, name: str, component: Component, report: ProblemList
) -> list[Problem]:
    """Problems of a component's file; those of the file as a whole are the fault of what names it."""
    file = str(folder_of(report.description) / str(component.file))
    for problem in error.problems:
        if problem.where == file:
            report.add(("components", name, "file"), f"`{component.file}`: {problem.message}", problem.hint)
        else:
            report.problems.append(problem)
    return report.problems
