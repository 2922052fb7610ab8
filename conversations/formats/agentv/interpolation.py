"""What stands in for ${{ VAR }} of the environment and {{ name }} of a test's own variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from turnwise.conversations.templates import json_text

_ENVIRONMENT = re.compile(r"\$\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")
_VARIABLE = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_.]*)\s*\}\}")
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,300})(?:\.\d{1,300})?")


def with_environment(value: Any, environment: Mapping[str, str], missing: Callable[[str], str]) -> Any:
    """Return a value with ${{ VAR }} filled; alone it becomes a number, true or false where it reads so.

    missing: told the name of each variable that is not there, and gives what stands in its place.
    """

    def filled(text: str) -> Any:
        def found(match: re.Match[str]) -> str:
            name = match[1]
            return environment[name] if name in environment else missing(name)

        alone = _ENVIRONMENT.fullmatch(text)
        return plain_value(found(alone)) if alone else _ENVIRONMENT.sub(found, text)

    return mapped(value, filled)


def with_variables(value: Any, variables: Mapping[str, Any], count: Callable[[int], None]) -> Any:
    """Return a value with {{ name }} and {{ name.member }} filled; what has no such variable stays.

    count: told the characters of each text that is put in; it may refuse.
    """

    def shown(match: re.Match[str]) -> str:
        found, value = looked_up(variables, match[1])
        text = (value if isinstance(value, str) else json_text(value)) if found else match[0]
        count(len(text))
        return text

    def filled(text: str) -> Any:
        if alone := _VARIABLE.fullmatch(text):
            found, value = looked_up(variables, alone[1])
            count(len(json_text(value)))
            return value if found else text
        return _VARIABLE.sub(shown, text)

    return mapped(value, filled)


def mapped(value: Any, change: Callable[[str], Any]) -> Any:
    """Return a value with every text in it changed that may hold a template."""
    if isinstance(value, str):
        return change(value) if "{{" in value else value
    if isinstance(value, list):
        return [mapped(item, change) for item in value]
    if isinstance(value, dict):
        return {key: mapped(item, change) for key, item in value.items()}
    return value


def looked_up(variables: Mapping[str, Any], name: str) -> tuple[bool, Any]:
    """Return whether there is a variable, or a member of one as in a.b, and what it is."""
    value: Any = variables
    for step in name.split("."):
        if not isinstance(value, Mapping) or step not in value:
            return False, None
        value = value[step]
    return True, value


def plain_value(text: str) -> Any:
    """Return the number, true or false that a text reads as, else the text."""
    if text in ("true", "false"):
        return text == "true"
    if _PLAIN_NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return text
