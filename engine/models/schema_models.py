"""Schema models: a pydantic model of a JSON schema, for models in Python that are given such a class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Union

from pydantic import BaseModel, ConfigDict, Field, create_model

_PLAIN: Mapping[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": type(None),
}


def model_of(schema: Mapping[str, Any], name: str) -> type[BaseModel]:
    """Return a model whose instances satisfy a schema of an object. name: what it is called."""
    required = schema.get("required", ())
    fields: dict[str, Any] = {}
    for place, (key, inner) in enumerate(schema.get("properties", {}).items()):
        # A key may be a number, which no attribute can be called.
        attribute = key if key.isidentifier() and not key.startswith("_") else f"field_{place}"
        kind = _type_of(inner, f"{name}_{attribute}")
        default = ... if key in required else None
        fields[attribute] = (kind if key in required else kind | None, Field(default, alias=key))
    return create_model(name, __config__=ConfigDict(populate_by_name=True), **fields)


def _type_of(schema: Mapping[str, Any], name: str) -> Any:
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    if "anyOf" in schema:
        return Union[tuple(_type_of(one, name) for one in schema["anyOf"])]  # noqa: UP007 - of a list
    kind = schema.get("type")
    if isinstance(kind, list):
        return Union[tuple(_type_of({**schema, "type": one}, name) for one in kind)]  # noqa: UP007 - as above
    if kind == "array":
        return list[_type_of(schema.get("items", {}), name)]  # type: ignore[misc] # made while running
    if kind == "object":
        return model_of(schema, name) if schema.get("properties") else dict[str, Any]
    return _PLAIN.get(str(kind), Any)
