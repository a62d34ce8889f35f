"""Choosing between a number, a list and a part by the shape of what is written."""

from __future__ import annotations

from typing import Any, get_args, get_origin

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from wheelwork.description.validation_errors import TAG


class ByShape:
    """Marks a union of a number or text, a list, and a part without `type`, of which what is written shows which one is
    meant: `Annotated[Number | Curve, ByShape()]`. What is wrong is then said of that one alone.
    """

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        choices = {f"{TAG}{_shape(arm)}": handler.generate_schema(arm) for arm in get_args(source)}

        def tag(given: Any) -> str:
            shape = f"{TAG}{_shape(type(given))}"
            return shape if shape in choices else f"{TAG}plain"

        return core_schema.tagged_union_schema(choices, discriminator=tag)


def _shape(arm: Any) -> str:
    """Of a type in an annotation, or of what is given."""
    own = get_origin(arm) or arm
    if own in (tuple, list):
        return "list"
    if own in (int, type(None)):
        return own.__name__
    return "mapping" if own is dict or hasattr(own, "model_fields") else "plain"
