"""`wheelwork schema`"""

from __future__ import annotations


def schema() -> int:
    """Print the JSON Schema of model files, for editors that complete and check YAML."""
    from importlib.resources import files

    print((files("wheelwork.schema") / "mechanism.schema.json").read_text(encoding="utf-8").rstrip("\n"))
    return 0
