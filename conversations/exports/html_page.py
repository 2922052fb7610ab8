"""HTML: one page that holds everything it needs, without script, to read, search, print and pass on.

Nothing of a conversation reaches the page but as text: it is made safe and escaped, and the page's own policy
forbids every script and every address.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from typing import TextIO

from turnwise.conversations.exports.export import ExportOptions, SessionSelection, StoredSession
from turnwise.conversations.exports.html_style import STYLE
from turnwise.conversations.exports.wording import (
    WORDS,
    day,
    elapsed,
    score_value,
    score_word,
)
from turnwise.conversations.findings import FoundMode
from turnwise.conversations.marks import FAILED, LABEL_SIGNS, PASSED, outcome_sign, verdict_sign
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import (
    LabelRow,
    Mark,
    ScoreRow,
    SessionRow,
    ToolCallRow,
    TurnRow,
    VerdictRow,
    quote_gone,
)
from turnwise.conversations.words import mode_told

_FOLDED_FROM = 280
"""Characters from which what a system prompt or a tool says is folded away behind its first words."""
_FIRST_WORDS = 64
_METADATA = "metadata"
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_LABEL_WORDS = {"pass": "pass", "fail": "fail", "defer": "unsure"}


def turn_item(
    turn: TurnRow, verdicts: Sequence[tuple[ScoreRow, VerdictRow]], *, session: int, with_outputs: bool
) -> str:
    """Return one turn as an item of a list.

    with_outputs: show what tools gave beside the calls, where the transcript has no tool messages.
    """
    place = f"s{session}t{turn.position}"
    number = f'<a class="number" href="#{place}">{turn.number}</a>' if turn.number else "<span></span>"
    parts = [_who(turn), _said(turn, [verdict for _, verdict in verdicts])]
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
    ends = ["cut short"] if turn.interrupted else []
    ends += [_line(turn.remark)] if turn.remark else []
    cut = f'<span class="unsure">{": ".join(ends)}</span>' if ends else ""
    return f'<div class="who"><b>{turn.role}</b>{name}{time}{cut}</div>'


def _said(turn: TurnRow, verdicts: Sequence[VerdictRow]) -> str:
    if not turn.content.strip():
        return "" if turn.tools_called else '<p class="quiet">no words</p>'
    if turn.number:
        return f'<div class="words" dir="auto">{_underlined(turn, verdicts)}</div>'
    if len(turn.content) < _FOLDED_FROM:
        return f"<pre>{_text(turn.content)}</pre>"
    return _folded(turn.content)


def _underlined(turn: TurnRow, verdicts: Sequence[VerdictRow]) -> str:
    """Write what a turn says with the words underlined that failed verdicts rest on."""
    quotes = [verdict.quote for verdict in verdicts if verdict.quote and verdict.quote.turn == turn.number]
    places = sorted({place for quote in quotes if (place := quote.place_in(turn.content))})
    pieces, written = [], 0
    for start, end in places:
        begins = max(start, written)
        if begins < end:
            pieces += [_text(turn.content[written:begins]), f"<u>{_text(turn.content[begins:end])}</u>"]
            written = end
    return "".join([*pieces, _text(turn.content[written:])])


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
    """Show each verdict that failed or is unsure with its reason, and the names of the metrics that
    passed.
    """
    told = "".join(_verdict(*pair) for pair in verdicts if pair[1].passed is not True)
    names = dict.fromkeys(score.metric for score, verdict in verdicts if verdict.passed)
    fine = "".join(f'<span><span class="pass">{PASSED}</span> {_line(name)}</span>' for name in names)
    return f'<ul class="verdicts">{told}{f"""<li class="fine">{fine}</li>""" if fine else ""}</ul>'


def _verdict(score: ScoreRow, verdict: VerdictRow) -> str:
    word = WORDS[verdict.passed]
    about = f" «{_text(verdict.about)}»" if verdict.about.strip() else ""
    reason = _text(f"{verdict.reason or verdict.word} {quote_gone(verdict)}".rstrip())
    return (
        f'<li class="{word}"><span class="mark {word}">{verdict_sign(verdict.passed)}</span>'
        f'<span dir="auto"><b>{_line(score.metric)}</b>{about} {reason}</span></li>'
    )


def _text(text: str) -> str:
    return escape(make_safe(text))


def _line(text: str) -> str:
    return escape(make_safe_line(text))


def write(sessions: SessionSelection, out: TextIO, options: ExportOptions) -> None:
    """Write one page to read and print, which needs nothing beside it."""
    only = next(sessions.rows(), None) if len(sessions) == 1 else None
    title = _line(only.name) if only else f"{len(sessions):,} conversations"
    out.write(page_head(title, style="" if only else options.style))
    if only is None:
        out.write(f"<h1>{title}</h1>\n")
        out.write(options.head)
        out.write('<ol class="contents">\n')
        for row in sessions.rows():
            out.write(_content_item(row))
        out.write("</ol>\n")
    for session in sessions:
        for piece in session_pieces(session, heading="h1" if only else "h2"):
            out.write(piece)
    out.write("</body>\n</html>\n")


def page_head(title: str, *, style: str = "") -> str:
    """Return the page up to its body. title: escaped already; style: what it needs beside the usual looks."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="turnwise">\n<title>{title}</title>\n'
        f"<style>\n{STYLE}\n{style}</style>\n</head>\n<body>\n"
    )


