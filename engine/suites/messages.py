"""Messages: a prompt as what is sent to a chatbot, and a case with its answer as a conversation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, get_args

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.suites import Suite, SuiteCase
from turnwise.conversations.turns import Role, Turn
from turnwise.engine.suites.values import as_text

_ROLES = frozenset(get_args(Role))


def messages_of(prompt: str) -> list[dict[str, Any]]:
    """Return the messages of a prompt: those that it lists as JSON, else the text as what a user says."""
    if prompt.lstrip().startswith("["):
        try:
            listed = json.loads(prompt)
        except ValueError:
            listed = None
        if isinstance(listed, list) and listed and all(map(_is_message, listed)):
            return listed
    return [{"role": "user", "content": prompt}]


def conversation_of(suite: Suite, case: SuiteCase, prompt: str, output: Any) -> ConversationalTestCase:
    """Return a case with its answer as a conversation that can be kept.

    output: None where there was no answer; the conversation then ends with the prompt. Its metadata are the
    case's own, with suite, case and target under names that a file's own entries go before.
    """
    turns = [
        Turn(role=message["role"], content=_words(message.get("content"))) for message in messages_of(prompt)
    ]
    if output is not None:
        turns.append(Turn(role="assistant", content=_words(output)))
    name = suite.description or suite.source.name
    about: dict[str, Any] = {
        "suite": name,
        "case": case.index,
        "prompt": case.prompt_label,
        "target": case.target.id if case.target else "",
        "vars": dict(case.vars),
    }
    return ConversationalTestCase(
        turns=turns,
        name=case.description or None,
        tags=[name],
        metadata=plain({**about, **case.metadata}),
    )


def _is_message(item: Any) -> bool:
    if not isinstance(item, Mapping) or item.get("role") not in _ROLES:
        return False
    return isinstance(item.get("content"), str | list | None)


def _words(content: Any) -> str:
    return "" if content is None else as_text(content)


def plain(value: Any) -> Any:
    """Return what a file wrote as plain JSON: keys as texts, and what JSON does not know as text."""
    return json.loads(json.dumps(value, default=str))
