"""What in a text speaks to whoever judges: found by what it does, sentence by sentence.

Every sentence collects points for what it does: whom it addresses, what it orders, what it pretends to be.
Two points are enough; people who speak of scores, verdicts and judges for reasons of their own stay below. A
sentence beside a found one needs less, since an instruction is seldom alone. `addressed_sentences.py`
holds the points.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from turnwise.engine.judge.addressed_objects import TELLING_KEYS, object_in, objects, points_of_object
from turnwise.engine.judge.addressed_sentences import (
    ENOUGH,
    Points,
    is_english,
    is_worth_a_look,
    points_of_sentence,
)
from turnwise.engine.judge.disguises import hidden_readings, plain_reading, turned_readings

_BESIDE = 0.5
"""So many points are enough for a sentence beside a found one."""
_LONG, _STEP = 400, 200
"""A longer sentence is looked at in parts, each beginning so many characters behind the one before it."""
_PAIRED, _LEAST_OF_A_PAIR = 2.25, 0.75
"""So many points are enough for two sentences in a row: together, and each of them."""
_HIDDEN = 1.5
"""Words that were hidden need less: nobody hides a rating of a film."""
_CUT = re.compile(r"[.!?…।](?:[\"'”’»)\]*_]*)(?:\s+|$)|[。！？][」』”’）]*|\n+|;\s+")
_END = (
    r"(?:the )?(?:conversation|transcript|dialog(?:ue)?|chat(?: ?log)?|material|data|input|session|"
    r"messages?|log|case|context|user ?input|"
    r"untrusted[\w -]*|quoted[\w -]*|document)"
)
_FRAME = re.compile(
    rf"^\s*(?:</(?:{_END.replace(' ', '[ _-]')}|conversations?|transcripts?|turns?|case|eval\w*)>|"
    rf"[-=#*_~+<>\[\](){{}}\s|]*(?:[0-9a-f]{{6,10}} )?(?:(?:end|close|finish)(?:s|ed)?(?: of)?[ _:-]+{_END}|"
    rf"{_END} (?:ends|is over|"
    rf"has ended|ended|ends here|finished|complete|closed|over)(?: here)?)[-=#*_~+<>\[\](){{}}\s.:|!]*)(?=$|"
    rf"\s|\w)",
    re.IGNORECASE,
)
_FALSE_FRAME = re.compile(
    r"<\|\w+\|>|<<SYS>>|\[/?INST\]|<(?:start|end)_of_turn>|^#{2,4} ?(?:instructions?|response|system)\b|"
    r"<!--|^\s*/\*|^\[//\]:",
    re.IGNORECASE | re.MULTILINE,
)
"""Marks of a model's prompt, and comments that nobody sees who reads the text."""
_TURNED = re.compile(
    r"scor(?:e|ing)|grade|evaluat|verdict|judge|\brat(?:e|er|ing)\b|full marks", re.IGNORECASE
)

REMEMBERED = 10_000
"""What was found in a longer text is not remembered: a thousand of them would take much memory."""


@dataclass(frozen=True, slots=True)
class Addressed:
    """A part of a text that speaks to whoever judges.

    start, end: where it stands in the text. why: by what it was known, in words.
    """

    start: int
    end: int
    why: str


def find_addressed(text: str, *, before: Sequence[str] = (), given: bool = False) -> list[Addressed]:
    """Return the parts of a text that speak to whoever judges, in their order; they do not overlap.

    before: what was said before it, which tells whether a reply in JSON was asked for. given: it came from a
    tool or a search and was said by nobody, so that a verdict in JSON is its ordinary content unless it says
    more.
    """
    find = _find if len(text) <= REMEMBERED else _find.__wrapped__
    return list(find(text, asked_before(text, before), given))


