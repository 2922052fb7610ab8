"""One turn of a transcript as HTML: who spoke, what was said and called, and what metrics found about it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from turnwise.conversations.exports.marks import MARKS, WORDS, elapsed
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store.rows import ScoreRow, ToolCallRow, TurnRow, VerdictRow

_FOLDED_FROM = 280
"""Characters from which what a system prompt or a tool says is folded away behind its first words."""
_FIRST_WORDS = 64


def turn_item(
    turn: TurnRow, verdicts: Sequence[tuple[ScoreRow, VerdictRow]], *, session: int, with_outputs: bool
) -> str:
    """Return one turn as an item of a list.

    with_outputs: show what tools gave beside the calls, where the transcript has no tool messages.
    """
    place = f"s{session}t{turn.position}"
    number = f'<a class="number" href="#{place}">{turn.number}</a>' if turn.number else "<span></span>"
    parts = [_who(turn), _said(turn)]
    parts += [_call(call, with_output=with_outputs) for call in turn.tools_called]
    if turn.passages:
        parts.append(_passages(turn.passages))
    if verdicts:
        parts.append(_verdicts(verdicts))
    body = "\n".join(part for part in parts if part)
    return f'<li class="{turn.role}" id="{place}">{number}<div class="body">\n{body}\n</div></li>\n'


def _who(turn: TurnRow) -> str:
    name = f'<span dir="auto">{_line(turn.name)}</span>' if turn.name else ""
    time = f"<span>{elapsed(turn.at)}</span>" if turn.at is not None else ""
    cut = '<span class="unsure">cut short</span>' if turn.interrupted else ""
    return f'<div class="who"><b>{turn.role}</b>{name}{time}{cut}</div>'


def _said(turn: TurnRow) -> str:
    if not turn.content.strip():
        return "" if turn.tools_called else '<p class="quiet">no words</p>'
    if turn.number:
        return f'<div class="words" dir="auto">{_text(turn.content)}</div>'
    if len(turn.content) < _FOLDED_FROM:
        return f"<pre>{_text(turn.content)}</pre>"
    return _folded(turn.content)


def _folded(text: str) -> str:
    start = make_safe_line(text[: 4 * _FIRST_WORDS])[:_FIRST_WORDS].rstrip()
    return (
        f"<details><summary>{escape(start)}… ({len(text):,} characters)</summary>"
        f"<pre>{_text(text)}</pre></details>"
    )


def _call(call: ToolCallRow, *, with_output: bool) -> str:
    time = f' <span class="quiet">{elapsed(call.seconds)}</span>' if call.seconds is not None else ""
    given = "" if call.arguments in ("{}", "") else f" {_text(call.arguments)}"
    output = ""
    if with_output and call.output is not None:
        output = (
            f"<pre>{_text(call.output)}</pre>" if len(call.output) < _FOLDED_FROM else _folded(call.output)
        )
    return f'<div class="call"><pre>▸ <b>{_line(call.name)}</b>{given}{time}</pre>{output}</div>'


def _passages(passages: Sequence[str]) -> str:
    count = f"{len(passages)} retrieved {'passage' if len(passages) == 1 else 'passages'}"
    held = "".join(f'<p class="words call" dir="auto">{_text(passage)}</p>' for passage in passages)
    return f"<details><summary>{count}</summary><div>{held}</div></details>"


def _verdicts(verdicts: Sequence[tuple[ScoreRow, VerdictRow]]) -> str:
    """Show what failed or is unsure with its reason, and what passed by name."""
    told = "".join(_verdict(*pair) for pair in verdicts if pair[1].passed is not True)
    names = dict.fromkeys(score.metric for score, verdict in verdicts if verdict.passed)
    fine = "".join(f'<span><span class="pass">{MARKS[True]}</span> {_line(name)}</span>' for name in names)
    return f'<ul class="verdicts">{told}{f"""<li class="fine">{fine}</li>""" if fine else ""}</ul>'


def _verdict(score: ScoreRow, verdict: VerdictRow) -> str:
    word = WORDS[verdict.passed]
    about = f" «{_text(verdict.about)}»" if verdict.about.strip() else ""
    reason = _text(verdict.reason or verdict.word)
    return (
        f'<li class="{word}"><span class="mark {word}">{MARKS[verdict.passed]}</span>'
        f'<span dir="auto"><b>{_line(score.metric)}</b>{about} {reason}</span></li>'
    )


def _text(text: str) -> str:
    return escape(make_safe(text))


def _line(text: str) -> str:
    return escape(make_safe_line(text))
