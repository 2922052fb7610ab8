"""Word diff: which words of two texts differ, as spans of their drawn lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from rich.style import Style

from turnwise.tui.drawing.lines import Line, mark_selected

Spans = dict[int, list[tuple[int, int]]]
"""By line number, from 0: the characters (start, end) that differ, in order, none touching another."""

# Chinese and Japanese set no spaces between words, so each character counts as one.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+|[^\w\s]")
MOST_WORDS = 1_500
"""Words between what two texts begin and end with alike: comparing more would be felt."""
LEAST_SHARED = 0.3
"""A smaller share of words in common is chance, and marking the others would mark nearly all."""


def word_diff(a: Sequence[str], b: Sequence[str]) -> tuple[Spans, Spans] | None:
    """Return which words of the lines `a` are not in `b`, and the other way; line breaks do not count.

    None where the two share too little for single words to tell anything.
    """
    sides = [
        [(word[0], line, *word.span()) for line, text in enumerate(lines) for word in _WORD.finditer(text)]
        for lines in (a, b)
    ]
    words = [[word for word, *_ in side] for side in sides]
    start, end = _shared_ends(*words)
    inner = [side[start : len(side) - end] for side in words]
    if max(map(len, inner)) > MOST_WORDS:
        return None
    blocks = SequenceMatcher(None, inner[0], inner[1], autojunk=False).get_matching_blocks()
    shared = start + end + sum(block.size for block in blocks)
    if shared < LEAST_SHARED * max(map(len, words)):
        return None
    kept: tuple[set[int], set[int]] = set(), set()
    for block in blocks:
        kept[0].update(range(start + block.a, start + block.a + block.size))
        kept[1].update(range(start + block.b, start + block.b + block.size))
    spans: list[Spans] = []
    for side, same in zip(sides, kept, strict=True):
        middle = range(start, len(side) - end)
        spans.append(_spans(side, [place for place in middle if place not in same]))
    return spans[0], spans[1]


def emphasise(line: Line, spans: Sequence[tuple[int, int]], repeated: Style, differing: Style) -> Line:
    """Return a drawn line with these spans in one style and all else in the other."""
    place = 0
    for start, end in spans:
        if start > place:
            line = mark_selected(line, place, start, repeated)
        line = mark_selected(line, start, end, differing)
        place = end
    return mark_selected(line, place, -1, repeated)


def _shared_ends(a: Sequence[str], b: Sequence[str]) -> tuple[int, int]:
    """Return how many words both begin with, and how many more both end with."""
    most = min(len(a), len(b))
    start = 0
    while start < most and a[start] == b[start]:
        start += 1
    end = 0
    while end < most - start and a[-1 - end] == b[-1 - end]:
        end += 1
    return start, end


def _spans(words: Sequence[tuple[str, int, int, int]], places: Sequence[int]) -> Spans:
    """Return the words at these places as spans; neighbours with one space between them become one."""
    spans: Spans = {}
    before = -2
    for place in places:
        _, line, start, end = words[place]
        known = spans.setdefault(line, [])
        if known and place == before + 1 and start - known[-1][1] <= 1:
            known[-1] = (known[-1][0], end)
        else:
            known.append((start, end))
        before = place
    return spans