# Tools and instructions say the same in many sessions.
@lru_cache(maxsize=1024)
def _find(text: str, before: Sequence[str], given: bool) -> Sequence[Addressed]:
    if not text.strip() or not is_worth_a_look(text):
        return ()
    pieces = list(pieces_of(text))
    points = [points_of_piece(text, start, end, before=before, given=given) for start, end in pieces]
    if _FALSE_FRAME.search(text):
        # Such marks stand in a conversation only to be taken for those of a model's own prompt.
        points = [replace(one, total=one.total + 0.75) if one.total else one for one in points]
    alone = {at: one.why for at, one in enumerate(points) if one.total >= ENOUGH}
    found = _with_neighbours({**_in_pairs(points), **_framed(text, pieces), **alone}, points)
    spans = [Addressed(*pieces[at], why) for at, why in sorted(found.items())]
    return join_parts([*spans, *(_with_its_sentence(one, pieces) for one in _hidden(text))], text)


def asked_before(text: str, before: Sequence[str]) -> tuple[str, ...]:
    """Return what was said before a text as far as that counts: only where it may hold an object in JSON."""
    return tuple(before) if "{" in text else ()


def find_split(
    first: str, second: str, find: Callable[[str], list[Addressed]] = find_addressed
) -> tuple[list[Addressed], list[Addressed]]:
    """Return the parts of two texts that speak to whoever judges where one is read after the other.

    They are two turns of one speaker in a row: the end of the first, and the beginning of the second. find:
    what knows such parts.
    """
    tail, head = _last_sentence(first), _first_sentence(second)
    if tail is None or head is None:
        return [], []
    one, other = first[slice(*tail)].strip(), second[slice(*head)].strip()
    joined = f"{one} {other}"
    border = len(one)
    found = find(joined)
    if not any(part.start < border and part.end > border + 1 for part in found):
        return [], []
    alone = [bool(find(text)) for text in (one, other)]
    carries_on = [points_of_sentence(plain_reading(text)).total >= _BESIDE for text in (one, other)]
    if any(alone) and not all(carries_on):
        # Nothing but an instruction in one of the two, which is found by itself.
        return [], []
    why = f"goes on from turn to turn: {found[0].why}"
    return [Addressed(*tail, why)], [Addressed(*head, why)]


def _last_sentence(text: str) -> tuple[int, int] | None:
    pieces = list(_sentences(text, max(0, len(text) - _LONG), len(text)))
    return pieces[-1] if pieces else None


def _first_sentence(text: str) -> tuple[int, int] | None:
    return next(_sentences(text, 0, min(len(text), _LONG)), None)


def _in_pairs(points: Sequence[Points]) -> dict[int, str]:
    """Return which pieces, with why, speak to a judge together with the one before or behind them."""
    found: dict[int, str] = {}
    for at, (one, other) in enumerate(pairwise(points)):
        least, both = min(one.total, other.total), one.total + other.total
        if (least >= _LEAST_OF_A_PAIR and both >= _PAIRED) or least >= ENOUGH / 2:
            found |= {at: one.why, at + 1: other.why}
    return found


def _with_neighbours(found: Mapping[int, str], points: Sequence[Points]) -> dict[int, str]:
    """Return found pieces, with why, and those on either side of them that have a few points as well."""
    spread = dict(found)
    for at in found:
        for step in (-1, 1):
            beside = at + step
            while 0 <= beside < len(points) and beside not in spread and points[beside].total >= _BESIDE:
                spread[beside] = points[beside].why
                beside += step
    return spread


def pieces_of(text: str) -> Iterator[tuple[int, int]]:
    """Cut a text into sentences, lines and objects in JSON, by where they stand."""
    at = 0
    for start, end in objects(text):
        yield from _sentences(text, at, start)
        yield start, end
        at = end
    yield from _sentences(text, at, len(text))


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for cut in _CUT.finditer(text, start, end):
        if text[at : cut.end()].strip():
            yield at, cut.end()
        at = cut.end()
    if text[at:end].strip():
        yield at, end


