"""The messages that a case is written with: text, an object or a list, under any of their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.conversations.formats.agentv.reading import Reading
from turnwise.conversations.formats.promptfoo.folders import problem
from turnwise.conversations.formats.promptfoo.reading import kind_of

_ROLES = ("system", "user", "assistant", "tool")
Messages = list[dict[str, Any]]


def written_input(fields: Mapping[str, Any], reading: Reading, place: str, suite_files: Any) -> Messages:
    """Return the messages that a case sends; none where it gives none. Raises FormatError for a wrong one.

    suite_files: the files that the suite puts before a text.
    """
    if "input_messages" in fields and not (reading.compat and reading.is_later):
        return _listed(fields["input_messages"], reading, f"{place}, input_messages")
    value = fields.get("input")
    files = fields.get("input_files", suite_files)
    if files is not None and (reading.is_later or not reading.compat):
        return _with_files(files, value, reading, place)
    return expanded_input(value, reading, f"{place}, input")


def expanded_input(value: Any, reading: Reading, place: str) -> Messages:
    """Return the messages that an input stands for."""
    if value is None:
        return []
    if isinstance(value, str):
        return [{"role": "user", "content": value}]
    if isinstance(value, dict) and not reading.compat:
        return [_message(value, reading, place)] if "role" in value else [{"role": "user", "content": value}]
    return _listed(value, reading, place)


def written_expected(fields: Mapping[str, Any], reading: Reading, place: str) -> Messages:
    """Return the messages that a case expects, if any. Raises FormatError for a wrong one."""
    if "expected_messages" in fields and not (reading.compat and reading.is_later):
        return _listed(fields["expected_messages"], reading, f"{place}, expected_messages")
    value, here = fields.get("expected_output"), f"{place}, expected_output"
    if value is None:
        return []
    if isinstance(value, str):
        return [{"role": "assistant", "content": value}]
    if isinstance(value, list):
        if value and isinstance(value[0], dict) and "role" in value[0]:
            return _listed(value, reading, here)
        return [{"role": "assistant", "content": value}]
    if isinstance(value, dict):
        if "role" not in value:
            return [{"role": "assistant", "content": value}]
        return _listed([value], reading, here)
    reading.leave_out(
        here, f"expected text, an object or messages; got {kind_of(value)}", "Put it in quotes."
    )
    return []


def _listed(value: Any, reading: Reading, place: str) -> Messages:
    if isinstance(value, list):
        kept = []
        for number, item in enumerate(value):
            if reading.compat and not _is_message(item, dict if reading.is_strictly_early else dict | str):
                continue
            kept.append(_message(item, reading, f"{place}[{number}]"))
        return kept
    if value is not None:
        reading.leave_out(place, f"expected text, an object or messages; got {kind_of(value)}", "")
    return []


def _message(item: Any, reading: Reading, place: str) -> dict[str, Any]:
    if not isinstance(item, dict):
        raise problem(place, f"expected a message with role and content; got {kind_of(item)}", "")
    role = item.get("role")
    if role not in _ROLES and role != "developer":
        roles = ", ".join(_ROLES)
        raise problem(f"{place}, role", f"expected one of {roles}, developer; got {kind_of(role)}", "")
    if not _is_message({**item, "role": "user"}, dict | str):
        got = kind_of(item.get("content"))
        raise problem(f"{place}, content", f"expected text, an object or parts; got {got}", "")
    return item


def _is_message(item: Any, parts: Any) -> bool:
    if not isinstance(item, dict) or item.get("role") not in _ROLES:
        return False
    content, calls = item.get("content"), item.get("tool_calls")
    if isinstance(content, list) and all(isinstance(part, parts) for part in content):
        return True
    return isinstance(content, str | dict) or (isinstance(calls, list) and bool(calls))


def _with_files(files: Any, value: Any, reading: Reading, place: str) -> Messages:
    names = [name for name in files if isinstance(name, str)] if isinstance(files, list) else []
    if not names or not isinstance(value, str):
        reading.leave_out(
            f"{place}, input_files",
            "expected a list of file names beside an input that is text",
            "Name the files as parts of the input instead.",
        )
        return []
    parts = [{"type": "file", "value": name} for name in names]
    return [{"role": "user", "content": [*parts, {"type": "text", "value": value}]}]
