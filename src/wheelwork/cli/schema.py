"""`wheelwork schema`"""

from __future__ import annotations

from wheelwork.description.schema import schema_text


def schema() -> int:
    """Print the JSON Schema of model files, for editors that complete and check YAML."""
    print(schema_text().rstrip("\n"))
    return 0
