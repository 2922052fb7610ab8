"""Word buckets: which words a conversation uses, folded into a fixed number of figures."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from turnwise.engine.metrics.deterministic.content_words import content_words
from turnwise.engine.metrics.subject import Subject

BUCKETS = 128
"""How many figures the words of each side become. Words that share one cannot be told apart."""
_SIDES = {"user": "user says", "assistant": "chatbot says"}
_NAMED = 3


def buckets_of(subject: Subject) -> dict[str, float]:
    """Return for each side and bucket whether the conversation uses a word of it: 1, and nothing for 0."""
    return {_name(role, word): 1.0 for role, word in _said(subject)}


def bucket_names() -> list[str]:
    """Return the names of all buckets."""
    return [f"{told} {place}" for told in _SIDES.values() for place in range(BUCKETS)]


def words_of_buckets(subjects: Iterable[Subject], wanted: Iterable[str]) -> Mapping[str, str]:
    """Say for some buckets by which words most conversations have them, as in "user says refund, money"."""
    found: dict[str, Counter[str]] = {name: Counter() for name in wanted}
    for subject in subjects:
        for role, word in set(_said(subject)):
            if (name := _name(role, word)) in found:
                found[name][word] += 1
    return {name: _told(name, counts) for name, counts in found.items()}


def _told(name: str, counts: Counter[str]) -> str:
    ordered: Sequence[str] = sorted(counts, key=lambda word: (-counts[word], word))
    return f"{name.rpartition(' ')[0]} {', '.join(ordered[:_NAMED])}" if ordered else name


def _said(subject: Subject) -> Iterable[tuple[str, str]]:
    for _, turn in subject.numbered:
        for word, _ in content_words(turn.content):
            if not word[0].isdigit():
                yield turn.role, word


def _name(role: str, word: str) -> str:
    # The same in every process and on every machine, which the language's own hash is not.
    return f"{_SIDES[role]} {zlib.crc32(word.encode()) % BUCKETS}"
