"""What stands in for {{ env.NAME }} and {{ name }} in files of AgentV 5; what is missing is told."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import problem
from turnwise.conversations.formats.agentv.interpolation import looked_up, mapped, plain_value
from turnwise.conversations.formats.agentv.written_cases import EvalFileReading
from turnwise.conversations.templates import Templates, json_text

_ENVIRONMENT = re.compile(r"\{\{\s*env\.[\s\S]*?\}\}")
_PLAIN_ENVIRONMENT = re.compile(r"\{\{\s*env\.(\w+)\s*\}\}")
_NAME = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"
_ALONE = re.compile(rf"\s*\{{\{{\s*({_NAME})\s*\}}\}}\s*")
_PLAIN = re.compile(rf"\{{\{{\s*({_NAME})\s*\}}\}}")
_TOLD = ("name", "description")
"""Fields that only tell, where what is missing lacks nobody."""
OF_JUDGES = (
    "input",
    "output",
    "expected_output",
    "criteria",
    "rubric",
    "rubrics",
    "rubrics_json",
    "metadata",
    "metadata_json",
    "file_changes",
    "tool_calls",
)
"""The marks of a judge's prompt, which are filled when it is asked."""


class Filling:
    """Fills the templates of one file. seen: the environment, None where the file may not see it."""

    def __init__(self, reading: EvalFileReading, seen: Mapping[str, str] | None) -> None:
        self._reading = reading
        self._seen = seen
        self._templates = Templates(dict(seen or {}))

    def environment(self, fields: Mapping[str, Any], place: str) -> dict[str, Any]:
        """Return fields with what they take from the environment; a variable that is not there is lost."""

        def filled(text: str) -> Any:
            if "env." not in text or "${{" in text:
                return text
            found = _ENVIRONMENT.sub(lambda match: self._of_environment(match[0], place), text)
            return plain_value(found) if _ENVIRONMENT.fullmatch(text.strip()) else found

        return {key: item if key in _TOLD else mapped(item, filled) for key, item in fields.items()}

    def variables(self, value: Any, variables: Mapping[str, Any], place: str) -> Any:
        """Return a value with variables in it; one alone stays what it is. What is missing is lost.

        Raises FormatError for what is no template.
        """
        return mapped(value, partial(self._filled, known={**variables, "vars": variables}, place=place))

    def once_more(self, value: Any, variables: Mapping[str, Any]) -> Any:
        """Return a value in which variables put others; what stands for nothing here is what they say."""
        known = {**variables, "vars": variables}

        def shown(mark: re.Match[str]) -> str:
            found, item = looked_up(known, mark[1])
            return (item if isinstance(item, str) else json_text(item)) if found else mark[0]

        def filled(text: str) -> Any:
            alone = _ALONE.fullmatch(text)
            found, item = looked_up(known, alone[1]) if alone else (False, None)
            return copy.deepcopy(item) if found else _PLAIN.sub(shown, text)

        return mapped(value, filled)

    def checks(self, checks: Sequence[Any], variables: Mapping[str, Any], place: str) -> list[Any]:
        """Return checks with variables in them; the marks of judges' prompts stay."""
        marks = {name: f"{{{{ {name} }}}}" for name in OF_JUDGES if name not in variables}
        known = {**marks, **variables, "vars": variables}
        filled: list[Any] = mapped(list(checks), partial(self._filled, known=known, place=place))
        return filled

    def _of_environment(self, mark: str, place: str) -> str:
        plain = _PLAIN_ENVIRONMENT.fullmatch(mark)
        if plain is not None and plain[1] not in (self._seen or {}):
            why = "is not set" if self._seen is not None else "of the environment is seen with --trust alone"
            self._reading.lose(place, f"{mark}: the variable {plain[1]} {why}")
            return "" if self._reading.compat else mark
        return self._fill(mark, {}, place)

    def _filled(self, text: str, known: Mapping[str, Any], place: str) -> Any:
        if alone := _ALONE.fullmatch(text):
            found, value = looked_up(known, alone[1])
            if found:
                return copy.deepcopy(value)
        named = (name for name in _PLAIN.findall(text) if not name.startswith("env."))
        missing = [name for name in dict.fromkeys(named) if not looked_up(known, name)[0]]
        for name in missing:
            self._reading.lose(place, f"nothing stands for {{{{ {name} }}}}")
        if missing and not self._reading.compat:
            return text
        filled = self._fill(text, known, place)
        self._reading.files.texts.count(len(filled), place)
        return filled

    def _fill(self, text: str, known: Mapping[str, Any], place: str) -> str:
        try:
            return self._templates.fill(text, known)
        except FormatError as error:
            raise problem(place, error.detail or error.title, error.next_step) from None


def plain_object(value: Any) -> dict[str, Any]:
    """Return a value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}
