"""Statements: a text cut into sentences that can be judged one by one, the same way every time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from turnwise.conversations.results import Quote
from turnwise.conversations.turns import Turn
from turnwise.engine.judge.masked_words import NOTE
from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.subject import Subject

_FENCE = re.compile(r"(```.*?(?:```|\Z))", re.DOTALL)
_ABBREVIATED = "mr mrs ms dr prof st vs etc e.g i.e approx dept fig inc ltd a.m p.m u.s"
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
_BEFORE_NUMBERS = frozenset(["no.", "nr."])
_END = re.compile(r"[.!?…।][\"'”’»)\]]*\s+(?=[\"'“‘«(\[]?(?P<next>[\w¿¡*`]))|[。！？][」』”’）]*")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A statement of a text, and where it stands there.

    text: what it says; where several pieces were joined, one space stands between them. start, end: where it
    begins and ends in the text, in characters.
    """

    text: str
    start: int
    end: int

    def joined(self, other: Sentence) -> Sentence:
        """Return it with what comes after it as one statement."""
        return Sentence(f"{self.text} {other.text}", self.start, other.end)


def split_sentences(text: str, *, most: int = 40) -> list[str]:
    """Return the statements of a text: sentences, list items and table rows; a code block is one of them.

    most: further statements are joined to the last, so that no reply makes an endless question.
    """
    return [sentence.text for sentence in sentences_in(text, most=most)]


def sentences_in(text: str, *, most: int = 40) -> list[Sentence]:
    """Return the statements of a text, as `split_sentences`, with the place of each."""
    pieces: list[Sentence] = []
    start = 0
    for part in _FENCE.split(text):
        pieces += (
            [_stripped(text, start, start + len(part))] if part.startswith("```") else _lines(part, start)
        )
        start += len(part)
    found = [piece for piece in pieces if re.search(r"\w", piece.text)]
    return found if len(found) <= most else [*found[: most - 1], reduce(Sentence.joined, found[most - 1 :])]


def _lines(part: str, start: int) -> Iterator[Sentence]:
    """Yield the statements of a part of a text that begins at a place of it, line by line."""
    for line, whole in zip(part.splitlines(), part.splitlines(keepends=True), strict=True):
        bullet = _BULLET.match(line)
        begins = bullet.end() if bullet else 0
        for sentence in _sentences_of(line[begins:]):
            place = start + begins
            yield Sentence(sentence.text, place + sentence.start, place + sentence.end)
        start += len(whole)


def _stripped(text: str, start: int, end: int) -> Sentence:
    """Return what stands between two places, without the white space around it."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    said = piece.strip()
    return Sentence(said, start, start + len(said))


def _sentences_of(line: str) -> list[Sentence]:
    sentences: list[Sentence] = []
    for start, end in _cut(line):
        if not line[start:end].strip():
            continue
        sentence = _stripped(line, start, end)
        if sentences and _goes_on(sentences[-1].text, line[start:end]):
            sentences[-1] = sentences[-1].joined(sentence)
        else:
            sentences.append(sentence)
    return sentences


def _goes_on(before: str, piece: str) -> bool:
    """Whether the full stop before a piece ends an abbreviation and no sentence."""
    word = (before.split() or [""])[-1].lower().lstrip("(\"'“‘")
    if word in _BEFORE_NUMBERS:
        return piece[:1].isdigit()
    return word.endswith(".") and word.rstrip(".") in _ABBREVIATIONS


def _cut(line: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in _END.finditer(line):
        # A lower-case letter goes on with the sentence, in every script that has lower case.
        if not (end["next"] or "").islower():
            yield start, end.end()
            start = end.end()
    yield start, len(line)


def reply_statements(subject: Subject) -> list[JudgedItem]:
    """Return the statements of the judged exchange's reply, numbered from 1."""
    replies = set(subject.exchange.reply_turns) if subject.exchange else set()
    return statements_of([(number, turn) for number, turn in subject.numbered if number in replies])


def statements_of(turns: Sequence[tuple[int, Turn]]) -> list[JudgedItem]:
    """Return the statements of numbered turns, numbered from 1, each with its words in the turn.

    A note in the place of what was kept from the judge is none, unless the turns hold nothing else.
    """
    found = [
        (sentence.text, quote_of(number, turn.content, sentence))
        for number, turn in turns
        for sentence in sentences_in(turn.content)
    ]
    told = [(about, quote) for about, quote in found if about != NOTE] or found
    return [JudgedItem(count, quote.turn, about, quote) for count, (about, quote) in enumerate(told, start=1)]


def quote_of(turn: int, content: str, sentence: Sentence) -> Quote:
    """Return a sentence of what a numbered turn says as the words that a verdict may rest on."""
    return Quote(
        turn=turn, start=sentence.start, end=sentence.end, text=content[sentence.start : sentence.end]
    )
