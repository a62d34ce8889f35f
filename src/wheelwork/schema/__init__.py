"""The published JSON Schema of a mechanism file, `mechanism.schema.json`; `wheelwork.model.schema` makes it."""
