"""The base of every model of a conversation: strict values, and rejections worded for a person."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Self, get_args

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from turnwise.conversations.errors import CaseError
from turnwise.conversations.words import nearest

_EXPECTED = {
    "string_type": "a string",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "dict_type": "an object with named values",
    "model_type": "an object with named values",
    "mapping_type": "an object with named values",
}
PLACED = "placed"
"""The type of a pydantic error whose problems name their places themselves."""


class CaseModel(BaseModel):
    """A model that takes snake_case and camelCase names, refuses unknown ones, and raises CaseError."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", validate_assignment=True
    )

    def __init__(self, /, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise case_error(type(self), error) from None

    # Tells pydantic that this __init__ adds no validation of its own, so that nested models stay fast
    # and an inner rejection keeps its place in the outer one.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        """Like pydantic's, but a rejection is a CaseError."""
        try:
            return super().model_validate(obj, **options)
        except ValidationError as error:
            raise case_error(cls, error) from None

    def __setattr__(self, name: str, value: Any) -> None:
        field = "metadata" if name == "additional_metadata" else name
        try:
            super().__setattr__(field, value)
        except ValidationError as error:
            raise case_error(type(self), error) from None

    def data(self) -> dict[str, Any]:
        """Return the fields that were given, as JSON-ready values in snake_case."""
        return self.model_dump(mode="json", exclude_defaults=True)


def metadata_field() -> Any:
    """Return the field for what is known beside the rest, under each name that test cases have given it."""
    names = AliasChoices("metadata", "additional_metadata", "additionalMetadata")
    return Field(default=None, validation_alias=names)


def case_error(model: type[BaseModel], error: ValidationError) -> CaseError:
    """Word pydantic's rejection for a person: where, what was expected, what was given."""
    refused: dict[str, list[Any]] = {}
    for item in error.errors(include_url=False):
        refused.setdefault(_place(item["loc"]), []).append(item)
    problems = [
        _problem(model, place, items)
        for place, items in refused.items()
        # A value that may be text or an object is refused as each; what is wrong inside it says more.
        if not any(other.startswith(f"{place}.") for other in refused)
    ]
    return CaseError(
        f"This is not a valid {model.__name__}",
        detail=listed(problems),
        next_step="Correct the value named above and try again.",
    )


def listed(problems: Sequence[str]) -> str:
    """Write problems one a line, the first five of them."""
    more = [f"and {len(problems) - 5} more"] if len(problems) > 5 else []
    return "\n".join([*problems[:5], *more])


def _problem(model: type[BaseModel], place: str, items: Sequence[Any]) -> str:
    item = items[0]
    kind = item["type"]
    given = f"got {shorten(item.get('input'))}"
    if kind == PLACED:
        return str(item["ctx"]["problems"])
    if kind == "missing":
        return f"{place}: required, and not given"
    if kind in ("extra_forbidden", "no_such_attribute"):
        name = str(item["loc"][-1])
        near = nearest(name, known_names(_model_at(model, item["loc"])))
        return f"{place}: no such field" + (f"; did you mean {near}?" if near else "")
    if kind == "literal_error":
        return f"{place}: expected {item['ctx']['expected']}; {given}"
    if kind == "value_error":
        return f"{place}: {item['ctx']['error']}"
    expected = list(dict.fromkeys(_EXPECTED[one["type"]] for one in items if one["type"] in _EXPECTED))
    if not expected:
        return f"{place}: {item['msg']}; {given}"
    return f"{place}: expected {' or '.join(expected)}; {given}"


def _place(loc: tuple[Any, ...]) -> str:
    place = ""
    for part in loc:
        if isinstance(part, int):
            place += f"[{part}]"
        elif part.isidentifier() and not _is_branch(part):
            place += f".{part}" if place else part
    return place or "the whole value"


def _is_branch(part: str) -> bool:
    """Whether a part of an error's place names one of the types of a union, and not a field."""
    return part == "str" or part[:1].isupper()


def _model_at(model: type[BaseModel], loc: tuple[Any, ...]) -> type[BaseModel]:
    """Return the model that a place inside another lies in."""
    for part in loc[:-1]:
        fields = model.model_fields
        field = next((fields[name] for name in fields if part in (name, fields[name].alias)), None)
        model = (_model_in(field.annotation) if field else None) or model
    return model


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part))), None)


def known_names(model: type[BaseModel]) -> list[str]:
    """Return the snake_case names of a model's fields."""
    return list(model.model_fields)


def shorten(value: Any, limit: int = 60) -> str:
    """Show a given value in at most `limit` characters, as JSON where it can be."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= limit else text[: limit - 1] + "…"