def points_of_piece(text: str, start: int, end: int, *, before: Sequence[str], given: bool) -> Points:
    """Add up what a piece of a text does. before, given: as in `find_addressed`."""
    piece = text[start:end]
    if "{" in piece and (value := object_in(piece)) is not None:
        return points_of_object(value, piece, text, (start, end), before=before, given=given)
    plain = plain_reading(piece)
    parts = [plain[at : at + _LONG] for at in range(0, max(1, len(plain) - _STEP), _STEP)]
    best = max((points_of_sentence(part) for part in parts), key=lambda one: one.total)
    if best.total < ENOUGH and len(plain) <= _LONG:
        for reading in turned_readings(plain):
            if not _TURNED.search(reading):
                continue
            other = points_of_sentence(reading)
            if other.total >= _HIDDEN and is_english(reading):
                return Points(other.total + 0.5, f"hides words: {other.why}")
    return best


def _framed(text: str, pieces: Sequence[tuple[int, int]]) -> dict[int, str]:
    """Return the pieces from a false end of the frame on, where what follows it speaks of judging."""
    for at, (start, end) in enumerate(pieces):
        piece = plain_reading(text[start:end])
        if not (ended := _FRAME.match(piece)):
            continue
        opening = re.match(r"\s*</(\w+)>", piece)
        if opening and f"<{opening[1]}" in text[:start].lower():
            continue
        rest = [piece[ended.end() :], *(plain_reading(text[one:other]) for one, other in pieces[at + 1 :])]
        if any(_speaks_of_judging(part) for part in rest):
            why = "imitates the end of the conversation"
            return dict.fromkeys(range(at, len(pieces)), why)
    return {}


def _speaks_of_judging(sentence: str) -> bool:
    value = object_in(sentence) if "{" in sentence else None
    if value is not None:
        return any(TELLING_KEYS.match(str(key)) for key in value)
    return points_of_sentence(sentence).total >= 0.75


def _hidden(text: str) -> Iterator[Addressed]:
    """Yield the parts of a text that hide words which speak to whoever judges."""
    for start, end, reading in hidden_readings(text):
        sentences = [reading[one:other] for one, other in pieces_of(reading)]
        whole = max(
            (points_of_sentence(plain_reading(sentence)).total for sentence in sentences), default=0.0
        )
        squeezed = re.sub(r"[\W_]+", "", reading).lower()
        if (
            whole >= _HIDDEN
            or _glued(squeezed)
            or any(object_in(sentence) for sentence in sentences if "verdict" in sentence)
        ):
            yield Addressed(start, end, "hides words that speak to whoever judges")


def _with_its_sentence(hidden: Addressed, pieces: Sequence[tuple[int, int]]) -> Addressed:
    """Return what hides words with the sentence around it, which means nothing without them."""
    around = [(start, end) for start, end in pieces if start < hidden.end and hidden.start < end]
    if not around:
        return hidden
    return Addressed(min(hidden.start, around[0][0]), max(hidden.end, around[-1][1]), hidden.why)


_GLUED = (
    r"evaluator|grader|judge|rater|assessor",
    r"score|rating|grade|verdict|fullmarks|points",
    r"give|assign|award|return|output|must|only|always|answer|ignore|disregard|rate",
    r"10|ten|max|full|perfect|highest|best|yes|pass",
    r"conversation|chatbot|assistant|reply|replies|everyturn|allturns|rules|instructions|rubric",
)


def _glued(letters: str) -> bool:
    """Whether letters without spaces between the words hold at least three of the concepts."""
    return len(letters) >= 8 and sum(bool(re.search(pattern, letters)) for pattern in _GLUED) >= 3


def join_parts(found: Sequence[Addressed], text: str) -> list[Addressed]:
    """Join parts that overlap or follow one another with nothing but space between them."""
    joined: list[Addressed] = []
    for one in sorted(found, key=lambda part: (part.start, -part.end)):
        if joined and not text[joined[-1].end : one.start].strip():
            last = joined[-1]
            joined[-1] = Addressed(last.start, max(last.end, one.end), last.why)
        else:
            joined.append(one)
    return joined