def _content_item(row: SessionRow) -> str:
    marks = "".join(_content_mark(name, mark) for name, mark in row.marks.items())
    turns = f"{row.turns:,} {'turn' if row.turns == 1 else 'turns'}"
    return (
        f'<li><a href="#s{row.id}" dir="auto">{_line(row.name)}</a>'
        f'<span class="marks"><span class="quiet">{turns}</span>{marks}</span></li>\n'
    )


def _content_mark(name: str, mark: Mark) -> str:
    word = WORDS[mark.passed] if mark.outcome == "score" else mark.outcome
    return f'<span class="{word}">{outcome_sign(mark)} {_line(name)}</span>'


def session_pieces(session: StoredSession, *, heading: str) -> Iterator[str]:
    """Yield the HTML of one session, piece by piece."""
    findings = f"{_scores(session.newest_scores)}{_labels(session.newest_labels)}{_modes(session.modes)}"
    kind = "session judged" if findings else "session"
    yield f'<article class="{kind}" id="s{session.row.id}">\n<header>\n'
    yield f'<{heading} dir="auto">{_line(session.name)}</{heading}>\n'
    facts = "".join(
        f'<dt>{_line(name)}</dt><dd class="words" dir="auto">{_text(value)}</dd>\n'
        for name, value in _facts(session)
        if value.strip()
    )
    yield f'<dl class="facts">\n{facts}</dl>\n{_metadata(session)}{_more(session)}</header>\n'
    if findings:
        yield f'<section class="findings">\n{findings}</section>\n'
    yield '<section class="transcript" aria-label="Transcript">\n<ol class="turns">\n'
    verdicts = session.verdicts_by_turn()
    answered = any(turn.role == "tool" for turn in session.turns)
    for turn in session.turns:
        found = verdicts.get(turn.number or 0, [])
        yield turn_item(turn, found, session=session.row.id, with_outputs=not answered)
    yield "</ol>\n</section>\n</article>\n"


def _facts(session: StoredSession) -> Iterator[tuple[str, str]]:
    row = session.row
    yield "Role", row.chatbot_role
    for part in session.about.whole:
        if part.title != _METADATA:
            yield f"{part.title[:1].upper()}{part.title[1:]}", part.text
    yield "Source", f"{row.source}, {day(row.created_at)}"


def _metadata(session: StoredSession) -> str:
    metadata = session.case.data().get(_METADATA)
    if not metadata:
        return ""
    shown = _text(json.dumps(metadata, ensure_ascii=False, indent=2))
    return f"<details><summary>Metadata</summary><pre>{shown}</pre></details>\n"


