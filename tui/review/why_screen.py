"""WhyScreen: what is behind a score: its own words, and the very prompt and reply of a judge's call."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from rich.segment import Segment
from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.marks import outcome_sign, verdict_sign
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import CallRow, ScoreRow
from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.jump_places import JumpPlace
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import LinesView, Tones, paragraph
from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.parts.words import exact_moment
from turnwise.tui.reading.score_lines import says_yes_or_no, verdict_text, word_before_reason
from turnwise.tui.reading.tool_words import readable_json
from turnwise.tui.reading.turn_links import link_turns, links_in, turn_at
from turnwise.tui.review.call_words import call_text, question_of, without_call
from turnwise.tui.shell.shell import ShellOfApp
from turnwise.tui.textual_screens import make_ready_again

WIDEST = 110
"""Cells: longer lines are hard to read, whatever room the terminal has."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A score and one of the judge's calls it rests on.

    number, count: which call of how many. run_began: when the score's run began, seconds since 1970.
    shared: how many further scores of the session rest on the same call. run_id: the run in which the score
    is looked at; None where it is the one that asked.
    """

    row: ScoreRow
    call: CallRow | None = None
    number: int = 0
    count: int = 0
    run_began: float | None = None
    shared: int = 0
    run_id: int | None = None

    @property
    def cached(self) -> bool:
        """Whether the reply was there before the score's run asked for it."""
        return self.call is not None and self.run_began is not None and self.call.created_at < self.run_began


def evidence_lines(evidence: Evidence, width: int, tones: Tones, now: float) -> list[Line]:
    """Return an evidence in `width` cells: the outcome, the call's figures, the reply, then the prompt."""
    width = min(width, WIDEST)
    lines = _outcome(evidence, width, tones, now)
    call = evidence.call
    if call is None:
        lines += [[], *paragraph(without_call(evidence.row), width, tones.muted, indent="  ")]
        return lines
    lines += [[], [Segment(f"  Call {evidence.number} of {evidence.count}", tones.section)]]
    for text in call_facts(evidence, now):
        lines += paragraph(text, width, tones.muted, indent="  ")
    lines += _section("Reply", readable_json(call.reply) or "(empty)", width, tones)
    for role, content in call.messages:
        lines += _section(f"Sent as {role}", content, width, tones)
    settings = {name: value for name, value in call.request.items() if name not in ("messages", "model")}
    if settings:
        lines += _section("Sent with", json.dumps(settings, ensure_ascii=False, indent=2), width, tones)
    return lines


def _outcome(evidence: Evidence, width: int, tones: Tones, now: float) -> list[Line]:
    row = evidence.row
    sign = outcome_sign(row)
    score = "" if row.score is None else f"  {row.score:.2f}"
    bar = "" if row.threshold is None else f"   needs {row.threshold:.2f} to pass"
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
    by = make_safe_line(f"{'judged by' if row.judge else 'a check, no judge'} {row.judged_by}".strip())
    over = "carried over from " if evidence.run_id not in (None, row.run_id) else ""
    facts = [by, f"{over}run {row.run_id}", exact_moment(row.created_at, now)]
    if row.seconds:
        facts.append(f"took {row.seconds:.2f} s")
    if row.cost:
        facts.append(_dollars(row.cost))
    lines += paragraph(" · ".join(facts), width, tones.muted, indent="    ")
    if row.other_model:
        lines += paragraph(make_safe_line(row.remark), width, tones.text, indent="    ")
    for name, value in row.details.items():
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        text = f"{make_safe_line(str(name)).replace('_', ' ')}: {make_safe_line(shown)}"
        lines += paragraph(text, width, tones.muted, indent="    ")
    if question := question_of(row):
        lines += paragraph(f"Asked of each: {question}", width, tones.text, indent="    ")
    for verdict in row.verdicts:
        mark = verdict_sign(verdict.passed)
        where = "whole" if verdict.turn is None else f"turn {verdict.turn}"
        word = f"{make_safe_line(said)}: " if (said := word_before_reason(verdict)) else ""
        head = f"{where:<8} {word}"
        text = f"answered {verdict.word}" if says_yes_or_no(verdict) else verdict_text(verdict)
        found = paragraph(head + text, width, tones.muted, indent=" " * 6)
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
    when = exact_moment(call.created_at, now)
    if evidence.cached:
        yield f"From the cache: asked {when}, in an earlier run."
    else:
        yield f"Asked {when}{'' if evidence.run_began is None else ', not from the cache'}."
    if evidence.shared:
        scores = "1 other score" if evidence.shared == 1 else f"{evidence.shared} other scores"
        yield f"{scores} of this session rest{'s' if evidence.shared == 1 else ''} on the same call."


def _dollars(cost: float) -> str:
    return f"${cost:.4f}" if cost < 1 else f"${cost:,.2f}"


class EvidenceView(LinesView):
    """Shows an evidence. A click on a turn that it names asks for that turn."""

    LINES_KEPT: ClassVar[int] = 2

    @dataclass
    class Chosen(Message):
        """A turn that is named was clicked."""

        turn: int

    last = 0
    """The number of the last turn."""

    def set_lines(self, lines: Sequence[Line], *, keep_place: bool = False) -> None:
        """Show other lines, with the turns that they name as links."""
        link = self.tones.link
        super().set_lines([link_turns(line, link, self.last) for line in lines], keep_place=keep_place)

    def on_click(self, event: events.Click) -> None:
        """Go to the turn that was clicked."""
        offset = event.get_content_offset(self)
        if offset is None or self.text_selection is not None:
            return
        number = self.scroll_offset.y + offset.y
        line = self.lines[number] if number < len(self.lines) else []
        if (turn := turn_at(line, offset.x, self.last)) is not None:
            self.post_message(self.Chosen(turn))

    def jump_places(self) -> list[JumpPlace]:
        """Return the turns that are named in sight."""
        top = self.scroll_offset.y
        return [
            JumpPlace(start, y, partial(self.post_message, self.Chosen(turn)))
            for y, line in enumerate(self.lines[top : top + self.size.height])
            for start, _, turn in links_in(line, self.last)
        ]


