"""Language switch: does the chatbot answer in the language in which it is spoken to?"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject, no_reply_words
from turnwise.engine.metrics.verdicts import share_finding


@dataclass(kw_only=True, eq=False)
class LanguageSwitchMetric(Metric):
    """Whether the chatbot answers in the user's language, told by script and common words.

    A reply that was asked to be in another language, such as a translation, counts as a switch: the check
    cannot know. The judged metric of manner beside it is register_switch.
    """

    key: ClassVar[str] = "language_switch"
    version: ClassVar[int] = 3
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula=(
            "replies in the language of the user's last turn whose language is known (before there is one: "
            "of the first that follows; where there is none at all: of the reply before) / replies whose "
            "language is known, and that of something to compare it with"
        ),
        source="turnwise; a language is told by its script, or by which list of common words fits best",
        empty="a conversation of which no reply's language can be told, or compared, is skipped",
        calls="none",
    )

    def lacks(self, subject: Subject) -> str:
        """Skip also where no reply's language can be told and compared: nothing was looked at."""
        if lacking := super().lacks(subject):
            return lacking
        if silent := no_reply_words(subject):
            return silent
        told = [(turn.role, language_of(turn.content)) for _, turn in subject.numbered]
        replies = [language for role, language in told if role != "user" and language]
        if not replies:
            return "no reply is long enough to tell its language"
        if len(replies) > 1 or any(role == "user" and language for role, language in told):
            return ""
        if any(turn.role == "user" and turn.content.strip() for _, turn in subject.numbered):
            return "nothing that the user says is long enough to tell its language"
        return "the user says nothing to compare the reply's language with"

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Tell the language of every turn and compare."""
        told = [(number, turn.role, language_of(turn.content)) for number, turn in subject.numbered]
        spoken = next((language for _, role, language in told if role == "user" and language), None)
        by_user = spoken is not None
        verdicts = []
        unknown = 0
        for number, role, language in told:
            if role == "user":
                spoken = language or spoken
                continue
            if language is None:
                unknown += 1
                continue
            if spoken is None:
                # There is nothing yet that it could be another language than.
                spoken = language
                continue
            same = language == spoken
            before = "the user writes" if by_user else "it began in"
            reason = "" if same else f"in {NAMES[language]}, and {before} {NAMES[spoken]}"
            verdicts.append(Verdict(turn=number, passed=same, word=NAMES[language], reason=reason))
            spoken = spoken if by_user else language
        found = share_finding(verdicts, {}, good="keep to the language", bad="switch the language")
        return replace(found, reason=_with_unknown(found.reason, unknown)) if unknown else found


def _with_unknown(reason: str, unknown: int) -> str:
    """Say of how many replies the language is not told, so that nobody takes them for judged."""
    are = "reply is" if unknown == 1 else "replies are"
    return f"{reason.rstrip('.')}. {unknown} {are} too short or too mixed to tell."


_NO_PROSE = re.compile(r"```.*?(?:```|\Z)|`[^`]*`|https?://\S+", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SCRIPTS = {
    "ja": r"\u3040-\u30ff",
    "ko": r"\uac00-\ud7af\u1100-\u11ff",
    "zh": r"\u3400-\u9fff",
    "th": r"\u0e00-\u0e7f",
    "hi": r"\u0900-\u097f",
    "ar": r"\u0600-\u06ff",
    "he": r"\u0590-\u05ff",
    "el": r"\u0370-\u03ff",
    "ru": r"\u0400-\u04ff",
}
"""A language for each script that is not Latin: which of several that share it is not told apart."""
_LETTERS = {name: re.compile(f"[{letters}]") for name, letters in _SCRIPTS.items()}
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_COMMON = {
    "en": (
        "the and you your is are was to of for in on it that this with i i'm i'd do can have please will not "
        "my from like a at be we"
    ),
    "de": "der die das und ist sie ich nicht ein eine zu den mit für auf wir ihnen ihr wie was kann haben",
    "fr": "le la les et est vous je des une un pas pour que dans nous avec votre qui sur ce au mon bonjour",
    "es": "el la los las y es que de en un una no por para con su usted mi me lo como está gracias puede",
    "it": "il lo gli e è che di un una non per con sono mi del della come questo posso grazie può alla suo",
    "pt": "o os as e é que de em um uma não por para com você seu meu do da como obrigado pode está no",
    "nl": "de het een en is van ik je niet dat op voor met u uw zijn wat kan hebben naar aan wij graag",
    "pl": "i w na nie się jest to że z do jak proszę czy dla pan pani mam mój ale są o za tak może",
    "sv": "och det att är jag en ett som på du inte för med har vi kan till av din min hur tack den",
    "da": "og det at er jeg en et som på du ikke for med har vi kan til af din min hvordan tak den",
    "tr": "ve bir bu için ne ben siz mi mı çok var değil ile da de lütfen nasıl benim olarak daha",
}
NAMES = {
    "ar": "Arabic",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "sv": "Swedish",
    "th": "Thai",
    "tr": "Turkish",
    "zh": "Chinese",
}
"""What the languages that are told apart are called."""
_LEAST_HITS = 2
_AHEAD = 1.25
_OF_SCRIPT = 0.5


def language_of(text: str) -> str | None:
    """Return the language of a text as two letters; None where it is too short or too mixed to tell.

    Known by their common words: English, German, French, Spanish, Italian, Portuguese, Dutch, Polish,
    Swedish, Danish, Turkish; by their script: Japanese, Korean, Chinese, Thai, Hindi, Arabic, Hebrew, Greek,
    and Russian for all that is written in Cyrillic. Code, addresses and numbers do not count.
    """
    # What has an @ inside it is an address.
    prose = " ".join(word for word in _NO_PROSE.sub(" ", text).split() if "@" not in word[1:-1])
    counts = {name: len(letters.findall(prose)) for name, letters in _LETTERS.items()}
    latin = len(_LATIN.findall(prose))
    total = latin + sum(counts.values())
    if not total:
        return None
    if latin / total > _OF_SCRIPT:
        return _latin_language(prose)
    if counts["ja"] and counts["ja"] + counts["zh"] > _OF_SCRIPT * total:
        # Japanese writes Chinese characters between its own.
        return "ja"
    name = max(counts, key=counts.__getitem__)
    return name if counts[name] > _OF_SCRIPT * total else None


def _latin_language(prose: str) -> str | None:
    words = Counter(_WORD.findall(prose.casefold()))
    hits = {name: sum(words[word] for word in common) for name, common in _common_words().items()}
    first, second = sorted(hits, key=hits.__getitem__, reverse=True)[:2]
    return first if hits[first] >= _LEAST_HITS and hits[first] >= _AHEAD * hits[second] else None


@cache
def _common_words() -> dict[str, list[str]]:
    return {name: words.split() for name, words in _COMMON.items()}
