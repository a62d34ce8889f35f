"""How the teeth of a mesh are modelled: the field `model` of a mesh, as a mapping or by its type alone."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from wheelwork.model.base import Part
from wheelwork.model.union import PART, ByType
from wheelwork.model.validation_errors import TAG


class RigidTeeth(Part):
    """The wheels roll on each other without slip: a constraint.

    Fields: none.
    """

    type: Literal["rigid"] = "rigid"


class ByNameOrType(ByType):
    """Like `ByType`; a model whose settings all have defaults may be given by its name alone."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        union = super().__get_pydantic_core_schema__(source, handler)
        return core_schema.no_info_before_validator_function(
            _spelled_out, union, metadata=union.get("metadata")
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        names = [tag.removeprefix(TAG) for tag in schema["metadata"][PART]]  # type: ignore[typeddict-item]
        return {"anyOf": [{"enum": names}, super().__get_pydantic_json_schema__(schema, handler)]}


def _spelled_out(given: Any) -> Any:
    """`rigid` is short for `{type: rigid}`."""
    return {"type": given} if isinstance(given, str) else given


MeshModel = Annotated[RigidTeeth, ByNameOrType()]
