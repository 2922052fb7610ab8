"""promptfoo's tests: one an exchange, with the reply that was given, for a prompt that says `{{input}}`.

The file is a JSON list, which is YAML as well. Tests of one session share a conversation id, so that
promptfoo puts the exchanges before it into `_conversation`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from turnwise.conversations.exports.export import ExportOptions, SessionSelection, StoredSession
from turnwise.conversations.exports.json_writing import write_list

# What begins a template, and the end of a comment, which is an error where none began.
_TEMPLATE = re.compile(r"\{(?=[{%#])|#(?=\})")
_REFERENCE = re.compile(r"\A(file|package)(?=:)")


def tests_of(session: StoredSession) -> Iterator[dict[str, Any]]:
    """Yield the exchanges of a session as tests.

    One that was never answered in words waits for a target, and its metadata say that it was not answered.
    """
    exchanges = session.conversation.numbered_exchanges
    for exchange in exchanges:
        place = f", exchange {exchange.number}" if len(exchanges) > 1 else ""
        given = {"input": exchange.case.input}
        if exchange.case.expected_output is not None:
            given["expected_output"] = exchange.case.expected_output
        test: dict[str, Any] = {
            "description": f"{session.row.name}{place}",
            "vars": {name: as_it_stands(text) for name, text in given.items()},
        }
        if exchange.case.actual_output:
            test["providerOutput"] = exchange.case.actual_output
        test["metadata"] = {
            **_plain(session.case.metadata or {}),
            **_plain(exchange.case.metadata or {}),
            **_plain({"scenario": session.conversation.scenario}),
            **_plain({"expected_outcome": session.conversation.expected_outcome}),
            "conversationId": f"turnwise-{session.row.id}",
            "session": session.row.id,
            "exchange": exchange.number,
            **({} if exchange.case.actual_output else {"answered": False}),
            **({"tags": list(session.row.tags)} if session.row.tags else {}),
        }
        yield test


def _plain(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata that promptfoo filters by: texts, numbers, lists of them, and nothing to follow."""
    return {
        name: [as_it_stands(str(item)) for item in value] if isinstance(value, list) else _as_value(value)
        for name, value in metadata.items()
        if _is_plain(value) and not name.startswith("$")
    }


def _is_plain(value: Any) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(isinstance(item, str | int | float) for item in items)


def _as_value(value: Any) -> Any:
    return as_it_stands(value) if isinstance(value, str) else value


def as_it_stands(text: str) -> str:
    """Return a variable whose value promptfoo will take for `text`: no template in it, and no file."""
    written = _TEMPLATE.sub(lambda match: f'{{{{ "{match[0]}" }}}}', text)
    return _REFERENCE.sub(lambda match: f'{{{{ "{match[0]}" }}}}', written)


def write(sessions: SessionSelection, out: TextIO, options: ExportOptions) -> None:
    """Write tests of promptfoo, one an exchange, in JSON that is YAML as well."""
    unanswered = 0

    def tests() -> Iterator[dict[str, Any]]:
        nonlocal unanswered
        for session in sessions:
            for test in tests_of(session):
                unanswered += "providerOutput" not in test
                yield test

    write_list(tests(), out)
    if unanswered:
        exchanges = "exchange was" if unanswered == 1 else "exchanges were"
        sessions.tell(
            f"{unanswered:,} {exchanges} never answered in words: promptfoo asks its provider there. "
            "The metadata say answered: false."
        )
