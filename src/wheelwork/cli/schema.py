"""`wheelwork schema`"""

from __future__ import annotations


def schema() -> int:
    """Print the JSON Schema of model files, for editors that complete and check YAML."""
    from wheelwork.description.schema import schema_text

    print(schema_text().rstrip("\n"))
    return 0
