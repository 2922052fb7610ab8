"""Pieces of XML in a text, and their elements as a tree, read as loosely as models write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

# fmt: off
_NAME_START = (
    ":_A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
# fmt: on
_NAME = f"[{_NAME_START}][{_NAME_START}\\-.0-9\u00b7\u0300-\u036f\u203f-\u2040]*"
_QUOTED = r""""[^"]*"|'[^']*'"""
_SKIPPED = (
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)"
    rf"|<!(?:{_QUOTED}|\[(?:{_QUOTED}|[^\]])*\]|[^>])*(?:>|\Z)"
)
_TAG = re.compile(
    rf"(?P<skipped>{_SKIPPED})|<(?P<closing>/?)(?P<name>{_NAME})(?P<rest>(?:{_QUOTED}|[^<>\"'])*)>", re.DOTALL
)
_TOKEN = re.compile(
    r"<!--.*?-->|<!\[CDATA\[(?P<data>.*?)\]\]>|<\?(?P<order>[^\s?]+)(?P<told>.*?)\?>"
    rf"|<![A-Za-z](?:{_QUOTED}|\[(?:{_QUOTED}|[^\]\"'])*\]|[^>\"'\[])*>"
    rf"|</[^>]*(?P<end>>)|<(?P<name>[^\s/>]*)(?P<rest>(?:{_QUOTED}|[^>\"'])*)>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?""")


@dataclass(slots=True)
class _Open:
    """An element whose end is still to come."""

    name: str
    entries: dict[str, Any] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)

    def put(self, name: str, value: Any) -> None:
        before = self.entries.get(name)
        if before is None:
            self.entries[name] = value
        elif isinstance(before, list):
            before.append(value)
        else:
            self.entries[name] = [before, value]

    def value(self) -> Any:
        words = "".join(self.texts).strip()
        if not self.entries:
            return words
        return {**self.entries, "#text": words} if words else self.entries


def tree_of(text: str) -> dict[str, Any]:
    """Return the elements of a text as nested dicts; of elements of one name, a list; of words, a text.

    Attributes have names like @_id, the words beside elements #text. A closing tag closes what is open.
    """
    stack = [_Open("")]
    place = 0
    for token in _TOKEN.finditer(text):
        stack[-1].texts.append(text[place : token.start()])
        place = token.end()
        if token["data"] is not None:
            stack[-1].texts.append(token["data"])
        elif token["order"] is not None:
            stack[-1].put(f"?{token['order']}", _attributes(token["told"]) or "")
        elif token["end"] is not None:
            if len(stack) > 1:
                _close(stack)
        elif token["name"] is not None:
            rest = token["rest"].rstrip()
            stack.append(_Open(token["name"], _attributes(rest.removesuffix("/"))))
            if rest.endswith("/"):
                _close(stack)
    while len(stack) > 1:
        _close(stack)
    return stack[0].entries


def _close(stack: list[_Open]) -> None:
    closed = stack.pop()
    stack[-1].put(closed.name, closed.value())


def _attributes(text: str) -> dict[str, Any]:
    return {f"@_{name}": one or other for name, one, other in _ATTRIBUTE.findall(text)}


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    parent: int | None


def pieces_of(text: str) -> Iterator[str]:
    """Yield the outermost pieces of a text that are opened and closed; first, those side by side as one."""
    found = list(_pieces(text))
    starts = {piece.start for piece in found}
    outer = [piece for piece in found if piece.parent is None or piece.parent not in starts]
    beside: dict[int | None, list[_Piece]] = {}
    for piece in outer:
        beside.setdefault(piece.parent, []).append(piece)
    spans = [
        (min(piece.start for piece in group), max(piece.end for piece in group))
        for group in beside.values()
        if len(group) > 1
    ]
    spans += sorted((piece.start, piece.end) for piece in outer)
    tried: list[tuple[int, int]] = []
    for begin, end in dict.fromkeys(spans):
        if not any(first <= begin and end <= last for first, last in tried):
            tried.append((begin, end))
            yield text[begin:end]


def _pieces(text: str) -> Iterator[_Piece]:
    waiting: list[tuple[str, int]] = []
    for tag in _TAG.finditer(text):
        if tag["skipped"] is not None:
            continue
        if tag["closing"]:
            if waiting and waiting[-1][0] == tag["name"]:
                start = waiting.pop()[1]
                yield _Piece(start, tag.end(), waiting[-1][1] if waiting else None)
            else:
                waiting.clear()
        elif tag["rest"].rstrip().endswith("/"):
            yield _Piece(*tag.span(), waiting[-1][1] if waiting else None)
        else:
            waiting.append((tag["name"], tag.start()))
