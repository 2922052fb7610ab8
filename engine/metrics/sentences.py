"""Sentences: a reply cut into statements that can be judged one by one, the same way every time."""

from __future__ import annotations

import re

_FENCE = re.compile(r"(```.*?(?:```|\Z))", re.DOTALL)
_ABBREVIATIONS = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "st",
        "no",
        "nr",
        "vs",
        "etc",
        "e.g",
        "i.e",
        "approx",
        "dept",
        "fig",
        "inc",
        "ltd",
        "a.m",
        "p.m",
        "u.s",
    ]
)
_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9¿¡*_`])|(?<=[。！？])")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")


def split_sentences(text: str, *, most: int = 40) -> list[str]:
    """Return the statements of a text: sentences, list items and table rows; a code block is one of them.

    most: further statements are joined to the last, so that no reply makes an endless question.
    """
    pieces: list[str] = []
    for part in _FENCE.split(text):
        if part.startswith("```"):
            pieces.append(part.strip())
            continue
        for line in part.splitlines():
            pieces += _sentences_of(_BULLET.sub("", line).strip())
    found = [piece for piece in pieces if re.search(r"\w", piece)]
    return found if len(found) <= most else [*found[: most - 1], " ".join(found[most - 1 :])]


def _sentences_of(line: str) -> list[str]:
    sentences: list[str] = []
    for piece in _END.split(line):
        if not piece or not piece.strip():
            continue
        before = sentences[-1].rstrip(".").rsplit(None, 1)[-1].lower() if sentences else ""
        if before in _ABBREVIATIONS and sentences[-1].endswith("."):
            sentences[-1] = f"{sentences[-1]} {piece.strip()}"
        else:
            sentences.append(piece.strip())
    return sentences
