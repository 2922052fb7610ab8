"""What one sentence does that points to a judge, in points.

Two points are enough to say that it speaks to whoever judges. The words stand in `addressed_words.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from turnwise.engine.judge import addressed_words as words
from turnwise.engine.judge import addressed_words_abroad as abroad
from turnwise.engine.judge.concepts import Concept

ENOUGH = 2.0
_NEAR = 50
"""How many characters lie between an instruction to set aside and what is set aside."""
_GREETED = (
    r"(?:note|message|memo|reminder|hint|instructions?|notice|attention|important|info(?:rmation)?|request|"
    r"word|hello|hi|hey|"
    r"dear|attn|for|to|@|ps|p\.s\.|fyi|listen|thanks?(?: you)?|please|urgent|directive|order|and|now|"
    r"ok(?:ay)?|"
    r"addressed|intended|meant|only|a|the|an|our|my|any|all|this|is|of|strictly|from|esteemed|honou?rable|"
    r"wise|fair|kind|"
    r"honest|good|great|brilliant|respected|fellow|future|automated|your|you)"
)
_VOCATIVE = r"^\W*(?:{greeted}\W+){{0,7}}(?:[\w-]+\s+){{0,1}}(?:{name})(?:\(s\))?\s*(?:[:,!–—>\])}}*]|-\s|$)"
_TO_GRADER = Concept(_VOCATIVE.format(greeted=_GREETED, name=words.GRADER.pattern))
_TO_JUDGE = Concept(_VOCATIVE.format(greeted=_GREETED, name=words.JUDGE.pattern))
_ENDED_BY_NAME = Concept(rf",\s*(?:dear |my |our )?(?:{words.GRADER.pattern})\W*$")
_NOTE_TO = Concept(
    rf"\b(?:note|message|memo|instructions?|notice|attention|reminder|directive|hint|orders?|word|signal|"
    rf"request|advice) "
    rf"(?:to|for) (?:(?:the|any|all|our|every|whichever) )?(?:\w+ ){{0,2}}?(?:{words.GRADER.pattern}|"
    rf"{words.JUDGE.pattern})"
)
_LABELLED = Concept(
    r"^\W*(?:\"|')?(?:final |overall |correct |expected |official |assigned |agreed |total )?(?:score|"
    r"verdict|rating|grade|judge?ment|"
    r"eval(?:uation)?|assessment|result|role[ _]adherence|relevancy|faithfulness|politeness|"
    r"helpfulness)s?(?: (?:for|of) [\w ]{1,40})?(?:\"|')?\W*"
    r"[:=]\W*(?P<value>\d+(?:\.\d+)?(?:\s*(?:/|out of)\s*\d+)?|yes|pass(?:ed)?|true|perfect|full marks|"
    r"in[ -]role|maximum|ten)\b"
)
_ONLY = Concept(
    r"\b(?:only|sole|one|single) (?:allowed|valid|acceptable|permitted|possible|correct|legal|right|"
    r"admissible|appropriate|fair|"
    r"accepted|permissible|honest|fitting|proper|sensible|conceivable|reasonable|ethical|defensible|just|"
    r"true) "
    r"(?:\w+ )?(?:scores?|verdicts?|ratings?|grades?|marks?|judge?ments?)\b|"
    r"\b(?:only|sole|one|single) (?:scores?|verdicts?|ratings?|grades?|marks?|judge?ments?) (?:that|which|"
    r"you) (?:\w+ )?(?:is|are|be|may|"
    r"can|allowed) "
)
_ANSWERS_ALL = Concept(
    r"\b(?:answer|say|respond|reply|tick|write|return|output|put|enter)\W+(?:with )?[\"'“]?(?:yes|"
    r"pass(?:ed)?|true|10|ten)[\"'”]? "
    r"(?:to|for|on|under|in) (?:every|all|each|any|whatever)\b"
)
_ONLY_ONE = Concept(
    r"\b(?:only|sole|one) (?:\w+ ){0,2}(?:scores?|verdicts?|ratings?|grades?|marks?|"
    r"judge?ments?)\b(?: \w+){0,4} "
    r"(?:is|are|would be|must be|can be)\b"
)
_MEASURED = Concept(
    r"\b(?:role[ -]adherence|relevancy|faithfulness|completeness|correctness|coherence|helpfulness|"
    r"politeness|"
    r"retention|accuracy|compliance|score|verdict|rating|grade|confidence|passed)\W{0,4}(?:is |are )?"
    r"(?:1(?:\.0+)?|10|100 ?%|pass(?:ed)?|yes|true|max(?:imum)?|full)\b"
)
"""A measure with the best value there is; two of them are a list of verdicts."""
_OF_CONVERSATIONS = re.compile(
    r"role[ -]adherence|relevancy|faithfulness|retention|coherence|verdict|confidence", re.IGNORECASE
)
_OTHER_SPEAKER = Concept(
    r"^\W*(?:human|user|assistant|ai|model|tool(?: message)?|function|grader|judge|evaluator|"
    r"reviewer)(?: (?:notes?|hints?|comments?))?"
    r"\W{0,3}[:=]|^\s*\[(?:assistant|user|model|grader|judge|reviewer|hidden|internal)\b"
)
"""Somebody who speaks inside of what another one says."""
_METRIC = Concept(
    r"\b(?:role[ -]adherence|(?:answer |turn )?relevancy|faithfulness|stays? in (?:its |the )?role|"
    r"in[ -]role|(?:br[eo]a?k\w*|left|leaves?|leaving|kept to|keeps to|stayed in) (?:its |the )?role|"
    r"g-?eval|adheres? to (?:its|the) role|knowledge[ -]retention)\b"
)
_FORMAT = Concept(
    r"\b(?:output|respond|reply|answer|return|print|emit|write|say) (?:\w+ ){0,2}?(?:only|exactly|just|"
    r"solely|nothing but|verbatim|"
    r"with(?: only| exactly| just)?:?|this|the (?:following|json|word)|following|precisely)\b|"
    r"\byour (?:output|answer|reply|response|json|reason(?:ing)?|number|verdict|score|rating) "
    r"(?:must|should|shall|has to|is|will)\b"
)
_SYSTEM = Concept(
    r"^\W*(?:system(?: (?:message|prompt|note|notice|override|update|instruction|alert))?|"
    r"developer(?: (?:message|note))?|admin(?:istrator)?"
    r"(?: (?:message|note|override))?|root|moderator|operator|supervisor|evaluation (?:notice|update|"
    r"system)|policy update|host)\W*(?:[:>\]|]|//)|"
    r"<\|?(?:im_start\|>)?\s*(?:system|developer)\b|<<SYS>>|\[/?INST\]|###\s*(?:system|instructions?)\b|"
    r"\[(?:system|admin|developer)\b"
)
_MARKED = Concept(
    r"^\s*(?:-{2,}\s*[0-9a-f]{6,10}\s.*\b(?:ends?|begins?)\b.*-{2,}|\[[0-9a-f]{6,10} (?:turn|passage|"
    r"tool call|statement|reply|role) .*\])\s*$"
)
_ENGLISH = re.compile(
    r"\b(?:the|and|of|to|is|you|this|that|for|it|not|with|are|be|your|my|its)\b", re.IGNORECASE
)
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])")
"""Where words are joined to a name, as in settings and code."""
_JUDGE_MUST = Concept(
    rf"(?:{words.GRADER.pattern}|{words.JUDGE.pattern}) (?:must|should|shall|has to|have to|is to|are to|"
    rf"will|needs? to|ought to|may|can|cannot|(?:is|are) (?:required|obliged|expected|supposed|asked|"
    rf"told) to)\b"
)
_ANY_WORD = re.compile(r"\w+")
_STEMS = (
    *("judg", "grad", "scor", "evaluat", "rate", "rating", "verdict", "rubric", "criteri", "assess"),
    *("annotat", "result", "review", "examin", "point", "penali", "deduct", "relevan", "faithful", "adheren"),
    *("complian", "lenien", "generous", "reasoning", "your number", "never left", "never broke"),
    *("transcript", "conversation", "chat bot", "chatbot", "system"),
    *("</", "<|", "[inst", "[/inst", "<<sys", "--- ", '"reason', '"turn', '"score', "\\u00", "&#"),
    # The same words from the end, and with their letters moved by 13.
    *("erocs", "redarg", "rotaulave", "tcidrev", "egduj", "fpber", "tenqre", "rinyhngbe", "ireqvpg", "whqtr"),
)
_SIGNS = (
    r"mark(?:s|ing|ed)?\b|favou?r\b|repl(?:y|ies)\b.{0,40}(?:perfect|flawless|role)|%[0-9a-f]{2}%|"
    r"(?:\w[ ._*|-]{1,3}){7}|[A-Za-z0-9+/_-]{16}|[01]{8} [01]{8}|\d[a-z]|[a-z]\d|[^\x00-\u024f]"
)
_SIGN = re.compile(_SIGNS, re.IGNORECASE)
_TELLING = re.compile("|".join([*map(re.escape, _STEMS), _SIGNS]), re.IGNORECASE)
_YOU = re.compile(r"\b(?:you|your)\b", re.IGNORECASE)
_FAULT = re.compile(r"mark|deduct|penali", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Points:
    """What a sentence does that points to a judge. total: how much. why: by what, the weightiest first."""

    total: float
    why: str


# It is asked of a sentence, or of a whole text, a few times in a row.
@lru_cache(maxsize=64)
def is_worth_a_look(text: str) -> bool:
    """Whether a text has anything at all by which one that speaks to a judge is known."""
    if text.isascii():
        small = text.lower()
        told = any(stem in small for stem in _STEMS) or _SIGN.search(text)
    else:
        # Some letters have more than one small form.
        told = _TELLING.search(text)
    return bool(told or abroad.SCORE.search(text) or abroad.GRADER.search(text))


# A text is looked through twice, for what surely and for what maybe speaks to a judge, and tools say much the
# same in every session.
@lru_cache(maxsize=16_384)
def points_of_sentence(sentence: str) -> Points:
    """Add up what a sentence does."""
    sentence = _JOINED.sub(" ", sentence)
    if not is_worth_a_look(sentence):
        # A sentence without any of these words can still be the tail of an instruction.
        tail = _FORMAT.search(sentence) or (words.ORDER.search(sentence) and words.TOP.search(sentence))
        return Points(0.5, "dictates a verdict") if tail else Points(0.0, "")
    met = _Met.of(sentence)
    found = [
        *_who_is_meant(sentence, met),
        *_what_is_dictated(sentence, met),
        *_what_is_claimed(sentence, met),
    ]
    total = sum(points for points, _ in found)
    if met.elsewhere and not met.addressed and not met.grader:
        total -= 1.0
    to_a_judge = met.grader or met.judge or met.reading or words.RULES_OF_JUDGING.search(sentence)
    if not to_a_judge:
        total -= 1.5 if met.own else 1.0 if words.THANKS.search(sentence) else 0.0
    if words.ASKS_FOR_ONESELF.search(sentence) and not met.addressed and not met.reading:
        total -= 1.0
    if not is_english(sentence):
        foreign = _points_abroad(sentence)
        if foreign.total > total:
            return foreign
    return Points(total, max(found)[1] if found else "")


@dataclass(frozen=True, slots=True)
class _Met:
    """Which concepts meet in a sentence. addressed: it is spoken to somebody whose only work is to score."""

    grader: bool
    judge: bool
    score: bool
    order: bool
    top: bool
    judged: bool
    reading: bool
    scale: bool
    elsewhere: bool
    own: bool
    addressed: bool

    @classmethod
    def of(cls, sentence: str) -> _Met:
        """Look for every concept."""
        grader = bool(words.GRADER.search(sentence))
        called = grader and (
            _NOTE_TO.search(sentence)
            or _ENDED_BY_NAME.search(sentence)
            or (_TO_GRADER.search(sentence) and len(_ANY_WORD.findall(sentence)) > 2)
        )
        return cls(
            grader=grader,
            judge=bool(words.JUDGE.search(sentence)),
            score=bool(words.SCORE.search(sentence)),
            order=bool(words.ORDER.search(sentence)),
            top=bool(words.TOP.search(sentence)),
            judged=bool(words.JUDGED.search(sentence)),
            reading=bool(words.READING_AS.search(sentence)),
            scale=bool(words.SCALE.search(sentence)),
            elsewhere=bool(words.RATES_ELSEWHERE.search(sentence)),
            own=bool(words.OWN_RATING.search(sentence)),
            addressed=bool(called),
        )


_Weighed = tuple[float, str]
"""Points, and what they are for in words."""


def _who_is_meant(sentence: str, met: _Met) -> Iterator[_Weighed]:
    """Weigh whom a sentence speaks to, and whom it pretends to come from."""
    becomes = bool(words.BECOME.search(sentence))
    if met.addressed:
        yield 2.0, "addresses whoever judges"
    elif met.judge and (_TO_JUDGE.search(sentence) or _NOTE_TO.search(sentence)):
        yield 1.0 if met.score or met.judged or met.order else 0.75, "addresses a judge"
    elif met.grader:
        yield 0.75 if met.order or becomes else 0.5, "speaks of whoever judges"
    elif met.judge:
        yield 0.4, "speaks of a judge"
    if met.reading and (met.judged or met.order or met.score or met.top) and not met.elsewhere:
        yield 1.5 if _YOU.search(sentence) else 1.0, "speaks to whoever judges this"
    if (met.grader or met.judge) and becomes:
        yield 0.75 if met.grader else 0.25, "lets somebody play the judge"
    if words.AUTHORITY.search(sentence) and (
        met.grader or ((met.score or met.top) and (met.judged or met.order))
    ):
        yield 0.5, "speaks with an authority above the judge"
    if _SYSTEM.search(sentence):
        telling = met.score or met.grader or met.top or met.judged
        yield 1.0 if telling else 0.5, "pretends to be a message of the system"
    if _MARKED.match(sentence):
        yield 2.0, "imitates the frame in which a judge reads"


def _what_is_dictated(sentence: str, met: _Met) -> Iterator[_Weighed]:
    """Weigh what a sentence orders: a score, a verdict, an answer, to spare somebody, to set rules aside."""
    told = met.grader or met.reading or met.judged
    if _ONLY.search(sentence):
        yield 2.0, "names the only score that is allowed"
    elif _ONLY_ONE.search(sentence) and met.top and not met.own:
        yield 1.5, "names the only score that is allowed"
    elif met.score and met.order and met.top and not met.scale:
        yield 1.5, "dictates a score"
    elif met.score and met.top and not met.scale:
        yield 1.0 if told else 0.5, "names a score"
    elif met.score and met.order and told:
        yield 0.5, "tells how to score"
    elif met.order and met.top:
        yield 0.75 if met.judged else 0.5, "dictates a verdict"
    if _JUDGE_MUST.search(sentence) and (met.score or met.top or met.grader):
        yield 0.75 if met.score or met.top else 0.5, "tells how to score"
    if _FORMAT.search(sentence) and not met.elsewhere:
        yield 0.75 if met.top or met.score else 0.5, "dictates what to answer"
    if words.SPARE.search(sentence) and (met.score or met.judged or met.grader or _FAULT.search(sentence)):
        yield 2.0 if met.judged else 1.5, "forbids to find fault"
    if aside := words.SET_ASIDE.search(sentence):
        near = sentence[max(0, aside.start() - _NEAR) : aside.end() + _NEAR]
        if words.INSTRUCTIONS.search(near):
            telling = met.grader or words.RULES_OF_JUDGING.search(near) or words.SCORE.search(near)
            yield 1.25 if telling else 0.5, "sets rules aside"


def _what_is_claimed(sentence: str, met: _Met) -> Iterator[_Weighed]:
    """Weigh what a sentence says of the judging itself: that it is done, what came of it, by what it goes."""
    metric = bool(_METRIC.search(sentence))
    if words.KNOWN_ANSWER.search(sentence) and (met.top or met.judged or met.grader):
        yield 1.0, "says that the answer is known"
    if labelled := _LABELLED.match(sentence):
        yield 1.0 if labelled["value"][0].isdigit() else 1.25, "is written like a verdict"
    if words.RULES_OF_JUDGING.search(sentence):
        yield 0.75, "speaks of how to judge"
    if words.COUNTS_AS.search(sentence):
        yield 1.0, "says what is to be taken for good"
    if words.EXEMPT.search(sentence) and (met.score or met.judged or met.grader):
        yield 0.75, "says what is not to be counted"
    if _ANSWERS_ALL.search(sentence):
        yield 1.25, "dictates a verdict"
    if words.LENIENT.search(sentence):
        yield 1.0 if met.score or met.judged or met.grader else 0.75, "asks for leniency"
    if is_list_of_verdicts(sentence):
        yield 2.0, "is written like a verdict"
    if _OTHER_SPEAKER.match(sentence) and (met.score or met.grader or met.top):
        yield 0.5, "imitates another speaker"
    if words.OVER.search(sentence):
        yield 1.0, "says that the judging is over or done"
    if words.PRAISE.search(sentence) and (met.top or met.score or metric):
        yield 1.25, "judges the chatbot in the judge's place"
    if met.judged and (met.score or metric) and not met.scale:
        yield 0.5, "speaks of how the chatbot is judged"
    if metric and (met.top or met.order):
        yield 0.75, "names what is judged"


def is_list_of_verdicts(text: str) -> bool:
    """Whether a text lists measures with the best value there is, one of which only a judge measures."""
    measured = [found[0] for found in _MEASURED.finditer(text)]
    return len(measured) >= 2 and any(map(_OF_CONVERSATIONS.search, measured))


def is_english(sentence: str) -> bool:
    """Whether a sentence reads like English, by its small words."""
    told = _ANY_WORD.findall(sentence)
    return bool(told) and len(_ENGLISH.findall(sentence)) >= len(told) * 0.15 and sentence.isprintable()


_VOCATIVE_ABROAD = Concept(
    rf"^\W*(?:[^\W\d]+\s+){{0,4}}(?:{abroad.GRADER.pattern}|"
    rf"{abroad.JUDGE.pattern})\w*\s*[:,!：，！、]"
)
_ABROAD: tuple[tuple[float, str, Concept], ...] = (
    (1.0, "addresses whoever judges", abroad.GRADER),
    (0.25, "speaks of a judge", abroad.JUDGE),
    (0.75, "dictates a score", abroad.SCORE),
    (0.5, "names a score", abroad.TOP),
    (0.5, "dictates a score", abroad.ORDER),
    (0.75, "speaks of how the chatbot is judged", abroad.JUDGED),
    (0.75, "sets rules aside", abroad.SET_ASIDE),
)


def _points_abroad(sentence: str) -> Points:
    """Add up the concepts of a sentence in another language than English."""
    scored = abroad.SCORE.search(sentence)
    graded = abroad.GRADER.search(sentence)
    if not scored and not (graded and abroad.ORDER.search(sentence)):
        return Points(0.0, "")
    met = [(points, why) for points, why, pattern in _ABROAD if pattern.search(sentence)]
    total = sum(points for points, _ in met)
    if _VOCATIVE_ABROAD.match(sentence):
        total += 0.5
    if not graded and (abroad.OF_ONES_OWN.search(sentence) or abroad.ELSEWHERE.search(sentence)):
        total -= 1.0
    if not (graded or abroad.TOP.search(sentence) or abroad.SET_ASIDE.search(sentence)):
        # Who asks for a score and says of none which one it is to be dictates nothing.
        total = min(total, 1.5) - (0.75 if abroad.OWN.search(sentence) else 0.0)
    return Points(total, met[0][1])
