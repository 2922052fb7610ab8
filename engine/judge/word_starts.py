"""Word starts: how the words begin without which a pattern matches nowhere.

To look for these first is a hundred times quicker than to search with a pattern of a hundred alternatives,
and almost no sentence of a conversation has any of them. What is found here is never too narrow: where a
pattern may match without a word that is known, nothing is told of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from itertools import product
from typing import Any

# The parser and its constants have no public names; the standard library has had them under these since 3.11.
_parser: Any = import_module("re._parser")
_codes: Any = import_module("re._constants")

_LONGEST = 5
"""Of a longer word its first so many letters are looked for."""
_SHORTEST = 2
_FREQUENT = frozenset(
    re.findall(
        r"\w+",
        "a all an and any are as at be by can for from has have here how i if in is it its just may "
        "my need no not of on one only or our please should so that the then they this to up was we "
        "what who will with you your",
    )
)
_MOST = 400
"""A part of a pattern that stands for more texts than this is not spelled out."""
_UNKNOWN = "\0"
"""Stands in a text for letters that may stand before what follows, so that no word begins there."""
_ENDED = "\1"
"""Stands in a text where a word is known to end."""
_WORD = re.compile(r"[\w\0]+")
_PLAIN = re.compile(r"[\x00-\xb4\xb6-\xff\u2010-\u203a]*")
"""Texts of the Latin alphabet, without letters that have a second small or capital form, such as µ."""

Starts = frozenset[str]


# A sentence is held against many patterns in a row.
@lru_cache(maxsize=256)
def word_starts(text: str) -> Starts | None:
    """Return the words of a text and what they begin with, in small letters; None where it tells nothing."""
    if not _PLAIN.fullmatch(text):
        return None
    words = set(re.findall(r"\w+", text.lower()))
    return frozenset(
        words.union(*({word[:size] for word in words} for size in range(_SHORTEST, _LONGEST + 1)))
    )


def needed_starts(pattern: str) -> Starts | None:
    """Return what a text without other scripts has among its word starts wherever a pattern matches in it.

    The pattern is one that ignores the case. None where it may match without any word that is known.
    """
    found, _ = _of_sequence(list(_parser.parse(pattern, re.IGNORECASE)), at_start=False)
    return found


_Item = tuple[Any, Any]


def _of_sequence(items: Sequence[_Item], *, at_start: bool) -> tuple[Starts | None, bool]:
    """Return what one part after another needs, and whether a word can only begin behind them.

    at_start: whether a word can only begin before them.
    """
    best: Starts | None = None
    run = {"" if at_start else _UNKNOWN}
    for item in items:
        spelled = _spelled(item)
        if spelled is not None and len(run) * len(spelled) <= _MOST:
            run = {before + text for before, text in product(run, spelled)}
        elif item[0] is _codes.ASSERT_NOT:
            run = {"" if text == _UNKNOWN else text for text in run}
        elif item[0] is _codes.AT:
            run = {_bordered(text, item[1]) for text in run}
        else:
            best = _better(best, _of_texts(run))
            starts = all(map(_may_begin, run))
            if spelled is not None:
                run = {("" if starts else _UNKNOWN) + text for text in spelled}
                continue
            found, ends = _of_item(item, at_start=starts)
            best = _better(best, found)
            run = {"" if ends else _UNKNOWN}
    return _better(best, _of_texts(run)), all(map(_may_begin, run))


def _of_item(item: _Item, *, at_start: bool) -> tuple[Starts | None, bool]:
    """Return the same of one part of a pattern."""
    code, value = item
    if code is _codes.SUBPATTERN:
        return _of_sequence(list(value[-1]), at_start=at_start)
    if code is _codes.BRANCH:
        each = [_of_sequence(list(branch), at_start=at_start) for branch in value[1]]
        known = [found for found, _ in each if found is not None]
        union = frozenset[str]().union(*known) if len(known) == len(each) else None
        return union, all(ends for _, ends in each)
    if code in (_codes.MAX_REPEAT, _codes.MIN_REPEAT):
        least, _, repeated = value
        found, _ = _of_sequence(list(repeated), at_start=at_start)
        # The last time may follow another one.
        _, ends = _of_sequence(list(repeated), at_start=False)
        return (found, ends) if least else (None, at_start and ends)
    return None, _is_no_letter(item)


def _is_no_letter(item: _Item) -> bool:
    """Whether a part of a pattern stands for one character that belongs to no word."""
    code, value = item
    if code is _codes.IN:
        return all(map(_is_no_letter, value))
    if code is _codes.CATEGORY:
        return value in (_codes.CATEGORY_NOT_WORD, _codes.CATEGORY_SPACE)
    return bool(code is _codes.LITERAL and not _WORD.match(chr(value)))


def _spelled(item: _Item) -> set[str] | None:
    """Return all texts that a part of a pattern stands for, in small letters; None for too many of them."""
    code, value = item
    if code is _codes.LITERAL:
        return {chr(value).lower()}
    if code is _codes.IN and all(one is _codes.LITERAL for one, _ in value):
        return {chr(one).lower() for _, one in value}
    if code is _codes.SUBPATTERN:
        return _spelled_in_a_row(list(value[-1]))
    if code is _codes.BRANCH:
        each = [_spelled_in_a_row(list(branch)) for branch in value[1]]
        known = [texts for texts in each if texts is not None]
        joined = set[str]().union(*known)
        return joined if len(known) == len(each) and len(joined) <= _MOST else None
    if code in (_codes.MAX_REPEAT, _codes.MIN_REPEAT) and value[1] == 1:
        once = _spelled_in_a_row(list(value[2]))
        return once if once is None or value[0] else {"", *once}
    if code is _codes.ASSERT or (code is _codes.ASSERT_NOT and not _is_border(value)):
        # It takes no text.
        return {""}
    return None


def _spelled_in_a_row(items: Iterable[_Item]) -> set[str] | None:
    texts = {""}
    for item in items:
        spelled = _spelled(item)
        if spelled is None or len(texts) * len(spelled) > _MOST:
            return None
        texts = {before + text for before, text in product(texts, spelled)}
    return texts


def _is_border(value: tuple[int, Iterable[_Item]]) -> bool:
    """Whether what may not stand before a place, or behind it, says that a letter there begins a word."""
    direction, behind = value
    inner = list(behind)
    if direction > 0 or len(inner) != 1 or inner[0][0] is not _codes.IN:
        return False
    characters = inner[0][1]
    return (_codes.CATEGORY, _codes.CATEGORY_WORD) in characters and characters[0][0] is not _codes.NEGATE


def _bordered(text: str, border: Any) -> str:
    """Return a text with what a border behind it tells: that its word ends, or that one may begin."""
    if border in (_codes.AT_BEGINNING, _codes.AT_BEGINNING_STRING) or (
        text == _UNKNOWN and border is _codes.AT_BOUNDARY
    ):
        return ""
    return text + _ENDED if border is _codes.AT_BOUNDARY and text and not _may_begin(text) else text


def _may_begin(text: str) -> bool:
    """Whether behind a text a letter begins a word."""
    return not text or not _WORD.match(text[-1])


def _of_texts(texts: Iterable[str]) -> Starts | None:
    """Return the best start of each text that has no other scripts; None where one of them has no word."""
    found = set()
    for text in texts:
        if not _PLAIN.fullmatch(text):
            continue
        words = [word for word in _WORD.finditer(text) if _UNKNOWN not in word[0]]
        # The last word may go on behind the text.
        whole = {word[0] for word in words if word.end() < len(text)}
        begun = {
            word[0][:_LONGEST] for word in words if word.end() == len(text) and len(word[0]) >= _SHORTEST
        }
        if not whole and not begun:
            return None
        found.add(min(sorted(whole | begun), key=_frequency))
    return frozenset(found)


def _better(one: Starts | None, other: Starts | None) -> Starts | None:
    """Return those starts of two that fewer texts have."""
    known = [starts for starts in (one, other) if starts is not None]
    return min(known, key=lambda starts: sum(map(_frequency, starts)), default=None)


def _frequency(start: str) -> float:
    """Estimate in what part of all sentences a word or the start of one is."""
    return 0.3 if start in _FREQUENT else 0.35 ** len(start)
