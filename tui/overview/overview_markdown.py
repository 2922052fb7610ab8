"""The overview as Markdown, for a ticket or a mail: words, figures as they stand in a terminal, replies.

Figures stand in indented blocks, where nothing that a name holds means anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from turnwise.conversations.exports import markdown_line, markdown_quote
from turnwise.engine.overview import Overview
from turnwise.engine.people.mode_occurrences import ModeInWords
from turnwise.tui.overview.overview_lines import OverviewLine, overview_lines
from turnwise.tui.overview.overview_words import in_short, sessions_words


def markdown_pieces(found: Overview, made_of: str, modes: Sequence[ModeInWords] = ()) -> Iterator[str]:
    """Yield the page piece by piece.

    made_of: what it is of, and when it was made. modes: of its sessions, with what was said where they show.
    """
    yield f"# Overview\n\n{markdown_line(made_of)}\n\n"
    yield f"{markdown_line(sessions_words(found))}\n\n"
    for subject, told in groupby(_subjects(found), key=lambda one: one[0]):
        said = " ".join(words for _, words in told)
        yield f"- **{markdown_line(subject)}**: {markdown_line(said)}\n"
    part: list[OverviewLine] = []
    for line in overview_lines(found):
        if line.parts and line.parts[0].meaning == "section":
            yield from _figures(part)
            part = []
        part.append(line)
    yield from _figures(part)
    for mode in modes:
        yield from _in_words(mode)


def _subjects(found: Overview) -> Iterator[tuple[str, str]]:
    """Yield what each of the first words is about; some have none, and go on with the one before."""
    subject = ""
    for words in in_short(found):
        subject = words.about or subject
        yield subject, words.said


def _figures(part: Sequence[OverviewLine]) -> Iterator[str]:
    if not part or not part[0].parts or part[0].parts[0].meaning != "section":
        return
    title, *heads = part[0].parts
    yield f"\n## {markdown_line(title.text.strip(' :'))}\n\n"
    over = "".join(one.text for one in heads).rstrip()
    lines = [" " * len(title.text) + over] if over else []
    lines += [line.text for line in part[1:] if line.text]
    yield "".join(f"    {line}\n" for line in lines)


def _in_words(mode: ModeInWords) -> Iterator[str]:
    yield f"\n## {markdown_line(mode.name)}\n\n"
    if mode.definition:
        yield f"{markdown_line(mode.definition)}\n\n"
    for one in mode.occurrences:
        if one.said:
            yield f"{markdown_quote(one.said)}\n\n"
        at = f", turn {one.turn:,}" if one.turn else ""
        noted = f" · {one.author} noted: {one.note}" if one.note else ""
        yield f"{markdown_line(f'session {one.session_id}{at}: {one.session}{noted}')}\n\n"
