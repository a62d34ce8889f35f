"""A choice of parts that may be written short: by its type alone, or by one number."""

from __future__ import annotations

from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from wheelwork.description.base import Part
from wheelwork.description.union import PART, ByType
from wheelwork.lazy import dataclass


@dataclass(frozen=True)
class ByNameOrType(ByType):
    """Like `ByType`; a part whose settings all have defaults may be given by its name alone.

    bare: type meant by a number, a quantity or a formula, which is its field `value`
    """

    bare: str | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        union = super().__get_pydantic_core_schema__(source, handler)

        def spelled_out(given: Any) -> Any:
            """`rigid` is short for `{type: rigid}`, and `1e8 N/m` for `{type: constant, value: 1e8 N/m}`."""
            if isinstance(given, dict | Part) or given is None:
                return given
            if self.bare is None or self.chosen(given, source) is not None:
                return {"type": given} if isinstance(given, str) else given
            return {"type": self.bare, "value": given}

        return core_schema.no_info_before_validator_function(
            spelled_out, union, metadata=union.get("metadata")
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        forms: list[dict[str, Any]] = [{"enum": list(schema["metadata"][PART]())}]  # type: ignore[typeddict-item]
        if self.bare is not None:
            forms += [{"type": "number"}, {"type": "string", "minLength": 1}]
        return {"anyOf": [*forms, super().__get_pydantic_json_schema__(schema, handler)]}
