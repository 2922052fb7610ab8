"""Retrieval: the passages that were looked up for a reply, as things to judge and as text for a judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.turns import Passage, passage_text
from turnwise.engine.judge.transcripts import defuse, fence
from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.metric import Metric, Scope
from turnwise.engine.metrics.statements import split_sentences
from turnwise.engine.metrics.subject import Subject


@dataclass(kw_only=True, eq=False)
class RetrievalMetric(Metric, abstract=True):
    """A metric that judges the passages of an exchange, also of one that waits for its reply."""

    scope: ClassVar[Scope] = "exchange"

    def subjects(self, whole: Subject, *, each_turn: bool = False) -> list[Subject]:
        """Return the exchanges with a reply that are asked for; the last where there is no reply at all."""
        answered = super().subjects(whole, each_turn=each_turn)
        return answered or [whole.at(exchange) for exchange in whole.case.numbered_exchanges[-1:]]


RAGAS = "the measure is that of RAGAS: Es et al. 2023, https://arxiv.org/abs/2309.15217"


def passage_items(subject: Subject, passages: Sequence[Passage]) -> list[JudgedItem]:
    """Return the passages in their order, numbered from 1, each tied to the judged reply."""
    texts = [passage_text(passage) for passage in passages]
    return [JudgedItem(count, subject.reply_turn, text) for count, text in enumerate(texts, start=1)]


def passage_statements(subject: Subject, passages: Sequence[Passage]) -> list[JudgedItem]:
    """Return the statements of all passages, numbered from 1, each tied to the judged reply."""
    texts = [text for passage in passages for text in split_sentences(passage_text(passage))]
    return [JudgedItem(count, subject.reply_turn, text) for count, text in enumerate(texts, start=1)]


def fenced_passages(mark: str, passages: Sequence[Passage]) -> str:
    """Write passages for a judge, fenced like the conversation they belong to."""
    texts = (passage_text(passage) for passage in passages)
    return fence(mark, "passage", dict(enumerate(texts, start=1)))


def plain_passages(passages: Sequence[Passage]) -> str:
    """Write passages for a small judge: one a line, so that none can fake another."""
    return "\n".join(f"Passage: {on_one_line(passage_text(passage))}" for passage in passages)


def on_one_line(text: str) -> str:
    """Return a text as one line without marks that a chat template would obey."""
    return " ".join(defuse(text).split())
