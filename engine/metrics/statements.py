"""Statements: the sentences of a judged reply, each tied to the turn in which it stands."""

from __future__ import annotations

from turnwise.engine.metrics.numbered import Item
from turnwise.engine.metrics.sentences import split_sentences
from turnwise.engine.metrics.subject import Subject


def reply_statements(subject: Subject) -> list[Item]:
    """Return the statements of the judged exchange's reply, numbered from 1."""
    replies = set(subject.exchange.reply_turns) if subject.exchange else set()
    statements = [
        (number, sentence)
        for number, turn in subject.numbered
        if number in replies
        for sentence in split_sentences(turn.content)
    ]
    return [Item(count, turn, about) for count, (turn, about) in enumerate(statements, start=1)]
