"""Linked lines: addresses in drawn lines as links, also where a line ends in the middle of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.style import Style

from turnwise.tui.drawing.lines import Line, line_text, mark_selected
from turnwise.tui.terminal.links import addresses

_SCHEMES = ("https", "http")


def link_lines(lines: Sequence[Line], text: str) -> Sequence[Line]:
    """Return lines with their addresses as links. text: made safe, and what the lines were wrapped from."""
    # All parts of an address are one link, which terminals mark as a whole.
    found = [(text[start:end], Style(link=target)) for start, end, target in addresses(text)]
    if not found:
        return lines
    texts = [line_text(line) for line in lines]
    linked: list[Line] = []
    rest, style = "", Style.null()
    for line, said, after in zip(lines, texts, [*texts[1:], ""], strict=True):
        drawn = line
        start, end = len(said) - len(said.lstrip()), len(said.rstrip())
        if rest and start < end:
            shared = min(len(rest), end - start)
            goes_on = rest.startswith(said[start : start + shared])
            drawn = mark_selected(drawn, start, start + shared, style) if goes_on else drawn
            rest, start = (rest[shared:] if goes_on else ""), start + shared if goes_on else start
        for first in () if rest else _begins(said, start):
            # They stand in the lines in the order of the text.
            at = next((at for at, (one, _) in enumerate(found) if _stands(one, said[first:end], after)), None)
            if at is None:
                continue
            (address, style), found = found[at], found[at + 1 :]
            drawn = mark_selected(drawn, first, min(end, first + len(address)), style)
            rest = address[end - first :]
        linked.append(drawn)
    return linked


def link_all(lines: Sequence[Line], target: str) -> list[Line]:
    """Return lines that are one link to a place."""
    style = Style(link=target)
    texts = [line_text(line) for line in lines]
    return [
        mark_selected(line, len(text) - len(text.lstrip()), len(text), style)
        for line, text in zip(lines, texts, strict=True)
    ]


def _begins(said: str, start: int) -> Iterator[int]:
    """Yield where an address may begin in a line."""
    place = said.find("://", start)
    while place >= 0:
        for scheme in _SCHEMES:
            if said[max(0, place - len(scheme)) : place].lower() == scheme:
                yield place - len(scheme)
                break
        place = said.find("://", place + 3)


def _stands(address: str, said: str, after: str) -> bool:
    """Return whether an address begins a text, and goes on in the line after it where the text ends first."""
    if len(address) <= len(said):
        return said.startswith(address)
    rest, after = address[len(said) :], after.strip()
    return address.startswith(said) and bool(after) and (after.startswith(rest) or rest.startswith(after))
