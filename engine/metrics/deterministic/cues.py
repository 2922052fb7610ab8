"""Cues: words by which users and chatbots show how a conversation goes, and the checks that look for them.

The patterns are for English, German, French and Spanish.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.deterministic.repetition import likeness, runs, text_words
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.statements import split_sentences
from turnwise.engine.metrics.subject import (
    AFTER_REPLY,
    Subject,
    no_turn_after_reply_words,
    user_turns_after_reply,
)
from turnwise.engine.metrics.verdicts import share_finding


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_APOSTROPHE = re.compile("[’ʼ`´]")

FRUSTRATION: Mapping[str, re.Pattern[str]] = {
    "says that it was not understood": _any(
        r"\bthat'?s not what i (?:asked|said|meant|want)",
        r"\byou(?:'re| are) not (?:listening|understanding|getting)",
        r"\byou (?:don't|do not|didn't|did not) (?:understand|listen|answer|read)",
        r"\b(?:das habe? ich nicht|danach habe ich nicht|sie verstehen (?:mich )?nicht|du verstehst)",
        r"\b(?:ce n'est pas ce que j|vous ne comprenez pas|eso no es lo que|no me entiendes|no entiende)",
    ),
    "has to say it again": _any(
        r"\b(?:as i|i)(?: have|'ve)? (?:already |just )+(?:said|told|gave|given|mentioned|explained|asked)",
        r"\bi(?:'ve| have)? (?:told|asked|said)\b.{0,20}\b(?:twice|again|before|times|already)",
        r"\bfor the (?:second|third|last|\w+th) time\b|\bhow many times\b|\bagain\?!",
        r"\b(?:habe? ich (?:doch |schon |bereits )+gesagt|zum (?:zweiten|dritten|letzten) mal)",
        r"\b(?:je (?:vous )?l'ai déjà dit|ya (?:te |le |se )?lo (?:he )?dij[eo])",
    ),
    "wants a person instead": _any(
        r"\b(?:speak|talk|connect|transfer|get) (?:me )?(?:to |with )?(?:an? |the |your )?(?:real |live )?"
        r"(?:human|person|manager|supervisor|representative|someone (?:else|real))",
        r"\b(?:echten menschen|mitarbeiter sprechen|parler à (?:un humain|quelqu'un)|hablar con una persona)",
    ),
    "scolds": _any(
        r"\b(?:useless|ridiculous|unacceptable|terrible|awful|pathetic|stupid|idiot\w*|wtf)\b",
        r"\bwaste of (?:my )?time\b",
        r"\b(?:this|it|that) (?:is|was)(?:n't| not) (?:\w+ )?(?:helpful|helping|good enough)\b",
        r"\bnot helpful\b|\b(?:frustrat\w+|annoy(?:ed|ing)|fed up|disappoint\w+)\b",
        r"\b(?:nutzlos|unverschämt|lächerlich|unmöglich!|inacceptable|inutile|inaceptable|inútil|ridículo)\b",
    ),
    "gives up": _any(
        r"\b(?:forget it|i give up|i'm done (?:here|with)|(?:never ?mind|whatever)[.!]*\s*$)",
        r"\b(?:vergiss es|vergessen sie es|laisse[zr]? tomber|olv[ií]d(?:alo|elo))",
    ),
}
"""What users write when they lose patience, by what it shows."""

CLOSING = _any(
    r"\b(?:thank(?:s| you)|thx|cheers|bye|goodbye|that(?:'s| is| will be|'ll be) (?:all|everything|it)|"
    r"have a (?:great|good|nice)|take care|nothing else|no,? that'?s|perfect|sounds good)\b",
    r"\b(?:danke|tschüss|auf wiedersehen|das war'?s|merci|au revoir|c'est tout|gracias|adiós|eso es todo)\b",
)
"""What users write when their matter is settled or they take leave."""

STILL_OPEN = _any(
    r"\b(?:still|but|however|doesn't work|does not work|not working|didn't work|no luck|hasn't|haven't)\b",
    r"\b(?:immer noch|aber|geht nicht|funktioniert nicht|toujours pas|mais|todavía|pero|no funciona)\b",
)
"""Words that show that the matter is open although a closing word was written."""

PROMISE = _any(
    r"\b(?:i'll|i will|we'll|we will|let me) (?:\w+ )?(?:look into|check|get back|find out|come back|"
    r"follow up|be in touch)",
    r"\b(?:one|just a|hold on a?|please wait a?) ?(?:moment|second|minute)\b|\bplease (?:hold|wait)\b",
    r"\b(?:ich (?:werde|schaue|prüfe|melde)|einen moment|un instant|je vais vérifier|un momento|voy a)\b",
)
"""What chatbots write when they promise to do something later."""

FAILURE = _any(
    r"\b(?:i'm|i am|we're|we are) (?:\w+ )?(?:unable|not able) to\b",
    r"\bi (?:can't|cannot|can not|couldn't) (?!wait)",
    r"\b(?:an error|went wrong|try again later|not possible|isn't possible|not (?:allowed|eligible))\b",
    r"\b(?:leider (?:kann|ist)|nicht möglich|je ne peux pas|malheureusement|no puedo|lamentablemente)\b",
)
"""What chatbots write when they could not do what was asked."""

HANDED_OVER = _any(
    r"\btransferr?(?:ed|ring)?\b.{0,60}\b(?:human|agent|specialist|representative|team|colleague)",
    r"\b(?:hand|pass|connect)(?:ed|ing)?\b.{0,40}\b(?:to|with) (?:an? |our )?"
    r"(?:human|agent|specialist|colleague)",
)
"""What chatbots write when they hand the matter over to a person."""

OFFER = _any(
    r"\b(?:anything|something|what) else\b|\bother (?:questions|ways|requests)\b|\bfurther (?:help|assist)",
    r"\b(?:help|assist)(?: you)? (?:further|more)\b|\bhow (?:else )?(?:can|may) i (?:help|assist)",
    r"\b(?:noch etwas|sonst noch|autre chose|algo más)\b",
)
"""An offer of further help, which needs no answer although it is a question."""


HANDING_TOOL = re.compile(r"transfer|hand_?(?:off|over)|escalat|human|live_?agent", re.IGNORECASE)
"""The names of tools by which a chatbot hands the matter over to a person."""

_STOP_MARK = re.compile(r"(?:(?<!#)#{2,}+|(?<!<)<++|(?<!\[)\[++)\s*[A-Z_]{3,}\s*(?:#{2,}|>+|\]+)")
"""What simulated users write to end a conversation, such as ###STOP###."""


