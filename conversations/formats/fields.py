"""The fields of a record, under the names that our models have for them, and what is left over."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.alias_generators import to_camel

_METADATA = ("metadata", "additional_metadata")


def known_fields(model: type[BaseModel], record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record's values that are set, by field name; those of no field become metadata.

    Names may be in snake_case or camelCase. Null is like absent, but for fields that a model cannot do
    without, where it must be noticed.
    """
    names = _names(model)
    fields: dict[str, Any] = {}
    others: dict[str, Any] = {}
    stated: list[Any] = []
    for name, item in record.items():
        field = names.get(name)
        if field in _METADATA:
            stated += [item] if item is not None else []
        elif item is None and (field is None or not model.model_fields[field].is_required()):
            continue
        elif field is None or field in fields:
            others[name] = item
        else:
            fields[field] = item
    if stated and not all(isinstance(item, dict) for item in stated):
        # Left for the model to refuse, so that the message is its own.
        return {**fields, "metadata": next(item for item in stated if not isinstance(item, dict))}
    for item in stated:
        others = merged_metadata(others, item)
    return {**fields, "metadata": others} if others or stated else fields


def merged_metadata(others: dict[str, Any], stated: dict[str, Any]) -> dict[str, Any]:
    """Join what a record holds beside its fields with the metadata it states; nothing gives way silently."""
    return {**others, "metadata": stated} if others.keys() & stated.keys() else {**stated, **others}


@cache
def _names(model: type[BaseModel]) -> dict[str, str]:
    fields = [*model.model_fields, "additional_metadata"]
    if "input_parameters" in fields:
        fields.append("input")
    aliases = {"input": "input_parameters"} if "input_parameters" in fields else {}
    return {name: aliases.get(field, field) for field in fields for name in (field, to_camel(field))}
