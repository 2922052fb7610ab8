"""Fields of a record, under our models' names for them; numbers and passages as files hold them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, TypeGuard

from pydantic import BaseModel
from pydantic.alias_generators import to_camel, to_snake

from turnwise.conversations.words import A_SLIP, nearest, one_slip_apart

_METADATA = ("metadata", "additional_metadata")
_LARGEST = 2**53
LATEST = 2e11
"""Seconds since 1970 that are still a date: up to the year 8307."""
_SOURCE = "deepeval_source="
_CONTEXT = ",deepeval_context="


def known_fields(model: type[BaseModel], record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record's values that are set, by field name; those of no field become metadata.

    Names may be in snake_case or camelCase. Null counts as absent, except in a field that the model requires:
    there it stays, so that it is reported.
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
    """Join unknown fields with the stated metadata; where names clash, these stay below `metadata`."""
    return {**others, "metadata": stated} if others.keys() & stated.keys() else {**stated, **others}


def misspelt_fields(record: Mapping[str, Any], known: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the fields of a record that are set and unknown, each with the known one that it is like."""
    for name, item in record.items():
        if name not in known and item is not None and (near := _meant(name, known)) is not None:
            yield name, near


def check_spelling(
    record: Mapping[str, Any], known: frozenset[str], needed: frozenset[str], place: str = ""
) -> None:
    """Raise ValueError where what a record needs, and has not, stands under a misspelt name in it."""
    for name, near in misspelt_fields(record, known):
        if near in needed and near not in record and _is_slip(name, near):
            raise ValueError(f"{place}{name}: no such field, so that it would be lost; did you mean {near}?")


def _is_slip(name: str, known: str) -> bool:
    """Whether a name is another one with a slip of the hand, or with one in each of its words.

    Names that are only alike say something else: `response_id` is no `response`, and `about` no `bot`. A
    record that has one is not to be refused for it.
    """
    words, known_words = _words(name), _words(known)
    return one_slip_apart(name, known) or (
        len(words) == len(known_words)
        and all(
            word == other or one_slip_apart(word, other)
            for word, other in zip(words, known_words, strict=True)
        )
    )


def _words(name: str) -> list[str]:
    return [word for word in to_snake(name).split("_") if word]


@lru_cache(maxsize=4096)
def _meant(name: str, known: frozenset[str]) -> str | None:
    # The same names come in every record of a file.
    return nearest(name, sorted(known), alike=A_SLIP)


@cache
def field_names(model: type[BaseModel]) -> frozenset[str]:
    """Return all names that known_fields takes for a field of a model."""
    return frozenset(_names(model))


@cache
def _names(model: type[BaseModel]) -> dict[str, str]:
    fields = [*model.model_fields, "additional_metadata"]
    if "input_parameters" in fields:
        fields.append("input")
    aliases = {"input": "input_parameters"} if "input_parameters" in fields else {}
    return {name: aliases.get(field, field) for field in fields for name in (field, to_camel(field))}


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a number that a database and other programs take as it is."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST


def number_of(value: Any) -> Any:
    """Return a number that is written as text as the number; anything else as it stands."""
    if not isinstance(value, str):
        return value
    try:
        number = float(value)
    except ValueError:
        return value
    if not math.isfinite(number):
        return value
    return int(number) if number.is_integer() else number


def read_passages(passages: list[Any]) -> list[Any]:
    """Return the passages; one that names its source in deepeval's way becomes {source, context}."""
    return [_read(passage) for passage in passages]


def _read(passage: Any) -> Any:
    if not isinstance(passage, str) or not passage.startswith(_SOURCE):
        return passage
    name, mark, text = passage.removeprefix(_SOURCE).partition(_CONTEXT)
    return {"source": name, "context": text} if mark else passage
