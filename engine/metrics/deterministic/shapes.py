"""Shapes: what a conversation shows of itself in figures, without a judge: lengths, tools, endings, times."""

from __future__ import annotations

import json
import math
import re
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.conversations.tools import ToolCall
from turnwise.conversations.turns import Turn
from turnwise.engine.metrics.deterministic.cues import (
    CLOSING,
    FAILURE,
    HANDED_OVER,
    PROMISE,
    frustration_cue,
    plain_words,
)
from turnwise.engine.metrics.deterministic.repetition import likeness, runs, text_words
from turnwise.engine.metrics.deterministic.state_changes import changes_state, hands_over
from turnwise.engine.metrics.subject import Subject

SHAPES: Mapping[str, str] = {
    "user_turns": "turns of the user",
    "reply_words": "words a reply",
    "reply_growth": "replies that grow longer towards the end",
    "user_words": "words a turn of the user",
    "questions": "replies that end in a question",
    "repetition": "replies that say an earlier one again",
    "frustration": "turns of the user that show lost patience",
    "calls": "calls of tools",
    "kinds_of_tools": "different tools",
    "state_changes": "calls that change something",
    "no_state_change": "no call that changes anything",
    "unconfirmed_changes": "changes right after a turn in which the user says no word of consent",
    "changes_after_declining": "changes after it had declined something",
    "call_errors": "calls that give an error",
    "repeated_calls": "calls made again with the same arguments",
    "handed_over": "handed over to a person at the end",
    "declined": "declined what was asked near the end",
    "promised": "a promise near the end",
    "took_leave": "the user takes leave at the end",
    "unanswered": "the last word is the user's",
    "reply_seconds": "seconds a reply",
}
"""What a figure says, by its name. Counts and lengths are log(1 + n), so that the hundredth counts less."""
_NEAR_END = 3
"""How many of the last replies are looked at for how a conversation ends."""
_SAME = 0.8
_ERROR = re.compile(
    r"^\W{0,3}(?:error|exception|failed|failure|traceback|invalid|not found|unauthori[sz]ed)\b", re.I
)
_CONSENT = re.compile(
    r"\b(?:yes|yeah|yep|sure|ok(?:ay)?|please (?:do|proceed|go)|go ahead|proceed|confirm\w*|correct|agreed?|"
    r"sounds good|that works|perfect|ja|genau|einverstanden|oui|d'accord|sí|claro|de acuerdo)\b",
    re.IGNORECASE,
)
"""What users write when they agree to what was proposed."""
_ERROR_KEYS = ("error", "errors", "exception")
_QUESTION = ("?", "？", "؟")


def shape_of(subject: Subject) -> dict[str, float]:
    """Return the figures of a conversation by their names in SHAPES; what is not known is left out."""
    spoken = [(turn, plain_words(turn.content)) for _, turn in subject.numbered]
    said = [(turn.role, text) for turn, text in spoken if text]
    replies = [text for role, text in said if role == "assistant"]
    users = [text for role, text in said if role == "user"]
    calls = [call for _, turn in subject.numbered for call in turn.tools_called or []]
    seconds = list(subject.reply_seconds.values())
    return {
        **_lengths(replies, users),
        **_tools(calls),
        **_consent(spoken),
        **_ending(said, replies, users, calls),
        **({"reply_seconds": math.log1p(statistics.median(seconds))} if seconds else {}),
    }


def _lengths(replies: Sequence[str], users: Sequence[str]) -> dict[str, float]:
    words = [text_words(text) for text in replies]
    lengths = [math.log1p(len(one)) for one in words]
    half = len(lengths) // 2
    return {
        "user_turns": math.log1p(len(users)),
        "reply_words": _mean(lengths),
        "reply_growth": _mean(lengths[-half:]) - _mean(lengths[:half]) if half else 0.0,
        "user_words": _mean([math.log1p(len(text_words(text))) for text in users]),
        "questions": _mean([float(text.rstrip(" *_)\"'").endswith(_QUESTION)) for text in replies]),
        "repetition": _repeated(words),
        "frustration": _mean([float(bool(frustration_cue(text))) for text in users[1:]]),
    }


def _tools(calls: Sequence[ToolCall]) -> dict[str, float]:
    changes = sum(changes_state(call) for call in calls)
    asked = Counter(
        (call.name, json.dumps(call.input_parameters, sort_keys=True, default=str)) for call in calls
    )
    return {
        "calls": math.log1p(len(calls)),
        "kinds_of_tools": math.log1p(len({call.name for call in calls})),
        "state_changes": math.log1p(changes),
        "no_state_change": float(not changes),
        "call_errors": math.log1p(sum(gives_error(call.output) for call in calls)),
        "repeated_calls": math.log1p(asked.total() - len(asked)),
    }


def _consent(spoken: Sequence[tuple[Turn, str]]) -> dict[str, float]:
    """Count the changes that nobody had just agreed to, and those that came after something was declined."""
    unconfirmed = after_declining = 0
    consent = declined = False
    for turn, text in spoken:
        if turn.role == "user":
            consent = _CONSENT.search(text) is not None
            continue
        declined = declined or FAILURE.search(text) is not None
        changes = sum(changes_state(call) for call in turn.tools_called or [])
        unconfirmed += 0 if consent else changes
        after_declining += changes if declined else 0
    return {
        "unconfirmed_changes": math.log1p(unconfirmed),
        "changes_after_declining": math.log1p(after_declining),
    }


def _ending(
    said: Sequence[tuple[str, str]], replies: Sequence[str], users: Sequence[str], calls: Sequence[ToolCall]
) -> dict[str, float]:
    last = replies[-_NEAR_END:]
    return {
        "handed_over": float(
            any(hands_over(call.name) for call in calls[-1:])
            or any(HANDED_OVER.search(text) for text in last)
        ),
        "declined": float(any(FAILURE.search(text) for text in last)),
        "promised": float(any(PROMISE.search(text) for text in last[-1:])),
        "took_leave": float(any(CLOSING.search(text) for text in users[-1:])),
        "unanswered": float(bool(said) and said[-1][0] == "user"),
    }


def _repeated(replies: Sequence[Sequence[str]]) -> float:
    """Return the share of replies that say an earlier one again."""
    bags = [Counter(runs(words, 3)) for words in replies]
    again = [
        any(likeness(bag, earlier) >= _SAME for earlier in bags[:place] if earlier)
        for place, bag in enumerate(bags)
        if bag
    ]
    return _mean([float(one) for one in again])


def gives_error(output: Any) -> bool:
    """Whether what a tool gave back says that it failed."""
    if isinstance(output, Mapping):
        return any(output.get(key) for key in _ERROR_KEYS) or output.get("success") is False
    if not isinstance(output, str):
        return False
    if output.lstrip().startswith("{"):
        try:
            return gives_error(dict(json.loads(output)))
        except (ValueError, RecursionError):
            return False
    return _ERROR.match(output.strip()) is not None


def _mean(values: Sequence[float]) -> float:
    return statistics.fmean(values) if values else 0.0
