"""Cues: words by which users and chatbots show how a conversation goes, in four languages."""

from __future__ import annotations

import re
from collections.abc import Mapping


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
"""What users write who lose patience, by what it shows."""

CLOSING = _any(
    r"\b(?:thank(?:s| you)|thx|cheers|bye|goodbye|that(?:'s| is| will be|'ll be) (?:all|everything|it)|"
    r"have a (?:great|good|nice)|take care|nothing else|no,? that'?s|perfect|sounds good)\b",
    r"\b(?:danke|tschüss|auf wiedersehen|das war'?s|merci|au revoir|c'est tout|gracias|adiós|eso es todo)\b",
)
"""What users write who are done."""

STILL_OPEN = _any(
    r"\b(?:still|but|however|doesn't work|does not work|not working|didn't work|no luck|hasn't|haven't)\b",
    r"\b(?:immer noch|aber|geht nicht|funktioniert nicht|toujours pas|mais|todavía|pero|no funciona)\b",
)
"""What takes back a closing word."""

PROMISE = _any(
    r"\b(?:i'll|i will|we'll|we will|let me) (?:\w+ )?(?:look into|check|get back|find out|come back|"
    r"follow up|be in touch)",
    r"\b(?:one|just a|hold on a?|please wait a?) ?(?:moment|second|minute)\b|\bplease (?:hold|wait)\b",
    r"\b(?:ich (?:werde|schaue|prüfe|melde)|einen moment|un instant|je vais vérifier|un momento|voy a)\b",
)
"""What chatbots write that have yet to do it."""

FAILURE = _any(
    r"\b(?:i'm|i am|we're|we are) (?:\w+ )?(?:unable|not able) to\b",
    r"\bi (?:can't|cannot|can not|couldn't) (?!wait)",
    r"\b(?:an error|went wrong|try again later|not possible|isn't possible|not (?:allowed|eligible))\b",
    r"\b(?:leider (?:kann|ist)|nicht möglich|je ne peux pas|malheureusement|no puedo|lamentablemente)\b",
)
"""What chatbots write that could not do it."""

HANDED_OVER = _any(
    r"\btransferr?(?:ed|ring)?\b.{0,60}\b(?:human|agent|specialist|representative|team|colleague)",
    r"\b(?:hand|pass|connect)(?:ed|ing)?\b.{0,40}\b(?:to|with) (?:an? |our )?"
    r"(?:human|agent|specialist|colleague)",
)
"""What chatbots write that leave it to a person."""

OFFER = _any(
    r"\b(?:anything|something|what) else\b|\bother (?:questions|ways|requests)\b|\bfurther (?:help|assist)",
    r"\b(?:help|assist)(?: you)? (?:further|more)\b|\bhow (?:else )?(?:can|may) i (?:help|assist)",
    r"\b(?:noch etwas|sonst noch|autre chose|algo más)\b",
)
"""A last question that asks for nothing that is needed."""


HANDING_TOOL = re.compile(r"transfer|hand_?(?:off|over)|escalat|human|live_?agent", re.IGNORECASE)
"""Names of tools by which a chatbot leaves it to a person."""

_STOP_MARK = re.compile(r"(?:#{2,}|<+|\[+)\s*[A-Z_]{3,}\s*(?:#{2,}|>+|\]+)")
"""What simulated users write to end a conversation, such as ###STOP###."""


def plain_words(text: str) -> str:
    """Return a text as cues are written: one kind of apostrophe, and no mark that ends a simulation."""
    return _STOP_MARK.sub(" ", _APOSTROPHE.sub("'", text)).strip()
