"""Statements: a text cut into sentences that can be judged one by one, the same way every time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.subject import Subject

_FENCE = re.compile(r"(```.*?(?:```|\Z))", re.DOTALL)
_ABBREVIATED = "mr mrs ms dr prof st vs etc e.g i.e approx dept fig inc ltd a.m p.m u.s"
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
_BEFORE_NUMBERS = frozenset(["no.", "nr."])
_END = re.compile(r"[.!?…।][\"'”’»)\]]*\s+(?=[\"'“‘«(\[]?(?P<next>[\w¿¡*`]))|[。！？][」』”’）]*")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")


def split_sentences(text: str, *, most: int = 40) -> list[str]:
    """Return the statements of a text: sentences, list items and table rows; a code block is one of them.

    most: further statements are joined to the last, so that no reply makes an endless question.
    """
    pieces: list[str] = []
    for part in _FENCE.split(text):
        if part.startswith("```"):
            pieces.append(part.strip())
            continue
        for line in part.splitlines():
            pieces += _sentences_of(_BULLET.sub("", line).strip())
    found = [piece for piece in pieces if re.search(r"\w", piece)]
    return found if len(found) <= most else [*found[: most - 1], " ".join(found[most - 1 :])]


def _sentences_of(line: str) -> list[str]:
    sentences: list[str] = []
    for piece in _cut(line):
        if not piece.strip():
            continue
        if sentences and _goes_on(sentences[-1], piece):
            sentences[-1] = f"{sentences[-1]} {piece.strip()}"
        else:
            sentences.append(piece.strip())
    return sentences


def _goes_on(before: str, piece: str) -> bool:
    """Whether the full stop before a piece ends an abbreviation and no sentence."""
    word = (before.split() or [""])[-1].lower().lstrip("(\"'“‘")
    if word in _BEFORE_NUMBERS:
        return piece[:1].isdigit()
    return word.endswith(".") and word.rstrip(".") in _ABBREVIATIONS


def _cut(line: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(line):
        # A lower-case letter goes on with the sentence, in every script that has lower case.
        if not (end["next"] or "").islower():
            yield line[start : end.end()]
            start = end.end()
    yield line[start:]


def reply_statements(subject: Subject) -> list[JudgedItem]:
    """Return the statements of the judged exchange's reply, numbered from 1."""
    replies = set(subject.exchange.reply_turns) if subject.exchange else set()
    statements = [
        (number, sentence)
        for number, turn in subject.numbered
        if number in replies
        for sentence in split_sentences(turn.content)
    ]
    return [JudgedItem(count, turn, about) for count, (turn, about) in enumerate(statements, start=1)]
