"""Content words: what a text says something with, as folded words that can be compared without a judge."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FUNCTION_WORDS = """
a an the and or but if nor so of to in on at for with by from as into onto about over after before
between through during up down out off again further once per via is are was were be been being am
do does did have has had having will would can could should may might must shall not no yes than
then there here this that these those it its itself i you he she we they me him her us them my your
his our their mine yours what which who whom whose when where why how all any both each few more
most other another some such only own same too very just also please however therefore thus well
while though although because since let
"""
_STOP_WORDS = frozenset(_FUNCTION_WORDS.split())
_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]")
"""Kana, Chinese characters and Thai, which are written without spaces between words."""
_POSSESSIVE = re.compile(r"['’]s?$")
_CONTRACTED = re.compile(r"(?:n['’]t|['’][^\W\d_]+)$")
_ENDINGS = ("ing", "ies", "ed", "es", "ly", "s")
_SHORTEST_STEM = 3

Word = tuple[str, str]
"""A word in the form in which it is compared, and as it is written in the text."""


def content_words(text: str) -> list[Word]:
    """Return the words, numbers and names of a text in their order, without English function words.

    Words are folded: no capitals, no English ending, no separators in thousands. A run of a script without
    spaces counts as its pairs of characters.
    """
    return [word for word in _words(text) if _CONTRACTED.sub("", word[1].casefold()) not in _STOP_WORDS]


def _words(text: str) -> Iterator[Word]:
    for found in _WORD.finditer(text):
        written = found[0]
        if written[0].isdigit():
            yield re.sub(r",(?=\d{3}\b)", "", written), written
        elif _SPACELESS.search(written):
            pairs = [written[start : start + 2] for start in range(len(written) - 1)]
            yield from ((pair, pair) for pair in pairs or [written])
        else:
            yield _folded(written.casefold()), written


def _folded(word: str) -> str:
    word = _POSSESSIVE.sub("", word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word
