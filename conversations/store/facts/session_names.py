"""Names of sessions: a title, or else the first words of the user, else of the chatbot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from turnwise.conversations.store.facts.search import SOURCE_KEYS

if TYPE_CHECKING:
    from turnwise.conversations.cases import ConversationalTestCase
    from turnwise.conversations.turns import Role

NAME_LENGTH = 300
"""The most characters of a name that is kept; lists cut it to the room they have."""
_LOOKED_AT = 600
_TURNS_LOOKED_AT = 6
_MOST_GREETINGS = 4
_GREETINGS = (
    *("hello", "hi", "hiya", "hey+", "howdy", "greetings", "yo", "good (?:morning|afternoon|evening|day)"),
    *("dear (?:sir|madam|team|all|support)(?: or (?:sir|madam))?", "to whom it may concern", "welcome"),
    *("hallo", "guten (?:tag|morgen|abend)", "servus", "moin(?: moin)?", "gr(?:ü|ue)(?:ß|ss) (?:gott|dich)"),
    *("gr(?:ü|ue)ezi", "sehr geehrte damen und herren", "liebes team"),
    *("bonjour", "bonsoir", "salut", "coucou", "hola", "buen(?:os|as) (?:d[ií]as|tardes|noches)", "buenas"),
    *("ciao", "buon ?giorno", "buona ?sera", "salve", "ol[aá]", "oi", "bo[ma] (?:dia|tarde|noite)"),
    *("hoi", "goede(?:n| )?(?:dag|morgen|middag|avond)", "hej(?:san)?", "hei", "moi", "god (?:dag|morgon)"),
    *("cześć", "dzień dobry", "ahoj", "dobrý den", "szia", "jó napot(?: kívánok)?", "bună(?: ziua)?"),
    *("merhaba", "selam", "halo", "selamat (?:pagi|siang|sore|malam)", "xin chào", "γει[αά](?: σ(?:ας|ου))?"),
    *("привет", "здравствуйте", "добрый (?:день|вечер)", "доброе утро", "привіт", "добрий день", "вітаю"),
    *("مرحبا", "السلام عليكم", "שלום", "नमस्ते"),
)
_BESIDE = (
    *("there", "all", "everyone", "everybody", "team", "again", "sir", "madam", "zusammen", "nochmal"),
    *("à tous", "a todos", "how are you(?: doing)?(?: today)?", "how's it going", "wie geht(?:'s| es dir)?"),
    *("comment (?:ça va|allez-vous)", "ça va", "qué tal", "cómo est[aá]s", "come (?:stai|va)", "tudo bem"),
)
_AFTER = r"(?:[\s,.!?…:;–—~)(-]|$)+"
_GREETING = re.compile(
    rf"[^\w]*(?:(?:{'|'.join(_GREETINGS)})(?:[\s,]+(?:{'|'.join(_BESIDE)}))?{_AFTER}"
    # Where words are not parted, nothing needs to follow.
    rf"|(?:{'|'.join(_BESIDE)}){_AFTER}|(?:こんにちは|こんばんは|おはよう(?:ございます)?|もしもし|[你您]好|안녕(?:하세요|하십니까)?)"
    r"[\s、。，！!,.]*)",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(r"<[^<>\n]{1,60}>")
"""What exports write in the place of a picture or a voice message, such as <Media omitted>."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_UNPARTED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FEWEST_UNPARTED = 4


def session_name(case: ConversationalTestCase) -> str:
    """Return a conversation's name, or else the first words of its user that tell something, on one line.

    A greeting tells nothing: the words after it do, or those of a later turn. Where nothing does, the first
    words are the name. Where the user says nothing, the chatbot's first words are. A name that is the id of
    its source stays with the metadata, and is told only where none of the user's words tells anything.
    """
    if case.name and not _is_id(case):
        return short_name(case.name)
    said = list(islice(_said(case, "user"), _TURNS_LOOKED_AT))
    telling = next((words for text in said if (words := telling_words(text))), "")
    words = next(iter(said), "") or next(_said(case, "assistant"), "")
    return short_name(telling or case.name or words or "empty conversation")


def short_name(name: str) -> str:
    """Return a name on one line, cut where it is as long as a text."""
    line = " ".join(name.split())
    return line if len(line) <= NAME_LENGTH else line[: NAME_LENGTH - 1] + "…"


def telling_words(text: str) -> str:
    """Return a text without the greeting that it begins with; empty where too little is left to tell by."""
    rest = text.strip()[:_LOOKED_AT]
    if _PLACEHOLDER.fullmatch(rest):
        return ""
    greeted = False
    for _ in range(_MOST_GREETINGS):
        if not (found := _GREETING.match(rest)):
            break
        greeted = True
        rest = rest[found.end() :]
    if not greeted:
        return rest
    tells = len(_WORD.findall(rest)) > 1 or len(_UNPARTED.findall(rest)) >= _FEWEST_UNPARTED
    return rest if tells else ""


def _is_id(case: ConversationalTestCase) -> bool:
    """Whether the name is an id that the metadata hold too; one of several words is a title nonetheless."""
    name, metadata = case.name or "", case.metadata or {}
    return " " not in name.strip() and any(
        str(metadata[key]) == name for key in SOURCE_KEYS if key in metadata
    )


def _said(case: ConversationalTestCase, role: Role) -> Iterator[str]:
    return (turn.content for turn in case.turns if turn.role == role and turn.content.strip())
