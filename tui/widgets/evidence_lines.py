"""Evidence lines: what is behind a score: its own words, and the very prompt and reply of a judge's call."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass

from rich.segment import Segment

from turnwise.conversations.store.rows import CallRow, ScoreRow
from turnwise.tui.call_words import messages_of, without_call
from turnwise.tui.widgets.lines_view import Tones, paragraph
from turnwise.tui.widgets.safe_text import make_safe_line
from turnwise.tui.widgets.score_groups import sign_of
from turnwise.tui.widgets.score_lines import says_once, verdict_text
from turnwise.tui.widgets.session_columns import ago
from turnwise.tui.widgets.turn_lines import Line, readable_json

WIDEST = 110
"""Cells: longer lines are hard to read, whatever room the terminal has."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A score and one of the judge's calls it rests on.

    number, count: which call of how many. run_began: when the score's run began, seconds since 1970.
    shared: how many further scores of the session rest on the same call.
    """

    row: ScoreRow
    call: CallRow | None = None
    number: int = 0
    count: int = 0
    run_began: float | None = None
    shared: int = 0

    @property
    def cached(self) -> bool:
        """Whether the reply was there before the score's run asked for it."""
        return self.call is not None and self.run_began is not None and self.call.created_at < self.run_began


def evidence_lines(evidence: Evidence, width: int, tones: Tones, now: float) -> list[Line]:
    """Return all of it in `width` cells: the outcome, the call's figures, the reply, then the prompt."""
    width = min(width, WIDEST)
    lines = _outcome(evidence.row, width, tones, now)
    call = evidence.call
    if call is None:
        lines += [[], *paragraph(without_call(evidence.row), width, tones.muted, indent="  ")]
        return lines
    lines += [[], [Segment(f"  Call {evidence.number} of {evidence.count}", tones.heading)]]
    for text in call_facts(evidence, now):
        lines += paragraph(text, width, tones.muted, indent="  ")
    lines += _section("Reply", readable_json(call.reply) or "(empty)", width, tones)
    for role, content in messages_of(call.request):
        lines += _section(f"Sent as {role}", content, width, tones)
    settings = {name: value for name, value in call.request.items() if name not in ("messages", "model")}
    if settings:
        lines += _section("Sent with", json.dumps(settings, ensure_ascii=False, indent=2), width, tones)
    return lines


def _outcome(row: ScoreRow, width: int, tones: Tones, now: float) -> list[Line]:
    sign = sign_of(row)
    score = "" if row.score is None else f"  {row.score:.2f}"
    bar = "" if row.threshold is None else f"   passes from {row.threshold:.2f}"
    place = f"   exchange {row.exchange}" if row.exchange is not None else ""
    name = make_safe_line(row.metric.replace("_", " "))
    lines: list[Line] = [
        [
            Segment(f"  {sign} ", tones.of_sign(sign)),
            Segment(name, tones.heading),
            Segment(score, tones.of_sign(sign)),
            Segment(bar + place, tones.muted),
        ]
    ]
    lines += paragraph(row.reason or "(no reason)", width, tones.text, indent="    ")
    if row.next_step:
        lines += paragraph(f"→ {row.next_step}", width, tones.text, indent="    ")
    by = f"judged by {make_safe_line(row.judge)}" if row.judge else "a check, no judge"
    facts = [by, f"run {row.run_id}", f"{ago(row.created_at, now)} ({_exact(row.created_at)})"]
    if row.seconds:
        facts.append(f"{row.seconds:.2f} s")
    if row.cost:
        facts.append(_dollars(row.cost))
    lines += paragraph(" · ".join(facts), width, tones.muted, indent="    ")
    for name, value in row.details.items():
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        text = f"{make_safe_line(str(name)).replace('_', ' ')}: {make_safe_line(shown)}"
        lines += paragraph(text, width, tones.muted, indent="    ")
    for verdict in row.verdicts:
        mark = "~" if verdict.passed is None else "✓" if verdict.passed else "✗"
        where = "whole" if verdict.turn is None else f"turn {verdict.turn}"
        word = "" if says_once(verdict) or not verdict.word else f"{make_safe_line(verdict.word)}: "
        head = f"{where:<8} {word}"
        found = paragraph(head + verdict_text(verdict), width, tones.muted, indent=" " * 6)
        first = Segment(found[0][0].text[6:], tones.muted)
        lines += [[Segment("    "), Segment(f"{mark} ", tones.of_sign(mark)), first], *found[1:]]
    return lines


def _section(title: str, text: str, width: int, tones: Tones) -> list[Line]:
    head: Line = [Segment("  "), Segment(make_safe_line(title), tones.heading)]
    bar = Segment("  ┃ ", tones.muted)
    return [[], head, *([bar, *line] for line in paragraph(text, width - 4, tones.text))]


def call_facts(evidence: Evidence, now: float) -> Iterator[str]:
    """Yield what is known of a call in words: model, tokens, seconds, cost, and where the reply came from."""
    call = evidence.call
    if call is None:
        return
    sent, came = call.usage.get("prompt_tokens"), call.usage.get("completion_tokens")
    facts = [make_safe_line(call.model)]
    if sent is not None or came is not None:
        facts.append(f"{sent or 0:,} tokens in, {came or 0:,} out")
    else:
        facts.append("tokens not told")
    if cached := call.usage.get("cached_tokens"):
        facts.append(f"{cached:,} of those in from the server's cache")
    facts += [f"{call.seconds:.2f} s", "cost unknown" if call.cost is None else _dollars(call.cost)]
    if call.finish_reason and call.finish_reason != "stop":
        facts.append(f"ended by {make_safe_line(call.finish_reason)}")
    yield " · ".join(facts)
    when = f"{ago(call.created_at, now)} ({_exact(call.created_at)})"
    if evidence.cached:
        yield f"From the cache: asked {when}, in an earlier run."
    else:
        yield f"Asked {when}{'' if evidence.run_began is None else ', not from the cache'}."
    if evidence.shared:
        scores = "1 other score" if evidence.shared == 1 else f"{evidence.shared} other scores"
        yield f"{scores} of this session rest{'s' if evidence.shared == 1 else ''} on the same call."


def _dollars(cost: float) -> str:
    return f"${cost:.4f}" if cost < 1 else f"${cost:,.2f}"


def _exact(then: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(then))
