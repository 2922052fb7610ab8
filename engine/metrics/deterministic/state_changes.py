"""State-changing calls: which uses of a tool write something, told by its name and description."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from turnwise.conversations.tools import ToolCall
from turnwise.engine.metrics.deterministic.cues import HANDING_TOOL

_WRITING = """
add adjust append apply approve archive assign assignment book buy cancel change charge checkout close
commit confirm create credit debit delete deploy disable discard dispatch drop edit enable enroll exchange
execute file grant insert install invite issue lock mark merge modify move order patch pay place post publish
purchase push put rebook refund register reject release remove rename renew replace reply reschedule
reserve reset restart restore return revoke save schedule send set ship sign stop store submit subscribe
suspend switch terminate toggle transact transmit unassign uninstall unlock unsubscribe update upgrade
upload upsert void withdraw write
"""
_READING = """
browse calculate check compare compute count describe download estimate evaluate exists explain fetch
filter find get inspect is list load look lookup peek ping plan preview query quote read reason recall
reflect retrieve scan search select show status summarize summarise think track validate verify view wait
"""
_WRITES = frozenset(_WRITING.split())
_READS = frozenset(_READING.split())
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_STATEMENT = re.compile(
    r"\s*(?:insert\s+into|update\s+\S+\s+set|delete\s+from|merge\s+into|replace\s+into|create|drop|alter|truncate)\b",
    re.IGNORECASE,
)
_METHODS = frozenset({"post", "put", "patch", "delete"})


def changes_state(call: ToolCall) -> bool:
    """Whether a use of a tool looks as if it changed something that stays: a booking, a file, a message sent.

    What decides is the first word of the name that tells of reading or writing (`get_order` reads,
    `orderCancel` writes), else the method or the statement among its arguments, else the first such word of
    its description. A tool that hands over to a person changes nothing by that. It is told by words alone,
    in English: a tool with a name such as `process_7` counts as reading.
    """
    if hands_over(call.name):
        return False
    for words in (_words(call.name), None, _words(call.description or "")):
        if words is None:
            if (told := _told_by_arguments(call.input_parameters or {})) is not None:
                return told
        elif (told := _told_by_words(words)) is not None:
            return told
    return False


def hands_over(name: str) -> bool:
    """Whether a tool of this name hands the matter over to a person."""
    return HANDING_TOOL.search(name) is not None


def _words(text: str) -> list[str]:
    return [part.casefold() for part in _PARTS.findall(text)]


def _told_by_words(words: list[str]) -> bool | None:
    for word in words:
        if word in _READS:
            return False
        if word in _WRITES:
            return True
    return None


def _told_by_arguments(arguments: Mapping[str, Any]) -> bool | None:
    """What the method of a web request or a statement of SQL among the arguments says; None without one."""
    for name, value in arguments.items():
        if not isinstance(value, str):
            continue
        if name.casefold() in ("method", "http_method", "verb"):
            return value.strip().casefold() in _METHODS
        if name.casefold() in ("sql", "query", "statement"):
            return _STATEMENT.match(value) is not None
    return None