def plain_words(text: str) -> str:
    """Return a text as cues expect it: one kind of apostrophe, no marks that end a simulation."""
    return _STOP_MARK.sub(" ", _APOSTROPHE.sub("'", text)).strip()


_MARKS = re.compile(r"[!?]{3,}|[?!]*(?:\?!|!\?)[?!]*")
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_LEAST_SHOUTED = 3
_SAME = 0.8
_LEAST_WORDS = 4


@dataclass(kw_only=True, eq=False)
class FrustrationCuesMetric(Metric):
    """Whether the user's turns are free of the words and marks of lost patience.

    Cues: complaints of not being understood or of having to say it again, the wish for a person, scolding,
    giving up (in English, German, French and Spanish), the same message again, shouting, rows of ! and ?.
    The judged metric beside it is user_frustration.
    """

    key: ClassVar[str] = "frustration_cues"
    version: ClassVar[int] = 2
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula="user turns without a cue / user turns after the chatbot's first reply",
        source="turnwise",
        empty="a conversation in which the user says nothing after a reply is skipped",
        calls="none",
    )

    def lacks(self, subject: Subject) -> str:
        """Skip also where the user says nothing after the first reply: nothing was looked at."""
        return super().lacks(subject) or no_turn_after_reply_words(subject)

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Look for cues in every user turn after the first reply."""
        said: list[tuple[int, Counter[tuple[str, ...]]]] = []
        judged = {number for number, _ in user_turns_after_reply(subject)}
        verdicts = []
        for number, turn in subject.numbered:
            if turn.role != "user" or not turn.content.strip():
                continue
            words = text_words(turn.content)
            bag = Counter(runs(words, 3))
            long = len(words) >= _LEAST_WORDS
            again = next((earlier for earlier, one in said if long and likeness(bag, one) >= _SAME), None)
            said.append((number, bag))
            if number in judged:
                cue = frustration_cue(turn.content) or (f"says turn {again} again" if again else "")
                verdicts.append(
                    Verdict(turn=number, passed=not cue, word="cue" if cue else "none", reason=cue)
                )
        return share_finding(
            verdicts,
            {},
            good="are without a cue",
            bad="show lost patience",
            noun="user turn",
            which=AFTER_REPLY,
        )


def frustration_cue(text: str) -> str:
    """Return what in a user's turn shows lost patience, in words; empty where nothing does."""
    plain = plain_words(text)
    if found := next((cue for cue, pattern in FRUSTRATION.items() if pattern.search(plain)), ""):
        return found
    if _MARKS.search(plain):
        return "writes rows of marks"
    letters = [letter for letter in plain if letter.isalpha()]
    shouted = len(_CAPITALS.findall(plain)) >= _LEAST_SHOUTED
    if shouted and sum(letter.isupper() for letter in letters) > len(letters) / 2:
        return "shouts in capitals"
    return ""


