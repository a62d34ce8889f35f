"""What marks a field that is read in a way of its own: how a value is kept, and what editors are told of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema


def fault(text: str, hint: str = "") -> PydanticCustomError:
    """An error whose text is shown as it is."""
    return PydanticCustomError("fault", "{text}", {"text": text, "hint": hint})


class FieldMark:
    """`read(given)` has what is kept; `json_schema(inner)` the JSON Schema, `inner()` that of the field itself."""

    read: Callable[..., Any]
    json_schema: Callable[..., dict[str, Any]]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return self.json_schema(lambda: handler(schema))


class ShortForm(FieldMark):
    """Marks a field that may be written shorter than it is kept; `read(given, keep)` keeps what it means."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_wrap_validator_function(self.read, handler(source))
