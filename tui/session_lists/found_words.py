"""Found words: where the words of a search stand in a text, as the search itself sees them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from turnwise.conversations.store import terms_of


@dataclass(frozen=True, slots=True)
class SoughtWords:
    """What a filter searches for. in_names: words and phrases that are marked in names, those of no scope.

    in_turns: all of them, each with the roles of the turns in which it is searched for.
    """

    in_names: tuple[str, ...] = ()
    in_turns: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @classmethod
    def by(cls, query: str) -> SoughtWords:
        """Return what a query searches for."""
        terms = [term for term in terms_of(query) if term.words]
        return cls(
            tuple(term.words for term in terms if not term.is_scoped),
            tuple((term.words, term.roles) for term in terms),
        )

    def __bool__(self) -> bool:
        """Whether it searches for any words."""
        return bool(self.in_turns)

    def in_turns_of(self, role: str) -> list[str]:
        """Return the words that are searched for in the turns of a role."""
        return [words for words, roles in self.in_turns if role in roles]


NOTHING_SOUGHT = SoughtWords()


@lru_cache(maxsize=4_096)
def _plain(char: str) -> str:
    """Return a letter small and without its accents, where that is one letter too."""
    plain = "".join(
        one for one in unicodedata.normalize("NFD", char) if not unicodedata.combining(one)
    ).lower()
    return plain if len(plain) == 1 else char


def folded(text: str) -> str:
    """Return a text of the same length in small letters without accents."""
    if text.isascii():
        return text.lower()
    return "".join(map(_plain, text))


def found_spans(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return where the words and phrases stand, from start up to end, in order, none over another.

    A word is found where another word begins with it, a phrase where its last word may go on so.
    """
    plain = folded(text)
    spans = sorted(span for word in words for span in _places(plain, " ".join(folded(word).split())))
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
        elif end > kept[-1][1]:
            kept[-1] = (kept[-1][0], end)
    return kept


def _places(plain: str, word: str) -> Iterator[tuple[int, int]]:
    at = plain.find(word) if word else -1
    while at >= 0:
        if at == 0 or not (plain[at - 1].isalnum() and word[0].isalnum()):
            yield at, at + len(word)
        at = plain.find(word, at + len(word))


def split_at(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    """Return a text in pieces, each with whether it was found."""
    pieces: list[tuple[str, bool]] = []
    last = 0
    for start, end in spans:
        pieces += [(text[last:start], False), (text[start:end], True)]
        last = end
    return [piece for piece in (*pieces, (text[last:], False)) if piece[0]]