class WhyScreen(StillScreen[int | None]):
    """Goes through scores and, within one, through the judge's calls it rests on. See KeptDialogs.

    It ends with the number of a turn that was asked for, if any.
    """

    PLACE: ClassVar[Place] = "why"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("why"))
    AUTO_FOCUS = "LinesView"
    CSS = """
    WhyScreen {
        & LinesView { height: 1fr; margin: 1 0 0 0; }
    }
    """

    shell = ShellOfApp()

    @dataclass
    class Drawn(Message):
        """An evidence was read, and its lines were drawn."""

        evidence: Evidence
        lines: Sequence[Line]

    def begin(
        self,
        names: Sequence[str],
        rows: Sequence[ScoreRow],
        index: int = 0,
        last: int = 0,
        runs: Sequence[int] = (),
    ) -> None:
        """names: of each outcome's session. rows: the outcomes. index: the one shown first.

        last: the last turn of their sessions, where that is known. runs: in which each outcome is looked at,
        where that may be another run than found it. Without any outcome it is only made ahead.
        """
        self._runs = list(runs)
        self._last = last
        self._names = list(names)
        self._rows = list(rows)
        self._index = index
        self._call = 0
        self._evidence: Evidence | None = None

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield TitleBar("Why")
        yield EvidenceView(id="evidence")
        yield KeyLine("why")

    def on_mount(self) -> None:
        """Show what it was begun with."""
        self._fill()

    def open_again(self) -> None:
        """Show what it was begun with, with nothing of the last time."""
        make_ready_again(self, self._fill)
        self._show()

    def _fill(self) -> None:
        bar = self.query_one(TitleBar)
        bar.title, bar.detail, bar.right = "Why", self._names[self._index] if self._names else "", ""
        view = self.query_one(EvidenceView)
        view.last = self._last
        view.set_lines([])
        self.refresh_bindings()

    @property
    def row(self) -> ScoreRow:
        """The outcome that is shown."""
        return self._rows[self._index]

    @property
    def view(self) -> LinesView:
        """The lines."""
        return self.query_one(LinesView)

    def on_resize(self) -> None:
        """Wrap anew."""
        self._show()

    def _show(self) -> None:
        if self._rows and (width := self.view.scrollable_content_region.width):
            run_id = self._runs[self._index] if self._runs else None
            self._draw(self.row, self._call, width - 1, run_id)

    @work(thread=True, exclusive=True, group="evidence")
    def _draw(self, row: ScoreRow, number: int, width: int, run_id: int | None) -> None:
        """Read a call and wrap its prompt, which may be as long as the whole conversation."""
        evidence = replace(self._read(row, number), run_id=run_id)
        lines = evidence_lines(evidence, width, self.view.tones, time.time())
        self.post_message(self.Drawn(evidence, lines))

    def _read(self, row: ScoreRow, number: int) -> Evidence:
        if not row.calls:
            return Evidence(row)
        store = self.shell.store
        key = row.calls[number]
        shared = sum(key in other.calls for other in self._rows if other.id != row.id)
        try:
            began: float | None = store.runs.get(row.run_id).created_at
        except NotFoundError:
            began = None
        try:
            call = store.calls.get(key)
        except NotFoundError:
            return Evidence(row)
        return Evidence(row, call, number + 1, len(row.calls), began, shared)

    def on_why_screen_drawn(self, event: Drawn) -> None:
        """Show what was drawn, unless another score was asked for meanwhile."""
        if not self._rows or event.evidence.row.id != self.row.id:
            return
        same = self._evidence == event.evidence
        self._evidence = event.evidence
        self.view.set_lines(event.lines, keep_place=same)
        metric = self.row.metric.replace("_", " ")
        calls = f"call {event.evidence.number} of {event.evidence.count}   " if event.evidence.call else ""
        bar = self.query_one(TitleBar)
        bar.title, bar.detail = f"Why · {metric}", self._names[self._index]
        bar.right = f"{calls}score {self._index + 1} of {len(self._rows)}"
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what has nowhere to go."""
        if action in ("next_call", "previous_call"):
            return bool(self._rows) and len(self.row.calls) > 1
        if action in ("next_score", "previous_score"):
            return len(self._rows) > 1
        return True

    def action_next_call(self) -> None:
        """Show the next call."""
        self._go_to_call(self._call + 1)

    def action_previous_call(self) -> None:
        """Show the call before."""
        self._go_to_call(self._call - 1)

    def _go_to_call(self, number: int) -> None:
        if 0 <= number < len(self.row.calls):
            self._call = number
            self._show()

    def action_next_score(self) -> None:
        """Show what is behind the next score."""
        self._go_to_score(self._index + 1)

    def action_previous_score(self) -> None:
        """Show what is behind the score before."""
        self._go_to_score(self._index - 1)

    def _go_to_score(self, index: int) -> None:
        self._index = index % len(self._rows)
        self._call = 0
        self._show()

    def action_copy(self) -> None:
        """Copy the prompt and the reply, or the reason where nothing was asked."""
        if self._evidence is None:
            return
        call = self._evidence.call
        self.app.copy_to_clipboard(call_text(call) if call else self.row.reason)
        self.notify("Prompt and reply copied." if call else "Reason copied.", timeout=2)

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(None)

    def on_evidence_view_chosen(self, event: EvidenceView.Chosen) -> None:
        """Go back to the turn that was chosen."""
        self.dismiss(event.turn)