def _more(session: StoredSession) -> str:
    """Return what is said of single turns, and the hyperparameters of runs, folded away."""
    about = session.about
    folds = (("Of single turns", about.turns), ("Hyperparameters", about.runs))
    return "".join(
        f'<details><summary>{title}</summary><dl class="facts">'
        + "".join(
            f'<dt>{_line(part.title)}</dt><dd class="words" dir="auto">{_text(part.text)}</dd>'
            for part in parts
        )
        + "</dl></details>\n"
        for title, parts in folds
        if parts
    )


def _scores(scores: Sequence[ScoreRow]) -> str:
    items = "".join(_score_item(score) for score in scores)
    return f"<h3>Scores</h3>\n<ul>\n{items}</ul>\n" if scores else ""


def _score_item(score: ScoreRow) -> str:
    place = f' <span class="quiet">exchange {score.exchange}</span>' if score.exchange else ""
    bar = ""
    if score.score is not None:
        mark = (
            ""
            if score.threshold is None
            else f'<b style="left:{_percent(score.threshold)}" title="threshold {score.threshold:.2f}"></b>'
        )
        bar = (
            f'<div class="bar {score_word(score)}"><i style="width:{_percent(score.score)}"></i>{mark}</div>'
        )
    whole = "".join(
        f'<li class="fail"><span class="mark fail">{FAILED}</span>'
        f"<span>{_finding(verdict.about, verdict.reason)}</span></li>"
        for verdict in score.verdicts
        if verdict.turn is None and verdict.passed is False
    )
    findings = f'<ul class="verdicts">{whole}</ul>' if whole else ""
    remark = f'<p class="quiet">{_text(score.remark)}</p>' if score.remark else ""
    return (
        f'<li><div class="score"><span class="mark {score_word(score)}">{outcome_sign(score)}</span>'
        f'<span class="name">{_line(score.metric)}{place}</span>'
        f'<span class="value {score_word(score)}">{score_value(score)}</span></div>{bar}'
        f'<p class="reason words" dir="auto">{_text(score.reason)}</p>{remark}{findings}</li>\n'
    )


def _finding(about: str, reason: str) -> str:
    told = f"<b>{_text(about)}</b> " if about.strip() else ""
    return f"{told}{_text(reason)}"


def _percent(share: float) -> str:
    return f"{100 * min(max(share, 0.0), 1.0):.1f}%"


def _labels(labels: Sequence[LabelRow]) -> str:
    items = "".join(_label_item(label) for label in labels)
    return f"<h3>Labels</h3>\n<ul>\n{items}</ul>\n" if labels else ""


def _label_item(label: LabelRow) -> str:
    word = _LABEL_WORDS[label.label or "defer"]
    about = f"{_line(label.metric)}: " if label.metric else ""
    place = f' <span class="quiet">turn {label.turn}</span>' if label.turn else ""
    note = f'<p class="reason words" dir="auto">{_text(label.note)}</p>' if label.note.strip() else ""
    return (
        f'<li><div class="score"><span class="mark {word}">{LABEL_SIGNS[label.label]}</span>'
        f'<span class="name">{about}{label.said} by {_line(label.given_by)}{place}</span></div>{note}</li>\n'
    )


def _modes(modes: Sequence[FoundMode]) -> str:
    items = "".join(_mode_item(mode) for mode in modes)
    return f"<h3>Failure modes</h3>\n<ul>\n{items}</ul>\n" if modes else ""


def _mode_item(mode: FoundMode) -> str:
    told = _line(mode_told(mode.name, mode.turn, mode.author))
    means = f'<p class="quiet words" dir="auto">{_text(mode.definition)}</p>' if mode.definition else ""
    return (
        f'<li><div class="score"><span class="mark fail">{FAILED}</span>'
        f'<span class="name" dir="auto">{told}</span></div>{means}</li>\n'
    )
