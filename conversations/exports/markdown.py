"""Markdown: transcripts to read and to paste elsewhere. What was said stands as it was said.

Markdown that someone wrote in a conversation is shown, not obeyed: it cannot make headings, links, pictures
or HTML of its own. Lines that count on their spaces stand in a code block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TextIO

from turnwise.conversations.exports.export import ExportOptions, SessionSelection, StoredSession
from turnwise.conversations.exports.wording import (
    day,
    elapsed,
    score_value,
)
from turnwise.conversations.marks import FAILED, LABEL_SIGNS, PASSED, outcome_sign, verdict_sign
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import ScoreRow, ToolCallRow, TurnRow, VerdictRow, quote_gone
from turnwise.conversations.words import mode_told

_ACTIVE = re.compile(r"[\\`*\[\]<|~$]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
_ACTIVE_AT_START = re.compile(r"(?m)^(?:[#+\-=>]|:(?=-)|(?P<number>\d+)(?=[.)]))")
_NEEDS_BLOCK = re.compile(r"(?m)^[^\S\n]+\S|```|~~~")


def markdown_line(text: str) -> str:
    """Return text on one line that Markdown shows as it stands, inside a line of something else."""
    return _ACTIVE.sub(r"\\\g<0>", make_safe_line(text))


def markdown_quote(text: str) -> str:
    """Return text as a block quote, or as a code block, in which Markdown shows it as it stands."""
    safe = make_safe(text)
    if _NEEDS_BLOCK.search(safe):
        longest = max(map(len, re.findall("`+", safe)), default=0)
        fence = "`" * max(3, longest + 1)
        return f"{fence}text\n{safe}\n{fence}"
    lines = [line.strip() for line in safe.split("\n")]
    return "\n".join(
        f"> {_escaped_line(line)}{_break(line, lines[place + 1 : place + 2])}" if line else ">"
        for place, line in enumerate(lines)
    )


def _escaped_line(line: str) -> str:
    escaped = _ACTIVE.sub(r"\\\g<0>", line)
    return _ACTIVE_AT_START.sub(lambda match: f"{match['number'] or ''}\\{_mark_of(match)}", escaped)


def _mark_of(match: re.Match[str]) -> str:
    return "" if match["number"] else match[0]


def _break(line: str, following: list[str]) -> str:
    """Return what keeps a line end visible in Markdown where another line of the same paragraph follows."""
    return "\\" if following and following[0] else ""


def session_lines(session: StoredSession) -> Iterator[str]:
    """Yield the page of one session, piece by piece, without line ends."""
    yield f"# {markdown_line(session.name) or 'Conversation'}\n"
    for name, value in _facts(session):
        yield from _fact_lines(name, value)
    if session.newest_scores or session.newest_labels:
        yield "\n## Scores\n"
        for score in session.newest_scores:
            yield from _score_lines(score)
        for label in session.newest_labels:
            place = f", turn {label.turn}" if label.turn else ""
            note = f": {markdown_line(label.note)}" if label.note.strip() else ""
            mark = LABEL_SIGNS[label.label]
            about = f"{markdown_line(label.metric)}: " if label.metric else ""
            yield f"- {mark} {about}{label.said} by {markdown_line(label.given_by)}{place}{note}"
    if session.modes:
        yield "\n## Failure modes\n"
        for mode in session.modes:
            means = f": {markdown_line(mode.definition)}" if mode.definition else ""
            yield f"- {FAILED} {markdown_line(mode_told(mode.name, mode.turn, mode.author))}{means}"
    yield "\n## Transcript\n"
    verdicts = session.verdicts_by_turn()
    answered = any(turn.role == "tool" for turn in session.turns)
    for turn in session.turns:
        yield from _turn_lines(turn, verdicts.get(turn.number or 0, []), with_outputs=not answered)


def _facts(session: StoredSession) -> Iterator[tuple[str, str]]:
    row = session.row
    yield "role", row.chatbot_role
    yield from ((part.title, part.text) for part in session.about.parts)
    yield "source", f"{row.source}, {day(row.created_at)}"


def _fact_lines(name: str, value: str) -> Iterator[str]:
    lines = [markdown_line(line) for line in make_safe(value).splitlines() if line.strip()]
    if len(lines) == 1:
        yield f"- {markdown_line(name)}: {lines[0]}"
    elif lines:
        yield f"- {markdown_line(name)}:"
        yield from (f"  - {line}" for line in lines)


def _score_lines(score: ScoreRow) -> Iterator[str]:
    place = f", exchange {score.exchange}" if score.exchange else ""
    reason = f": {markdown_line(score.reason)}" if score.reason.strip() else ""
    yield f"- {outcome_sign(score)} **{markdown_line(score.metric)}**{place} {score_value(score)}{reason}"
    if score.remark:
        yield f"  - {markdown_line(score.remark)}"
    for verdict in score.verdicts:
        if verdict.turn is None and verdict.passed is False:
            yield f"  - {verdict_sign(verdict.passed)} {_finding(verdict)}"


def _finding(verdict: VerdictRow) -> str:
    about = f"«{markdown_line(verdict.about)}» " if verdict.about.strip() else ""
    words = [markdown_line(verdict.reason or verdict.word)]
    if verdict.gone:
        words.append(markdown_line(quote_gone(verdict)))
    elif verdict.quote and verdict.quote.text != verdict.about:
        words.append(f"(rests on «{markdown_line(verdict.quote.text)}»)")
    return f"{about}{' '.join(words)}"


def _turn_lines(
    turn: TurnRow, verdicts: list[tuple[ScoreRow, VerdictRow]], *, with_outputs: bool
) -> Iterator[str]:
    head = f"{turn.number} · {turn.role}" if turn.number else turn.role
    name = f" ({markdown_line(turn.name)})" if turn.name else ""
    time = f" · {elapsed(turn.at)}" if turn.at is not None else ""
    cut = " · cut short" if turn.interrupted else ""
    remark = f" · {markdown_line(turn.remark)}" if turn.remark else ""
    yield f"**{head}{name}**{time}{cut}{remark}\n"
    if turn.content.strip():
        yield markdown_quote(turn.content) + "\n"
    elif not turn.tools_called:
        yield "> *no words*\n"
    yield from (f"{line}\n" for call in turn.tools_called for line in _call_lines(call, with_outputs))
    yield from (f"- passage: {markdown_line(passage)}\n" for passage in turn.passages)
    marks = [
        f"- {verdict_sign(verdict.passed)} **{markdown_line(score.metric)}** {_finding(verdict)}"
        for score, verdict in verdicts
        if verdict.passed is not True
    ]
    fine = dict.fromkeys(markdown_line(score.metric) for score, verdict in verdicts if verdict.passed)
    marks += [f"- {PASSED} {', '.join(fine)}"] if fine else []
    if marks:
        yield "\n".join(marks) + "\n"


def _call_lines(call: ToolCallRow, with_output: bool) -> Iterator[str]:
    yield f"▸ **{markdown_line(call.name)}** {markdown_line(call.arguments)}"
    if with_output and call.output is not None:
        yield markdown_quote(call.output)


def write(sessions: SessionSelection, out: TextIO, options: ExportOptions) -> None:
    """Write transcripts with their scores, in Markdown."""
    between = ""
    for session in sessions:
        out.write(between)
        for piece in session_lines(session):
            out.write(piece + "\n")
        between = "---\n\n"
