"""Checks from a test's assertions: their values filled, files in them read, sets kept as sets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import (
    SCHEME,
    Folder,
    decode_json,
    is_code,
    load_yaml,
    located,
    problem,
    read_text,
)
from turnwise.conversations.numbers import is_finite
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import Templates, json_text

_FIELDS = frozenset(("type", "value", "threshold", "weight", "metric", "config", "assert"))
_DEEPEST_SETS = 20


@dataclass(slots=True)
class CheckReader:
    """Makes checks; keeps the files that assertions name. folder: where those start."""

    templates: Templates
    folder: Folder
    _files: dict[str, Any] = field(default_factory=dict)

    def check(self, assertion: Any, variables: Mapping[str, Any], place: str, depth: int = 0) -> Check:
        """Return the check that an assertion asks for, its value filled with the variables.

        Raises FormatError that names the place and the field.
        """
        if not isinstance(assertion, dict) or not isinstance(assertion.get("type"), str):
            raise problem(place, "type: expected the name of a check; got none", "Name what is checked.")
        kind: str = assertion["type"]
        value = assertion.get("value")
        filled = self._filled(value, variables, f"{place}, value")
        if isinstance(value, dict) and "trajectory:" in kind:
            filled = self._text_in(value, variables, f"{place}, value")
        metric = assertion.get("metric")
        named = _metric(metric, self.templates, variables) if isinstance(metric, str) and metric else None
        options = {name: item for name, item in assertion.items() if name not in _FIELDS}
        if "rubricPrompt" in options:
            options["rubricPrompt"] = self.rubric_prompt(options["rubricPrompt"], place)
        config = assertion.get("config")
        return Check(
            type=kind.removeprefix("not-"),
            negate=kind.startswith("not-"),
            value=filled,
            threshold=_number(assertion, "threshold", place),
            weight=_weight(assertion, place),
            metric=named,
            config=config if isinstance(config, dict) else {},
            options=options,
            children=self._children(assertion.get("assert"), variables, place, depth),
            written=value if filled != value else None,
            written_metric=metric if named is not None and named != metric else None,
            is_null=value is None and "value" in assertion,
        )

    def rubric_prompt(self, prompt: Any, place: str) -> Any:
        """Return a prompt for judges, which may lie in a file; one made by code stays a name."""
        if not isinstance(prompt, str) or not _names_data(prompt):
            return prompt
        here = f"{place}, rubricPrompt"
        path = self.folder.file(prompt, here)
        text = read_text(path, here).strip()
        if path.suffix in (".yaml", ".yml"):
            # A template may be no YAML before it is filled; then it is one text.
            with suppress(ValueError):
                content = load_yaml(text)
                return content if isinstance(content, str) else json_text(content)
        return text

    def _children(
        self, assertions: Any, variables: Mapping[str, Any], place: str, depth: int
    ) -> tuple[Check, ...]:
        if not isinstance(assertions, list):
            return ()
        if depth > _DEEPEST_SETS:
            raise problem(place, "expected sets at most 20 deep", "")
        return tuple(
            self.check(one, variables, f"{place}.{number}", depth + 1)
            for number, one in enumerate(assertions, start=1)
        )

    def _filled(self, value: Any, variables: Mapping[str, Any], place: str) -> Any:
        if isinstance(value, str):
            if _names_data(value):
                return self._content(value, place)
            return self._text(value, variables, place)
        if isinstance(value, list):
            return [self._filled(item, variables, place) if isinstance(item, str) else item for item in value]
        return value

    def _text(self, template: Any, variables: Mapping[str, Any], place: str) -> str:
        try:
            return self.templates.fill(template, variables)
        except FormatError as error:
            raise located(error, place) from None

    def _text_in(self, value: Any, variables: Mapping[str, Any], place: str) -> Any:
        try:
            return self.templates.fill_in(value, variables)
        except FormatError as error:
            raise located(error, place) from None

    def _content(self, name: str, place: str) -> Any:
        if name not in self._files:
            path = self.folder.file(name, place)
            text = read_text(path, place)
            try:
                if path.suffix == ".json":
                    self._files[name] = decode_json(text)
                elif path.suffix in (".yaml", ".yml"):
                    self._files[name] = load_yaml(text)
                else:
                    self._files[name] = text.strip()
            except ValueError as error:
                raise problem(place, f"{path.name}: {error}", "") from None
        return self._files[name]


def texts_of(assertion: Any) -> Iterator[str]:
    """Yield the texts of an assertion, and of those in its set, in which variables may stand."""
    if not isinstance(assertion, dict):
        return
    value = assertion.get("value")
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and not text.startswith(SCHEME):
            yield text
    for child in _listed(assertion.get("assert")):
        yield from texts_of(child)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def written_assertion(check: Check) -> dict[str, Any]:
    """Return a check as a configuration has it."""
    written: dict[str, Any] = {"type": f"not-{check.type}" if check.negate else check.type}
    parts = {
        "value": check.value if check.written is None else check.written,
        "threshold": check.threshold,
        "weight": None if check.weight == 1 else check.weight,
        "metric": check.metric if check.written_metric is None else check.written_metric,
        "config": dict(check.config) or None,
        "assert": [written_assertion(child) for child in check.children] or None,
    }
    return written | {name: part for name, part in parts.items() if part is not None} | dict(check.options)


def filled_again(check: Check, templates: Templates, variables: Mapping[str, Any]) -> Check:
    """Return a check whose texts are filled anew, for variables that were not there when it was read.

    What came from a file stays as it is. Raises FormatError where a template cannot be filled.
    """
    written = check.value if check.written is None else check.written
    metric = check.written_metric
    value = _filled_again(written, check.value, templates, variables)
    return replace(
        check,
        value=value,
        written=written if written != value else None,
        metric=check.metric if metric is None else _metric(metric, templates, variables),
        children=tuple(filled_again(child, templates, variables) for child in check.children),
    )


def _filled_again(written: Any, held: Any, templates: Templates, variables: Mapping[str, Any]) -> Any:
    if isinstance(written, str):
        return held if written.startswith(SCHEME) else templates.fill(written, variables)
    if isinstance(written, list) and isinstance(held, list) and len(written) == len(held):
        pairs = zip(written, held, strict=True)
        return [
            _filled_again(one, item, templates, variables) if isinstance(one, str) else item
            for one, item in pairs
        ]
    return templates.fill_in(written, variables) if written != held else held


def _metric(name: str, templates: Templates, variables: Mapping[str, Any]) -> str:
    # A name that is no template stays one: it only says where the score is kept.
    try:
        return templates.fill(name, variables)
    except FormatError:
        return name


def _names_data(value: str) -> bool:
    return value.startswith(SCHEME) and not is_code(value) and "{{" not in value


def _number(assertion: Mapping[str, Any], name: str, place: str) -> float | None:
    value = assertion.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not is_finite(value):
        shown = json.dumps(value, ensure_ascii=False)[:40]
        raise problem(place, f"{name}: expected a number; got {shown}", "Write a number.")
    return value


def _weight(assertion: Mapping[str, Any], place: str) -> float:
    weight = _number(assertion, "weight", place)
    return 1.0 if weight is None else weight
