"""The published JSON Schema of a mechanism file, `mechanism.schema.json`; `wheelwork.description.schema` makes it."""
