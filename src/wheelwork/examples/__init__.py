"""Models that come with Wheelwork, each a YAML file in this folder."""

from __future__ import annotations

from pathlib import Path

from wheelwork.problems import did_you_mean, listed

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Names of the bundled models, such as `pendulum`."""
    return sorted(file.stem for file in _FOLDER.glob("*.yaml"))


def path(name: str) -> Path:
    """The file of a bundled model.

    >>> path("pendulum").name
    'pendulum.yaml'
    """
    file = _FOLDER / f"{name}.yaml"
    if not file.is_file():
        hint = did_you_mean(name, names()) or f"there are {listed(names())}"
        raise FileNotFoundError(f"there is no bundled example `{name}`; {hint}")
    return file
