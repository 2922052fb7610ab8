"""Metric keys: two letters or so over the column of a metric, each of its own, and what they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.cells import cell_len

from turnwise.conversations.safe_text import make_safe_line

KEY_LETTERS = 3
"""The most letters of a key; most have two."""
ITEM_GAP = 3


def metric_words(metric: str) -> str:
    """Return a metric's name as people say it."""
    return make_safe_line(metric).replace("_", " ")


def metric_keys(metrics: Iterable[str]) -> dict[str, str]:
    """Return a key of two letters for each metric: the first of its first two words, as in `ra`, where no
    other has it. What comes later takes others, so that a new metric changes no key.
    """
    keys: dict[str, str] = {}
    for metric in metrics:
        if metric not in keys:
            taken = set(keys.values())
            keys[metric] = next(key for key in _candidates(metric) if key and key not in taken)
    return keys


def usual_key(metric: str) -> str:
    """Return the key that a metric has where no other has taken it."""
    return next(_candidates(metric))


def _candidates(metric: str) -> Iterator[str]:
    words = [word for word in metric_words(metric).lower().replace("-", " ").split() if word[0].isalnum()]
    first, *others = words or ["m"]
    if others:
        yield first[0] + others[0][0]
        yield first[0] + others[-1][0]
        yield "".join(word[0] for word in words[:KEY_LETTERS])
    rest = "".join([first[1:], *others])
    yield from (first[0] + letter for letter in rest)
    yield from (f"{first[0]}{number}" for number in range(2, 100))
    yield from (f"{number:0{KEY_LETTERS}}" for number in range(1_000))
    yield from (str(number) for number in range(1_000, 1_000_000))


LegendLine = list[tuple[str, str]]
"""Pairs of a key and its words."""


def legend_lines(keys: Mapping[str, str], width: int, most: int, *, more: str = "") -> list[LegendLine]:
    """Return what keys stand for as lines, at most so many.

    Metrics without room are counted: "3 more", with `more` before it, such as the key that names them.
    """
    items = [(key, metric_words(metric)) for metric, key in keys.items()]
    lines = _filled(items, [width] * most)
    if sum(map(len, lines)) < len(items):
        tail = ITEM_GAP + cell_len(_count(len(items), more))
        lines = _filled(items, [*[width] * (most - 1), width - tail])
        if len(lines) < most:
            lines.append([])
        lines[-1].append((_count(len(items) - sum(map(len, lines)), more), ""))
    return lines


def _filled(items: Sequence[tuple[str, str]], widths: Sequence[int]) -> list[LegendLine]:
    """Return as many of the items as fit into lines of these widths."""
    lines: list[LegendLine] = []
    left = list(items)
    for width in widths:
        line: LegendLine = []
        room = width
        while left and (size := cell_len(left[0][0]) + 1 + cell_len(left[0][1])) <= room:
            line.append(left.pop(0))
            room -= size + ITEM_GAP
        if line:
            lines.append(line)
    return lines


def _count(hidden: int, more: str) -> str:
    return f"{more} {hidden} more".lstrip()


def shown_keys(keys: Mapping[str, str], metrics: Sequence[str]) -> dict[str, str]:
    """Return the keys of these metrics, in their order."""
    return {metric: keys[metric] for metric in metrics if metric in keys}
