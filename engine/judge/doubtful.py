"""What in a text may speak to whoever judges: a wider search, for what `addressed.py` does not surely know.

What is found here is not taken away. A judge is asked with it and without it, and the lower score stands
(`engine/checks/judged_twice.py`): a harmless sentence may be found now and then, and an instruction does not
help whoever planted it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from turnwise.engine.judge import addressed_words
from turnwise.engine.judge import addressed_words_abroad as abroad
from turnwise.engine.judge import doubtful_words as words
from turnwise.engine.judge.addressed import (
    REMEMBERED,
    Addressed,
    asked_before,
    join_parts,
    pieces_of,
    points_of_piece,
)
from turnwise.engine.judge.addressed_objects import object_in
from turnwise.engine.judge.addressed_sentences import is_english, is_worth_a_look
from turnwise.engine.judge.disguises import hidden_readings, plain_reading

_SOME = 1.0
"""So many of the points by which a sentence surely speaks to a judge make it doubtful."""
_LONG = 500
"""Of a longer sentence the first and the last so many characters are looked at."""
_KEYS = re.compile(
    r"^(?:verdicts?|scores?|points?|ratings?|grades?|outcomes?|results?|judge?ments?|evaluation|assessment|"
    r"pass(?:ed)?|success|reasons?|rationale|comments?|feedback|label|explanation|confidence|final\w*)$",
    re.IGNORECASE,
)
_JUDGED = re.compile(
    r"verdict|score|grade|rating|passed|points|outcome|judge?ment|evaluat|assess", re.IGNORECASE
)
_BEST = re.compile(
    r"^\W*(?:yes|pass(?:ed)?|true|success(?:ful)?|perfect|excellent|flawless|10(?:\.0)?(?:/10)?|1(?:\.0)?|100)\W*$",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\bjson\b|\bkeys?\b|\bschema\b|\brate\b|\breview", re.IGNORECASE)


def find_doubtful(text: str, *, before: Sequence[str] = (), given: bool = False) -> list[Addressed]:
    """Return the parts of a text that may speak to whoever judges, in their order; they do not overlap.

    before, given: as in `find_addressed`. What that finds is found here too.
    """
    find = _find if len(text) <= REMEMBERED else _find.__wrapped__
    return list(find(text, asked_before(text, before), given))


# Tools and instructions say the same in many sessions.
@lru_cache(maxsize=1024)
def _find(text: str, before: Sequence[str], given: bool) -> Sequence[Addressed]:
    if not text.strip():
        return ()
    pieces = list(pieces_of(text))
    found: dict[int, str] = {}
    for at, (start, end) in enumerate(pieces):
        if why := _why_doubtful(text, start, end, before=before, given=given):
            found[at] = why
    labels = [at for at, (start, end) in enumerate(pieces) if words.LABEL.match(text[start:end])]
    if len(labels) >= 2:
        found = {**dict.fromkeys(labels, "may be written like a verdict"), **found}
    for at in list(found):
        for step in (-1, 1):
            beside = at + step
            while (
                0 <= beside < len(pieces)
                and beside not in found
                and _goes_along(text[slice(*pieces[beside])])
            ):
                found[beside] = found[at]
                beside += step
    spans = [Addressed(*pieces[at], why) for at, why in sorted(found.items())]
    return join_parts([*spans, *_hidden(text)], text)


def doubt_of(sentence: str, *, spoken: bool = True) -> str:
    """Say by what a sentence may be meant for whoever judges; empty where nothing makes it doubtful.

    spoken: somebody said it. Passages and instructions speak of replies and checks for reasons of their own,
    so that more has to come together there.
    """
    if words.FRAME.search(sentence):
        return "may imitate the frame in which a judge reads"
    if words.VERDICTS.search(sentence) or words.LABELLED.search(sentence):
        return "may be written like a verdict"
    if words.READER_ABROAD.search(sentence):
        return "may speak to whoever judges"
    reader, becomes = words.READER.search(sentence), words.BECOMES.search(sentence)
    if not reader and not becomes and _is_of_ones_own(sentence):
        return ""
    if spoken and words.ABOUT_TALK.search(sentence):
        return "speaks about the conversation itself"
    if spoken and words.ABOUT_JUDGING.search(sentence):
        return "speaks of judging"
    if not is_english(sentence) and _is_order_abroad(sentence):
        return "may say how to judge"
    judging, talk, chatbot = (one.search(sentence) for one in (words.JUDGING, words.TALK, words.CHATBOT))
    highest, aside = words.HIGHEST.search(sentence), words.SET_ASIDE.search(sentence)
    if not (reader or becomes or judging or talk or chatbot or highest or aside):
        return ""
    good, spare, told = (one.search(sentence) for one in (words.GOOD, words.SPARE, words.PRESCRIBES))
    if reader and (good or spare or told or highest or judging):
        return "may speak to whoever judges"
    if judging and (highest or spare or (good and told)):
        return "may say how to judge"
    if (talk or chatbot) and (spare or highest or good):
        return "may judge the chatbot in the judge's place"
    if becomes and (chatbot or good or spare or judging):
        return "may let somebody play the judge"
    if aside and (judging or highest or talk or (good and told)):
        return "may set the rules of judging aside"
    if highest and told and (words.NUMBER.search(sentence) or spare):
        return "may dictate a score"
    return ""


def _is_order_abroad(sentence: str) -> bool:
    meant = abroad.GRADER.search(sentence) or abroad.JUDGED.search(sentence) or abroad.SCORE.search(sentence)
    return bool(meant) and any(
        one.search(sentence) for one in (abroad.TOP, abroad.SET_ASIDE, words.GOOD_ABROAD)
    )


def _is_of_ones_own(sentence: str) -> bool:
    """Whether a sentence rates, thanks or asks something itself, which dictates nothing."""
    return (
        sentence.rstrip().endswith("?")
        or bool(addressed_words.OWN_RATING.search(sentence))
        or bool(addressed_words.THANKS.search(sentence))
    )


def _why_doubtful(text: str, start: int, end: int, *, before: Sequence[str], given: bool) -> str:
    piece = text[start:end]
    if is_worth_a_look(piece):
        points = points_of_piece(text, start, end, before=before, given=given)
        if points.total >= _SOME:
            return f"may be one that {points.why}"
    if "{" in piece and (value := object_in(piece)) is not None:
        around = text[:start] + text[end:]
        asked = any(_ASKS.search(earlier) for earlier in (*before, around))
        keys = [str(key) for key in value]
        known = sum(bool(_KEYS.match(key)) for key in keys)
        judged = any(_JUDGED.search(key) and _BEST.match(str(value[key])) for key in value)
        return "may be written like a judge's reply" if judged and known >= 2 and not (asked or given) else ""
    plain = plain_reading(piece).strip()
    parts = [plain] if len(plain) <= 2 * _LONG else [plain[:_LONG], plain[-_LONG:]]
    return next((why for part in parts if (why := doubt_of(part, spoken=not given))), "")


def _goes_along(sentence: str) -> bool:
    """Whether a sentence beside a doubtful one may be a part of the same instruction."""
    return bool(
        any(
            one.search(sentence)
            for one in (words.JUDGING, words.HIGHEST, words.SPARE, words.VERDICTS, words.GOOD, words.BECOMES)
        )
    )


def _hidden(text: str) -> list[Addressed]:
    """Return the parts of a text that hide words which may speak to whoever judges."""
    known: dict[str, bool] = {}
    found = []
    for start, end, reading in hidden_readings(text):
        if reading not in known:
            pieces = pieces_of(reading)
            known[reading] = any(doubt_of(plain_reading(reading[one:other])) for one, other in pieces)
        if known[reading]:
            found.append(Addressed(start, end, "may hide words that speak to whoever judges"))
    return found