_SETTLED, _IN_PART, _OPEN = 1.0, 0.5, 0.0

SpokenTurn = tuple[int, str, str]
"""A turn's number, who speaks, and the words."""


@dataclass(kw_only=True, eq=False)
class UnresolvedCuesMetric(Metric):
    """Whether the last turns are free of signs that the user's matter was left open.

    Signs: the user's last turn has no answer or gives up; the last reply only promises, failed, or asks
    what nobody answered. The judged metric beside it is unresolved_ending.
    """

    key: ClassVar[str] = "unresolved_cues"
    version: ClassVar[int] = 2
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula=(
            "1 without a sign of an open end; 0.5 where the user takes leave although the last reply only "
            "promised or failed, where it was handed over to a person, and where the chatbot's last act is "
            "a tool call; 0 with a sign"
        ),
        source="turnwise; cues in English, German, French and Spanish",
        empty="a conversation in which the user never spoke is skipped",
        calls="none",
        range="0, 0.5 or 1",
    )

    def lacks(self, subject: Subject) -> str:
        """Skip also where the user never spoke: there is no matter that could be left open."""
        if lacking := super().lacks(subject):
            return lacking
        return "" if any(role == "user" for _, role, _ in _said(subject)) else "the user never spoke"

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Read the last turns."""
        said = _said(subject)
        last, done = subject.numbered[-1]
        if done.tools_called and not plain_words(done.content):
            names = " ".join(call.name for call in done.tools_called)
            act = "hands over to a person" if HANDING_TOOL.search(names) else "uses a tool and says nothing"
            score, turn, what = _IN_PART, last, f"the chatbot {act}"
        else:
            score, turn, what = _ending(said)
        word = {_SETTLED: "settled", _IN_PART: "partly", _OPEN: "open"}[score]
        verdict = Verdict(turn=turn, passed=score >= _IN_PART, word=word, reason=what)
        return Finding(score=score, reason=f"At the end {what} (turn {turn}).", verdicts=[verdict])


def _said(subject: Subject) -> list[SpokenTurn]:
    return [
        (number, turn.role, words)
        for number, turn in subject.numbered
        if (words := plain_words(turn.content))
    ]


def _ending(said: Sequence[SpokenTurn]) -> tuple[float, int, str]:
    """Return the score, the turn that decides it, and what happens there."""
    number, role, words = said[-1]
    users = [text for _, who, text in said if who == "user"]
    reply = next(((turn, text) for turn, who, text in reversed(said) if who == "assistant"), None)
    if role == "user":
        if frustration_cue(words):
            return _OPEN, number, f"the user {frustration_cue(words)}"
        if reply is None or not CLOSING.search(words) or STILL_OPEN.search(words):
            return _OPEN, number, "the user's last turn has no answer"
        left = _left_open(reply[1], asked=False)
        return (_IN_PART, reply[0], left) if left else (_SETTLED, number, "the user takes leave")
    if HANDED_OVER.search(words):
        return _IN_PART, number, "the chatbot hands over to a person"
    if CLOSING.search(users[-1]) and not STILL_OPEN.search(users[-1]):
        return _SETTLED, number, "the user takes leave and the chatbot answers"
    left = _left_open(words, asked=True)
    return (_OPEN, number, left) if left else (_SETTLED, number, "the chatbot answers")


def _left_open(reply: str, *, asked: bool) -> str:
    """Say how a last reply leaves the matter open; empty if it does not. asked: whether a question does."""
    if HANDED_OVER.search(reply):
        return "the chatbot hands over to a person"
    if FAILURE.search(reply):
        return "the chatbot says that it could not do it"
    if PROMISE.search(reply):
        return "the chatbot only promises"
    last = (split_sentences(reply) or [""])[-1]
    if asked and last.rstrip(" *_)\"'").endswith(("?", "？", "؟")) and not OFFER.search(last):
        return "the chatbot asks, and nobody answers"
    return ""
