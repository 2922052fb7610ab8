"""Wrapping: text into lines of so many cells, lazily, so that a line of a megabyte costs what is shown."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from rich.cells import cell_len, set_cell_size, split_graphemes

_BETWEEN_ITEMS = "  "
"""Stands between the items of a line."""
ELLIPSIS = "…"
_SAMPLE = 2_000
_LONG = 50_000
# Two-cell characters, roughly: good enough to estimate a height that is corrected when it is drawn.
# Compiled once text is met that may hold them.
_WIDE = (
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\U0001f300-\U0003ffff]"
)


def wrap(text: str, width: int) -> Iterator[str]:
    """Yield `text` as lines of at most `width` cells, broken at spaces where there are any.

    Newlines in the text are kept, an empty text is one empty line. A number and its percent sign stay on one
    line where it has room for them. The text must be safe already. A character wider than `width` stands on
    a line of its own.
    """
    width = max(1, width)
    start = 0
    while True:
        end = text.find("\n", start)
        stop = len(text) if end < 0 else end
        yield from _wrap_line(text, start, stop, width)
        if end < 0:
            return
        start = end + 1


def _wrap_line(text: str, start: int, stop: int, width: int) -> Iterator[str]:
    while True:
        cut = _fitting(text, start, stop, width)
        if cut >= stop:
            yield text[start:stop]
            return
        if text[cut] != " " or _is_within_percentage(text, cut):
            space = text.rfind(" ", start, cut)
            while space > start and _is_within_percentage(text, space):
                space = text.rfind(" ", start, space)
            if space > start and text[start:space].strip():
                cut = space
        yield text[start:cut].rstrip(" ") or text[start:cut]
        start = cut
        # The spaces a line was broken at belong to the break.
        while start < stop and text[start] == " ":
            start += 1
        if start >= stop:
            return


def _is_within_percentage(text: str, space: int) -> bool:
    """Whether a space stands between a number and its percent sign."""
    return text[space + 1 : space + 2] == "%" and text[space - 1].isdigit()


def _fitting(text: str, start: int, stop: int, width: int) -> int:
    """Return how far from `start` the text fits into `width` cells, at least one character."""
    end = min(start + width, stop)
    piece = text[start:end]
    if piece.isascii() and (end >= stop or text[end].isascii()):
        return end
    size = width
    while True:
        piece = text[start : min(start + size, stop)]
        spans, cells = split_graphemes(piece)
        if cells > width:
            break
        if start + size >= stop:
            return stop
        # So much of it took no cell of its own that more may fit.
        size *= 2
    used = 0
    for first, _, taken in spans:
        used += taken
        if used > width and first:
            return start + first
    return start + len(piece)


def estimate_lines(text: str, width: int, limit: int) -> int:
    """Return about how many lines of `width` cells `text` takes, from 1 to `limit`; cheap and never exact."""
    width = max(1, width)
    share = 1.0
    is_ascii = text.isascii()
    if is_ascii and len(text) <= width and "\n" not in text:
        return min(1, limit)
    if not is_ascii:
        sample = text[:_SAMPLE]
        share += len(re.findall(_WIDE, sample)) / len(sample)
    if len(text) > _LONG:
        lines = max(text.count("\n") + 1, int(len(text) * share) // width + 1)
    else:
        lines = sum(max(1, -(-int(len(line) * share) // width)) for line in text.split("\n"))
    return min(lines, limit)


def fit(text: str, width: int, *, right: bool = False) -> str:
    """Return `text` in exactly `width` cells: padded on one side, or cut with an ellipsis."""
    if width <= 0:
        return ""
    cells = cell_len(text)
    if cells > width:
        return set_cell_size(text, width - 1) + ELLIPSIS
    padding = " " * (width - cells)
    return padding + text if right else text + padding


def whole_words(text: str, width: int) -> str:
    """Return as many whole words of `text` as `width` cells hold; a part of the first where it is longer."""
    if cell_len(text) <= width:
        return text
    part = set_cell_size(text, max(0, width))
    start = part if text[len(part)].isspace() else part.rpartition(" ")[0]
    return (start if start.strip() else part).rstrip()


def cut_in_the_middle(text: str, width: int) -> str:
    """Return `text` in at most `width` cells: where it is longer, its start, an ellipsis and its end.

    The end begins with a whole word where that costs it little.
    """
    if cell_len(text) <= width:
        return text
    end = ""
    # Character by character from the back, as one may take two cells.
    for letter in reversed(text):
        if cell_len(letter + end) > width // 2:
            break
        end = letter + end
    partial, space, words = end.partition(" ")
    if len(words) > len(partial):
        # The rest of a word right behind the ellipsis reads as if the two were one.
        end = space + words
    return fit(text, width - cell_len(end)) + end


def shared_start(texts: Collection[str]) -> str:
    """Return the longest text that all of these, one at least, begin with."""
    least, most = min(texts), max(texts)
    return least[: next((n for n, (a, b) in enumerate(zip(least, most, strict=False)) if a != b), len(least))]


def cut_apart(texts: Sequence[str], width: int) -> list[str]:
    """Return texts so that those that differ also do so where they are cut to so many cells.

    Of those that would be cut to the same, words go that all of them begin with: as few as will do, and
    all of them where none will. Each is to be cut yet.
    """
    alike: dict[str, set[str]] = {}
    for text in texts:
        alike.setdefault(fit(text, width), set()).add(text)
    starts = {text: _start_apart(same, width) for same in alike.values() if len(same) > 1 for text in same}
    return [f"{ELLIPSIS}{text[start:]}" if (start := starts.get(text, 0)) else text for text in texts]


def _start_apart(same: Collection[str], width: int) -> int:
    """Return from where on texts that begin alike have room behind an ellipsis, at the first of a word."""
    shared = shared_start(same)
    words = [place + 1 for place, sign in enumerate(shared) if sign == " "]
    fitting = (start for start in words if all(cell_len(text[start:]) < width for text in same))
    return next(fitting, words[-1] if words else 0)


def wrap_items(text: str, width: int) -> Iterator[str]:
    """Yield what stands between double spaces, such as the shades of a legend, in lines so wide.

    An item that has no room in a line begins the next one, and is only broken where it is wider than that.
    """
    line = ""
    for item in text.split(_BETWEEN_ITEMS):
        longer = f"{line}{_BETWEEN_ITEMS}{item}" if line else item
        if line and cell_len(longer) > width:
            yield from wrap(line, width)
            longer = item
        line = longer
    yield from wrap(line, width)
