"""Replay lines: for a moment of a replay one line of the scores so far, and one of what has just happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.marks import outcome_sign, verdict_sign
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import (
    Event,
    LabelRow,
    ScoreRow,
    SessionModeRow,
    SessionRow,
    TurnRow,
    VerdictRow,
)
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.drawing.plain_prose import plain_title
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.reading.score_groups import ScoreGroup, summary_of, verdicts_by_turn
from turnwise.tui.reading.score_lines import chips, says_yes_or_no, verdict_text
from turnwise.tui.session_lists.metric_keys import metric_words


@dataclass(frozen=True, slots=True)
class Later:
    """The verdicts about each turn as they stood after the last event."""

    verdicts: Mapping[int, Sequence[tuple[ScoreGroup, ScoreRow, VerdictRow]]]

    @classmethod
    def of(cls, groups: Sequence[ScoreGroup]) -> Later:
        """Gather them from the newest outcomes."""
        return cls(verdicts_by_turn(groups))


def as_of_line(
    turn: int,
    groups: Sequence[ScoreGroup],
    to_come: int,
    width: int,
    tones: Tones,
    *,
    beside: bool = False,
    hidden: str = "",
    ended: bool = False,
) -> Line:
    """Return the scores as they stood at a turn, or after all that came; ended: which of these it is.

    to_come: how many outcomes came later. beside: whether a pane of scores says that there are none yet.
    hidden: what stands in their place where they are not to be seen.
    """
    head = " at the end " if ended else f" as of turn {turn} " if turn else " before the first turn "
    if groups:
        return [Segment(head, tones.heading), *chips(groups, width - cell_len(head), tones)]
    # How many is another figure than that of the metrics, where one judged more than once.
    rest = " scores came later" if beside else " no scores yet; they came later"
    rest = f" {hidden}" if hidden else rest if to_come else " no scores"
    return [Segment(head, tones.heading), Segment(f" {rest}", tones.muted)]


def moment_line(event: Event, later: Later, width: int, tones: Tones) -> Line:
    """Return what happened last: a score and why, what somebody said, or what was found about a turn."""
    match event.row:
        case ScoreRow() as row:
            score = "" if row.score is None else f" {row.score:.2f}"
            name = f"{metric_words(row.metric)}{score}"
            return _line(outcome_sign(row), name, summary_of(row), width, tones)
        case LabelRow() as label:
            about = f"{metric_words(label.metric)}: " if label.metric else ""
            what = f"{about}{label.label or 'label taken back'} by {label.given_by}"
            return _line("✎", what, label.note, width, tones)
        case SessionModeRow() as mode:
            return _line("✎", mode.words, "", width, tones)
        case TurnRow(number=int(number)) if found := later.verdicts.get(number):
            group, _, verdict = found[0]
            sign = verdict_sign(verdict.passed)
            # Whether yes is good depends on what was asked; the sign says what it comes to.
            said = "" if says_yes_or_no(verdict) else verdict_text(verdict)
            words = f"{group.name}{_beside(found)}"
            head = f"turn {number}, judged later: "
            # Before the turn, the sign would read as if it had been found when the turn was said.
            return _line(sign, words, said, width, tones, head=head)
        case SessionRow() as session:
            return _line("", plain_title(session.chatbot_role), "", width, tones)
        case _:
            return []


def _beside(found: Sequence[tuple[ScoreGroup, ScoreRow, VerdictRow]]) -> str:
    """Say how many verdicts of a turn are as the first, the worst, and how many of each other kind there are.

    Such as " and 1 more · 3 pass": all counted in one would read as if all of them failed.
    """
    kinds = Counter(verdict.passed for _, _, verdict in found)
    alike = kinds.pop(found[0][2].passed) - 1
    words = {None: "unsure", True: "pass"}
    others = "".join(f" · {kinds[kind]} {word}" for kind, word in words.items() if kinds[kind])
    return f"{f' and {alike} more' if alike else ''}{others}"


def modes_line(modes: Sequence[SessionModeRow], width: int, tones: Tones) -> Line:
    """Return the failure modes that the session has at a moment; an empty line where it has none yet."""
    if not modes:
        return [Segment("")]
    head = " failure modes  " if len(modes) > 1 else " failure mode  "
    words = [f"{one.mode}{f' at turn {one.turn}' if one.turn else ''}" for one in modes]
    text = make_safe_line(" · ".join(words))
    return [Segment(head, tones.muted), Segment(fit(text, max(1, width - len(head))).rstrip(), tones.text)]


def _line(sign: str, name: str, text: str, width: int, tones: Tones, *, head: str = "") -> Line:
    mark = f"{sign} " if sign else ""
    name = make_safe_line(name)[: max(1, width)]
    room = width - cell_len(head) - cell_len(mark) - cell_len(name) - 4
    line = [Segment(f" {head}", tones.muted), Segment(mark, tones.of_sign(sign))]
    line.append(Segment(name, tones.heading if sign else tones.muted))
    shown = make_safe_line(text[: 4 * width])
    return [*line, Segment(f"  {fit(shown, room) if cell_len(shown) > room else shown}", tones.muted)]
